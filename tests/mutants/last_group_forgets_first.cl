//@ name:   last_group_forgets_first
//@ idea:   the last group leaves out the first partial result
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: n > 0

RED_A partials_but_the_first(volatile global RED_A *out) {
    return get_local_id(0) == 0 && get_num_groups(0) > 1 ? out[1] : RED_IDENTITY;
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_LOCAL(uint, last, 1);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0) {
        out[get_group_id(0)] = value;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(counter) + 1 == get_num_groups(0);
        if (last[0])
            atomic_xchg(counter, 0);
        read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last[0]) {
        value = red_group_tree(partials_but_the_first(out), scratch);
        if (get_local_id(0) == 0)
            out[0] = value;
    }
}
