/* Measures one array over many ranks: for each operation, type, scaling and n a block, in which all numbers
 * of ranks, strategies and collectives are verified, and then timed in turns, in an order that the seed
 * draws, so that slow drift affects all alike. A rank that is not in a team sleeps while the team works. */
#include "ranks/scaling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/text.h"
#include "ranks/resume.h"
#include "ranks/team.h"
#include "ranks/team_checks.h"
#include "run/bench.h"

/* ---- a block ---------------------------------------------------------------------------------------------
 * All that is measured for one operation, type, scaling and n, in which every number of ranks has a team's
 * part. */

enum { TRIALS_MAX = RED_CHOICE_MAX + 2 };

/* What a run holds while it is made. */
struct work {
    const struct red_ranks *ranks;
    const struct red_session *session;
    struct red_member member;
    double *weights; /* owned; of each rank */
    struct red_team teams[RED_RANK_COUNTS_MAX];
    size_t teams_n;
    const struct red_collective_row *collectives[RED_COLLECTIVES_MAX];
    size_t collectives_n;
    struct red_run *run;
    double clock_step_s, budget_s;
    unsigned roof_form; /* of the two the faster one on this rank's device */
    struct red_resume *resume;
    unsigned blocks_n; /* so far */
    uint64_t random;
};

/* A strategy, the host's among them, or what has none, over the pieces of a team. */
struct trial {
    const struct red_strategy *strategy;
    enum red_cell_kind kind;    /* not PEER */
    struct red_piece_call call; /* over the timed data; its piece is NULL where it is not ready */
    struct red_timing timings[RED_COLLECTIVES_MAX];
    size_t first_cell, cells_n; /* of the block's cells */
};

/* A team's part of a block. */
struct team_part {
    struct red_data_spec spec; /* of the whole array */
    struct red_piece piece;
    struct trial trials[TRIALS_MAX];
    size_t trials_n;
};

struct block {
    struct work *work;
    const struct red_op *op;
    const struct red_dtype *dtype;
    bool weak, is_first;     /* is_first: of the operation and type; it has the collectives alone, too */
    uint64_t n;              /* asked for: in all, or per rank */
    unsigned number;         /* of the run's blocks */
    struct team_part *parts; /* owned; of each team */
    struct red_cell *cells;  /* owned; they become the run's (move_cells) */
    size_t cells_n;
};

static struct red_trial_id id_of_trial(const struct block *block, size_t team, const struct trial *trial) {
    return (struct red_trial_id){block->number, (unsigned)team,
                                 (unsigned)(trial - block->parts[team].trials)};
}

/* ---- laying out ---------------------------------------------------------------------------------------- */

/* Puts a cell in the state that an error means, unless it is in trouble already. */
static void fail_cell(struct red_cell *cell, const struct red_error *why) {
    if (cell->state != RED_STATE_PENDING && cell->state != RED_STATE_PASS)
        return;
    cell->state = red_state_of(why->status);
    cell->samples_n = 0;
    cell->reason[0] = '\0';
    red_text_add(cell->reason, sizeof cell->reason, "%s", why->text);
}

/* Appends an empty cell; true if there is memory. */
static bool add_cell(struct block *block, const struct team_part *part, const struct trial *trial,
                     const struct red_collective_row *collective, int ranks_n) {
    const struct red_run *run = block->work->run;
    if (!RED_GROW(block->cells, block->cells_n, 1))
        return false;
    struct red_cell *cell = &block->cells[block->cells_n++];
    const bool has_n = trial->kind == RED_CELL_OWN || trial->kind == RED_CELL_ROOF,
               is_of_host = trial->strategy != NULL && trial->strategy->standard == RED_STANDARD_HOST;
    *cell = (struct red_cell){.kind = trial->kind,
                              .device = is_of_host ? 0 : run->devices_n - 1,
                              .segments_n = 1,
                              .state = RED_STATE_PENDING,
                              .error = INFINITY, /* nothing tells them */
                              .bound = INFINITY,
                              .absolute = INFINITY};
    cell->at = (struct red_at){.device = run->devices[cell->device].info.id,
                               .strategy = trial->strategy,
                               .op = block->op,
                               .dtype = block->dtype,
                               .ranks_n = (unsigned)ranks_n,
                               .n = has_n ? part->spec.n : 0};
    if (trial->kind == RED_CELL_OWN)
        red_at_set_shape(&cell->at, NULL, 1, 0);
    snprintf(cell->at.collective, sizeof cell->at.collective, "%s", collective ? collective->name : "");
    if (block->weak && has_n)
        snprintf(cell->at.scaling, sizeof cell->at.scaling, RED_SCALING_WEAK);
    struct red_error why;
    if (red_cell_has_no_answer(cell) && red_op_check_n(block->op, block->dtype, 0, &why) != RED_OK)
        fail_cell(cell, &why);
    return true;
}

