//@ name:   segment_column
//@ idea:   a work-item per column: neighbours read neighbouring addresses, nothing is shared
//@ span:   column
//@ lanes:  1
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  all
//@ ops:    all
//@ source: the transposed layout that one work-item per segment wants on a GPU

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, RED_SEGMENTS) {
    const ulong column = get_global_id(0);
    if (column < segments_n)
        out[column] = red_item_turns(RED_ARGS, column, segments_n, n * segments_n);
}
