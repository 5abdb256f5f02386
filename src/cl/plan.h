/* A plan: a case on a device with its program built, buffers made and arguments set. bench times red_plan_run
 * and nothing else; its parts are in cl/finish.h. */
#ifndef CLREDUCE_CL_PLAN_H
#define CLREDUCE_CL_PLAN_H

#include "cl/resident.h"
#include "host/fold.h"
#include "model/case.h"
#include "oracle/change.h"
#include "oracle/right.h"
#include "oracle/truth.h"

struct red_plan;

/* Makes a plan of the case on the resident's device, over the resident's data: of case->data only op and
 * segments_n (0: one) are looked at. Programs are built once per device and build and kept. Errors:
 * RED_E_INPUT where the case exceeds the data; RED_E_UNSUPPORTED with the reason, RED_E_BUILD with the
 * compiler's log, RED_E_MEMORY, RED_E_DEVICE. */
enum red_status red_plan_create(struct red_resident *resident, const struct red_case *spec,
                                struct red_plan **plan, struct red_error *error);
void red_plan_destroy(struct red_plan *plan);

/* What was chosen for the case, no member 0: `once` prints it, and a cell of the result keeps it. */
const struct red_geometry *red_plan_geometry(const struct red_plan *plan);
/* The OpenCL C standard the program was built for: "CL1.2". */
const char *red_plan_standard(const struct red_plan *plan);

/* Reduces once: accumulator reset, every launch, read-back, the host's fold. This is the time to answer. With
 * finish persistent a launch of an earlier run answers, if it still waits, and waits on for a later one.
 * After an error nothing of it is left running. Errors: RED_E_UNSUPPORTED where the launch is refused for its
 * group size, RED_E_DEVICE, RED_E_MEMORY. */
enum red_status red_plan_run(struct red_plan *plan, struct red_value *value, struct red_error *error);

/* Reduces as red_plan_run. With finish persistent in a launch that has just answered the same
 * request, and before and after it one for no elements: a kernel that answers from memory, or goes on with
 * what it had, is wrong then, and what it does not write is poison. The launch is given more patience where
 * others keep the processors busy. A driver that runs a kernel before its launch returns never has one that
 * answers twice. Errors: those of red_plan_run. */
enum red_status red_plan_run_in_same_launch(struct red_plan *plan, struct red_value *value,
                                            struct red_error *error);

/* What the last run of a segmented strategy left (its *value is the first of them); owned by the plan, until
 * the next run. NULL for other strategies. */
const struct red_answers *red_plan_answers(const struct red_plan *plan);

/* The partial result that is the answer of the last run of any other reduction (red_partial_answer); owned by
 * the plan. */
const struct red_partial *red_plan_partial(const struct red_plan *plan);

/* Reads n results of the last run of a scan or a histogram, from the first-th on: values of
 * red_op_result_dtype, to `to`. Errors: RED_E_DEVICE, RED_E_MEMORY. */
enum red_status red_plan_read_results(const struct red_plan *plan, uint64_t first, uint64_t n, void *to,
                                      struct red_error *error);

/* The same of a checksum of their first bytes, a multiple of 64, which the device makes: red_words_checksum.
 * False if it cannot. */
bool red_plan_find_checksum(const struct red_plan *plan, size_t bytes, uint64_t *sum);

/* The exact sum of the last run, where the strategy's finish gives one (red_strategy_is_exact), otherwise
 * NULL; owned by the plan, until the next run. Those of parts of an array are added by red_exact_merge; the
 * answer is what red_exact_round makes of it, of a mean with n as parts_n. */
const struct red_exact *red_plan_exact_sum(const struct red_plan *plan);

/* Takes another data set, which the next run reduces (cl/finish.c): of the same device, type, operation and
 * size. What an iterative solver pays for each new array is part of the run's time. Errors: RED_E_UNSUPPORTED
 * where the launches are recorded, RED_E_DEVICE. */
enum red_status red_plan_set_resident(struct red_plan *plan, const struct red_resident *resident,
                                      struct red_error *error);

/* Of --shape changed: lets the plan reduce arrays beside the data set's, which all its plans share, and
 * stores the elements of that form there before the next run, by a launch on the queue. Before the first run
 * elements must have been stored. Errors: RED_E_UNSUPPORTED where a launch waits for calls, or launches are
 * recorded; RED_E_DEVICE, RED_E_MEMORY, RED_E_BUILD. */
enum red_status red_plan_make_changeable(struct red_plan *plan, struct red_resident *resident,
                                         struct red_error *error);
enum red_status red_plan_change_elements(struct red_plan *plan, const struct red_element_form *form,
                                         struct red_error *error);

/* Ends a launch that waits for further runs: what it reads may change before the next one. */
void red_plan_end_waiting_launch(struct red_plan *plan);

