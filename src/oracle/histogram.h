/* The right counts of a histogram, and the check of every count against them: histograms' part of
 * oracle/results.h. */
#ifndef CLREDUCE_ORACLE_HISTOGRAM_H
#define CLREDUCE_ORACLE_HISTOGRAM_H

#include "model/bins.h"
#include "oracle/truth.h"

struct red_histogram_truth;

/* Counts the first n elements of input->arrays[0] in each of its input->bins_n bins, and those in none, with
 * all OpenMP threads. The input is borrowed: it must live on. Release with _destroy. Errors: RED_E_MEMORY. */
enum red_status red_histogram_truth_make(const struct red_input *input, uint64_t n,
                                         struct red_histogram_truth **truth, struct red_error *error);
void red_histogram_truth_destroy(struct red_histogram_truth *truth);

/* Element `at` of the array, which was `before`, has changed. */
void red_histogram_truth_update(struct red_histogram_truth *truth, uint64_t at,
                                const struct red_value *before);

/* The right count of bin i; where i is bins_n, of the elements in none. */
uint64_t red_histogram_truth_count(const struct red_histogram_truth *truth, uint64_t i);

/* Judges the bins_n + 1 counts of red_op_result_dtype: each must be the right one, and all add up to n.
 * Yields the correctness of the first wrong one, its error the difference, and its bin in *which; bins_n + 1
 * in *which if all are right. */
struct red_correctness red_histogram_check(const struct red_histogram_truth *truth, const void *counts,
                                           uint64_t *which);

/* Judges n counts, from that of bin `first` on, and these alone; first + n in *which if all are right. */
struct red_correctness red_histogram_check_range(const struct red_histogram_truth *truth, uint64_t first,
                                                 uint64_t n, const void *counts, uint64_t *which);

#endif
