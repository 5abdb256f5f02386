/* Checks one case on one data set in up to three runs, with poisoned buffers and with data that changes.
 * Asked for by worker/prepared.c; what is wrong first is the evidence that the user sees. */
#include "cl/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cl/finish.h"
#include "cl/private.h"
#include "core/clock.h"
#include "core/random.h"
#include "oracle/truth.h"

/* Run 1 is of the checking variant. Run 2 is of the program that is timed, and calls its plan twice: what one
 * call leaves behind (a counter, old partial results) meets the next. */
struct call {
    const char *name;
    struct red_value value; /* of segments: the first wrong one's, or the first */
    uint64_t which;         /* segment; of one array 0 */
    uint64_t bits;          /* of all answers */
    double wall_s;
    struct red_verdict verdict;
    struct red_canaries traces;
    bool input_intact;
};

/* Which of the calls are made: those from the first to before the end. */
struct call_range {
    unsigned first, end;
};

struct check {
    struct red_resident *resident;
    const struct red_truth *truth;       /* of segments: of the one that is looked at */
    const struct red_segments *segments; /* or NULL */
    struct call calls[RED_VERIFY_CALLS];
};

/* A hash of all answers: calls with other bits show (same_bits). */
static uint64_t hash_answers(const struct red_answers *answers) {
    uint64_t bits = RED_HASH;
    for (uint64_t i = 0; i < answers->n; i++) {
        struct red_value value = red_answers_get(answers, i);
        bits = red_hash_add(bits, value.bits ^ value.index << 1);
    }
    return bits;
}

/* Compares what the plan left with the truth, or with that of every segment, and writes it to the call. */
static void judge_call(const struct check *check, const struct red_case *spec, struct red_plan *plan,
                       struct call *call) {
    const struct red_truth *truth = check->truth;
    const struct red_answers *answers = red_plan_answers(plan);
    double chain =
        red_bound_chain(spec->strategy, truth->dtype, spec->data.op, red_plan_geometry(plan), spec->n);
    call->bits = call->value.bits ^ call->value.index << 1;
    if (check->segments == NULL || answers == NULL) {
        call->verdict = red_truth_check(truth, chain, call->value);
        return;
    }
    call->bits = hash_answers(answers);
    call->verdict = red_segments_check(check->segments, chain, answers, &call->which);
    call->which = call->verdict.right ? 0 : call->which;
    call->value = red_answers_get(answers, call->which);
}

static enum red_status call_once(const struct check *check, const struct red_case *spec,
                                 struct red_plan *plan, unsigned char poison, bool again, struct call *call,
                                 struct red_error *error) {
    double start_s = red_clock_s();
    enum red_status status = (again ? red_plan_run_again : red_plan_run)(plan, &call->value, error);
    call->wall_s = red_clock_s() - start_s;
    if (status == RED_OK)
        status = red_plan_read_canaries(plan, poison, &call->traces, error);
    /* After every call, since a change may undo itself; and after a failed one, since others use the data. */
    enum red_status kept = red_resident_check(check->resident, status == RED_OK ? error : NULL);
    call->input_intact = kept != RED_E_WRONG;
    if (status == RED_OK && call->input_intact)
        status = kept;
    if (status != RED_OK)
        return status;
    judge_call(check, spec, plan, call);
    return RED_OK;
}

static enum red_status run_poisoned(const struct check *check, const struct red_case *spec,
                                    unsigned char poison, struct call *calls, unsigned calls_n,
                                    struct red_error *error) {
    struct red_plan *plan = NULL;
    enum red_status status = red_plan_create(check->resident, spec, &plan, error);
    if (status == RED_OK)
        status = red_plan_poison(plan, poison, error);
    for (unsigned i = 0; i < calls_n && status == RED_OK; i++)
        status = call_once(check, spec, plan, poison, i > 0, &calls[i], error);
    red_plan_destroy(plan);
    return status;
}

static bool call_is_right(const struct call *call) {
    return call->input_intact && call->traces.out_intact && call->traces.counter_intact &&
           call->traces.counter == 0 && call->verdict.right;
}

