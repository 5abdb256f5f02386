#define _GNU_SOURCE /* RTLD_NOLOAD, scandir */
/* Finds drivers that the loader left out ("left out: ..."), isolates bad ones, and lists devices.
 * run/session.c, gate/side.c and cli/cmd_devices.c ask; do_X of worker/server.c answers; lines go to
 * stderr. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/text.h"
#include "worker/client.h"
#include "worker/protocol.h"
#include "worker/worker_private.h"

static const char VARIABLE[] = "OCL_ICD_VENDORS";

/* For main functions, before anything is loaded. */
void red_drivers_use_beside_program(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 32);
    if (length < 0)
        return;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return;
    snprintf(slash, 32, "/drivers/vendors");
    if (access(path, R_OK | X_OK) == 0)
        setenv(VARIABLE, path, 0);
}

/* A folder of .icd files, or one such file, which the loader reads. */
static const char *icd_path(void) {
    const char *given = getenv(VARIABLE);
    return given ? given : "/etc/OpenCL/vendors";
}

/* Appends "left out: PATH: WHY", which the user sees on stderr. */
static void add_left_out_line(const char *path, const char *why, char *text, size_t text_bytes) {
    char target[RED_PATH_BYTES]; /* what a link leads to: a folder of isolated drivers holds links */
    const char *named = realpath(path, target) != NULL ? target : path;
    size_t used = strlen(text), size = strlen(named) + strlen(why) + sizeof "left out: : \n";
    if (used + size <= text_bytes)
        snprintf(text + used, text_bytes - used, "left out: %s: %s\n", named, why);
}

/* Reads the library that an .icd file names in its first line into `library`. Gives why there is none; NULL
 * where there is one. */
static const char *read_library_or_refusal(const char *path, char *library, size_t library_bytes) {
    FILE *file = fopen(path, "r");
    library[0] = '\0';
    if (file == NULL)
        return strerror(errno);
    if (fgets(library, (int)library_bytes, file) != NULL)
        library[strcspn(library, "\r\n")] = '\0';
    fclose(file);
    return library[0] ? NULL : "it names no library; expected the path of one in its first line";
}

/* Loads the library if the loader has not. Gives why the loader got nothing from it; NULL where it was loaded
 * before. What is loaded here stays, as drivers may not stand being unloaded. */
static const char *load_library_or_refusal(const char *library) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    bool was_loaded = handle != NULL;
    if (!was_loaded)
        handle = dlopen(library, RTLD_LAZY);
    if (handle == NULL)
        return dlerror();
    if (dlsym(handle, "clGetExtensionFunctionAddress") == NULL)
        return "it is no OpenCL driver: it lacks clGetExtensionFunctionAddress";
    return was_loaded ? NULL : "it has no OpenCL platform";
}

/* Adds a line for the .icd file if the loader got nothing from it. */
static void add_line_if_left_out(const char *path, char *text, size_t text_bytes) {
    char library[RED_PATH_BYTES];
    const char *why = read_library_or_refusal(path, library, sizeof library);
    if (why == NULL)
        why = load_library_or_refusal(library);
    if (why != NULL)
        add_left_out_line(path, why, text, text_bytes);
}

static int is_icd_file(const struct dirent *entry) {
    return fnmatch("*.icd", entry->d_name, 0) == 0;
}

/* Lists the .icd files of a folder by name; the caller frees each entry and the array. How many; -1 if there
 * is none, or *entries cannot be had. */
static int scan_icd_files(const char *folder, struct dirent ***entries) {
    return scandir(folder, entries, is_icd_file, alphasort);
}

static void free_entries(struct dirent **entries, int n) {
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
}

/* Whether the variable names one .icd file in place of a folder. */
static bool is_one_icd_file(const char *path) {
    struct stat seen;
    return fnmatch("*.icd", path, 0) == 0 && stat(path, &seen) == 0 && !S_ISDIR(seen.st_mode);
}

