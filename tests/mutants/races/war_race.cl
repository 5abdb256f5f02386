//@ name:   war_race
//@ idea:   item 0 still adds the slots of a round while others store those of the next: no barrier between
//@ span:   stride
//@ lanes:  1
//@ group:  serial
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// expect: data race at local memory

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    RED_A value = RED_IDENTITY;
    for (ulong first = get_group_id(0) * RED_GROUP_SIZE; first < n; first += get_global_size(0)) {
        const ulong i = first + item;
        scratch[item] = i < n ? RED_LOAD(i) : RED_IDENTITY;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0)
            for (uint j = 0; j < RED_GROUP_SIZE; j++)
                value = RED_COMBINE(value, scratch[j]);
    }
    if (item == 0)
        out[get_group_id(0)] = value;
}
