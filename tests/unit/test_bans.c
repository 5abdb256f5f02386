#include "tests/unit/testing.h"

#include <gsl/gsl_rng.h>

#include "results/bans.h"

enum { STRATEGIES_N = 12, CELLS_N = 300, DEVICES_N = 2 };

static struct red_strategy strategies[STRATEGIES_N];
static struct red_cell cells[CELLS_N];
static struct red_run_device devices[DEVICES_N];

/* A run of cells with random strategies, devices, states and times. */
static struct red_run random_run(uint64_t seed) {
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, seed);
    for (size_t s = 0; s < STRATEGIES_N; s++)
        snprintf(strategies[s].name, sizeof strategies[s].name, "s%zu", s * 7 % STRATEGIES_N);
    for (size_t d = 0; d < DEVICES_N; d++)
        snprintf(devices[d].info.id, sizeof devices[d].info.id, "d%zu", d);
    for (size_t i = 0; i < CELLS_N; i++) {
        const size_t device = gsl_rng_uniform_int(random, DEVICES_N);
        cells[i] = (struct red_cell){.device = device,
                                     .at.device = devices[device].info.id,
                                     .at.strategy = &strategies[gsl_rng_uniform_int(random, STRATEGIES_N)],
                                     .at.op = &red_ops[0],
                                     .at.dtype = &red_dtypes[0],
                                     .at.n = 1 + gsl_rng_uniform_int(random, 4),
                                     .state = RED_STATE_PASS,
                                     .time = {.median = 1 + gsl_rng_uniform(random)},
                                     .samples_n = 1};
        if (gsl_rng_uniform_int(random, 50) == 0) {
            cells[i].state = (enum red_state)gsl_rng_uniform_int(random, RED_STATES_N);
            cells[i].known_bug = (enum red_state)gsl_rng_uniform_int(random, RED_STATES_N);
            cells[i].samples_n = cells[i].state == RED_STATE_PASS;
            snprintf(cells[i].reason, sizeof cells[i].reason, "cell %zu", i);
        }
    }
    gsl_rng_free(random);
    return (struct red_run){.cells = cells, .cells_n = CELLS_N, .devices = devices, .devices_n = DEVICES_N};
}

/* What a known bug is, where that is told; of other cells the state. */
static enum red_state told_state(const struct red_cell *cell) {
    const bool is_told = cell->state == RED_STATE_KNOWN_BUG && cell->known_bug != RED_STATE_PENDING;
    return is_told ? cell->known_bug : cell->state;
}

/* Whether any of the strategy's cells on the device is wrong, crashed, hung or a known bug that is not told,
 * or that is one of these. */
static bool did_wrong(size_t device, const struct red_strategy *strategy) {
    for (size_t i = 0; i < CELLS_N; i++) {
        const enum red_state state = told_state(&cells[i]);
        if (cells[i].device == device && cells[i].at.strategy == strategy &&
            (state == RED_STATE_WRONG || state == RED_STATE_CRASHED || state == RED_STATE_TIMED_OUT ||
             state == RED_STATE_KNOWN_BUG))
            return true;
    }
    return false;
}

static void what_did_wrong_is_banned_and_nothing_else(void **state) {
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct red_run run = random_run(seed);
        struct red_error error;
        assert_int_equal(red_run_mark_banned(&run, &error), RED_OK);
        for (size_t i = 0; i < CELLS_N; i++)
            assert_int_equal(cells[i].banned, did_wrong(cells[i].device, cells[i].at.strategy));
        for (size_t d = 0; d < DEVICES_N; d++) {
            struct red_bans bans = {.n = 0};
            assert_int_equal(red_bans_add(&bans, &run, d, &error), RED_OK);
            for (size_t s = 0; s < STRATEGIES_N; s++) {
                const struct red_ban *ban = red_bans_find(&bans, strategies[s].name);
                assert_int_equal(ban != NULL, did_wrong(d, &strategies[s]));
            }
            red_bans_clear(&bans);
        }
    }
}

