/* What `clreduce emit` has written beside clreduce itself, in one process, on the same data, by the same
 * queue.
 *
 *   emitted DEVICE STRATEGY N ROUNDS
 *
 * Both take turns; of each turn the first batch of calls pays for the switch, and the shortest of the
 * others counts. Prints "SUITE EMITTED RATIO": medians over the rounds of the time of a call in us, and of
 * the ratio emitted : suite. Built by bench/emitting/emitted, for sums of f32; with SCAN for inclusive scans,
 * with HISTOGRAM for counts; with BESIDE_OPENMP for counts of u8, the suite's place taken by the loop that a
 * C programmer writes with OpenMP. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "cl/device.h"
#include "cl/plan.h"
#include "core/clock.h"
#include "emitted_side.h"
#include "host/reference.h"
#include "model/catalogue.h"
#include "model/input.h"
#include "stats/statistics.h"

enum { BATCHES = 4, CALLS_MAX = 100000 };
static const double BATCH_S = 0.0005;

/* Both sides of the race. */
struct pair {
    struct red_resident *resident;
    struct red_plan *plan;
    struct emitted_side *emitted;
    unsigned calls_n; /* in a batch */
    uint64_t n;
    float emitted_value;
    struct red_value suite_value;
    cl_mem results; /* of what was emitted, but a reduction; those of the suite's are the plan's own */
    const void *array;
};

/* ---- what differs by primitive ------------------------------------------------------------------------- */

/* The data give the same bits in every order of additions; results have 4 bytes. */
#ifdef REDUCE
static const char op_name[] = "sum";
enum { PATTERN = RED_PATTERN_WEIGHTS, BINS_N = 0 };

static cl_int make_emitted(struct pair *pair, char **message) {
    struct red_device *device = pair->resident->device;
    cl_int code;
    pair->emitted = emitted_side_create(device->context, device->cl_device, &code, message);
    return code;
}

static cl_int call_emitted(struct pair *pair) {
    return emitted_side_run(pair->emitted, pair->resident->device->queue, pair->resident->buffers[0], pair->n,
                            &pair->emitted_value);
}

static enum red_status compare_answers(const struct pair *pair, struct red_error *error) {
    return memcmp(&pair->emitted_value, &pair->suite_value.bits, sizeof(float)) == 0
               ? RED_OK
               : red_fail(error, RED_E_WRONG, "the two differ: %.9g", (double)pair->emitted_value);
}
#else
#ifdef SCAN
static const char op_name[] = "inclusive_sum";
enum { PATTERN = RED_PATTERN_WALK, BINS_N = 0 };
#else
static const char op_name[] = "count";
enum { PATTERN = RED_PATTERN_UNIFORM, BINS_N = emitted_side_bins_n };
#endif

#ifdef BESIDE_OPENMP
static const char type_name[] = "u8";
static cl_uint openmp_counts[BINS_N + 1]; /* the last one stays 0: each byte has a bin */

/* In place of a call of the suite. */
static enum red_status call_suite(struct pair *pair, struct red_error *error) {
    const uint8_t *x = pair->array;
    (void)error;
    memset(openmp_counts, 0, sizeof openmp_counts);
#pragma omp parallel
    {
        cl_uint mine[BINS_N] = {0};
#pragma omp for nowait
        for (uint64_t i = 0; i < pair->n; i++)
            mine[x[i]]++;
#pragma omp critical
        for (int bin = 0; bin < BINS_N; bin++)
            openmp_counts[bin] += mine[bin];
    }
    return RED_OK;
}

static enum red_status read_suite(const struct pair *pair, void *results, size_t bytes,
                                  struct red_error *error) {
    (void)pair, (void)error;
    memcpy(results, openmp_counts, bytes);
    return RED_OK;
}
#else
static enum red_status read_suite(const struct pair *pair, void *results, size_t bytes,
                                  struct red_error *error) {
    return red_plan_read_results(pair->plan, 0, bytes / sizeof(float), results, error);
}
#endif