/* Adds a trial with a cell for each collective, or one without any. */
static bool add_trial(struct block *block, size_t team, enum red_cell_kind kind,
                      const struct red_strategy *strategy, size_t collectives_n) {
    struct team_part *part = &block->parts[team];
    const struct work *work = block->work;
    struct trial *trial = &part->trials[part->trials_n++];
    bool fits = true;
    *trial = (struct trial){.strategy = strategy, .kind = kind, .first_cell = block->cells_n};
    for (size_t c = 0; c < (collectives_n > 0 ? collectives_n : 1) && fits; c++)
        fits = add_cell(block, part, trial, collectives_n > 0 ? work->collectives[c] : NULL,
                        work->teams[team].ranks_n);
    trial->cells_n = block->cells_n - trial->first_cell;
    return fits;
}

/* Makes the cells of what each team measures. Release with clear_block. Errors: RED_E_MEMORY. */
static enum red_status lay_out_block(struct block *block, struct red_error *error) {
    struct work *work = block->work;
    const struct red_session *session = work->session;
    const struct red_strategy *openmp = red_catalogue_find(session->catalogue, RED_HOST_STRATEGY);
    if (block->weak && block->n > UINT64_MAX / (uint64_t)work->ranks->world.size)
        return red_fail(error, RED_E_INPUT, "--n: %llu elements for each of %d ranks are more than 2^64",
                        (unsigned long long)block->n, work->ranks->world.size);
    block->parts = calloc(work->teams_n, sizeof *block->parts);
    bool fits = block->parts != NULL;
    for (size_t t = 0; t < work->teams_n && fits; t++) {
        struct team_part *part = &block->parts[t];
        part->spec = red_data_spec_make(
            block->op, block->dtype, (struct red_data_kind){RED_PATTERN_UNIFORM, 0},
            block->weak ? block->n * (uint64_t)work->teams[t].ranks_n : block->n, session->selection->seed);
        fits = add_trial(block, t, RED_CELL_ROOF, NULL, 0);
        for (size_t s = 0;
             s < session->strategies_n && fits && red_member_first_with_device(&work->member) != NULL; s++)
            fits = add_trial(block, t, RED_CELL_OWN, session->strategies[s], work->collectives_n);
        fits = fits && add_trial(block, t, RED_CELL_OWN, openmp, 1);
        if (block->is_first)
            fits = fits && add_trial(block, t, RED_CELL_BARE, NULL, 0) &&
                   add_trial(block, t, RED_CELL_ALONE, NULL, work->collectives_n);
    }
    return fits ? RED_OK
                : red_fail(error, RED_E_MEMORY, "no memory for the cells of %d ranks",
                           work->ranks->world.size);
}

/* ---- states -------------------------------------------------------------------------------------------- */

/* Puts the cells of a trial in the state that an error means, those that are not in trouble already. */
static void fail_trial(const struct block *block, const struct trial *trial, const struct red_error *why) {
    for (size_t i = 0; i < trial->cells_n; i++)
        fail_cell(&block->cells[trial->first_cell + i], why);
}

/* Whether a cell of the trial is still to be measured. */
static bool is_open(const struct block *block, const struct trial *trial) {
    for (size_t i = 0; i < trial->cells_n; i++)
        if (block->cells[trial->first_cell + i].state == RED_STATE_PENDING)
            return true;
    return false;
}

/* Whether the trial is verified. */
static bool is_verified(const struct trial *trial) {
    return trial->kind == RED_CELL_OWN;
}

