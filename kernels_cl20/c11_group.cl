//@ name:   c11_group
//@ idea:   private sums, a tree, then one atomic_fetch_<op> per group, relaxed
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, integer_atomics, c11_device_scope
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.11
//@ counterpart: atomic_group

#include "c11.cl"

#define COMBINE_INTO(out, value) C11_ATOMIC(out, value)
#include "cmpxchg_group.cl"
