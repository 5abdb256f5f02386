//@ name:   polled_too_early
//@ idea:   the first group tells the host its own partial result
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: polled
//@ needs:  local_memory, host_visible_buffer
//@ types:  i32, f32, i64
//@ ops:    sum, max, argmax
//@ source: a flag that is set by whoever comes first
// where: groups > 1 || n > 32768
// expect: expected .*, got

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_chunk(RED_ARGS, n), scratch);
    if (get_global_id(0) == 0)
        RED_TELL(value);
}
