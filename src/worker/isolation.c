#define _GNU_SOURCE /* realpath, setenv */
#include "worker/isolation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/text.h"
#include "worker/icd.h"

static const char VARIABLE[] = "OCL_ICD_VENDORS";

/* A file in the folder that leads to the driver's. False if it cannot be made. */
static bool link_make(const struct red_isolation *isolation, const char *from, const char *name) {
    char target[RED_PATH_BYTES], path[RED_PATH_BYTES], whole[RED_PATH_BYTES];
    snprintf(target, sizeof target, "%.3800s/%.255s", from, name);
    snprintf(path, sizeof path, "%s/%.255s", isolation->folder.path, name);
    return realpath(target, whole) != NULL && symlink(whole, path) == 0;
}

static void link_remove(const struct red_isolation *isolation, const char *name) {
    char path[RED_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%.255s", isolation->folder.path, name);
    unlink(path);
}

/* Loads what the folder holds right now. */
static enum red_status try_folder(const struct red_client_program *program, struct red_error *error) {
    struct red_device_info infos[RED_CLIENTS_MAX];
    size_t infos_n;
    struct red_process *process = NULL;
    enum red_status status =
        red_process_create(program->arguments, program->environment, program->patience_s, &process, error);
    if (status == RED_OK)
        status = red_client_list(program, process, infos, &infos_n, NULL, error);
    red_process_destroy(process);
    return status;
}

/* A command that is printed later must not name a folder that is gone. */
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

/* Tries each of the n entries in a folder of its own, and links the good ones into the isolation's. How many
 * those are. */
static int isolate_entries(const struct red_client_program *program, const char *from,
                           struct dirent **entries, int n, struct red_isolation *isolation) {
    struct red_isolation alone = {.given = NULL};
    int good_n = 0;
    if (red_scratch_make(&alone.folder, NULL) != RED_OK)
        return 0;
    setenv(VARIABLE, alone.folder.path, 1);
    for (int i = 0; i < n; i++) {
        struct red_error error = {.text = ""};
        if (!link_make(&alone, from, entries[i]->d_name))
            continue;
        enum red_status status = try_folder(program, &error);
        link_remove(&alone, entries[i]->d_name);
        if (status == RED_OK)
            good_n += link_make(isolation, from, entries[i]->d_name);
        else
            red_text_print(stderr, "left out: %s/%s: %s\n", from, entries[i]->d_name, error.text);
    }
    red_isolation_clear(&alone);
    return good_n;
}

enum red_status red_isolate_drivers(const struct red_client_program *program, const struct red_error *found,
                                    struct red_isolation *isolation, struct red_error *error) {
    const char *given = getenv(VARIABLE);
    char from[RED_PATH_BYTES];
    struct dirent **entries = NULL;
    snprintf(from, sizeof from, "%s", red_icd_path());
    isolation->given = given != NULL ? strdup(given) : NULL;
    if (given != NULL && isolation->given == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the environment");
    int n = red_icd_scan(from, &entries), good_n = 0;
    if (n >= 2 && red_scratch_make(&isolation->folder, error) == RED_OK)
        good_n = isolate_entries(program, from, entries, n, isolation);
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    isolation->in_force = true;
    if (good_n > 0)
        return setenv(VARIABLE, isolation->folder.path, 1) == 0
                   ? RED_OK
                   : red_fail(error, RED_E_MEMORY, "no memory for the environment");
    red_isolation_clear(isolation);
    return red_fail(error, found->status, "%s", found->text);
}
