//@ name:   last_group_no_reset
//@ idea:   the last group does not set the counter back
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// expect: expected counter left at 0

bool is_last_group_here(global uint *counter, local uint *last) {
    if (get_local_id(0) == 0) {
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(counter) + 1 == get_num_groups(0);
        if (last[0])
            write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return last[0];
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_LOCAL(uint, last, 1);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
    if (is_last_group_here(counter, last)) {
        value = red_group_tree(red_item_partials(out), scratch);
        if (get_local_id(0) == 0)
            out[0] = value;
    }
}
