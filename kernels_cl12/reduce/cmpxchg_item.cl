//@ name:   cmpxchg_item
//@ idea:   every work-item adds to one accumulator by atomic_cmpxchg on the bits
//@ span:   each
//@ lanes:  1
//@ group:  none
//@ finish: atomic
//@ needs:  compare_and_swap
//@ types:  all
//@ ops:    all
//@ source: OpenCL 1.2 section 6.12.11; the usual float atomic of OpenCL 1.x
//@ variant: atomic_item COMBINE_INTO=RED_ATOMIC
//@ idea:   every work-item adds to one accumulator by atomic_add (min, max)
//@ needs:  integer_atomics
//@ source: OpenCL 1.2 section 6.12.11

/* How the accumulator takes a value in. */
#ifndef COMBINE_INTO
#define COMBINE_INTO red_cmpxchg_combine
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    const ulong i = get_global_id(0);
    if (i < n)
        COMBINE_INTO(out, RED_LOAD(i));
}
