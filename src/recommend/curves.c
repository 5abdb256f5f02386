/* Collects the times of a device from all result files as curves of `recommend`, `emit` and the report's
 * advice, and takes out what a whole run was faster or slower. The result files are those that the user
 * named; recommend/advice.c makes the advice of the curves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/numbers.h"
#include "core/select.h"
#include "recommend/advice.h"

/* ---- strategies ---------------------------------------------------------------------------------------- */

/* recommend/advice.c gives ties to the candidate with less of it. It is not shown. */
int red_strategy_burden(const struct red_strategy *strategy) {
    int needs_n = 0;
    for (red_set left = strategy->needs; left != 0; left &= left - 1)
        needs_n++;
    return 100 * (strategy->standard == RED_STANDARD_CL20 || strategy->text == NULL) + 10 * needs_n +
           red_finish_rows[strategy->finish].burden;
}

/* `recommend` shows it for a band's strategy, in the column and the JSON key `order`. */
const char *red_strategy_bits_order(const struct red_strategy *strategy, const struct red_op *op,
                                    const struct red_dtype *dtype) {
    if (red_op_picks(op) || red_op_accumulator(op, dtype)->kind != RED_FLOAT ||
        red_strategy_is_exact(strategy))
        return "any";
    if (strategy->text == NULL)
        return "unknown";
    if (strategy->order == RED_STRATEGY_ORDER_FIXED)
        return "fixed";
    const red_set as_they_come =
        RED_NEED(CAS32) | RED_NEED(XCHG32) | RED_NEED(FLOAT_ATOMICS32) | RED_NEED(PIPES);
    /* What a tile of a single pass finds of those before it, sums or prefixes, depends on when it looks. */
    const bool looks_back =
        strategy->finish == RED_STRATEGY_SINGLE_PASS && strategy->span != RED_STRATEGY_ONE;
    if (looks_back || red_strategy_finish_has(strategy, RED_FINISH_ATOMIC) ||
        (strategy->needs & as_they_come) != 0)
        return "varies";
    return strategy->group == RED_STRATEGY_BUILT_IN ? "driver" : "fixed";
}

/* --portable lets such candidates pass; the column and the JSON key `portable` show it. */
bool red_strategy_is_portable(const struct red_strategy *strategy) {
    return strategy->text != NULL && strategy->standard == RED_STANDARD_CL12 &&
           (strategy->needs & ~RED_NEED(LOCAL_MEMORY)) == 0 &&
           !red_strategy_finish_has(strategy, RED_FINISH_WAITS);
}

/* ---- what there is to choose from ------------------------------------------------------------------------
 * The filter is --strategy and --portable of `recommend`; of `emit` --strategy, otherwise the names of all
 * strategies that it can write; `report` has none. */

/* Whether the strategy keeps a launch waiting between calls, and the filter does not name it. */
static bool waits_unnamed(const struct red_candidate_filter *filter, const struct red_strategy *strategy) {
    return red_strategy_finish_has(strategy, RED_FINISH_WAITS) &&
           !red_select_names(filter->strategy, strategy->name);
}

/* Whether the strategy is banned on the device, and the filter does not name it. */
static bool is_banned(const struct red_curves *curves, const struct red_strategy *strategy) {
    const struct red_ban *ban = red_bans_find(&curves->bans, strategy->name);
    return ban != NULL && !ban->is_asked_for;
}

/* Whether the cell was timed on the device and its strategy passes the filter. */
static bool is_candidate(const struct red_curves *curves, const struct red_candidate_filter *filter,
                         const struct red_cell *cell, size_t device) {
    const struct red_strategy *strategy = cell->at.strategy;
    return cell->kind == RED_CELL_OWN && cell->device == device && cell->samples_n > 0 && cell->at.n > 0 &&
           strategy->standard != RED_STANDARD_HOST && !waits_unnamed(filter, strategy) &&
           !is_banned(curves, strategy) && red_select_matches(filter->strategy, strategy->name) &&
           (filter->among == NULL || red_select_names(filter->among, strategy->name)) &&
           (!filter->portable || red_strategy_is_portable(strategy));
}

