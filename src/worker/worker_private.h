/* What the files of src/worker share beside the other headers: processes (process.c), the worker client
 * (client.c) and its questions. */
#ifndef CLREDUCE_WORKER_PRIVATE_H
#define CLREDUCE_WORKER_PRIVATE_H

#include <jansson.h>
#include <stdbool.h>

#include "core/status.h"
#include "worker/client.h"

/* ---- processes -------------------------------------------------------------------------------------------
 * process.c: what a client and a worker do with the process between them. */

/* ---- the parent's side ---- */

/* Sets the device's id, which notes on stderr name; cut to 31 characters. */
void red_process_set_name(struct red_process *process, const char *name);

/* Ends it as red_process_destroy does; the next question starts another. */
void red_process_stop(struct red_process *process);

/* Begins to end it, and does not wait: several can end at the same time. red_process_stop must follow. */
void red_process_begin_closing(struct red_process *process);

/* Whether it was started, and its end was not noticed yet; a crash is noticed by the next question. */
bool red_process_is_started(const struct red_process *process);

/* Its resident memory, in bytes (Linux); 0 if it is not running. */
double red_process_memory_bytes(const struct red_process *process);

/* Ends it at once: what it says makes no sense any more. */
void red_process_kill(struct red_process *process);

/* Whether the last one that ended can be replaced without blame: somebody else has killed it (SIGKILL), the
 * system or a user; or it ended between two questions. */
bool red_process_ended_without_blame(const struct red_process *process);

/* Sends a question, whose reference it takes over; red_process_receive waits for the answer. Errors: those of
 * starting a process, RED_E_DEVICE. */
enum red_status red_process_send(struct red_process *process, json_t *question, struct red_error *error);

/* Waits for the answer to what was told last, limit_s seconds at most from the last step that the process
 * reported. `doing` says in errors what it was about: "verifying tree". The answer is an object; the caller
 * releases it. Errors: the process's own, as it worded them; RED_E_CRASHED with the signal or the exit status
 * and the driver's last words; RED_E_TIMED_OUT; RED_E_INTERRUPTED. After these three no process is there. */
enum red_status red_process_receive(struct red_process *process, double limit_s, const char *doing,
                                    json_t **answer, struct red_error *error);

/* The last report of the last question, an object with its step and what came with it; NULL: none. Borrowed
 * until the next question. */
const json_t *red_process_last_report(const struct red_process *process);

/* ---- the process's side ---- */

/* Answers one question: an object, or NULL with *error. */
typedef json_t *red_process_answer(void *context, const json_t *question, struct red_error *error);

/* Answers questions until the parent is gone, from the socket that is its standard input. Its own output,
 * which is the drivers', is for the parent alone from then on. */
void red_process_serve(red_process_answer *answer, void *context);

/* Reports from a worker to its parent what is about to be done, for its error messages: "building it";
 * with more that it may ask for if this was the last step (red_process_last_report). The object is taken
 * over.
 */
void red_process_report_step(const char *step, json_t *more);

/* ---- drivers that are left out (icd.c) ----------------------------------------------------------------- */

enum { RED_LEFT_OUT_BYTES = 2048 };

/* Writes into `text` a line for each .icd file from which the loader got nothing, with the reason: "left out:
 * /etc/OpenCL/vendors/mine.icd: libmine.so: cannot open shared object file". A worker sends these lines, and
 * the program prints them on stderr (devices; other verbs where no device was found or --device matches
 * none). Text that does not fit is left out. Loads what the loader has not, so only a process that works with
 * drivers may call it, after the loader. */
void red_icd_left_out_format(char *text, size_t text_bytes);

/* ---- clients ------------------------------------------------------------------------------------------- */

enum { RED_PROBERS_MAX = 4, RED_FAILURE_RECORDS_MAX = 256 };

/* A strategy that the driver does not survive. */
struct red_failure_record {
    const struct red_strategy *strategy;
    unsigned crashed_n, hung_n;
};

struct red_client {
    const struct red_client_program *program;
    struct red_device_info info;
    bool is_host;
    bool opening, opened; /* the worker was told to open the device; has it */
    bool crashed;         /* the last one did, or hung */
    struct red_process *worker, *probers[RED_PROBERS_MAX];
    struct red_capabilities capabilities;
    enum red_answer advertised[RED_NEEDS_N];
    bool sent[RED_NEEDS_N][RED_C_STANDARDS_N]; /* which capabilities the worker knows */
    bool has_one_prober;                       /* no other could be had */
    unsigned hung_probes_n;
    struct red_error unprobed; /* why no further capability is probed */
    unsigned killed_n;         /* processes of its that somebody else has killed */
    struct red_error lost;     /* why the device cannot be worked with any more */
    struct red_failure_record failures[RED_FAILURE_RECORDS_MAX];
    size_t failures_n;
};

/* Seconds that a question may take which is expected to take none: --patience, or 120. */
double red_patience_s(const struct red_client_program *program);

/* A plain question to a process, and its answer. */
enum red_status red_client_ask_process(struct red_process *process, json_t *question, double limit_s,
                                       const char *doing, json_t **answer, struct red_error *error);

/* Asks the device's worker, which is started if need be; takes over the question's reference. Release the
 * answer. Errors: those of red_process_receive, and why the device is lost. */
enum red_status red_client_ask(struct red_client *client, json_t *question, double limit_s, const char *doing,
                               json_t **answer, struct red_error *error);

/* The same, and reads the answer by the table into *to. `strategy` (or NULL) is blamed for a crash. A worker
 * whose answer cannot be read is ended: RED_E_CRASHED. */
struct red_field;
enum red_status red_client_ask_and_read(struct red_client *client, json_t *question, double limit_s,
                                        const char *doing, const struct red_strategy *strategy,
                                        const struct red_field *fields, void *to, struct red_error *error);

#endif
