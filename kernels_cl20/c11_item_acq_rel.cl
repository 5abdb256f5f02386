//@ name:   c11_item_acq_rel
//@ idea:   every work-item adds to one accumulator by atomic_fetch_<op>, acq_rel
//@ span:   each
//@ lanes:  1
//@ group:  none
//@ finish: atomic
//@ needs:  integer_atomics, c11_device_scope, c11_acq_rel
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.11
//@ counterpart: atomic_item

#define C11_ORDER memory_order_acq_rel
#include "c11_item.cl"
