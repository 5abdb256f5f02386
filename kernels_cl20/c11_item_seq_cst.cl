//@ name:   c11_item_seq_cst
//@ idea:   every work-item adds to one accumulator by atomic_fetch_<op>, seq_cst
//@ span:   each
//@ lanes:  1
//@ group:  none
//@ finish: atomic
//@ needs:  integer_atomics, c11_device_scope, c11_seq_cst
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.11
//@ counterpart: atomic_item

#define C11_ORDER memory_order_seq_cst
#include "c11_item.cl"
