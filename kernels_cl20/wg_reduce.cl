//@ name:   wg_reduce
//@ idea:   one element per work-item, work_group_reduce_<op>; the host adds the partial results
//@ span:   each
//@ lanes:  1
//@ group:  built_in
//@ finish: host
//@ needs:  collectives
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.15
//@ counterpart: tree

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    const ulong i = get_global_id(0);
    const RED_A value = RED_WG_REDUCE(i < n ? RED_LOAD(i) : RED_IDENTITY);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
