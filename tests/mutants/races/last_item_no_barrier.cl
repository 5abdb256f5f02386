//@ name:   last_item_no_barrier
//@ idea:   the last item adds all slots without a barrier: right where items run in order
//@ span:   each
//@ lanes:  1
//@ group:  serial
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// expect: Read-write data race at local memory

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    scratch[item] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    if (item == RED_GROUP_SIZE - 1) {
        RED_A value = RED_IDENTITY;
        for (uint j = 0; j < RED_GROUP_SIZE; j++)
            value = RED_COMBINE(value, scratch[j]);
        out[get_group_id(0)] = value;
    }
}
