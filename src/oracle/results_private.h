/* What a primitive that leaves many results says of them, in oracle/<name>.c. Through these hooks results.c,
 * truth.c and change.c ask. */
#ifndef CLREDUCE_ORACLE_RESULTS_PRIVATE_H
#define CLREDUCE_ORACLE_RESULTS_PRIVATE_H

#include "oracle/change.h"
#include "oracle/results.h"

struct red_results_hooks {
    uint64_t (*results_n)(uint64_t n, unsigned bins_n);
    /* Finds the right results of the first n elements, and lets *truth point to the first member of what it
     * has allocated, which red_results_truth_destroy frees. Errors: RED_E_MEMORY. */
    enum red_status (*make)(const struct red_input *input, uint64_t n, struct red_results_truth **truth,
                            struct red_error *error);
    void (*update)(struct red_results_truth *truth, uint64_t at, const struct red_value *before);
    void (*at)(const struct red_results_truth *truth, uint64_t i, struct red_truth *element);
    /* As red_results_check_block. */
    struct red_correctness (*check_block)(const struct red_results_truth *truth, double chain, uint64_t block,
                                          const void *results, uint64_t *which);
    /* Whether all results, each of which is right on its own, are right together, which does not depend on
     * how each was judged: of wrong ones *which names one. NULL: they are. */
    bool (*fit_together)(const struct red_results_truth *truth, const void *results, uint64_t *which);
    /* As red_bound_chain. NULL: that of reductions. */
    double (*chain)(const struct red_strategy *strategy, const struct red_dtype *dtype,
                    const struct red_op *op, const struct red_geometry *geometry, uint64_t n);
    /* Sets the answer that stands for all results, and changes with each; NULL: that of the reduction. */
    void (*find)(const struct red_input *input, struct red_truth *truth);
    /* Sets change->after to another value for element change->at, the index-th of the truth's, and the truth
     * then; false where that is no use. NULL: as of a reduction. */
    bool (*change_element)(const struct red_input *input, const struct red_truth *truth, double chain,
                           uint64_t index, uint64_t random, struct red_change *change);
    /* Stores another value at the place, in a step of verify. NULL: as of a reduction. */
    void (*put_other)(struct red_changes *changes, uint64_t place);
};

struct red_results_truth {
    const struct red_results_hooks *hooks; /* set by red_results_truth_make, as the two below */
    const struct red_input *input;
    uint64_t n, results_n;
};

/* Judges result i, which stands at `result`, by red_truth_check: what decides wherever a faster way has not
 * passed it. */
struct red_correctness red_results_judge(const struct red_results_truth *truth, double chain, uint64_t i,
                                         const void *result);

/* Whether the first has the larger share, or the same at a later place, or if it is wrong at an earlier one.
 */
bool red_correctness_is_worse(const struct red_correctness *one, const struct red_correctness *other);

#define RED_RESULTS_OF(id, name) extern const struct red_results_hooks red_results_of_##name;
RED_RESULT_PRIMITIVES(RED_RESULTS_OF)
#undef RED_RESULTS_OF

/* Those of the operation's primitive; of reductions all are NULL. */
const struct red_results_hooks *red_results_hooks_of(const struct red_op *op);

/* The chain of a prefix (oracle/truth.c). */
double red_prefix_chain(const struct red_strategy *strategy, const struct red_dtype *dtype,
                        const struct red_op *op, const struct red_geometry *geometry, uint64_t n);

#endif
