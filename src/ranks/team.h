/* This rank's device, the teams it is in, and its pieces of arrays. */
#ifndef CLREDUCE_RANKS_TEAM_H
#define CLREDUCE_RANKS_TEAM_H

#include "cl/device.h"
#include "ranks/collective.h"
#include "ranks/ranks.h"
#include "results/run.h"
#include "worker/prepared.h"

/* ---- this rank ----------------------------------------------------------------------------------------- */

struct red_member {
    const struct red_ranks *ranks;
    struct red_device_list *list;
    struct red_device *device; /* NULL: --device host, which has OpenMP's loop alone */
    struct red_rank *all;      /* owned: every rank, this one among them */
};

/* Opens this rank's device, by its number on the host over the devices that the patterns choose (NULL: all),
 * and tells all ranks what it is. OpenMP gets this rank's share of the processors. Release with
 * red_member_close. Errors, on all ranks: RED_E_NO_DEVICE, RED_E_INPUT, those of red_device_open. */
enum red_status red_member_open(const struct red_ranks *ranks, const char *patterns,
                                struct red_member *member, struct red_error *error);
void red_member_close(struct red_member *member);

/* The first rank that has a device, of all; NULL if none has: all ranks know the same. */
const struct red_rank *red_member_first_with_device(const struct red_member *member);

/* Measures how fast each rank's device reads n elements while all others do the same, and by which form of
 * the roof this rank's does: all ranks know all (member->all). Errors, on all ranks: RED_E_MEMORY, those of
 * the roof's calls. */
enum red_status red_member_measure_roofs(struct red_member *member, uint64_t n, unsigned *form,
                                         struct red_error *error);

/* ---- teams --------------------------------------------------------------------------------------------- */

/* The first so many ranks. */
struct red_team {
    const struct red_member *member;
    int ranks_n;
    struct red_comm comm; /* its handle is NULL where this rank is not in it */
    bool on_one_node;
    const double *weights; /* by which an array is cut; borrowed */
};

void red_team_make(const struct red_member *member, int ranks_n, const double *weights,
                   struct red_team *team);
void red_team_clear(struct red_team *team);

/* ---- pieces -------------------------------------------------------------------------------------------- */

/* This rank's piece of an array that is spread over a team. */
struct red_piece {
    const struct red_team *team;
    struct red_dataset dataset;
    uint64_t first, n, whole_n;
    struct red_truth whole; /* the right answer of the whole array, found over stripes and not over pieces */
};

/* Makes the piece; `spec` is of the whole array. Release with _clear. Errors, on all ranks of the team:
 * RED_E_MEMORY. */
enum red_status red_piece_make(const struct red_team *team, const struct red_data_spec *spec,
                               struct red_piece *piece, struct red_error *error);
void red_piece_clear(struct red_piece *piece);

/* The right answer of the whole array from those of the pieces, as they are now: worker/prepared.c changes
 * elements between batches. */
void red_piece_merge_truths(const struct red_piece *piece, const struct red_truth *mine,
                            struct red_truth *whole);

/* ---- calls --------------------------------------------------------------------------------------------- */

/* A strategy over this rank's piece, ready to be called. */
struct red_piece_call {
    struct red_piece *piece;
    struct red_prepared prepared; /* of an empty piece nothing: it is not called */
    bool is_exact;                /* sums of floats without rounding (red_strategy_is_exact) */
    double chain;                 /* of the whole: the longest of the pieces', and the collective's */
};

/* Refuses a kernel where this rank has no device. Errors, on this rank alone: RED_E_UNSUPPORTED. */
enum red_status red_team_check_device(const struct red_team *team, const struct red_strategy *strategy,
                                      struct red_error *error);

/* Prepares it: `strategy` on the device, or one of the host's rows; NULL is the roof in form `form`. Release
 * with _clear. Errors, on all ranks of the team: those of red_prepared_make. */
enum red_status red_piece_call_make(struct red_piece *piece, const struct red_strategy *strategy,
                                    unsigned form, struct red_piece_call *call, struct red_error *error);
void red_piece_call_clear(struct red_piece_call *call);

/* Calls it: *partial is this rank's partial result, whose places count in the whole array. Errors, on this
 * rank alone: those of red_prepared_call. */
enum red_status red_piece_call_run(struct red_piece_call *call, struct red_partial *partial,
                                   struct red_error *error);

/* The exact sum of which the last call's partial result is a rounding; NULL where it is not known. */
const struct red_exact *red_piece_call_exact(const struct red_piece_call *call);

#endif