/* Marks the rows whose strategies the user has named. */
static void mark_asked_for(struct red_bans *bans, const struct red_candidate_filter *filter) {
    for (size_t i = 0; i < bans->n; i++)
        bans->rows[i].is_asked_for =
            filter->strategy != NULL && red_select_names(filter->strategy, bans->rows[i].at.strategy->name);
}

/* Adds the bans of the device in all files, whatever is asked for, and the OpenCL errors in the query; and
 * finds the first run that is incomparable. */
static enum red_status add_bans(struct red_curves *curves, const struct red_loaded_files *loaded,
                                size_t first, const struct red_candidate_filter *filter,
                                struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t k = 0; k < loaded->results_n && status == RED_OK; k++) {
        const struct red_result *result = &loaded->results[(first + k) % loaded->results_n];
        const long device = red_result_find_device(result, curves->result, curves->device);
        const struct red_query *query = red_result_find_query(result, curves->query);
        if (device >= 0 && query != NULL && curves->incomparable == NULL &&
            result->run.devices[device].steadiness.fails)
            curves->incomparable = result;
        if (device >= 0)
            status = red_bans_add(&curves->bans, &result->run, (size_t)device, error);
        if (device >= 0 && query != NULL && status == RED_OK)
            status = red_bans_add_failed(&curves->failed, query, (size_t)device, error);
    }
    if (status == RED_OK)
        status = red_bans_add_checks(&curves->bans, &curves->failed, loaded, curves->result, curves->device,
                                     curves->query, error);
    mark_asked_for(&curves->bans, filter);
    mark_asked_for(&curves->failed, filter);
    return status;
}

/* Adds a timed strategy that is left out as it keeps a launch waiting; the advice's sentence names it, and
 * `left_out` in JSON. */
static void add_if_waiting(struct red_curves *curves, const struct red_cell *cell, size_t device,
                           const struct red_candidate_filter *filter) {
    size_t w = 0;
    if (cell->device != device || cell->samples_n == 0 || !waits_unnamed(filter, cell->at.strategy) ||
        filter->portable || !red_select_matches(filter->strategy, cell->at.strategy->name))
        return;
    while (w < curves->waiting_n && strcmp(curves->waiting[w]->name, cell->at.strategy->name) != 0)
        w++;
    if (w == curves->waiting_n && w < RED_WAITING_MAX)
        curves->waiting[curves->waiting_n++] = cell->at.strategy;
}

/* What tells two candidates apart. */
enum { CANDIDATE = RED_AT(STRATEGY) | RED_AT(ASKED) | RED_AT(COLLECTIVE) };

/* The order of by_name: by name, then by geometry and collective. */
static int candidate_compare(const struct red_candidate *candidate, const struct red_cell *cell) {
    return red_at_compare(&candidate->at, &cell->at, CANDIDATE);
}

/* Where the cell's candidate stands, or belongs, in by_name. */
static size_t candidate_place(const struct red_curves *curves, const struct red_cell *cell) {
    size_t at;
    RED_LOWER_BOUND(at, curves->candidates_n,
                    candidate_compare(&curves->candidates[curves->by_name[at]], cell) < 0);
    return at;
}

/* Adds what the cell has been timed with unless it is there. */
static void add_candidate(struct red_curves *curves, const struct red_cell *cell) {
    const size_t at = candidate_place(curves, cell), n = curves->candidates_n;
    if (at < n && candidate_compare(&curves->candidates[curves->by_name[at]], cell) == 0)
        return;
    memmove(&curves->by_name[at + 1], &curves->by_name[at], (n - at) * sizeof curves->by_name[0]);
    curves->by_name[at] = n;
    curves->candidates[curves->candidates_n++] =
        (struct red_candidate){.at = red_at_projection(&cell->at, CANDIDATE)};
}

