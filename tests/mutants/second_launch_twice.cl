//@ name:   second_launch_twice
//@ idea:   the second launch adds the first partial result twice
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: command_buffer
//@ needs:  local_memory, command_buffer
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: tree_two
// where: n > 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (RED_PASS == 1 && get_local_id(0) == 0)
        value = RED_COMBINE(value, RED_LOAD(0));
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
