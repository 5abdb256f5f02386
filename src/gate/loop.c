/* The A/B loop of a duel: measures base and head alternately, in fresh processes, until each cell has a
 * verdict or no budget is left. */
#include "gate/loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/random.h"
#include "gate/judge.h"

/* ---- reference workloads ---------------------------------------------------------------------------------
 */

/* Each is taken a few times, and the shortest counts: an interrupt is no change. */
enum { REPEATS = 3, SPIN_STEPS = 4000, SWEEP_WORDS = 1 << 15 /* 256 KiB */, CHAIN_STEPS_MIN = 1 << 12 };
static const double CHAIN_S = 0.0002;

/* As the chain of a device does (src/cl/clock_samples.c): each step waits for the one before. */
static uint64_t spin(const struct red_control_kit *kit) {
    uint32_t x = 2463534242u;
    (void)kit;
    for (int i = 0; i < SPIN_STEPS; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

static uint64_t sweep(const struct red_control_kit *kit) {
    uint64_t seen = 0;
    for (size_t i = 0; i < SWEEP_WORDS; i++)
        seen ^= kit->memory[i];
    return seen;
}

/* What the compiler cannot leave out. */
static volatile uint64_t sink;

static uint64_t shortest_ns(uint64_t (*work)(const struct red_control_kit *),
                            const struct red_control_kit *kit) {
    uint64_t least_ns = UINT64_MAX;
    for (int i = 0; i < REPEATS; i++) {
        uint64_t start_ns = red_clock_ns();
        sink = work(kit);
        uint64_t took_ns = red_clock_between_ns(start_ns, red_clock_ns());
        least_ns = took_ns < least_ns ? took_ns : least_ns;
    }
    return least_ns;
}

static uint64_t chain_ns(const struct red_control_kit *kit) {
    double took_s;
    return kit->gpu != NULL && red_remote_tick(kit->gpu, kit->chain_steps, &took_s, NULL) == RED_OK
               ? (uint64_t)(1e9 * took_s)
               : 0;
}

static void take_controls(const struct red_control_kit *kit, struct red_block *block, size_t time) {
    block->control_ns[RED_CONTROL_SPIN][time] = shortest_ns(spin, kit);
    block->control_ns[RED_CONTROL_SWEEP][time] = shortest_ns(sweep, kit);
    block->control_ns[RED_CONTROL_CHAIN][time] = chain_ns(kit);
}

enum red_status red_control_kit_make(struct red_remote *gpu, struct red_control_kit *kit,
                                     struct red_error *error) {
    enum red_status status = RED_OK;
    double took_s = 0;
    *kit = (struct red_control_kit){.gpu = gpu, .chain_steps = CHAIN_STEPS_MIN};
    kit->memory = malloc(SWEEP_WORDS * sizeof *kit->memory);
    if (kit->memory == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the controls");
    for (size_t i = 0; i < SWEEP_WORDS; i++)
        kit->memory[i] = i;
    while (gpu != NULL && status == RED_OK && took_s < CHAIN_S && kit->chain_steps < 1u << 30) {
        kit->chain_steps *= 2;
        status = red_remote_tick(gpu, kit->chain_steps, &took_s, error);
    }
    if (status != RED_OK)
        red_control_kit_clear(kit);
    return status;
}

void red_control_kit_clear(struct red_control_kit *kit) {
    free(kit->memory);
    *kit = (struct red_control_kit){.memory = NULL};
}

/* Two readings of it differ by microseconds, and by more where a process was held between its two clocks. */
static const uint64_t SUSPENDED_NS = 50000000;

/* What a turn may take beyond its batches: messages, and waiting for a processor. */
static const double BESIDE_S = 0.05;

/* ---- rounds ----------------------------------------------------------------------------------------------
 */

/* A launch under way: of one stage, of one pair of devices. */
struct launch {
    struct red_loop *loop;
    size_t device;
    unsigned stage;
    enum red_who first;
    size_t *cells; /* owned; those that take part */
    size_t cells_n;
    struct red_series *series; /* owned; of each of them */
    double *blocks_s;          /* owned; what their rounds took */
};

static bool is_measured(const struct red_duel_cell *cell) {
    return cell->state[RED_BASE] == RED_STATE_PASS && cell->state[RED_HEAD] == RED_STATE_PASS;
}

/* The worker reads the same clock as this program: its stamps lie, in order, between question and answer, and
 * fill that time but for the way there and back, and for what doubts take. */
static bool clocks_agree(const struct red_batches *batches, bool doubts) {
    uint64_t before = batches->told_ns;
    for (size_t i = 0; i <= batches->n; i++) {
        if (batches->stamps_ns[i] < before)
            return false;
        before = batches->stamps_ns[i] + 1; /* a batch takes time */
    }
    uint64_t spanned = batches->stamps_ns[batches->n] - batches->stamps_ns[0];
    return batches->stamps_ns[batches->n] <= batches->heard_ns &&
           (doubts || (double)(batches->heard_ns - batches->told_ns - spanned) < 1e9 * BESIDE_S);
}

static enum red_status measure_side(const struct launch *launch, size_t c, enum red_who who, bool doubts,
                                    struct red_block *block, struct red_error *error) {
    const struct red_duel *duel = launch->loop->duel;
    const struct red_duel_cell *cell = &duel->cells[c];
    const struct red_case timed = red_loop_case(launch->loop, c, who);
    struct red_batches batches;
    double expected_s = cell->call_s[who] * (double)(cell->calls * duel->plan.batches_n);
    enum red_status status =
        red_remote_batches(launch->loop->sides[who].remotes[launch->device], &timed, cell->calls,
                           duel->plan.batches_n, doubts, expected_s, &batches, error);
    for (size_t i = 0; status == RED_OK && i < batches.n; i++)
        block->batch_ns[who][i] = red_clock_between_ns(batches.stamps_ns[i], batches.stamps_ns[i + 1]);
    if (status == RED_OK && !clocks_agree(&batches, doubts))
        block->drop = RED_DROP_CLOCK;
    return status;
}

/* One turn of each, controls around them. Which side begins alternates from round to round. */
static enum red_status run_block(const struct launch *launch, size_t i, size_t r, bool doubts) {
    size_t c = launch->cells[i];
    struct red_duel_cell *cell = &launch->loop->duel->cells[c];
    const struct red_control_kit *kit = &launch->loop->kits[launch->device];
    struct red_error error = {.text = ""};
    struct red_block block = {.first = (enum red_who)((r + c + launch->loop->duel->launches_n) % RED_WHO_N)};
    uint64_t suspended_ns = red_clock_suspended_ns();
    enum red_status status = RED_OK;
    enum red_who who = block.first;
    for (size_t k = 0; k < RED_WHO_N && status == RED_OK; k++) {
        who = k == 0 ? block.first : (enum red_who)(1 - block.first);
        take_controls(kit, &block, k);
        status = measure_side(launch, c, who, doubts, &block, &error);
    }
    take_controls(kit, &block, RED_WHO_N);
    if (red_clock_suspended_ns() > suspended_ns + SUSPENDED_NS)
        block.drop = RED_DROP_SUSPENDED;
    if (status == RED_OK)
        return red_series_add(&launch->series[i], &block, NULL);
    if (status != RED_E_INTERRUPTED)
        red_duel_cell_fail(cell, who, &error);
    return RED_OK;
}

/* As many rounds as a launch's share of the budget allows, if two looks decide; all of the plan's for most.
 */
static size_t blocks_of(const struct red_duel *duel, const struct red_duel_cell *cell) {
    const struct red_duel_plan *plan = &duel->plan;
    double block_s =
        (double)(cell->calls * plan->batches_n) * (cell->call_s[RED_BASE] + cell->call_s[RED_HEAD]);
    double share_s = cell->budget_s / (plan->launches_n + 2 * plan->look_launches_n) / plan->layouts_n;
    double blocks = fmin(plan->blocks_n, fmax(share_s / fmax(block_s, 1e-9),
                                              ceil((double)RED_BLOCKS_LEAST / plan->layouts_n)));
    return (size_t)blocks;
}

static void shuffle(size_t *order, size_t n, uint64_t *random) {
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)(red_random(random) % i), other = order[j];
        order[j] = order[i - 1];
        order[i - 1] = other;
    }
}

/* ---- launches --------------------------------------------------------------------------------------------
 */

/* On both sides at the same time, which is where the time goes; what fails there is told below. */
static void warm_up_together(const struct launch *launch) {
    struct red_remote *remotes[RED_WHO_N];
    struct red_case *cases[RED_WHO_N];
    size_t cases_n[RED_WHO_N] = {0};
    for (int who = 0; who < RED_WHO_N; who++) {
        remotes[who] = launch->loop->sides[who].remotes[launch->device];
        cases[who] = calloc(launch->cells_n + 1, sizeof *cases[who]);
        for (size_t i = 0; cases[who] != NULL && i < launch->cells_n; i++)
            if (is_measured(&launch->loop->duel->cells[launch->cells[i]]))
                cases[who][cases_n[who]++] = red_loop_case(launch->loop, launch->cells[i], (enum red_who)who);
    }
    red_remotes_prepare(remotes, (const struct red_case *const *)cases, cases_n, RED_WHO_N);
    for (int who = 0; who < RED_WHO_N; who++)
        free(cases[who]);
}

/* Data moves, plans are made, and called until they are warm. */
static void warm_up(const struct launch *launch, unsigned layout) {
    for (int who = 0; who < RED_WHO_N && layout > 0; who++)
        (void)red_remote_move(launch->loop->sides[who].remotes[launch->device], NULL);
    warm_up_together(launch);
    for (size_t i = 0; i < 2 * launch->cells_n && !red_interrupted(); i++) {
        size_t c = launch->cells[i / 2];
        enum red_who who = (enum red_who)((i + layout) % RED_WHO_N);
        struct red_duel_cell *cell = &launch->loop->duel->cells[c];
        const struct red_case timed = red_loop_case(launch->loop, c, who);
        struct red_ready ready;
        struct red_error error = {.text = ""};
        if (!is_measured(cell))
            continue;
        enum red_status status = red_remote_ready(launch->loop->sides[who].remotes[launch->device], &timed, 3,
                                                  0.002, &ready, &error);
        if (status != RED_OK && status != RED_E_INTERRUPTED)
            red_duel_cell_fail(cell, who, &error);
    }
}

static enum red_status run_layout(const struct launch *launch, unsigned number) {
    struct red_duel *duel = launch->loop->duel;
    enum red_status status = RED_OK;
    size_t *order = calloc(launch->cells_n + 1, sizeof *order);
    for (size_t i = 0; i < launch->cells_n && order != NULL; i++)
        order[i] = i;
    warm_up(launch, number);
    for (size_t r = 0; r < duel->plan.blocks_n && order != NULL && status == RED_OK; r++) {
        shuffle(order, launch->cells_n, &launch->loop->random);
        for (size_t i = 0; i < launch->cells_n && status == RED_OK && !red_interrupted(); i++) {
            struct red_duel_cell *cell = &duel->cells[launch->cells[order[i]]];
            double start_s = red_clock_s();
            if (is_measured(cell) && r < blocks_of(duel, cell))
                status = run_block(launch, order[i], r, r == 0);
            launch->blocks_s[order[i]] += fmax(red_clock_s() - start_s, 0);
        }
    }
    free(order);
    return order ? status : RED_E_MEMORY;
}

/* Hands what was measured to the cells. Each pays for its own rounds, lest long calls spend the budget of
 * short ones, and all alike for what is left: starting both sides, their data, and warming up. Together no
 * more than the launch took, whatever the clock did meanwhile. */
static enum red_status keep_samples(struct launch *launch, double took_s, struct red_error *error) {
    enum red_status status = RED_OK;
    double blocks_s = 0;
    for (size_t i = 0; i < launch->cells_n; i++)
        blocks_s += launch->blocks_s[i];
    took_s = fmax(took_s, 0);
    double own = fmin(1, took_s / fmax(blocks_s, 1e-9)), shared_s = took_s - own * blocks_s;
    for (size_t i = 0; i < launch->cells_n; i++) {
        struct red_duel_cell *cell = &launch->loop->duel->cells[launch->cells[i]];
        struct red_series *series = &launch->series[i];
        cell->spent_s += own * launch->blocks_s[i] + shared_s / (double)launch->cells_n;
        if (status == RED_OK && series->blocks_n > 0 && !red_interrupted())
            status = red_duel_add_series(cell, series, error);
        else
            free(series->blocks);
        *series = (struct red_series){.blocks = NULL};
    }
    return status;
}

static void fail_all(const struct launch *launch, enum red_who who, const struct red_error *error) {
    for (size_t i = 0; i < launch->cells_n; i++)
        red_duel_cell_fail(&launch->loop->duel->cells[launch->cells[i]], who, error);
}

static enum red_status fight_launch(struct launch *launch, struct red_error *error) {
    struct red_duel *duel = launch->loop->duel;
    struct red_error found = {.text = ""};
    double start_s = red_clock_s();
    launch->first = (enum red_who)(duel->launches_n % RED_WHO_N);
    for (size_t i = 0; i < launch->cells_n; i++) {
        launch->series[i] = (struct red_series){
            .stage = launch->stage, .launch = duel->launches_n, .first = launch->first, .blocks = NULL};
        launch->blocks_s[i] = 0;
    }
    enum red_who failed = launch->first;
    enum red_status status =
        red_duel_sides_restart(launch->loop->sides, launch->device, launch->first, &failed, &found);
    if (status != RED_OK && status != RED_E_INTERRUPTED)
        fail_all(launch, failed, &found);
    for (unsigned layout = 0; layout < duel->plan.layouts_n && status == RED_OK && !red_interrupted();
         layout++)
        status = run_layout(launch, layout);
    status = keep_samples(launch, red_clock_s() - start_s, error);
    return status;
}

/* ---- the duel --------------------------------------------------------------------------------------------
 */

static size_t launches_made(const struct red_duel_cell *cell, unsigned stage) {
    size_t made_n = 0;
    for (size_t i = 0; i < cell->series_n; i++)
        made_n += cell->series[i].stage == stage;
    return made_n;
}

/* What all cells that take part have left of their budgets. */
static double left_s(const struct red_duel *duel) {
    double left = 0;
    for (size_t c = 0; c < duel->cells_n; c++)
        left += is_measured(&duel->cells[c]) ? duel->cells[c].budget_s - duel->cells[c].spent_s : 0;
    return left;
}

/* Stage 1 has half of a cell's budget; what cells leave of theirs is for those that were nominated: few are,
 * and they need the most. And the budget is for what comes after the planned launches of stage 1 and the
 * first look of stage 2: without these there is no verdict, and a head that is many times slower would be let
 * through for that. */
static bool has_budget(const struct red_duel *duel, const struct red_duel_cell *cell, unsigned stage) {
    size_t planned_n = stage == 1 ? duel->plan.launches_n : duel->plan.look_launches_n;
    bool in_time = stage == 1 ? cell->spent_s < cell->budget_s / 2 : left_s(duel) > 0;
    return in_time || launches_made(cell, stage) < planned_n + planned_n / 2;
}

/* The cells of a pair of devices that want a launch of this stage and have budget left for one. */
static size_t choose_cells(const struct red_duel *duel, const enum red_next *next, struct launch *launch) {
    launch->cells_n = 0;
    for (size_t c = 0; c < duel->cells_n; c++) {
        const struct red_duel_cell *cell = &duel->cells[c];
        bool wanted = next[c] == (launch->stage == 1 ? RED_NEXT_STAGE_1 : RED_NEXT_STAGE_2);
        if (wanted && cell->device == launch->device && has_budget(duel, cell, launch->stage))
            launch->cells[launch->cells_n++] = c;
    }
    return launch->cells_n;
}

static void show_progress(const struct red_loop *loop, const struct launch *launch) {
    const struct red_duel_plan *plan = &loop->duel->plan;
    char what[160];
    double planned_n = plan->launches_n + plan->looks_n * plan->look_launches_n;
    snprintf(what, sizeof what, "launch %u, stage %u, %zu cell%s on %s", loop->duel->launches_n + 1,
             launch->stage, launch->cells_n, launch->cells_n == 1 ? "" : "s",
             loop->duel->sides[RED_HEAD].devices[launch->device].id);
    red_progress(what, fmin(1, loop->duel->launches_n / planned_n), loop->start_s);
}

/* One launch on every pair that has cells for the stage. Whether there was any. */
static bool fight_stage(struct red_loop *loop, const enum red_next *next, struct launch *launch,
                        enum red_status *status, struct red_error *error) {
    bool any = false;
    for (size_t d = 0; d < loop->duel->devices_n && *status == RED_OK && !red_interrupted(); d++) {
        launch->device = d;
        if (choose_cells(loop->duel, next, launch) == 0)
            continue;
        any = true;
        show_progress(loop, launch);
        *status = fight_launch(launch, error);
    }
    loop->duel->launches_n += any;
    return any;
}

enum red_status red_loop_run(struct red_loop *loop, struct red_error *error) {
    struct red_duel *duel = loop->duel;
    enum red_next *next = calloc(duel->cells_n + 1, sizeof *next);
    struct launch launch = {.loop = loop,
                            .cells = calloc(duel->cells_n + 1, sizeof *launch.cells),
                            .series = calloc(duel->cells_n + 1, sizeof *launch.series),
                            .blocks_s = calloc(duel->cells_n + 1, sizeof *launch.blocks_s)};
    enum red_status status = next && launch.cells && launch.series && launch.blocks_s
                                 ? RED_OK
                                 : red_fail(error, RED_E_MEMORY, "no memory for a duel");
    bool any = true;
    loop->start_s = red_clock_s();
    while (any && status == RED_OK && !red_interrupted()) {
        any = false;
        status = red_duel_judge(duel, next, error);
        for (launch.stage = 1; launch.stage <= 2 && !any && status == RED_OK; launch.stage++)
            any = fight_stage(loop, next, &launch, &status, error);
    }
    red_progress_end();
    duel->interrupted = red_interrupted();
    if (status == RED_OK)
        status = red_duel_judge(duel, NULL, error);
    free(next);
    free(launch.cells);
    free(launch.series);
    free(launch.blocks_s);
    return status;
}