/* Adds the candidates, the sizes and the strategies that wait of one run; `query` holds its cells. */
static enum red_status add_run_candidates(struct red_curves *curves, const struct red_query *query,
                                          size_t device, const struct red_candidate_filter *filter,
                                          struct red_error *error) {
    const struct red_run *run = &query->run;
    if (!RED_GROW(curves->candidates, curves->candidates_n, run->cells_n) ||
        !RED_GROW(curves->by_name, curves->candidates_n, run->cells_n) ||
        !RED_GROW(curves->sizes, curves->sizes_n, run->cells_n))
        return red_fail(error, RED_E_MEMORY, "no memory for curves");
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        add_if_waiting(curves, cell, device, filter);
        if (!is_candidate(curves, filter, cell, device))
            continue;
        red_sizes_insert(curves->sizes, &curves->sizes_n, SIZE_MAX, cell->at.n);
        add_candidate(curves, cell);
    }
    return RED_OK;
}

/* ---- means over runs -------------------------------------------------------------------------------------
 * Times are seen in the column "time, us" of `recommend`; JSON has `time_s` and `scatter`. */

/* The runs' logarithms of medians, and the variances of these within their processes. */
struct run_times {
    double *log_s, *within; /* [run * cells_n + cell]; NAN where there is none */
    double *own;            /* of each run, at one size: by how much it was slower than the mean of all */
    size_t cells_n, runs_n;
};

/* Fills the table's next row with the medians of one run's candidates, and the curves' cells that no run
 * before has. */
static void fill_run_times_row(struct red_curves *curves, struct run_times *times,
                               const struct red_query *query, size_t device,
                               const struct red_candidate_filter *filter) {
    size_t base = times->runs_n++ * times->cells_n;
    for (size_t i = 0; i < times->cells_n; i++)
        times->log_s[base + i] = NAN;
    for (size_t i = 0; i < query->run.cells_n; i++) {
        const struct red_cell *cell = &query->run.cells[i];
        if (!is_candidate(curves, filter, cell, device))
            continue;
        const size_t candidate = curves->by_name[candidate_place(curves, cell)];
        size_t at =
            candidate * curves->sizes_n + red_sizes_count_below(curves->sizes, curves->sizes_n, cell->at.n);
        double width = log(cell->time.high / cell->time.low) / (2 * 1.96); /* of the 95 % interval */
        times->log_s[base + at] = log(cell->time.median);
        times->within[base + at] = width * width;
        if (curves->cells[at] == NULL)
            curves->cells[at] = cell;
    }
}

/* Whether the candidate failed with an OpenCL error at an n before the size that follows this one, so that a
 * band which ends with this size would hold that n; false of one that the user has named. */
static bool has_failed_by(const struct red_curves *curves, size_t candidate, size_t size) {
    const struct red_ban *failed =
        red_bans_find(&curves->failed, curves->candidates[candidate].at.strategy->name);
    return failed != NULL && !failed->is_asked_for &&
           (size + 1 == curves->sizes_n || failed->at.n < curves->sizes[size + 1]);
}

/* Takes the times of failed candidates out, at each size at which another candidate has one. */
static void take_out_failed(struct red_curves *curves, struct run_times *times) {
    for (size_t i = 0; i < curves->sizes_n; i++) {
        bool others = false;
        for (size_t c = 0; c < curves->candidates_n; c++)
            others =
                others || (curves->cells[c * curves->sizes_n + i] != NULL && !has_failed_by(curves, c, i));
        for (size_t c = 0; c < curves->candidates_n && others; c++) {
            const size_t at = c * curves->sizes_n + i;
            if (!has_failed_by(curves, c, i))
                continue;
            curves->cells[at] = NULL;
            for (size_t r = 0; r < times->runs_n; r++)
                times->log_s[r * times->cells_n + at] = NAN;
        }
    }
}

/* The logarithm of the run's median in one place of the table; NAN if it has none. */
static double log_s_of_run(const struct run_times *times, size_t run, size_t at) {
    return times->log_s[run * times->cells_n + at];
}

