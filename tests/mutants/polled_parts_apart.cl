//@ name:   polled_parts_apart
//@ idea:   the value is told by the last group, its index by the first
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: polled
//@ needs:  local_memory, integer_atomics, host_visible_buffer
//@ types:  i64, u64, f64
//@ ops:    argmin, argmax
//@ source: an answer of two parts, each with its flag, where only one is complete
// where: groups > 1 || n > 32768
// expect: expected .*, got

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_LOCAL(uint, last, 1);
    volatile global uint4 *parts = (volatile global uint4 *)red_answer;
    RED_A value = red_group_tree(red_item_chunk(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0) {
        out[get_group_id(0)] = value;
        if (get_group_id(0) == 0)
            parts[1] = (uint4)(as_uint2(value.index), 1, 0);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(counter) + 1 == get_num_groups(0);
        if (last[0])
            atomic_xchg(counter, 0);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last[0]) {
        value = red_group_tree(red_item_partials(out), scratch);
        if (get_local_id(0) == 0)
            parts[0] = (uint4)(as_uint2(value.key), 1, 0);
    }
}
