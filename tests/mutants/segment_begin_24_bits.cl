//@ name:   segment_begin_24_bits
//@ idea:   where a segment begins is kept in 24 bits
//@ span:   segment
//@ lanes:  16x4
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  i8, i32
//@ ops:    sum, max
//@ source: a slip of the pen
// where: n == 257
// expect: segment 6[0-9]+ of 66301: expected

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_SEGMENTS) {
    const ulong segment = get_global_id(0);
    if (segment < segments_n)
        out[segment] = red_item_range(RED_ARGS_AT(segment * n & 0xffffff), 0, n);
}
