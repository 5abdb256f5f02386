/* The right answers of a scan, and the check of every element of a result against them. scans' part of
 * oracle/results.h; a result with a wrong element is a `wrong` cell. */
#ifndef CLREDUCE_ORACLE_SCAN_H
#define CLREDUCE_ORACLE_SCAN_H

#include "oracle/truth.h"

/* Of all elements: the exact prefix is kept where each block of so many elements begins. */
enum { RED_SCAN_BLOCK_N = 1 << 14 };
struct red_scan_truth;

/* Finds the exact answers for the first n elements of input->arrays[0]; input->op is a scan. The input is
 * borrowed: it must live on. A NaN in a sum makes all sums behind it NaNs; least and greatest values pass
 * over NaNs, and a prefix of NaNs alone is as one without elements. Time: as red_truth_find. Release with
 * _destroy. Errors: RED_E_MEMORY. */
enum red_status red_scan_truth_make(const struct red_input *input, uint64_t n, struct red_scan_truth **truth,
                                    struct red_error *error);
void red_scan_truth_destroy(struct red_scan_truth *truth);

/* Element `at` of the array has changed: reads its block again, and adds up the blocks behind it. */
void red_scan_truth_update(struct red_scan_truth *truth, uint64_t at);

/* Sets `element` to the truth of element i of the answer: that of the reduction (op->reduction) of its
 * prefix, for red_truth_check and all else of oracle/truth.h. Without elements it is the identity. */
void red_scan_truth_at(const struct red_scan_truth *truth, uint64_t i, struct red_truth *element);

/* Judges n results of red_op_result_dtype, each as red_truth_check(red_scan_truth_at, chain, ...) does: 2^26
 * in less than a second on two cores. Yields the correctness of the first wrong one, and its index in *which;
 * if all are right, the largest error and the largest bound, and n in *which. */
struct red_correctness red_scan_check(const struct red_scan_truth *truth, double chain, const void *results,
                                      uint64_t *which);

/* The same for one block, of RED_SCAN_BLOCK_N elements or what is left of them, and its results alone. */
struct red_correctness red_scan_check_block(const struct red_scan_truth *truth, double chain, uint64_t block,
                                            const void *results, uint64_t *which);

#endif
