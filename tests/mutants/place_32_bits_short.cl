//@ name:   place_32_bits_short
//@ idea:   the place is kept in 8 bits
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, f32
//@ ops:    argmin, argmax
//@ source: a slip of the pen
// where: n > 256
// expect:  at

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = red_group_tree(
        i < n ? (RED_LOAD(i) & ~0xffffff00UL) | (RED_LOAD(i) & (~0UL << 32)) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
