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

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    const ulong i = get_global_id(0);
    if (i < n)
        RED_ATOMIC(out, RED_LOAD(i));
}
