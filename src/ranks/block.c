/* Lays out a block, and puts its rows in states (ranks/block.h). */
#include "ranks/block.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/text.h"

struct red_ranks_row *red_block_row(const struct red_block *block, size_t i) {
    return &block->work->run->rows[block->first_row + i];
}

struct red_trial_id red_block_trial_id(const struct red_block *block, size_t team,
                                       const struct red_trial *trial) {
    return (struct red_trial_id){block->number, (unsigned)team,
                                 (unsigned)(trial - block->parts[team].trials)};
}

/* ---- laying out ---------------------------------------------------------------------------------------- */

/* Appends an empty row; true if there is memory. */
static bool add_row(struct red_block *block, const struct red_team_part *part, const struct red_trial *trial,
                    const struct red_collective_row *collective, int ranks_n) {
    struct red_ranks_run *run = block->work->run;
    if (!RED_GROW(run->rows, run->rows_n, 1))
        return false;
    struct red_ranks_row *row = &run->rows[run->rows_n++];
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
    struct red_error why;
    if (red_ranks_row_has_no_answer(row) && red_op_check_n(block->op, block->dtype, 0, &why) != RED_OK)
        red_row_fail(row, &why);
    return true;
}

/* Adds a trial with a row for each collective, or one without any. */
static bool add_trial(struct red_block *block, size_t team, enum red_ranks_kind kind,
                      const struct red_strategy *strategy, size_t collectives_n) {
    struct red_team_part *part = &block->parts[team];
    const struct red_work *work = block->work;
    struct red_trial *trial = &part->trials[part->trials_n++];
    bool fits = true;
    *trial = (struct red_trial){.strategy = strategy, .kind = kind, .first_row = block->rows_n};
    for (size_t c = 0; c < (collectives_n > 0 ? collectives_n : 1) && fits; c++)
        fits = add_row(block, part, trial, collectives_n > 0 ? work->collectives[c] : NULL,
                       work->teams[team].ranks_n);
    trial->rows_n = block->rows_n - trial->first_row;
    return fits;
}

/* Lays out what each team measures of the block. */
enum red_status red_block_lay_out(struct red_block *block, struct red_error *error) {
    struct red_work *work = block->work;
    const struct red_session *session = work->session;
    const struct red_strategy *openmp = red_catalogue_find(session->catalogue, RED_HOST_STRATEGY);
    if (block->weak && block->n > UINT64_MAX / (uint64_t)work->ranks->world.size)
        return red_fail(error, RED_E_INPUT, "--n: %llu elements for each of %d ranks are more than 2^64",
                        (unsigned long long)block->n, work->ranks->world.size);
    block->first_row = work->run->rows_n;
    block->parts = calloc(work->teams_n, sizeof *block->parts);
    bool fits = block->parts != NULL;
    for (size_t t = 0; t < work->teams_n && fits; t++) {
        struct red_team_part *part = &block->parts[t];
        part->spec = red_data_spec_make(
            block->op, block->dtype, (struct red_data_kind){RED_PATTERN_UNIFORM, 0},
            block->weak ? block->n * (uint64_t)work->teams[t].ranks_n : block->n, session->selection->seed);
        fits = add_trial(block, t, RED_RANKS_ROOF, NULL, 0);
        for (size_t s = 0; s < session->strategies_n && fits && red_member_any_has_device(&work->member); s++)
            fits = add_trial(block, t, RED_RANKS_STRATEGY, session->strategies[s], work->collectives_n);
        fits = fits && add_trial(block, t, RED_RANKS_HOST, openmp, 1);
        if (block->is_first)
            fits = fits && add_trial(block, t, RED_RANKS_BARE, NULL, 0) &&
                   add_trial(block, t, RED_RANKS_ALONE, NULL, work->collectives_n);
    }
    return fits
               ? RED_OK
               : red_fail(error, RED_E_MEMORY, "no memory for the rows of %d ranks", work->ranks->world.size);
}

/* ---- states -------------------------------------------------------------------------------------------- */

/* Puts a row in the state that an error means, unless it is in trouble already. */
void red_row_fail(struct red_ranks_row *row, const struct red_error *why) {
    if (row->state != RED_STATE_PENDING && row->state != RED_STATE_PASS)
        return;
    row->state = red_state_of(why->status);
    row->samples_n = 0;
    row->reason[0] = '\0';
    red_text_add(row->reason, sizeof row->reason, "%s", why->text);
}

void red_block_fail_trial(const struct red_block *block, const struct red_trial *trial,
                          const struct red_error *why) {
    for (size_t i = 0; i < trial->rows_n; i++)
        red_row_fail(red_block_row(block, trial->first_row + i), why);
}

/* Whether a row of the trial is still to be measured. */
bool red_block_is_open(const struct red_block *block, const struct red_trial *trial) {
    for (size_t i = 0; i < trial->rows_n; i++)
        if (red_block_row(block, trial->first_row + i)->state == RED_STATE_PENDING)
            return true;
    return false;
}

bool red_kind_is_verified(enum red_ranks_kind kind) {
    return kind == RED_RANKS_STRATEGY || kind == RED_RANKS_HOST;
}

/* Leaves out the trials in which two runs have ended. */
void red_block_give_up_trials(const struct red_block *block) {
    struct red_error why;
    red_fail(&why, RED_E_CRASHED,
             "two runs ended while this was verified or timed, and --resume does not try it again");
    for (size_t t = 0; t < block->work->teams_n; t++)
        for (size_t i = 0; i < block->parts[t].trials_n; i++)
            if (red_resume_is_given_up(block->work->resume,
                                       red_block_trial_id(block, t, &block->parts[t].trials[i])))
                red_block_fail_trial(block, &block->parts[t].trials[i], &why);
}

/* ---- the end ------------------------------------------------------------------------------------------- */

/* Makes statistics of the samples, on rank 0. */
enum red_status red_block_find_statistics(struct red_block *block, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < block->rows_n && status == RED_OK; i++)
        status = red_ranks_row_find_medians(red_block_row(block, i), error);
    return status;
}

/* Releases what the block holds beside its rows. */
void red_block_clear(struct red_block *block) {
    for (size_t t = 0; t < block->work->teams_n && block->parts != NULL; t++) {
        struct red_team_part *part = &block->parts[t];
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
