/* One side of a duel: finds its program (--base, --head), environment and kernel file, and makes a client
 * for each of its devices. `side` is one of the two in struct red_loop (gate/gate_private.h), `who` which.
 * The user sees errors ("--base: '...' is no program"); program, kernel, environment and devices stand above
 * the table, and with the version in the file of --output. */
#define _GNU_SOURCE /* pipe2, environ */
#include "gate/duel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/spawn.h"
#include "model/device_info.h"

/* ---- whether a program is a build of clreduce ---------------------------------------------------------- */

static const double VERSION_LIMIT_S = 10;

/* Reads until the end of the output, the time limit or the end of the buffer. */
static void read_output(int in, char *text, size_t text_bytes) {
    struct pollfd ready = {.fd = in, .events = POLLIN};
    double end_s = red_clock_s() + VERSION_LIMIT_S;
    size_t used = 0;
    ssize_t n = 1;
    while (n > 0 && used + 1 < text_bytes && red_clock_s() < end_s) {
        if (poll(&ready, 1, 100) <= 0)
            continue;
        n = read(in, text + used, text_bytes - 1 - used);
        used += n > 0 ? (size_t)n : 0;
    }
    text[used] = '\0';
}

/* Runs the program of --base or --head with --version, and keeps what it says: "0.1.0"; without that option
 * the version of this program. It is asked before it loads any driver, so that a failing driver and a program
 * that is not clreduce are different errors. Errors: RED_E_INPUT for what cannot be started, says something
 * else, or nothing in 10 s. */
static enum red_status ask_version(const char *given, enum red_who who, struct red_duel_side *side,
                                   struct red_error *error) {
    static const char name[] = "clreduce ";
    char text[64] = "";
    pid_t pid = 0;
    int ends[2];
    snprintf(side->version, sizeof side->version, "%s", CLREDUCE_VERSION);
    if (given == NULL)
        return RED_OK;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return red_fail(error, RED_E_MEMORY, "no pipe to %s: %s", side->path, strerror(errno));
    const char *const arguments[] = {side->path, "--version", NULL};
    const struct red_spawn wanted = {.path = side->path,
                                     .arguments = arguments,
                                     .environment = (const char *const *)side->environment,
                                     .input = -1,
                                     .output = ends[1]};
    const int code = red_spawn_start(&wanted, &pid);
    close(ends[1]);
    if (code == 0) {
        read_output(ends[0], text, sizeof text);
        kill(-pid, SIGKILL);
        (void)red_spawn_wait(pid);
    }
    close(ends[0]);
    if (code != 0)
        return red_fail(error, RED_E_INPUT, "--%s: '%s' cannot be started: %s", red_who_names[who],
                        side->path, strerror(code));
    size_t length = strcspn(text, "\n"), before = sizeof name - 1;
    if (strncmp(text, name, before) != 0 || text[length] != '\n' || length - before >= sizeof side->version)
        return red_fail(error, RED_E_INPUT,
                        "--%s: '%s' is no build of clreduce; expected one, such as build/clreduce",
                        red_who_names[who], side->path);
    snprintf(side->version, sizeof side->version, "%.*s", (int)(length - before), text + before);
    return RED_OK;
}

/* ---- one side ------------------------------------------------------------------------------------------ */

/* Finds the program of --base or --head; this program where none is given. */
static enum red_status find_program_path(const char *given, enum red_who who, struct red_duel_side *side,
                                         struct red_error *error) {
    snprintf(side->path, sizeof side->path, "%s", "/proc/self/exe");
    if (given == NULL)
        return RED_OK;
    char *path = realpath(given, NULL);
    bool good = path != NULL && access(path, X_OK) == 0 && strlen(path) < sizeof side->path;
    if (good)
        memcpy(side->path, path, strlen(path) + 1);
    free(path);
    return good ? RED_OK
                : red_fail(error, RED_E_INPUT,
                           "--%s: '%s' is no program; expected a build of clreduce, such as build/clreduce",
                           red_who_names[who], given);
}

/* Whether the entry "NAME=..." of an environment is of the variable that the setting gives. */
static bool sets_variable(const char *entry, const char *setting) {
    size_t length = strcspn(setting, "=");
    return strncmp(entry, setting, length) == 0 && entry[length] == '=';
}

/* This program's environment, in which the settings (--base-env, --head-env) replace variables of the same
 * name; NULL, which is to inherit it, without settings. */
