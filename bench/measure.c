#include "bench/measure.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/current.h"
#include "device/event.h"
#include "model/clock.h"
#include "model/random.h"
#include "oracle/reference.h"

/* More than the least while they take less than PROFILED_S together. */
enum { PROFILED_RUNS_MIN = 5, PROFILED_RUNS_MAX = 41 };
static const double PROFILED_S = 0.01;

/* Of calls back to back; a batch takes about so long, or less, as nothing is waited for in it. */
enum { BATCHES_MAX = 5 };
static const double BATCH_S = 0.002;

/* ---- roofs -----------------------------------------------------------------------------------------------
 */

/* Reading less than this takes no longer than launching: that would be no roof. */
enum { ROOF_BYTES_MIN = 1 << 20 };

/* The data whose first array has the most bytes that this device holds; NULL if there is none. */
static struct red_dataset *largest_dataset(struct red_bench *bench, size_t device) {
    struct red_dataset *largest = NULL;
    for (size_t i = 0; i < bench->datasets_n; i++) {
        struct red_dataset *dataset = &bench->datasets[i];
        bool resident = device == 0 || dataset->residents[device - 1] != NULL;
        if (resident && dataset->input.array_bytes >= ROOF_BYTES_MIN &&
            (largest == NULL || dataset->input.array_bytes > largest->input.array_bytes))
            largest = dataset;
    }
    return largest;
}

static enum red_status add_roof(struct red_bench *bench, size_t device, struct red_dataset *dataset,
                                unsigned form, struct red_error *error) {
    struct red_work work = {.device = device, .data = dataset, .data_n = 1, .reductions = 1, .form = form};
    if (device > 0) {
        enum red_status status = red_roof_create(dataset->residents[device - 1], form, &work.roof, error);
        if (status != RED_OK)
            return status;
    }
    red_current_begin(red_patience_s(dataset->input.n, 0), "measuring the read roof of %s",
                      bench->run.devices[device].info.id);
    double call_s = red_work_shortest_call(&work, 5, 0.05);
    red_current_end();
    if (call_s < 0) {
        red_work_clear(&work);
        return red_fail(error, RED_E_DEVICE, "the roof's kernel failed: %s", work.error.text);
    }
    red_work_plan(&work, call_s, bench->run.time_per_cell_s, bench->run.clock_step_s);
    bench->works[bench->works_n++] = work;
    return RED_OK;
}

/* A device without a roof is still measured: its table lacks the share. */
static void add_roofs(struct red_bench *bench) {
    for (size_t device = 0; device < bench->run.devices_n; device++) {
        struct red_dataset *dataset = largest_dataset(bench, device);
        struct red_error error = {.text = ""};
        enum red_status status = RED_OK;
        for (unsigned form = 0; dataset != NULL && form < (device ? RED_ROOF_FORMS_N : 1) && status == RED_OK;
             form++)
            status = add_roof(bench, device, dataset, form, &error);
        if (status != RED_OK)
            fprintf(stderr, "no read roof on %s: %s\n", bench->run.devices[device].info.id, error.text);
        if (device == 0)
            red_reference_rest();
    }
}

static void settle_roof(struct red_run *run, const struct red_work *work) {
    struct red_statistics time;
    if (work->samples_n == 0 || red_statistics_find(work->samples_s, work->samples_n, &time, NULL) != RED_OK)
        return;
    struct red_run_device *device = &run->devices[work->device];
    uint64_t bytes = work->roof ? red_roof_bytes(work->roof)
                                : work->data->input.n * work->data->input.dtype->size_bytes / 8 * 8;
    double bytes_per_s = (double)bytes / time.median;
    if (bytes_per_s > device->roof_bytes_per_s) {
        device->roof_bytes_per_s = bytes_per_s;
        device->roof_bytes = bytes;
    }
}

/* ---- rounds ----------------------------------------------------------------------------------------------
 */

/* The batches of one phase, in the order in which they run. */
struct phase {
    struct red_work **works;
    size_t works_n;
    uint64_t random;
};