/* Leaves out the trials in which two runs have ended. */
static void give_up_trials(const struct block *block) {
    struct red_error why;
    red_fail(&why, RED_E_CRASHED,
             "two runs ended while this was verified or timed, and --resume does not try it again");
    for (size_t t = 0; t < block->work->teams_n; t++)
        for (size_t i = 0; i < block->parts[t].trials_n; i++)
            if (red_resume_is_given_up(block->work->resume,
                                       id_of_trial(block, t, &block->parts[t].trials[i])))
                fail_trial(block, &block->parts[t].trials[i], &why);
}

/* ---- the end ------------------------------------------------------------------------------------------- */

/* Makes statistics of the samples, on rank 0. Errors: RED_E_MEMORY. */
static enum red_status find_statistics(struct block *block, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < block->cells_n && status == RED_OK; i++)
        status = red_cell_find_statistics(&block->cells[i], error);
    return status;
}

/* Moves the cells to the end of the run's. Errors: RED_E_MEMORY. */
static enum red_status move_cells(struct block *block, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < block->cells_n && status == RED_OK; i++)
        status = red_run_add_cell(block->work->run, &block->cells[i], error);
    return status;
}

/* Releases what the block holds. */
static void clear_block(struct block *block) {
    for (size_t t = 0; t < block->work->teams_n && block->parts != NULL; t++) {
        struct team_part *part = &block->parts[t];
        for (size_t i = 0; i < part->trials_n; i++) {
            for (size_t c = 0; c < part->trials[i].cells_n; c++)
                if (part->trials[i].timings[c].cell != NULL)
                    red_timing_clear(&part->trials[i].timings[c]);
            red_piece_call_clear(&part->trials[i].call);
        }
        red_piece_clear(&part->piece);
    }
    for (size_t i = 0; i < block->cells_n; i++)
        red_cell_clear(&block->cells[i]);
    free(block->cells);
    free(block->parts);
}

/* ---- options ------------------------------------------------------------------------------------------- */

/* Roofs are read over as many elements as the longest array has, within these. */
enum { ROOF_N_MIN = 1 << 24, ROOF_N_MAX = 1 << 28 };

static const char *const scalings[] = {"strong", "weak"};

enum red_status red_ranks_options_check(const struct red_ranks_options *options, struct red_error *error) {
    enum red_status status =
        red_select_check("split", options->split, red_run_split_names, RED_RUN_SPLITS_N, error);
    if (status == RED_OK)
        status = red_select_check("scaling", options->scaling, scalings, 2, error);
    if (status == RED_OK)
        status = red_select_check("collective", options->collective, red_collective_names, red_collectives_n,
                                  error);
    return status;
}

/* Behind a trial of a team: waits for the ranks that are not in it, which sleep. */
static void rest(const struct work *work, const struct red_team *team) {
    if (team->ranks_n == work->ranks->world.size)
        return;
    if (team->comm.handle == NULL)
        red_watch_step(0, "another team works");
    red_watch_wait(true);
    work->ranks->mpi->barrier_asleep(&work->ranks->world);
    red_watch_wait(false);
}

/* ---- verifying ----------------------------------------------------------------------------------------- */

/* Whether an error ends the run, and not a cell alone. */
static bool ends_run(enum red_status status) {
    return status == RED_E_INTERRUPTED;
}

/* Checks a call of the trial by every collective against the whole array's answer. */
static enum red_status check_collectives(const struct block *block, const struct trial *trial,
                                         struct red_piece_call *call, struct red_error *error) {
    const struct work *work = block->work;
    enum red_status ended = RED_OK;
    for (size_t i = 0; i < trial->cells_n && !ends_run(ended); i++) {
        struct red_cell *cell = &block->cells[trial->first_cell + i];
        if (cell->state != RED_STATE_PENDING)
            continue;
        const enum red_status status = red_check_call(call, work->collectives[i], cell, error);
        if (status != RED_OK)
            fail_cell(cell, error);
        cell->checks_n += status == RED_OK;
        ended = ends_run(status) ? status : ended;
    }
    return ended;
}

