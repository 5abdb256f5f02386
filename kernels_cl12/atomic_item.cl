//@ name:   atomic_item
//@ idea:   every work-item adds to one accumulator by atomic_add (min, max)
//@ span:   each
//@ lanes:  1
//@ group:  none
//@ finish: atomic
//@ needs:  integer_atomics
//@ types:  all
//@ ops:    all
//@ source: OpenCL 1.2 section 6.12.11

#define COMBINE_INTO(out, value) RED_ATOMIC(out, value)
#include "cmpxchg_item.cl"
