#define _GNU_SOURCE /* memfd_create */
/* Has the ordinary verb run for this rank's device when it is its turn on the host, and gives rank 0 what was
 * found, for the table of bench --each, verify --each and devices --each. The run is a process of its own, as
 * a user would start it: a verb that breaks breaks its rank's line of the table alone. */
#include "ranks/each.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/select.h"
#include "core/spawn.h"
#include "core/text.h"
#include "results/journal.h"
#include "results/json.h"
#include "results/result.h"
#include "results/verify_file.h"

enum { FILE_BYTES_MAX = 512 << 20, OWN_WORDS = 8 };

/* What the run of this rank reads and writes. */
struct own_run {
    char device[64], path[RED_PATH_BYTES], journal[RED_PATH_BYTES + 16];
    struct red_scratch scratch; /* which has the file where there is no --output */
    const char **words;         /* owned: the command line, and NULL */
    char *command;              /* owned: the same without --resume, as a file has it */
    int said;                   /* file in memory: what the run prints; -1: none */
};

/* ---- turns --------------------------------------------------------------------------------------------- */

/* Waits until the rank before this one on the host has had its turn. */
static void await_turn(const struct red_ranks *ranks) {
    char turn;
    if (ranks->node.rank > 0)
        ranks->mpi->receive(&ranks->node, ranks->node.rank - 1, &turn,
                            ranks->mpi->await(&ranks->node, ranks->node.rank - 1));
}

/* Gives the next rank of the host its turn, however this one's has ended. */
static void pass_turn(const struct red_ranks *ranks) {
    if (ranks->node.rank + 1 < ranks->node.size)
        ranks->mpi->send(&ranks->node, ranks->node.rank + 1, "", 1);
}

/* ---- this rank's device, files and command ------------------------------------------------------------- */

