//@ name:   segment_wg_reduce
//@ idea:   a work-group per segment: its items take turns, then work_group_reduce_<op>
//@ span:   segment
//@ lanes:  1
//@ group:  built_in
//@ finish: host
//@ needs:  collectives
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.15
//@ counterpart: segment_group

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_SEGMENTS) {
    const ulong segment = get_group_id(0);
    const RED_A value =
        RED_WG_REDUCE(red_item_turns(RED_ARGS_AT(segment * n), get_local_id(0), RED_GROUP_SIZE, n));
    if (get_local_id(0) == 0)
        out[segment] = value;
}
