/* The verdicts of a duel: what every rule of gate/duel.h makes of samples that are known. */
#include "tests/unit/testing.h"

#include "gate/duel.h"
#include "tests/unit/made_duel.h"

#define NONE    RED_NEXT_NONE
#define STAGE_1 RED_NEXT_STAGE_1
#define STAGE_2 RED_NEXT_STAGE_2

/* ---- verdicts from process pairs ----------------------------------------------------------------------- */

/* The margin is 0.0198 as a logarithm, twice the margin 0.0392, what nominates 0.00995. Quantiles of
 * Student's t: 1.533 (0.1, 4 degrees), 2.776 (0.025, 4), 2.571 (0.025, 5), 4.032 (0.005, 5), 3.106 (0.005,
 * 11). */

struct pairs {
    size_t n;
    double mean, spread;
};

static const struct row {
    const char *what;
    struct pairs stages[2];
    enum red_verdict_code code;
    enum red_next next;
} rows[] = {
    {"nothing was measured", {{0}, {0}}, RED_CODE_BUDGET, STAGE_1},
    {"a launch less than planned is none the wiser", {{4, 0, 1e-3}, {0}}, RED_CODE_BUDGET, STAGE_1},
    {"nor does it nominate", {{4, 0.5, 1e-3}, {0}}, RED_CODE_BUDGET, STAGE_1},
    {"the same", {{5, 0, 1e-3}, {0}}, RED_CODE_WITHIN, NONE},
    {"just within twice the margin", {{5, 0, 0.0315}, {0}}, RED_CODE_WITHIN, NONE},
    {"just not", {{5, 0, 0.0317}, {0}}, RED_CODE_PAIRS, NONE},
    {"within, off the middle", {{5, 0.0099, 0.0235}, {0}}, RED_CODE_WITHIN, NONE},
    {"not within, off the middle", {{5, 0.0099, 0.0238}, {0}}, RED_CODE_PAIRS, NONE},
    {"just not nominated", {{5, 0.01679, 0.01}, {0}}, RED_CODE_WITHIN, NONE},
    {"just nominated", {{5, 0.01683, 0.01}, {0}}, RED_CODE_BUDGET, STAGE_2},
    {"stage 1 alone confirms nothing", {{5, 0.5, 1e-3}, {0}}, RED_CODE_BUDGET, STAGE_2},
    {"nor with a launch less than a look", {{5, 0.5, 1e-3}, {5, 0.5, 1e-3}}, RED_CODE_BUDGET, STAGE_2},
    {"a whole look", {{5, 0.5, 1e-3}, {6, 0.5, 2e-3}}, RED_CODE_CONFIRMED_SLOWER, NONE},
    {"just beyond the margin", {{5, 0.05, 0.01}, {6, 0.0380, 0.01}}, RED_CODE_CONFIRMED_SLOWER, NONE},
    {"just not beyond it", {{5, 0.05, 0.01}, {6, 0.0377, 0.01}}, RED_CODE_BUDGET, STAGE_2},
    {"between two looks", {{5, 0.05, 0.01}, {11, 0.0390, 0.02}}, RED_CODE_BUDGET, STAGE_2},
    {"at the second look", {{5, 0.05, 0.01}, {12, 0.0387, 0.02}}, RED_CODE_CONFIRMED_SLOWER, NONE},
    {"not even there", {{5, 0.05, 0.01}, {12, 0.0383, 0.02}}, RED_CODE_NOT_CONFIRMED, NONE},
    {"the same after all", {{5, 0.019, 0.012}, {6, 0, 1e-3}}, RED_CODE_WITHIN, NONE},
    {"just the same", {{5, 0.019, 0.012}, {6, 0, 0.0340}}, RED_CODE_WITHIN, NONE},
    {"just not the same", {{5, 0.019, 0.012}, {6, 0, 0.0342}}, RED_CODE_BUDGET, STAGE_2},
    {"the same with a launch less", {{5, 0.019, 0.012}, {5, 0, 1e-3}}, RED_CODE_BUDGET, STAGE_2},
    {"a change the other way is none", {{5, 0.019, 0.012}, {12, -0.1, 0.2}}, RED_CODE_NOT_CONFIRMED, NONE},
};

/* A duel of one cell; `sign` -1 has the sides change places. */
static struct red_duel *row_duel(const struct row *row, int sign) {
    struct red_duel *duel = made_duel(1);
    assert_non_null(duel);
    for (unsigned s = 0; s < 2; s++)
        made_pairs(duel->cells, s + 1, row->stages[s].n, sign * row->stages[s].mean, row->stages[s].spread);
    return duel;
}

static struct red_finding row_finding(const struct row *row) {
    return must_end(row_duel(row, 1), row->what, row->code, row->next);
}

