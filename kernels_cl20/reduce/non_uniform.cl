//@ name:   non_uniform
//@ idea:   as many work-items as elements: the last work-group is smaller, no item tests for the end
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory, non_uniform_groups
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.1; OpenCL 2.0 section 5.10
//@ counterpart: tree

/* Without the attribute of RED_KERNEL, which promises groups of one size. */
kernel void reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    scratch[item] = n > 0 ? RED_LOAD(get_global_id(0)) : RED_IDENTITY; /* a launch has one item at least */
    for (uint width = (uint)get_local_size(0); width > 1; width = (width + 1) / 2) {
        const uint half_width = (width + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item + half_width < width)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + half_width]);
    }
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
