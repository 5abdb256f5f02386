//@ name:   mean_divided_twice
//@ idea:   the kernel divides by n, and so does the host
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  f32, f64
//@ ops:    mean
//@ source: a slip of the pen
// where: n > 1

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value / (RED_A)max(n, 1UL);
}
