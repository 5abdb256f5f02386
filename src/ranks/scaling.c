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
#include "core/random.h"
#include "core/text.h"
#include "ranks/check.h"
#include "ranks/measure.h"
#include "run/bench.h"

enum { TEAMS_MAX = 32, TRIALS_MAX = RED_CHOICE_MAX + 2, COLLECTIVES_MAX = 8, ROOF_N = 1 << 24 };

static const char *const splits[] = {"roof", "equal"};
static const char *const scalings[] = {"strong", "weak"};

enum red_status red_ranks_options_check(const struct red_ranks_options *options, struct red_error *error) {
    enum red_status status = red_select_check("split", options->split, splits, 2, error);
    if (status == RED_OK)
        status = red_select_check("scaling", options->scaling, scalings, 2, error);
    if (status == RED_OK)
        status = red_select_check("collective", options->collective, red_collective_names, red_collectives_n,
                                  error);
    return status;
}

/* ---- what a run holds while it is made ------------------------------------------------------------------
 */

struct scaling {
    const struct red_ranks *ranks;
    const struct red_session *session;
    struct red_member member;
    double *weights; /* owned; of each rank */
    struct red_team teams[TEAMS_MAX];
    size_t teams_n;
    const struct red_collective_row *collectives[COLLECTIVES_MAX];
    size_t collectives_n;
    struct red_ranks_run *run;
    double clock_step_s, budget_s;
    unsigned roof_form; /* of the two the faster one on this rank's device */
    uint64_t random;
};

/* A strategy, or a row of the host, or the roof (strategy NULL), over the pieces of a team. */
struct trial {
    const struct red_strategy *strategy;
    enum red_ranks_kind kind;
    struct red_piece_call call; /* over the timed data; its piece is NULL where it is not ready */
    struct red_timing timings[COLLECTIVES_MAX];
    size_t first_row, rows_n; /* of the block's rows */
};

/* A team's part of a block. */
struct team_part {
    struct red_data_spec spec; /* of the whole array */
    struct red_piece piece;
    struct trial trials[TRIALS_MAX];
    size_t trials_n;
};

struct block {
    struct scaling *scaling;
    const struct red_op *op;
    const struct red_dtype *dtype;
    bool weak, is_first;     /* is_first: of the operation and type; it has the collectives alone, too */
    uint64_t n;              /* asked for: in all, or per rank */
    struct team_part *parts; /* owned; of each team */
    size_t first_row, rows_n;
};

static struct red_ranks_row *row_of(const struct block *block, size_t i) {
    return &block->scaling->run->rows[block->first_row + i];
}

/* Waits for the ranks that are in no team of what was done, which sleep. */
static void rest(const struct scaling *scaling) {
    red_watch_wait(true);
    scaling->ranks->mpi->barrier_asleep(&scaling->ranks->world);
    red_watch_wait(false);
}

/* ---- laying out ---------------------------------------------------------------------------------------- */

