/* A device as the program sees it that measures and decides: through a worker process of its own
 * (worker/server.c). Whatever its driver does to that process is an error of the question that was asked, and
 * so the state of one cell; the next question starts another worker. */
#ifndef CLREDUCE_WORKER_CLIENT_H
#define CLREDUCE_WORKER_CLIENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bench/shim.h"
#include "core/interrupt.h"
#include "core/status.h"
#include "model/case.h"
#include "model/catalogue.h"
#include "results/run.h"

/* ---- processes -------------------------------------------------------------------------------------------
 * A process of this program that works with drivers, so that the one that measures and decides never does: it
 * asks, the process answers. Whatever a driver does, crash, hang, abort or exit, is then an answer, too. */

struct red_process;

/* What all workers of a program have in common. */
struct red_client_program {
    const char *const *arguments;   /* of a worker: program, verb, options, NULL; kept by pointer */
    const char *const *environment; /* NAME=VALUE, NULL; kept by pointer; NULL: that of this program */
    const char
        *binaries;     /* folder for what a driver does not keep (red_device_set_binary_folder); NULL: none */
    double patience_s; /* that a question without much work may take, in seconds; 0: 120 */
    bool trusts_what_builds; /* the client's capabilities are as red_capability_trust makes them */
};

/* Describes a process of the program; nothing is started before the first question, nor again after it has
 * ended. Release with _destroy. Errors: RED_E_MEMORY. */
enum red_status red_process_create(const struct red_client_program *program, struct red_process **process,
                                   struct red_error *error);

/* Ends it: a process that does not end by itself within patience_s, 20 s at most, is killed. What a driver
 * does wrong at its very end is told on stderr. */
void red_process_destroy(struct red_process *process);

/* ---- ICD discovery ---------------------------------------------------------------------------------------
 * The drivers that the loader will load. It says nothing of one that it cannot load; icd.c does. */

/* Whether the loader's folder ($OCL_ICD_VENDORS or /etc/OpenCL/vendors) has .icd files. Loads none. */
bool red_icd_has_files(void);

/* ---- clients ---------------------------------------------------------------------------------------------
 * A client is a device with its worker. */

struct red_client;

/* Lists every device of every platform. `process` is asked, which loads the drivers, and may become the first
 * device's worker. An empty list is no error. `no_device_lines` (or NULL) gets the lines of
 * red_device_list_no_device_lines. Errors: RED_E_INPUT for a program of another version, which does not
 * understand this one; RED_E_MEMORY; RED_E_CRASHED and RED_E_TIMED_OUT where a driver did that when it was
 * loaded or asked what it has. */
enum { RED_CLIENTS_MAX = 64 };
enum red_status red_client_list_devices(const struct red_client_program *program, struct red_process *process,
                                        struct red_device_info infos[RED_CLIENTS_MAX], size_t *infos_n,
                                        char no_device_lines[RED_NO_DEVICE_LINES_BYTES],
                                        struct red_error *error);

/* Asks for the names of the strategies that the process's program knows, an array of strings; the caller
 * releases it. Errors: those of red_process_receive. */
enum red_status red_client_list_strategies(const struct red_client_program *program,
                                           struct red_process *process, json_t **names,
                                           struct red_error *error);

/* Writes which drivers the loader could not take, and why (red_icd_left_out_format), as a process of its
 * own finds out; nothing where that ends. */
void red_client_print_left_out(const struct red_client_program *program, FILE *out);

/* Makes a device known; its worker starts at the first question. `info` is copied; NULL is the host.
 * `process` (or NULL) is taken over as its worker. Release with _destroy. Errors: RED_E_MEMORY. */
enum red_status red_client_create(const struct red_client_program *program,
                                  const struct red_device_info *info, struct red_process *process,
                                  struct red_client **client, struct red_error *error);
/* The same device by another worker, which knows what is known of it by then. Release with _destroy. Errors:
 * RED_E_MEMORY. */
enum red_status red_client_create_another(const struct red_client *client, struct red_client **beside,
                                          struct red_error *error);
void red_client_destroy(struct red_client *client);

/* Begins to end its processes, and does not wait, so that those of several devices end at the same time:
 * drivers that hang in the end do so together. Nothing but red_client_destroy or
 * red_client_stop_worker may follow. */
void red_client_begin_closing(struct red_client *client);

