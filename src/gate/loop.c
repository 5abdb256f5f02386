/* The A/B loop of `duel`: measures base and head alternately, in fresh processes, until each cell has a
 * verdict or no budget is left. The user sees its progress line, its samples in the file of --output, and the
 * verdicts that gate/judge.c makes of them. `loop` is made by gate/duel.c from the options; `run` is the
 * process pair that runs; `c` is the index of a cell in the duel, `who` its side. */
#include "gate/gate_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/random.h"
#include "gate/duel.h"

/* ---- reference workloads -------------------------------------------------------------------------------
 * Their times are JSON "spin_ns", "sweep_ns" and "chain_ns"; a block in which they change is dropped
 * (code "controls-moved" where most are). */

/* Each is timed a few times and the shortest counts, so that an interrupt is not taken for a change. */
enum { REPEATS = 3, SPIN_STEPS = 4000, SWEEP_WORDS = 1 << 15 /* 256 KiB */, CHAIN_STEPS_MIN = 1 << 12 };
static const double CHAIN_S = 0.0002;

/* Does the same steps as the chain on a device (src/cl/event_times.c); each needs the result of the one
 * before. */
static uint64_t spin(const struct red_reference_workloads *workloads) {
    uint32_t x = 2463534242u;
    (void)workloads;
    for (int i = 0; i < SPIN_STEPS; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

/* Reads the memory of the workloads once. */
static uint64_t sweep(const struct red_reference_workloads *workloads) {
    uint64_t seen = 0;
    for (size_t i = 0; i < SWEEP_WORDS; i++)
        seen ^= workloads->memory[i];
    return seen;
}

/* Keeps the compiler from removing the work. */
static volatile uint64_t sink;

/* The shortest time of a few runs of a workload of this process. */
static uint64_t shortest_work_ns(uint64_t (*work)(const struct red_reference_workloads *),
                                 const struct red_reference_workloads *workloads) {
    uint64_t least_ns = UINT64_MAX;
    for (int i = 0; i < REPEATS; i++) {
        uint64_t start_ns = red_clock_ns();
        sink = work(workloads);
        uint64_t took_ns = red_clock_elapsed_ns(start_ns, red_clock_ns());
        least_ns = took_ns < least_ns ? took_ns : least_ns;
    }
    return least_ns;
}

/* The time of the chain on the GPU; 0 where there is none, or it fails. */
static uint64_t time_chain_ns(const struct red_reference_workloads *workloads) {
    double took_s;
    return workloads->gpu != NULL &&
                   red_client_clock_sample(workloads->gpu, workloads->chain_steps, &took_s, NULL) == RED_OK
               ? (uint64_t)(1e9 * took_s)
               : 0;
}

/* Times every workload, which takes some 50 us without a chain. Slot 0 is before the first side, 1 between
 * the sides, 2 after the second; judge.c drops a block whose slots differ too much. A chain that fails
 * leaves 0, as if there were none. */
static void time_workloads(const struct red_reference_workloads *workloads, struct red_block *block,
                           size_t slot) {
    block->workload_ns[RED_WORKLOAD_SPIN][slot] = shortest_work_ns(spin, workloads);
    block->workload_ns[RED_WORKLOAD_SWEEP][slot] = shortest_work_ns(sweep, workloads);
    block->workload_ns[RED_WORKLOAD_CHAIN][slot] = time_chain_ns(workloads);
}

/* Makes those of a device of the base; for a GPU starts a worker, and finds how many steps its chain needs.
 * `environment` is that of the worker (NULL: inherited). */
static enum red_status make_workloads(const struct red_device_info *info, const char *const *environment,
                                      struct red_reference_workloads *workloads, struct red_error *error) {
    static const char *const arguments[] = {"/proc/self/exe", "worker", NULL};
    enum red_status status = RED_OK;
    double took_s = 0;
    *workloads = (struct red_reference_workloads){
        .program = {.arguments = arguments, .environment = environment}, .chain_steps = CHAIN_STEPS_MIN};
    workloads->memory = malloc(SWEEP_WORDS * sizeof *workloads->memory);
    if (workloads->memory == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the reference workloads");
    for (size_t i = 0; i < SWEEP_WORDS; i++)
        workloads->memory[i] = i;
    if (!info->shape.is_cpu)
        status = red_client_create(&workloads->program, info, NULL, &workloads->gpu, error);
    while (workloads->gpu != NULL && status == RED_OK && took_s < CHAIN_S &&
           workloads->chain_steps < 1u << 30) {
        workloads->chain_steps *= 2;
        status = red_client_clock_sample(workloads->gpu, workloads->chain_steps, &took_s, error);
    }
    return status;
}

enum red_status red_loop_make_workloads(struct red_loop *loop, struct red_error *error) {
    const struct red_duel_side *base = &loop->sides[RED_BASE];
    enum red_status status = RED_OK;
    for (size_t d = 0; d < base->clients_n && status == RED_OK; d++)
        status = make_workloads(red_client_info(base->clients[d]), base->program.environment,
                                &loop->workloads[d], error);
    return status;
}

void red_loop_close(struct red_loop *loop) {
    for (size_t d = 0; d < RED_DUEL_DEVICES_MAX; d++) {
        red_client_destroy(loop->workloads[d].gpu);
        free(loop->workloads[d].memory);
    }
    for (int who = 0; who < RED_WHO_N; who++) {
        free(loop->strategies[who]);
        red_duel_side_close(&loop->sides[who]);
    }
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

/* The suspension time may grow by this much without meaning that the system slept: this process may have
 * been held between readings of its two clocks. */
static const uint64_t SUSPENDED_NS = 50000000;

/* How much longer than its batches a side's answer may take: messages, and waiting for a processor. */
static const double BESIDE_S = 0.05;

/* A cell of a process pair that is running. */
struct run_cell {
    size_t c;                     /* its index in the duel */
    struct red_process_pair pair; /* its samples */
    double blocks_s;              /* how long its blocks took */
};

/* One process pair that is running: for one stage, on one device of each side. */
struct running_pair {
    struct red_loop *loop;
    size_t device;
    unsigned stage;
    struct run_cell *cells; /* owned; those that it measures */
    size_t cells_n;
};

/* The worker reads the same clock as this program, so its readings must lie, in order, between request and
 * reply, and must span that time but for the messages; if not the block is dropped ("clock"). `check_stale`:
 * the worker also called once more, which takes time of its own. */
static bool worker_stamps_fit(const struct red_batches *batches, bool check_stale) {
    uint64_t before = batches->told_ns;
    for (size_t i = 0; i <= batches->n; i++) {
        if (batches->stamps_ns[i] < before)
            return false;
        before = batches->stamps_ns[i] + 1; /* a batch takes time */
    }
    uint64_t spanned = batches->stamps_ns[batches->n] - batches->stamps_ns[0];
    return batches->stamps_ns[batches->n] <= batches->heard_ns &&
           (check_stale || (double)(batches->heard_ns - batches->told_ns - spanned) < 1e9 * BESIDE_S);
}

/* Has the worker of one side run the batches of a block (its question "batches"), with `check_stale` one more
 * call after them, and keeps their times in the block, and whether its clock did not fit. */
static enum red_status measure_side(const struct running_pair *run, size_t c, enum red_who who,
                                    bool check_stale, struct red_block *block, struct red_error *error) {
    const struct red_duel *duel = run->loop->duel;
    const struct red_duel_cell *cell = &duel->cells[c];
    const struct red_case timed = red_loop_timed_case(run->loop, c, who);
    struct red_batches batches;
    double expected_s = cell->call_s[who] * (double)(cell->calls * duel->plan.batches_n);
    enum red_status status =
        red_client_batches(run->loop->sides[who].clients[run->device], &timed, cell->calls,
                           duel->plan.batches_n, check_stale, expected_s, &batches, error);
    for (size_t i = 0; status == RED_OK && i < batches.n; i++)
        block->batch_ns[who][i] = red_clock_elapsed_ns(batches.stamps_ns[i], batches.stamps_ns[i + 1]);
    if (status == RED_OK && !worker_stamps_fit(&batches, check_stale))
        block->drop = RED_DROP_CLOCK;
    return status;
}

/* Measures the i-th cell of the run on both sides, with workloads around them, as block `number` of its
 * layout, and adds the block to the pair. The sides change order from block to block. A side that fails
 * becomes the state of the cell; the only error is RED_E_MEMORY. */
static enum red_status run_block(const struct running_pair *run, size_t i, size_t number, bool check_stale) {
    size_t c = run->cells[i].c;
    struct red_duel_cell *cell = &run->loop->duel->cells[c];
    const struct red_reference_workloads *workloads = &run->loop->workloads[run->device];
    struct red_error error = {.text = ""};
    struct red_block block = {.first = (enum red_who)((number + c + run->loop->duel->pairs_n) % RED_WHO_N),
                              .batches_n = run->loop->duel->plan.batches_n};
    uint64_t suspended_ns = red_clock_suspended_ns();
    enum red_status status = RED_OK;
    enum red_who who = block.first;
    for (size_t k = 0; k < RED_WHO_N && status == RED_OK; k++) {
        who = k == 0 ? block.first : (enum red_who)(1 - block.first);
        time_workloads(workloads, &block, k);
        status = measure_side(run, c, who, check_stale, &block, &error);
    }
    time_workloads(workloads, &block, RED_WHO_N);
    if (red_clock_suspended_ns() > suspended_ns + SUSPENDED_NS)
        block.drop = RED_DROP_SUSPENDED;
    if (status == RED_OK)
        return red_process_pair_add_block(&run->cells[i].pair, &block) ? RED_OK : RED_E_MEMORY;
    if (status != RED_E_INTERRUPTED)
        red_duel_cell_fail(cell, who, &error);
    return RED_OK;
}

/* How many blocks a layout has: those of the plan, which most cells can pay for, or as many as the cell's
 * budget allows if the second look decides. */
static size_t layout_blocks_n(const struct red_duel *duel, const struct red_duel_cell *cell) {
    const struct red_duel_plan *plan = &duel->plan;
    double block_s =
        (double)(cell->calls * plan->batches_n) * (cell->call_s[RED_BASE] + cell->call_s[RED_HEAD]);
    double share_s = cell->budget_s / (plan->pairs_n + 2 * plan->look_pairs_n) / plan->layouts_n;
    double blocks = fmin(plan->blocks_n, fmax(share_s / fmax(block_s, 1e-9),
                                              ceil((double)RED_BLOCKS_LEAST / plan->layouts_n)));
    return (size_t)blocks;
}

/* ---- process pairs ------------------------------------------------------------------------------------- */

/* Builds and makes data on both sides at the same time, since that takes most of the time. Failures show
 * again when each cell is warmed up. */
static void prepare_together(const struct running_pair *run) {
    struct red_client *clients[RED_WHO_N];
    struct red_case *cases[RED_WHO_N];
    size_t cases_n[RED_WHO_N] = {0};
    for (int who = 0; who < RED_WHO_N; who++) {
        clients[who] = run->loop->sides[who].clients[run->device];
        cases[who] = calloc(run->cells_n + 1, sizeof *cases[who]);
        for (size_t i = 0; cases[who] != NULL && i < run->cells_n; i++)
            if (red_duel_cell_both_sides_pass(&run->loop->duel->cells[run->cells[i].c]))
                cases[who][cases_n[who]++] =
                    red_loop_timed_case(run->loop, run->cells[i].c, (enum red_who)who);
    }
    red_clients_prepare(clients, (const struct red_case *const *)cases, cases_n, RED_WHO_N);
    for (int who = 0; who < RED_WHO_N; who++)
        free(cases[who]);
}

/* Moves the data to other memory (but for the first layout), prepares all cells, and calls each until it is
 * warm. */
static void move_data_and_warm_up(const struct running_pair *run, unsigned layout) {
    for (int who = 0; who < RED_WHO_N && layout > 0; who++)
        (void)red_client_move_data(run->loop->sides[who].clients[run->device], NULL);
    prepare_together(run);
    for (size_t i = 0; i < 2 * run->cells_n && !red_interrupted(); i++) {
        size_t c = run->cells[i / 2].c;
        enum red_who who = (enum red_who)((i + layout) % RED_WHO_N);
        struct red_duel_cell *cell = &run->loop->duel->cells[c];
        const struct red_case timed = red_loop_timed_case(run->loop, c, who);
        struct red_ready ready;
        struct red_error error = {.text = ""};
        if (!red_duel_cell_both_sides_pass(cell))
            continue;
        enum red_status status =
            red_client_prepare(run->loop->sides[who].clients[run->device], &timed, 3, 0.002, &ready, &error);
        if (status != RED_OK && status != RED_E_INTERRUPTED)
            red_duel_cell_fail(cell, who, &error);
    }
}

/* Moves the data, warms up, and measures the cells of the run block by block, each time in another random
 * order. */
static enum red_status run_layout(const struct running_pair *run, unsigned number) {
    struct red_duel *duel = run->loop->duel;
    enum red_status status = RED_OK;
    size_t *order = calloc(run->cells_n + 1, sizeof *order);
    for (size_t i = 0; i < run->cells_n && order != NULL; i++)
        order[i] = i;
    move_data_and_warm_up(run, number);
    for (size_t block = 0; block < duel->plan.blocks_n && order != NULL && status == RED_OK; block++) {
        red_random_shuffle(order, run->cells_n, sizeof *order, &run->loop->random);
        for (size_t i = 0; i < run->cells_n && status == RED_OK && !red_interrupted(); i++) {
            struct run_cell *own = &run->cells[order[i]];
            const struct red_duel_cell *cell = &duel->cells[own->c];
            double start_s = red_clock_s();
            if (red_duel_cell_both_sides_pass(cell) && block < layout_blocks_n(duel, cell))
                status = run_block(run, order[i], block, block == 0);
            own->blocks_s += fmax(red_clock_s() - start_s, 0);
        }
    }
    free(order);
    return order ? status : RED_E_MEMORY;
}

/* Gives each cell its samples (after Ctrl-C none), and charges its budget: the time of its own blocks, so
 * that long calls do not spend the budget of short ones, and an equal share of the rest (starting both sides,
 * making data, warming up). The sum is no more than the pair took, even if the clock was set meanwhile. */
static enum red_status keep_samples_and_charge(struct running_pair *run, double took_s,
                                               struct red_error *error) {
    enum red_status status = RED_OK;
    double blocks_s = 0;
    for (size_t i = 0; i < run->cells_n; i++)
        blocks_s += run->cells[i].blocks_s;
    took_s = fmax(took_s, 0);
    double share = fmin(1, took_s / fmax(blocks_s, 1e-9)), shared_s = took_s - share * blocks_s;
    for (size_t i = 0; i < run->cells_n; i++) {
        struct run_cell *own = &run->cells[i];
        struct red_duel_cell *cell = &run->loop->duel->cells[own->c];
        cell->spent_s += share * own->blocks_s + shared_s / (double)run->cells_n;
        if (status == RED_OK && own->pair.blocks_n > 0 && !red_interrupted())
            status = red_duel_cell_add_pair(cell, &own->pair, error);
        else
            free(own->pair.blocks);
    }
    return status;
}

/* Starts both processes, and measures the cells of the run in all layouts. Where a process of one side does
 * not start, all cells of the run fail on that side. */
static enum red_status run_pair(struct running_pair *run, struct red_error *error) {
    struct red_duel *duel = run->loop->duel;
    struct red_error found = {.text = ""};
    double start_s = red_clock_s();
    const enum red_who first = (enum red_who)(duel->pairs_n % RED_WHO_N);
    enum red_who failed = first;
    for (size_t i = 0; i < run->cells_n; i++) {
        run->cells[i].pair =
            (struct red_process_pair){.stage = run->stage, .number = duel->pairs_n, .first = first};
        run->cells[i].blocks_s = 0;
    }
    enum red_status status = red_duel_sides_restart(run->loop->sides, run->device, first, &failed, &found);
    for (size_t i = 0; i < run->cells_n && status != RED_OK && status != RED_E_INTERRUPTED; i++)
        red_duel_cell_fail(&duel->cells[run->cells[i].c], failed, &found);
    bool has_memory = true;
    for (unsigned layout = 0; layout < duel->plan.layouts_n && status == RED_OK && !red_interrupted();
         layout++) {
        status = run_layout(run, layout);
        has_memory = status != RED_E_MEMORY;
    }
    status = keep_samples_and_charge(run, red_clock_s() - start_s, error);
    return status != RED_OK || has_memory
               ? status
               : red_fail(error, RED_E_MEMORY, "no memory for the samples of a launch");
}

/* ---- stages --------------------------------------------------------------------------------------------
 * A budget is that of --policy, or 10 s; a cell whose budget ends without a verdict has the code "budget". */

/* The sum of the unspent budgets of cells that are still measured; what a cell spent beyond its own is taken
 * off. */
static double budgets_left_s(const struct red_duel *duel) {
    double left = 0;
    for (size_t c = 0; c < duel->cells_n; c++)
        left += red_duel_cell_both_sides_pass(&duel->cells[c])
                    ? duel->cells[c].budget_s - duel->cells[c].spent_s
                    : 0;
    return left;
}

/* Whether the budget allows another pair. Stage 1 may spend half of a cell's budget. Stage 2 may spend what
 * all cells have left, since few cells are nominated, and these need the most pairs. The planned pairs of
 * stage 1 and those up to the first look of stage 2, with half as many again, run in any case: without these
 * there is no verdict, and a head that is many times slower would pass. */
static bool may_run_another_pair(const struct red_duel *duel, const struct red_duel_cell *cell,
                                 unsigned stage) {
    size_t planned_n = stage == 1 ? duel->plan.pairs_n : duel->plan.look_pairs_n;
    bool in_time = stage == 1 ? cell->spent_s < cell->budget_s / 2 : budgets_left_s(duel) > 0;
    size_t made_n = 0;
    for (size_t i = 0; i < cell->pairs_n; i++)
        made_n += cell->pairs[i].stage == stage;
    return in_time || made_n < planned_n + planned_n / 2;
}

/* Fills run->cells with those of its device that need a pair of its stage and have budget for it; their
 * number. */
static size_t select_cells_of_pair(const struct red_duel *duel, const enum red_next *next,
                                   struct running_pair *run) {
    run->cells_n = 0;
    for (size_t c = 0; c < duel->cells_n; c++) {
        const struct red_duel_cell *cell = &duel->cells[c];
        bool wanted = next[c] == (run->stage == 1 ? RED_NEXT_STAGE_1 : RED_NEXT_STAGE_2);
        if (wanted && cell->device == run->device && may_run_another_pair(duel, cell, run->stage))
            run->cells[run->cells_n++].c = c;
    }
    return run->cells_n;
}

/* Shows "launch 3, stage 1, 4 cells on pocl" on the progress line. */
static void show_progress(const struct red_loop *loop, const struct running_pair *run) {
    const struct red_duel_plan *plan = &loop->duel->plan;
    char what[160];
    double planned_n = plan->pairs_n + plan->looks_n * plan->look_pairs_n;
    snprintf(what, sizeof what, "launch %u, stage %u, %zu cell%s on %s", loop->duel->pairs_n + 1, run->stage,
             run->cells_n, run->cells_n == 1 ? "" : "s", loop->duel->sides[RED_HEAD].devices[run->device].id);
    red_progress(what, fmin(1, loop->duel->pairs_n / planned_n), loop->start_s);
}

/* Runs one process pair on each device that has cells for the stage. Returns whether there was any; *status,
 * which must be RED_OK before, is whether that failed. */
static bool run_pairs_of_stage_if_any(struct red_loop *loop, const enum red_next *next,
                                      struct running_pair *run, enum red_status *status,
                                      struct red_error *error) {
    bool any = false;
    for (size_t d = 0; d < loop->duel->devices_n && *status == RED_OK && !red_interrupted(); d++) {
        run->device = d;
        if (select_cells_of_pair(loop->duel, next, run) == 0)
            continue;
        any = true;
        show_progress(loop, run);
        *status = run_pair(run, error);
    }
    loop->duel->pairs_n += any;
    return any;
}

enum red_status red_loop_run(struct red_loop *loop, struct red_error *error) {
    struct red_duel *duel = loop->duel;
    enum red_next *next = calloc(duel->cells_n + 1, sizeof *next);
    struct running_pair run = {.loop = loop, .cells = calloc(duel->cells_n + 1, sizeof *run.cells)};
    enum red_status status =
        next && run.cells ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a duel");
    bool any = true;
    loop->start_s = red_clock_s();
    while (any && status == RED_OK && !red_interrupted()) {
        any = false;
        status = red_duel_judge(duel, next, error);
        for (run.stage = 1; run.stage <= 2 && !any && status == RED_OK; run.stage++)
            any = run_pairs_of_stage_if_any(loop, next, &run, &status, error);
    }
    red_progress_end();
    duel->interrupted = red_interrupted();
    if (status == RED_OK)
        status = red_duel_judge(duel, NULL, error);
    free(next);
    free(run.cells);
    return status;
}