static size_t results_bytes(const struct pair *pair) {
    return sizeof(float) * red_results_n(red_op_find(op_name), pair->n, BINS_N);
}

static cl_int make_emitted(struct pair *pair, char **message) {
    struct red_device *device = pair->resident->device;
    cl_int code;
    pair->results = clCreateBuffer(device->context, CL_MEM_READ_WRITE, results_bytes(pair), NULL, &code);
    if (code == CL_SUCCESS)
        pair->emitted = emitted_side_create(device->context, device->cl_device, pair->n, &code, message);
    return code;
}

static cl_int call_emitted(struct pair *pair) {
    return emitted_side_run(pair->emitted, pair->resident->device->queue, pair->resident->buffers[0],
                            pair->results, pair->n);
}

/* RED_E_WRONG unless both sides have left the same results. */
static enum red_status compare_answers(const struct pair *pair, struct red_error *error) {
    const size_t bytes = results_bytes(pair);
    char *ours = malloc(bytes), *theirs = malloc(bytes);
    enum red_status status = ours && theirs ? read_suite(pair, ours, bytes, error)
                                            : red_fail(error, RED_E_MEMORY, "no memory for results");
    if (status == RED_OK)
        status = red_cl_check(red_cl_read(pair->resident->device->queue, pair->results, 0, theirs, bytes),
                              "clEnqueueReadBuffer", error);
    if (status == RED_OK && memcmp(ours, theirs, bytes) != 0)
        status = red_fail(error, RED_E_WRONG, "the results differ");
    free(ours);
    free(theirs);
    return status;
}
#endif

#ifndef BESIDE_OPENMP
static const char type_name[] = "f32";

static enum red_status call_suite(struct pair *pair, struct red_error *error) {
    return red_plan_run(pair->plan, &pair->suite_value, error);
}
#endif

/* ---- the race ------------------------------------------------------------------------------------------ */

/* One call of either side. */
static enum red_status call(struct pair *pair, bool emitted, struct red_error *error) {
    if (!emitted)
        return call_suite(pair, error);
    return call_emitted(pair) == CL_SUCCESS
               ? RED_OK
               : red_fail(error, RED_E_DEVICE, "%s", emitted_side_message(pair->emitted));
}

/* Seconds of a call, in the shortest batch but the first. */
static enum red_status time_batches(struct pair *pair, bool emitted, double *call_s,
                                    struct red_error *error) {
    enum red_status status = RED_OK;
    *call_s = INFINITY;
    for (unsigned batch = 0; batch < BATCHES && status == RED_OK; batch++) {
        const double start = red_clock_s();
        for (unsigned i = 0; i < pair->calls_n && status == RED_OK; i++)
            status = call(pair, emitted, error);
        if (batch > 0)
            *call_s = fmin(*call_s, (red_clock_s() - start) / pair->calls_n);
    }
    red_reference_stop_spinning();
    return status;
}

/* Finds how many calls take about BATCH_S. */
static enum red_status set_batch_calls(struct pair *pair, struct red_error *error) {
    enum red_status status = RED_OK;
    const double start = red_clock_s();
    unsigned calls_n = 0;
    for (; red_clock_s() - start < 0.2 && status == RED_OK; calls_n++)
        status = call(pair, calls_n % 2 != 0, error);
    const double calls = BATCH_S * calls_n / (red_clock_s() - start);
    pair->calls_n = calls < 1 ? 1 : calls > CALLS_MAX ? CALLS_MAX : (unsigned)calls;
    return status;
}