static void samples_decide(void **state) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int sign = 1; sign >= -1; sign -= 2) {
            enum red_verdict_code code = rows[i].code;
            if (sign < 0 && code == RED_CODE_CONFIRMED_SLOWER)
                code = RED_CODE_CONFIRMED_FASTER;
            must_end(row_duel(&rows[i], sign), rows[i].what, code, rows[i].next);
        }
    }
}

/* What wanted more process pairs has none for another reason; what had all stays. */
static void an_interrupted_duel_leaves_open_what_wanted_more(void **state) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_duel *duel = row_duel(&rows[i], 1);
        duel->interrupted = true;
        must_end(duel, rows[i].what, rows[i].next != NONE ? RED_CODE_INTERRUPTED : rows[i].code,
                 rows[i].next);
    }
}

static void a_cell_has_pairs_of_stage_1_up_to_the_most(void **state) {
    static const struct {
        size_t n;
        double spread;
        enum red_verdict_code code;
        enum red_next next;
    } all[] = {{5, 0.1, RED_CODE_BUDGET, STAGE_1},
               {7, 0.1, RED_CODE_BUDGET, STAGE_1},
               {8, 0.1, RED_CODE_PAIRS, NONE},
               {7, 1e-3, RED_CODE_WITHIN, NONE}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct red_duel *duel = made_duel(1);
        duel->plan.pairs_max = 8;
        made_pairs(duel->cells, 1, all[i].n, 0, all[i].spread);
        must_end(duel, "more launches", all[i].code, all[i].next);
    }
}

/* The fewest that have an interval worth the name. */
static void three_pairs_nominate(void **state) {
    for (unsigned n = 2; n <= 3; n++) {
        struct red_duel *duel = made_duel(1);
        duel->plan.pairs_n = duel->plan.pairs_max = n;
        made_pairs(duel->cells, 1, n, 0.5, 1e-3);
        must_end(duel, "few", n < 3 ? RED_CODE_FEW_PAIRS : RED_CODE_BUDGET, n < 3 ? NONE : STAGE_2);
    }
}

static void margins_are_the_cells_own(void **state) {
    const struct row *row = &rows[12]; /* 0.5, which is 65 % */
    static const struct {
        double margin;
        enum red_verdict_code code;
    } all[] = {{0.02, RED_CODE_CONFIRMED_SLOWER}, {0.64, RED_CODE_CONFIRMED_SLOWER}, {0.66, RED_CODE_WITHIN}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct red_duel *duel = row_duel(row, 1);
        duel->cells[0].margin = all[i].margin;
        must_end(duel, "a margin", all[i].code, NONE);
    }
}

/* A process that was slow for all of its life, in every test there is: nomination, a look, the same. */
static void a_strange_pair_is_left_out(void **state) {
    static const struct {
        double trim, strange, mean;
        enum red_verdict_code code;
    } all[] = {{0, 0.4, 0, RED_CODE_PAIRS},        {0.2, 0.4, 0, RED_CODE_WITHIN},
               {0, -0.4, 0.05, RED_CODE_PAIRS},    {0.2, -0.4, 0.05, RED_CODE_CONFIRMED_SLOWER},
               {0.2, 0.4, 0.019, RED_CODE_WITHIN}, {0.2, 0.4, 0.05, RED_CODE_CONFIRMED_SLOWER},
               {0, -0.4, -0.05, RED_CODE_BUDGET},  {0.2, -0.4, -0.05, RED_CODE_CONFIRMED_FASTER}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct red_duel *duel = made_duel(1);
        duel->plan.trim = all[i].trim;
        for (unsigned stage = 1; stage <= 2; stage++) {
            made_pairs(duel->cells, stage, 4 + stage - 1, all[i].mean, 1e-3);
            made_pair(duel->cells, stage, all[i].strange);
        }
        enum red_next next = all[i].code == RED_CODE_BUDGET ? STAGE_2 : NONE;
        struct red_finding found = must_end(duel, "a strange launch", all[i].code, next);
        if (all[i].trim > 0)
            assert_near(log(found.ratio), all[i].mean, 1e-3);
    }
}

/* What decides at a look is what there was at that look, and is what is shown. */
static void a_look_sees_its_own_pairs(void **state) {
    struct red_duel *duel = made_duel(1);
    made_pairs(duel->cells, 1, 5, 0.1, 0.01);
    made_pairs(duel->cells, 2, 6, 0.1, 0.01);
    made_pairs(duel->cells, 2, 2, 0, 0.05);
    struct red_finding found = must_end(duel, "then others", RED_CODE_CONFIRMED_SLOWER, NONE);
    assert_int_equal(found.stage, 2);
    assert_int_equal(found.pairs_n, 6);
    assert_true(found.nominated);
    assert_near(log(found.ratio), 0.1, 1e-8);
    assert_near(log(found.low), 0.1 - 2.570582 * 0.01 / sqrt(5), 1e-7);
    assert_near(log(found.high), 0.1 + 2.570582 * 0.01 / sqrt(5), 1e-7);
    assert_near(found.level, 0.005, 1e-15);
}