/* Reduces once on the profiling queue, behind a launch that keeps the device busy until all is enqueued
 * (where the host waits between launches, the first); *device_s is the sum of COMMAND_START to COMMAND_END
 * over the kernels, *launches the same of each, if there are at most RED_LAUNCH_TIMES_MAX. One that is
 * shorter than a step of the event clock (END = START) counts as 0. Errors: those of red_plan_run;
 * RED_E_UNSUPPORTED where the finish has no event of a call, and where the driver has no event times, or none
 * that can be true (END before START, or all of them equal). */
enum red_status red_plan_run_profiled(struct red_plan *plan, double *device_s,
                                      struct red_launch_times *launches, struct red_error *error);

/* Reduces calls_n times, one call enqueued behind the other, and waits once; *call_s is the host's time by
 * calls_n. Nothing is read back or folded. It needs no event times, and hides what a single launch costs as
 * far as the device has other work. Errors: those of red_plan_run; RED_E_UNSUPPORTED where launches are
 * recorded: a command buffer must not be enqueued while it is at work (cl_khr_command_buffer). */
enum red_status red_plan_run_back_to_back(struct red_plan *plan, uint64_t calls_n, double *call_s,
                                          struct red_error *error);

/* ---- what a kernel did to its buffers: cl/resident.c ---- */

/* Fills every output buffer, the canary behind its end included, and the canary behind the counter with the
 * poison, sets the counter to zero, and what lies behind it, unless it is a state of a scan or a histogram,
 * and reads them back. Errors: RED_E_DEVICE, also
 * where the driver did not fill. */
enum red_status red_plan_poison(struct red_plan *plan, unsigned char poison, struct red_error *error);

/* What runs since the poisoning have left behind. */
struct red_canaries {
    bool out_intact;     /* the canaries behind the output buffers hold the poison, and what lies behind a
                            result in front of words of groups */
    bool counter_intact; /* so does the one behind the counter */
    uint32_t counter;    /* 0 at the first launch, and by the contract again after every launch; where groups
                            have words the first of these and the counter that is not 0 */
};

/* Ends a launch that waits, and reads the canaries and the counter back: what is broken makes the cell
 * `wrong`. `poison` is what red_plan_poison filled with. Errors: RED_E_DEVICE. */
enum red_status red_plan_read_canaries(struct red_plan *plan, unsigned char poison,
                                       struct red_canaries *canaries, struct red_error *error);

/* ---- the others ---- */

/* A plan's bare loop body, for measuring what the plan itself costs (bench/overhead.c): one launch and one
 * blocking read with nothing around them. Only for finish `host`. Errors: RED_E_DEVICE. */
enum red_status red_plan_run_bare(struct red_plan *plan, struct red_error *error);

/* ---- calls in a row ----
 * Several calls enqueued one behind the other, other data set or not, whose answers are read at once: more
 * calls in a second than by red_plan_run, which waits for each. */

enum { RED_CALLS_IN_A_ROW_MAX = 16 };

/* Whether the plan can: of a reduction to one value, which is read by a command and has no other part on the
 * host. */
bool red_plan_can_call_in_a_row(const struct red_plan *plan);

/* Enqueues the call-th such call (the first is 0), and does not wait. Errors: those of red_plan_run. */
enum red_status red_plan_enqueue_call(struct red_plan *plan, unsigned call, struct red_error *error);

/* Waits for the calls, calls_n of them, and reads the answer of each. Errors: RED_E_DEVICE. */
enum red_status red_plan_end_calls(struct red_plan *plan, unsigned calls_n, struct red_value *values,
                                   struct red_error *error);

/* Checks one strategy on one resident data set, of which it reduces all: `verify`, and `bench` before it
 * times a case (cl/case_check.c; of a file of the room `verify` it is one check). Every answer of
 * each call must pass (red_right_judge); of segments the verification's value and absolute are those of the
 * first.
 *
 * Run 1 uses the checking build (local memory is poisoned) with poisoned output buffers
 * (red_op_accumulator_poison_byte). Run 2 uses the very program that is timed with other poison, and calls
 * its plan twice, as timing does. In the exact tier their bits
 * are thereby the same. After each call the canaries behind the output buffers and the counter must hold, the
 * counter must be zero again, and the input must be unchanged, poison behind its end included; an input that
 * was changed is restored. Where the data can change (red_changes_steps_n), and for no segments, run 3 is of
 * the timed program over a copy in another buffer, through all steps of oracle/change.h. A scan is also
 * called in place, where results and elements have one size. Beyond
 * RED_VERIFY_LONG_N there is no run 1; with `timed_only` there is none at all, at half the compiling, and
 * beyond that n run 2 is one call. A wrong result is no error: *verification tells. Errors: those of
 * red_plan_create and red_plan_run. */
enum red_status red_verify_case(struct red_resident *resident, const struct red_right *right,
                                const struct red_case *spec, bool timed_only,
                                struct red_verification *verification, struct red_error *error);

#endif
