//@ name:   cmpxchg_group
//@ idea:   private sums, a tree per group, then one atomic_cmpxchg per group
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, compare_and_swap
//@ types:  all
//@ ops:    all
//@ source: OpenCL 1.2 section 6.12.11; cmpxchg_item without the contention

/* COMBINE_INTO(out, value): how the accumulator takes a value in. Other strategies bring their own. */
#ifndef COMBINE_INTO
#define COMBINE_INTO(out, value) red_cmpxchg_combine(out, value)
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        COMBINE_INTO(out, value);
}
