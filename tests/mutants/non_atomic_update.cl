//@ name:   non_atomic_update
//@ idea:   groups add to the accumulator without an atomic
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: a slip of the pen

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    volatile global RED_A *sum = out;
    if (get_local_id(0) == 0) {
        const RED_A seen = *sum;
        for (volatile uint wait = 0; wait < 2000; wait++) /* a window that two groups will meet in */
            ;
        *sum = RED_COMBINE(seen, value);
    }
}
