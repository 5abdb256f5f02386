/* The right answers of a scan, and the check of every element of a result against them: scans' part of
 * oracle/results.h, whose functions these are. */
#ifndef CLREDUCE_ORACLE_SCAN_H
#define CLREDUCE_ORACLE_SCAN_H

#include "oracle/results.h"

struct red_scan_truth;

/* A NaN in a sum makes all sums behind it NaNs; least and greatest values pass over NaNs, and a prefix of
 * NaNs alone is as one without elements. Time: as red_truth_find. */
enum red_status red_scan_truth_make(const struct red_input *input, uint64_t n, struct red_scan_truth **truth,
                                    struct red_error *error);
void red_scan_truth_destroy(struct red_scan_truth *truth);

/* Reads the element's block again, and adds up the blocks behind it. */
void red_scan_truth_update(struct red_scan_truth *truth, uint64_t at);

/* That of the reduction (op->reduction) of the element's prefix; without elements it is the identity. */
void red_scan_truth_at(const struct red_scan_truth *truth, uint64_t i, struct red_truth *element);

/* 2^26 results take less than a second on two cores. */
struct red_correctness red_scan_check_block(const struct red_scan_truth *truth, double chain, uint64_t block,
                                            const void *results, uint64_t *which);

#endif
