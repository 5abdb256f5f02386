//@ name:   c11_group_seq_cst
//@ idea:   private sums, a tree, then one atomic_fetch_<op> per group, seq_cst
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, integer_atomics, c11_device_scope, c11_seq_cst
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.11
//@ counterpart: atomic_group

#define C11_ORDER memory_order_seq_cst
#include "c11_group.cl"