/* What the driver says of the device, as its worker has told. */
const struct red_device_info *red_client_info(const struct red_client *client);

/* What the device can do. What is not known yet is found out when it is asked for, in processes apart from
 * the worker's. */
struct red_capabilities *red_client_capabilities(struct red_client *client);

/* What is chosen of the catalogue; all of it is borrowed. */
struct red_choice {
    const struct red_strategy *const *strategies;
    const struct red_dtype *const *types;
    const struct red_op *const *ops;
    size_t strategies_n, types_n, ops_n;
};

/* Finds out all that is unknown of the devices (no choice: NULL), of the devices at the same time, and of a
 * CPU several questions at a time; clients keep it. Of a choice: what red_client_check_support would ask for
 * groups of any size, and only of a CPU, since of others nothing is asked earlier that way. */
void red_clients_probe(struct red_client *const *clients, size_t clients_n, const struct red_choice *choice);

/* red_capability_choose_standard, of groups of this size or (0) of any: whether the device can run the
 * strategy. What is unknown is probed for it. Errors: RED_E_UNSUPPORTED, RED_E_INTERRUPTED, and why the
 * device is lost. */
enum red_status red_client_check_support(struct red_client *client, const struct red_strategy *strategy,
                                         const struct red_dtype *dtype, const struct red_op *op,
                                         size_t group_size, struct red_error *error);

/* The group size nearest to this one that the strategy can have on the device
 * (red_capability_usable_group_size); on the host this one. */
size_t red_client_nearest_group_size(struct red_client *client, const struct red_strategy *strategy,
                                     const struct red_dtype *dtype, const struct red_op *op,
                                     size_t group_size);

/* ---- questions -------------------------------------------------------------------------------------------
 * Beside what is named below they all fail with RED_E_CRASHED, RED_E_TIMED_OUT, RED_E_INTERRUPTED;
 * RED_E_DEVICE where an OpenCL call failed, or where after a crash not even a simple kernel runs any more:
 * then the device is lost, and all further questions fail with that. Jobs of strategies fail with
 * RED_E_UNSUPPORTED, RED_E_BUILD, RED_E_MEMORY; what is verified, tried or made ready, once the strategy has
 * crashed RED_CRASHES_MAX times on the device, or given no answer once, with RED_E_UNTRIED: it would do so
 * again, and each time costs a process, or minutes. `expected_s` is what the work is expected to take, in
 * seconds, beyond the program's patience: from what calls before have taken, and 0 where none has come to an
 * end. A budget is no such thing: a kernel that never ends would have ten times that. */

enum { RED_CRASHES_MAX = 3 };

/* Counts a crash or a hang of the strategy, of this run or of one that is resumed; other states count
 * nothing. _reset forgets all that were counted. */
void red_client_record_failure(struct red_client *client, const struct red_strategy *strategy,
                               enum red_state state);
void red_client_reset_failures(struct red_client *client);

/* Checks a case: red_verify_case. A wrong result is no error: *verification tells (red_case_require_right
 * makes it one). */
enum red_status red_client_verify(struct red_client *client, const struct red_case *spec, bool timed_only,
                                  double expected_s, struct red_verification *verification,
                                  struct red_error *error);

/* Calls beside what disturbs memory (cl/disturb.h). */
struct red_stress {
    bool right;                   /* all calls were */
    uint64_t calls_n;             /* the wrong one is the last */
    double took_s;                /* they, without what was made ready before */
    uint64_t stored_n, words_n;   /* different words that the disturbance stored to, of all in its scratch */
    struct red_evidence evidence; /* of the call that was wrong */
};

/* Calls a case over and over, for so many seconds or until a call is wrong, while other launches, drawn from
 * the seed, disturb memory on a queue of their own. The calls take turns with the case's arrays, so that each
 * has other data than the one before; all answers are looked at, of a scan or a histogram all results up to
 * 2^18. Where the host has no part in a call several are enqueued one behind the other, and single ones
 * between these. A wrong answer is no error: *found tells. Errors: RED_E_UNSUPPORTED where no other array can
 * take one's place. */
enum red_status red_client_stress(struct red_client *client, const struct red_case *spec, double seconds,
                                  uint64_t seed, struct red_stress *found, struct red_error *error);

/* The shortest of up to calls_max calls within limit_s, after one that is not counted. The data is restored
 * if the kernel overwrote it. Errors: RED_E_WRONG with what came instead, where all of the data is reduced,
 * or where it was overwritten. */
