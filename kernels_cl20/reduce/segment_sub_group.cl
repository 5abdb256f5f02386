//@ name:   segment_sub_group
//@ idea:   a sub-group per segment: no local memory, no barrier
//@ span:   segment
//@ lanes:  1
//@ group:  sub_group
//@ finish: host
//@ needs:  sub_groups
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 extension cl_khr_subgroups; OpenCL C 3.0 section 6.15.19
//@ counterpart: segment_group

/* Sub-groups take turns: how many there are in a group only the device knows. */
RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, RED_SEGMENTS) {
    const ulong step = (ulong)get_num_groups(0) * get_num_sub_groups();
    for (ulong segment = get_group_id(0) * get_num_sub_groups() + get_sub_group_id(); segment < segments_n;
         segment += step) {
        const RED_A value = RED_NAMED_(sub_group_reduce_, )(
            red_item_turns(RED_ARGS_AT(segment * n), get_sub_group_local_id(), get_sub_group_size(), n));
        if (get_sub_group_local_id() == 0)
            out[segment] = value;
    }
}
