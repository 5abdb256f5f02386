//@ name:   sub_group_of_16
//@ idea:   every sub-group is taken to have 16 items
//@ span:   each
//@ lanes:  1
//@ group:  sub_group
//@ finish: host
//@ needs:  local_memory, sub_groups
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: tree
// Which group sizes come out wrong depends on how many items the device's sub-groups have: 8, 16, 32, or 64.
// where: n > 0

#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A sum = sub_group_reduce_add(i < n ? RED_LOAD(i) : RED_IDENTITY);
    if (get_sub_group_local_id() == 0)
        scratch[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    RED_A value = RED_IDENTITY;
    for (uint s = 0; s < RED_GROUP_SIZE / 16; s++)
        value = RED_COMBINE(value, scratch[s]);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
