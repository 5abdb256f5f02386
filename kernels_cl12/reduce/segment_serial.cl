//@ name:   segment_serial
//@ idea:   a work-group per segment: items store to local memory, item 0 adds them up
//@ span:   segment
//@ lanes:  1
//@ group:  serial
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: lecture slides: the first version of averaging segments

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, RED_SEGMENTS) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong segment = get_group_id(0);
    const uint item = (uint)get_local_id(0);
    scratch[item] = red_item_turns(RED_ARGS_AT(segment * n), item, RED_GROUP_SIZE, n);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item != 0)
        return;
    RED_A value = scratch[0];
    for (uint i = 1; i < RED_GROUP_SIZE; i++)
        value = RED_COMBINE(value, scratch[i]);
    out[segment] = value;
}
