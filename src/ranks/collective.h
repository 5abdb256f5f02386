/* Finishes across ranks: how the ranks' partial results become one value. A row is one; --collective names
 * them. They are to ranks what model/finish.h is to work-groups. */
#ifndef CLREDUCE_RANKS_COLLECTIVE_H
#define CLREDUCE_RANKS_COLLECTIVE_H

#include "host/fold.h"
#include "model/exact.h"
#include "model/types.h"
#include "ranks/ranks.h"

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

/* Whether it adds exact sums without rounding; whether all ranks get the answer. */
bool red_collective_is_exact(const struct red_collective *collective);
bool red_collective_is_everywhere(const struct red_collective *collective);

/* Combines the ranks' partial results, whose places count in the whole array, to the answer for its n
 * elements: on rank 0, or on all ranks; elsewhere the answer is 0.
 *   exact  the sum that the partial result is a rounding of, where it is known; otherwise NULL */
struct red_value red_collective_run(struct red_collective *collective, const struct red_partial *mine,
                                    const struct red_exact *exact, uint64_t n);

/* How many roundings of the accumulator's type it adds to the longest chain of a sum of floats
 * (oracle/truth.h): one for each rank, in double, and one at the end. */
double red_collective_chain(const struct red_op *op, const struct red_dtype *dtype, int ranks_n);

#endif