/* The mean of all runs in one place of the table; NAN unless all have a time there. */
static double mean_log_s_of_runs(const struct run_times *times, size_t at) {
    double sum = 0;
    for (size_t r = 0; r < times->runs_n; r++)
        sum += log_s_of_run(times, r, at);
    return sum / (double)times->runs_n;
}

/* Subtracts from each run's values at this size by how much the run as a whole was faster or slower;
 * candidates that all runs have show that. Returns the squares of what is left, which is scatter between
 * processes, and adds to *freedom their degrees of freedom. */
static double subtract_run_speeds_and_sum_squares(const struct red_curves *curves, struct run_times *times,
                                                  size_t size, double *freedom) {
    double *own = times->own, squares = 0;
    size_t whole_n = 0;
    memset(own, 0, times->runs_n * sizeof *own);
    for (size_t c = 0; c < curves->candidates_n; c++) {
        const size_t cell = c * curves->sizes_n + size;
        const double mean = mean_log_s_of_runs(times, cell);
        for (size_t r = 0; r < times->runs_n && !isnan(mean); r++)
            own[r] += log_s_of_run(times, r, cell) - mean;
        whole_n += isnan(mean) ? 0 : 1;
    }
    for (size_t c = 0; c < curves->candidates_n && whole_n > 0; c++) {
        const size_t cell = c * curves->sizes_n + size;
        const double mean = mean_log_s_of_runs(times, cell);
        for (size_t r = 0; r < times->runs_n; r++) {
            double *value = &times->log_s[r * times->cells_n + cell];
            *value -= own[r] / (double)whole_n;
            squares += isnan(mean) ? 0 : (*value - mean) * (*value - mean);
        }
    }
    *freedom += whole_n > 1 ? ((double)whole_n - 1) * ((double)times->runs_n - 1) : 0;
    return whole_n > 1 ? squares : 0;
}

/* Sets the curves' means and standard deviations, and the scatter between processes. */
static void set_means_and_scatter(struct red_curves *curves, struct run_times *times) {
    double squares = 0, freedom = 0;
    for (size_t i = 0; i < curves->sizes_n; i++)
        squares += subtract_run_speeds_and_sum_squares(curves, times, i, &freedom);
    curves->scatter = freedom > 0 ? sqrt(squares / freedom) : RED_SCATTER_ASSUMED;
    for (size_t i = 0; i < times->cells_n; i++) {
        double sum = 0, variance = 0, n = 0;
        for (size_t r = 0; r < times->runs_n; r++) {
            if (isnan(log_s_of_run(times, r, i)))
                continue;
            sum += log_s_of_run(times, r, i);
            variance += times->within[r * times->cells_n + i] + curves->scatter * curves->scatter;
            n++;
        }
        curves->log_s[i] = n > 0 ? sum / n : NAN;
        curves->sd[i] = n > 0 ? sqrt(variance) / n : NAN;
    }
}

/* Sets the curve of the OpenMP row on the host from the runs that have it: "OpenMP on the host is ..." in the
 * sentence. */
