/* Autotune: bench --tune searches the geometry of each strategy, checks it, keeps it in the file of tuned
 * geometries, and prints "tuned: ..." for each gain; --tuned only reads that file. cli/cmd_bench.c asks for
 * it, run/bench.c gives cells what was found. All but the last two functions are for --tune alone;
 * tune_device makes each struct band_tuning. */
#include "run/bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "console/console_table.h"
#include "core/clock.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "run/private.h"
#include "run/session.h"

/* Two processes with the same program differ by more than some per cent: a geometry that gains less than this
 * in one of them may lose in the next. */
static const double GAIN_MIN = 1.05;

/* A strategy in a band: the geometry that won, and the default. */
struct tuned_result {
    const struct red_strategy *strategy;
    bool entered;                                /* it ran with the default, so that there is an entry */
    struct red_tuned_entry entry, default_entry; /* what won; the default */
};

struct tuning_run {
    double budget_s; /* per strategy and device */
    struct red_session *session;
    struct red_tuned *tuned;
    char path[RED_PATH_BYTES];
    double clock_step_s, start_s;
    size_t bands_n, band; /* of all devices, operations and types; and which one it is */
    size_t faster_n, entered_n, wrong_n;
    struct red_error first_wrong;
};

/* The tuning of one device, operation and type in one tuning band: those sizes of --n in it, and what won. */
struct band_tuning {
    struct tuning_run *tune;
    size_t d;
    const struct red_device_info *info;
    const struct red_op *op;
    const struct red_dtype *dtype;
    uint64_t first_n, last_n;
    struct tuned_result *results;
};

/* ---- reports ------------------------------------------------------------------------------------------- */

/* "group size 64, 8 groups, lanes 4x2" */
static struct red_short_text tuning_text(const struct red_tuning *tuning) {
    struct red_short_text made;
    red_tuning_format(tuning, (struct red_tuning_words){"group size %s", ", %s groups", ", lanes %s"},
                      made.text, sizeof made.text);
    return made;
}

/* Prints why a geometry is not taken: it was wrong, does not build, or failed. Counts the wrong ones; the
 * first of them decides the exit status. */
static void print_and_count_failure(const struct band_tuning *band, const struct red_strategy *strategy,
                                    const struct red_tuning *tuning, uint64_t n,
                                    const struct red_error *found) {
    struct red_error line;
    red_fail(&line, found->status, "%s: %s %s %s on %s, n = %llu, %s: %.3000s",
             red_state_name(red_state_of(found->status)), strategy->name, band->op->name, band->dtype->name,
             band->info->id, (unsigned long long)n, tuning_text(tuning).text, found->text);
    red_progress_end();
    fprintf(stderr, "%s\n", line.text);
    if (found->status == RED_E_WRONG && band->tune->wrong_n++ == 0)
        band->tune->first_wrong = line;
}

/* Prints "tuned: ..." for a geometry that is kept. */
static void print_gain(const struct band_tuning *band, const struct red_tuned_entry *entry) {
    red_progress_end();
    fprintf(stderr, "tuned: %s on %s, %s of %s %s: %s: %.2fx faster than the default (%s us, not %s)\n",
            entry->key.strategy, band->info->id, band->op->name, band->dtype->name,
            red_tuning_band_text(entry->key.band).text, tuning_text(&entry->tuning).text,
            entry->default_s / entry->time_s, red_number_text(1e6 * entry->time_s).text,
            red_number_text(1e6 * entry->default_s).text);
}

/* ---- one strategy in one band -------------------------------------------------------------------------- */

/* The data of the band's operation and type, with the seed of --seed. */
static struct red_data_spec data_spec(const struct band_tuning *band, struct red_data_kind data_kind,
                                      uint64_t n) {
    return (struct red_data_spec){.op = band->op,
                                  .dtype = band->dtype,
                                  .data_kind = data_kind,
                                  .n = n,
                                  .segments_n = 1,
                                  .bins_n = red_selected_bins_n(band->tune->session->selection),
                                  .seed = band->tune->session->selection->seed};
}

/* Fills what red_geometry_time needs, and asks the device whether it can run the strategy. Errors: the
 * strategy cannot run here, and so is not tuned. */