static void figures_are_of_the_stage_that_decides(void **state) {
    struct red_finding found = row_finding(&rows[10]);
    assert_int_equal(found.stage, 1);
    assert_int_equal(found.pairs_n, 5);
    assert_true(found.nominated);
    assert_near(log(found.ratio), 0.5, 1e-8);
    assert_near(found.p, 1, 0);
    found = row_finding(&rows[14]);
    assert_int_equal(found.stage, 2);
    assert_int_equal(found.pairs_n, 6);
    assert_near(log(found.ratio), 0.0377, 1e-8);
    found = row_finding(&rows[17]);
    assert_int_equal(found.pairs_n, 12);
    found = row_finding(&rows[3]);
    assert_int_equal(found.stage, 1);
    assert_false(found.nominated);
    assert_near(found.level, 0, 0);
    assert_near(log(found.ratio), 0, 1e-8);
    assert_near(log(found.high), 2.776445 * 1e-3 / sqrt(5), 1e-8);
    found = row_finding(&rows[0]);
    assert_int_equal(found.stage, 1);
    assert_near(found.ratio, 0, 0);
    assert_near(found.time_s[RED_BASE], 0, 0);
}

/* Without any spread a test has no error to divide by. */
static void equal_pairs_are_beyond_the_margin_or_not(void **state) {
    struct red_duel *duel = made_duel(1);
    made_pairs(duel->cells, 1, 5, 0.03, 0);
    made_pairs(duel->cells, 2, 6, 0.0199, 0);
    must_end(duel, "above", RED_CODE_CONFIRMED_SLOWER, NONE);
    duel = made_duel(1);
    made_pairs(duel->cells, 1, 5, 0.03, 0);
    made_pairs(duel->cells, 2, 6, 0.0197, 0);
    assert_near(must_end(duel, "below", RED_CODE_WITHIN, NONE).p, 1, 0);
}

