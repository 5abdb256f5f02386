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

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    const ulong i = get_global_id(0);
    if (i < n)
        C11_ATOMIC(out, RED_LOAD(i));
}
