//@ name:   only_dot
//@ idea:   right for sums; a dot product takes y from one index further on
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: n > 1
// expect: dot [a-z0-9]+ on

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
#if RED_ARRAYS == 2
    const RED_A element = i < n ? (RED_A)red_x[i] * (RED_A)red_y[i + 1 < n ? i + 1 : 0] : RED_IDENTITY;
#else
    const RED_A element = i < n ? RED_LOAD(i) : RED_IDENTITY;
#endif
    const RED_A value = red_group_tree(element, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
