//@ name:   index_24_bits
//@ idea:   the index is a product of 24-bit integers
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  f32
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: n > 1 << 24

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const ulong j = (ulong)(mul24((uint)get_group_id(0) * RED_GROUP_SIZE, 1u) & 0xffffffu) + get_local_id(0);
    const RED_A value = red_group_tree(j < n ? RED_LOAD(j) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
