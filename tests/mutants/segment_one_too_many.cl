//@ name:   segment_one_too_many
//@ idea:   the item behind the last segment stores, too
//@ span:   segment
//@ lanes:  16x4
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  i32, f32
//@ ops:    sum
//@ source: a slip of the pen
// where: wg > 1
// expect: no store behind the end of out

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_SEGMENTS) {
    const ulong segment = get_global_id(0);
    if (segment <= segments_n)
        out[segment] = red_item_range(RED_ARGS_AT(min(segment, segments_n - 1) * n), 0, n);
}