/* run/session.c asks it: without any, "no OpenCL device found" advises to install a driver. */
bool red_icd_has_files(void) {
    struct dirent **entries = NULL;
    int n = scan_icd_files(icd_path(), &entries);
    free_entries(entries, n);
    return n > 0 || is_one_icd_file(icd_path());
}

/* do_left_out calls it in a worker; red_client_print_left_out prints the text. */
void red_icd_left_out_format(char *text, size_t text_bytes) {
    const char *from = icd_path();
    struct dirent **entries = NULL;
    text[0] = '\0';
    int n = scan_icd_files(from, &entries);
    if (is_one_icd_file(from))
        add_line_if_left_out(from, text, text_bytes);
    else if (n < 0 && errno != ENOTDIR)
        add_left_out_line(from, strerror(errno), text, text_bytes);
    for (int i = 0; i < n; i++) {
        char path[RED_PATH_BYTES];
        snprintf(path, sizeof path, "%.3800s/%.255s", from, entries[i]->d_name);
        add_line_if_left_out(path, text, text_bytes);
    }
    free_entries(entries, n);
}

/* A file in the folder that leads to the driver's. False if it cannot be made. */
static bool link_driver(const struct red_isolation *isolation, const char *from, const char *name) {
    char target[RED_PATH_BYTES], path[RED_PATH_BYTES], whole[RED_PATH_BYTES];
    snprintf(target, sizeof target, "%.3800s/%.255s", from, name);
    snprintf(path, sizeof path, "%s/%.255s", isolation->folder.path, name);
    return realpath(target, whole) != NULL && symlink(whole, path) == 0;
}

