//@ name:   non_atomic_update
//@ idea:   every item adds to the accumulator without an atomic
//@ span:   each
//@ lanes:  1
//@ group:  none
//@ finish: atomic
//@ needs:  nothing
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: the first thing everybody tries
// expect: data race at global memory

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    volatile global RED_A *sum = out;
    const ulong i = get_global_id(0);
    if (i < n)
        *sum = RED_COMBINE(*sum, RED_LOAD(i));
}