/* The order of batches follows from the seed (Fisher and Yates). */
static void shuffle(struct phase *phase) {
    for (size_t i = phase->works_n; i > 1; i--) {
        size_t j = (size_t)(red_random(&phase->random) % i);
        struct red_work *other = phase->works[j];
        phase->works[j] = phase->works[i - 1];
        phase->works[i - 1] = other;
    }
}

/* "wg:256", and what else the user asked for. What tuning finds may differ from run to run, and a name must
 * not: rows of two runs are compared by it. */
static void choice_print(const struct red_cell *cell, char *text, size_t text_bytes) {
    const struct red_tuning *asked = &cell->asked;
    char group_size[24] = "tuned", groups[32] = "", lanes[32] = "";
    if (!cell->tuned)
        snprintf(group_size, sizeof group_size, "%zu", cell->geometry.group_size);
    if (asked->groups_n > 0)
        snprintf(groups, sizeof groups, "/groups:%llu", (unsigned long long)asked->groups_n);
    if (asked->width > 0)
        snprintf(lanes, sizeof lanes, "/lanes:%ux%u", asked->width, asked->loads);
    snprintf(text, text_bytes, "wg:%s%s%s", group_size, groups, lanes);
}

static void work_name(const struct red_run *run, const struct red_work *work, char *name, size_t name_bytes) {
    const char *device = run->devices[work->device].info.id;
    const struct red_cell *cell = work->cell;
    if (cell == NULL)
        snprintf(name, name_bytes, "%s/roof/%llu_bytes/form:%u", device,
                 (unsigned long long)(work->data->input.n * work->data->input.dtype->size_bytes), work->form);
    else {
        char choice[80];
        choice_print(cell, choice, sizeof choice);
        snprintf(name, name_bytes, "%s/%s/%s/%s/%s/n:%llu", device, cell->strategy->name, cell->op->name,
                 cell->dtype->name, choice, (unsigned long long)cell->n);
    }
}

/* A result that turns wrong while being timed takes its times with it. */
static void check_result(struct red_work *work, const char *when) {
    struct red_cell *cell = work->cell;
    if (cell == NULL || cell->state != RED_STATE_PASS)
        return;
    char got[64] = "";
    if (work->error.status == RED_OK && red_work_is_right(work, got, sizeof got))
        return;
    cell->state = work->error.status != RED_OK ? red_state_of(work->error.status) : RED_STATE_WRONG;
    if (work->error.status != RED_OK)
        snprintf(cell->reason, sizeof cell->reason, "%.500s", work->error.text);
    else
        snprintf(cell->reason, sizeof cell->reason, "a result went wrong %s: got %s", when, got);
    work->samples_n = 0;
    cell->device_s = 0;
}

static bool is_live(const struct red_work *work) {
    return work->cell == NULL || work->cell->state == RED_STATE_PASS;
}

/* The result of a batch's last call is checked, too. */
static void take_sample(void *context, size_t index, double seconds_per_call) {
    struct phase *phase = context;
    struct red_work *work = phase->works[index];
    check_result(work, "while it was timed");
    if (work->samples_n < work->samples_room && is_live(work))
        work->samples_s[work->samples_n++] = seconds_per_call / work->reductions;
}

/* Adds the pass-th batch of every live work of the device that has so many in a round, in random order. */
static int add_pass(struct red_bench *bench, struct red_gbench *gbench, size_t device, unsigned pass,
                    struct phase *phase) {
    int failed = 0;
    phase->works_n = 0;
    for (size_t i = 0; i < bench->works_n; i++) {
        struct red_work *work = &bench->works[i];
        if (work->device == device && is_live(work) && pass < work->batches / RED_ROUNDS_N)
            phase->works[phase->works_n++] = work;
    }
    shuffle(phase);
    for (size_t i = 0; i < phase->works_n; i++) {
        char name[160];
        work_name(&bench->run, phase->works[i], name, sizeof name);
        failed |= red_gbench_add(gbench, name, red_work_call, phase->works[i], phase->works[i]->calls);
    }
    return failed;
}

/* What a batch is expected to take, with the calls before it. */
static double batch_s(const struct red_work *work) {
    return work->call_s * (double)(work->calls + red_gbench_untimed(work->calls));
}

