//@ name:   second_launch_short
//@ idea:   the second launch combines the first partial results only, as many as it has items
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: two_kernels
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: groups > 1 || (n > 4 * wg * wg)

#if RED_PASS == 0
#define MINE red_item_stride(RED_ARGS, n)
#else
#define MINE (get_local_id(0) < n ? RED_LOAD(get_local_id(0)) : RED_IDENTITY)
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(MINE, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