static enum red_status make_environment(const struct red_duel_options *options, enum red_who who,
                                        struct red_duel_side *side, struct red_error *error) {
    size_t settings_n = options->environment_n[who], entries_n = 0;
    if (settings_n == 0)
        return RED_OK;
    while (environ[entries_n] != NULL)
        entries_n++;
    side->environment = calloc(entries_n + settings_n + 1, sizeof *side->environment);
    if (side->environment == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for an environment");
    size_t used = 0;
    for (size_t i = 0; i < entries_n; i++) {
        bool replaced = false;
        for (size_t s = 0; s < settings_n; s++)
            replaced = replaced || sets_variable(environ[i], options->environment[who][s]);
        if (!replaced)
            side->environment[used++] = environ[i];
    }
    for (size_t s = 0; s < settings_n; s++)
        side->environment[used++] = (char *)(uintptr_t)options->environment[who][s];
    return RED_OK;
}

/* Makes the catalogue of a side: the strategies of this program and the kernel file, if one is given, whose
 * strategy becomes side->kernel. */
static enum red_status make_catalogue(const char *kernel_path, struct red_duel_side *side,
                                      struct red_error *error) {
    enum red_status status = red_catalogue_create(&side->catalogue, error);
    if (status == RED_OK && kernel_path != NULL)
        status = red_catalogue_add_file(side->catalogue, kernel_path, true, error);
    for (size_t i = 0; status == RED_OK && i < red_catalogue_n(side->catalogue); i++)
        if (side->kernel == NULL && /* the file's own strategy stands before its variants */
            red_catalogue_is_added(side->catalogue, red_catalogue_get(side->catalogue, i)))
            side->kernel = red_catalogue_get(side->catalogue, i);
    return status;
}

/* Runs a worker of the side's program, and keeps the devices and the strategies that it tells. */
static enum red_status ask_devices_and_strategies(enum red_who who, struct red_duel_side *side,
                                                  struct red_error *error) {
    struct red_process *process = NULL;
    struct red_error found = {.text = ""};
    enum red_status status = red_process_create(&side->program, &process, error);
    if (status == RED_OK) {
        status = red_client_list_devices(&side->program, process, side->infos, &side->infos_n, NULL, &found);
        if (status == RED_OK)
            status = red_client_list_strategies(&side->program, process, &side->strategies, &found);
        if (status != RED_OK)
            red_fail(error, status, "%s: %.3800s", red_who_names[who], found.text);
    }
    red_process_destroy(process);
    if (status == RED_OK && side->infos_n == 0)
        status = red_fail(error, RED_E_NO_DEVICE, "%s: no OpenCL device found; clreduce devices says more",
                          red_who_names[who]);
    return status;
}

enum red_status red_duel_side_open(const struct red_selection *selection,
                                   const struct red_duel_options *options, enum red_who who,
                                   struct red_duel_side *side, struct red_error *error) {
    const char *kernel = options->side_kernel[who];
    *side = (struct red_duel_side){.arguments = {side->path, "worker", kernel ? "--kernel" : NULL, kernel}};
    enum red_status status = find_program_path(options->side_program[who], who, side, error);
    if (status == RED_OK)
        status = make_environment(options, who, side, error);
    if (status == RED_OK)
        status = ask_version(options->side_program[who], who, side, error);
    if (status == RED_OK)
        status = make_catalogue(kernel, side, error);
    if (status == RED_OK)
        status = red_scratch_make(&side->binaries, error);
    side->program = (struct red_client_program){.arguments = side->arguments,
                                                .environment = (const char *const *)side->environment,
                                                .binaries = side->binaries.path,
                                                .patience_s = selection->patience_s};
    if (status == RED_OK)
        status = ask_devices_and_strategies(who, side, error);
    if (status != RED_OK)
        red_duel_side_close(side);
    return status;
}

void red_duel_side_close(struct red_duel_side *side) {
    for (size_t i = 0; i < side->clients_n; i++)
        red_client_begin_closing(side->clients[i]);
    for (size_t i = 0; i < side->clients_n; i++)
        red_client_destroy(side->clients[i]);
    red_catalogue_destroy(side->catalogue);
    red_scratch_remove(&side->binaries);
    json_decref(side->strategies);
    free(side->environment);
    *side = (struct red_duel_side){.path = ""};
}

/* ---- devices ------------------------------------------------------------------------------------------- */

struct chosen_devices {
    const struct red_device_info *infos[RED_DUEL_DEVICES_MAX];
    size_t n;
};

/* Finds the devices of a side that --base-device or --head-device choose, or else --device, in its order: so
 * they face each other. */
static enum red_status select_devices(const struct red_selection *selection,
                                      const struct red_duel_options *options, enum red_who who,
                                      const struct red_duel_side *side, struct chosen_devices *chosen,
                                      struct red_error *error) {
    const char *own = options->side_device[who], *patterns = own ? own : selection->device;
    struct red_error found = {.text = ""};
    size_t places[RED_DUEL_DEVICES_MAX];
    if (red_device_info_check_patterns(side->infos, side->infos_n, patterns, false, &found) != RED_OK)
        return red_fail(error, found.status, "%s: %.3800s", red_who_names[who], found.text);
    chosen->n = red_device_info_select(side->infos, side->infos_n, patterns, places, RED_DUEL_DEVICES_MAX);
    for (size_t i = 0; i < chosen->n; i++)
        chosen->infos[i] = &side->infos[places[i]];
    return RED_OK;
}

/* Orders the head's devices as those of the base. Without --base-device and --head-device the two sides must
 * have devices of the same ids. */
static enum red_status order_head_by_base_ids(const struct chosen_devices *base, struct chosen_devices *head,
                                              struct red_error *error) {
    struct chosen_devices ordered = {.n = 0};
    for (size_t i = 0; i < base->n; i++)
        for (size_t j = 0; j < head->n; j++)
            if (strcmp(base->infos[i]->id, head->infos[j]->id) == 0)
                ordered.infos[ordered.n++] = head->infos[j];
    if (ordered.n != base->n || ordered.n != head->n)
        return red_fail(error, RED_E_INPUT,
                        "base and head have different devices (%s, ...; %s, ...): choose with --device, or "
                        "pair them with --base-device and --head-device",
                        base->infos[0]->id, head->infos[0]->id);
    *head = ordered;
    return RED_OK;
}

enum red_status red_duel_sides_make_matched_clients(const struct red_selection *selection,
                                                    const struct red_duel_options *options,
                                                    struct red_duel_side sides[RED_WHO_N],
                                                    struct red_error *error) {
    struct chosen_devices chosen[RED_WHO_N];
    enum red_status status = RED_OK;
    for (int who = 0; who < RED_WHO_N && status == RED_OK; who++)
        status = select_devices(selection, options, (enum red_who)who, &sides[who], &chosen[who], error);
    if (status == RED_OK && options->side_device[RED_BASE] == NULL && options->side_device[RED_HEAD] == NULL)
        status = order_head_by_base_ids(&chosen[RED_BASE], &chosen[RED_HEAD], error);
    if (status == RED_OK && chosen[RED_BASE].n != chosen[RED_HEAD].n)
        status = red_fail(error, RED_E_INPUT,
                          "%zu devices of the base face %zu of the head: choose as many of each",
                          chosen[RED_BASE].n, chosen[RED_HEAD].n);
    for (size_t i = 0; status == RED_OK && i < chosen[RED_BASE].n; i++)
        for (int who = 0; who < RED_WHO_N && status == RED_OK; who++) {
            struct red_duel_side *side = &sides[who];
            status = red_client_create(&side->program, chosen[who].infos[i], NULL, &side->clients[i], error);
            side->clients_n += side->clients[i] != NULL;
        }
    return status;
}

/* Where it fails so do the cells of the process pair. */
enum red_status red_duel_sides_restart(struct red_duel_side sides[RED_WHO_N], size_t device,
                                       enum red_who first, enum red_who *failed, struct red_error *error) {
    const enum red_who order[] = {first, first == RED_BASE ? RED_HEAD : RED_BASE};
    enum red_status status = RED_OK;
    for (int who = 0; who < RED_WHO_N; who++)
        red_client_begin_closing(sides[who].clients[device]);
    for (int who = 0; who < RED_WHO_N; who++)
        red_client_stop_worker(sides[who].clients[device]);
    for (size_t i = 0; i < RED_WHO_N; i++)
        red_client_begin_opening(sides[order[i]].clients[device]);
    for (size_t i = 0; i < RED_WHO_N && status == RED_OK; i++) {
        *failed = order[i];
        status = red_client_start(sides[order[i]].clients[device], error);
    }
    return status;
}
