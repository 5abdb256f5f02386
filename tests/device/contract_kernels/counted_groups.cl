//@ name:   counted_groups
//@ idea:   groups count themselves; the last one brings all partial results together
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics
//@ types:  all
//@ ops:    all
//@ source: a user

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    local uint is_last; /* a single one, poisoned by hand */
#ifdef RED_POISON
    red_local_poison((local uchar *)&is_last, sizeof is_last);
#endif
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0) {
        out[get_group_id(0)] = value;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        is_last = atomic_inc(counter) + 1 == get_num_groups(0);
        if (is_last)
            atomic_xchg(counter, 0u);
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!is_last)
        return;
    value = red_group_tree(red_item_partials(out), scratch);
    if (get_local_id(0) == 0)
        out[0] = value;
}