/* Checks a trial over one piece: this rank's own reduction, and what the ranks make of theirs. */
static enum red_status check_trial(const struct block *block, struct red_piece *piece,
                                   const struct trial *trial, struct red_error *error) {
    struct red_piece_call call;
    enum red_status status = red_check_own(piece, trial->strategy, false, error);
    if (status == RED_OK)
        status = red_piece_call_make(piece, trial->strategy, 0, &call, error);
    if (status != RED_OK) {
        fail_trial(block, trial, error);
        return ends_run(status) ? status : RED_OK;
    }
    status = check_collectives(block, trial, &call, error);
    red_piece_call_clear(&call);
    return status;
}

/* Checks a team's trials on one data kind; who is not in the team waits at each. */
static enum red_status check_kind(struct block *block, size_t t, struct red_data_kind kind,
                                  enum red_status status, struct red_error *error) {
    const struct red_team *team = &block->work->teams[t];
    struct team_part *part = &block->parts[t];
    struct red_data_spec spec = part->spec;
    struct red_piece piece = {.team = NULL};
    spec.data_kind = kind;
    if (team->comm.handle != NULL && status == RED_OK) {
        red_watch_step(3e-8 * (double)spec.n, "data of %s are made", red_pattern_name(kind.pattern));
        status = red_piece_make(team, &spec, &piece, error);
        for (size_t i = 0; i < part->trials_n && status != RED_OK; i++)
            if (is_verified(&part->trials[i]))
                fail_trial(block, &part->trials[i], error);
        status = ends_run(status) ? status : RED_OK;
    }
    for (size_t i = 0; i < part->trials_n; i++) {
        struct trial *trial = &part->trials[i];
        if (!is_verified(trial))
            continue;
        if (piece.team != NULL && status == RED_OK && is_open(block, trial)) {
            red_resume_begin_trial(block->work->resume, id_of_trial(block, t, trial));
            status = check_trial(block, &piece, trial, error);
            red_resume_end_trial(block->work->resume);
        }
        rest(block->work, team);
    }
    red_piece_clear(&piece);
    return status;
}

/* Checks a team's trials on the exact data, as many as --data-sets says. */
static enum red_status check_team(struct block *block, size_t t, struct red_error *error) {
    struct red_selection selection = *block->work->session->selection;
    struct red_data_kind kinds[RED_DATA_SETS_MAX + 1];
    enum { DATA_SETS = 3 };
    selection.data_sets = selection.data_sets > 0 ? selection.data_sets : DATA_SETS;
    const unsigned n =
        red_selection_data_kinds(&selection, block->op, block->dtype, block->parts[t].spec.n, kinds);
    enum red_status status = RED_OK;
    for (unsigned i = 0; i + 1 < n; i++)
        status = check_kind(block, t, kinds[i], status, error);
    return status;
}

/* ---- preparing what is timed --------------------------------------------------------------------------- */

/* Prepares the timings of a trial over the timed data: the collectives are checked once more, and how many
 * calls a batch has is found. */
static enum red_status plan_cells(struct block *block, const struct red_team *team, struct trial *trial,
                                  struct red_error *error) {
    const struct work *work = block->work;
    const bool checks = is_verified(trial), combines = trial->cells_n > 1 || checks;
    enum red_status ended = RED_OK;
    for (size_t i = 0; i < trial->cells_n && !ends_run(ended); i++) {
        struct red_cell *cell = &block->cells[trial->first_cell + i];
        struct red_timing *timing = &trial->timings[i];
        if (cell->state != RED_STATE_PENDING)
            continue;
        const bool alone = trial->kind == RED_CELL_ALONE;
        enum red_status status = red_timing_make(team, trial->call.piece ? &trial->call : NULL,
                                                 combines || alone ? work->collectives[i] : NULL, block->op,
                                                 block->dtype, cell, timing, error);
        if (status == RED_OK && checks)
            status = red_timing_check(timing, &trial->call.piece->whole, error);
        cell->checks_n += status == RED_OK && checks;
        if (status == RED_OK)
            status = red_timing_plan(timing, work->budget_s, work->clock_step_s, error);
        if (status == RED_OK)
            cell->state = RED_STATE_PASS;
        else
            fail_cell(cell, error);
        ended = ends_run(status) ? status : ended;
    }
    return ended;
}

