//@ name:   last_piece_lost
//@ idea:   pieces are rounded down: what is left over at the end is nobody's
//@ span:   chunk
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: n > 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong piece = n / get_global_size(0), begin = piece * get_global_id(0);
    RED_A value = RED_IDENTITY;
    for (ulong i = begin; i < begin + piece; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