enum red_status red_client_time_calls(struct red_client *client, const struct red_case *spec,
                                      unsigned calls_max, double limit_s, double expected_s,
                                      double *shortest_s, struct red_error *error);

/* What a worker tells of a case that it has prepared. */
struct red_ready {
    double shortest_s, typical_s; /* of a call */
    struct red_geometry geometry;
    char standard[8]; /* of OpenCL C, "CL1.2"; empty on the host, and of a roof */
    double bytes;     /* that a call of a roof reads */
};

/* Prepares a case, which stays prepared, and calls it up to calls_max times within limit_s: CPU drivers
 * compile at the first launch. Where calls take turns with several arrays, each must come to its own answer.
 * *ready is zero after an error. Errors: RED_E_WRONG. */
enum red_status red_client_prepare(struct red_client *client, const struct red_case *spec, unsigned calls_max,
                                   double limit_s, struct red_ready *ready, struct red_error *error);

/* What is done beside a batch, untimed. */
struct red_batch_care {
    double wake_s;    /* calls before it for so long: sleeping workers of the driver wake up */
    bool check_stale; /* after it the outputs are poisoned, and one more call must come to the answer: a
                    driver that skips launches gives the old one else */
};

/* Times one batch of calls of a prepared case, by Google Benchmark (bench/shim.h), in seconds per
 * reduction, and checks its last result. Errors: RED_E_WRONG with what came. */
enum red_status red_client_batch(struct red_client *client, const struct red_case *spec, uint64_t calls_n,
                                 const struct red_batch_care *care, double expected_s,
                                 struct red_gbench_time *time, struct red_error *error);

enum { RED_TIMES_MAX = 64 };
struct red_samples {
    double s[RED_TIMES_MAX];
    size_t n;
};

/* Device times of several runs of a case, and those of each launch of them: as many gaps, of which the last
 * is 0. */
struct red_profile {
    struct red_samples runs;
    struct red_launch_samples {
        struct red_samples times, gaps;
    } launches[RED_LAUNCH_TIMES_MAX];
    size_t launches_n; /* 0: unknown */
};

/* Profiles a prepared case. Errors: those of red_plan_run_profiled. */
enum red_status red_client_profile(struct red_client *client, const struct red_case *spec, double expected_s,
                                   struct red_profile *profile, struct red_error *error);

/* Times per call, back to back, of several batches. Errors: those of red_plan_run_back_to_back; RED_E_WRONG
 * where the result of a call after them is. */
enum red_status red_client_back_to_back(struct red_client *client, const struct red_case *spec,
                                        uint64_t calls_n, double expected_s, struct red_samples *times,
                                        struct red_error *error);

/* Device times of an empty kernel. Errors: those of red_event_floor_measure. */
enum red_status red_client_event_floor(struct red_client *client, struct red_samples *times,
                                       struct red_error *error);

/* Judges the driver's event times, by up to three series of launches: what disturbs one does not disturb all.
 * Errors: those of red_clock_sample_set_take, but for missing event times, which are untrusted ones. */
enum red_status red_client_event_clock(struct red_client *client, struct red_event_clock *event_clock,
                                       struct red_error *error);

/* Batches of one case, one after the other. */
enum { RED_BATCHES_MAX = 8 };
struct red_batches {
    uint64_t told_ns, heard_ns;              /* when they were asked for, and when the answer was there */
    uint64_t stamps_ns[RED_BATCHES_MAX + 1]; /* before the first batch, and after each: the worker's readings
                                                of the same clock */
    size_t n;
};

/* Times batches_n (RED_BATCHES_MAX at most) batches of calls_n calls, and checks the last result; with
 * `check_stale` as red_batch_care has it. Errors: RED_E_WRONG with what came; RED_E_INPUT where the worker,
 * of another build, does not know the strategy. */
enum red_status red_client_batches(struct red_client *client, const struct red_case *spec, uint64_t calls_n,
                                   size_t batches_n, bool check_stale, double expected_s,
                                   struct red_batches *batches, struct red_error *error);

/* Makes cases ready on several devices at the same time, cases_n[i] of cases[i] on clients[i], and calls each
 * a few times; waits for all. What fails is not told: red_client_prepare says so of each case. Of one client
 * the first 100 are prepared. */
