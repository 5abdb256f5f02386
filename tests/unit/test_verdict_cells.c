/* The verdicts of a duel: what comes of failures, of blocks that were dropped, of ratios that change, and of
 * many cells at once. */
#include "tests/unit/testing.h"

#include "gate/duel.h"
#include "tests/unit/made_duel.h"

/* ---- states -------------------------------------------------------------------------------------------- */

static void failures_come_before_times(void **state) {
    static const struct {
        enum red_state base, head;
        enum red_verdict_code code;
    } rows[] = {
        {RED_STATE_WRONG, RED_STATE_PASS, RED_CODE_WRONG},
        {RED_STATE_PASS, RED_STATE_WRONG, RED_CODE_WRONG},
        {RED_STATE_CRASHED, RED_STATE_WRONG, RED_CODE_WRONG},
        {RED_STATE_WRONG, RED_STATE_CRASHED, RED_CODE_WRONG},
        {RED_STATE_PASS, RED_STATE_CRASHED, RED_CODE_CRASHED},
        {RED_STATE_CRASHED, RED_STATE_TIMED_OUT, RED_CODE_CRASHED},
        {RED_STATE_TIMED_OUT, RED_STATE_UNSUPPORTED, RED_CODE_TIMED_OUT},
        {RED_STATE_FAILED, RED_STATE_TIMED_OUT, RED_CODE_TIMED_OUT},
        {RED_STATE_PASS, RED_STATE_FAILED, RED_CODE_FAILED},
        {RED_STATE_BUILD_FAILED, RED_STATE_PASS, RED_CODE_BUILD_FAILED},
        {RED_STATE_KNOWN_BUG, RED_STATE_PASS, RED_CODE_NOT_RUN},
        {RED_STATE_FAILED, RED_STATE_KNOWN_BUG, RED_CODE_FAILED},
        {RED_STATE_PASS, RED_STATE_UNSUPPORTED, RED_CODE_MISSING},
        {RED_STATE_PASS, RED_STATE_OVER_BUDGET, RED_CODE_MISSING},
        {RED_STATE_UNSUPPORTED, RED_STATE_PASS, RED_CODE_NEW},
        {RED_STATE_UNSUPPORTED, RED_STATE_UNSUPPORTED, RED_CODE_NOT_RUN},
        {RED_STATE_OVER_BUDGET, RED_STATE_OVER_BUDGET, RED_CODE_NOT_RUN},
        {RED_STATE_PENDING, RED_STATE_PENDING, RED_CODE_NOT_RUN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_duel *duel = made_duel(2);
        for (size_t c = 0; c < 2; c++) { /* slower, but for that */
            made_pairs(&duel->cells[c], 1, 5, 0.3, 0.01);
            made_pairs(&duel->cells[c], 2, 6, 0.3, 0.01);
        }
        duel->cells[0].state[RED_BASE] = rows[i].base;
        duel->cells[0].state[RED_HEAD] = rows[i].head;
        assert_int_equal(red_duel_judge(duel, NULL, NULL), RED_OK);
        must_have("the other cell", &duel->cells[1], RED_CODE_CONFIRMED_SLOWER);
        assert_near(duel->cells[1].finding.level, 0.005, 1e-15); /* nobody shares it */
        struct red_finding found = must_end(duel, red_state_name(rows[i].head), rows[i].code, RED_NEXT_NONE);
        assert_false(found.nominated);
        assert_near(found.ratio, 0, 0);
    }
}

static void codes_have_their_verdicts(void **state) {
    static const struct {
        enum red_verdict_code code;
        const char *name, *verdict;
    } rows[] = {
        {RED_CODE_CONFIRMED_SLOWER, "confirmed-slower", "SLOWER"},
        {RED_CODE_CONFIRMED_FASTER, "confirmed-faster", "FASTER"},
        {RED_CODE_WITHIN, "within", "SAME"},
        {RED_CODE_NOT_CONFIRMED, "not-confirmed", "UNDECIDED"},
        {RED_CODE_PAIRS, "launches-spent", "UNDECIDED"},
        {RED_CODE_BUDGET, "budget", "UNDECIDED"},
        {RED_CODE_INTERRUPTED, "interrupted", "UNDECIDED"},
        {RED_CODE_FEW_PAIRS, "few-launches", "UNTRUSTED"},
        {RED_CODE_WORKLOADS, "controls-moved", "UNTRUSTED"},
        {RED_CODE_CLOCK, "clock", "UNTRUSTED"},
        {RED_CODE_SUSPENDED, "suspended", "UNTRUSTED"},
        {RED_CODE_UNSTEADY, "unsteady", "UNTRUSTED"},
        {RED_CODE_DRIFT, "drift", "UNTRUSTED"},
        {RED_CODE_WRONG, "wrong", "WRONG"},
        {RED_CODE_BUILD_FAILED, "build-failed", "BROKEN"},
        {RED_CODE_FAILED, "failed", "FAILED"},
        {RED_CODE_CRASHED, "crashed", "FAILED"},
        {RED_CODE_TIMED_OUT, "timed-out", "FAILED"},
        {RED_CODE_MISSING, "missing", "UNTRUSTED"},
        {RED_CODE_NEW, "new", "UNDECIDED"},
        {RED_CODE_NOT_RUN, "not-run", "UNDECIDED"},
    };
    assert_int_equal(sizeof rows / sizeof rows[0], RED_CODES_N);
    for (size_t i = 0; i < RED_CODES_N; i++) {
        assert_string_equal(red_verdict_code_name(rows[i].code), rows[i].name);
        assert_string_equal(red_verdict_names[red_verdict_of_code(rows[i].code)], rows[i].verdict);
        assert_true(strlen(red_verdict_code_words(rows[i].code)) > 5);
    }
}

/* ---- dropped blocks ------------------------------------------------------------------------------------ */

/* A process pair of blocks at 0, of which some are dropped, for reasons that are handed out in order; those
 * look far slower. */
static void add_dropped(struct red_duel_cell *cell, unsigned stage, size_t good_n, const size_t *dropped_n) {
    struct red_block blocks[80];
    size_t n = 0;
    while (n < good_n)
        blocks[n++] = made_block(0);
    for (size_t drop = RED_DROP_WORKLOADS; drop < RED_DROPS_N; drop++)
        for (size_t i = 0; i < dropped_n[drop]; i++) {
            blocks[n] = made_block(5);
            if (drop == RED_DROP_WORKLOADS)
                blocks[n].workload_ns[RED_WORKLOAD_SPIN][0] *= 2;
            else
                blocks[n].drop = (enum red_drop)drop;
            n++;
        }
    made_add(cell, stage, blocks, n);
}

/* Controls, clock, suspended. */
static void more_than_half_dropped_is_not_trusted(void **state) {
    static const struct {
        const char *what;
        size_t dropped[RED_DROPS_N];
        enum red_verdict_code code;
    } rows[] = {
        {"none", {0}, RED_CODE_WITHIN},
        {"half of all", {0, 1, 5, 1}, RED_CODE_WITHIN},
        {"controls", {0, 8, 0, 0}, RED_CODE_WORKLOADS},
        {"clock", {0, 0, 8, 0}, RED_CODE_CLOCK},
        {"suspended", {0, 0, 0, 8}, RED_CODE_SUSPENDED},
        {"most for the clock", {0, 2, 4, 2}, RED_CODE_CLOCK},
        {"most while suspended", {0, 2, 2, 4}, RED_CODE_SUSPENDED},
        {"equally many", {0, 4, 4, 0}, RED_CODE_WORKLOADS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_duel *duel = made_duel(1);
        for (size_t k = 0; k < 5; k++)
            add_dropped(duel->cells, 1, 7, rows[i].dropped);
        struct red_finding found = must_end(duel, rows[i].what, rows[i].code, RED_NEXT_NONE);
        for (size_t drop = RED_DROP_WORKLOADS; drop < RED_DROPS_N; drop++)
            assert_int_equal(found.dropped_n[drop], 5 * rows[i].dropped[drop]);
        assert_int_equal(found.dropped_n[RED_DROP_NONE], 35);
        assert_near(found.ratio, 1, 1e-8);
    }
}

/* A budget that ends first changes nothing about why there is no answer. */
static void a_few_pairs_show_it(void **state) {
    struct red_duel *duel = made_duel(1);
    add_dropped(duel->cells, 1, 5, (const size_t[RED_DROPS_N]){0, 0, 6, 0});
    must_end(duel, "one launch", RED_CODE_CLOCK, RED_NEXT_STAGE_1);
    duel = made_duel(1);
    duel->interrupted = true;
    add_dropped(duel->cells, 1, 5, (const size_t[RED_DROPS_N]){0, 0, 6, 0});
    must_end(duel, "interrupted", RED_CODE_CLOCK, RED_NEXT_STAGE_1);
}

/* A nominated cell is judged by the blocks of both stages. */
static void dropped_blocks_of_both_stages_count(void **state) {
    for (size_t more = 0; more < 2; more++) {
        struct red_duel *duel = made_duel(1);
        made_pairs(duel->cells, 1, 5, 0.3, 0.01);
        made_pairs(duel->cells, 2, 6, 0.3, 0.01);
        add_dropped(duel->cells, 2, 5, (const size_t[RED_DROPS_N]){0, 0, 60 + more, 0});
        struct red_finding found =
            must_end(duel, "both stages", more ? RED_CODE_CLOCK : RED_CODE_CONFIRMED_SLOWER, RED_NEXT_NONE);
        assert_int_equal(found.blocks_n, 120 + more);
    }
}

static void pairs_without_enough_good_blocks_are_none(void **state) {
    static const size_t three[RED_DROPS_N] = {0, 3, 0, 0};
    for (size_t good_n = 2; good_n <= 3; good_n++) {
        struct red_duel *duel = made_duel(1);
        made_pairs(duel->cells, 1, good_n, 0, 1e-3);
        for (size_t k = good_n; k < 5; k++)
            add_dropped(duel->cells, 1, 4, three);
        struct red_finding found =
            must_end(duel, "few launches", good_n < 3 ? RED_CODE_FEW_PAIRS : RED_CODE_WITHIN, RED_NEXT_NONE);
        assert_int_equal(found.pairs_n, good_n);
        if (good_n == 2) /* which have an interval of their own: 12.706 standard errors */
            assert_near(log(found.high), 12.7062 * 1e-3, 1e-7);
    }
    struct red_duel *duel = made_duel(1);
    made_pairs(duel->cells, 1, 3, 0, 0.5);
    for (size_t k = 3; k < 5; k++)
        add_dropped(duel->cells, 1, 4, three);
    must_end(duel, "three are enough to say that nothing is known", RED_CODE_PAIRS, RED_NEXT_NONE);
    duel = made_duel(1);
    duel->plan.pairs_max = 6;
    made_pairs(duel->cells, 1, 2, 0.5, 1e-3);
    for (size_t k = 2; k < 5; k++)
        add_dropped(duel->cells, 1, 4, three);
    must_end(duel, "one more may be had", RED_CODE_BUDGET, RED_NEXT_STAGE_1);
}

/* ---- ratios that change -------------------------------------------------------------------------------- */

/* Quantiles of Student's t at 0.0005: 31.60 (2 degrees), 12.92 (3), 8.610 (4). */

static struct red_duel *halves_duel(size_t earlier_n, size_t later_n, double step, double spread) {
    struct red_duel *duel = made_duel(1);
    duel->plan.pairs_n = duel->plan.pairs_max = (unsigned)(earlier_n + later_n);
    made_pairs(duel->cells, 1, earlier_n, -step / 2, spread);
    made_pairs(duel->cells, 1, later_n, step / 2, spread);
    return duel;
}

static void a_ratio_that_changes_between_pairs_drifts(void **state) {
    must_end(halves_duel(3, 3, 0.1, 0.0038), "just sure", RED_CODE_DRIFT, RED_NEXT_NONE);
    must_end(halves_duel(3, 3, 0.1, 0.0040), "just not", RED_CODE_PAIRS, RED_NEXT_NONE);
    must_end(halves_duel(3, 3, -0.1, 0.0038), "downwards", RED_CODE_DRIFT, RED_NEXT_NONE);
    must_end(halves_duel(3, 3, 0.0200, 1e-5), "just large", RED_CODE_DRIFT, RED_NEXT_NONE);
    must_end(halves_duel(3, 3, 0.0196, 1e-5), "just not", RED_CODE_WITHIN, RED_NEXT_NONE);
    must_end(halves_duel(3, 3, 0.1, 0), "without any spread", RED_CODE_DRIFT, RED_NEXT_NONE);
    must_end(halves_duel(3, 4, 0.1, 0.0027), "at the first of two points", RED_CODE_DRIFT, RED_NEXT_NONE);
    must_end(halves_duel(4, 3, 0.1, 0.0027), "at the second", RED_CODE_DRIFT, RED_NEXT_NONE);
    must_end(halves_duel(4, 3, 0.1, 0.0029), "of which each has its share", RED_CODE_PAIRS, RED_NEXT_NONE);
    must_end(halves_duel(2, 3, 0.2, 1e-5), "two launches are no sample", RED_CODE_PAIRS, RED_NEXT_NONE);
}

static struct red_duel *stages_duel(double first, double second, double spread) {
    struct red_duel *duel = made_duel(1);
    made_pairs(duel->cells, 1, 5, first, spread);
    made_pairs(duel->cells, 2, 6, second, spread);
    return duel;
}

static void a_ratio_that_changes_between_stages_drifts(void **state) {
    must_end(stages_duel(0.4, 0.3, 0.0115), "just sure", RED_CODE_DRIFT, RED_NEXT_NONE);
    must_end(stages_duel(0.4, 0.3, 0.0118), "just not", RED_CODE_CONFIRMED_SLOWER, RED_NEXT_NONE);
    must_end(stages_duel(-0.4, -0.3, 0.0115), "of a faster one", RED_CODE_DRIFT, RED_NEXT_NONE);
    must_end(stages_duel(0.3, 0.3200, 1e-5), "just large", RED_CODE_DRIFT, RED_NEXT_NONE);
    must_end(stages_duel(0.3, 0.3196, 1e-5), "just not", RED_CODE_CONFIRMED_SLOWER, RED_NEXT_NONE);
    must_end(stages_duel(0.3, 0, 1e-4), "slower no more", RED_CODE_DRIFT, RED_NEXT_NONE);
    struct red_duel *duel = made_duel(1);
    made_pairs(duel->cells, 1, 5, 0.3, 0.05);
    made_pairs(duel->cells, 2, 6, 0.35, 1e-3);
    made_pairs(duel->cells, 2, 6, 0.25, 1e-3);
    must_end(duel, "within stage 2, which decides", RED_CODE_DRIFT, RED_NEXT_NONE);
    duel = made_duel(1);
    made_pairs(duel->cells, 1, 3, 0, 1e-3);
    made_pairs(duel->cells, 1, 9, 0.5, 1e-3);
    made_pairs(duel->cells, 2, 6, 0.5, 1e-3);
    must_end(duel, "within stage 1, and for good", RED_CODE_DRIFT, RED_NEXT_NONE);
    duel = made_duel(1);
    duel->plan.look_pairs_n = 2;
    made_pairs(duel->cells, 1, 5, 0.4, 1e-3);
    made_pairs(duel->cells, 2, 2, 0.3, 1e-3);
    must_end(duel, "two launches are no sample", RED_CODE_CONFIRMED_SLOWER, RED_NEXT_NONE);
    duel = made_duel(1);
    made_pairs(duel->cells, 1, 5, 0.4, 1e-3);
    made_pairs(duel->cells, 2, 5, 0.3, 1e-3);
    must_end(duel, "while it is under way", RED_CODE_BUDGET, RED_NEXT_STAGE_2);
}

/* Process pairs at `mean`, whose later half is `shift` beyond the earlier, give or take `spread`. */
static void shifting(struct red_duel_cell *cell, unsigned stage, size_t n, double mean, double shift,
                     double spread) {
    for (size_t i = 0; i < n; i++) {
        double half = (shift + (i + 1 == n && n % 2 == 1 ? 0 : i % 2 ? -spread : spread)) / 2;
        struct red_block blocks[6];
        for (size_t r = 0; r < 6; r++)
            blocks[r] = made_block(mean + (i % 2 ? 1e-4 : -1e-4) + (r < 3 ? -half : half));
        made_add(cell, stage, blocks, 6);
    }
}

static void a_ratio_that_changes_within_pairs_is_unsteady(void **state) {
    static const struct {
        const char *what;
        double shift, spread;
        bool is_steady;
    } rows[] = {
        {"just sure", 0.1, 0.0257, false},  {"just not", 0.1, 0.0262, true},
        {"downwards", -0.1, 0.0257, false}, {"just large", 0.0200, 1e-5, false},
        {"just not", 0.0196, 1e-5, true},   {"without any spread", 0.1, 0, false},
        {"not at all", 0, 0, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_duel *duel = made_duel(1);
        shifting(duel->cells, 1, 5, 0, rows[i].shift, rows[i].spread);
        must_end(duel, rows[i].what, rows[i].is_steady ? RED_CODE_WITHIN : RED_CODE_UNSTEADY, RED_NEXT_NONE);
    }
}

static void the_stage_that_decides_must_be_steady(void **state) {
    for (unsigned stage = 1; stage <= 2; stage++) {
        struct red_duel *duel = made_duel(1);
        shifting(duel->cells, 1, 5, 0.3, stage == 1 ? 0.1 : 0, 1e-3);
        shifting(duel->cells, 2, 6, 0.3, stage == 2 ? 0.1 : 0, 1e-3);
        must_end(duel, "a stage", stage == 2 ? RED_CODE_UNSTEADY : RED_CODE_CONFIRMED_SLOWER, RED_NEXT_NONE);
    }
    struct red_duel *duel = made_duel(1);
    shifting(duel->cells, 1, 5, 0.3, 0.1, 1e-3);
    must_end(duel, "another stage comes", RED_CODE_BUDGET, RED_NEXT_STAGE_2);
    duel = made_duel(1);
    shifting(duel->cells, 1, 2, 0, 0.3, 1e-3);
    for (size_t k = 2; k < 5; k++)
        add_dropped(duel->cells, 1, 4, (const size_t[RED_DROPS_N]){0, 3, 0, 0});
    must_end(duel, "two launches are no sample", RED_CODE_FEW_PAIRS, RED_NEXT_NONE);
}
