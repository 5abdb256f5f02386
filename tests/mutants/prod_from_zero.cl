//@ name:   prod_from_zero
//@ idea:   items beyond n contribute 0 to a product, and to bits that all must have
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u64, f32
//@ ops:    prod, and
//@ source: a slip of the pen
// where: n % wg != 0 || n == 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = red_group_tree(i < n ? RED_LOAD(i) : (RED_A)0, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
