//@ name:      scan_chunk_chained
//@ primitive: scan
//@ idea:      32768 elements at a time, summed and scanned while they are in cache; works here, not promised
//@ span:      stride
//@ lanes:     32768
//@ group:     none
//@ finish:    single_pass
//@ needs:     integer_atomics
//@ types:     all
//@ ops:       all
//@ source:    Yan, Long and Zhang, StreamScan, 2013, with tiles that a core's cache holds

#define RED_PREFIX_WIDTH 16
#include "lib/prefixes.cl"

RED_A item_sum(RED_INPUT, const ulong begin, const ulong end) {
    RED_VEC(16) a = RED_IDENTITY, b = a, c = a, d = a, next;
#define TAKE(sums, k)                                                                                        \
    next = RED_LOAD_VEC(16, i + (k));                                                                        \
    sums = RED_TAKE(sums, next);
    ulong i = begin / 16;
    for (; i + 4 <= end / 16; i += 4) {
        TAKE(a, 0) TAKE(b, 1) TAKE(c, 2) TAKE(d, 3)
    }
    RED_A sum = RED_FOLD(16, RED_COMBINE(RED_COMBINE(a, b), RED_COMBINE(c, d)));
    for (i *= 16; i < end; i++)
        sum = RED_COMBINE(sum, RED_LOAD(i));
    return sum;
}

/* state: the next tile's number, and from word 4 on 8 for each tile: whether its carry is there, and the
 * carry. Who takes a carry takes the mark away; who draws the last number of this call sets it back. */
#define TILE_N (32768 * RED_GROUP_SIZE)
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    const uint tiles_n = (uint)((n + TILE_N - 1) / TILE_N), groups_n = (uint)get_num_groups(0);
    while (get_local_id(0) == 0) { /* one item: lanes of one vector would wait for each other */
        const uint tile = atomic_inc(state);
        if (tile == tiles_n + groups_n - 1)
            atomic_xchg(state, 0);
        if (tile >= tiles_n)
            return;
        const ulong begin = (ulong)tile * TILE_N, end = min(n, begin + TILE_N);
        volatile global uint *mine = state + 4 + 8 * tile, *next = mine + 8;
        RED_A sum = RED_IDENTITY, before = RED_IDENTITY;
        if (tile + 1 < tiles_n)
            sum = item_sum(RED_ARGS, begin, end);
        if (tile > 0) {
            while (*mine == 0)
                ;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            before = *(volatile global RED_A *)(mine + 2);
            atomic_xchg(mine, 0);
        }
        if (tile + 1 < tiles_n) {
            *(volatile global RED_A *)(next + 2) = RED_COMBINE(before, sum);
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(next, 1);
        }
        red_item_prefixes(RED_ARGS, begin, end, before, out);
    }
}
