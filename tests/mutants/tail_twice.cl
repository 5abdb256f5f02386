//@ name:   tail_twice
//@ idea:   the elements behind the last whole vector are added twice
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: n % 4 != 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_A value = RED_IDENTITY;
    value = red_item_stride(RED_ARGS, n);
    const ulong tail = n / 4 * 4 + get_global_id(0);
    if (tail < n)
        value = RED_COMBINE(value, RED_LOAD(tail));
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
