/* Makes the measurements of `bench` in rounds, then device times and calls back to back. The user sees
 * "measuring, round 1 of 6, ..." on stderr, and all these times in the table and the result file:
 * time_to_answer, device_time_s and back_to_back_s of a cell, roof_bytes_per_s and event_floor_s of a
 * device. */
#include "run/bench.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cl/roof.h"
#include "core/clock.h"
#include "core/interrupt.h"
#include "core/random.h"
#include "model/primitive.h"
#include "results/steadiness.h"
#include "run/run_private.h"

/* A batch of calls back to back has as many calls as would take this long with waiting in between: what the
 * host waits at its end, 10 us and more, is then less than a hundredth of it (H200: 5.12 us for each of 100
 * calls, 5.03 of 200 or more). */
static const double BACK_TO_BACK_S = 0.005;

/* ---- roofs --------------------------------------------------------------------------------------------- */

/* Reading fewer bytes takes no longer than launching, so its rate says nothing about the memory. */
enum { ROOF_BYTES_MIN = 1 << 20 };

/* One of the arrays of a call has so many. They decide over which data the roof is measured. */
static uint64_t array_bytes(const struct red_case *spec) {
    return spec->data.n * spec->data.segments_n * spec->data.dtype->size_bytes;
}

/* The cell's measurement whose first array has the most bytes on this device; NULL if none has a MiB. */
static const struct red_measurement *largest_measurement(const struct red_bench *bench, size_t device) {
    const struct red_measurement *largest = NULL;
    for (size_t i = 0; i < bench->measurements_n; i++) {
        const struct red_measurement *measurement = &bench->measurements[i];
        if (measurement->cell != NULL && measurement->device == device &&
            measurement->spec.data.making != RED_MADE_IN_KERNEL &&
            array_bytes(&measurement->spec) >= ROOF_BYTES_MIN &&
            (largest == NULL || array_bytes(&measurement->spec) > array_bytes(&largest->spec)))
            largest = measurement;
    }
    return largest;
}

/* Adds a measurement of the kernel that only reads, in one of its forms, over the data of the measurement
 * `like`. */
static enum red_status prepare_and_add_roof(struct red_bench *bench, const struct red_measurement *like,
                                            unsigned form, struct red_error *error) {
    struct red_measurement measurement = {.device = like->device,
                                          .spec = red_case_make(&like->spec.data, NULL, NULL)};
    struct red_ready ready;
    measurement.spec.form = form;
    measurement.spec.keep = true;
    enum red_status status = red_client_prepare(red_bench_client(bench, measurement.device),
                                                &measurement.spec, 5, 0.05, &ready, error);
    if (status != RED_OK)
        return status;
    measurement.bytes = ready.bytes;
    red_measurement_plan(&measurement, ready.shortest_s, bench->run.time_per_cell_s, bench->run.clock_step_s);
    bench->measurements[bench->measurements_n++] = measurement;
    return RED_OK;
}

/* Adds a measurement that only reads, in each form, for each device; prints why one is missing. A device
 * without one is still measured; its share of the roof is left out. */
static void add_roofs(struct red_bench *bench) {
    for (size_t device = 0; device < bench->run.devices_n; device++) {
        const struct red_measurement *largest = largest_measurement(bench, device);
        for (unsigned form = 0; largest != NULL && form < (device ? RED_ROOF_FORMS_N : 1); form++) {
            struct red_error error = {.text = ""};
            if (prepare_and_add_roof(bench, largest, form, &error) != RED_OK)
                fprintf(stderr, "no %s of form %u on %s: %s\n",
                        red_primitives[largest->spec.data.op->primitive].roof, form + 1,
                        bench->run.devices[device].info.id, error.text);
        }
        if (device == 0)
            red_client_stop_spinning(bench->session->host);
    }
}

/* Keeps the rate of a roof's measurement in its device if it is the best: times are shown as a share of it.
 */
static void keep_roof_rate_if_best(struct red_run *run, const struct red_measurement *measurement) {
    struct red_statistics time;
    if (measurement->samples_n == 0 ||
        red_statistics_find(measurement->real_s, measurement->samples_n, &time, NULL) != RED_OK)
        return;
    struct red_run_device *device = &run->devices[measurement->device];
    double bytes_per_s = measurement->bytes / time.median;
    device->roof_best_bytes_per_s = fmax(device->roof_best_bytes_per_s, measurement->bytes / time.min);
    if (bytes_per_s > device->roof_bytes_per_s) {
        device->roof_bytes_per_s = bytes_per_s;
        device->roof_bytes = measurement->bytes;
    }
}

