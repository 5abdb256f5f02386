//@ name:   float_atomic_group
//@ idea:   private sums, a tree, then one native float atomic per group
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, float_atomics
//@ types:  floats
//@ ops:    sum, dot, sumsq, mean
//@ source: OpenCL Extension Specification, cl_ext_float_atomics
//@ counterpart: cmpxchg_group

/* Native: the hardware adds, no loop. */
#include "c11_group.cl"
