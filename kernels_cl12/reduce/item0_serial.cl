//@ name:   item0_serial
//@ idea:   items store to local memory, item 0 adds them up
//@ span:   each
//@ lanes:  1
//@ group:  serial
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: lecture slides on OpenCL reduction, the first version of the segment average

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, values, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    values[get_local_id(0)] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) != 0)
        return;
    RED_A value = RED_IDENTITY;
    for (uint item = 0; item < RED_GROUP_SIZE; item++)
        value = RED_COMBINE(value, values[item]);
    out[get_group_id(0)] = value;
}
