/* Checks one case on one data set in up to three runs, with poisoned buffers and with data that changes.
 * Asked for by worker/prepared.c, for the question `verify` of verify, bench and duel; what is wrong first
 * is the evidence, the reason of a `wrong` cell. Of right ones the user sees "accuracy" in the JSON of bench,
 * and the tables of --accuracy and --special. `check` is red_verify_case's. */
#include "cl/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "cl/finish.h"
#include "core/clock.h"
#include "core/random.h"
#include "model/primitive.h"

/* Run 1 is of the checking build. Run 2 is of the program that is timed, and calls its plan twice: what one
 * call leaves behind (a counter, old partial results) meets the next. */
struct verified_call {
    const char *name;
    struct red_judged judged;
    uint64_t bits; /* of all answers */
    double wall_s;
    struct red_canaries canaries;
    bool input_intact;
};

/* Which of the calls are made: those from the first to before the end. */
struct call_range {
    unsigned first, end;
};

/* Behind the calls of runs 1 and 2 a scan has one in place. */
enum { CALLS_N = RED_VERIFY_CALLS + 1, CALL_IN_PLACE = RED_VERIFY_CALLS };

struct case_check {
    struct red_resident *resident;
    struct red_right right;
    void *room;   /* for all results; NULL where the answer is no array */
    double chain; /* of additions, by which errors are bounded; NAN: no plan has told its geometry yet; 0 of
                     changed data, which are of the exact tier */
    const uint64_t *bits; /* those that every call must have; NULL where they may vary, or data change */
    struct verified_call calls[CALLS_N];
};

/* Compares what the plan left, whose value is known, with what is right, and writes that to the call. */
static enum red_status judge_call(const struct case_check *check, const struct red_plan *plan,
                                  struct red_value value, struct verified_call *call,
                                  struct red_error *error) {
    const struct red_got got = {.value = value, .answers = red_plan_answers(plan), .results = check->room};
    enum red_status status = RED_OK;
    if (check->room != NULL)
        status = red_plan_read_results(plan, 0, red_results_n(plan->op, plan->n, plan->bins_n), check->room,
                                       error);
    if (status != RED_OK)
        return status;
    call->judged = red_right_judge(&check->right, check->chain, &got);
    call->bits = red_got_bits(&check->right, &got);
    return RED_OK;
}

/* Runs the plan once, and writes to the call its answer with the verdict, and what it did to its buffers, in
 * which `poison` stood; input that it has changed is restored. */
static enum red_status call_and_judge(const struct case_check *check, struct red_plan *plan,
                                      unsigned char poison, bool again, struct verified_call *call,
                                      struct red_error *error) {
    const double start_s = red_clock_s();
    struct red_value value;
    enum red_status status = (again ? red_plan_run_in_same_launch : red_plan_run)(plan, &value, error);
    call->wall_s = red_clock_s() - start_s;
    if (status == RED_OK)
        status = red_plan_read_canaries(plan, poison, &call->canaries, error);
    /* After every call, since a change may undo itself; and after a failed one, since others use the data. */
    enum red_status kept = red_resident_check_and_restore(check->resident, status == RED_OK ? error : NULL);
    call->input_intact = kept != RED_E_WRONG;
    if (status == RED_OK && call->input_intact)
        status = kept;
    return status == RED_OK ? judge_call(check, plan, value, call, error) : status;
}

/* Makes a plan with buffers full of the poison, calls it so many times, and destroys it. */
static enum red_status make_plan_and_calls(struct case_check *check, const struct red_case *spec,
                                           unsigned char poison, struct verified_call *calls,
                                           unsigned calls_n, struct red_error *error) {
    struct red_plan *plan = NULL;
    enum red_status status = red_plan_create(check->resident, spec, &plan, error);
    if (status == RED_OK && isnan(check->chain)) /* all plans of a case have one geometry */
        check->chain = red_bound_chain_of_data(spec->strategy, red_plan_geometry(plan),
                                               check->resident->input, check->right.truth);
    if (status == RED_OK)
        status = red_plan_poison(plan, poison, error);
    for (unsigned i = 0; i < calls_n && status == RED_OK; i++) {
        /* What the call before has left in results and carries must not pass for this one's. */
        if (i > 0 && check->room != NULL)
            status = red_plan_poison(plan, poison, error);
        if (status == RED_OK)
            status = call_and_judge(check, plan, poison, i > 0, &calls[i], error);
    }
    red_plan_destroy(plan);
    return status;
}