/* Ten times what the calls of a pass are expected to take, and two minutes. */
static unsigned patience_s(const struct phase *phase) {
    double expected_s = 0;
    for (size_t i = 0; i < phase->works_n; i++)
        expected_s += batch_s(phase->works[i]);
    return red_patience_s(0, expected_s);
}

/* One device's turn in one round. Its first work is called a few times before, so that sleeping workers wake
 * up. */
static enum red_status run_phase(struct red_bench *bench, struct red_gbench *gbench, size_t device,
                                 struct phase *phase, struct red_error *error) {
    int failed = 0;
    for (unsigned pass = 0; failed == 0; pass++) {
        failed = add_pass(bench, gbench, device, pass, phase);
        if (phase->works_n == 0)
            break;
        red_current_begin(patience_s(phase), "measuring on %s", bench->run.devices[device].info.id);
        if (pass == 0)
            (void)red_work_shortest_call(phase->works[0], 1000, 0.005);
        failed |= red_gbench_run(gbench, take_sample, phase);
        red_current_end();
        /* The batch in which a call failed never comes to take_sample. */
        for (size_t i = 0; i < phase->works_n; i++)
            if (phase->works[i]->error.status != RED_OK)
                check_result(phase->works[i], "while it was timed");
    }
    if (device == 0)
        red_reference_rest();
    return failed ? red_fail(error, RED_E_MEMORY, "Google Benchmark could not run") : RED_OK;
}

/* What went wrong while it was timed, or failed, has no rows to be compared. */
static void drop_rows(struct red_bench *bench, struct red_gbench *gbench) {
    for (size_t i = 0; i < bench->works_n; i++) {
        char name[160];
        work_name(&bench->run, &bench->works[i], name, sizeof name);
        if (!is_live(&bench->works[i]))
            red_gbench_drop(gbench, name);
    }
}

static enum red_status run_rounds(struct red_bench *bench, struct red_gbench *gbench,
                                  struct red_error *error) {
    struct phase phase = {.works = calloc(bench->works_n + 1, sizeof(struct red_work *)),
                          .random = bench->run.seed};
    enum red_status status = phase.works ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for measuring");
    double start_s = red_clock_s(), phases_n = RED_ROUNDS_N * (double)bench->run.devices_n;
    for (size_t round = 0; round < RED_ROUNDS_N && status == RED_OK; round++) {
        for (size_t device = 0; device < bench->run.devices_n && status == RED_OK; device++) {
            char what[96];
            snprintf(what, sizeof what, "measuring, round %zu of %d, %s", round + 1, RED_ROUNDS_N,
                     bench->run.devices[device].info.id);
            red_progress(what, (double)(round * bench->run.devices_n + device) / phases_n, start_s);
            status = run_phase(bench, gbench, device, &phase, error);
        }
    }
    red_progress_end();
    free(phase.works);
    return status;
}

/* ---- device time -----------------------------------------------------------------------------------------
 */

/* The mean of the middle four fifths, without the ends even of a few: where the clock of events steps by 1 us
 * (NVIDIA's driver 580), a median would step, too, while the mean of many runs tells tenths. */
static double middle_mean(double *times_s, size_t n) {
    gsl_sort(times_s, 1, n);
    return gsl_stats_trmean_from_sorted_data(fmax(0.1, 1.5 / (double)n), times_s, 1, n);
}

/* Without event times there is no floor either. */
static void find_event_floors(struct red_bench *bench) {
    double times_s[PROFILED_RUNS_MAX];
    for (size_t d = 1; d < bench->run.devices_n; d++) {
        struct red_run_device *device = &bench->run.devices[d];
        red_current_begin(red_patience_s(0, 0), "profiling an empty kernel on %s", device->info.id);
        if (red_floor_find(bench->session->devices[d - 1], times_s, PROFILED_RUNS_MAX, NULL) == RED_OK)
            device->event_floor_s = middle_mean(times_s, PROFILED_RUNS_MAX);
        red_current_end();
    }
}