/* What --accuracy finds counts, too, and only on its device. */
static void a_wrong_error_bans(void **state) {
    struct red_run run = random_run(1);
    struct red_accuracy accuracies[] = {{.device = 0, .at.strategy = &strategies[3], .state = RED_STATE_PASS},
                                        {.device = 0,
                                         .at.strategy = &strategies[4],
                                         .at.op = &red_ops[0],
                                         .at.dtype = &red_dtypes[0],
                                         .state = RED_STATE_WRONG,
                                         .at.data = "cancelling"}};
    struct red_bans bans = {.n = 0};
    struct red_error error;
    run.cells_n = 0;
    run.accuracies = accuracies;
    run.accuracies_n = 2;
    assert_int_equal(red_bans_add(&bans, &run, 1, &error), RED_OK);
    assert_int_equal(bans.n, 0);
    assert_int_equal(red_bans_add(&bans, &run, 0, &error), RED_OK);
    assert_int_equal(bans.n, 1);
    assert_string_equal(bans.rows[0].at.strategy->name, strategies[4].name);
    assert_string_equal(bans.rows[0].reason, "cancelling");
    red_bans_clear(&bans);
}

/* With the index and without it. */
static void the_fastest_is_none_that_is_banned(void **state) {
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct red_run run = random_run(seed);
        struct red_error error;
        assert_int_equal(red_run_mark_banned(&run, &error), RED_OK);
        for (unsigned indexed = 0; indexed < 2; indexed++) {
            for (uint64_t n = 1; n <= 4; n++) {
                const struct red_cell *best = NULL;
                for (size_t i = 0; i < CELLS_N; i++)
                    if (cells[i].device == 1 && cells[i].at.n == n && cells[i].samples_n > 0 &&
                        !cells[i].banned && (best == NULL || cells[i].time.median < best->time.median))
                        best = &cells[i];
                assert_ptr_equal(red_run_fastest(&run, 1, NULL, &run.cells[0].at, n), best);
            }
            if (indexed == 0)
                red_run_make_index(&run);
        }
        free(run.ordered);
    }
}

/* Makes of the cells of each device the checks of one in a file of `verify`. */
static void checks_of_cells(struct red_verify_file *file) {
    struct red_error error;
    assert_int_equal(red_verify_file_create(DEVICES_N, file, &error), RED_OK);
    for (size_t d = 0; d < DEVICES_N; d++)
        snprintf(file->result.run.devices[d].info.id, sizeof file->result.run.devices[d].info.id, "d%zu", d);
    for (size_t i = 0; i < CELLS_N; i++) {
        struct red_verify_check check = {.at = cells[i].at,
                                         .segments_n = 1 + i % 3,
                                         .state = cells[i].state,
                                         .known_bug = cells[i].known_bug,
                                         .again = strdup("again")};
        snprintf(check.at.shape, sizeof check.at.shape, "%s", i % 3 == 0 ? "array" : "segments");
        if (cells[i].state == RED_STATE_PASS)
            free(check.again);
        else
            assert_int_equal(red_verify_file_add(&file->devices[cells[i].device], &check, &error), RED_OK);
    }
}

/* The smallest n at which the strategy failed in one array on the device; 0: nowhere. */
static uint64_t failed_from(size_t device, const struct red_strategy *strategy) {
    uint64_t least = 0;
    for (size_t i = 0; i < CELLS_N; i += 3)
        if (cells[i].device == device && cells[i].at.strategy == strategy &&
            told_state(&cells[i]) == RED_STATE_FAILED && (least == 0 || cells[i].at.n < least))
            least = cells[i].at.n;
    return least;
}