/* What is wrong with a call, most telling first; `none` of one that is right. */
static enum red_fault fault_of_call(const struct case_check *check, const struct verified_call *call) {
    const struct red_canaries *canaries = &call->canaries;
    return !call->input_intact                                 ? RED_FAULT_INPUT
           : !canaries->out_intact                             ? RED_FAULT_OUT
           : !canaries->counter_intact                         ? RED_FAULT_BEHIND
           : canaries->counter != 0                            ? RED_FAULT_COUNTER
           : !call->judged.correctness.right                   ? RED_FAULT_ANSWER
           : check->bits != NULL && call->bits != *check->bits ? RED_FAULT_BITS
                                                               : RED_FAULT_NONE;
}

/* Fills the evidence with what is wrong with a call: the user sees it as "data=...: expected ..., got ...",
 * and in the file of verify --output. */
static void find_evidence(const struct case_check *check, const struct verified_call *call,
                          struct red_evidence *evidence) {
    const struct red_input *input = check->resident->input;
    red_right_find_evidence(&check->right, check->chain, &call->judged, evidence);
    evidence->fault = fault_of_call(check, call);
    evidence->counter = call->canaries.counter;
    red_data_kind_format(input->data_kind, input->op, input->dtype, check->right.truth->n, evidence->data,
                         sizeof evidence->data);
    snprintf(evidence->run, sizeof evidence->run, "%s", call->name);
}

/* The byte that does most harm to this operation and type if it is taken for data; `other`: the one for a
 * second poisoning. */
static unsigned char poison_of(const struct red_truth *truth, bool other) {
    return red_op_accumulator_poison_byte(truth->op, truth->dtype, other);
}

static const struct verified_call calls_made[CALLS_N] = {
    {.name = "run 1"}, {.name = "run 2"}, {.name = "run 2, second call"}, {.name = "in place"}};

/* Whether the error of one answer is larger, as a share of its bound, than that of another. */
static bool errs_more(const struct red_correctness *one, const struct red_correctness *other) {
    return one->share > other->share || (one->share == other->share && one->error > other->error);
}

/* Sums up the calls that were made; worker/prepared.c passes it on, and `verify` and `bench` show it. */
static void summarize_calls(const struct case_check *check, struct call_range range,
                            struct red_verification *verification) {
    const struct verified_call *calls = check->calls;
    const struct red_correctness *worst = &calls[range.first].judged.correctness;
    for (unsigned i = range.first; i < range.end; i++)
        if (errs_more(&calls[i].judged.correctness, worst))
            worst = &calls[i].judged.correctness;
    *verification = (struct red_verification){
        .value = calls[range.end - 1].judged.value,
        .right = true,
        .same_bits = true,
        .error = worst->error,
        .bound = worst->bound,
        .absolute = red_right_result_truth(&check->right, worst->place).absolute,
        .place = worst->place,
        .call_s = calls[range.first].wall_s,
    };
    for (unsigned i = range.first; i < range.end; i++) {
        verification->same_bits = verification->same_bits && calls[i].bits == calls[range.first].bits;
        verification->call_s = fmin(verification->call_s, calls[i].wall_s);
        if (verification->right && fault_of_call(check, &calls[i]) != RED_FAULT_NONE) {
            verification->right = false;
            find_evidence(check, &calls[i], &verification->evidence);
        }
    }
}

