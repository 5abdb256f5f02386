#define _GNU_SOURCE /* strcasestr, FNM_CASEFOLD */
/* Gives devices their ids, matches --device, and refuses a pattern that selects no device. */
#include "model/device_info.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/select.h"

enum { NAMES_MAX = 64 }; /* of devices in an error message */

static const struct {
    const char *platform, *id;
} platform_ids[] = {
    {"Portable Computing Language", "pocl"},
    {"Intel(R) OpenCL", "intel"},
    {"NVIDIA CUDA", "nvidia"},
    {"AMD Accelerated Parallel Processing", "amd"},
};

/* cl/device.c calls it for each device that it lists. This id stands in `devices`, --device, tables and
 * result files. */
void red_device_id_set(struct red_device_info *info) {
    for (size_t i = 0; i < sizeof platform_ids / sizeof platform_ids[0]; i++) {
        if (strcmp(info->platform, platform_ids[i].platform) == 0) {
            snprintf(info->id, sizeof info->id, "%s", platform_ids[i].id);
            return;
        }
    }
    size_t length = 0;
    while (isalnum((unsigned char)info->platform[length]) && length < 16) {
        info->id[length] = (char)tolower((unsigned char)info->platform[length]);
        length++;
    }
    snprintf(info->id + length, sizeof info->id - length, "%s", length ? "" : "device");
}

/* As above, once all devices are listed. */
void red_device_ids_make_unique(struct red_device_info *infos, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char id[32];
        unsigned count = 0;
        snprintf(id, sizeof id, "%s", infos[i].id);
        for (size_t j = i + 1; j < n; j++) {
            if (strcmp(infos[j].id, id) != 0)
                continue;
            count++;
            snprintf(infos[j].id, sizeof id, "%.20s.%u", id, count);
        }
        if (count > 0)
            snprintf(infos[i].id, sizeof id, "%.20s.0", id);
    }
}

/* The id, a glob of it, or its part before the number: "nvidia.0", "*.0", "nvidia" all mean nvidia.0. */
static bool id_matches(const struct red_device_info *info, const char *pattern) {
    size_t stem_n = strcspn(info->id, ".");
    return fnmatch(pattern, info->id, FNM_CASEFOLD) == 0 ||
           (strlen(pattern) == stem_n && strncasecmp(pattern, info->id, stem_n) == 0);
}

/* Whether the pattern is an id, of these devices or of any driver that is known here. The name of a known
 * driver never means a part of another driver's device name: "intel" is not PoCL on an Intel processor. */
static bool is_any_known_id(const struct red_device_info *infos, size_t n, const char *pattern) {
    for (size_t i = 0; i < sizeof platform_ids / sizeof platform_ids[0]; i++)
        if (strcasecmp(pattern, platform_ids[i].id) == 0)
            return true;
    for (size_t i = 0; i < n; i++)
        if (id_matches(&infos[i], pattern))
            return true;
    return false;
}

/* Whether the pattern of --device is a glob of, or a part of, a name or version of the device. */
static bool name_or_version_matches(const struct red_device_info *info, const char *pattern) {
    const char *const names[] = {info->platform, info->platform_version, info->name, info->version};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (fnmatch(pattern, names[i], FNM_CASEFOLD) == 0 || strcasestr(names[i], pattern) != NULL)
            return true;
    return false;
}

bool red_device_info_is_same_model(const struct red_device_info *a, const struct red_device_info *b) {
    return strcmp(a->name, b->name) == 0 && strcmp(a->driver, b->driver) == 0;
}

/* Takes --device of what reads files; all that open devices ask the next one. */
bool red_device_info_is_selected(const struct red_device_info *infos, size_t n,
                                 const struct red_device_info *info, const char *patterns) {
    if (patterns == NULL)
        return true;
    char pattern[RED_SELECT_PATTERN_BYTES];
    while (red_select_next(&patterns, pattern))
        if (is_any_known_id(infos, n, pattern) ? id_matches(info, pattern)
                                               : pattern[0] != '\0' && name_or_version_matches(info, pattern))
            return true;
    return false;
}

size_t red_device_info_select(const struct red_device_info *infos, size_t n, const char *patterns,
                              size_t *chosen, size_t chosen_max) {
    char pattern[RED_SELECT_PATTERN_BYTES];
    size_t chosen_n = 0;
    patterns = patterns != NULL ? patterns : "*";
    while (red_select_next(&patterns, pattern))
        for (size_t i = 0; i < n && chosen_n < chosen_max; i++) {
            size_t k = 0;
            while (k < chosen_n && chosen[k] != i)
                k++;
            if (k == chosen_n && red_device_info_is_selected(infos, n, &infos[i], pattern))
                chosen[chosen_n++] = i;
        }
    return chosen_n;
}

/* Called where devices are selected, before it: "unknown device ..." ends the verb. */
enum red_status red_device_info_check_patterns(const struct red_device_info *infos, size_t n,
                                               const char *patterns, bool with_host,
                                               struct red_error *error) {
    const char *names[NAMES_MAX];
    char pattern[RED_SELECT_PATTERN_BYTES];
    size_t names_n = 0;
    for (size_t i = 0; i < n && names_n + 1 < NAMES_MAX; i++)
        names[names_n++] = infos[i].id;
    if (with_host)
        names[names_n++] = "host";
    if (patterns != NULL && *patterns == '\0')
        return red_select_check("device", "", names, names_n, error);
    while (patterns != NULL && red_select_next(&patterns, pattern)) {
        bool found = false;
        for (size_t i = 0; i < n && !found; i++)
            found = red_device_info_is_selected(infos, n, &infos[i], pattern);
        if (!found && !(with_host && red_select_matches(pattern, "host")))
            return red_select_check("device", pattern, names, names_n, error);
    }
    return RED_OK;
}

/* 30 of "OpenCL 3.0 ..."; 0 for a string of another form. */
static unsigned parse_version(const char *text) {
    unsigned major, minor;
    return sscanf(text, "OpenCL %3u.%3u", &major, &minor) == 2 && minor < 10 ? 10 * major + minor : 0;
}

/* cl/device.c stores it as api_version of each device; the next function judges it. */
unsigned red_api_version(const char *platform_version, const char *device_version) {
    unsigned platform = parse_version(platform_version), device = parse_version(device_version);
    unsigned known = platform ? platform : device ? device : 10;
    return device > 0 && device < known ? device : known;
}

/* The reason of all cells of such a device (model/capability.c), and why it has no roof (cl/roof.c). */
enum red_status red_device_info_check_version(const struct red_device_info *info, struct red_error *error) {
    return info->api_version >= 12 ? RED_OK
                                   : red_fail(error, RED_E_UNSUPPORTED, "OpenCL %u.%u; 1.2 is needed",
                                              info->api_version / 10, info->api_version % 10);
}

/* Drivers that keep nothing themselves, and compile for 0.3 s in every process; from a binary it is 2 ms. By
 * name, and asked by the process that starts both sides: when each side kept what took it 0.1 s to build, the
 * one that had found PoCL's own cache cold ran from its binary, 10 to 40 % faster than the other one. */
bool red_device_compiles_anew(const struct red_device_info *info) {
    return strcmp(info->platform, "Intel(R) OpenCL") == 0;
}