static void find_device_time(struct red_work *work) {
    struct red_error error = {.text = ""};
    double times_s[PROFILED_RUNS_MAX], start_s = red_clock_s();
    size_t runs_n = 0;
    red_current_begin(red_patience_s(work->cell->n, work->cell->call_s), "profiling %s",
                      work->cell->strategy->name);
    enum red_status status = RED_OK;
    while (status == RED_OK && runs_n < PROFILED_RUNS_MAX &&
           (runs_n < PROFILED_RUNS_MIN || red_clock_s() - start_s < PROFILED_S))
        status = red_plan_run_profiled(work->plan, &times_s[runs_n++], &error);
    red_current_end();
    if (status != RED_OK) {
        snprintf(work->cell->device_time_note, sizeof work->cell->device_time_note, "%.120s", error.text);
        return;
    }
    work->cell->device_s = middle_mean(times_s, runs_n);
}

/* Batches of calls, one enqueued behind the other; at least two calls, and one batch. It stays unknown where
 * the driver refuses, and where calls take turns with several arrays. */
static void find_back_to_back(struct red_work *work) {
    struct red_cell *cell = work->cell;
    struct red_error error = {.text = ""};
    double batches_s[BATCHES_MAX], start_s = red_clock_s();
    uint64_t calls_n = (uint64_t)fmax(2, BATCH_S / cell->call_s);
    size_t batches_n = 0;
    enum red_status status = RED_OK;
    if (work->data_n > 1)
        return;
    red_current_begin(red_patience_s(cell->n, 3 * cell->call_s), "calling %s back to back",
                      cell->strategy->name);
    while (status == RED_OK && batches_n < BATCHES_MAX &&
           (batches_n == 0 || red_clock_s() - start_s < PROFILED_S))
        status = red_plan_run_back_to_back(work->plan, calls_n, &batches_s[batches_n++], &error);
    if (status == RED_OK)
        (void)red_work_call(work);
    red_current_end();
    if (status != RED_OK)
        return;
    /* What calls that overlapped have spoilt, a counter for example, shows in the next result. */
    check_result(work, "after calls back to back");
    if (is_live(work))
        cell->back_to_back_s = gsl_stats_median(batches_s, 1, batches_n);
}

static enum red_status settle_works(struct red_bench *bench, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < bench->works_n && status == RED_OK; i++) {
        struct red_work *work = &bench->works[i];
        struct red_cell *cell = work->cell;
        if (cell == NULL)
            settle_roof(&bench->run, work);
        if (cell != NULL && work->samples_n == 0 && cell->state == RED_STATE_PASS) {
            cell->state = RED_STATE_CRASHED;
            snprintf(cell->reason, sizeof cell->reason, "Google Benchmark delivered no times");
        }
        if (cell == NULL || work->samples_n == 0)
            continue;
        if (work->plan != NULL)
            find_device_time(work);
        if (work->plan != NULL)
            find_back_to_back(work);
        if (!is_live(work))
            continue;
        status = red_statistics_find(work->samples_s, work->samples_n, &cell->time, error);
        cell->samples_s = work->samples_s;
        cell->samples_n = work->samples_n;
        cell->calls_per_sample = work->calls;
        work->samples_s = NULL;
    }
    return status;
}

double red_bench_measure_estimate_s(const struct red_bench *bench) {
    double total_s = 0;
    for (size_t i = 0; i < bench->works_n; i++)
        total_s += batch_s(&bench->works[i]) * bench->works[i].batches;
    return total_s;
}

enum red_status red_bench_measure(struct red_bench *bench, struct red_gbench *gbench,
                                  struct red_error *error) {
    enum red_status status = RED_OK;
    add_roofs(bench);
    for (size_t i = 0; i < bench->works_n && status == RED_OK; i++) {
        struct red_work *work = &bench->works[i];
        work->samples_room = work->batches;
        work->samples_s = calloc(work->samples_room, sizeof *work->samples_s);
        if (work->samples_s == NULL)
            status = red_fail(error, RED_E_MEMORY, "no memory for samples");
    }
    if (status == RED_OK)
        status = run_rounds(bench, gbench, error);
    if (status == RED_OK)
        find_event_floors(bench);
    if (status == RED_OK)
        status = settle_works(bench, error);
    drop_rows(bench, gbench);
    return status;
}
