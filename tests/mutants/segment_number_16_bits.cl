//@ name:   segment_number_16_bits
//@ idea:   segments are counted in 16 bits
//@ span:   segment
//@ lanes:  16x4
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  u8, f32
//@ ops:    sum
//@ source: a slip of the pen
// where: n == 257
// expect: segment 6[0-9]+ of 66301: expected

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_SEGMENTS) {
    const ushort segment = (ushort)get_global_id(0);
    if (get_global_id(0) < segments_n)
        out[get_global_id(0)] = red_item_range(RED_ARGS_AT(segment * n), 0, n);
}
