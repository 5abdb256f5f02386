#define _DEFAULT_SOURCE /* realpath */
#include "bench/duelist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/program.h"
#include "device/choose.h"

extern char **environ;

/* ---- one side --------------------------------------------------------------------------------------------
 */

static enum red_status find_program(const char *given, enum red_who who, struct red_duelist *duelist,
                                    struct red_error *error) {
    snprintf(duelist->path, sizeof duelist->path, "%s", "/proc/self/exe");
    if (given == NULL)
        return RED_OK;
    char *path = realpath(given, NULL);
    bool good = path != NULL && access(path, X_OK) == 0 && strlen(path) < sizeof duelist->path;
    if (good)
        memcpy(duelist->path, path, strlen(path) + 1);
    free(path);
    return good ? RED_OK
                : red_fail(error, RED_E_INPUT,
                           "--%s: '%s' is no program; expected a build of clreduce, such as build/clreduce",
                           red_who_names[who], given);
}

static bool is_named(const char *entry, const char *setting) {
    size_t length = strcspn(setting, "=");
    return strncmp(entry, setting, length) == 0 && entry[length] == '=';
}

/* This program's environment with the settings in place of what they name. */
static enum red_status make_environment(const struct red_options *options, enum red_who who,
                                        struct red_duelist *duelist, struct red_error *error) {
    size_t settings_n = options->environment_n[who], entries_n = 0;
    if (settings_n == 0)
        return RED_OK;
    while (environ[entries_n] != NULL)
        entries_n++;
    duelist->environment = calloc(entries_n + settings_n + 1, sizeof *duelist->environment);
    if (duelist->environment == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for an environment");
    size_t used = 0;
    for (size_t i = 0; i < entries_n; i++) {
        bool replaced = false;
        for (size_t s = 0; s < settings_n; s++)
            replaced = replaced || is_named(environ[i], options->environment[who][s]);
        if (!replaced)
            duelist->environment[used++] = environ[i];
    }
    for (size_t s = 0; s < settings_n; s++)
        duelist->environment[used++] = (char *)(uintptr_t)options->environment[who][s];
    return RED_OK;
}

/* Before its drivers are asked: a driver that fails is another trouble than a program that is none of ours.
 */
static enum red_status find_version(const char *given, enum red_who who, struct red_duelist *duelist,
                                    struct red_error *error) {
    char option[16];
    snprintf(option, sizeof option, "--%s", red_who_names[who]);
    snprintf(duelist->version, sizeof duelist->version, "%s", CLREDUCE_VERSION);
    return given == NULL ? RED_OK
                         : red_program_version(option, duelist->path, duelist->environment, duelist->version,
                                               sizeof duelist->version, error);
}

static enum red_status find_kernel(const char *path, struct red_duelist *duelist, struct red_error *error) {
    enum red_status status = red_catalogue_create(&duelist->catalogue, error);
    if (status == RED_OK && path != NULL)
        status = red_catalogue_add_file(duelist->catalogue, path, true, error);
    for (size_t i = 0; status == RED_OK && i < red_catalogue_n(duelist->catalogue); i++)
        if (duelist->kernel == NULL && /* the file's own strategy stands before its variants */
            red_catalogue_is_added(duelist->catalogue, red_catalogue_get(duelist->catalogue, i)))
            duelist->kernel = red_catalogue_get(duelist->catalogue, i);
    return status;
}

/* What the side has to fight with and for. */
static enum red_status ask_program(enum red_who who, struct red_duelist *duelist, struct red_error *error) {
    struct red_child *child = NULL;
    struct red_error found = {.text = ""};
    enum red_status status = red_child_create(duelist->arguments, duelist->program.environment,
                                              duelist->program.patience_s, &child, error);
    if (status == RED_OK) {
        status = red_remote_list(&duelist->program, child, duelist->infos, &duelist->infos_n, NULL, &found);
        if (status == RED_OK)
            status = red_remote_catalogue(&duelist->program, child, &duelist->strategies, &found);
        if (status != RED_OK)
            red_fail(error, status, "%s: %.3800s", red_who_names[who], found.text);
    }
    red_child_destroy(child);
    if (status == RED_OK && duelist->infos_n == 0)
        status = red_fail(error, RED_E_NO_DEVICE, "%s: no OpenCL device found; clreduce devices says more",
                          red_who_names[who]);
    return status;
}

enum red_status red_duelist_open(const struct red_options *options, enum red_who who,
                                 struct red_duelist *duelist, struct red_error *error) {
    const char *kernel = options->side_kernel[who];
    size_t n = 0;
    *duelist = (struct red_duelist){.path = ""};
    enum red_status status = find_program(options->side_program[who], who, duelist, error);
    if (status == RED_OK)
        status = make_environment(options, who, duelist, error);
    if (status == RED_OK)
        status = find_version(options->side_program[who], who, duelist, error);
    if (status == RED_OK)
        status = find_kernel(kernel, duelist, error);
    if (status == RED_OK)
        status = red_scratch_make(&duelist->binaries, error);
    duelist->arguments[n++] = duelist->path;
    duelist->arguments[n++] = "worker";
    if (kernel != NULL) {
        duelist->arguments[n++] = "--kernel";
        duelist->arguments[n++] = kernel;
    }
    duelist->program = (struct red_remote_program){.arguments = duelist->arguments,
                                                   .environment = (const char *const *)duelist->environment,
                                                   .binaries = duelist->binaries.path,
                                                   .patience_s = options->patience_s};
    if (status == RED_OK)
        status = ask_program(who, duelist, error);
    if (status != RED_OK)
        red_duelist_close(duelist);
    return status;
}

void red_duelist_close(struct red_duelist *duelist) {
    for (size_t i = 0; i < duelist->remotes_n; i++)
        red_remote_hang_up(duelist->remotes[i]);
    for (size_t i = 0; i < duelist->remotes_n; i++)
        red_remote_destroy(duelist->remotes[i]);
    red_catalogue_destroy(duelist->catalogue);
    red_scratch_remove(&duelist->binaries);
    json_decref(duelist->strategies);
    duelist->strategies = NULL;
    free(duelist->environment);
    duelist->remotes_n = 0;
    duelist->catalogue = NULL;
    duelist->environment = NULL;
}

const char *red_duelist_strategy(const struct red_duelist *duelist, size_t i) {
    const char *name = json_string_value(json_array_get(duelist->strategies, i));
    return i < json_array_size(duelist->strategies) && name == NULL ? "" : name;
}

/* ---- pairs -----------------------------------------------------------------------------------------------
 */

struct selection {
    const struct red_device_info *infos[RED_DUEL_DEVICES_MAX];
    size_t n;
};

static enum red_status select_devices(const struct red_options *options, enum red_who who,
                                      const struct red_duelist *duelist, struct selection *selection,
                                      struct red_error *error) {
    const char *own = options->side_device[who], *patterns = own ? own : options->device;
    struct red_error found = {.text = ""};
    selection->n = 0;
    if (red_device_info_check_patterns(duelist->infos, duelist->infos_n, patterns, false, &found) != RED_OK)
        return red_fail(error, found.status, "%s: %.3800s", red_who_names[who], found.text);
    for (size_t i = 0; i < duelist->infos_n && selection->n < RED_DUEL_DEVICES_MAX; i++)
        if (red_device_info_selected(duelist->infos, duelist->infos_n, i, patterns))
            selection->infos[selection->n++] = &duelist->infos[i];
    return RED_OK;
}

/* Where nobody said which device of the base faces which of the head, ids must be the same. */
static enum red_status order_by_ids(const struct selection *base, struct selection *head,
                                    struct red_error *error) {
    struct selection ordered = {.n = 0};
    for (size_t i = 0; i < base->n; i++)
        for (size_t j = 0; j < head->n; j++)
            if (strcmp(base->infos[i]->id, head->infos[j]->id) == 0)
                ordered.infos[ordered.n++] = head->infos[j];
    if (ordered.n != base->n || ordered.n != head->n)
        return red_fail(error, RED_E_INPUT,
                        "base and head have different devices (%s, ...; %s, ...): choose with --device, or "
                        "pair them with "
                        "--base-device and --head-device",
                        base->infos[0]->id, head->infos[0]->id);
    *head = ordered;
    return RED_OK;
}

enum red_status red_duelists_pair(const struct red_options *options, struct red_duelist duelists[RED_WHO_N],
                                  struct red_error *error) {
    struct selection selections[RED_WHO_N];
    enum red_status status = RED_OK;
    for (int who = 0; who < RED_WHO_N && status == RED_OK; who++)
        status = select_devices(options, (enum red_who)who, &duelists[who], &selections[who], error);
    if (status == RED_OK && options->side_device[RED_BASE] == NULL && options->side_device[RED_HEAD] == NULL)
        status = order_by_ids(&selections[RED_BASE], &selections[RED_HEAD], error);
    if (status == RED_OK && selections[RED_BASE].n != selections[RED_HEAD].n)
        status = red_fail(error, RED_E_INPUT,
                          "%zu devices of the base face %zu of the head: choose as many of each",
                          selections[RED_BASE].n, selections[RED_HEAD].n);
    for (size_t i = 0; status == RED_OK && i < selections[RED_BASE].n; i++)
        for (int who = 0; who < RED_WHO_N && status == RED_OK; who++) {
            struct red_duelist *duelist = &duelists[who];
            status = red_remote_create(&duelist->program, selections[who].infos[i], NULL,
                                       &duelist->remotes[i], error);
            duelist->remotes_n += duelist->remotes[i] != NULL;
        }
    return status;
}

enum red_status red_duelists_launch(struct red_duelist duelists[RED_WHO_N], size_t device, enum red_who first,
                                    enum red_who *failed, struct red_error *error) {
    const enum red_who order[] = {first, first == RED_BASE ? RED_HEAD : RED_BASE};
    enum red_status status = RED_OK;
    for (int who = 0; who < RED_WHO_N; who++)
        red_remote_hang_up(duelists[who].remotes[device]);
    for (int who = 0; who < RED_WHO_N; who++)
        red_remote_restart(duelists[who].remotes[device]);
    for (size_t i = 0; i < RED_WHO_N; i++)
        red_remote_begin(duelists[order[i]].remotes[device]);
    for (size_t i = 0; i < RED_WHO_N && status == RED_OK; i++) {
        *failed = order[i];
        status = red_remote_start(duelists[order[i]].remotes[device], error);
    }
    return status;
}
