/* One element of a data set changed, so that the right answer is another one: who answers from memory, and
 * does not read that element, is wrong. */
#ifndef CLREDUCE_ORACLE_CHANGE_H
#define CLREDUCE_ORACLE_CHANGE_H

#include "oracle/truth.h"

struct red_change {
    uint64_t at;                    /* the element's place in the first array */
    struct red_value before, after; /* of the type of the elements */
    struct red_truth truth;         /* of the changed data */
};

/* Where a reduction's elements lie in the arrays: `first`, `first` + `stride`, ... */
struct red_place {
    uint64_t first, stride;
};

/* Draws an element at random and another value for it. The answer `last` (of the data as it was until now)
 * is wrong for the changed data, by twice the bound where there is one. The arrays are only read. False
 * where that cannot be had: without elements; where `last` is already the largest value of the type and a
 * maximum is looked for (then the data as it is does as well); where the bound is nearly as large as the sum
 * of |terms|, or the type holds no element that is large enough to matter.
 *
 * As few elements as can be: who takes a share s of all elements as samples, and answers from memory while
 * none of them changes, is right by luck in a share s of the batches. */
bool red_change_draw(const struct red_input *input, const struct red_truth *truth, struct red_place place,
                     double chain, struct red_value last, uint64_t *random, struct red_change *change);

#endif
