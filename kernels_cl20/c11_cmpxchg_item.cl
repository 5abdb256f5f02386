//@ name:   c11_cmpxchg_item
//@ idea:   every work-item adds by atomic_compare_exchange_weak on the bits
//@ span:   each
//@ lanes:  1
//@ group:  none
//@ finish: atomic
//@ needs:  compare_and_swap, c11_device_scope
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.11
//@ counterpart: cmpxchg_item

#include "c11.cl"

#define COMBINE_INTO(out, value) c11_cmpxchg_combine(out, value)
#include "cmpxchg_item.cl"
