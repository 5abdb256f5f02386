//@ name:   unsigned_order
//@ idea:   signed extremes are ordered as unsigned
//@ span:   each
//@ lanes:  1
//@ group:  serial
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, i64
//@ ops:    min
//@ source: a slip of the pen
// expect: expected -

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, values, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    values[get_local_id(0)] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    RED_A value = values[0];
    for (uint item = 1; item < RED_GROUP_SIZE; item++)
        value = (RED_WORD)values[item] < (RED_WORD)value ? values[item] : value;
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
