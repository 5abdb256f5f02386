/* The right answers of operations by what they do (RED_COMBINERS of model/types.h): one struct each,
 * red_combiner_<name> in oracle/<name>.c. truth.c and change.c call them; neither knows what an operation
 * does.
 */
#ifndef CLREDUCE_ORACLE_COMBINERS_H
#define CLREDUCE_ORACLE_COMBINERS_H

#include "oracle/change.h"

struct red_combiner_oracle {
    /* Sets the answer of the input's elements in their truth, which has none yet. */
    void (*find)(const struct red_input *input, struct red_truth *truth);
    /* Adds the answer of further elements to that of some: neither is without any. Places of `other` count
     * from other_first on. */
    void (*merge)(struct red_truth *truth, const struct red_truth *other, uint64_t other_first);
    /* The same of one more term, a float; NULL where an element is picked. */
    void (*take_real)(struct red_truth *truth, double term);
    /* Draws another value for element `at`, as red_change_draw says; one that is not finite where none would
     * do. */
    void (*draw)(const struct red_input *input, const struct red_truth *truth, double chain, uint64_t at,
                 uint64_t random, struct red_value *after);
    /* Makes change->truth that of the changed data. False, and the truth as before, where the new value
     * changes no answer. `index`: which of the truth's elements it is. */
    bool (*replace)(const struct red_input *input, uint64_t index, struct red_change *change);
    /* Another value than this one, with which no answer of the exact tier is rounded, and which changes it;
     * NULL where an element is picked. */
    double (*other_real)(double real);
    /* The same of an integer in data of this truth; NULL where any other one does. */
    uint64_t (*other_integer)(const struct red_dtype *dtype, const struct red_truth *truth, uint64_t integer);
};

#define RED_COMBINER_ORACLE(id, name, ...) extern const struct red_combiner_oracle red_combiner_##name;
RED_COMBINERS(RED_COMBINER_ORACLE)
#undef RED_COMBINER_ORACLE

const struct red_combiner_oracle *red_combiner_of(const struct red_op *op);

/* ---- of adds, for the bound of compensated sums (oracle/truth.c) ---- */

/* The array of y of the terms x * y: the second one, of squares the first one again, or NULL. */
const void *red_factor_array(const struct red_input *input);

/* Elements are taken by blocks that stay in the first cache. */
enum { RED_TERMS_N = 1024 };

/* Adds n terms a * b, at most RED_TERMS_N, or a where b is NULL, and gives the sum of |terms|. Changes a. */
double red_add_terms(struct red_exact *sum, const struct red_dtype *dtype, size_t n, double *a,
                     const double *b);

#endif
