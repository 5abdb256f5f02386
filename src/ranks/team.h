/* This rank's device, the teams it is in, its pieces of arrays, calls over them, and how these are timed. */
#ifndef CLREDUCE_RANKS_TEAM_H
#define CLREDUCE_RANKS_TEAM_H

#include "cl/device.h"
#include "host/fold.h"
#include "model/exact.h"
#include "model/types.h"
#include "ranks/ranks.h"
#include "results/run.h"
#include "results/scalings.h"
#include "worker/prepared.h"

/* ---- cutting an array ------------------------------------------------------------------------------------
 * How an array is cut into pieces, one for each rank. */

/* Sets the weight of each rank: what its device reads per second. One measurement of that varies by some per
 * cent, which unequal pieces would make a wait of the others: so a rank that reads within a tenth of the
 * fastest one of the same device, driver and number of processors has that one's weight. */
void red_weights_of_roofs(const struct red_rank *ranks, size_t ranks_n, double *weights);

/* Cuts n elements into pieces_n pieces that follow each other, in proportion to the weights (of which none is
 * negative; all 0 as all equal): piece i is [firsts[i], firsts[i + 1]), of pieces_n + 1 numbers. No piece is
 * off its share by more than one element beside the weights' own rounding to 2^-20 of the greatest. */
void red_pieces_cut(uint64_t n, const double *weights, size_t pieces_n, uint64_t *firsts);

/* ---- collectives -----------------------------------------------------------------------------------------
 * Finishes across ranks: how the ranks' partial results become one value. A row is one; --collective names
 * them. They are to ranks what model/finish.h is to work-groups. */

struct red_collective_row {
    const char *name;
    const char *idea;
    bool everywhere; /* all ranks have the value; otherwise rank 0 */
    bool persistent; /* prepared once (MPI 4.0, section 6.13) */
    bool gathers;    /* rank 0 gets all partial results and folds them in the order of the ranks */
    bool exact;      /* sums of floats are added as words of an exact accumulator */
};
extern const struct red_collective_row red_collectives[];
extern const char *const red_collective_names[];
extern const size_t red_collectives_n;
enum { RED_COLLECTIVES_MAX = 8 };

/* Lists those that --collective names, NULL: all; how many. */
size_t red_collectives_choose(const char *list, const struct red_collective_row *chosen[RED_COLLECTIVES_MAX]);

struct red_collective;

/* Prepares it for an operation on a type over the ranks of `comm`. Release with _destroy. Errors:
 * RED_E_UNSUPPORTED where this MPI has none such, on all ranks of `comm` alike. */
enum red_status red_collective_make(const struct red_ranks *ranks, const struct red_comm *comm,
                                    const struct red_collective_row *row, const struct red_op *op,
                                    const struct red_dtype *dtype, struct red_collective **collective,
                                    struct red_error *error);
void red_collective_destroy(struct red_collective *collective);

/* Combines the ranks' partial results, whose places count in the whole array, to the answer for its n
 * elements: on rank 0, or on all ranks; elsewhere the answer is 0.
 *   exact  the sum that the partial result is a rounding of, where it is known; otherwise NULL */
struct red_value red_collective_run(struct red_collective *collective, const struct red_partial *mine,
                                    const struct red_exact *exact, uint64_t n);

/* How many roundings of the accumulator's type it adds to the longest chain of a sum of floats
 * (oracle/truth.h): one for each rank, in double, and one at the end. */
double red_collective_chain(const struct red_op *op, const struct red_dtype *dtype, int ranks_n);

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

/* ---- timing ----------------------------------------------------------------------------------------------
 * Verifying and timing calls of a team: each rank's reduction of its piece, and the collective. */

/* A cell that a team measures. */
struct red_timing {
    struct red_cell *cell; /* borrowed */
    const struct red_team *team;
    struct red_piece_call *call;       /* borrowed; NULL: kinds ALONE and BARE */
    struct red_collective *collective; /* owned; NULL: kinds ROOF and BARE */
    struct red_partial partial;        /* of kind ALONE: what is combined */
    void *bare;                        /* owned; of kind BARE */
    double bare_from, bare_to;
    unsigned batches_n;
};

/* Prepares the cell's collective. Release with _clear. Errors: those of red_collective_make. */
enum red_status red_timing_make(const struct red_team *team, struct red_piece_call *call,
                                const struct red_collective_row *collective, const struct red_op *op,
                                const struct red_dtype *dtype, struct red_cell *cell,
                                struct red_timing *timing, struct red_error *error);
void red_timing_clear(struct red_timing *timing);

/* Calls once and checks the answer, where a rank has it, against the whole array's; of a right one rank 0
 * keeps the bits in its cell. Errors, on all ranks of the team: RED_E_WRONG with what came; those of a call.
 */
enum red_status red_timing_check(struct red_timing *timing, const struct red_truth *whole,
                                 struct red_error *error);

/* Finds by a few calls how many a batch has, and how many batches fit into budget_s; makes room for the
 * samples. Errors, on all ranks of the team: those of a batch. */
enum red_status red_timing_plan(struct red_timing *timing, double budget_s, double clock_step_s,
                                struct red_error *error);

/* One batch: before it each piece has another element changed, and every answer is checked. Its sample goes
 * into the cell on rank 0. Errors, on all ranks of the team: RED_E_WRONG; those of a call. */
enum red_status red_timing_batch(struct red_timing *timing, struct red_error *error);

#endif
