/* The right answers of a primitive that has many, a scan or a histogram, and the check of every one of them.
 * cl/case_check.c and worker/ judge by it; a wrong one is a `wrong` cell. */
#ifndef CLREDUCE_ORACLE_RESULTS_H
#define CLREDUCE_ORACLE_RESULTS_H

#include "oracle/truth.h"

/* So many results are judged together: of a scan the exact prefix is kept where each block begins, and behind
 * a batch a few blocks are looked at. */
enum { RED_RESULTS_BLOCK_N = 1 << 14 };
struct red_results_truth;

/* How many results an operation has for n elements and so many bins: of a scan n, of a histogram bins_n + 1,
 * of a reduction 0 (its answer is a red_value). */
uint64_t red_results_n(const struct red_op *op, uint64_t n, unsigned bins_n);

/* Finds the right results for the first n elements of input->arrays[0]; of a reduction, which has none,
 * *truth is NULL. The input is borrowed: it must live on. Release with _destroy. Errors: RED_E_MEMORY. */
enum red_status red_results_truth_make(const struct red_input *input, uint64_t n,
                                       struct red_results_truth **truth, struct red_error *error);
void red_results_truth_destroy(struct red_results_truth *truth);

/* How many results there are. */
uint64_t red_results_truth_n(const struct red_results_truth *truth);

/* Element `at` of the array, which was `before`, has changed. */
void red_results_truth_update(struct red_results_truth *truth, uint64_t at, const struct red_value *before);

/* Sets `element` to the truth of result i, for red_truth_check and all else of oracle/truth.h. */
void red_results_truth_at(const struct red_results_truth *truth, uint64_t i, struct red_truth *element);

/* red_truth_find_evidence of result got.index, with its place. */
void red_results_find_evidence(const struct red_results_truth *truth, double chain, struct red_value got,
                               struct red_evidence *evidence);

/* Judges all results, of red_op_result_dtype, each as red_truth_check does; counts must also add up to n.
 * Yields the correctness of the one whose error is the largest share, wrong if any is, and the index of the
 * first wrong one in *which; if all are right, how many there are. Where only exact results are right that is
 * the first wrong one, too. */
struct red_correctness red_results_check(const struct red_results_truth *truth, double chain,
                                         const void *results, uint64_t *which);

/* The same for one block, of RED_RESULTS_BLOCK_N or what is left of them, and its results alone. */
struct red_correctness red_results_check_block(const struct red_results_truth *truth, double chain,
                                               uint64_t block, const void *results, uint64_t *which);

#endif