/* Appends an empty row; true if there is memory. */
static bool add_row(struct block *block, const struct team_part *part, const struct trial *trial,
                    const struct red_collective_row *collective, int ranks_n) {
    struct red_ranks_run *run = block->scaling->run;
    struct red_ranks_row *grown = realloc(run->rows, (run->rows_n + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    run->rows = grown;
    struct red_ranks_row *row = &grown[run->rows_n++];
    const bool has_n =
        trial->kind == RED_RANKS_STRATEGY || trial->kind == RED_RANKS_HOST || trial->kind == RED_RANKS_ROOF;
    *row = (struct red_ranks_row){.kind = trial->kind,
                                  .n = has_n ? part->spec.n : 0,
                                  .ranks_n = (unsigned)ranks_n,
                                  .weak = block->weak && has_n,
                                  .state = RED_STATE_PENDING};
    snprintf(row->strategy, sizeof row->strategy, "%s", trial->strategy ? trial->strategy->name : "");
    snprintf(row->collective, sizeof row->collective, "%s", collective ? collective->name : "");
    snprintf(row->op, sizeof row->op, "%s", block->op->name);
    snprintf(row->type, sizeof row->type, "%s", block->dtype->name);
    block->rows_n++;
    return true;
}

/* Adds a trial with a row for each collective, or one without any. */
static bool add_trial(struct block *block, size_t team, enum red_ranks_kind kind,
                      const struct red_strategy *strategy, size_t collectives_n) {
    struct team_part *part = &block->parts[team];
    const struct scaling *scaling = block->scaling;
    struct trial *trial = &part->trials[part->trials_n++];
    bool fits = true;
    *trial = (struct trial){.strategy = strategy, .kind = kind, .first_row = block->rows_n};
    for (size_t c = 0; c < (collectives_n > 0 ? collectives_n : 1) && fits; c++)
        fits = add_row(block, part, trial, collectives_n > 0 ? scaling->collectives[c] : NULL,
                       scaling->teams[team].ranks_n);
    trial->rows_n = block->rows_n - trial->first_row;
    return fits;
}

/* Lays out what each team measures of the block. */
static enum red_status lay_out(struct block *block, struct red_error *error) {
    struct scaling *scaling = block->scaling;
    const struct red_session *session = scaling->session;
    const struct red_strategy *openmp = red_catalogue_find(session->catalogue, RED_HOST_STRATEGY);
    block->first_row = scaling->run->rows_n;
    block->parts = calloc(scaling->teams_n, sizeof *block->parts);
    bool fits = block->parts != NULL;
    for (size_t t = 0; t < scaling->teams_n && fits; t++) {
        struct team_part *part = &block->parts[t];
        part->spec = (struct red_data_spec){.op = block->op,
                                            .dtype = block->dtype,
                                            .data_kind = {RED_PATTERN_UNIFORM, 0},
                                            .n = block->weak ? block->n * (uint64_t)scaling->teams[t].ranks_n
                                                             : block->n,
                                            .segments_n = 1,
                                            .seed = session->selection->seed};
        fits = add_trial(block, t, RED_RANKS_ROOF, NULL, 0);
        for (size_t s = 0; s < session->strategies_n && fits && red_member_any_has_device(&scaling->member);
             s++)
            fits = add_trial(block, t, RED_RANKS_STRATEGY, session->strategies[s], scaling->collectives_n);
        fits = fits && add_trial(block, t, RED_RANKS_HOST, openmp, 1);
        if (block->is_first)
            fits = fits && add_trial(block, t, RED_RANKS_BARE, NULL, 0) &&
                   add_trial(block, t, RED_RANKS_ALONE, NULL, scaling->collectives_n);
    }
    return fits ? RED_OK
                : red_fail(error, RED_E_MEMORY, "no memory for the rows of %d ranks",
                           scaling->ranks->world.size);
}

/* ---- verifying ----------------------------------------------------------------------------------------- */

/* Puts a row in the state that an error means, unless it is in trouble already. */
static void fail_row(struct red_ranks_row *row, const struct red_error *why) {
    if (row->state != RED_STATE_PENDING && row->state != RED_STATE_PASS)
        return;
    row->state = red_state_of(why->status);
    row->samples_n = 0;
    row->reason[0] = '\0';
    red_text_add(row->reason, sizeof row->reason, "%s", why->text);
}

static void fail_trial(const struct block *block, const struct trial *trial, const struct red_error *why) {
    for (size_t i = 0; i < trial->rows_n; i++)
        fail_row(row_of(block, trial->first_row + i), why);
}

/* Whether a row of the trial is still to be measured. */
static bool is_open(const struct block *block, const struct trial *trial) {
    for (size_t i = 0; i < trial->rows_n; i++)
        if (row_of(block, trial->first_row + i)->state == RED_STATE_PENDING)
            return true;
    return false;
}

static bool is_verified_kind(enum red_ranks_kind kind) {
    return kind == RED_RANKS_STRATEGY || kind == RED_RANKS_HOST;
}

/* Whether an error ends the run, and not a row alone. */
static bool ends_run(enum red_status status) {
    return status == RED_E_INTERRUPTED;
}

/* Checks a call of the trial by every collective against the whole array's answer. */
static enum red_status check_collectives(const struct block *block, const struct trial *trial,
                                         struct red_piece_call *call, struct red_error *error) {
    const struct scaling *scaling = block->scaling;
    enum red_status ended = RED_OK;
    for (size_t i = 0; i < trial->rows_n && !ends_run(ended); i++) {
        struct red_ranks_row *row = row_of(block, trial->first_row + i);
        if (row->state != RED_STATE_PENDING)
            continue;
        const enum red_status status = red_check_call(call, scaling->collectives[i], row, error);
        if (status != RED_OK)
            fail_row(row, error);
        row->checks_n += status == RED_OK;
        ended = ends_run(status) ? status : ended;
    }
    return ended;
}

/* Checks a trial over one piece: this rank's own reduction, and what the ranks make of theirs. */
static enum red_status check_trial(const struct block *block, struct red_piece *piece,
                                   const struct trial *trial, struct red_error *error) {
    static const struct red_tuning by_default = {.group_size = 0};
    struct red_piece_call call;
    enum red_status status = red_check_own(piece, trial->strategy, false, error);
    if (status == RED_OK)
        status = red_piece_call_make(piece, trial->strategy, &by_default, 0, &call, error);
    if (status != RED_OK) {
        fail_trial(block, trial, error);
        return ends_run(status) ? status : RED_OK;
    }
    status = check_collectives(block, trial, &call, error);
    red_piece_call_clear(&call);
    return status;
}

/* Checks a team's trials on one data kind. */
static enum red_status check_kind(struct block *block, size_t t, struct red_data_kind kind,
                                  struct red_error *error) {
    struct team_part *part = &block->parts[t];
    struct red_data_spec spec = part->spec;
    struct red_piece piece;
    spec.data_kind = kind;
    red_watch_step(3e-8 * (double)spec.n, "data of %s are made", red_pattern_name(kind.pattern));
    enum red_status status = red_piece_make(&block->scaling->teams[t], &spec, &piece, error);
    if (status != RED_OK) {
        for (size_t i = 0; i < part->trials_n; i++)
            if (is_verified_kind(part->trials[i].kind))
                fail_trial(block, &part->trials[i], error);
        return ends_run(status) ? status : RED_OK;
    }
    for (size_t i = 0; i < part->trials_n && status == RED_OK; i++)
        if (is_verified_kind(part->trials[i].kind) && is_open(block, &part->trials[i]))
            status = check_trial(block, &piece, &part->trials[i], error);
    red_piece_clear(&piece);
    return status;
}

/* Checks a team's trials on the exact data, as many as --data-sets says. */
static enum red_status check_team(struct block *block, size_t t, struct red_error *error) {
    struct red_selection selection = *block->scaling->session->selection;
    struct red_data_kind kinds[RED_DATA_SETS_MAX + 1];
    enum { DATA_SETS = 3 };
    selection.data_sets = selection.data_sets > 0 ? selection.data_sets : DATA_SETS;
    const unsigned n =
        red_selection_data_kinds(&selection, block->op, block->dtype, block->parts[t].spec.n, kinds);
    enum red_status status = RED_OK;
    for (unsigned i = 0; i + 1 < n && status == RED_OK; i++)
        status = check_kind(block, t, kinds[i], error);
    return status;
}

/* ---- preparing what is timed --------------------------------------------------------------------------- */

/* Prepares the timings of a trial over the timed data: the collectives are checked once more, and how many
 * calls a batch has is found. */
static enum red_status plan_rows(struct block *block, const struct red_team *team, struct trial *trial,
                                 struct red_error *error) {
    const struct scaling *scaling = block->scaling;
    const bool checks = is_verified_kind(trial->kind), combines = trial->rows_n > 1 || checks;
    enum red_status ended = RED_OK;
    for (size_t i = 0; i < trial->rows_n && !ends_run(ended); i++) {
        struct red_ranks_row *row = row_of(block, trial->first_row + i);
        struct red_timing *timing = &trial->timings[i];
        if (row->state != RED_STATE_PENDING)
            continue;
        const bool alone = trial->kind == RED_RANKS_ALONE;
        enum red_status status = red_timing_make(team, trial->call.piece ? &trial->call : NULL,
                                                 combines || alone ? scaling->collectives[i] : NULL,
                                                 block->op, block->dtype, row, timing, error);
        if (status == RED_OK && checks)
            status = red_timing_check(timing, &trial->call.piece->whole, error);
        row->checks_n += status == RED_OK && checks;
        if (status == RED_OK)
            status = red_timing_plan(timing, scaling->budget_s, scaling->clock_step_s, error);
        if (status == RED_OK)
            row->state = RED_STATE_PASS;
        else
            fail_row(row, error);
        ended = ends_run(status) ? status : ended;
    }
    return ended;
}

/* Prepares one trial of a team: its call over the timed piece, and its rows. */
static enum red_status prepare_trial(struct block *block, size_t t, struct trial *trial,
                                     struct red_error *error) {
    static const struct red_tuning by_default = {.group_size = 0};
    struct red_piece *piece = &block->parts[t].piece;
    enum red_status status = RED_OK;
    if (!is_open(block, trial))
        return RED_OK;
    red_watch_step(1e-7 * (double)piece->n, "%s is prepared",
                   trial->strategy ? trial->strategy->name : red_ranks_kind_names[trial->kind]);
    if (trial->kind == RED_RANKS_STRATEGY)
        status = red_check_own(piece, trial->strategy, false, error);
    if (status == RED_OK && (is_verified_kind(trial->kind) || trial->kind == RED_RANKS_ROOF))
        status = red_piece_call_make(piece, trial->strategy, &by_default, block->scaling->roof_form,
                                     &trial->call, error);
    if (status == RED_OK)
        return plan_rows(block, &block->scaling->teams[t], trial, error);
    fail_trial(block, trial, error);
    return ends_run(status) ? status : RED_OK;
}

/* Makes a team's timed piece and prepares all its trials. */
static enum red_status prepare_team(struct block *block, size_t t, struct red_error *error) {
    struct team_part *part = &block->parts[t];
    red_watch_step(3e-8 * (double)part->spec.n, "the timed data are made");
    enum red_status status = red_piece_make(&block->scaling->teams[t], &part->spec, &part->piece, error);
    if (status != RED_OK) {
        for (size_t i = 0; i < part->trials_n; i++)
            fail_trial(block, &part->trials[i], error);
        return ends_run(status) ? status : RED_OK;
    }
    for (size_t i = 0; i < part->trials_n && status == RED_OK; i++)
        status = prepare_trial(block, t, &part->trials[i], error);
    return status;
}

/* ---- timing -------------------------------------------------------------------------------------------- */

/* A row in the order in which a round takes them. */
struct turn {
    unsigned short team, trial, collective;
};

/* Makes a round's share of the batches of a row. */
static enum red_status time_share(struct block *block, struct turn turn, unsigned round,
                                  struct red_error *error) {
    struct trial *trial = &block->parts[turn.team].trials[turn.trial];
    struct red_timing *timing = &trial->timings[turn.collective];
    struct red_ranks_row *row = row_of(block, trial->first_row + turn.collective);
    const unsigned n = timing->batches_n, from = n * round / RED_ROUNDS_N,
                   to = n * (round + 1) / RED_ROUNDS_N;
    for (unsigned i = from; i < to && row->state == RED_STATE_PASS; i++) {
        const enum red_status status = red_timing_batch(timing, error);
        if (status != RED_OK)
            fail_row(row, error);
        if (ends_run(status))
            return status;
    }
    return RED_OK;
}

/* Makes all batches, in rounds; each round has all rows in another order, which is the same on all ranks. */
static enum red_status time_rows(struct block *block, struct red_error *error) {
    struct scaling *scaling = block->scaling;
    struct turn *turns = calloc(block->rows_n, sizeof *turns);
    size_t turns_n = 0;
    enum red_status status = turns ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for turns");
    for (size_t t = 0; t < scaling->teams_n && turns != NULL; t++)
        for (size_t i = 0; i < block->parts[t].trials_n; i++)
            for (size_t c = 0; c < block->parts[t].trials[i].rows_n; c++)
                turns[turns_n++] = (struct turn){(unsigned short)t, (unsigned short)i, (unsigned short)c};
    for (unsigned round = 0; round < RED_ROUNDS_N && status == RED_OK; round++) {
        red_random_shuffle(turns, turns_n, sizeof *turns, &scaling->random);
        for (size_t i = 0; i < turns_n && status == RED_OK; i++) {
            const struct red_team *team = &scaling->teams[turns[i].team];
            if (team->comm.handle != NULL)
                status = time_share(block, turns[i], round, error);
            if (team->ranks_n < scaling->ranks->world.size)
                rest(scaling);
        }
        status = red_ranks_agree(scaling->ranks, &scaling->ranks->world, status, error);
    }
    free(turns);
    return status;
}

/* Makes statistics of the samples, which rank 0 has; a row without any was not reached. */
static enum red_status find_statistics(struct block *block, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < block->rows_n && status == RED_OK; i++)
        status = red_ranks_row_find_medians(row_of(block, i), error);
    return status;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

/* Releases what the block holds beside its rows. */
static void clear_block(struct block *block) {
    for (size_t t = 0; t < block->scaling->teams_n && block->parts != NULL; t++) {
        struct team_part *part = &block->parts[t];
        for (size_t i = 0; i < part->trials_n; i++) {
            for (size_t c = 0; c < part->trials[i].rows_n; c++)
                if (part->trials[i].timings[c].row != NULL)
                    red_timing_clear(&part->trials[i].timings[c]);
            red_piece_call_clear(&part->trials[i].call);
        }
        red_piece_clear(&part->piece);
    }
    free(block->parts);
}

/* Verifies and prepares the trials of one team after the other; who is not in it sleeps. */
static enum red_status prepare_block(struct block *block, struct red_error *error) {
    struct scaling *scaling = block->scaling;
    enum red_status status = RED_OK;
    for (size_t t = 0; t < scaling->teams_n && status == RED_OK; t++) {
        const struct red_team *team = &scaling->teams[t];
        if (team->comm.handle != NULL) {
            status = check_team(block, t, error);
            if (status == RED_OK)
                status = prepare_team(block, t, error);
        }
        red_watch_step(1e-6 * (double)block->parts[t].spec.n, "another team verifies");
        rest(scaling);
        status = red_ranks_agree(scaling->ranks, &scaling->ranks->world, status, error);
    }
    return status;
}

/* Measures one block. */
static enum red_status measure_block(struct block *block, struct red_error *error) {
    struct scaling *scaling = block->scaling;
    enum red_status status = lay_out(block, error);
    status = red_ranks_agree(scaling->ranks, &scaling->ranks->world, status, error);
    if (status == RED_OK)
        status = prepare_block(block, error);
    if (status == RED_OK)
        status = time_rows(block, error);
    const enum red_status summed = find_statistics(block, status == RED_OK ? error : NULL);
    clear_block(block);
    return status == RED_OK ? summed : status;
}

/* Says on rank 0 what is measured next. */
static void tell_block(const struct block *block) {
    if (block->scaling->ranks->world.rank == 0)
        fprintf(stderr, "%s of %s, n = %s%s\n", block->op->name, block->dtype->name,
                red_size_text(block->n).text, block->weak ? " per rank (weak scaling)" : " (strong scaling)");
}

/* Measures all blocks of an operation and a type. */
static enum red_status measure_question(struct scaling *scaling, const struct red_ranks_options *options,
                                        const struct red_op *op, const struct red_dtype *dtype,
                                        struct red_error *error) {
    const struct red_sizes *sizes = &scaling->session->selection->n;
    enum red_status status = RED_OK;
    bool is_first = true;
    for (int weak = 0; weak < 2; weak++)
        for (size_t i = 0; i < sizes->n && status == RED_OK; i++) {
            struct block block = {.scaling = scaling,
                                  .op = op,
                                  .dtype = dtype,
                                  .weak = weak,
                                  .is_first = is_first,
                                  .n = sizes->values[i]};
            if (!red_select_matches(options->scaling, scalings[weak]))
                continue;
            tell_block(&block);
            status = measure_block(&block, error);
            is_first = false;
        }
    return status;
}

/* ---- roofs --------------------------------------------------------------------------------------------- */

/* Measures the roofs of all ranks, and takes them for weights unless the split is equal. */
static enum red_status measure_roofs(struct scaling *scaling, struct red_error *error) {
    const size_t n = (size_t)scaling->ranks->world.size;
    scaling->weights = calloc(n, sizeof *scaling->weights);
    if (scaling->weights == NULL)
        scaling->ranks->mpi->abort(red_exit_status_of(RED_E_MEMORY));
    enum red_status status = red_member_measure_roofs(&scaling->member, ROOF_N, &scaling->roof_form, error);
    for (size_t i = 0; i < n; i++)
        scaling->weights[i] =
            strcmp(scaling->run->split, "equal") == 0 ? 1 : scaling->member.all[i].roof_bytes_per_s;
    return status;
}

/* ---- the run ------------------------------------------------------------------------------------------- */

/* Makes a team for each number of ranks: those asked for, or powers of two and all. */
static enum red_status make_teams(struct scaling *scaling, const struct red_sizes *counts,
                                  struct red_error *error) {
    const uint64_t all = (uint64_t)scaling->ranks->world.size;
    for (size_t i = 0; i < counts->n; i++)
        if (counts->values[i] < 1 || counts->values[i] > all)
            return red_fail(error, RED_E_INPUT,
                            "--rank-counts: %llu ranks are asked for, and mpirun has started %llu",
                            (unsigned long long)counts->values[i], (unsigned long long)all);
    if (counts->n > TEAMS_MAX)
        return red_fail(error, RED_E_INPUT, "--rank-counts: at most %d numbers", TEAMS_MAX);
    for (size_t i = 0; i < counts->n; i++)
        red_team_make(&scaling->member, (int)counts->values[i], scaling->weights,
                      &scaling->teams[scaling->teams_n++]);
    for (uint64_t n = 1; counts->n == 0 && scaling->teams_n < TEAMS_MAX; n = 2 * n < all ? 2 * n : all) {
        red_team_make(&scaling->member, (int)n, scaling->weights, &scaling->teams[scaling->teams_n++]);
        if (n == all)
            break;
    }
    return RED_OK;
}

/* Measures everything, once devices, roofs and teams are there. */
static enum red_status measure_questions(struct scaling *scaling, const struct red_ranks_options *options,
                                         struct red_error *error) {
    const struct red_session *session = scaling->session;
    enum red_status status = RED_OK;
    for (size_t o = 0; o < session->ops_n; o++)
        for (size_t t = 0; t < session->types_n && status == RED_OK; t++)
            status = measure_question(scaling, options, session->ops[o], session->types[t], error);
    return status;
}

enum red_status red_scaling_measure(const struct red_ranks *ranks, const struct red_ranks_options *options,
                                    const struct red_session *session, struct red_ranks_run *run,
                                    struct red_error *error) {
    const struct red_selection *selection = session->selection;
    struct scaling *scaling = calloc(1, sizeof *scaling);
    if (scaling == NULL)
        ranks->mpi->abort(red_exit_status_of(RED_E_MEMORY));
    *scaling = (struct scaling){.ranks = ranks,
                                .session = session,
                                .run = run,
                                .clock_step_s = red_clock_measure_step_s(),
                                .budget_s = selection->time_per_cell_s,
                                .random = selection->seed};
    run->seed = selection->seed;
    snprintf(run->split, sizeof run->split, "%s", options->split ? options->split : splits[0]);
    ranks->mpi->share(&ranks->world, &scaling->clock_step_s, sizeof scaling->clock_step_s);
    for (size_t i = 0; i < red_collectives_n; i++)
        if (red_select_matches(options->collective, red_collectives[i].name))
            scaling->collectives[scaling->collectives_n++] = &red_collectives[i];
    enum red_status status = red_member_open(ranks, selection->device, &scaling->member, error);
    if (status == RED_OK)
        status = measure_roofs(scaling, error);
    if (status == RED_OK)
        status = make_teams(scaling, &options->counts, error);
    if (status == RED_OK)
        status = measure_questions(scaling, options, error);
    for (size_t t = 0; t < scaling->teams_n; t++)
        red_team_clear(&scaling->teams[t]);
    run->ranks = scaling->member.all;
    run->ranks_n = scaling->member.all != NULL ? (size_t)ranks->world.size : 0;
    scaling->member.all = NULL;
    red_member_close(&scaling->member);
    free(scaling->weights);
    free(scaling);
    return status;
}
