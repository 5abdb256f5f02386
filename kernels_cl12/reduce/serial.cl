//@ name:   serial
//@ idea:   one work-item adds everything, in order
//@ span:   one
//@ lanes:  1
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  all
//@ ops:    all
//@ source: the definition of a sum; the slowest right answer

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_A value = RED_IDENTITY;
    for (ulong i = 0; i < n; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    out[0] = value;
}
