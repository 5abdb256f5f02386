#include "gate/loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/random.h"
#include "gate/judge.h"
#include "gate/loop_private.h"

/* Two readings of it differ by microseconds, and by more where a process was held between its two clocks. */
static const uint64_t SUSPENDED_NS = 50000000;

/* What a turn may take beyond its batches: messages, and waiting for a processor. */
static const double BESIDE_S = 0.05;

/* ---- rounds ----------------------------------------------------------------------------------------------
 */

static const struct red_probe timed = {RED_PATTERN_UNIFORM, 0};

/* A launch under way: of one stage, of one pair of devices. */
struct launch {
    struct red_bout *bout;
    size_t device;
    unsigned stage;
    enum red_who first;
    size_t *cells; /* owned; those that take part */
    size_t cells_n;
    struct red_series *series; /* owned; of each of them */
    double *rounds_s;          /* owned; what their rounds took */
};

static bool takes_part(const struct red_duel_cell *cell) {
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

static enum red_status take_turn(const struct launch *launch, size_t c, enum red_who who, bool doubts,
                                 struct red_round *round, struct red_error *error) {
    const struct red_duel *duel = launch->bout->duel;
    const struct red_duel_cell *cell = &duel->cells[c];
    const struct red_case job = red_bout_job(launch->bout, c, who, timed);
    struct red_batches batches;
    double expected_s = cell->call_s[who] * (double)(cell->calls * duel->plan.batches_n);
    enum red_status status =
        red_remote_batches(launch->bout->duelists[who].remotes[launch->device], &job, cell->calls,
                           duel->plan.batches_n, doubts, expected_s, &batches, error);
    for (size_t i = 0; status == RED_OK && i < batches.n; i++)
        round->batch_ns[who][i] = red_clock_between_ns(batches.stamps_ns[i], batches.stamps_ns[i + 1]);
    if (status == RED_OK && !clocks_agree(&batches, doubts))
        round->drop = RED_DROP_CLOCK;
    return status;
}

/* One turn of each, controls around them. Which side begins alternates from round to round. */
static enum red_status fight_round(const struct launch *launch, size_t i, size_t r, bool doubts) {
    size_t c = launch->cells[i];
    struct red_duel_cell *cell = &launch->bout->duel->cells[c];
    const struct red_control_kit *kit = &launch->bout->kits[launch->device];
    struct red_error error = {.text = ""};
    struct red_round round = {.first = (enum red_who)((r + c + launch->bout->duel->launches_n) % RED_WHO_N)};
    uint64_t suspended_ns = red_clock_suspended_ns();
    enum red_status status = RED_OK;
    enum red_who who = round.first;
    for (size_t turn = 0; turn < RED_WHO_N && status == RED_OK; turn++) {
        who = turn == 0 ? round.first : (enum red_who)(1 - round.first);
        red_controls_take(kit, &round, turn);
        status = take_turn(launch, c, who, doubts, &round, &error);
    }
    red_controls_take(kit, &round, RED_WHO_N);
    if (red_clock_suspended_ns() > suspended_ns + SUSPENDED_NS)
        round.drop = RED_DROP_SUSPENDED;
    if (status == RED_OK)
        return red_series_add(&launch->series[i], &round, NULL);
    if (status != RED_E_INTERRUPTED)
        red_bout_fail(cell, who, &error);
    return RED_OK;
}

/* As many rounds as a launch's share of the budget allows, if two looks decide; all of the plan's for most.
 */
static size_t rounds_of(const struct red_duel *duel, const struct red_duel_cell *cell) {
    const struct red_duel_plan *plan = &duel->plan;
    double round_s =
        (double)(cell->calls * plan->batches_n) * (cell->call_s[RED_BASE] + cell->call_s[RED_HEAD]);
    double share_s = cell->budget_s / (plan->launches_n + 2 * plan->look_launches_n) / plan->epochs_n;
    double rounds = fmin(
        plan->rounds_n, fmax(share_s / fmax(round_s, 1e-9), ceil((double)RED_ROUNDS_LEAST / plan->epochs_n)));
    return (size_t)rounds;
}

/* ---- launches --------------------------------------------------------------------------------------------
 */

/* On both sides at the same time, which is where the time goes; what fails there is told below. */
static void warm_up_together(const struct launch *launch) {
    struct red_remote *remotes[RED_WHO_N];
    struct red_case *jobs[RED_WHO_N];
    size_t jobs_n[RED_WHO_N] = {0};
    for (int who = 0; who < RED_WHO_N; who++) {
        remotes[who] = launch->bout->duelists[who].remotes[launch->device];
        jobs[who] = calloc(launch->cells_n + 1, sizeof *jobs[who]);
        for (size_t i = 0; jobs[who] != NULL && i < launch->cells_n; i++)
            if (takes_part(&launch->bout->duel->cells[launch->cells[i]]))
                jobs[who][jobs_n[who]++] =
                    red_bout_job(launch->bout, launch->cells[i], (enum red_who)who, timed);
    }
    red_remotes_prepare(remotes, (const struct red_case *const *)jobs, jobs_n, RED_WHO_N);
    for (int who = 0; who < RED_WHO_N; who++)
        free(jobs[who]);
}

/* Data moves, plans are made, and called until they are warm. */
static void warm_up(const struct launch *launch, unsigned epoch) {
    for (int who = 0; who < RED_WHO_N && epoch > 0; who++)
        (void)red_remote_move(launch->bout->duelists[who].remotes[launch->device], NULL);
    warm_up_together(launch);
    for (size_t i = 0; i < 2 * launch->cells_n && !red_interrupted(); i++) {
        size_t c = launch->cells[i / 2];
        enum red_who who = (enum red_who)((i + epoch) % RED_WHO_N);
        struct red_duel_cell *cell = &launch->bout->duel->cells[c];
        const struct red_case job = red_bout_job(launch->bout, c, who, timed);
        struct red_ready ready;
        struct red_error error = {.text = ""};
        if (!takes_part(cell))
            continue;
        enum red_status status = red_remote_ready(launch->bout->duelists[who].remotes[launch->device], &job,
                                                  3, 0.002, &ready, &error);
        if (status != RED_OK && status != RED_E_INTERRUPTED)
            red_bout_fail(cell, who, &error);
    }
}

static enum red_status fight_epoch(const struct launch *launch, unsigned number) {
    struct red_duel *duel = launch->bout->duel;
    enum red_status status = RED_OK;
    size_t *order = calloc(launch->cells_n + 1, sizeof *order);
    for (size_t i = 0; i < launch->cells_n && order != NULL; i++)
        order[i] = i;
    warm_up(launch, number);
    for (size_t r = 0; r < duel->plan.rounds_n && order != NULL && status == RED_OK; r++) {
        red_random_shuffle(order, launch->cells_n, sizeof *order, &launch->bout->random);
        for (size_t i = 0; i < launch->cells_n && status == RED_OK && !red_interrupted(); i++) {
            struct red_duel_cell *cell = &duel->cells[launch->cells[order[i]]];
            double start_s = red_clock_s();
            if (takes_part(cell) && r < rounds_of(duel, cell))
                status = fight_round(launch, order[i], r, r == 0);
            launch->rounds_s[order[i]] += fmax(red_clock_s() - start_s, 0);
        }
    }
    free(order);
    return order ? status : RED_E_MEMORY;
}

/* Hands what was measured to the cells. Each pays for its own rounds, lest long calls spend the budget of
 * short ones, and all alike for what is left: starting both sides, their data, and warming up. Together no
 * more than the launch took, whatever the clock did meanwhile. */
static enum red_status settle(struct launch *launch, double took_s, struct red_error *error) {
    enum red_status status = RED_OK;
    double rounds_s = 0;
    for (size_t i = 0; i < launch->cells_n; i++)
        rounds_s += launch->rounds_s[i];
    took_s = fmax(took_s, 0);
    double own = fmin(1, took_s / fmax(rounds_s, 1e-9)), shared_s = took_s - own * rounds_s;
    for (size_t i = 0; i < launch->cells_n; i++) {
        struct red_duel_cell *cell = &launch->bout->duel->cells[launch->cells[i]];
        struct red_series *series = &launch->series[i];
        cell->spent_s += own * launch->rounds_s[i] + shared_s / (double)launch->cells_n;
        if (status == RED_OK && series->rounds_n > 0 && !red_interrupted())
            status = red_duel_add_series(cell, series, error);
        else
            free(series->rounds);
        *series = (struct red_series){.rounds = NULL};
    }
    return status;
}

static void fail_all(const struct launch *launch, enum red_who who, const struct red_error *error) {
    for (size_t i = 0; i < launch->cells_n; i++)
        red_bout_fail(&launch->bout->duel->cells[launch->cells[i]], who, error);
}

static enum red_status fight_launch(struct launch *launch, struct red_error *error) {
    struct red_duel *duel = launch->bout->duel;
    struct red_error found = {.text = ""};
    double start_s = red_clock_s();
    launch->first = (enum red_who)(duel->launches_n % RED_WHO_N);
    for (size_t i = 0; i < launch->cells_n; i++) {
        launch->series[i] = (struct red_series){
            .stage = launch->stage, .launch = duel->launches_n, .first = launch->first, .rounds = NULL};
        launch->rounds_s[i] = 0;
    }
    enum red_who failed = launch->first;
    enum red_status status =
        red_duelists_launch(launch->bout->duelists, launch->device, launch->first, &failed, &found);
    if (status != RED_OK && status != RED_E_INTERRUPTED)
        fail_all(launch, failed, &found);
    for (unsigned epoch = 0; epoch < duel->plan.epochs_n && status == RED_OK && !red_interrupted(); epoch++)
        status = fight_epoch(launch, epoch);
    status = settle(launch, red_clock_s() - start_s, error);
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
        left += takes_part(&duel->cells[c]) ? duel->cells[c].budget_s - duel->cells[c].spent_s : 0;
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

static void tell(const struct red_bout *bout, const struct launch *launch) {
    const struct red_duel_plan *plan = &bout->duel->plan;
    char what[160];
    double planned_n = plan->launches_n + plan->looks_n * plan->look_launches_n;
    snprintf(what, sizeof what, "launch %u, stage %u, %zu cell%s on %s", bout->duel->launches_n + 1,
             launch->stage, launch->cells_n, launch->cells_n == 1 ? "" : "s",
             bout->duel->sides[RED_HEAD].devices[launch->device].id);
    red_progress(what, fmin(1, bout->duel->launches_n / planned_n), bout->start_s);
}

/* One launch on every pair that has cells for the stage. Whether there was any. */
static bool fight_stage(struct red_bout *bout, const enum red_next *next, struct launch *launch,
                        enum red_status *status, struct red_error *error) {
    bool any = false;
    for (size_t d = 0; d < bout->duel->devices_n && *status == RED_OK && !red_interrupted(); d++) {
        launch->device = d;
        if (choose_cells(bout->duel, next, launch) == 0)
            continue;
        any = true;
        tell(bout, launch);
        *status = fight_launch(launch, error);
    }
    bout->duel->launches_n += any;
    return any;
}

enum red_status red_bout_fight(struct red_bout *bout, struct red_error *error) {
    struct red_duel *duel = bout->duel;
    enum red_next *next = calloc(duel->cells_n + 1, sizeof *next);
    struct launch launch = {.bout = bout,
                            .cells = calloc(duel->cells_n + 1, sizeof *launch.cells),
                            .series = calloc(duel->cells_n + 1, sizeof *launch.series),
                            .rounds_s = calloc(duel->cells_n + 1, sizeof *launch.rounds_s)};
    enum red_status status = next && launch.cells && launch.series && launch.rounds_s
                                 ? RED_OK
                                 : red_fail(error, RED_E_MEMORY, "no memory for a duel");
    bool any = true;
    bout->start_s = red_clock_s();
    while (any && status == RED_OK && !red_interrupted()) {
        any = false;
        status = red_duel_judge(duel, next, error);
        for (launch.stage = 1; launch.stage <= 2 && !any && status == RED_OK; launch.stage++)
            any = fight_stage(bout, next, &launch, &status, error);
    }
    red_progress_end();
    duel->interrupted = red_interrupted();
    if (status == RED_OK)
        status = red_duel_judge(duel, NULL, error);
    free(next);
    free(launch.cells);
    free(launch.series);
    free(launch.rounds_s);
    return status;
}
