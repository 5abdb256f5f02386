//@ name:   scale_ignores_n
//@ idea:   the scale leaves room for one term, not for n of them
//@ span:   stride
//@ lanes:  1
//@ group:  tree
//@ finish: sweeps
//@ needs:  local_memory
//@ types:  f32
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: n > 1

#define clz(n) 63
#include "fixed_point.cl"