/* ---- rounds -------------------------------------------------------------------------------------------- */

/* What is measured in one pass of a round, in this order: a batch of each. */
struct pass_list {
    struct red_measurement **measurements;
    size_t measurements_n;
    uint64_t random;
};

/* Drops the measurement's samples and puts the error into its cell and the checkpoint: a result was wrong, or
 * the driver failed. */
static void give_up_measurement(struct red_bench *bench, struct red_measurement *measurement,
                                const char *when, const struct red_error *error) {
    struct red_cell *cell = measurement->cell;
    measurement->samples_n = 0;
    measurement->batches = 0;
    if (cell == NULL)
        return;
    cell->state = red_state_of(error->status);
    cell->untried =
        measurement->device > 0 && red_client_is_lost(red_bench_client(bench, measurement->device));
    cell->device_s = cell->launches.n = 0;
    if (error->status == RED_E_WRONG)
        snprintf(cell->reason, sizeof cell->reason, "a result went wrong %s: %.400s", when, error->text);
    else
        snprintf(cell->reason, sizeof cell->reason, "%.500s", error->text);
    red_bench_mark_if_known_bug(bench, cell);
    red_bench_checkpoint_cell(bench, cell, NULL);
}

enum red_status red_measurement_time_batch(struct red_bench *bench, struct red_measurement *measurement,
                                           const struct red_batch_care *care, struct red_gbench_time *time) {
    struct red_error error = {.text = ""};
    enum red_status status =
        red_client_batch(red_bench_client(bench, measurement->device), &measurement->spec, measurement->calls,
                         care, red_measurement_batch_s(measurement), time, &error);
    if (status != RED_OK && status != RED_E_INTERRUPTED)
        give_up_measurement(bench, measurement, "while it was timed", &error);
    return status;
}

/* Times one batch of the measurement and adds the sample. A failure drops all its samples. */
static void measure_and_add_sample(struct red_bench *bench, struct red_measurement *measurement,
                                   const struct red_batch_care *care) {
    struct red_gbench_time time;
    if (red_measurement_time_batch(bench, measurement, care, &time) == RED_OK &&
        measurement->samples_n < measurement->batches) {
        measurement->real_s[measurement->samples_n] = time.real_s;
        measurement->cpu_s[measurement->samples_n++] = time.cpu_s;
        red_bench_checkpoint_sample(bench, measurement);
    }
}

/* Puts into list->measurements, in random order, what is measured in this pass of the round: live
 * measurements of the device with so many batches per round, in a run that is resumed only those without that
 * sample. False behind the last pass; in a pass of a resumed run there may be no measurements. */
static bool list_pass(struct red_bench *bench, size_t device, size_t round, unsigned pass,
                      struct pass_list *list) {
    bool has_pass = false;
    list->measurements_n = 0;
    for (size_t i = 0; i < bench->measurements_n; i++) {
        struct red_measurement *measurement = &bench->measurements[i];
        size_t passes_n = measurement->batches / RED_ROUNDS_N;
        if (measurement->device != device || !red_measurement_is_live(measurement) || pass >= passes_n)
            continue;
        has_pass = true;
        if (measurement->samples_n <= round * passes_n + pass)
            list->measurements[list->measurements_n++] = measurement;
    }
    red_random_shuffle(list->measurements, list->measurements_n, sizeof(struct red_measurement *),
                       &list->random);
    return has_pass;
}

/* Runs all batches of one device in one round, pass by pass; `list` is room for them. */
static void run_device_round(struct red_bench *bench, size_t device, size_t round, struct pass_list *list) {
    for (unsigned pass = 0; !red_interrupted() && list_pass(bench, device, round, pass, list); pass++) {
        for (size_t i = 0; i < list->measurements_n && !red_interrupted(); i++)
            measure_and_add_sample(bench, list->measurements[i],
                                   &(struct red_batch_care){.wake_s = pass == 0 && i == 0 ? RED_WAKE_S : 0,
                                                            .check_stale = pass == 0});
    }
    if (device == 0)
        red_client_stop_spinning(bench->session->host);
}

