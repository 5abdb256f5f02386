/* A fleet: each rank has the ordinary verb run for a device of its own, by a process of its own, and rank 0
 * gets what all have found. */
#ifndef CLREDUCE_RANKS_EACH_H
#define CLREDUCE_RANKS_EACH_H

#include <stddef.h>

#include "core/file.h"
#include "ranks/ranks.h"
#include "run/session.h"

/* What the ranks are to do. */
struct red_each {
    const char *const *words; /* verb and options, without those that each run gets for itself: --device,
                                 --output, --format, --resume */
    size_t words_n;
    const struct red_selection *selection; /* of the whole command line */
    const char *output; /* beside which each rank keeps its own file until all is written; NULL: nowhere */
    bool resume;
};

/* How one rank's run has ended. */
struct red_each_row {
    char host[64], device[64], device_name[128], driver[64]; /* device empty: none was found */
    unsigned cores_n, cores_all_n; /* processors that it may use, and that its host has */
    enum red_status status;
    char reason[1024];       /* unless RED_OK: in words */
    bool is_whole;           /* nothing is left to be measured */
    bool is_of_another;      /* --resume has found a file of another command, which stays as it is */
    bool was_there;          /* it was whole before this call, and was not run again */
    double wall_s;           /* as its file tells; 0: unknown */
    double roof_bytes_per_s; /* 0: unknown */
    char answer[96];         /* best strategy, right and wrong checks, or capabilities */
    uint64_t text_n;         /* bytes of its file; 0: it left none */
};

/* What all have found: on rank 0 all of it, on others their own row. */
struct red_each_found {
    struct red_each_row *rows; /* owned; by rank */
    char **texts;              /* owned; NULL where there is none */
    size_t rows_n;
    char file[RED_PATH_BYTES]; /* this rank's, beside --output; empty: none */
};

/* Waits for this rank's turn on its host, has the verb run, lets the next one have its turn, waits for all,
 * and gives rank 0 what was found. What goes wrong on a rank is in its
 * row, and does not keep others from measuring. Release with _end. */
void red_each_measure(const struct red_ranks *ranks, const struct red_each *each,
                      struct red_each_found *found);

/* Removes the ranks' own files unless rank 0 says that they are kept, for --resume. */
void red_each_end(const struct red_ranks *ranks, struct red_each_found *found, bool keep);

#endif