static enum red_status timing_setup_make(struct band_tuning *band, const struct red_strategy *strategy,
                                         struct red_timing_setup *timing, struct red_error *error) {
    const struct red_data_kind uniform = {RED_PATTERN_UNIFORM, 0};
    *timing = (struct red_timing_setup){.strategy = strategy,
                                        .client = band->tune->session->devices[band->d],
                                        .data = data_spec(band, uniform, band->last_n),
                                        .clock_step_s = band->tune->clock_step_s};
    enum red_status status = red_strategy_check_type_and_op(strategy, band->dtype, band->op, error);
    if (status == RED_OK)
        status = red_op_check_n(band->op, band->dtype, band->last_n, error);
    if (status == RED_OK &&
        red_session_must_skip(band->tune->session, band->d, strategy, band->op, band->dtype, band->last_n))
        status = red_fail(error, RED_E_UNSUPPORTED, "it must not be run here");
    if (status == RED_OK && !red_session_takes(band->tune->session, band->d, strategy, band->op, band->dtype))
        status = red_fail(error, RED_E_UNSUPPORTED, "another takes its place here");
    if (status == RED_OK)
        status = red_client_check_support(timing->client, strategy, band->dtype, band->op, 0, error);
    return status;
}

/* Times the best candidate and the default in turns, and takes the candidate into the entry if it beats the
 * default at the band's largest n, and does not lose at its smallest. */
static void race_best_into_entry(const struct band_tuning *band, const struct red_timing_setup *timing,
                                 const struct red_hill_climb *search, struct red_tuned_entry *entry) {
    const struct red_tuning tunings[2] = {search->tried[0].tuning, search->tried[search->best].tuning};
    struct red_statistics large[2], small[2];
    if (search->best == 0 || red_geometry_race(timing, tunings, band->last_n, large, NULL) != RED_OK)
        return;
    if (red_statistics_compare(&large[1], &large[0]) >= 0 || large[0].median < GAIN_MIN * large[1].median)
        return;
    if (band->first_n < band->last_n &&
        (red_geometry_race(timing, tunings, band->first_n, small, NULL) != RED_OK ||
         red_statistics_compare(&small[1], &small[0]) > 0))
        return;
    entry->tuning = tunings[1];
    entry->is_default = false;
    entry->default_s = large[0].median;
    entry->time_s = large[1].median;
}

/* Searches, races and enters one strategy's geometry (result->strategy); nothing is verified yet. One that
 * cannot run with the default gets no entry: the benchmark prints why. */
