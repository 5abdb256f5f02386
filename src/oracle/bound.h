/* How wrong a floating-point reduction may be and still be right. */
#ifndef CLREDUCE_ORACLE_BOUND_H
#define CLREDUCE_ORACLE_BOUND_H

#include "model/geometry.h"

/* h: the longest chain of roundings that one element can meet on its way into the result (Higham, Accuracy
 * and Stability of Numerical Algorithms, 2002, section 4.2), whatever order a compiler chooses inside a
 * stage. product  1 for dot item     k - 1; with v lanes at most ceil(k/v) + 3 for a lane (remainders
 * included) and v - 1 for folding group    tree ceil(log2 L); serial and built-in L - 1; none 0 finish host:
 * G - 1 additions in double, each worth 2^(digits - 53) of a rounding in the type; passes: ceil(log2 L) for
 * every further pass; atomic: one per value added, G or (group none) n */
double red_bound_chain(const struct red_strategy *strategy, const struct red_dtype *dtype,
                       const struct red_op *op, const struct red_geometry *geometry, uint64_t n);

/* The largest error that passes: gamma_h * absolute + u * (|exact| + gamma_h * absolute), with u = 2^-digits
 * and gamma_h = hu / (1 - hu) (Higham 2002, lemma 3.1). From hu = 1/2 on, where gamma_h runs away, hu takes
 * its place (Rump, "Error estimation of floating-point summation and dot product", BIT 52, 2012). absolute
 * sum of |terms| exact     |exact sum| */
double red_bound(double chain, unsigned digits, double absolute, double exact);

#endif
