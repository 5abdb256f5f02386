//@ name:   last_of_equals
//@ idea:   of equal values the last one is taken
//@ span:   one
//@ lanes:  1
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  i32, f32
//@ ops:    argmin, argmax
//@ source: a slip of the pen
// where: n > 1
// expect:  at

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_A value = RED_IDENTITY;
    for (ulong i = 0; i < n; i++)
        if (RED_LOAD(i) >> 32 <= value >> 32)
            value = RED_LOAD(i);
    out[0] = value;
}
