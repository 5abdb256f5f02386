//@ name:   chunk
//@ idea:   one contiguous piece per work-item, several vector accumulators: the CPU's shape
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: the static schedule of an OpenMP loop, OpenMP 5.0 section 2.9.2

/* Pieces are whole blocks of all lanes, of 64 elements at least: aligned vector loads, and the tail lies in
 * the last piece only. */
#define LANES (RED_WIDTH * RED_LOADS)
#define BLOCK (LANES < 64 ? 64 : LANES)
RED_A item_chunk(RED_INPUT, const ulong n) {
    const ulong items_n = get_global_size(0), blocks_n = (n + BLOCK - 1) / BLOCK;
    const ulong piece_blocks_n = (blocks_n + items_n - 1) / items_n;
    const ulong begin = min(n, BLOCK * piece_blocks_n * get_global_id(0));
    const ulong end = min(n, begin + BLOCK * piece_blocks_n);
    RED_VEC(RED_WIDTH) sums[RED_LOADS];
#define START(j) sums[j] = RED_IDENTITY;
#define STEP(j)  sums[j] = RED_COMBINE(sums[j], RED_LOAD_VEC(RED_WIDTH, i / RED_WIDTH + j));
    RED_EACH_LOAD(START)
    ulong i = begin;
    for (; i + LANES <= end; i += LANES) {
        RED_EACH_LOAD(STEP)
    }
    RED_A value = RED_FOLD_LOADS(sums);
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
