//@ name:   segment_of_neighbour
//@ idea:   the answers of two neighbours are exchanged
//@ span:   segment
//@ lanes:  16x4
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  i32, f32
//@ ops:    sum, max
//@ source: a slip of the pen
// where: n > 0
// expect: segment [0-9]+ of [0-9]+: expected

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_SEGMENTS) {
    const ulong segment = get_global_id(0), other = segment ^ 1;
    if (segment < segments_n)
        out[other < segments_n ? other : segment] = red_item_range(RED_ARGS_AT(segment * n), 0, n);
}
