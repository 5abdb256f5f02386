/* The journal of bench --ranks, which rank 0 keeps beside --output, and what --resume makes of it: finished
 * blocks are taken over, and a trial in which two runs have ended is not tried a third time. All ranks know
 * alike what is there; without a journal nothing is. ranks/scaling.c calls all of it on every rank. */
#ifndef CLREDUCE_RANKS_RESUME_H
#define CLREDUCE_RANKS_RESUME_H

#include "ranks/team.h"
#include "results/journal.h"
#include "run/session.h"

struct red_resume;

/* A strategy, or what is measured beside them, with a number of ranks, in a block; each by its number. */
struct red_trial_id {
    unsigned block, team, trial;
};

/* What decides what a run is. */
struct red_resume_run {
    const struct red_session *session;
    const struct red_run *run; /* with its ranks and devices; stays where it is */
    const char *choices;       /* split, scaling, collectives, numbers of ranks: by name */
    unsigned blocks_n;         /* there will be */
    const char *result_path;
    bool resume; /* --resume: otherwise a journal that is there is begun anew */
};

/* Opens the journal on rank 0, and tells all ranks what is there. Release with _close. Errors, on all ranks:
 * those of red_journal_open, a journal of other devices or numbers of ranks among them; RED_E_MEMORY. */
enum red_status red_resume_open(const struct red_member *member, const struct red_resume_run *asked,
                                struct red_resume **resume, struct red_error *error);

/* Releases it. The journal itself stays open, for who writes the file to close it (red_journal_close); NULL
 * on other ranks than 0, and where there is none. */
struct red_journal *red_resume_close(struct red_resume *resume);

/* Takes over the roofs that the earlier run measured, so that pieces are the same, in `all`, and the form of
 * this rank's; false: there are none, and red_resume_add_roofs writes them once they are measured. */
bool red_resume_take_roofs(const struct red_resume *resume, struct red_rank *all, unsigned *form);
void red_resume_add_roofs(struct red_resume *resume, const struct red_rank *all, unsigned form);

/* Whether the block is finished. Its cells are moved to the run, on rank 0; errors there: RED_E_MEMORY. */
bool red_resume_has_block(const struct red_resume *resume, unsigned block);
enum red_status red_resume_take_cells(struct red_resume *resume, unsigned block, struct red_run *run,
                                      struct red_error *error);
void red_resume_add_block(struct red_resume *resume, unsigned block, const struct red_cell *cells,
                          size_t cells_n);

/* Whether two runs have ended in the trial. The others note that it begins, and that it has ended, whatever
 * came of it. */
bool red_resume_is_given_up(const struct red_resume *resume, struct red_trial_id id);
void red_resume_begin_trial(struct red_resume *resume, struct red_trial_id id);
void red_resume_end_trial(struct red_resume *resume);

#endif
