/* A process of this program that works with drivers, so that the one that measures and decides never does:
 * it asks, the process answers. Whatever a driver does, crash, hang, abort or exit, is then an answer, too.
 */
#ifndef CLREDUCE_WORKER_PROCESS_H
#define CLREDUCE_WORKER_PROCESS_H

#include <jansson.h>
#include <stdbool.h>

#include "core/status.h"

/* ---- the parent's side ---- */

struct red_process;

/* Describes a process; nothing is started before the first question, nor again after it has ended.
 *   arguments    of the process: its program's path first, NULL at the end; kept by pointer
 *   environment  of the process, NAME=VALUE and NULL at the end, kept by pointer; NULL: that of this one
 *   unload_s     that its driver may take to unload; 0, and at most: 20
 * Release with _destroy. Errors: RED_E_MEMORY. */
enum red_status red_process_create(const char *const *arguments, const char *const *environment,
                                   double unload_s, struct red_process **process, struct red_error *error);

/* Whom notes on stderr are about; cut to 31 characters. */
void red_process_name(struct red_process *process, const char *name);

/* Ends it: who listens ends by itself, who does not within unload_s is killed. What a driver does wrong
 * at its very end is told on stderr. */
void red_process_destroy(struct red_process *process);
void red_process_stop(struct red_process *process);

/* Begins to end it, and does not wait: several can end at the same time. It must be stopped still. */
void red_process_close(struct red_process *process);

bool red_process_is_running(const struct red_process *process);

/* Its resident memory, in bytes (Linux); 0 if it is not running. */
double red_process_memory_bytes(const struct red_process *process);

/* Ends it at once: what it says makes no sense any more. */
void red_process_kill(struct red_process *process);

/* Whether the last one that ended can be replaced without blame: somebody else has killed it (SIGKILL), the
 * system or a user; or it ended between two questions. */
bool red_process_was_killed(const struct red_process *process);

/* Sends a question, whose reference it takes over; red_process_receive waits for the answer. Errors: those of
 * starting a process, RED_E_DEVICE. */
enum red_status red_process_send(struct red_process *process, json_t *question, struct red_error *error);

/* Waits for the answer to what was told last, limit_s seconds at most from the last step that the process
 * reported. `doing` says in errors what it was about: "verifying tree". The answer is an object; the caller
 * releases it. Errors: the process's own, as it worded them; RED_E_CRASHED with the signal or the exit status
 * and the driver's last words; RED_E_TIMED_OUT; RED_E_INTERRUPTED. After these three no process is there. */
enum red_status red_process_receive(struct red_process *process, double limit_s, const char *doing,
                                    json_t **answer, struct red_error *error);

/* What came with the last step of the last question, an object; NULL where nothing did. Borrowed until the
 * next question. */
const json_t *red_process_last_step(const struct red_process *process);

/* ---- the process's side ---- */

/* Answers one question: an object, or NULL with *error. */
typedef json_t *red_process_answer(void *context, const json_t *question, struct red_error *error);

/* Answers questions until the parent is gone, from the socket that is its standard input. Its own output,
 * which is the drivers', is for the parent alone from then on. */
void red_process_serve(red_process_answer *answer, void *context);

/* Reports to the parent what is about to be done, for its error messages: "building a probe"; with more that
 * it may ask for if this was the last step (red_process_last_step). The object is taken over. */
void red_process_report_step(const char *step, json_t *more);

/* What goes through the socket between a worker and who asks it: one JSON object at a time. */

/* Sends an object, whose reference it takes over (NULL is an ENOMEM). 0, or an errno. */
int red_message_send(int channel, json_t *message);

/* Waits for an object; the caller releases it. NULL where the other side is gone, or sends what is none. */
json_t *red_message_receive(int channel);

#endif
