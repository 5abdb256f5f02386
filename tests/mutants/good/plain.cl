//@ name:   plain
//@ idea:   plain local memory and a loop of its own; no helper of the prelude
//@ span:   each
//@ lanes:  1
//@ group:  serial
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a user

kernel void reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    local RED_A all[RED_GROUP_SIZE];
    const size_t item = get_local_id(0), i = get_global_id(0);
    all[item] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        RED_A value = RED_IDENTITY;
        for (size_t j = 0; j < get_local_size(0); j++)
            value = RED_COMBINE(value, all[j]);
        out[get_group_id(0)] = value;
    }
}