/* Makes the calls of runs 1 and 2, and sums them up in the verification. Run 1 is call 0. */
static enum red_status make_and_summarize_calls(struct call_range range, struct case_check *check,
                                                const struct red_case *spec,
                                                struct red_verification *verification,
                                                struct red_error *error) {
    const struct red_truth *truth = check->right.truth;
    struct red_case checking = *spec, timed = *spec;
    enum red_status status = RED_OK;
    memcpy(check->calls, calls_made, sizeof calls_made);
    check->bits = spec->strategy->order == RED_STRATEGY_ORDER_FIXED ? &check->calls[range.first].bits : NULL;
    checking.poison_local = true;
    timed.poison_local = false;
    if (range.first == 0)
        status = make_plan_and_calls(check, &checking, poison_of(truth, false), &check->calls[0], 1, error);
    const unsigned run_2_end = range.end < CALL_IN_PLACE ? range.end : CALL_IN_PLACE;
    if (status == RED_OK)
        status = make_plan_and_calls(check, &timed, poison_of(truth, true), &check->calls[1], run_2_end - 1,
                                     error);
    timed.in_place = true;
    if (status == RED_OK && range.end > CALL_IN_PLACE)
        status = make_plan_and_calls(check, &timed, poison_of(truth, false), &check->calls[CALL_IN_PLACE], 1,
                                     error);
    if (status == RED_OK)
        summarize_calls(check, range, verification);
    return status;
}

/* ---- run 3: data that changes between calls ---- */

/* What it needs: another buffer than the one before. */
struct changing_data_run {
    struct red_changes changes;
    struct red_input held; /* what the buffer was made of; on a CPU its memory */
    struct red_resident *resident;
    struct red_plan *plan;
    uint64_t plan_n;
    struct red_results_truth *results; /* of the data as changed */
    void *room;                        /* for results: the check's */
    struct verified_call call;         /* the first that is wrong, or the last */
};

/* Copies the changed elements to the device by mapping, which is defined where a kernel reads the host's own
 * memory, too. All places at once: a command takes as long as a short reduction. */
static enum red_status write_changed_places(const struct changing_data_run *run, struct red_error *error) {
    const struct red_changes *changes = &run->changes;
    const size_t bytes = changes->now.dtype->size_bytes;
    cl_command_queue queue = run->resident->device->queue;
    cl_mem buffer = run->resident->buffers[0];
    cl_int code;
    if (changes->places_n == 0)
        return RED_OK;
    uint64_t first = changes->places[0], last = first;
    for (unsigned i = 1; i < changes->places_n; i++) {
        first = changes->places[i] < first ? changes->places[i] : first;
        last = changes->places[i] > last ? changes->places[i] : last;
    }
    const size_t begin = (size_t)first * bytes, span = (size_t)(last - first + 1) * bytes;
    char *mapped =
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, begin, span, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return red_cl_check(code, "changing data", error);
    for (unsigned i = 0; i < changes->places_n; i++) {
        const size_t at = (size_t)changes->places[i] * bytes;
        memcpy(mapped + (at - begin), (const char *)changes->now.arrays[0] + at, bytes);
    }
    code = clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
    return red_cl_check(red_cl_wait(queue, code), "changing data", error);
}

/* Makes a new plan if the changes go on with another n: a plan is for one. */
static enum red_status renew_plan_for_n(struct changing_data_run *run, const struct red_case *spec,
                                        struct red_error *error) {
    struct red_case of_n = *spec;
    if (run->plan != NULL && run->plan_n == run->changes.n)
        return RED_OK;
    red_plan_destroy(run->plan);
    run->plan = NULL;
    run->plan_n = of_n.n = run->changes.n;
    return red_plan_create(run->resident, &of_n, &run->plan, error);
}

/* Runs one step of the changes: changes the data on the device, reduces, and compares with the truth of the
 * changed data. */
static enum red_status run_step(struct changing_data_run *run, const struct red_case *spec,
                                struct red_error *error) {
    const struct red_changes *changes = &run->changes;
    struct red_value value;
    enum red_status status = renew_plan_for_n(run, spec, error);
    /* A kernel at work need not see what the host writes (OpenCL 3.0 API, section 3.3.4): one that waits
     * goes. */
    if (status == RED_OK) {
        red_mailbox_end_launch(&run->plan->mailbox);
        status = write_changed_places(run, error);
    }
    if (status == RED_OK)
        status = red_plan_run(run->plan, &value, error);
    red_results_truth_destroy(run->results);
    run->results = NULL;
    if (status == RED_OK)
        status = red_results_truth_make(&changes->now, changes->n, &run->results, error);
    if (status != RED_OK)
        return status;
    const struct case_check check = {.right = {&changes->truth, NULL, run->results}, .room = run->room};
    return judge_call(&check, run->plan, value, &run->call, error);
}

