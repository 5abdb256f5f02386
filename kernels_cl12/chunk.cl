//@ name:   chunk
//@ idea:   one contiguous piece per work-item, four vector accumulators: the CPU's shape
//@ span:   chunk
//@ lanes:  64
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: the static schedule of an OpenMP loop, OpenMP 5.0 section 2.9.2

/* Pieces are whole blocks of 64 elements: aligned vector loads, and the tail lies in the last piece only. */
RED_A item_chunk(RED_INPUT, const ulong n) {
    const ulong items_n = get_global_size(0), blocks_n = (n + 63) / 64;
    const ulong piece_blocks_n = (blocks_n + items_n - 1) / items_n;
    const ulong begin = min(n, 64 * piece_blocks_n * get_global_id(0));
    const ulong end = min(n, begin + 64 * piece_blocks_n);
    RED_VEC(16) a = RED_IDENTITY, b = RED_IDENTITY, c = RED_IDENTITY, d = RED_IDENTITY;
    ulong i = begin;
    for (; i + 64 <= end; i += 64) {
        a = RED_COMBINE(a, RED_LOAD_VEC(16, i / 16));
        b = RED_COMBINE(b, RED_LOAD_VEC(16, i / 16 + 1));
        c = RED_COMBINE(c, RED_LOAD_VEC(16, i / 16 + 2));
        d = RED_COMBINE(d, RED_LOAD_VEC(16, i / 16 + 3));
    }
    RED_A value = red_fold16(RED_COMBINE(RED_COMBINE(a, b), RED_COMBINE(c, d)));
    for (; i < end; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(item_chunk(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
