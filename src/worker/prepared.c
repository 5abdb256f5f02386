/* Makes cases ready with their data sets, and calls them; Google Benchmark times red_prepared_call.
 * worker/server_cases.c does it for bench, duel and verify (the case is "job" of a question), cli/cmd_once.c
 * for `once`. What fails is state and reason of a cell, or "once: wrong: ...". A guard for each array of a
 * case changes one element before each timed batch and checks every answer, so that an answer kept from
 * before is wrong; its message is the reason of a `wrong` cell, or of the verdict WRONG. */
#include "worker/prepared.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "host/reference.h"
#include "model/computed.h"
#include "model/primitive.h"
#include "oracle/truth.h"
#include "results/run.h"

/* ---- data sets ----------------------------------------------------------------------------------------- */

/* Whether the host has room for the data; of computed elements, for the right answer of each segment. */
static enum red_status check_room(const struct red_data_spec *spec, struct red_error *error) {
    if (spec->making != RED_MADE_IN_KERNEL)
        return red_data_check_room(spec->dtype, spec->op, spec->n * spec->segments_n, error);
    const double room = red_data_room_bytes(), bytes = (double)spec->segments_n * red_segment_truth_bytes();
    return bytes <= room ? red_data_check_room(spec->dtype, spec->op, spec->n, error)
                         : red_fail(error, RED_E_MEMORY,
                                    "the right answers of %" PRIu64
                                    " segments need %.1f GiB of host memory, and %.1f are free; choose fewer "
                                    "segments",
                                    spec->segments_n, bytes / (1 << 30), room / (1 << 30));
}

/* verify/numerics.c calls it, too, for the exact answers of --accuracy and --special. */
enum red_status red_dataset_make(const struct red_data_spec *spec, struct red_dataset *dataset,
                                 struct red_error *error) {
    enum red_status status = check_room(spec, error);
    if (status != RED_OK)
        return status;
    *dataset = (struct red_dataset){.spec = *spec};
    status = red_input_make(spec, &dataset->input, error);
    if (status == RED_OK && spec->segments_n == 1)
        red_truth_find(&dataset->input, &dataset->truth);
    red_reference_stop_spinning();
    return status;
}

void red_dataset_clear(struct red_dataset *dataset) {
    red_resident_destroy(dataset->resident);
    red_segments_destroy(dataset->segments[0]);
    red_segments_destroy(dataset->segments[1]);
    for (size_t i = 0; i < RED_PREFIXES_MAX; i++)
        free(dataset->prefixes[i]);
    red_results_truth_destroy(dataset->results);
    red_input_clear(&dataset->input);
    *dataset = (struct red_dataset){.resident = NULL};
}

/* The re-layout of a duel. */
void red_dataset_move(struct red_dataset *dataset) {
    red_resident_destroy(dataset->resident);
    dataset->resident = NULL;
    red_input_move(&dataset->input);
}

/* Puts the data on the device, once for a data set: dataset->resident. Errors: those of red_resident_create.
 */
static enum red_status make_resident(struct red_dataset *dataset, struct red_device *device,
                                     struct red_error *error) {
    return dataset->resident == NULL ? red_resident_create(device, &dataset->input, &dataset->resident, error)
                                     : RED_OK;
}

/* The right answers of the segments, computed at the first call and kept. Errors: RED_E_MEMORY. */
static enum red_status segments_of_dataset(struct red_dataset *dataset, bool columns,
                                           struct red_segment_truths **segments, struct red_error *error) {
    enum red_status status = RED_OK;
    if (dataset->segments[columns] == NULL) {
        status = red_segments_find_truths(&dataset->input, columns, &dataset->segments[columns], error);
        red_reference_stop_spinning();
    }
    *segments = dataset->segments[columns];
    return status;
}

/* The right answer of the first n elements of one array, computed when n is asked for first. RED_PREFIXES_MAX
 * lengths are kept; the last one makes room for a new one. Errors: RED_E_MEMORY. */
