//@ name:   async_copy
//@ idea:   async_work_group_copy stages a group's elements in local memory, then the tree
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory, async_copy
//@ types:  all
//@ ops:    sum, dot, sumsq, mean, min, max
//@ source: OpenCL 1.2 section 6.12.10

/* The event of the first copy is the argument of the second; all items call with the same arguments. Elements
 * are copied as words: a half is no type without its extension. */
RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_LOCAL(RED_RAW, staged, RED_ARRAYS * RED_GROUP_SIZE);
    const ulong begin = RED_GROUP_SIZE * (ulong)get_group_id(0);
    const ulong copied_n = begin < n ? min(n - begin, (ulong)RED_GROUP_SIZE) : 0;
    event_t copied = async_work_group_copy(staged, (global const RED_RAW *)red_x + begin, copied_n, 0);
#if RED_ARRAYS == 2
    copied = async_work_group_copy(staged + RED_GROUP_SIZE, (global const RED_RAW *)red_y + begin, copied_n,
                                   copied);
#endif
    wait_group_events(1, &copied);
    RED_A value = RED_IDENTITY;
    if (get_local_id(0) < copied_n) {
        local const RED_T *red_x = (local const RED_T *)staged,
                          *red_y = red_x + (RED_ARRAYS - 1) * RED_GROUP_SIZE;
        (void)red_y;
        value = RED_LOAD(get_local_id(0));
    }
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