void red_clients_prepare(struct red_client *const *clients, const struct red_case *const *cases,
                         const size_t *cases_n, size_t clients_n);

/* The shortest of a few launches of a chain of so many steps, each of which waits for the one before, by the
 * host's clock, in seconds (red_clock_sample_take). */
enum red_status red_client_clock_sample(struct red_client *client, uint32_t steps, double *took_s,
                                        struct red_error *error);

/* Runs the i-th test of progress between groups (model/progress.h) five times, by ids or by tickets. *answer:
 * whether all of them end within limit_s; not known where there was neither an end nor a wait that was cut
 * off. A worker that waits is killed. Errors: those of building the test, and why the device is lost. */
enum red_status red_client_progress(struct red_client *client, unsigned i, bool by_ticket, double limit_s,
                                    enum red_answer *answer, struct red_error *error);

/* Whether the device drives a display (red_device_drives_display). */
enum red_status red_client_drives_display(struct red_client *client, enum red_answer *answer,
                                          struct red_error *error);

/* red_litmus_run and red_litmus_check_stress on the device, by the name of a test; `beside` chooses the tests
 * that may be built with it (red_select_matches). Errors: theirs, and what a driver did to the process. */
struct red_litmus_outcome;
struct red_litmus_stress;
enum red_status red_client_litmus(struct red_client *client, const char *test, const char *beside,
                                  uint64_t seed, double budget_s, struct red_litmus_outcome *outcome,
                                  struct red_error *error);
enum red_status red_client_litmus_stress(struct red_client *client, uint64_t seed,
                                         struct red_litmus_stress *stress, struct red_error *error);

/* red_client_stop_worker ends the worker, and starts nothing: the next question starts another, which knows
 * what there is to know. red_client_start opens the device now if it is not open, and waits;
 * red_client_begin_opening before does not wait, so that several open their devices at the same time. Errors
 * of red_client_start: those of opening the device. */
void red_client_stop_worker(struct red_client *client);
void red_client_begin_opening(struct red_client *client);
enum red_status red_client_start(struct red_client *client, struct red_error *error);

/* Releases all prepared cases, and puts the data somewhere else in memory: the next question about a case
 * prepares it anew, with the same program. */
enum red_status red_client_move_data(struct red_client *client, struct red_error *error);

/* Lets the OpenMP threads of a running worker end, so that they do not spin against another device. bench and
 * devices use it, mostly of the host's client. */
void red_client_stop_spinning(struct red_client *client);

/* Whether not even a simple kernel runs on it any more, or it could never be opened. */
bool red_client_is_lost(const struct red_client *client);

/* Ends the processes that probe capabilities, and waits; the next unknown capability starts another. */
void red_client_stop_probers(struct red_client *client);

/* What host memory the worker's process has, in bytes; 0 if there is none. verify limits it. */
double red_client_worker_memory_bytes(const struct red_client *client);

/* Lets go of all data, prepared cases and programs. Gives how many programs the worker has built so far, 0 if
 * there is none. Where a worker keeps 2 GiB even then, which is its driver's, it is replaced. */
uint64_t red_client_release_and_count_programs(struct red_client *client);

/* The drivers that bench/run puts beside the program are used (OCL_ICD_VENDORS) unless the user chose others.
 */
void red_drivers_use_beside_program(void);

/* ---- bad-driver isolation --------------------------------------------------------------------------------
 * A driver that cannot even be loaded would end every process that asks the loader for devices. Each is
 * loaded alone, and those that fail are left out by name. */

/* A folder of links to the .icd files of the good drivers; empty path: none was made. */
struct red_isolation {
    struct red_scratch folder;
    bool in_force; /* OCL_ICD_VENDORS is this folder */
    char *given;   /* what it was before; NULL: not set */
};

/* Loads each driver of the loader's folder ($OCL_ICD_VENDORS, or /etc/OpenCL/vendors) alone. If some can be
 * loaded and others not, names those on stderr and lets every later process see the good ones only
 * (OCL_ICD_VENDORS). Release with _clear, which puts back what that was. Errors: `crash`, which listing the
 * devices has met, where that does not help; RED_E_INPUT where no folder can be made. */
enum red_status red_isolate_drivers(const struct red_client_program *program, const struct red_error *crash,
                                    struct red_isolation *isolation, struct red_error *error);
void red_isolation_clear(struct red_isolation *isolation);

#endif