static enum red_status truth_of_dataset(struct red_dataset *dataset, uint64_t n,
                                        const struct red_truth **truth, struct red_error *error) {
    *truth = &dataset->truth;
    if (n == dataset->input.n)
        return RED_OK;
    size_t i = 0;
    while (i + 1 < RED_PREFIXES_MAX && dataset->prefixes[i] != NULL && dataset->prefixes[i]->n != n)
        i++;
    if (dataset->prefixes[i] == NULL)
        dataset->prefixes[i] = calloc(1, sizeof *dataset->prefixes[i]);
    struct red_truth *found = dataset->prefixes[i];
    if (found == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for an answer");
    *truth = found;
    if (found->op != NULL && found->n == n)
        return RED_OK;
    struct red_input view = dataset->input;
    view.n = n;
    red_truth_find(&view, found);
    red_reference_stop_spinning();
    return RED_OK;
}

/* Verifying and checking scans and histograms needs it. */
enum red_status red_dataset_results(struct red_dataset *dataset, uint64_t n,
                                    struct red_results_truth **results, struct red_error *error) {
    enum red_status status = RED_OK;
    if (dataset->results == NULL || dataset->results_of_n != n) {
        red_results_truth_destroy(dataset->results);
        dataset->results = NULL;
        status = red_results_truth_make(&dataset->input, n, &dataset->results, error);
        dataset->results_of_n = n;
        red_reference_stop_spinning();
    }
    *results = dataset->results;
    return status;
}

/* Stores the value, of the type of the elements, at a place of the first array, on the device, too, if it is
 * there. No launch may be at work on it. Errors: RED_E_DEVICE. */
static enum red_status store_element(struct red_dataset *dataset, uint64_t at, const struct red_value *value,
                                     struct red_error *error) {
    size_t bytes = dataset->input.dtype->size_bytes, offset = (size_t)at * bytes;
    struct red_value before = {.index = 0};
    memcpy(&before, (char *)dataset->input.arrays[0] + offset, bytes);
    memcpy((char *)dataset->input.arrays[0] + offset, value, bytes);
    if (dataset->results != NULL)
        red_results_truth_update(dataset->results, at, &before);
    return dataset->resident == NULL ? RED_OK
                                     : red_resident_write(dataset->resident, offset, value, bytes, error);
}

enum red_status red_dataset_right(struct red_dataset *dataset, const struct red_case *spec,
                                  struct red_right *right, struct red_error *error) {
    struct red_segment_truths *segments = NULL;
    struct red_results_truth *results = NULL;
    enum red_status status = RED_OK;
    if (red_strategy_is_segmented(spec->strategy) || spec->data.segments_n > 1)
        status = segments_of_dataset(dataset, spec->strategy->span == RED_STRATEGY_COLUMN, &segments, error);
    if (status == RED_OK)
        status = red_dataset_results(dataset, spec->n, &results, error);
    *right = (struct red_right){&dataset->truth, segments, results};
    return status;
}

enum red_status red_dataset_verify(struct red_dataset *dataset, struct red_device *device,
                                   const struct red_case *spec, bool timed_only,
                                   struct red_verification *verification, struct red_error *error) {
    struct red_right right;
    enum red_status status = make_resident(dataset, device, error);
    if (status == RED_OK)
        status = red_dataset_right(dataset, spec, &right, error);
    if (status == RED_OK)
        status = red_verify_case(dataset->resident, &right, spec, timed_only, verification, error);
    red_reference_stop_spinning();
    return status;
}

/* ---- guards: what is looked at ------------------------------------------------------------------------- */

/* Lets watch i look at a segment (0: the only array), whose right answer is `truth`. */
static void watch_segment(struct red_guard *guard, unsigned i, uint64_t segment,
                          const struct red_truth *truth) {
    struct red_watch *watch = &guard->watches[i];
    watch->segment = segment;
    watch->truth = *truth;
    red_range_make(&watch->truth, guard->chain, &watch->range);
}

enum red_status red_guard_make(struct red_dataset *dataset, uint64_t n, bool columns, bool has_value,
                               double chain, struct red_guard *guard, struct red_error *error) {
    const struct red_truth *truth = NULL;
    const uint64_t segments_n = dataset->spec.segments_n;
    enum red_status status = RED_OK;
    *guard =
        (struct red_guard){.dataset = dataset,
                           .n = n,
                           .segments_n = segments_n,
                           .random = dataset->spec.seed ^ n << 32,
                           .columns = columns,
                           .chain = chain,
                           .watches = calloc(segments_n > 1 ? RED_WATCHES_MAX : 1, sizeof *guard->watches)};
    if (guard->watches == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for looking at answers");
    if (segments_n > 1)
        return RED_OK;
    status = truth_of_dataset(dataset, n, &truth, error);
    if (status == RED_OK) {
        guard->original = *truth;
        guard->last = red_truth_value(truth);
        guard->watches_n = has_value;
        watch_segment(guard, 0, 0, truth);
    } else
        red_guard_clear(guard);
    return status;
}

void red_guard_clear(struct red_guard *guard) {
    free(guard->watches);
    *guard = (struct red_guard){.watches = NULL};
}

/* ---- guards: batches ----------------------------------------------------------------------------------- */

/* Where the segment's elements lie in the data set: the first one, and the step to the next. */
static struct red_strided_elements segment_place(const struct red_guard *guard, uint64_t segment) {
    return guard->columns ? (struct red_strided_elements){segment, guard->segments_n}
                          : (struct red_strided_elements){segment * guard->n, 1};
}

/* Before each batch of --shape segments: draws the segment in which an element changes, and the other
 * segments whose answers are looked at; the one that changed last is among them. */
static enum red_status choose_watched_segments(struct red_guard *guard, struct red_error *error) {
    const uint64_t last = guard->watches[0].segment, segment = red_random(&guard->random) % guard->segments_n;
    bool is_first = guard->segments == NULL;
    if (is_first && segments_of_dataset(guard->dataset, guard->columns, &guard->segments, error) != RED_OK)
        return RED_E_MEMORY;
    red_segments_truth(guard->segments, segment, &guard->original);
    if (segment != last || is_first)
        guard->last = red_truth_value(&guard->original);
    for (unsigned i = 1; i < RED_WATCHES_MAX; i++) {
        struct red_truth truth;
        uint64_t other = i == 1 ? last : red_random(&guard->random) % guard->segments_n;
        other = other == segment ? (other + 1) % guard->segments_n : other;
        red_segments_truth(guard->segments, other, &truth);
        watch_segment(guard, i, other, &truth);
    }
    watch_segment(guard, 0, segment, &guard->original);
    guard->watches_n = RED_WATCHES_MAX;
    return RED_OK;
}

enum red_status red_guard_begin(struct red_guard *guard, struct red_error *error) {
    const struct red_input *input = &guard->dataset->input;
    enum red_status status = RED_OK;
    if (guard->segments_n > 1)
        status = choose_watched_segments(guard, error);
    if (status != RED_OK)
        return status;
    const uint64_t segment = guard->watches[0].segment;
    if (input->making != RED_MADE_BY_PATTERN) /* all elements change from reduction to reduction */
        return RED_OK;
    guard->changed = red_change_draw(input, &guard->original, segment_place(guard, segment), guard->chain,
                                     guard->last, &guard->random, &guard->change);
    guard->before = guard->last;
    guard->last = red_truth_value(guard->changed ? &guard->change.truth : &guard->original);
    if (!guard->changed)
        return RED_OK;
    watch_segment(guard, 0, segment, &guard->change.truth);
    if (guard->segments != NULL)
        red_segments_set_truth(guard->segments, segment, &guard->change.truth);
    return store_element(guard->dataset, guard->change.at, &guard->change.after, error);
}

enum red_status red_guard_end(struct red_guard *guard, struct red_error *error) {
    if (guard->changed) {
        if (guard->segments != NULL)
            red_segments_set_truth(guard->segments, guard->watches[0].segment, &guard->original);
        watch_segment(guard, 0, guard->watches[0].segment, &guard->original);
    }
    if (guard->segments_n > 1)
        guard->watches_n = 0;
    bool changed = guard->changed;
    guard->changed = false;
    return changed ? store_element(guard->dataset, guard->change.at, &guard->change.before, error) : RED_OK;
}

/* ---- guards: evidence ---------------------------------------------------------------------------------- */

/* "; element 17 had changed from 0.5 to 96 before, and what came was right until then"; empty where none has
 * changed. */
static void change_format(const struct red_guard *guard, struct red_value got, char *text,
                          size_t text_bytes) {
    const struct red_dtype *dtype = guard->original.dtype;
    char before[64], after[64];
    text[0] = '\0';
    if (!guard->changed)
        return;
    bool is_kept = (got.bits == guard->before.bits && got.index == guard->before.index) ||
                   red_truth_check(&guard->original, guard->chain, got).right;
    red_value_format(dtype, &guard->change.before, before, sizeof before);
    red_value_format(dtype, &guard->change.after, after, sizeof after);
    snprintf(text, text_bytes, "; element %" PRIu64 " had changed from %s to %s before these calls%s",
             guard->change.at, before, after, is_kept ? ", and this answer was right until then" : "");
}

/* RED_E_WRONG: "expected 1.5, got 2", of the watch's segment, behind what says which call it was. */
static enum red_status fail_wrong(const struct red_guard *guard, const struct red_watch *watch,
                                  struct red_value value, const char *which_call, struct red_error *error) {
    const struct red_value right = red_truth_value(&watch->truth);
    char expected[64], got[64], change[240] = "";
    red_truth_answer_format(&watch->truth, &right, expected, sizeof expected);
    red_truth_answer_format(&watch->truth, &value, got, sizeof got);
    if (watch == guard->watches)
        change_format(guard, value, change, sizeof change);
    return red_fail(error, RED_E_WRONG, "%sexpected %s, got %s%s", which_call, expected, got, change);
}

/* Reports a wrong answer: RED_E_WRONG, with the number of the call and the element that had changed. */
static enum red_status fail_wrong_answer(const struct red_guard *guard, uint64_t call, struct red_value value,
                                         const struct red_answers *answers, struct red_error *error) {
    const struct red_watch *watch = &guard->watches[guard->watches_n > 1 ? call % guard->watches_n : 0];
    char which_call[80];
    if (guard->segments == NULL) {
        snprintf(which_call, sizeof which_call, "call %" PRIu64 ": ", call + 1);
        return fail_wrong(guard, watch, value, which_call, error);
    }
    snprintf(which_call, sizeof which_call, "call %" PRIu64 ", segment %" PRIu64 ": ", call + 1,
             watch->segment);
    return fail_wrong(guard, watch, red_answers_get(answers, watch->segment), which_call, error);
}

/* RED_E_WRONG where the answer of any segment is wrong. */
static enum red_status check_all_segments(const struct red_guard *guard, const struct red_answers *answers,
                                          struct red_error *error) {
    struct red_segment_truths *segments = NULL;
    uint64_t wrong_segment = 0;
    enum red_status status = segments_of_dataset(guard->dataset, guard->columns, &segments, error);
    if (status != RED_OK)
        return status;
    bool right = red_segments_check(segments, guard->chain, answers, &wrong_segment).right;
    red_reference_stop_spinning();
    return right ? RED_OK
                 : red_fail(error, RED_E_WRONG, "expected another value in segment %" PRIu64, wrong_segment);
}

/* Checks an answer, of segments all of them: RED_E_WRONG, "expected 1.5, got 2". */
static enum red_status check_guarded_answer(const struct red_guard *guard, struct red_value value,
                                            const struct red_answers *answers, struct red_error *error) {
    if (guard->segments_n > 1)
        return check_all_segments(guard, answers, error);
    return red_truth_check(&guard->watches[0].truth, guard->chain, value).right
               ? RED_OK
               : fail_wrong(guard, &guard->watches[0], value, "", error);
}

/* ---- prepared cases ------------------------------------------------------------------------------------ */

enum { CALLS_MAX = 1000, STALE_CHECKS_MAX = 4 };
static const double STALE_CHECKS_S = 0.0005;

/* Reports what red_prepared_call has kept of a call that failed. */
static enum red_status fail_call(const struct red_prepared *prepared, struct red_error *error) {
    return red_fail(error, prepared->error.status, "%s", prepared->error.text);
}

/* What each primitive does here; the table is below. */
struct prepared_hooks {
    enum red_status (*make_for_host)(struct red_prepared *prepared, struct red_error *error);
    void (*sequential)(struct red_prepared *prepared); /* calls of the rows of the host */
    void (*openmp)(struct red_prepared *prepared);
    bool has_value; /* that each call leaves: it is looked at */
    /* Checks the last call's answer, or some of its results. RED_E_WRONG, with the evidence. */
    enum red_status (*check)(const struct red_prepared *prepared, struct red_evidence *evidence,
                             struct red_error *error);
};

static const struct prepared_hooks *hooks_of(const struct red_prepared *prepared);

/* ---- making -------------------------------------------------------------------------------------------- */

/* Room for the arrays that the host's rows store before each reduction, as a device does. */
static enum red_status make_changing(struct red_prepared *prepared, struct red_error *error) {
    enum { ALIGNMENT = 4096 }; /* as of other data, which is of whole pages */
    const struct red_input *input = &prepared->data[0]->input;
    for (unsigned array = 0; array < input->arrays_n; array++)
        if ((prepared->changing[array] = aligned_alloc(ALIGNMENT, input->array_bytes)) == NULL)
            return red_fail(error, RED_E_MEMORY, "no memory for the array that changes");
    red_elements_compute_all(input, prepared->changing);
    return RED_OK;
}

/* Room for the results of primitives that leave many; for those of the roof, which may copy, too. */
static enum red_status make_room_for_results(struct red_prepared *prepared, struct red_error *error) {
    const struct red_data_spec *data = &prepared->spec.data;
    const uint64_t n = red_results_n(data->op, prepared->spec.n, data->bins_n);
    enum red_status status = red_answers_make_room(data->op, data->dtype, n, &prepared->answers, error);
    prepared->answers.values = prepared->answers.room;
    return status;
}

/* What rows that reduce need: arrays that change, or room for the answers of segments. */
static enum red_status make_room_for_reductions(struct red_prepared *prepared, struct red_error *error) {
    const struct red_case *spec = &prepared->spec;
    if (spec->strategy != NULL && spec->data.making == RED_MADE_BY_LAUNCH)
        return make_changing(prepared, error);
    if (spec->data.making == RED_MADE_IN_KERNEL && red_elements_check_op(spec->data.op, error) != RED_OK)
        return RED_E_UNSUPPORTED;
    return spec->strategy != NULL && spec->data.segments_n > 1
               ? red_answers_make_room(spec->data.op, spec->data.dtype, spec->data.segments_n,
                                       &prepared->answers, error)
               : RED_OK;
}

/* A case of the host's, or (no strategy) the loop that only reads, its roof. */
static enum red_status make_for_host(struct red_prepared *prepared, struct red_error *error) {
    const struct red_case *spec = &prepared->spec;
    const struct red_geometry geometry = red_host_geometry(spec->strategy, spec->n, spec->data.segments_n);
    if (spec->strategy != NULL)
        prepared->chain =
            red_bound_chain(spec->strategy, spec->data.dtype, spec->data.op, &geometry, spec->n);
    return hooks_of(prepared)->make_for_host(prepared, error);
}

/* No guards for a roof, nor for segments shorter than the data's (forecasts): no answer is known. */
static enum red_status make_guards(struct red_prepared *prepared, struct red_error *error) {
    const struct red_case *spec = &prepared->spec;
    enum red_status status = RED_OK;
    if (spec->strategy == NULL || (spec->data.segments_n > 1 && spec->n != spec->data.n))
        return RED_OK;
    prepared->guards = calloc(spec->arrays_n, sizeof *prepared->guards);
    if (prepared->guards == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for looking at answers");
    for (unsigned i = 0; i < spec->arrays_n && status == RED_OK; i++)
        status = red_guard_make(prepared->data[i], spec->n, spec->strategy->span == RED_STRATEGY_COLUMN,
                                hooks_of(prepared)->has_value, prepared->chain, &prepared->guards[i], error);
    return status;
}

/* The plan of a strategy, or (no strategy) the device's roof, over its data on the device. */
static enum red_status make_for_device(struct red_prepared *prepared, struct red_device *device,
                                       struct red_error *error) {
    const struct red_case *spec = &prepared->spec;
    enum red_status status = RED_OK;
    const bool changes = spec->data.making == RED_MADE_BY_LAUNCH;
    for (unsigned i = 0; i < (changes ? 1 : spec->arrays_n) && status == RED_OK; i++)
        status = make_resident(prepared->data[i], device, error);
    if (status == RED_OK && spec->strategy == NULL)
        return red_roof_create(prepared->data[0]->resident, spec->form, &prepared->roof, error);
    if (status == RED_OK)
        status = red_plan_create(prepared->data[0]->resident, spec, &prepared->plan, error);
    if (status == RED_OK && changes)
        status = red_plan_make_changeable(prepared->plan, prepared->data[0]->resident, error);
    if (status == RED_OK)
        prepared->chain = red_bound_chain(spec->strategy, spec->data.dtype, spec->data.op,
                                          red_plan_geometry(prepared->plan), spec->n);
    return status;
}

enum red_status red_prepared_make(const struct red_case *spec, struct red_device *device,
                                  struct red_dataset *const *data, struct red_prepared *prepared,
                                  struct red_error *error) {
    *prepared = (struct red_prepared){.spec = *spec};
    for (unsigned i = 0; i < spec->arrays_n; i++)
        prepared->data[i] = data[i];
    enum red_status status =
        device != NULL ? make_for_device(prepared, device, error) : make_for_host(prepared, error);
    if (status == RED_OK)
        status = make_guards(prepared, error);
    if (status != RED_OK)
        red_prepared_clear(prepared);
    return status;
}

void red_prepared_clear(struct red_prepared *prepared) {
    red_plan_destroy(prepared->plan);
    red_roof_destroy(prepared->roof);
    red_answers_clear(&prepared->answers);
    for (unsigned i = 0; i < prepared->spec.arrays_n && prepared->guards != NULL; i++)
        red_guard_clear(&prepared->guards[i]);
    free(prepared->guards);
    free(prepared->changing[0]);
    free(prepared->changing[1]);
    *prepared = (struct red_prepared){.plan = NULL};
}

/* ---- calling ------------------------------------------------------------------------------------------- */

/* The arrays whose turn it is, in the host's memory. */
static const void *const *host_arrays(const struct red_prepared *prepared) {
    return (const void *const *)(prepared->changing[0] != NULL
                                     ? prepared->changing
                                     : prepared->data[prepared->turn]->input.arrays);
}

/* Reduces the array whose turn it is by loops of the host. */
static void reduce_on_host(struct red_prepared *prepared,
                           void (*reduce)(const struct red_op *op, const struct red_dtype *dtype,
                                          const void *const arrays[2], uint64_t n,
                                          struct red_partial *partial),
                           void (*reduce_segments)(const struct red_op *op, const struct red_dtype *dtype,
                                                   const void *const arrays[2], uint64_t segment_elements_n,
                                                   struct red_answers *answers)) {
    const struct red_input *input = &prepared->data[prepared->turn]->input;
    const struct red_op *op = prepared->spec.data.op;
    const void *const *arrays = host_arrays(prepared);
    if (prepared->answers.n > 0) {
        reduce_segments(op, input->dtype, arrays, prepared->spec.n, &prepared->answers);
        return;
    }
    reduce(op, input->dtype, arrays, input->n, &prepared->partial);
    prepared->value = red_partial_answer(op, input->dtype, &prepared->partial, input->n);
}

static void reduce_in_sequence(struct red_prepared *prepared) {
    reduce_on_host(prepared, red_sequential_partial, red_sequential_reduce_segments);
}

static void reduce_by_openmp(struct red_prepared *prepared) {
    reduce_on_host(prepared, red_reference_partial, red_reference_reduce_segments);
}

/* Of the other primitives NAME_in_sequence and NAME_by_openmp. */
#define ROWS_OF_HOST(id, name)                                                                               \
    static void name##_in_sequence(struct red_prepared *prepared) {                                          \
        make_results(prepared, red_sequential_##name);                                                       \
    }                                                                                                        \
    static void name##_by_openmp(struct red_prepared *prepared) {                                            \
        make_results(prepared, red_reference_##name);                                                        \
    }
static void make_results(struct red_prepared *prepared, red_results_loop *make) {
    const struct red_data_spec *data = &prepared->spec.data;
    make(data->op, data->dtype, data->bins_n, host_arrays(prepared)[0], prepared->spec.n,
         prepared->answers.room);
}
RED_RESULT_PRIMITIVES(ROWS_OF_HOST)

/* The roof: all bytes of the array are read, or copied to the results. */
static void read_or_copy_all(struct red_prepared *prepared) {
    const struct red_input *input = &prepared->data[prepared->turn]->input;
    const uint64_t bytes = input->n * input->dtype->size_bytes;
    if (red_primitives[input->op->primitive].roof_copies)
        red_reference_copy_all(host_arrays(prepared)[0], bytes, prepared->answers.room);
    else
        prepared->value.bits = red_reference_read_all(host_arrays(prepared)[0], bytes / sizeof(uint64_t));
}

/* A call of a row of the host, or of its roof. */
static enum red_status call_on_host(struct red_prepared *prepared) {
    const struct red_strategy *strategy = prepared->spec.strategy;
    const struct prepared_hooks *hooks = hooks_of(prepared);
    const bool is_alone = strategy != NULL && strategy->span == RED_STRATEGY_ONE;
    if (prepared->spec.data.making == RED_MADE_IN_KERNEL)
        return red_reference_reduce_computed(&prepared->data[prepared->turn]->input, is_alone,
                                             &prepared->answers, &prepared->error);
    (strategy == NULL ? read_or_copy_all : is_alone ? hooks->sequential : hooks->openmp)(prepared);
    return RED_OK;
}

/* Stores the elements whose turn it is in the one array that is reduced, on the plan's queue or by as many
 * threads as reduce it then. */
static enum red_status store_next_elements(struct red_prepared *prepared) {
    const struct red_input *input = &prepared->data[prepared->turn]->input;
    if (prepared->plan != NULL)
        return red_plan_change_elements(prepared->plan, &input->form, &prepared->error);
    if (prepared->spec.strategy->span != RED_STRATEGY_ONE)
        red_elements_compute_all(input, prepared->changing);
    else
        for (unsigned array = 0; array < input->arrays_n; array++)
            red_elements_compute(input->dtype, &input->form, array, 0, input->n, prepared->changing[array]);
    return RED_OK;
}

/* Makes it the next array's turn and binds that to the plan, as an iterative solver does between its calls.
 */
static enum red_status bind_next_array(struct red_prepared *prepared) {
    if (prepared->spec.arrays_n < 2)
        return RED_OK;
    prepared->turn = (prepared->turn + 1) % prepared->spec.arrays_n;
    if (prepared->spec.data.making == RED_MADE_BY_LAUNCH)
        return store_next_elements(prepared);
    return prepared->plan != NULL
               ? red_plan_set_resident(prepared->plan, prepared->data[prepared->turn]->resident,
                                       &prepared->error)
               : RED_OK;
}

/* A call of a strategy on a device. */
static enum red_status run_plan(struct red_prepared *prepared) {
    const enum red_status status = red_plan_run(prepared->plan, &prepared->value, &prepared->error);
    prepared->partial = *red_plan_partial(prepared->plan);
    return status;
}

/* One reduction, of the next array, or one reading of a roof; a call has as many as the case says. */
static enum red_status reduce_once(struct red_prepared *prepared) {
    enum red_status status = bind_next_array(prepared);
    if (status == RED_OK && prepared->plan != NULL)
        status = run_plan(prepared);
    else if (status == RED_OK && prepared->roof != NULL)
        status = red_roof_run(prepared->roof, &prepared->error);
    else if (status == RED_OK)
        status = call_on_host(prepared);
    return status;
}

/* ---- checking ------------------------------------------------------------------------------------------ */

/* The last call's answers of all segments; NULL where there is one value. */
static const struct red_answers *segment_answers(const struct red_prepared *prepared) {
    const struct red_answers *answers =
        prepared->plan ? red_plan_answers(prepared->plan) : &prepared->answers;
    return answers != NULL && answers->n > 0 ? answers : NULL;
}

/* Counts the last reduction and checks its answer by the guard of its array, if it has one: a wrong one is
 * RED_E_WRONG, with prepared->error. */
static enum red_status count_and_check_answer(struct red_prepared *prepared) {
    if (prepared->guards == NULL)
        return RED_OK;
    const uint64_t n = prepared->reductions_n++;
    const struct red_answers *answers = prepared->spec.data.segments_n > 1 ? segment_answers(prepared) : NULL;
    struct red_guard *guard = &prepared->guards[prepared->turn];
    return red_guard_holds(guard, n, prepared->value, answers)
               ? RED_OK
               : fail_wrong_answer(guard, n, prepared->value, answers, &prepared->error);
}

int red_prepared_call(void *context) {
    struct red_prepared *prepared = context;
    enum red_status status = RED_OK;
    for (unsigned i = 0; i < prepared->spec.reductions && status == RED_OK; i++) {
        status = reduce_once(prepared);
        if (status == RED_OK)
            status = count_and_check_answer(prepared);
    }
    return status == RED_OK ? 0 : -1;
}

/* worker/stress.c calls it. */
enum red_status red_prepared_call_in_a_row(struct red_prepared *prepared, unsigned *calls_n) {
    const unsigned asked_n = *calls_n, turn = prepared->turn;
    struct red_value values[RED_CALLS_IN_A_ROW_MAX];
    enum red_status status = RED_OK;
    *calls_n = 1;
    if (asked_n == 1 || prepared->plan == NULL || !red_plan_can_call_in_a_row(prepared->plan))
        return red_prepared_call(prepared) == 0 ? RED_OK : prepared->error.status;
    for (unsigned i = 0; i < asked_n && status == RED_OK; i++) {
        status = bind_next_array(prepared);
        if (status == RED_OK)
            status = red_plan_enqueue_call(prepared->plan, i, &prepared->error);
    }
    if (status == RED_OK)
        status = red_plan_end_calls(prepared->plan, asked_n, values, &prepared->error);
    for (unsigned i = 0; i < asked_n && status == RED_OK; i++) {
        *calls_n = i + 1;
        prepared->turn = (turn + i + 1) % prepared->spec.arrays_n;
        prepared->value = values[i];
        status = count_and_check_answer(prepared);
    }
    return status;
}

/* With _end around each batch and each series of timed calls; worker/server_cases.c calls them. */
enum red_status red_prepared_begin(struct red_prepared *prepared, struct red_error *error) {
    enum red_status status = RED_OK;
    prepared->reductions_n = 0;
    if (prepared->plan != NULL)
        red_plan_end_waiting_launch(prepared->plan);
    for (unsigned i = 0; i < prepared->spec.arrays_n && prepared->guards != NULL && status == RED_OK; i++)
        status = red_guard_begin(&prepared->guards[i], error);
    return status == RED_OK ? RED_OK : red_prepared_end(prepared, status, error);
}

enum red_status red_prepared_end(struct red_prepared *prepared, enum red_status status,
                                 struct red_error *error) {
    if (prepared->plan != NULL)
        red_plan_end_waiting_launch(prepared->plan);
    for (unsigned i = 0; i < prepared->spec.arrays_n && prepared->guards != NULL; i++) {
        enum red_status ended = red_guard_end(&prepared->guards[i], status == RED_OK ? error : NULL);
        status = status == RED_OK ? ended : status;
    }
    return status;
}

/* Checks block b of the results, of results_n in all: `room` has place for them. RED_E_WRONG, "expected 3 at
 * 17, got 4", with the evidence. */
static enum red_status check_results_block(const struct red_prepared *prepared,
                                           const struct red_results_truth *truth, uint64_t results_n,
                                           uint64_t b, void *room, struct red_evidence *evidence,
                                           struct red_error *error) {
    const struct red_data_spec *data = &prepared->spec.data;
    const uint64_t first = b * RED_RESULTS_BLOCK_N, left_n = results_n - first;
    const uint64_t n = left_n < RED_RESULTS_BLOCK_N ? left_n : RED_RESULTS_BLOCK_N;
    const size_t bytes = red_op_result_dtype(data->op, data->dtype)->size_bytes;
    const void *results = room;
    enum red_status status = RED_OK;
    if (prepared->plan != NULL)
        status = red_plan_read_results(prepared->plan, first, n, room, error);
    else
        results = (const char *)prepared->answers.room + first * bytes;
    uint64_t which = 0;
    if (status != RED_OK || red_results_check_block(truth, prepared->chain, b, results, &which).right)
        return status;
    struct red_value value = {.index = which};
    char place[40];
    memcpy(&value, (const char *)results + (which - first) * bytes, bytes);
    red_results_find_evidence(truth, prepared->chain, value, evidence);
    red_place_format(which, data->bins_n, place, sizeof place);
    return red_fail(error, RED_E_WRONG, "expected %s%s, got %s", evidence->expected.value, place,
                    evidence->got.value);
}

/* So many blocks of a long result are looked at behind a batch, and all blocks of a shorter one. */
enum { RESULTS_BLOCKS_ALL = 16, RESULTS_BLOCKS_SOME = 6 };

/* Checks the results of the last call: the first and the last block, that of the element that changed and the
 * one behind it, and some at random. */
static enum red_status check_results(const struct red_prepared *prepared, struct red_evidence *evidence,
                                     struct red_error *error) {
    const struct red_data_spec *data = &prepared->spec.data;
    const struct red_guard *guard = &prepared->guards[prepared->turn];
    uint64_t random = guard->random ^ prepared->reductions_n,
             changed = guard->change.at / RED_RESULTS_BLOCK_N;
    struct red_results_truth *truth = NULL;
    void *room = malloc(RED_RESULTS_BLOCK_N * red_op_result_dtype(data->op, data->dtype)->size_bytes);
    if (room == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for looking at results");
    enum red_status status =
        red_dataset_results(prepared->data[prepared->turn], prepared->spec.n, &truth, error);
    const uint64_t n = status == RED_OK ? red_results_truth_n(truth) : 0,
                   blocks_n = n / RED_RESULTS_BLOCK_N + (n % RED_RESULTS_BLOCK_N != 0);
    const uint64_t looks_n = blocks_n <= RESULTS_BLOCKS_ALL ? blocks_n : RESULTS_BLOCKS_SOME;
    for (uint64_t i = 0; i < looks_n && status == RED_OK; i++) {
        const uint64_t some[RESULTS_BLOCKS_SOME] = {0,
                                                    blocks_n - 1,
                                                    changed % blocks_n,
                                                    (changed + 1) % blocks_n,
                                                    red_random(&random) % blocks_n,
                                                    red_random(&random) % blocks_n};
        status =
            check_results_block(prepared, truth, n, looks_n == blocks_n ? i : some[i], room, evidence, error);
    }
    free(room);
    return status;
}

/* Checks the last answer; of segments all of them. */
static enum red_status check_answer(const struct red_prepared *prepared, struct red_evidence *evidence,
                                    struct red_error *error) {
    const struct red_guard *guard = &prepared->guards[prepared->turn];
    enum red_status status = check_guarded_answer(guard, prepared->value, segment_answers(prepared), error);
    if (status == RED_E_WRONG && prepared->spec.data.segments_n <= 1)
        red_truth_find_evidence(&guard->watches[0].truth, prepared->chain, prepared->value, evidence);
    return status;
}

enum red_status red_prepared_check(const struct red_prepared *prepared, struct red_evidence *evidence,
                                   struct red_error *error) {
    struct red_evidence unused;
    return prepared->guards == NULL
               ? RED_OK
               : hooks_of(prepared)->check(prepared, evidence != NULL ? evidence : &unused, error);
}

/* ---- primitives ---------------------------------------------------------------------------------------- */

#define HOOKS_OF_RESULTS(name)                                                                               \
    { make_room_for_results, name##_in_sequence, name##_by_openmp, false, check_results }
#define ROW_OF_RESULTS(id, name) [RED_PRIMITIVE_##id] = HOOKS_OF_RESULTS(name),
static const struct prepared_hooks hooks_of_primitives[RED_PRIMITIVES_N] = {
    [RED_PRIMITIVE_REDUCE] = {make_room_for_reductions, reduce_in_sequence, reduce_by_openmp, true,
                              check_answer},
    RED_RESULT_PRIMITIVES(ROW_OF_RESULTS)};

static const struct prepared_hooks *hooks_of(const struct red_prepared *prepared) {
    return &hooks_of_primitives[prepared->spec.data.op->primitive];
}

/* ---- stale answers ------------------------------------------------------------------------------------- */

/* Calls the plan with poisoned outputs: RED_E_WRONG if the driver has skipped a launch. */
static enum red_status check_stale_once(struct red_prepared *prepared, unsigned char poison,
                                        struct red_error *error) {
    enum red_status status = red_plan_poison(prepared->plan, poison, error);
    if (status == RED_OK && reduce_once(prepared) != RED_OK)
        status = fail_call(prepared, error);
    return status == RED_OK ? red_prepared_check(prepared, NULL, error) : status;
}

/* It is called after the first batch of a round of bench, and after blocks of a duel ("doubts"). */
enum red_status red_prepared_check_stale(struct red_prepared *prepared, struct red_error *error) {
    double start_s = red_clock_s();
    enum red_status status = RED_OK;
    for (int i = 0; i < STALE_CHECKS_MAX && prepared->plan != NULL && status == RED_OK; i++) {
        if (i > 0 && red_clock_s() - start_s > STALE_CHECKS_S)
            break;
        status = check_stale_once(
            prepared,
            red_op_accumulator_poison_byte(prepared->spec.data.op, prepared->spec.data.dtype, i % 2 != 0),
            error);
    }
    return status;
}

/* It is called for the shapes iterate, computed and changed, before they are timed. */
enum red_status red_prepared_check_turns(struct red_prepared *prepared, struct red_error *error) {
    unsigned arrays_n = prepared->spec.arrays_n;
    for (unsigned i = 0; arrays_n > 1 && i < 2 * arrays_n; i++) {
        struct red_error found = {.text = ""};
        enum red_status status = reduce_once(prepared);
        if (status != RED_OK)
            return red_fail(error, status, "%s", prepared->error.text);
        status = red_prepared_check(prepared, NULL, &found);
        if (status != RED_OK)
            return red_fail(error, status, "in turns: data %u of %u, which take the others' place: %.200s",
                            prepared->turn + 1, arrays_n, found.text);
    }
    return RED_OK;
}

/* ---- timing -------------------------------------------------------------------------------------------- */

/* Finds the mean of as many calls as take a millisecond, where one takes less than a step of the clock. */
static enum red_status time_many_calls(struct red_prepared *prepared, double *call_s,
                                       struct red_error *error) {
    for (uint64_t calls = 16;; calls *= 2) {
        double start_s = red_clock_s();
        for (uint64_t i = 0; i < calls; i++)
            if (red_prepared_call(prepared) != 0)
                return fail_call(prepared, error);
        double spent_s = red_clock_s() - start_s;
        *call_s = fmax(spent_s, 1e-9) / (double)calls;
        if (spent_s > 1e-3 || calls >= UINT64_C(1) << 24)
            return RED_OK;
    }
}

/* Warms a case up; the times decide on batches of bench and duel, and on projections. */
enum red_status red_prepared_time(struct red_prepared *prepared, size_t calls_max, double limit_s,
                                  struct red_call_time *time, struct red_error *error) {
    double calls_s[CALLS_MAX], start_s = red_clock_s();
    size_t n = 0;
    while (n < calls_max && n < CALLS_MAX && (n == 0 || red_clock_s() - start_s < limit_s)) {
        double call_start_s = red_clock_s();
        if (red_prepared_call(prepared) != 0)
            return fail_call(prepared, error);
        calls_s[n++] = red_clock_s() - call_start_s;
    }
    gsl_sort(calls_s, 1, n);
    time->shortest_s = calls_s[0];
    time->typical_s = gsl_stats_median_from_sorted_data(calls_s, 1, n);
    if (time->shortest_s > 0)
        return RED_OK;
    enum red_status status = time_many_calls(prepared, &time->shortest_s, error);
    time->typical_s = time->shortest_s;
    return status;
}
