//@ name:   told
//@ idea:   the group that comes last tells the host, which spins on the answer
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: polled
//@ needs:  local_memory, integer_atomics, host_visible_buffer
//@ types:  i32, u8, f32
//@ ops:    sum, max, argmax
//@ source: the contract, docs/kernels.md

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_ANSWER) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_LOCAL(uint, last, 1);
    RED_A value = red_group_tree(red_item_chunk(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0) {
        out[get_group_id(0)] = value;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(counter) + 1 == get_num_groups(0);
        if (last[0])
            atomic_xchg(counter, 0);
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last[0]) {
        value = red_group_tree(red_item_partials(out), scratch);
        if (get_local_id(0) == 0)
            RED_TELL(value);
    }
}
