//@ name:   c11_cmpxchg_group
//@ idea:   private sums, a tree, then one atomic_compare_exchange_weak per group
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, compare_and_swap, c11_device_scope
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.11
//@ counterpart: cmpxchg_group

#include "c11.cl"

#define COMBINE_INTO(out, value) c11_cmpxchg_combine(out, value)
#include "cmpxchg_group.cl"