/* Takes the device whose turn it is among those that --device chooses; a worker loads the drivers. */
static enum red_status choose_device(const struct red_ranks *ranks, const struct red_each *each,
                                     struct red_each_row *row, struct red_error *error) {
    static const struct red_session_defaults defaults = {.types = NULL};
    const struct red_selection selection = {.device = each->selection->device,
                                            .patience_s = each->selection->patience_s,
                                            .program = each->selection->program,
                                            .seed = 1,
                                            .shape = {.calls_n = 1}};
    struct red_session session;
    const enum red_status status = red_session_open(&selection, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    snprintf(row->device, sizeof row->device, "host");
    if (session.devices_n > 0) {
        const struct red_device_info *info =
            red_client_info(session.devices[(size_t)ranks->node.rank % session.devices_n]);
        snprintf(row->device, sizeof row->device, "%.63s", info->id);
        snprintf(row->device_name, sizeof row->device_name, "%.127s", info->name);
        snprintf(row->driver, sizeof row->driver, "%.63s", info->driver);
    }
    red_session_close(&session);
    return RED_OK;
}

/* Names this rank's file: FILE.HOST.0 beside --output FILE, or one in a scratch folder. */
static enum red_status name_files(const struct red_ranks *ranks, const struct red_each *each,
                                  struct own_run *run, struct red_error *error) {
    enum red_status status = RED_OK;
    int length;
    if (each->output == NULL)
        status = red_scratch_make(&run->scratch, error);
    if (each->output != NULL)
        length =
            snprintf(run->path, sizeof run->path, "%s.%s.%d", each->output, ranks->host, ranks->node.rank);
    else
        length = snprintf(run->path, sizeof run->path, "%s/result.json", run->scratch.path);
    if (status == RED_OK &&
        (length >= (int)sizeof run->path || !red_journal_path(run->path, run->journal, sizeof run->journal)))
        status = red_fail(error, RED_E_INPUT, "--output %.200s... is too long for the names of ranks' files",
                          each->output);
    return status;
}

/* Makes the command line of the run, and the same as its file will have it. */
static enum red_status make_words(const struct red_each *each, struct own_run *run, struct red_error *error) {
    const char *const own[] = {"--device", run->device, "--format", "json", "--output", run->path};
    size_t n = 0, command_n = 0;
    run->words = calloc(each->words_n + OWN_WORDS + 1, sizeof *run->words);
    FILE *out = run->words != NULL ? red_memstream_open(&run->command, &command_n) : NULL;
    if (out == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a command line");
    run->words[n++] = "clreduce";
    for (size_t i = 0; i < each->words_n; i++)
        run->words[n++] = each->words[i];
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        run->words[n++] = own[i];
    fputs("clreduce", out);
    for (size_t i = 1; i < n; i++)
        red_shell_quoted_print(out, " ", run->words[i]);
    if (each->resume)
        run->words[n++] = "--resume";
    return red_memstream_close(out, &run->command)
               ? RED_OK
               : red_fail(error, RED_E_MEMORY, "no memory for a command line");
}

/* ---- the process of the run ---------------------------------------------------------------------------- */

/* Waits for the end of the run, which gets a signal that this rank gets. Gives its wait status. */
static int await_end(pid_t pid) {
    const struct timespec nap = {.tv_nsec = 10000000};
    int wait_status = 0;
    red_leftover_set_awaited_process(pid);
    for (bool told = false; waitpid(pid, &wait_status, WNOHANG) == 0; nanosleep(&nap, NULL)) {
        if (red_interrupted() && !told)
            told = kill(pid, SIGTERM) == 0;
    }
    red_leftover_set_awaited_process(0);
    return wait_status;
}

/* Copies the last line "clreduce: ..." that the run has said, without the program's name. What stood above
 * that line nobody sees; the file has it. */
static void read_reason(int said, char *reason, size_t reason_bytes) {
    static const char mark[] = "clreduce: ", above[] = "the reasons stand above",
                      in_file[] = "the file of --output has the reasons";
    char tail[8192];
    const char *found = NULL;
    red_spawn_read_tail(said, tail, sizeof tail);
    for (const char *at = strstr(tail, mark); at != NULL; at = strstr(at + 1, mark))
        if (at == tail || at[-1] == '\n' || at[-1] == '\r')
            found = at + strlen(mark);
    reason[0] = '\0';
    if (found != NULL)
        red_text_add(reason, reason_bytes, "%.*s", (int)strcspn(found, "\n"), found);
    red_text_replace_control(reason);
    char *points_above = strstr(reason, above);
    if (points_above != NULL) {
        *points_above = '\0';
        red_text_add(reason, reason_bytes, "%s", in_file);
    }
}

/* The first status of that exit status. */
static enum red_status status_of_exit(int exit_status) {
    for (int status = 0; status < RED_STATUS_N; status++)
        if (red_exit_status_of((enum red_status)status) == exit_status)
            return (enum red_status)status;
    return RED_E_CRASHED;
}

/* Starts the run, its output to a file in memory, waits for its end, and puts into the row how it ended. It
 * gets signals from here alone, once. */
static void run_process(struct own_run *run, struct red_each_row *row) {
    run->said = memfd_create("said", MFD_CLOEXEC);
    const struct red_spawn wanted = {.path = "/proc/self/exe",
                                     .arguments = run->words,
                                     .input = -1,
                                     .output = run->said,
                                     .has_errors = true,
                                     .ends_with_parent = true};
    pid_t pid = 0;
    (void)red_spawn_start(&wanted, &pid);
    const int wait_status = pid > 0 ? await_end(pid) : 0;
    if (pid > 0 && WIFEXITED(wait_status)) {
        row->status = status_of_exit(WEXITSTATUS(wait_status));
        read_reason(run->said, row->reason, sizeof row->reason);
        if (row->status != RED_OK && row->reason[0] == '\0')
            snprintf(row->reason, sizeof row->reason, "it ended with status %d, and said nothing",
                     WEXITSTATUS(wait_status));
        return;
    }
    row->status = RED_E_CRASHED;
    if (pid > 0 && WIFSIGNALED(wait_status))
        snprintf(row->reason, sizeof row->reason, "the process of its run was ended by %s",
                 red_signal_text(WTERMSIG(wait_status)).text);
    else
        snprintf(row->reason, sizeof row->reason, "clreduce could not be started again for its run");
}

/* ---- this rank's file ---------------------------------------------------------------------------------- */

/* Judges a file that was whole before this call: its process has no exit status any more. */
static void judge(const size_t counts[RED_STATES_N], struct red_each_row *row) {
    const enum red_state state = red_state_deciding_exit(counts);
    row->status = red_state_status(state);
    if (row->status != RED_OK)
        snprintf(row->reason, sizeof row->reason, "%s%s, found before; the file has the evidence",
                 red_state_name(state), red_and_more_text(counts[state] - 1).text);
}

/* The cell that has the row's answer: of a device's right ones the fastest at the largest n; NULL: none. */
static const struct red_cell *best_cell(const struct red_run *run) {
    const struct red_cell *best = NULL;
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        if (cell->state != RED_STATE_PASS || cell->samples_n == 0 || cell->banned ||
            (cell->device == 0 && run->devices_n > 1))
            continue;
        if (best == NULL || cell->at.n > best->at.n ||
            (cell->at.n == best->at.n && cell->time.median < best->time.median))
            best = cell;
    }
    return best;
}

/* Fills the row from a file of bench; the last device is that of the rank, the first its host. */
static void read_bench(const struct red_result *result, bool judges, struct red_each_row *row) {
    const struct red_run *run = &result->run;
    size_t counts[RED_STATES_N] = {0};
    for (size_t i = 0; i < run->cells_n; i++)
        counts[run->cells[i].state]++;
    counts[RED_STATE_BUILD_FAILED] = 0; /* one of ours decides nothing (cli/cmd_bench.c) */
    row->wall_s = run->wall_s;
    row->roof_bytes_per_s = run->devices_n > 0 ? run->devices[run->devices_n - 1].roof_bytes_per_s : 0;
    const struct red_cell *best = best_cell(run);
    if (best != NULL)
        snprintf(row->answer, sizeof row->answer, "%.40s %.2f us at %.20s", best->at.strategy->name,
                 1e6 * best->time.median, red_size_text(best->at.n).text);
    if (judges)
        judge(counts, row);
}

/* Fills the row from a file of verify. */
static void read_verify(const struct red_verify_file *file, bool judges, struct red_each_row *row) {
    size_t counts[RED_STATES_N] = {0}, all = 0;
    for (size_t d = 0; d < file->result.run.devices_n; d++)
        for (size_t s = 0; s < file->devices[d].strategies_n; s++)
            for (int state = 0; state < RED_STATES_N; state++)
                counts[state] += (size_t)file->devices[d].strategies[s].counts[state];
    for (int state = 0; state < RED_STATES_N; state++)
        all += state != RED_STATE_PENDING && state != RED_STATE_UNSUPPORTED ? counts[state] : 0;
    row->wall_s = file->result.run.wall_s;
    snprintf(row->answer, sizeof row->answer, "%zu right, %zu wrong, %zu other", counts[RED_STATE_PASS],
             counts[RED_STATE_WRONG], all - counts[RED_STATE_PASS] - counts[RED_STATE_WRONG]);
    if (judges)
        judge(counts, row);
}

/* Fills the row from what devices --format json writes: the host, and one device. */
static enum red_status read_devices(const char *path, const char *text, size_t text_n,
                                    struct red_each_row *row, struct red_error *error) {
    struct red_reader reader = {.path = path, .error = error};
    struct red_run_device device = {.roof_bytes = 0};
    json_t *array = red_reader_root(&reader, "list of devices", text, text_n);
    size_t behave = 0, partly = 0, unknown = 0;
    red_fields_read(&reader, json_array_get(array, json_array_size(array) - 1), red_device_fields, &device);
    json_decref(array);
    for (size_t i = 0; i < device.found_n; i++) {
        behave += device.found[i].behaves == RED_YES;
        partly += device.found[i].behaves == RED_PARTLY;
        unknown += device.found[i].behaves == RED_UNKNOWN;
    }
    row->roof_bytes_per_s = device.roof_bytes_per_s;
    if (device.found_n > 0)
        snprintf(row->answer, sizeof row->answer, "%zu of %zu capabilities", behave, device.found_n);
    if (partly > 0)
        red_text_add(row->answer, sizeof row->answer, ", %zu partly", partly);
    if (unknown > 0)
        red_text_add(row->answer, sizeof row->answer, ", %zu not known", unknown);
    red_run_device_clear(&device);
    return reader.status;
}

/* Fills what the row says of the run from the file that `clreduce VERB --output` wrote: roof, wall_s and
 * answer; and where `judges` how it ended. *command is that of the file, empty for devices. Errors:
 * RED_E_INPUT for a file that cannot be read; RED_E_MEMORY. */
static enum red_status read_file(const char *verb, const char *path, const char *text, size_t text_n,
                                 bool judges, struct red_each_row *row, char command[512],
                                 struct red_error *error) {
    enum red_status status = RED_OK;
    command[0] = '\0';
    if (strcmp(verb, "devices") == 0) {
        status = read_devices(path, text, text_n, row, error);
    } else if (strcmp(verb, "verify") == 0) {
        struct red_verify_file checks;
        status = red_verify_file_read(path, text, text_n, &checks, error);
        if (status == RED_OK) {
            read_verify(&checks, judges, row);
            red_text_add(command, 512, "%s", checks.result.run.command);
            red_verify_file_clear(&checks);
        }
    } else if (strcmp(verb, "bench") == 0) {
        struct red_result result;
        status = red_result_read(path, text, text_n, NULL, &result, error);
        if (status == RED_OK) {
            read_bench(&result, judges, row);
            red_text_add(command, 512, "%s", result.run.command);
            red_result_clear(&result);
        }
    }
    return status;
}

/* ---- what the run has left ----------------------------------------------------------------------------- */

/* Keeps an error in the row, unless the run has ended with one. */
static void keep_error(struct red_each_row *row, enum red_status status, const struct red_error *error) {
    if (status == RED_OK || row->status != RED_OK)
        return;
    row->status = status;
    red_text_add(row->reason, sizeof row->reason, "%s", error->text);
}

/* Reads this rank's file, if there is one, and what it tells. `was_there`: it was before the run. */
static enum red_status read_own_file(const struct red_each *each, const struct own_run *run, bool was_there,
                                     struct red_each_row *row, char **text, struct red_error *error) {
    char command[512];
    size_t n = 0;
    if (access(run->path, F_OK) != 0)
        return RED_OK;
    enum red_status status = red_file_read(run->path, "rank's file", FILE_BYTES_MAX, text, &n, error);
    if (status == RED_OK)
        status = read_file(each->words[0], run->path, *text, n, was_there, row, command, error);
    const size_t known_n = strlen(run->command) < 500 ? strlen(run->command) : 500;
    row->is_of_another =
        status == RED_OK && command[0] != '\0' && was_there && strncmp(command, run->command, known_n) != 0;
    if (row->is_of_another)
        status =
            red_fail(error, RED_E_INPUT,
                     "%.200s is of another command, '%.200s'; leave out --resume, or choose another --output",
                     run->path, command);
    if (status != RED_OK) {
        free(*text);
        *text = NULL;
        return status;
    }
    row->text_n = n;
    row->is_whole = access(run->journal, F_OK) != 0;
    row->was_there = was_there;
    return RED_OK;
}

/* Has the verb run for the rank's device, unless its file is whole already, and fills the row and *text. */
static void run_own(const struct red_ranks *ranks, const struct red_each *each, struct red_each_row *row,
                    struct red_each_found *found, char **text) {
    struct red_error error = {.text = ""};
    struct own_run run = {.said = -1};
    enum red_status status =
        red_interrupted() ? red_fail(&error, RED_E_INTERRUPTED, "interrupted before its turn") : RED_OK;
    if (status == RED_OK)
        status = choose_device(ranks, each, row, &error);
    snprintf(run.device, sizeof run.device, "%s", row->device);
    if (status == RED_OK)
        status = name_files(ranks, each, &run, &error);
    if (status == RED_OK)
        status = make_words(each, &run, &error);
    if (status == RED_OK) {
        const bool was_there = each->resume && access(run.path, F_OK) == 0 && access(run.journal, F_OK) != 0;
        if (!was_there)
            (void)unlink(run.path); /* of an earlier run: not this one's, whatever happens now */
        if (!was_there)
            run_process(&run, row);
        status = read_own_file(each, &run, was_there, row, text, &error);
        if (each->output != NULL && row->text_n > 0)
            snprintf(found->file, sizeof found->file, "%s", run.path);
    }
    keep_error(row, status, &error);
    if (run.said >= 0)
        close(run.said);
    red_scratch_remove(&run.scratch);
    free(run.words);
    free(run.command);
}

/* ---- all ranks ----------------------------------------------------------------------------------------- */

/* Sends this rank's file to rank 0, which gets them by rank. */
static void send_or_receive_texts(const struct red_ranks *ranks, const struct red_each_row *own,
                                  struct red_each_found *found) {
    if (ranks->world.rank > 0 && own->text_n > 0)
        ranks->mpi->send(&ranks->world, 0, found->texts[ranks->world.rank], own->text_n);
    for (size_t i = 1; ranks->world.rank == 0 && i < found->rows_n; i++) {
        if (found->rows[i].text_n == 0)
            continue;
        const size_t n = ranks->mpi->await(&ranks->world, (int)i);
        found->texts[i] = red_ranks_room(ranks, n + 1, 1); /* the ranks' own files stay, for --resume */
        ranks->mpi->receive(&ranks->world, (int)i, found->texts[i], n);
    }
}

void red_each_measure(const struct red_ranks *ranks, const struct red_each *each,
                      struct red_each_found *found) {
    const size_t rank = (size_t)ranks->world.rank, all_n = (size_t)ranks->world.size;
    struct red_each_row row = {.cores_all_n = (unsigned)sysconf(_SC_NPROCESSORS_ONLN)};
    cpu_set_t cores;
    *found = (struct red_each_found){.rows = red_ranks_room(ranks, all_n, sizeof *found->rows),
                                     .texts = red_ranks_room(ranks, all_n, sizeof *found->texts),
                                     .rows_n = all_n};
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        row.cores_n = (unsigned)CPU_COUNT(&cores);
    snprintf(row.host, sizeof row.host, "%s", ranks->host);
    red_watch_nothing(); /* workers have their own patience, and others measure for hours */
    await_turn(ranks);
    run_own(ranks, each, &row, found, &found->texts[rank]);
    pass_turn(ranks);
    ranks->mpi->barrier_asleep(&ranks->world);
    ranks->mpi->gather_first(&ranks->world, &row, sizeof row, found->rows);
    found->rows[rank] = row;
    send_or_receive_texts(ranks, &row, found);
}

void red_each_end(const struct red_ranks *ranks, struct red_each_found *found, bool keep) {
    ranks->mpi->share(&ranks->world, &keep, sizeof keep);
    char journal[RED_PATH_BYTES + 16];
    if (!keep && found->file[0] != '\0') {
        (void)unlink(found->file);
        if (red_journal_path(found->file, journal, sizeof journal))
            (void)unlink(journal);
    }
    for (size_t i = 0; i < found->rows_n; i++)
        free(found->texts[i]);
    free(found->texts);
    free(found->rows);
    *found = (struct red_each_found){.rows_n = 0};
}