static enum red_status tune_strategy(struct band_tuning *band, struct tuned_result *result, double budget_s,
                                     struct red_error *error) {
    struct red_tuned_entry *entry = &result->entry;
    double limit_s = band->tune->session->selection->time_per_cell_s;
    struct red_timing_setup timing;
    struct red_hill_climb *search = calloc(1, sizeof *search);
    if (search == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for tuning");
    if (timing_setup_make(band, result->strategy, &timing, NULL) == RED_OK &&
        red_hill_climb_run(&timing, &band->info->shape, budget_s, limit_s, search, NULL) == RED_OK &&
        red_tuned_key_make(band->info, result->strategy, band->dtype, band->op, band->last_n, &entry->key,
                           NULL) == RED_OK) {
        result->entered = true;
        entry->n = band->last_n;
        entry->is_default = true;
        entry->tuning = search->tried[0].tuning;
        entry->default_s = entry->time_s = search->tried[0].call_s;
        red_clock_utc_now_format(entry->found, sizeof entry->found);
        result->default_entry = *entry;
        race_best_into_entry(band, &timing, search, entry);
        if (search->error.status != RED_OK)
            print_and_count_failure(band, result->strategy, &search->failed, band->last_n, &search->error);
    }
    free(search);
    return RED_OK;
}

/* ---- verifying what won -------------------------------------------------------------------------------- */

/* Every remainder modulo a vector or a block of lanes among them. */
static const uint64_t awkward_sizes[] = {1,   2,   3,   5,   7,   11,  15,  17,   31,   63,   65,
                                         100, 127, 129, 255, 257, 511, 999, 1023, 1025, 4099, 65537};
enum { AWKWARD_N = sizeof awkward_sizes / sizeof awkward_sizes[0] };

/* Whether a geometry that beat the default is entered. Only such ones are verified. */
static bool has_winner(const struct tuned_result *result) {
    return result->entered && !result->entry.is_default;
}

/* Verifies a geometry that won; if it fails, that is printed and the default takes its place. */
static void verify_or_drop_winner(struct band_tuning *band, const struct red_data_spec *data,
                                  struct tuned_result *result) {
    const struct red_case spec = red_case_make(data, result->strategy, &result->entry.tuning);
    struct red_verification verification;
    struct red_error error = {.text = ""};
    if (red_case_require_right(band->tune->session->devices[band->d], &spec, false, 0, &verification,
                               &error) == RED_OK)
        return;
    print_and_count_failure(band, result->strategy, &result->entry.tuning, data->n, &error);
    result->entry = result->default_entry;
}

/* Verifies all geometries that won in the band on one data set; those that cannot have it pass. */
static void verify_or_drop_winners_on(struct band_tuning *band, struct red_data_kind data_kind, uint64_t n) {
    const struct red_session *session = band->tune->session;
    const struct red_data_spec data = data_spec(band, data_kind, n);
    if (red_op_check_n(band->op, band->dtype, n, NULL) != RED_OK ||
        !red_pattern_fits(data_kind.pattern, band->op, band->dtype))
        return;
    for (size_t s = 0; s < session->strategies_n; s++)
        if (has_winner(&band->results[s]))
            verify_or_drop_winner(band, &data, &band->results[s]);
}

/* Verifies what won on all exact data of the band's largest n, and on sizes at which tails show. */
static void verify_or_drop_winners(struct band_tuning *band) {
    const struct red_data_kind first_kind = red_exact_data_kind(band->op, band->dtype, band->last_n, 0);
    const struct red_session *session = band->tune->session;
    struct red_data_kind sets[RED_DATA_SETS_MAX + 1];
    uint64_t n = band->last_n;
    size_t candidates_n = 0;
    for (size_t s = 0; s < session->strategies_n; s++)
        candidates_n += has_winner(&band->results[s]);
    if (candidates_n == 0)
        return;
    for (size_t i = 0; i < AWKWARD_N; i++)
        verify_or_drop_winners_on(band, first_kind, awkward_sizes[i]);
    for (uint64_t at = n > 1 ? n - 1 : n; at <= n + 1; at++)
        if (at != n)
            verify_or_drop_winners_on(band, first_kind, at);
    /* The last set is the timed data, which was checked while it was timed. */
    const unsigned sets_n = red_selection_data_kinds(session->selection, band->op, band->dtype, n, sets);
    for (unsigned i = 0; i + 1 < sets_n; i++)
        verify_or_drop_winners_on(band, sets[i], n);
}

/* ---- a band, a session --------------------------------------------------------------------------------- */

/* Prints each gain of the band, counts them, and writes all its entries to the file of tuned geometries. */
static enum red_status print_gains_and_save_entries(struct band_tuning *band, struct red_error *error) {
    struct tuning_run *tune = band->tune;
    struct red_tuned_entry entries[RED_STRATEGIES_MAX];
    size_t n = 0;
    for (size_t s = 0; s < tune->session->strategies_n; s++) {
        const struct red_tuned_entry *entry = &band->results[s].entry;
        if (!band->results[s].entered)
            continue;
        if (!entry->is_default)
            print_gain(band, entry);
        tune->faster_n += !entry->is_default;
        tune->entered_n++;
        entries[n++] = *entry;
    }
    return red_tuned_add_to_file(tune->path, entries, n, tune->tuned, error);
}

/* Tunes each strategy, with an equal share per band of the time that it has left on this device: strategy s
 * has strategies_left_s[s], from which what it took is deducted. */
static enum red_status tune_strategies(struct band_tuning *band, double *strategies_left_s,
                                       size_t bands_left_n, struct red_error *error) {
    struct tuning_run *tune = band->tune;
    enum red_status status = RED_OK;
    for (size_t s = 0; s < tune->session->strategies_n && status == RED_OK; s++) {
        struct tuned_result *result = &band->results[s];
        result->strategy = tune->session->strategies[s];
        if (!red_hill_climb_has_choice(result->strategy))
            continue;
        char what[160];
        snprintf(what, sizeof what, "tuning %s on %s, %s of %s, n = %llu", result->strategy->name,
                 band->info->id, band->op->name, band->dtype->name, (unsigned long long)band->last_n);
        red_progress(what, (double)tune->band / (double)tune->bands_n, tune->start_s);
        double start_s = red_clock_s();
        status = tune_strategy(band, result, strategies_left_s[s] / (double)bands_left_n, error);
        strategies_left_s[s] -= red_clock_s() - start_s;
    }
    return status;
}

/* Tunes all strategies in one band, verifies what won, prints the gains, and writes them to the file. */
static enum red_status tune_band(struct band_tuning *band, double *strategies_left_s, size_t bands_left_n,
                                 struct red_error *error) {
    band->results = calloc(band->tune->session->strategies_n, sizeof *band->results);
    enum red_status status = band->results ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for tuning");
    if (status == RED_OK)
        status = tune_strategies(band, strategies_left_s, bands_left_n, error);
    if (status == RED_OK)
        verify_or_drop_winners(band);
    if (status == RED_OK && red_interrupted())
        status = red_fail(error, RED_E_INTERRUPTED, "interrupted while tuning");
    if (status == RED_OK)
        status = print_gains_and_save_entries(band, error);
    free(band->results);
    return status;
}

/* The sizes from at on that are in one band. They are of --n. */
static size_t band_sizes_n(const struct red_sizes *sizes, size_t at) {
    size_t end = at;
    while (end < sizes->n && red_tuning_band_of(sizes->values[end]) == red_tuning_band_of(sizes->values[at]))
        end++;
    return end - at;
}

/* How many bands a device has, those of each operation and type counted: for progress and shares of time. */
static size_t bands_per_device_n(const struct red_session *session) {
    size_t n = 0;
    for (size_t i = 0; i < session->selection->n.n; i += band_sizes_n(&session->selection->n, i))
        n++;
    return n * session->ops_n * session->types_n;
}

/* Tunes all bands of all operations and types on the session's device d. */
static enum red_status tune_device(struct tuning_run *tune, size_t d, struct red_error *error) {
    struct red_session *session = tune->session;
    const struct red_sizes *sizes = &session->selection->n;
    double strategies_left_s[RED_CHOICE_MAX];
    size_t bands_left_n = bands_per_device_n(session), pairs_n = session->ops_n * session->types_n;
    enum red_status status = RED_OK;
    for (size_t s = 0; s < session->strategies_n; s++)
        strategies_left_s[s] = tune->budget_s;
    for (size_t pair = 0; pair < pairs_n; pair++) {
        for (size_t i = 0; i < sizes->n && status == RED_OK; i += band_sizes_n(sizes, i)) {
            struct band_tuning band = {.tune = tune,
                                       .d = d,
                                       .info = red_client_info(session->devices[d]),
                                       .op = session->ops[pair / session->types_n],
                                       .dtype = session->types[pair % session->types_n],
                                       .first_n = sizes->values[i],
                                       .last_n = sizes->values[i + band_sizes_n(sizes, i) - 1]};
            status = tune_band(&band, strategies_left_s, bands_left_n--, error);
            tune->band++;
        }
    }
    return status;
}

/* Prints how long the search takes at most, over the strategies that have something to choose. */
static void print_longest_tuning(const struct tuning_run *tune) {
    const struct red_session *session = tune->session;
    size_t n = 0;
    for (size_t s = 0; s < session->strategies_n; s++)
        n += red_hill_climb_has_choice(session->strategies[s]);
    if (n > 0)
        fprintf(stderr, "tuning %zu strateg%s on %zu device%s: at most %s (--tune-budget %.3g s each)\n", n,
                n == 1 ? "y" : "ies", session->devices_n, session->devices_n == 1 ? "" : "s",
                red_duration_text((double)(session->devices_n * n) * tune->budget_s).text, tune->budget_s);
}

/* --tune: all devices; prints what was gained. The first wrong geometry is the error in the end. */
static enum red_status tune_session(struct tuning_run *tune, struct red_error *error) {
    struct red_session *session = tune->session;
    enum red_status status =
        red_tuned_add_to_file(tune->path, NULL, 0, tune->tuned, error); /* before long work */
    if (status == RED_OK)
        print_longest_tuning(tune);
    tune->bands_n = session->devices_n * bands_per_device_n(session);
    for (size_t d = 0; d < session->devices_n && status == RED_OK; d++)
        status = tune_device(tune, d, error);
    red_progress_end();
    red_text_print(stderr,
                   "tuned in %.0f s: %zu of %zu geometries are faster than the default; %s keeps them\n",
                   red_clock_s() - tune->start_s, tune->faster_n, tune->entered_n, tune->path);
    if (tune->wrong_n > 0)
        return red_fail(error, RED_E_WRONG, "%.4000s", tune->first_wrong.text);
    return status;
}

/* budget_s is that of --tune-budget, or 0 for --tuned. Cells are measured with what *tuned has then. */
enum red_status red_tuned_load_or_search(struct red_session *session, double budget_s,
                                         struct red_tuned *tuned, struct red_error *error) {
    struct red_error broken;
    struct tuning_run *tune = calloc(1, sizeof *tune);
    if (tune == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for tuning");
    tune->session = session;
    tune->tuned = tuned;
    tune->budget_s = budget_s;
    tune->clock_step_s = red_clock_measure_step_s();
    tune->start_s = red_clock_s();
    enum red_status status = red_tuned_path(tune->path, error);
    if (status == RED_OK && budget_s > 0)
        status = tune_session(tune, error);
    else if (status == RED_OK && red_tuned_load(tune->path, tuned, &broken) != RED_OK)
        fprintf(stderr, "no tuned geometry is used: %s\n", broken.text);
    free(tune);
    return status;
}

/* For each cell that run/bench.c lays out; cell->tuned is geometry.tuned of the result file. */
void red_autotune_apply(const struct red_tuned *tuned, const struct red_device_info *device,
                        struct red_cell *cell) {
    struct red_tuned_key key;
    if (red_tuned_key_make(device, cell->at.strategy, cell->at.dtype, cell->at.op, cell->at.n, &key, NULL) !=
        RED_OK)
        return;
    const struct red_tuned_entry *entry = red_tuned_find(tuned, &key);
    cell->tuned = entry != NULL;
    if (entry != NULL && !entry->is_default)
        cell->tuning = entry->tuning;
}
