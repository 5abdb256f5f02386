//@ name:   wg_reduce_last_group
//@ idea:   last_group_wide with work_group_reduce_<op> for the tree; not promised by the atomics of 1.x
//@ span:   stride
//@ lanes:  4x4
//@ group:  built_in
//@ finish: last_group
//@ needs:  local_memory, integer_atomics, collectives
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.15; last_group_wide
//@ counterpart: last_group_wide

#define GROUP_COMBINE(value) RED_WG_REDUCE(value)
#define GROUP_LOCAL
#include "last_group_wide.cl"
