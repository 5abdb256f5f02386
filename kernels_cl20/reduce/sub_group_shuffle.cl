//@ name:   sub_group_shuffle
//@ idea:   shuffles halve a sub-group in a fixed order, item 0 combines the sub-groups: always the same bits
//@ span:   each
//@ lanes:  1
//@ group:  sub_group
//@ finish: host
//@ needs:  local_memory, sub_group_shuffle
//@ types:  all
//@ ops:    all
//@ source: OpenCL Extension Specification, cl_khr_subgroup_shuffle; counterpart of sub_group_reduce, too
//@ counterpart: tree

#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

/* What lies beyond a sub-group's size is undefined, and the last one may be smaller: each item asks for one
 * that is there. */
RED_A sub_group_tree(RED_A value) {
    const uint item = get_sub_group_local_id();
    for (uint width = get_sub_group_size(); width > 1; width = (width + 1) / 2) {
        const uint half_width = (width + 1) / 2;
        const bool is_low = item + half_width < width;
        const RED_A other = sub_group_shuffle(value, is_low ? item + half_width : item);
        if (is_low)
            value = RED_COMBINE(value, other);
    }
    return value;
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = sub_group_tree(i < n ? RED_LOAD(i) : RED_IDENTITY);
    if (get_sub_group_local_id() == 0)
        scratch[get_sub_group_id()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        RED_A total = scratch[0];
        for (uint s = 1; s < get_num_sub_groups(); s++)
            total = RED_COMBINE(total, scratch[s]);
        out[get_group_id(0)] = total;
    }
}
