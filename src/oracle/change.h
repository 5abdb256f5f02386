/* Changes of a data set with the right answer after each. A kernel that answers from memory, or does not read
 * the changed element, gives a wrong result: the cell is `wrong`. */
#ifndef CLREDUCE_ORACLE_CHANGE_H
#define CLREDUCE_ORACLE_CHANGE_H

#include "oracle/truth.h"

struct red_change {
    uint64_t at;                    /* the element's index in the first array */
    struct red_value before, after; /* of the type of the elements */
    struct red_truth truth;         /* of the changed data */
};

/* Where a reduction's elements lie in the arrays: `first`, `first` + `stride`, ... */
struct red_strided_elements {
    uint64_t first, stride;
};

/* Draws one of `elements`, which `truth` is of, and another value for it; `random` is a state that advances.
 * The answer `last` (of the data as it was until now) is wrong for the changed data, by twice the bound where
 * there is one. The arrays are only read. False where that cannot be had: without elements; where `last` is
 * already the largest value of the type and a maximum is looked for, or all changes of a histogram are one
 * (then the data as it is does as well); where the bound is nearly as large as the sum of |terms|, or the
 * type holds no element that is large enough to matter.
 *
 * Of a histogram the element becomes one of another bin, or of none, and two counts change: the truth then
 * holds a number of both bins, which tells these counts from others, as `last` does.
 *
 * Only one element, since a kernel that looks at a share s of all elements, and answers from memory while
 * none of them changes, is right by luck in a share s of the batches. */
bool red_change_draw(const struct red_input *input, const struct red_truth *truth,
                     struct red_strided_elements elements, double chain, struct red_value last,
                     uint64_t *random, struct red_change *change);

/* ---- steps of verify -------------------------------------------------------------------------------------
 * An array that changes between calls, and reductions of its first elements alone, show that each call reads
 * what is there now. A kernel that answers from memory, is wrong at every k-th call, at one remainder of n or
 * at one place of an extreme, is wrong at one of the steps. */

/* Of sums and counts each step takes as long as finding the truth anew, and other data show every place of
 * them. */
enum {
    RED_MOVES_N = 16,
    RED_CHANGED_MAX = 4,
    RED_CHANGES_N_MAX = 1 << 15,
    RED_CHANGES_EXTREME_N_MAX = 1 << 20
};

struct red_changes {
    uint64_t n;                       /* how many of the elements this step reduces, from the first on */
    struct red_input now;             /* what the array holds; owned */
    struct red_truth truth;           /* of these n elements */
    uint64_t places[RED_CHANGED_MAX]; /* elements of the first array that differ from the step before */
    unsigned places_n;
    /* Private to oracle/change.c. */
    const struct red_input *original;
    uint64_t per_group_n, first_winner, winners[2], random;
    unsigned lanes, step, steps_n, winners_n;
};

/* How many steps red_changes_next makes, each a call; 0 where the data set cannot change.
 * Weights of a sum can, edges of a histogram, and an extreme among close values; of one array, with one
 * element at least, of sums and counts at most RED_CHANGES_N_MAX, of extremes RED_CHANGES_EXTREME_N_MAX.
 * Beyond the former there are no prefixes.
 */
unsigned red_changes_steps_n(const struct red_op *op, enum red_pattern pattern, uint64_t n,
                             uint64_t segments_n, unsigned prefixes_n);

/* Begins with a copy of the data set `original`, which stays as it is and must live on; `truth` is its own.
 * RED_MOVES_N steps each change a few elements: of a sum or a count one, so that every step has another
 * answer; of an extreme the place that wins, which goes to both ends, to where vectors of `lanes` elements
 * and the per_group_n elements that a work-group takes at a time end, and to places that the seed chooses; of
 * argmin and argmax every other step leaves the winner before beside the new one. Then follow prefixes, of n
 * - 1, n - 2, ... elements, so many as there are with n itself, if n has them: an extreme wins at the end of
 * each, and at another place; what lies behind would win. Release with red_changes_clear. Errors:
 * RED_E_MEMORY. */
enum red_status red_changes_begin(const struct red_input *original, const struct red_truth *truth,
                                  unsigned lanes, uint64_t per_group_n, unsigned prefixes_n,
                                  struct red_changes *changes, struct red_error *error);
/* Makes the next step: sets now, n, truth and places. False if there is none. */
bool red_changes_next(struct red_changes *changes);
/* Frees the copy; the original is not touched. */
void red_changes_clear(struct red_changes *changes);

/* Writes which step it is: "after change 3", "of the first 17 elements". */
void red_changes_format(const struct red_changes *changes, char *text, size_t text_size_bytes);

#endif
