//@ name:   prod_last_twice
//@ idea:   each element is a factor once, the last one twice
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u64, f16, f32, f64
//@ ops:    prod, xor
//@ source: a slip of the pen
// where: n > 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    RED_A value = i < n ? RED_LOAD(i) : RED_IDENTITY;
    if (i + 1 == n)
        value = RED_COMBINE(value, value);
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
