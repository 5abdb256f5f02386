//@ name:   c11_item
//@ idea:   every work-item adds to one accumulator by atomic_fetch_<op>, relaxed
//@ span:   each
//@ lanes:  1
//@ group:  none
//@ finish: atomic
//@ needs:  integer_atomics, c11_device_scope
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.11
//@ counterpart: atomic_item

#include "c11.cl"

#define COMBINE_INTO(out, value) C11_ATOMIC(out, value)
#include "cmpxchg_item.cl"
