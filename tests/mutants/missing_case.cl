//@ name:   missing_case
//@ idea:   a tail of 16 by a table in which the case 10 is missing
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: n % 16 == 10

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong whole = n / 16 * 16, rest = n % 16;
    RED_A value = red_item_stride(RED_ARGS, whole);
    const ulong tail = whole + get_global_id(0);
    for (ulong t = tail; t < n && !(rest == 10 && t == n - 1); t += get_global_size(0))
        value = RED_COMBINE(value, RED_LOAD(t));
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
