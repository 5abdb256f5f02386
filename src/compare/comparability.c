/* Comparability: which differences between two runs make their times incomparable, and which of these the
 * user accepts (--across). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/two_runs.h"
#include "core/select.h"
#include "results/fields.h"

enum kind { MACHINE, DEVICE, DRIVER, VERSION, SETTINGS, KINDS_N };
static const char *const words[KINDS_N + 1] = {"machine", "device", "driver", "version", "settings", "all"};

/* Differences found so far. */
struct apart {
    bool kinds[KINDS_N];
    char *lines; /* RED_TOLD_BYTES */
};

static bool accepts(const char *across, enum kind kind) {
    return across != NULL &&
           (red_select_matches(across, words[kind]) || red_select_matches(across, words[KINDS_N]));
}

enum red_status red_comparability_check(const char *across, struct red_error *error) {
    return red_select_check("word of --across", across, words, KINDS_N + 1, error);
}

/* Adds a line unless the texts are the same. */
static void add(struct apart *apart, enum kind kind, const char *what, const char *base, const char *head) {
    if (strcmp(base, head) == 0)
        return;
    size_t used = strlen(apart->lines);
    apart->kinds[kind] = true;
    int length =
        snprintf(apart->lines + used, RED_TOLD_BYTES - used, "%s  %s: %.200s in base, %.200s in head",
                 used > 0 ? "\n" : "", what, base[0] ? base : "unknown", head[0] ? head : "unknown");
    if (used + (size_t)length >= RED_TOLD_BYTES)
        memcpy(apart->lines + RED_TOLD_BYTES - 4, "...", 4);
}

static void add_device(struct apart *apart, const struct red_device_info *base,
                       const struct red_device_info *head) {
    char what[96];
    snprintf(what, sizeof what, "device %s", base->id);
    add(apart, DEVICE, what, base->name, head->name);
    snprintf(what, sizeof what, "driver of %s", base->id);
    add(apart, DRIVER, what, base->driver, head->driver);
    snprintf(what, sizeof what, "driver of %s, platform", base->id);
    add(apart, DRIVER, what, base->platform, head->platform);
    snprintf(what, sizeof what, "driver of %s, platform version", base->id);
    add(apart, DRIVER, what, base->platform_version, head->platform_version);
}

/* Errors: RED_E_MEMORY. */
static enum red_status add_settings(struct apart *apart, const struct red_run *base,
                                    const struct red_run *head, struct red_error *error) {
    char before[32], after[32];
    char *settings[] = {red_host_settings(&base->host), red_host_settings(&head->host)};
    const bool whole = settings[0] != NULL && settings[1] != NULL;
    snprintf(before, sizeof before, "%.9g s", base->time_per_cell_s);
    snprintf(after, sizeof after, "%.9g s", head->time_per_cell_s);
    add(apart, SETTINGS, "settings, time per cell", before, after);
    add(apart, SETTINGS, "settings, processors kept awake", base->host.kept_awake ? "yes" : "no",
        head->host.kept_awake ? "yes" : "no");
    if (whole)
        add(apart, SETTINGS, "settings, environment", settings[0], settings[1]);
    free(settings[0]);
    free(settings[1]);
    return whole ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory to compare");
}

static enum red_status compare_runs(struct apart *apart, const struct red_run *base,
                                    const struct red_run *head, struct red_error *error) {
    char before[32], after[32];
    add(apart, MACHINE, "machine, name", base->host.name, head->host.name);
    add(apart, MACHINE, "machine, processor", base->host.processor, head->host.processor);
    snprintf(before, sizeof before, "%u", base->host.cores_n);
    snprintf(after, sizeof after, "%u", head->host.cores_n);
    add(apart, MACHINE, "machine, cores", before, after);
    add(apart, VERSION, "version of clreduce", base->version, head->version);
    enum red_status status = add_settings(apart, base, head, error);
    for (size_t b = 0; b < base->devices_n; b++)
        for (size_t h = 0; h < head->devices_n; h++)
            if (strcmp(base->devices[b].info.id, head->devices[h].info.id) == 0)
                add_device(apart, &base->devices[b].info, &head->devices[h].info);
    return status;
}

/* "array", "segments" whatever their number, "iterate:100": the same for all cells of a run. */
static void shape_of(const struct red_run *run, char *text, size_t text_bytes) {
    const char *shape = run->cells_n > 0 && run->cells[0].shape[0] != '\0' ? run->cells[0].shape : "array";
    bool is_segments = strncmp(shape, "segments:", 9) == 0;
    snprintf(text, text_bytes, "%.*s", is_segments ? 8 : 63, shape);
}

enum red_status red_two_runs_admit(struct red_two_runs *stored, const char *accepted,
                                   struct red_error *error) {
    const struct red_result *base = &stored->comparison.results[0], *head = &stored->comparison.results[1];
    struct apart apart = {.lines = stored->told};
    char shapes[2][64];
    bool refused = false;
    shape_of(&base->run, shapes[0], sizeof shapes[0]);
    shape_of(&head->run, shapes[1], sizeof shapes[1]);
    if (base->run.cells_n > 0 && head->run.cells_n > 0 && strcmp(shapes[0], shapes[1]) != 0)
        return red_fail(error, RED_E_INPUT,
                        "%.200s and %.200s reduce other shapes, %s and %s: times of different work are not "
                        "compared",
                        base->path, head->path, shapes[0], shapes[1]);
    enum red_status status = compare_runs(&apart, &base->run, &head->run, error);
    if (status != RED_OK)
        return status;
    for (size_t kind = 0; kind < KINDS_N; kind++) {
        size_t used = strlen(stored->across);
        if (apart.kinds[kind])
            snprintf(stored->across + used, RED_ACROSS_BYTES - used, "%s%s", used > 0 ? "," : "",
                     words[kind]);
        refused = refused || (apart.kinds[kind] && !accepts(accepted, (enum kind)kind));
    }
    return refused ? red_fail(error, RED_E_INPUT,
                              "%.200s and %.200s differ in more than the program; --across %s compares them "
                              "all the same:\n%s",
                              base->path, head->path, stored->across, stored->told)
                   : RED_OK;
}