/* What is wrong with a call, in the order of how much it explains. */
static void evidence_format(const struct check *check, const struct call *call, char *text,
                            size_t text_bytes) {
    const struct red_input *input = check->resident->input;
    struct red_truth one = *check->truth;
    const struct red_truth *truth = &one;
    char data_kind[64], expected[64], got[64];
    size_t used;
    if (check->segments != NULL)
        red_segments_truth(check->segments, call->which, &one);
    struct red_value right = red_truth_value(truth);
    red_data_kind_format(input->data_kind, truth->op, truth->dtype, truth->n, data_kind, sizeof data_kind);
    used = strlen(data_kind);
    if (check->segments != NULL)
        snprintf(data_kind + used, sizeof data_kind - used, ", segment %llu of %llu",
                 (unsigned long long)call->which, (unsigned long long)input->segments_n);
    red_truth_format(truth, &right, expected, sizeof expected);
    red_truth_format(truth, &call->value, got, sizeof got);
    if (!call->input_intact)
        snprintf(text, text_bytes, "probe=%s: expected its input unchanged, got it overwritten (%s)",
                 data_kind, call->name);
    else if (!call->traces.out_intact)
        snprintf(text, text_bytes, "probe=%s: expected no store behind the end of out, got one (%s)",
                 data_kind, call->name);
    else if (!call->traces.counter_intact)
        snprintf(text, text_bytes, "probe=%s: expected no store behind the one counter, got one (%s)",
                 data_kind, call->name);
    else if (call->traces.counter != 0)
        snprintf(text, text_bytes, "probe=%s: expected counter left at 0, got %u (%s)", data_kind,
                 call->traces.counter, call->name);
    else if (truth->exact_tier)
        snprintf(text, text_bytes, "probe=%s: expected %s, got %s (%s)", data_kind, expected, got,
                 call->name);
    else
        snprintf(text, text_bytes, "probe=%s: expected %s +- %.3g, got %s (%s)", data_kind, expected,
                 call->verdict.bound, got, call->name);
}

static unsigned char poison_of(const struct red_truth *truth, bool again) {
    return red_op_poison_accumulator(truth->op, truth->dtype, again);
}

static const struct call calls_made[RED_VERIFY_CALLS] = {
    {.name = "run 1"}, {.name = "run 2"}, {.name = "run 2, second call"}};

/* Sums up the calls that were made; worker/prepared.c passes it on, and `verify` and `bench` show it. */
static void summarize_calls(const struct check *check, struct call_range range,
                            struct red_verification *verification) {
    const struct call *calls = check->calls;
    *verification = (struct red_verification){
        .value = calls[range.end - 1].value,
        .right = true,
        .same_bits = true,
        .bound = calls[range.first].verdict.bound,
        .absolute = check->truth->absolute,
        .call_s = calls[range.first].wall_s,
    };
    for (unsigned i = range.first; i < range.end; i++) {
        verification->same_bits = verification->same_bits && calls[i].bits == calls[range.first].bits;
        verification->call_s = fmin(verification->call_s, calls[i].wall_s);
        verification->error = fmax(verification->error, calls[i].verdict.error);
        if (verification->right && !call_is_right(&calls[i])) {
            verification->right = false;
            evidence_format(check, &calls[i], verification->evidence, sizeof verification->evidence);
        }
    }
}

/* Run 3: data that changes between calls. */
static enum red_status verify_changes(const struct check *check, const struct red_case *spec,
                                      struct red_verification *verification, struct red_error *error) {
    struct red_change_seen seen = {.name = ""};
    enum red_status status =
        red_verify_changes(check->resident, check->truth, spec, spec->prefixes_n, &seen, error);
    if (status != RED_OK || seen.verdict.right)
        return status;
    const struct check changed = {.resident = check->resident, .truth = &seen.truth};
    const struct call call = {.name = seen.name,
                              .value = seen.value,
                              .verdict = seen.verdict,
                              .traces = {.out_intact = true, .counter_intact = true},
                              .input_intact = true};
    verification->right = false;
    evidence_format(&changed, &call, verification->evidence, sizeof verification->evidence);
    return RED_OK;
}

/* Run 1 is call 0. */
static enum red_status make_calls(struct call_range range, struct check *check, const struct red_case *spec,
                                  struct red_verification *verification, struct red_error *error) {
    const struct red_truth *truth = check->truth;
    struct red_case checking = *spec, timed = *spec;
    enum red_status status = RED_OK;
    memcpy(check->calls, calls_made, sizeof calls_made);
    checking.poison_local = true;
    timed.poison_local = false;
    if (range.first == 0)
        status = run_poisoned(check, &checking, poison_of(truth, false), &check->calls[0], 1, error);
    if (status == RED_OK)
        status = run_poisoned(check, &timed, poison_of(truth, true), &check->calls[1], range.end - 1, error);
    if (status == RED_OK)
        summarize_calls(check, range, verification);
    return status;
}

static enum red_status verify_array(struct call_range range, struct red_resident *resident,
                                    const struct red_truth *truth, const struct red_case *spec,
                                    struct red_verification *verification, struct red_error *error) {
    struct check check = {.resident = resident, .truth = truth};
    enum red_status status = make_calls(range, &check, spec, verification, error);
    const struct red_input *input = resident->input;
    if (status == RED_OK && verification->right &&
        red_changes_steps_n(input->op, input->data_kind.pattern, input->n, input->segments_n,
                            spec->prefixes_n) > 0)
        status = verify_changes(&check, spec, verification, error);
    return status;
}