static void set_host_curve(struct red_curves *curves, const struct red_query *const *queries) {
    for (size_t i = 0; i < curves->sizes_n; i++) {
        double sum = 0, variance = 0, n = 0;
        for (size_t r = 0; r < curves->runs_n; r++) {
            const struct red_run *run = &queries[r]->run;
            const struct red_cell *cell = run->devices_n > 0 && run->devices[0].is_host
                                              ? red_run_openmp(run, &queries[r]->at, curves->sizes[i])
                                              : NULL;
            if (cell == NULL || cell->time.is_incomparable)
                continue;
            const double width = log(cell->time.high / cell->time.low) / (2 * 1.96);
            sum += log(cell->time.median);
            variance += width * width + curves->scatter * curves->scatter;
            n++;
        }
        curves->host_log_s[i] = n > 0 ? sum / n : NAN;
        curves->host_sd[i] = n > 0 ? sqrt(variance) / n : NAN;
    }
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* Finds the query on the same device in each result, this one first; returns how many have it: `runs` in
 * JSON, "in 3 runs" in the sentence. */
static size_t find_queries_of_runs(const struct red_curves *curves, const struct red_loaded_files *loaded,
                                   size_t first, const struct red_query **queries, size_t *devices) {
    size_t n = 0;
    for (size_t k = 0; k < loaded->results_n; k++) {
        const struct red_result *result = &loaded->results[(first + k) % loaded->results_n];
        const struct red_query *query = red_result_find_query(result, curves->query);
        long device = red_result_find_device(result, curves->result, curves->device);
        if (query == NULL || device < 0)
            continue;
        queries[n] = query;
        devices[n++] = (size_t)device;
    }
    return n;
}

/* Makes room for the runs' times and the curves', all 0. */
static enum red_status allocate_tables(struct red_curves *curves, struct run_times *times,
                                       struct red_error *error) {
    size_t n = curves->candidates_n * curves->sizes_n;
    times->cells_n = n;
    times->log_s = calloc(n * curves->runs_n + 1, sizeof *times->log_s);
    times->within = calloc(n * curves->runs_n + 1, sizeof *times->within);
    times->own = calloc(curves->runs_n, sizeof *times->own);
    curves->log_s = calloc(n + 1, sizeof *curves->log_s);
    curves->sd = calloc(n + 1, sizeof *curves->sd);
    curves->cells = calloc(n + 1, sizeof *curves->cells);
    curves->host_log_s = calloc(curves->sizes_n + 1, sizeof *curves->host_log_s);
    curves->host_sd = calloc(curves->sizes_n + 1, sizeof *curves->host_sd);
    bool made = times->log_s != NULL && times->within != NULL && times->own != NULL &&
                curves->log_s != NULL && curves->sd != NULL && curves->cells != NULL &&
                curves->host_log_s != NULL && curves->host_sd != NULL;
    return made ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for curves");
}

enum red_status red_curves_make(const struct red_loaded_files *loaded, size_t first, size_t device,
                                const struct red_query *query, const struct red_candidate_filter *filter,
                                struct red_curves *curves, struct red_error *error) {
    const struct red_query **queries = calloc(loaded->results_n, sizeof *queries);
    size_t *devices = calloc(loaded->results_n, sizeof *devices);
    struct run_times times = {.runs_n = 0};
    *curves = (struct red_curves){.result = &loaded->results[first], .query = query, .device = device};
    enum red_status status =
        queries != NULL && devices != NULL ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for curves");
    if (status == RED_OK)
        curves->runs_n = find_queries_of_runs(curves, loaded, first, queries, devices);
    if (status == RED_OK)
        status = add_bans(curves, loaded, first, filter, error);
    for (size_t r = 0; r < curves->runs_n && status == RED_OK; r++)
        status = add_run_candidates(curves, queries[r], devices[r], filter, error);
    if (status == RED_OK)
        status = allocate_tables(curves, &times, error);
    for (size_t r = 0; r < curves->runs_n && status == RED_OK; r++)
        fill_run_times_row(curves, &times, queries[r], devices[r], filter);
    if (status == RED_OK) {
        take_out_failed(curves, &times);
        set_means_and_scatter(curves, &times);
        set_host_curve(curves, queries);
    }
    free(queries);
    free(devices);
    free(times.log_s);
    free(times.within);
    free(times.own);
    if (status != RED_OK)
        red_curves_clear(curves);
    return status;
}

void red_curves_clear(struct red_curves *curves) {
    free(curves->sizes);
    free(curves->candidates);
    free(curves->by_name);
    free(curves->log_s);
    free(curves->sd);
    free(curves->cells);
    free(curves->host_log_s);
    free(curves->host_sd);
    red_bans_clear(&curves->bans);
    red_bans_clear(&curves->failed);
    *curves = (struct red_curves){.sizes_n = 0};
}
