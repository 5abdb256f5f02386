//@ name:   early_return
//@ idea:   items without an element return before the barriers of the others
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// expect: Work-group divergence detected \(barrier\)

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    scratch[item] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n && item > 0)
        return;
    for (uint width = RED_GROUP_SIZE; width > 1; width = (width + 1) / 2) {
        const uint half_width = (width + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item + half_width < width)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + half_width]);
    }
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