enum red_status red_verify(struct red_resident *resident, const struct red_truth *truth,
                           const struct red_case *spec, bool timed_only,
                           struct red_verification *verification, struct red_error *error) {
    const bool is_long = spec->n > RED_VERIFY_LONG_N;
    const struct call_range range = {timed_only || is_long, timed_only && is_long ? 2 : RED_VERIFY_CALLS};
    return verify_array(range, resident, truth, spec, verification, error);
}

enum red_status red_verify_segments(struct red_resident *resident, const struct red_segments *segments,
                                    const struct red_case *spec, bool timed_only,
                                    struct red_verification *verification, struct red_error *error) {
    struct red_truth first;
    red_segments_truth(segments, 0, &first);
    struct check check = {.resident = resident, .truth = &first, .segments = segments};
    return make_calls((struct call_range){timed_only, RED_VERIFY_CALLS}, &check, spec, verification, error);
}

/* What a run over changing data needs: another buffer than the one before. */
struct run {
    struct red_changes changes;
    struct red_input held; /* what the buffer was made of; on a CPU its memory */
    struct red_resident *resident;
    struct red_plan *plan;
    uint64_t plan_n;
};

/* Copies the changed elements to the device by mapping, which is defined where a kernel reads the host's own
 * memory, too: Intel's runtime does not keep a write command's bytes there. All places at once: a command
 * takes as long as a short reduction. */
static enum red_status write_changed_places(const struct run *run, struct red_error *error) {
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
    cl_int finished = clFinish(queue);
    return red_cl_check(code != CL_SUCCESS ? code : finished, "changing data", error);
}

/* Makes a new plan if the changes go on with another n: a plan is for one. */
static enum red_status plan_for_n(struct run *run, const struct red_case *spec, struct red_error *error) {
    struct red_case of_n = *spec;
    if (run->plan != NULL && run->plan_n == run->changes.n)
        return RED_OK;
    red_plan_destroy(run->plan);
    run->plan = NULL;
    run->plan_n = of_n.n = run->changes.n;
    return red_plan_create(run->resident, &of_n, &run->plan, error);
}

/* Runs one step of run 3: changes the data, reduces, and compares with the truth of the changed data. */
static enum red_status run_step(struct run *run, const struct red_case *spec, struct red_change_seen *seen,
                                struct red_error *error) {
    struct red_changes *changes = &run->changes;
    enum red_status status = plan_for_n(run, spec, error);
    /* A kernel at work need not see what the host writes (OpenCL 3.0 API, section 3.3.4): one that waits
     * goes. */
    if (status == RED_OK) {
        red_mailbox_end_launch(&run->plan->mailbox);
        status = write_changed_places(run, error);
    }
    if (status == RED_OK)
        status = red_plan_run(run->plan, &seen->value, error);
    if (status != RED_OK)
        return status;
    double chain = red_bound_chain(spec->strategy, changes->now.dtype, spec->data.op,
                                   red_plan_geometry(run->plan), changes->n);
    seen->truth = changes->truth;
    seen->verdict = red_truth_check(&changes->truth, chain, seen->value);
    red_changes_format(changes, seen->name, sizeof seen->name);
    return RED_OK;
}

static enum red_status begin_run(struct run *run, struct red_resident *resident,
                                 const struct red_truth *truth, const struct red_case *spec,
                                 unsigned prefixes_n, struct red_error *error) {
    const struct red_input *input = resident->input;
    struct red_geometry geometry;
    enum red_status status =
        red_geometry_choose(spec->strategy, spec->data.op, input->dtype, &resident->device->info.shape,
                            &spec->tuning, spec->n, &geometry, error);
    if (status == RED_OK)
        status = red_input_copy(input, &run->held, error);
    if (status == RED_OK)
        status = red_changes_begin(input, truth, geometry.lanes, geometry.group_size * geometry.lanes,
                                   prefixes_n, &run->changes, error);
    return status == RED_OK ? red_resident_create(resident->device, &run->held, &run->resident, error)
                            : status;
}

enum red_status red_verify_changes(struct red_resident *resident, const struct red_truth *truth,
                                   const struct red_case *spec, unsigned prefixes_n,
                                   struct red_change_seen *seen, struct red_error *error) {
    struct run run = {.plan = NULL};
    enum red_status status = begin_run(&run, resident, truth, spec, prefixes_n, error);
    seen->verdict.right = true;
    while (status == RED_OK && seen->verdict.right && red_changes_next(&run.changes))
        status = run_step(&run, spec, seen, error);
    red_plan_destroy(run.plan);
    red_resident_destroy(run.resident);
    red_changes_clear(&run.changes);
    red_input_clear(&run.held);
    return status;
}