/* Runs the batches of all measurements, in six rounds, one device at a time; shows progress. */
static enum red_status run_rounds(struct red_bench *bench, struct red_error *error) {
    struct pass_list list = {.measurements =
                                 calloc(bench->measurements_n + 1, sizeof(struct red_measurement *)),
                             .random = bench->run.seed};
    enum red_status status =
        list.measurements ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for measuring");
    double start_s = red_clock_s(), phases_n = RED_ROUNDS_N * (double)bench->run.devices_n;
    for (size_t round = 0; round < RED_ROUNDS_N && status == RED_OK; round++) {
        for (size_t device = 0; device < bench->run.devices_n; device++) {
            char what[160];
            snprintf(what, sizeof what, "measuring, round %zu of %d, %s", round + 1, RED_ROUNDS_N,
                     bench->run.devices[device].info.id);
            red_progress(what, (double)(round * bench->run.devices_n + device) / phases_n, start_s);
            run_device_round(bench, device, round, &list);
        }
    }
    red_progress_end();
    free(list.measurements);
    return status;
}

/* ---- device time --------------------------------------------------------------------------------------- */

/* Sorts the times. The mean of the middle four fifths, without the ends even of a few: where the clock of
 * events steps by 1 us (NVIDIA's driver 580), a median would step, too, while the mean of many runs resolves
 * tenths. */
static double middle_mean(struct red_samples *times) {
    gsl_sort(times->s, 1, times->n);
    return gsl_stats_trmean_from_sorted_data(fmax(0.1, 1.5 / (double)times->n), times->s, 1, times->n);
}

/* Asks each device, and keeps in the run whether its event times can be trusted. If not, it says so, and
 * reports have no device time. */
static void check_event_clocks(struct red_bench *bench) {
    for (size_t d = 1; d < bench->run.devices_n && !red_interrupted(); d++) {
        struct red_run_device *device = &bench->run.devices[d];
        (void)red_client_event_clock(red_bench_client(bench, d), &device->event_clock, NULL);
        if (!device->event_clock.trusted)
            fprintf(stderr, "%s: event times untrusted (%s); times to answer are by the host's clock alone\n",
                    device->info.id, device->event_clock.reason);
    }
}

/* Asks each device with trusted event times for the shortest time that events can show. */
static void measure_event_floors(struct red_bench *bench) {
    struct red_samples times;
    for (size_t d = 1; d < bench->run.devices_n && !red_interrupted(); d++)
        if (bench->run.devices[d].event_clock.trusted &&
            red_client_event_floor(red_bench_client(bench, d), &times, NULL) == RED_OK && times.n > 0)
            bench->run.devices[d].event_floor_s = middle_mean(&times);
}

/* Keeps in the cell the times of each launch of a call that has several; of one alone they are its device
 * time. */
static void keep_launch_times(struct red_cell *cell, struct red_profile *profile) {
    struct red_launch_times *launches = &cell->launches;
    launches->n = profile->launches_n > 1 ? (unsigned)profile->launches_n : 0;
    for (unsigned i = 0; i < launches->n; i++) {
        launches->s[i] = middle_mean(&profile->launches[i].times);
        launches->gap_s[i] = middle_mean(&profile->launches[i].gaps);
    }
}

/* Profiles the measurement for the device time of its cell, or notes there why it has none. A measurement
 * that crashes or hangs meanwhile is given up. */
static void measure_device_time(struct red_bench *bench, struct red_measurement *measurement) {
    struct red_cell *cell = measurement->cell;
    struct red_error error = {.text = ""};
    struct red_profile profile;
    const struct red_event_clock *event_clock = &bench->run.devices[measurement->device].event_clock;
    if (!event_clock->trusted) {
        snprintf(cell->device_time_note, sizeof cell->device_time_note, "event times untrusted: %.100s",
                 event_clock->reason);
        return;
    }
    enum red_status status = red_client_profile(red_bench_client(bench, measurement->device),
                                                &measurement->spec, cell->call_s, &profile, &error);
    if (status == RED_OK && profile.runs.n > 0) {
        cell->device_s = middle_mean(&profile.runs);
        keep_launch_times(cell, &profile);
    }
    if (status == RED_OK)
        return;
    snprintf(cell->device_time_note, sizeof cell->device_time_note, "%.120s", error.text);
    if (status == RED_E_CRASHED || status == RED_E_TIMED_OUT)
        give_up_measurement(bench, measurement, "while it was profiled", &error);
}

/* Times batches of at least two calls, each enqueued behind the one before. The time stays unknown where the
 * driver refuses, and where calls take turns with several arrays. */