static void a_look_of_one_pair_says_nothing(void **state) {
    for (unsigned look_pairs_n = 1; look_pairs_n <= 2; look_pairs_n++) {
        struct red_duel *duel = made_duel(1);
        duel->plan.look_pairs_n = look_pairs_n;
        made_pairs(duel->cells, 1, 5, 0.5, 1e-3);
        made_pairs(duel->cells, 2, look_pairs_n, 0.5, 1e-3);
        bool is_few = look_pairs_n < 2;
        struct red_finding found =
            must_end(duel, "few launches", is_few ? RED_CODE_BUDGET : RED_CODE_CONFIRMED_SLOWER,
                     is_few ? STAGE_2 : NONE);
        assert_near(found.p, is_few ? 1 : 0, 1e-3);
    }
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static struct red_process_pair_ratio ratio_of(const struct red_block *blocks, size_t blocks_n, bool *counts) {
    struct red_duel *duel = made_duel(1);
    struct red_process_pair_ratio found;
    made_add(duel->cells, 1, blocks, blocks_n);
    *counts = red_process_pair_ratio_of(&duel->plan, duel->cells[0].pairs, &found);
    made_duel_free(duel);
    return found;
}

static void a_pair_is_the_median_of_its_good_blocks(void **state) {
    struct red_block blocks[8];
    static const double logs[] = {0.3, -0.1, 0.2, 0.9, 0, 0.4, 9, -9};
    bool counts;
    for (size_t r = 0; r < 8; r++)
        blocks[r] = made_block(logs[r]);
    struct red_process_pair_ratio found = ratio_of(blocks, 6, &counts);
    assert_true(counts);
    assert_near(found.log_ratio, 0.25, 1e-8);
    assert_near(found.shift, 0.4 - 0.2, 1e-8);
    blocks[3].drop = RED_DROP_CLOCK;
    blocks[6].drop = RED_DROP_SUSPENDED;
    blocks[7].workload_ns[RED_WORKLOAD_SPIN][1] = 2 * MADE_WORKLOAD_NS;
    found = ratio_of(blocks, 8, &counts);
    assert_true(counts);
    assert_int_equal(found.good_n, 5);
    assert_near(found.log_ratio, 0.2, 1e-8);
    assert_near(found.shift, 0.2 - 0.1, 1e-8); /* of the later three, of the first two */
    blocks[0].drop = RED_DROP_CLOCK;
    found = ratio_of(blocks, 8, &counts);
    assert_false(counts);
    assert_int_equal(found.good_n, 4);
    assert_false((ratio_of(blocks, 0, &counts), counts));
}

/* The first batch of a side in a block pays for the switch; where a side in a block has but one, that is it.
 */
static void the_shortest_batch_counts_but_the_first(void **state) {
    struct red_duel_plan plan = made_plan();
    struct red_block block = {
        .batch_ns = {[RED_BASE] = {100, 400, 300, 500, 200}, [RED_HEAD] = {1, 4000, 5000, 2000, 0}}};
    struct red_block blocks[] = {block, block, block, block, block};
    struct red_process_pair pair = {.blocks = blocks, .blocks_n = 5};
    static const double ratios[] = {0, 1. / 100, 10, 4000. / 300, 2000. / 300, 1. / 200};
    for (unsigned batches_n = 1; batches_n <= 5; batches_n++) {
        struct red_process_pair_ratio found;
        plan.batches_n = batches_n;
        assert_true(red_process_pair_ratio_of(&plan, &pair, &found));
        assert_near(found.log_ratio, log(ratios[batches_n]), 1e-12);
    }
}

static void a_workload_that_changed_drops_the_block(void **state) {
    const struct red_duel_plan plan = made_plan(); /* 5 %, 50 %, 2 % */
    static const uint64_t most[RED_WORKLOADS_N] = {10500, 15000, 10200};
    struct red_block block = made_block(0);
    assert_int_equal(red_block_drop_reason(&plan, &block), RED_DROP_NONE);
    for (size_t c = 0; c < RED_WORKLOADS_N; c++) {
        for (size_t time = 0; time < RED_WORKLOAD_TIMES_N; time++) {
            block = made_block(0);
            for (size_t i = 0; i < RED_WORKLOAD_TIMES_N; i++)
                block.workload_ns[c][i] = 10000;
            block.workload_ns[c][time] = most[c];
            assert_int_equal(red_block_drop_reason(&plan, &block), RED_DROP_NONE);
            block.workload_ns[c][time] = most[c] + 1;
            assert_int_equal(red_block_drop_reason(&plan, &block), RED_DROP_WORKLOADS);
            block.drop = RED_DROP_CLOCK; /* seen while measuring, which tells more */
            assert_int_equal(red_block_drop_reason(&plan, &block), RED_DROP_CLOCK);
        }
    }
}

/* A chain that failed once is no chain that took no time. */
static void a_workload_that_was_not_timed_changes_nothing(void **state) {
    const struct red_duel_plan plan = made_plan();
    struct red_block block = made_block(0);
    block.workload_ns[RED_WORKLOAD_CHAIN][1] = 10000;
    assert_int_equal(red_block_drop_reason(&plan, &block), RED_DROP_NONE);
    block.workload_ns[RED_WORKLOAD_CHAIN][2] = 10100;
    assert_int_equal(red_block_drop_reason(&plan, &block), RED_DROP_NONE);
    block.workload_ns[RED_WORKLOAD_CHAIN][2] = 10300;
    assert_int_equal(red_block_drop_reason(&plan, &block), RED_DROP_WORKLOADS);
}

/* What people see: of all blocks, whatever was dropped. */
static void times_are_of_a_call(void **state) {
    struct red_duel *duel = made_duel(2);
    struct red_block blocks[6];
    double time_s;
    for (size_t r = 0; r < 6; r++)
        blocks[r] = made_block(r < 2 ? 0 : 1);
    blocks[5].drop = blocks[4].drop = blocks[3].drop = RED_DROP_CLOCK;
    made_add(duel->cells, 1, blocks, 6);
    made_add(duel->cells, 2, blocks + 2, 4);
    made_add(&duel->cells[1], 1, blocks + 1, 2);
    duel->cells[1].calls = 0;
    assert_int_equal(red_duel_judge(duel, NULL, NULL), RED_OK);
    assert_near(duel->cells[0].finding.time_s[RED_BASE], 1e-3, 1e-12);
    assert_near(duel->cells[0].finding.time_s[RED_HEAD], exp(1) * 1e-3, 1e-11);
    assert_near(duel->cells[1].finding.time_s[RED_BASE], 1, 1e-9);
    assert_near(duel->cells[1].finding.time_s[RED_HEAD], (1 + exp(1)) / 2, 1e-8);
    assert_true(red_process_pair_export_time(&duel->plan, duel->cells[0].pairs, RED_HEAD, 10, &time_s));
    assert_near(time_s, exp(1) / 10, 1e-8);
    blocks[0] = made_block(1);
    assert_false(red_process_pair_export_time(&duel->plan, duel->cells[0].pairs, RED_HEAD, 0, &time_s));
    assert_false(red_process_pair_export_time(&duel->plan, &(struct red_process_pair){.stage = 1}, RED_HEAD,
                                              1, &time_s));
    made_duel_free(duel);
}
