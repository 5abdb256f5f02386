//@ name:   segment_tail_lost
//@ idea:   an item takes whole vectors only
//@ span:   segment
//@ lanes:  16x4
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  i32, f32
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: n % 16 != 0
// expect: segment [0-9]+ of [0-9]+: expected

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_SEGMENTS) {
    const ulong segment = get_global_id(0);
    if (segment < segments_n)
        out[segment] = red_item_range(RED_ARGS_AT(segment * n), 0, n / 16 * 16);
}
