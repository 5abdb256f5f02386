//@ name:   sub_group_reduce
//@ idea:   sub_group_reduce_<op>; the first sub-group combines the others' values from local memory
//@ span:   each
//@ lanes:  1
//@ group:  sub_group
//@ finish: host
//@ needs:  local_memory, sub_groups
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 3.0 section 6.15.19
//@ counterpart: tree

#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = RED_NAMED_(sub_group_reduce_, )(i < n ? RED_LOAD(i) : RED_IDENTITY);
    if (get_sub_group_local_id() == 0)
        scratch[get_sub_group_id()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_id() == 0) {
        RED_A total = RED_IDENTITY;
        for (uint s = get_sub_group_local_id(); s < get_num_sub_groups(); s += get_sub_group_size())
            total = RED_COMBINE(total, scratch[s]);
        total = RED_NAMED_(sub_group_reduce_, )(total);
        if (get_sub_group_local_id() == 0)
            out[get_group_id(0)] = total;
    }
}
