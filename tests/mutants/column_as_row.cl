//@ name:   column_as_row
//@ idea:   takes rows for columns
//@ span:   column
//@ lanes:  16x4
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  i32, f32
//@ ops:    sum, argmin
//@ source: a slip of the pen
// where: n > 0
// expect: segment [0-9]+ of [0-9]+: expected

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_SEGMENTS) {
    const ulong column = get_global_id(0);
    if (column < segments_n)
        out[column] = red_item_range(RED_ARGS_AT(column * n), 0, n);
}
