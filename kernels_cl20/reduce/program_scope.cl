//@ name:   program_scope
//@ idea:   groups add to a variable of the program; the last one hands the sum over and resets it
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, compare_and_swap, program_scope, write_read_fence
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.5.1
//@ counterpart: cmpxchg_group

/* Kept from launch to launch. The group that comes last leaves it as it was. By atomics and fences of 1.x,
 * since drivers have variables at program scope that lack C11 atomics in the same standard: that the last
 * group has what all others added is what drivers do; nothing between groups is promised of these. */
global RED_A accumulated = RED_IDENTITY_;

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0) {
        volatile global RED_WORD *word = (volatile global RED_WORD *)&accumulated;
        red_cmpxchg_combine(&accumulated, value);
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (atomic_inc(counter) + 1 == get_num_groups(0)) {
            read_mem_fence(CLK_GLOBAL_MEM_FENCE);
            out[0] = RED_FROM_WORD(RED_XCHG(word, RED_AS_WORD(RED_IDENTITY)));
            atomic_and(counter, 0);
        }
    }
}
