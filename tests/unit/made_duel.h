/* Duels made of numbers, for tests of what follows from samples: no device, no clock. After testing.h. */
#ifndef CLREDUCE_TESTS_MADE_DUEL_H
#define CLREDUCE_TESTS_MADE_DUEL_H

#include "gate/duel.h"

enum { MADE_BATCH_NS = 1000000000, MADE_CALLS = 1000, MADE_WORKLOAD_NS = 10000 };

/* Two looks of 6 process pairs at one cell are at 0.005 each. */
static inline struct red_duel_plan made_plan(void) {
    return (struct red_duel_plan){.pairs_n = 5,
                                  .pairs_max = 5,
                                  .looks_n = 2,
                                  .look_pairs_n = 6,
                                  .layouts_n = 1,
                                  .blocks_n = 6,
                                  .batches_n = 3,
                                  .batch_s = 1,
                                  .nominate = 0.01,
                                  .nominate_level = 0.1,
                                  .alpha = 0.01,
                                  .workload_shift = {0.05, 0.5, 0.02}};
}

/* Cells that run on both sides, and have no samples yet. NULL if there is no memory. */
static inline struct red_duel *made_duel(size_t cells_n) {
    struct red_duel *duel = calloc(1, sizeof *duel);
    if (duel == NULL)
        return NULL;
    duel->plan = made_plan();
    duel->cells = calloc(cells_n, sizeof *duel->cells);
    duel->cells_n = duel->cells != NULL ? cells_n : 0;
    for (size_t c = 0; c < duel->cells_n; c++) {
        struct red_duel_cell *cell = &duel->cells[c];
        cell->state[RED_BASE] = cell->state[RED_HEAD] = RED_STATE_PASS;
        cell->calls = MADE_CALLS;
        cell->margin = 0.02;
        cell->budget_s = 10;
    }
    return duel;
}

static inline void made_duel_free(struct red_duel *duel) {
    if (duel != NULL)
        red_duel_clear(duel);
    free(duel);
}

/* A good block: the shortest batch of the head takes exp(log_ratio) of the base's. The first batches, which
 * do not count, say something else on either side. */
static inline struct red_block made_block(double log_ratio) {
    uint64_t base = MADE_BATCH_NS, head = (uint64_t)llround(MADE_BATCH_NS * exp(log_ratio));
    struct red_block block = {
        .batches_n = 3,
        .batch_ns = {
            [RED_BASE] = {base / 9, base, base + base / 7}, [RED_HEAD] = {head * 7, head + head / 5, head}}};
    for (size_t time = 0; time < RED_WORKLOAD_TIMES_N; time++)
        block.workload_ns[RED_WORKLOAD_SPIN][time] = block.workload_ns[RED_WORKLOAD_SWEEP][time] =
            MADE_WORKLOAD_NS;
    return block;
}

/* Ends the program where there is no memory: a test cannot go on. */
static inline void made_add(struct red_duel_cell *cell, unsigned stage, const struct red_block *blocks,
                            size_t blocks_n) {
    struct red_process_pair pair = {.stage = stage, .number = (unsigned)cell->pairs_n};
    for (size_t r = 0; r < blocks_n; r++)
        if (!red_process_pair_add_block(&pair, &blocks[r]))
            abort();
    if (red_duel_cell_add_pair(cell, &pair, NULL) != RED_OK)
        abort();
}

/* A process pair of as many equal blocks as the fewest that count. */
static inline void made_pair(struct red_duel_cell *cell, unsigned stage, double log_ratio) {
    const struct red_block block = made_block(log_ratio);
    const struct red_block blocks[] = {block, block, block, block, block};
    made_add(cell, stage, blocks, sizeof blocks / sizeof blocks[0]);
}

/* Process pairs at mean + spread, mean - spread and so on; the last of an odd number is at the mean. The
 * standard error of their mean is spread / sqrt(n - 1) of an even number, spread / sqrt(n) of an odd one. */
static inline void made_pairs(struct red_duel_cell *cell, unsigned stage, size_t n, double mean,
                              double spread) {
    for (size_t i = 0; i < n; i++)
        made_pair(cell, stage, i + 1 == n && n % 2 == 1 ? mean : i % 2 ? mean - spread : mean + spread);
}

static inline void must_have(const char *what, const struct red_duel_cell *cell, enum red_verdict_code code) {
    if (cell->finding.code != code)
        fail_msg("%s: %s, not %s", what, red_verdict_code_name(cell->finding.code),
                 red_verdict_code_name(code));
}

/* Judges the duel, of whose first cell something is expected, and lets go of it. */
static inline struct red_finding must_end(struct red_duel *duel, const char *what, enum red_verdict_code code,
                                          enum red_next next) {
    enum red_next all[8];
    assert_in_range(duel->cells_n, 1, sizeof all / sizeof all[0]);
    assert_int_equal(red_duel_judge(duel, all, NULL), RED_OK);
    must_have(what, duel->cells, code);
    if (all[0] != next)
        fail_msg("%s: next is %d", what, (int)all[0]);
    struct red_finding finding = duel->cells[0].finding;
    made_duel_free(duel);
    return finding;
}

#endif
