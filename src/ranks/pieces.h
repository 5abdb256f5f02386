/* How an array is cut into pieces, one for each rank. */
#ifndef CLREDUCE_RANKS_PIECES_H
#define CLREDUCE_RANKS_PIECES_H

#include "results/ranks.h"

/* Sets the weight of each rank: what its device reads per second. One measurement of that varies by some per
 * cent, which unequal pieces would make a wait of the others: so a rank that reads within a tenth of the
 * fastest one of the same device, driver and number of processors has that one's weight. */
void red_weights_of_roofs(const struct red_rank *ranks, size_t ranks_n, double *weights);

/* Cuts n elements into pieces_n pieces that follow each other, in proportion to the weights (of which none is
 * negative; all 0 as all equal): piece i is [firsts[i], firsts[i + 1]), of pieces_n + 1 numbers. No piece is
 * off its share by more than one element beside the weights' own rounding to 2^-20 of the greatest. */
void red_pieces_cut(uint64_t n, const double *weights, size_t pieces_n, uint64_t *firsts);

#endif