static void checks_ban_as_cells_do_on_their_device(void **state) {
    const struct red_query query = {
        .at.op = &red_ops[0], .at.dtype = &red_dtypes[0], .shape = {.text = "array"}};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct red_verify_file file;
        struct red_error error;
        random_run(seed);
        checks_of_cells(&file);
        const struct red_loaded_files checked = {.checks = &file, .checks_n = 1};
        for (size_t d = 0; d < DEVICES_N; d++) {
            struct red_bans bans = {.n = 0}, failed = {.n = 0}, none = {.n = 0};
            struct red_result result = file.result;
            assert_int_equal(red_bans_add_checks(&bans, &failed, &checked, &result, d, &query, &error),
                             RED_OK);
            for (size_t s = 0; s < STRATEGIES_N; s++) {
                const struct red_ban *ban = red_bans_find(&bans, strategies[s].name),
                                     *row = red_bans_find(&failed, strategies[s].name);
                assert_int_equal(ban != NULL, did_wrong(d, &strategies[s]));
                assert_true(ban == NULL || strcmp(ban->again, "again") == 0);
                assert_int_equal(row != NULL ? row->at.n : 0, failed_from(d, &strategies[s]));
            }
            strcpy(result.machine, "another");
            assert_int_equal(red_bans_add_checks(&none, NULL, &checked, &result, d, NULL, &error), RED_OK);
            assert_int_equal(none.n, 0);
            red_bans_clear(&bans);
            red_bans_clear(&failed);
        }
        red_verify_file_clear(&file);
    }
}

static void the_worst_comes_first_in_words(void **state) {
    struct red_run run = random_run(1);
    struct red_bans bans = {.n = 0};
    struct red_error error;
    char text[4096];
    run.cells_n = 4;
    for (size_t i = 0; i < run.cells_n; i++) {
        static const enum red_state states[] = {RED_STATE_KNOWN_BUG, RED_STATE_CRASHED, RED_STATE_CRASHED,
                                                RED_STATE_WRONG};
        cells[i].device = 1;
        cells[i].at.strategy = &strategies[i < 2 ? i : 2];
        cells[i].state = states[i];
        cells[i].known_bug = RED_STATE_PENDING;
        cells[i].at.n = 1 << i;
        snprintf(cells[i].reason, sizeof cells[i].reason, "reason %zu", i);
    }
    assert_int_equal(red_bans_add(&bans, &run, 0, &error), RED_OK);
    red_bans_sentence(&bans, "dev", text, sizeof text);
    assert_string_equal(text, "");
    assert_int_equal(red_bans_add(&bans, &run, 1, &error), RED_OK);
    assert_int_equal(bans.n, 3);
    red_bans_sentence(&bans, "dev", text, sizeof text);
    assert_string_equal(
        text,
        "DO NOT USE on dev: s2 gave WRONG results: sum of i8 at n = 8 and 1 more: reason 3; s7 crashed: "
        "sum of i8 at n = 2: reason 1; s0 has a known bug: sum of i8 at n = 1: reason 0.");
    red_bans_clear(&bans);
}

/* It is banned for that, on its device alone, and what it did wrong is told rather. */
static void what_was_never_checked_at_some_level_is_banned(void **state) {
    struct red_run run = random_run(1);
    struct red_bans bans = {.n = 0};
    struct red_error error;
    char text[4096];
    run.cells_n = 3;
    for (size_t i = 0; i < run.cells_n; i++) {
        cells[i] = (struct red_cell){.device = 1,
                                     .at.strategy = &strategies[i > 0],
                                     .at.op = &red_ops[0],
                                     .at.dtype = &red_dtypes[0],
                                     .at.n = 8,
                                     .state = i < 2 ? RED_STATE_PASS : RED_STATE_WRONG,
                                     .reason = "reason"};
        snprintf(cells[i].unchecked, sizeof cells[i].unchecked, "n = 17, type f64");
    }
    assert_int_equal(red_bans_add(&bans, &run, 0, &error), RED_OK);
    assert_int_equal(bans.n, 0);
    assert_int_equal(red_bans_add(&bans, &run, 1, &error), RED_OK);
    red_bans_sentence(&bans, "dev", text, sizeof text);
    assert_string_equal(text,
                        "DO NOT USE on dev: s7 gave WRONG results: sum of i8 at n = 8: reason; s0 was never "
                        "checked at n = 17, type f64.");
    red_bans_clear(&bans);
    assert_int_equal(red_run_mark_banned(&run, &error), RED_OK);
    assert_true(cells[0].banned && cells[1].banned);
}