/* Begins the changes, and copies the data to a buffer of its own, where they can be changed. */
static enum red_status changing_data_begin(struct changing_data_run *run, const struct case_check *check,
                                           const struct red_case *spec, struct red_error *error) {
    struct red_device *device = check->resident->device;
    const struct red_input *input = check->resident->input;
    struct red_geometry geometry;
    enum red_status status =
        red_geometry_choose(spec->strategy, spec->data.op, input->dtype, &device->info.shape, &spec->tuning,
                            spec->n, &geometry, error);
    if (status == RED_OK)
        status = red_input_copy(input, &run->held, error);
    if (status == RED_OK)
        status =
            red_changes_begin(input, check->right.truth, geometry.lanes, geometry.group_size * geometry.lanes,
                              spec->prefixes_n, &run->changes, error);
    return status == RED_OK ? red_resident_create(device, &run->held, &run->resident, error) : status;
}

/* Runs the program that is timed over a copy of the data, in a buffer of its own, through all steps of
 * oracle/change.h until a call is wrong, and writes that to the verification. */
static enum red_status verify_changes(const struct case_check *check, const struct red_case *spec,
                                      struct red_verification *verification, struct red_error *error) {
    char name[64];
    struct changing_data_run run = {.room = check->room,
                                    .call = {.name = name,
                                             .judged = {.correctness = {.right = true}},
                                             .canaries = {.out_intact = true, .counter_intact = true},
                                             .input_intact = true}};
    enum red_status status = changing_data_begin(&run, check, spec, error);
    while (status == RED_OK && run.call.judged.correctness.right && red_changes_next(&run.changes))
        status = run_step(&run, spec, error);
    if (status == RED_OK && !run.call.judged.correctness.right) {
        const struct case_check changed = {.resident = check->resident,
                                           .right = {&run.changes.truth, NULL, run.results}};
        verification->right = false;
        red_changes_format(&run.changes, name, sizeof name);
        find_evidence(&changed, &run.call, &verification->evidence);
    }
    red_results_truth_destroy(run.results);
    red_plan_destroy(run.plan);
    red_resident_destroy(run.resident);
    red_changes_clear(&run.changes);
    red_input_clear(&run.held);
    return status;
}

/* The calls that runs 1 and 2 make, and the one in place. Segments are short: all are made of them. */
static struct call_range calls_of(const struct red_case *spec, const struct red_dtype *dtype,
                                  bool has_segments, bool timed_only) {
    const struct red_dtype *result = red_op_result_dtype(spec->data.op, dtype);
    const bool is_long = !has_segments && spec->n > RED_VERIFY_LONG_N;
    const bool in_place =
        red_primitives[spec->data.op->primitive].in_place && result->size_bytes == dtype->size_bytes;
    return (struct call_range){timed_only || is_long, timed_only && is_long ? 2
                                                      : in_place            ? CALLS_N
                                                                            : RED_VERIFY_CALLS};
}

enum red_status red_verify_case(struct red_resident *resident, const struct red_right *right,
                                const struct red_case *spec, bool timed_only,
                                struct red_verification *verification, struct red_error *error) {
    const struct red_input *input = resident->input;
    const bool has_segments = right->segments != NULL;
    const struct red_truth first = red_right_truth(right, 0);
    struct case_check check = {.resident = resident, .right = *right, .chain = NAN};
    check.right.truth = &first;
    const uint64_t results_n = red_results_n(input->op, spec->n, input->bins_n);
    if (right->results != NULL && (check.room = calloc(results_n + 1, sizeof(uint64_t))) == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %llu results", (unsigned long long)results_n);
    enum red_status status = make_and_summarize_calls(calls_of(spec, input->dtype, has_segments, timed_only),
                                                      &check, spec, verification, error);
    if (status == RED_OK && verification->right && !has_segments &&
        red_changes_steps_n(input->op, input->data_kind.pattern, input->n, input->segments_n,
                            spec->prefixes_n) > 0)
        status = verify_changes(&check, spec, verification, error);
    free(check.room);
    return status;
}
