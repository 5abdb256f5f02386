/* Lays out a block, and puts its cells in states (ranks/block.h). */
#include "ranks/block.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/text.h"

struct red_trial_id red_block_trial_id(const struct red_block *block, size_t team,
                                       const struct red_trial *trial) {
    return (struct red_trial_id){block->number, (unsigned)team,
                                 (unsigned)(trial - block->parts[team].trials)};
}

/* ---- laying out ---------------------------------------------------------------------------------------- */

/* Appends an empty cell; true if there is memory. */
static bool add_cell(struct red_block *block, const struct red_team_part *part, const struct red_trial *trial,
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
        red_ranks_cell_fail(cell, &why);
    return true;
}

/* Adds a trial with a cell for each collective, or one without any. */
static bool add_trial(struct red_block *block, size_t team, enum red_cell_kind kind,
                      const struct red_strategy *strategy, size_t collectives_n) {
    struct red_team_part *part = &block->parts[team];
    const struct red_work *work = block->work;
    struct red_trial *trial = &part->trials[part->trials_n++];
    bool fits = true;
    *trial = (struct red_trial){.strategy = strategy, .kind = kind, .first_cell = block->cells_n};
    for (size_t c = 0; c < (collectives_n > 0 ? collectives_n : 1) && fits; c++)
        fits = add_cell(block, part, trial, collectives_n > 0 ? work->collectives[c] : NULL,
                        work->teams[team].ranks_n);
    trial->cells_n = block->cells_n - trial->first_cell;
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
    block->parts = calloc(work->teams_n, sizeof *block->parts);
    bool fits = block->parts != NULL;
    for (size_t t = 0; t < work->teams_n && fits; t++) {
        struct red_team_part *part = &block->parts[t];
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

/* Puts a cell in the state that an error means, unless it is in trouble already. */
void red_ranks_cell_fail(struct red_cell *cell, const struct red_error *why) {
    if (cell->state != RED_STATE_PENDING && cell->state != RED_STATE_PASS)
        return;
    cell->state = red_state_of(why->status);
    cell->samples_n = 0;
    cell->reason[0] = '\0';
    red_text_add(cell->reason, sizeof cell->reason, "%s", why->text);
}

void red_block_fail_trial(const struct red_block *block, const struct red_trial *trial,
                          const struct red_error *why) {
    for (size_t i = 0; i < trial->cells_n; i++)
        red_ranks_cell_fail(&block->cells[trial->first_cell + i], why);
}

/* Whether a cell of the trial is still to be measured. */
bool red_block_is_open(const struct red_block *block, const struct red_trial *trial) {
    for (size_t i = 0; i < trial->cells_n; i++)
        if (block->cells[trial->first_cell + i].state == RED_STATE_PENDING)
            return true;
    return false;
}

bool red_trial_is_verified(const struct red_trial *trial) {
    return trial->kind == RED_CELL_OWN;
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
    for (size_t i = 0; i < block->cells_n && status == RED_OK; i++)
        status = red_cell_find_statistics(&block->cells[i], error);
    return status;
}

enum red_status red_block_move_cells(struct red_block *block, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < block->cells_n && status == RED_OK; i++)
        status = red_run_add_cell(block->work->run, &block->cells[i], error);
    return status;
}

/* Releases what the block holds. */
void red_block_clear(struct red_block *block) {
    for (size_t t = 0; t < block->work->teams_n && block->parts != NULL; t++) {
        struct red_team_part *part = &block->parts[t];
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