static void measure_back_to_back(struct red_bench *bench, struct red_measurement *measurement) {
    struct red_cell *cell = measurement->cell;
    struct red_error error = {.text = ""};
    struct red_samples times;
    uint64_t calls_n = (uint64_t)fmax(2, BACK_TO_BACK_S / cell->call_s);
    if (measurement->spec.arrays_n > 1)
        return;
    enum red_status status =
        red_client_back_to_back(red_bench_client(bench, measurement->device), &measurement->spec, calls_n,
                                3 * cell->call_s, &times, &error);
    if (status == RED_OK && times.n > 0)
        cell->back_to_back_s = gsl_stats_median(times.s, 1, times.n);
    else if (status == RED_E_WRONG || status == RED_E_CRASHED || status == RED_E_TIMED_OUT)
        give_up_measurement(bench, measurement, "after calls back to back", &error);
}

/* Measures device time and back-to-back time of a measurement with enough samples, and fills its cell with
 * these, the samples, which the measurement gives away, and their statistics. */
static enum red_status measure_rest_and_fill_cell(struct red_bench *bench,
                                                  struct red_measurement *measurement,
                                                  struct red_error *error) {
    struct red_cell *cell = measurement->cell;
    if (measurement->samples_n < RED_ROUNDS_N ||
        !red_measurement_is_live(measurement)) /* fewer have no 95 % interval */
        return RED_OK;
    if (measurement->device > 0 && !cell->settled && !red_interrupted())
        measure_device_time(bench, measurement);
    if (measurement->device > 0 && !cell->settled && red_measurement_is_live(measurement) &&
        !red_interrupted())
        measure_back_to_back(bench, measurement);
    if (!red_measurement_is_live(measurement))
        return RED_OK;
    if (!bench->run.devices[measurement->device].event_clock.trusted)
        cell->device_s = cell->launches.n = 0; /* of a run that was resumed */
    if (!cell->settled && !red_interrupted())
        red_bench_checkpoint_settled(bench, cell);
    enum red_status status =
        red_statistics_find(measurement->real_s, measurement->samples_n, &cell->time, error);
    cell->samples_n = status == RED_OK ? measurement->samples_n : 0;
    cell->samples_s = measurement->real_s; /* the cell's from now on */
    cell->cpu_s = measurement->cpu_s;
    measurement->real_s = measurement->cpu_s = NULL;
    cell->calls_per_sample = measurement->calls;
    return status;
}

/* Makes a cell pending again whose samples are too few since the run was interrupted. */
static void make_unmeasured_pending(struct red_measurement *measurement) {
    if (measurement->cell == NULL || measurement->samples_n >= RED_ROUNDS_N ||
        measurement->cell->state != RED_STATE_PASS)
        return;
    measurement->cell->state = RED_STATE_PENDING;
    snprintf(measurement->cell->reason, sizeof measurement->cell->reason,
             "right, but the run was interrupted before there were six samples");
}

/* cli/cmd_bench.c prints "... cells verified in 9 s; measuring takes about 40 s" from it. */
double red_bench_batches_estimate_s(const struct red_bench *bench) {
    double total_s = 0;
    for (size_t i = 0; i < bench->measurements_n; i++)
        total_s += red_measurement_batch_s(&bench->measurements[i]) * bench->measurements[i].batches;
    return total_s;
}

enum red_status red_bench_measure(struct red_bench *bench, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t device = 1; device < bench->run.devices_n; device++)
        red_client_stop_probers(red_bench_client(bench, device));
    check_event_clocks(bench);
    add_roofs(bench);
    for (size_t i = 0; i < bench->measurements_n && status == RED_OK; i++)
        if (bench->measurements[i].real_s == NULL)
            status = red_measurement_make_room(&bench->measurements[i], error);
    struct red_processor_times begin, end;
    red_processor_times_find(&begin);
    if (status == RED_OK)
        status = run_rounds(bench, error);
    red_processor_times_find(&end);
    red_run_put_processor_times(&bench->run, &begin, &end);
    if (status == RED_OK)
        measure_event_floors(bench);
    for (size_t i = 0; i < bench->measurements_n && status == RED_OK; i++) {
        if (bench->measurements[i].cell == NULL)
            keep_roof_rate_if_best(&bench->run, &bench->measurements[i]);
        else
            status = measure_rest_and_fill_cell(bench, &bench->measurements[i], error);
        make_unmeasured_pending(&bench->measurements[i]);
    }
    if (status == RED_OK)
        (void)red_run_mark_implausible(&bench->run, red_host_all_caches_bytes());
    red_run_judge_steadiness(&bench->run);
    return status == RED_OK && red_interrupted()
               ? red_fail(error, RED_E_INTERRUPTED, "interrupted while measuring; what there is was written")
               : status;
}
