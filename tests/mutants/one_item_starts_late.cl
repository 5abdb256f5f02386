//@ name:   one_item_starts_late
//@ idea:   the only work-item begins with the second element
//@ span:   one
//@ lanes:  1
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: n > 0 && wg == 1

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_A value = RED_IDENTITY;
    for (ulong i = 1; i < n; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    out[0] = value;
}
