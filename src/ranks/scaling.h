/* bench --ranks: one array over many ranks, for several numbers of ranks in one run. cli/cmd_bench.c calls it
 * on every rank; rank 0 has what was measured. */
#ifndef CLREDUCE_RANKS_SCALING_H
#define CLREDUCE_RANKS_SCALING_H

#include "ranks/ranks.h"
#include "results/journal.h"
#include "run/session.h"

/* What the command line said of ranks. */
struct red_ranks_options {
    bool ranks;              /* one array over all ranks */
    bool each;               /* each rank measures its own device */
    struct red_sizes counts; /* numbers of ranks; none: 1, 2, 4, ..., and all */
    const char *split;       /* "roof" or "equal"; NULL: "roof"; of verify a list that may have "random" */
    const char *scaling;     /* list of "strong" and "weak"; NULL: both */
    const char *collective;  /* list of names; NULL: all */
    const char *result_path; /* --output; NULL: none */
    bool resume;             /* what an earlier run has left beside it is taken over */
    double budget_s;         /* of verify; 0: the default */
    char command[512];       /* the command line but for --device: all ranks must have the same */
};

/* Refuses numbers of ranks of which there are not so many, and too many of them. Errors: RED_E_INPUT. */
enum red_status red_rank_counts_check(const struct red_sizes *counts, uint64_t all, struct red_error *error);

/* Refuses words that these options do not know. Errors: RED_E_INPUT with those that they do. */
enum red_status red_ranks_options_check(const struct red_ranks_options *options, struct red_error *error);

/* Measures all operations, types, strategies and n of the session (red_session_resolve_names) for all numbers
 * of ranks, and fills the run; its cells are right and timed on rank 0. What cannot run is a cell's state.
 * The caller clears the run in any case, and closes the journal (red_journal_close), which rank 0 alone has.
 * Errors, on all ranks: those of red_member_open; RED_E_MEMORY, RED_E_INTERRUPTED, after which the run holds
 * what there is. */
enum red_status red_scaling_measure(const struct red_ranks *ranks, const struct red_ranks_options *options,
                                    const struct red_session *session, struct red_run *run,
                                    struct red_journal **journal, struct red_error *error);

#endif
