/* What a primitive that leaves many results says of them: scans in oracle/scan.c, histograms in
 * oracle/histogram.c. oracle/results.c asks through these hooks. */
#ifndef CLREDUCE_ORACLE_RESULTS_PRIVATE_H
#define CLREDUCE_ORACLE_RESULTS_PRIVATE_H

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
};

struct red_results_truth {
    const struct red_results_hooks *hooks; /* set by red_results_truth_make, as the two below */
    const struct red_input *input;
    uint64_t n, results_n;
};

/* Whether the first has the larger share, or the same at a later place, or if it is wrong at an earlier one.
 */
bool red_correctness_is_worse(const struct red_correctness *one, const struct red_correctness *other);

extern const struct red_results_hooks red_results_of_scan, red_results_of_histogram;

#endif