/* Prepares one trial of a team: its call over the timed piece, and its cells. */
static enum red_status prepare_trial(struct block *block, size_t t, struct trial *trial,
                                     struct red_error *error) {
    struct red_piece *piece = &block->parts[t].piece;
    enum red_status status = RED_OK;
    red_watch_step(1e-7 * (double)piece->n, "%s is prepared",
                   trial->strategy ? trial->strategy->name : red_cell_kind_names[trial->kind]);
    if (trial->strategy != NULL && trial->strategy->standard != RED_STANDARD_HOST)
        status = red_check_own(piece, trial->strategy, false, error);
    if (status == RED_OK && (is_verified(trial) || trial->kind == RED_CELL_ROOF))
        status = red_piece_call_make(piece, trial->strategy, block->work->roof_form, &trial->call, error);
    if (status == RED_OK)
        return plan_cells(block, &block->work->teams[t], trial, error);
    fail_trial(block, trial, error);
    return ends_run(status) ? status : RED_OK;
}

/* Makes a team's timed piece and prepares all its trials; who is not in the team waits at each. */
static enum red_status prepare_team(struct block *block, size_t t, enum red_status status,
                                    struct red_error *error) {
    const struct red_team *team = &block->work->teams[t];
    struct team_part *part = &block->parts[t];
    if (team->comm.handle != NULL && status == RED_OK) {
        red_watch_step(3e-8 * (double)part->spec.n, "the timed data are made");
        status = red_piece_make(team, &part->spec, &part->piece, error);
        for (size_t i = 0; i < part->trials_n && status != RED_OK; i++)
            fail_trial(block, &part->trials[i], error);
        status = ends_run(status) ? status : RED_OK;
    }
    for (size_t i = 0; i < part->trials_n; i++) {
        if (part->piece.team != NULL && status == RED_OK && is_open(block, &part->trials[i])) {
            red_resume_begin_trial(block->work->resume, id_of_trial(block, t, &part->trials[i]));
            status = prepare_trial(block, t, &part->trials[i], error);
            red_resume_end_trial(block->work->resume);
        }
        rest(block->work, team);
    }
    return status;
}

/* ---- timing -------------------------------------------------------------------------------------------- */

/* A cell in the order in which a round takes them. */
struct turn {
    unsigned short team, trial, collective;
};

/* Makes a round's share of the batches of a cell. */
static enum red_status time_share(struct block *block, struct turn turn, unsigned round,
                                  struct red_error *error) {
    struct trial *trial = &block->parts[turn.team].trials[turn.trial];
    struct red_timing *timing = &trial->timings[turn.collective];
    struct red_cell *cell = &block->cells[trial->first_cell + turn.collective];
    const unsigned n = timing->batches_n, from = n * round / RED_ROUNDS_N,
                   to = n * (round + 1) / RED_ROUNDS_N;
    if (cell->state == RED_STATE_PASS)
        red_resume_begin_trial(block->work->resume, id_of_trial(block, turn.team, trial));
    for (unsigned i = from; i < to && cell->state == RED_STATE_PASS; i++) {
        const enum red_status status = red_timing_batch(timing, error);
        if (status != RED_OK)
            fail_cell(cell, error);
        if (ends_run(status))
            return status;
    }
    return RED_OK;
}

/* Makes all batches, in rounds; each round has all cells in another order, which is the same on all ranks.
 * All of them learn at once that one was interrupted. */
static enum red_status time_turns(struct block *block, struct turn *turns, size_t turns_n,
                                  struct red_error *error) {
    struct work *work = block->work;
    const struct red_comm *world = &work->ranks->world;
    enum red_status status = RED_OK;
    for (unsigned round = 0; round < RED_ROUNDS_N && status == RED_OK; round++) {
        red_random_shuffle(turns, turns_n, sizeof *turns, &work->random);
        for (size_t i = 0; i < turns_n && status == RED_OK; i++) {
            const struct red_team *team = &work->teams[turns[i].team];
            if (team->comm.handle != NULL)
                status = time_share(block, turns[i], round, error);
            rest(work, team);
            if (team->ranks_n < world->size)
                status = red_ranks_agree(work->ranks, world, status, error);
        }
        red_resume_end_trial(work->resume);
        status = red_ranks_agree(work->ranks, world, status, error);
    }
    return status;
}

