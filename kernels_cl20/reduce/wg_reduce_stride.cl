//@ name:   wg_reduce_stride
//@ idea:   private sums over a grid stride, then work_group_reduce_<op>
//@ span:   stride
//@ lanes:  4x4
//@ group:  built_in
//@ finish: host
//@ needs:  collectives
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.15; grid_stride_vec with the built-in for the tree
//@ counterpart: grid_stride_vec

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    const RED_A value = RED_WG_REDUCE(red_item_stride(RED_ARGS, n));
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
