/* How wrong a floating-point reduction may be and still be right. */
#ifndef CLREDUCE_ORACLE_BOUND_H
#define CLREDUCE_ORACLE_BOUND_H

#include "model/geometry.h"

/* h: the longest chain of roundings that one element can meet on its way into the result (Higham,
 * Accuracy and Stability of Numerical Algorithms, 2002, section 4.2), whatever order a compiler chooses
 * inside a stage. With k elements per item, v lanes, L items per group and G groups:
 *   around   1 for a product or a square, 1 for the division of a mean
 *   item     k - 1: no order of adding k values has a longer chain. With v lanes at most
 *            ceil(k/v) + 2 (v - 1), if that is less: rounds of v elements, one rounding each, as long as
 *            there are v; then fewer than v that are left, as vectors or one by one; and v - 1 for folding
 *            the lanes, since a compiler need not keep the tree
 *   group    tree ceil(log2 L); serial and built-in L - 1; none 0
 *   finish   host, svm: G - 1 additions in double, each worth 2^(accumulator's digits - 53) roundings;
 *            passes: the item's and the group's chain again for every further pass;
 *            two_kernels, command_buffer, sweeps, last_group, polled,
 *            device_enqueue: G - 1 in any order;
 *            atomic: one per value added: G, or with group none min(n, G L) */
double red_bound_chain(const struct red_strategy *strategy, const struct red_dtype *dtype,
                       const struct red_op *op, const struct red_geometry *geometry, uint64_t n);

/* The largest error that passes: gamma_h * absolute + u * (|exact| + gamma_h * absolute), with
 * u = 2^-digits and gamma_h = hu / (1 - hu) (Higham 2002, lemma 3.1); it grows with h. From hu = 1 on
 * (f32: a chain of 2^24) the lemma says nothing and the bound is infinite: every finite result passes, and
 * the exact tier alone decides.
 *   absolute  sum of |terms|
 *   exact     |exact sum| */
double red_bound(double chain, unsigned digits, double absolute, double exact);

#endif