/* Times both sides in turns, and prints the medians. */
static enum red_status race(struct pair *pair, size_t rounds_n, struct red_error *error) {
    double *times = malloc(3 * rounds_n * sizeof *times), *suite = times, *emitted = times + rounds_n,
           *ratios = times + 2 * rounds_n;
    struct red_statistics found[3]; /* of these */
    enum red_status status =
        times ? set_batch_calls(pair, error) : red_fail(error, RED_E_MEMORY, "no memory for times");
    for (size_t i = 0; i < rounds_n && status == RED_OK; i++) {
        const bool first = i % 2 != 0; /* who begins takes turns, too */
        status = time_batches(pair, first, first ? &emitted[i] : &suite[i], error);
        if (status == RED_OK)
            status = time_batches(pair, !first, first ? &suite[i] : &emitted[i], error);
        ratios[i] = emitted[i] / suite[i];
    }
    if (status == RED_OK)
        status = compare_answers(pair, error);
    for (size_t i = 0; i < 3 && status == RED_OK; i++)
        status = red_statistics_find(times + i * rounds_n, rounds_n, &found[i], error);
    if (status == RED_OK)
        printf("%.4f %.4f %.5f\n", 1e6 * found[0].median, 1e6 * found[1].median, found[2].median);
    free(times);
    return status;
}

/* Makes both sides ready, on the same data. */
static enum red_status prepare(struct red_device *device, const struct red_strategy *strategy, uint64_t n,
                               struct red_input *input, struct pair *pair, struct red_error *error) {
    char *message = NULL;
    const struct red_op *op = red_op_find(op_name);
    struct red_data_spec data =
        red_data_spec_make(op, red_dtype_find(type_name), (struct red_data_kind){PATTERN, 0}, n, 1);
    data.bins_n = BINS_N;
    const struct red_case spec = red_case_make(&data, strategy, &(struct red_tuning){.group_size = 0});
    enum red_status status = red_input_make(&data, input, error);
    if (status == RED_OK)
        status = red_resident_create(device, input, &pair->resident, error);
    if (status == RED_OK)
        status = red_plan_create(pair->resident, &spec, &pair->plan, error);
    if (status != RED_OK)
        return status;
    pair->n = n;
    pair->array = input->arrays[0];
    if (make_emitted(pair, &message) != CL_SUCCESS)
        status = red_fail(error, RED_E_DEVICE, "%s", message ? message : "no memory");
    free(message);
    return status;
}

static enum red_status open_device(const char *id, struct red_device **device, struct red_error *error) {
    struct red_device_list *list = NULL;
    enum red_status status = red_device_list_create(&list, error);
    size_t i;
    if (status == RED_OK && red_device_list_select(list, id, &i, 1) == 1)
        status = red_device_open(list, i, device, error);
    red_device_list_destroy(list);
    return status != RED_OK || *device != NULL ? status : red_fail(error, RED_E_INPUT, "no device %s", id);
}

static enum red_status run(char **arguments, struct red_error *error) {
    struct red_catalogue *catalogue = NULL;
    struct red_device *device = NULL;
    struct red_input input = {.n = 0};
    struct pair pair = {.n = 0};
    enum red_status status = red_catalogue_create(&catalogue, error);
    if (status == RED_OK)
        status = open_device(arguments[1], &device, error);
    const struct red_strategy *strategy = red_catalogue_find(catalogue, arguments[2]);
    if (status == RED_OK && strategy == NULL)
        status = red_fail(error, RED_E_INPUT, "no strategy %s", arguments[2]);
    if (status == RED_OK)
        status = prepare(device, strategy, strtoull(arguments[3], NULL, 10), &input, &pair, error);
    if (status == RED_OK)
        status = race(&pair, strtoull(arguments[4], NULL, 10), error);
    emitted_side_destroy(pair.emitted);
    red_cl_release_buffers(&pair.results, 1);
    red_plan_destroy(pair.plan);
    red_resident_destroy(pair.resident);
    red_input_clear(&input);
    if (device != NULL)
        red_device_close(device);
    red_catalogue_destroy(catalogue);
    return status;
}

int main(int count, char **arguments) {
    struct red_error error = {.text = ""};
    if (count != 5 || strtoull(arguments[3], NULL, 10) == 0 || strtoull(arguments[4], NULL, 10) == 0) {
        fputs("Usage: emitted DEVICE STRATEGY N ROUNDS\n", stderr);
        return red_exit_status_of(RED_E_INPUT);
    }
    enum red_status status = run(arguments, &error);
    if (status != RED_OK)
        fprintf(stderr, "%s\n", error.text);
    return red_exit_status_of(status);
}