/* Removes the link that link_driver has made. */
static void unlink_driver(const struct red_isolation *isolation, const char *name) {
    char path[RED_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%.255s", isolation->folder.path, name);
    unlink(path);
}

/* Lists devices in a new process, by the drivers in OCL_ICD_VENDORS now: an error if one crashes. */
static enum red_status try_drivers(const struct red_client_program *program, struct red_error *error) {
    struct red_device_info infos[RED_CLIENTS_MAX];
    size_t infos_n;
    struct red_process *process = NULL;
    enum red_status status = red_process_create(program, &process, error);
    if (status == RED_OK)
        status = red_client_list_devices(program, process, infos, &infos_n, NULL, error);
    red_process_destroy(process);
    return status;
}

/* Restores OCL_ICD_VENDORS, so that a command that is printed later does not name the removed folder. */
void red_isolation_clear(struct red_isolation *isolation) {
    if (isolation->in_force && isolation->given != NULL)
        setenv(VARIABLE, isolation->given, 1);
    else if (isolation->in_force)
        unsetenv(VARIABLE);
    isolation->in_force = false;
    free(isolation->given);
    isolation->given = NULL;
    red_scratch_remove(&isolation->folder);
}

/* Tries each of the n entries in a folder of its own, links the good ones into the isolation's, and prints
 * which others are left out. How many are good. OCL_ICD_VENDORS is another one then. */
static int link_good_drivers(const struct red_client_program *program, const char *from,
                             struct dirent **entries, int n, struct red_isolation *isolation) {
    struct red_isolation alone = {.given = NULL};
    int good_n = 0;
    if (red_scratch_make(&alone.folder, NULL) != RED_OK)
        return 0;
    setenv(VARIABLE, alone.folder.path, 1);
    for (int i = 0; i < n; i++) {
        struct red_error error = {.text = ""};
        if (!link_driver(&alone, from, entries[i]->d_name))
            continue;
        enum red_status status = try_drivers(program, &error);
        unlink_driver(&alone, entries[i]->d_name);
        if (status == RED_OK)
            good_n += link_driver(isolation, from, entries[i]->d_name);
        else
            red_text_print(stderr, "left out: %s/%s: %s\n", from, entries[i]->d_name, error.text);
    }
    red_isolation_clear(&alone);
    return good_n;
}

/* run/session.c calls it where listing the devices has crashed or hung. */
enum red_status red_isolate_drivers(const struct red_client_program *program, const struct red_error *crash,
                                    struct red_isolation *isolation, struct red_error *error) {
    const char *given = getenv(VARIABLE);
    char from[RED_PATH_BYTES];
    struct dirent **entries = NULL;
    snprintf(from, sizeof from, "%s", icd_path());
    isolation->given = given != NULL ? strdup(given) : NULL;
    if (given != NULL && isolation->given == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the environment");
    int n = scan_icd_files(from, &entries), good_n = 0;
    if (n >= 2 && red_scratch_make(&isolation->folder, error) == RED_OK)
        good_n = link_good_drivers(program, from, entries, n, isolation);
    free_entries(entries, n);
    isolation->in_force = true;
    if (good_n > 0)
        return setenv(VARIABLE, isolation->folder.path, 1) == 0
                   ? RED_OK
                   : red_fail(error, RED_E_MEMORY, "no memory for the environment");
    red_isolation_clear(isolation);
    return red_fail(error, crash->status, "%s", crash->text);
}

/* run/session.c and gate/side.c ask all drivers for the devices from which --device selects; try_drivers
 * asks one alone, to learn whether it is left out. */
enum red_status red_client_list_devices(const struct red_client_program *program, struct red_process *process,
                                        struct red_device_info infos[RED_CLIENTS_MAX], size_t *infos_n,
                                        char no_device_lines[RED_NO_DEVICE_LINES_BYTES],
                                        struct red_error *error) {
    json_t *answer = NULL;
    enum red_status status = RED_OK;
    for (int tries = 0; tries < 3; tries++) {
        status = red_client_ask_process(process, json_pack("{s:s}", "do", "list"), red_patience_s(program),
                                        "being asked what devices there are", &answer, error);
        if (status != RED_E_CRASHED || !red_process_ended_without_blame(process))
            break;
    }
    const json_t *devices = json_object_get(answer, "devices");
    json_int_t protocol = json_integer_value(json_object_get(answer, "protocol"));
    if (status == RED_OK && protocol != RED_PROTOCOL_VERSION)
        status = red_fail(
            error, RED_E_INPUT,
            "%s is of a version that this program cannot work with (protocol %lld, not %d): build both from "
            "versions closer to each other",
            program->arguments[0], (long long)protocol, RED_PROTOCOL_VERSION);
    *infos_n = 0;
    for (size_t i = 0; i < json_array_size(devices) && *infos_n < RED_CLIENTS_MAX; i++)
        *infos_n += red_protocol_read(json_array_get(devices, i), red_device_info_fields, &infos[*infos_n]);
    const char *lines = json_string_value(json_object_get(answer, "empty"));
    if (no_device_lines != NULL)
        snprintf(no_device_lines, RED_NO_DEVICE_LINES_BYTES, "%s", lines ? lines : "");
    json_decref(answer);
    return status;
}

/* duel asks which strategies both sides have. */
enum red_status red_client_list_strategies(const struct red_client_program *program,
                                           struct red_process *process, json_t **names,
                                           struct red_error *error) {
    json_t *answer = NULL;
    enum red_status status =
        red_client_ask_process(process, json_pack("{s:s}", "do", "catalogue"), red_patience_s(program),
                               "being asked what it knows", &answer, error);
    *names = json_incref(json_object_get(answer, "strategies"));
    json_decref(answer);
    return status;
}

/* devices always calls it, other verbs where they find no device or none of that name. */
void red_client_print_left_out(const struct red_client_program *program, FILE *out) {
    struct red_process *process = NULL;
    json_t *answer = NULL;
    if (red_process_create(program, &process, NULL) != RED_OK)
        return;
    (void)red_client_ask_process(process, json_pack("{s:s}", "do", "left_out"), red_patience_s(program),
                                 "loading what the loader has not", &answer, NULL);
    const char *lines = json_string_value(json_object_get(answer, "left_out"));
    red_plain_print(out, lines ? lines : "", lines ? strlen(lines) : 0);
    json_decref(answer);
    red_process_destroy(process);
}