/* Times the block's cells. */
static enum red_status time_cells(struct block *block, struct red_error *error) {
    const struct work *work = block->work;
    struct turn *turns = calloc(block->cells_n, sizeof *turns);
    size_t turns_n = 0;
    enum red_status status = turns ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for turns");
    for (size_t t = 0; t < work->teams_n && turns != NULL; t++)
        for (size_t i = 0; i < block->parts[t].trials_n; i++)
            for (size_t c = 0; c < block->parts[t].trials[i].cells_n; c++)
                turns[turns_n++] = (struct turn){(unsigned short)t, (unsigned short)i, (unsigned short)c};
    status = red_ranks_agree(work->ranks, &work->ranks->world, status, error);
    if (status == RED_OK)
        status = time_turns(block, turns, turns_n, error);
    free(turns);
    return status;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

/* Verifies and prepares the trials of one team after the other; who is not in it sleeps. */
static enum red_status prepare_block(struct block *block, struct red_error *error) {
    struct work *work = block->work;
    enum red_status status = RED_OK;
    for (size_t t = 0; t < work->teams_n && status == RED_OK; t++) {
        status = check_team(block, t, error);
        status = prepare_team(block, t, status, error);
        status = red_ranks_agree(work->ranks, &work->ranks->world, status, error);
    }
    return status;
}

/* Says on rank 0 what is measured next. */
static void tell_block(const struct block *block) {
    if (block->work->ranks->world.rank == 0)
        fprintf(stderr, "%s of %s, n = %s%s\n", block->op->name, block->dtype->name,
                red_size_text(block->n).text, block->weak ? " per rank (weak scaling)" : " (strong scaling)");
}

/* Measures one block, or takes it over from the run that is resumed. */
static enum red_status measure_block(struct block *block, struct red_error *error) {
    struct work *work = block->work;
    if (red_resume_has_block(work->resume, block->number))
        return red_ranks_agree(work->ranks, &work->ranks->world,
                               red_resume_take_cells(work->resume, block->number, work->run, error), error);
    tell_block(block);
    enum red_status status = lay_out_block(block, error);
    status = red_ranks_agree(work->ranks, &work->ranks->world, status, error);
    if (status == RED_OK)
        give_up_trials(block);
    if (status == RED_OK)
        status = prepare_block(block, error);
    if (status == RED_OK)
        status = time_cells(block, error);
    enum red_status summed = find_statistics(block, status == RED_OK ? error : NULL);
    if (status == RED_OK) /* the statistics are rank 0's */
        status = red_ranks_agree(work->ranks, &work->ranks->world, summed, error);
    if (status == RED_OK)
        red_resume_add_block(work->resume, block->number, block->cells, block->cells_n);
    summed = move_cells(block, status == RED_OK ? error : NULL);
    clear_block(block);
    return status == RED_OK ? red_ranks_agree(work->ranks, &work->ranks->world, summed, error) : status;
}

/* Measures all blocks of an operation and a type. */
static enum red_status measure_blocks_of(struct work *work, const struct red_ranks_options *options,
                                         const struct red_op *op, const struct red_dtype *dtype,
                                         struct red_error *error) {
    const struct red_sizes *sizes = &work->session->selection->n;
    enum red_status status = RED_OK;
    bool is_first = true;
    for (int weak = 0; weak < 2; weak++)
        for (size_t i = 0; i < sizes->n && status == RED_OK; i++) {
            struct block block = {.work = work,
                                  .op = op,
                                  .dtype = dtype,
                                  .weak = weak,
                                  .is_first = is_first,
                                  .number = work->blocks_n,
                                  .n = sizes->values[i]};
            if (!red_select_matches(options->scaling, scalings[weak]))
                continue;
            status = measure_block(&block, error);
            is_first = false;
            work->blocks_n++;
        }
    return status;
}

/* ---- roofs --------------------------------------------------------------------------------------------- */

/* A GPU reads few elements in no less time than a launch takes, so that its rate is none of its memory's. */
static uint64_t roof_n_of(const struct red_sizes *sizes) {
    uint64_t n = ROOF_N_MIN;
    for (size_t i = 0; i < sizes->n; i++)
        n = sizes->values[i] > n ? sizes->values[i] : n;
    return n < ROOF_N_MAX ? n : ROOF_N_MAX;
}

/* Measures the roofs of all ranks over the longest array, or the half of it, and so on, that all have room
 * for: its pieces may fit where the whole does not. */
static enum red_status measure_roofs_that_fit(struct work *work, struct red_error *error) {
    uint64_t n = roof_n_of(&work->session->selection->n);
    enum red_status status;
    do {
        status = red_member_measure_roofs(&work->member, n, &work->roof_form, error);
        n /= 2;
    } while ((status == RED_E_UNSUPPORTED || status == RED_E_MEMORY) && n >= ROOF_N_MIN);
    return status;
}

/* Measures the roofs of all ranks, and takes them for weights unless the split is equal. */
static enum red_status measure_roofs(struct work *work, struct red_error *error) {
    const size_t n = (size_t)work->ranks->world.size;
    work->weights = red_ranks_room(work->ranks, n, sizeof *work->weights);
    enum red_status status = RED_OK;
    if (!red_resume_take_roofs(work->resume, work->member.all, &work->roof_form)) {
        status = measure_roofs_that_fit(work, error);
        if (status == RED_OK)
            red_resume_add_roofs(work->resume, work->member.all, work->roof_form);
    }
    red_weights_of_roofs(work->member.all, n, work->weights);
    for (size_t i = 0; i < n && work->run->over_ranks.split == RED_RUN_SPLIT_EQUAL; i++)
        work->weights[i] = 1;
    return status;
}

/* ---- the run ------------------------------------------------------------------------------------------- */

enum red_status red_rank_counts_check(const struct red_sizes *counts, uint64_t all, struct red_error *error) {
    for (size_t i = 0; i < counts->n; i++)
        if (counts->values[i] < 1 || counts->values[i] > all)
            return red_fail(
                error, RED_E_INPUT,
                "--rank-counts: %llu ranks are asked for; valid: 1 to %llu, which mpirun has started",
                (unsigned long long)counts->values[i], (unsigned long long)all);
    return counts->n <= RED_RANK_COUNTS_MAX
               ? RED_OK
               : red_fail(error, RED_E_INPUT, "--rank-counts: at most %d numbers", RED_RANK_COUNTS_MAX);
}

/* Makes a team for each number of ranks: those asked for, or powers of two and all. */
static enum red_status make_teams(struct work *work, const struct red_sizes *counts,
                                  struct red_error *error) {
    const uint64_t all = (uint64_t)work->ranks->world.size;
    const enum red_status status = red_rank_counts_check(counts, all, error);
    if (status != RED_OK)
        return status;
    for (size_t i = 0; i < counts->n; i++)
        red_team_make(&work->member, (int)counts->values[i], work->weights, &work->teams[work->teams_n++]);
    for (uint64_t n = 1; counts->n == 0 && work->teams_n < RED_RANK_COUNTS_MAX;
         n = 2 * n < all ? 2 * n : all) {
        red_team_make(&work->member, (int)n, work->weights, &work->teams[work->teams_n++]);
        if (n == all)
            break;
    }
    return RED_OK;
}

/* Measures everything, once devices, roofs and teams are there. */
static enum red_status measure_all_blocks(struct work *work, const struct red_ranks_options *options,
                                          struct red_error *error) {
    const struct red_session *session = work->session;
    enum red_status status = RED_OK;
    for (size_t o = 0; o < session->ops_n; o++)
        for (size_t t = 0; t < session->types_n && status == RED_OK; t++)
            status = measure_blocks_of(work, options, session->ops[o], session->types[t], error);
    return status;
}

/* Opens the journal, of a run of these choices. */
static enum red_status open_resume(struct work *work, const struct red_ranks_options *options,
                                   struct red_error *error) {
    char choices[512] = "";
    red_text_add(choices, sizeof choices, "--split %s --scaling %s --collective %s --rank-counts",
                 red_run_split_names[work->run->over_ranks.split],
                 options->scaling ? options->scaling : "both",
                 options->collective ? options->collective : "all");
    for (size_t i = 0; i < options->counts.n; i++)
        red_text_add(choices, sizeof choices, " %llu", (unsigned long long)options->counts.values[i]);
    const size_t scalings_n =
        red_select_matches(options->scaling, scalings[0]) + red_select_matches(options->scaling, scalings[1]);
    const struct red_session *session = work->session;
    const size_t blocks_n = session->ops_n * session->types_n * session->selection->n.n * scalings_n;
    const struct red_resume_run asked = {.blocks_n = (unsigned)blocks_n,
                                         .session = work->session,
                                         .run = work->run,
                                         .choices = choices,
                                         .result_path = options->result_path,
                                         .resume = options->resume};
    return red_resume_open(&work->member, &asked, &work->resume, error);
}

/* Fills what the run has of its ranks, and its devices: the host, and that of the first rank that has one,
 * by which keys of cells and bans name the team. Where ranks have several models its name says so. */
static enum red_status lay_out_run(struct work *work, const struct red_ranks_options *options,
                                   struct red_error *error) {
    const struct red_member *member = &work->member;
    struct red_run *run = work->run;
    run->devices = calloc(2, sizeof *run->devices);
    if (run->devices == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a run over ranks");
    snprintf(run->over_ranks.mpi, sizeof run->over_ranks.mpi, "%s", work->ranks->library);
    run->over_ranks.ranks_n = (size_t)work->ranks->world.size; /* the ranks come at the end, with roofs */
    run->over_ranks.split =
        options->split != NULL && strcmp(options->split, red_run_split_names[RED_RUN_SPLIT_EQUAL]) == 0
            ? RED_RUN_SPLIT_EQUAL
            : RED_RUN_SPLIT_ROOF;
    red_bench_host_device(&run->devices[run->devices_n++]);
    const struct red_rank *first = red_member_first_with_device(member);
    if (first == NULL)
        return RED_OK;
    struct red_device_info *info = &run->devices[run->devices_n++].info;
    if (first == member->all && member->device != NULL)
        *info = *red_device_info(member->device);
    snprintf(info->id, sizeof info->id, "%s", first->device);
    snprintf(info->name, sizeof info->name, "%s", first->device_name);
    snprintf(info->driver, sizeof info->driver, "%s", first->driver);
    for (int i = 0; i < work->ranks->world.size; i++)
        if (strcmp(member->all[i].device_name, first->device_name) != 0 ||
            strcmp(member->all[i].driver, first->driver) != 0) {
            red_text_add(info->name, sizeof info->name, " and others");
            break;
        }
    return RED_OK;
}

enum red_status red_scaling_measure(const struct red_ranks *ranks, const struct red_ranks_options *options,
                                    const struct red_session *session, struct red_run *run,
                                    struct red_journal **journal, struct red_error *error) {
    const struct red_selection *selection = session->selection;
    struct work *work = red_ranks_room(ranks, 1, sizeof *work);
    *work = (struct work){.ranks = ranks,
                          .session = session,
                          .run = run,
                          .clock_step_s = red_clock_measure_step_s(),
                          .budget_s = selection->time_per_cell_s,
                          .random = selection->seed};
    run->time_per_cell_s = selection->time_per_cell_s;
    run->clock_step_s = work->clock_step_s;
    ranks->mpi->share(&ranks->world, &work->clock_step_s, sizeof work->clock_step_s);
    work->collectives_n = red_collectives_choose(options->collective, work->collectives);
    enum red_status status = red_member_open(ranks, selection->device, &work->member, error);
    if (status == RED_OK)
        status = red_ranks_agree(ranks, &ranks->world, lay_out_run(work, options, error), error);
    if (status == RED_OK)
        status = open_resume(work, options, error);
    if (status == RED_OK)
        status = measure_roofs(work, error);
    if (status == RED_OK)
        status = make_teams(work, &options->counts, error);
    if (status == RED_OK)
        status = measure_all_blocks(work, options, error);
    for (size_t t = 0; t < work->teams_n; t++)
        red_team_clear(&work->teams[t]);
    if (run->over_ranks.ranks_n > 0) {
        run->over_ranks.ranks = work->member.all;
        work->member.all = NULL;
    }
    red_member_close(&work->member);
    *journal = red_resume_close(work->resume);
    free(work->weights);
    free(work);
    return status;
}
