//@ name:   zero_starts_vectors
//@ idea:   the vector loop of an extreme starts at 0, the loop over what is left at the identity
//@ span:   chunk
//@ lanes:  16
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    min, max
//@ source: a slip of the pen
// class: identity
// where: n >= 16

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong items_n = get_global_size(0), block_n = (n + items_n - 1) / items_n;
    const ulong piece_n = (block_n + 63) / 64 * 64;
    const ulong begin = min(n, piece_n * get_global_id(0)), end = min(n, begin + piece_n);
    RED_VEC(16) sums = 0;
    ulong i = begin;
    for (; i + 16 <= end; i += 16)
        sums = RED_COMBINE(sums, RED_LOAD_VEC(16, i / 16));
    RED_A value = RED_IDENTITY;
    if (i > begin)
        value = RED_FOLD(16, sums);
    for (; i < end; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
