//@ name:   atomic_group
//@ idea:   private sums, a tree per group, then one atomic_add (min, max) per group
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, integer_atomics
//@ types:  all
//@ ops:    all
//@ source: OpenCL 1.2 section 6.12.11

#define COMBINE_INTO(out, value) RED_ATOMIC(out, value)
#include "cmpxchg_group.cl"
