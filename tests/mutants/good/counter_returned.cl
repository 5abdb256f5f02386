//@ name:   counter_returned
//@ idea:   groups take their piece by a ticket from the counter; the last one sets it back
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory, compare_and_swap
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: dynamic parallelism over blocks, as in decoupled look-back

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    local uint ticket;
    if (get_local_id(0) == 0) {
        ticket = atomic_inc((volatile global uint *)counter);
        if (ticket == get_num_groups(0) - 1)
            atomic_xchg((volatile global uint *)counter, 0u);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong i = (ulong)ticket * RED_GROUP_SIZE + get_local_id(0);
    const RED_A value = red_group_tree(i < n ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[ticket] = value;
}
