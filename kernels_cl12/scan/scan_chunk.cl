//@ name:      scan_chunk
//@ primitive: scan
//@ idea:      a contiguous piece per work-item, twice: its sum, then its prefixes, by vectors: the CPU's shape
//@ span:      chunk
//@ lanes:     16x4
//@ group:     none
//@ finish:    reduce_then_scan
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    the two passes of an OpenMP scan; prefixes of a vector by log w shuffles: Sklansky 1960
//@ variant:   scan_chunk_chained CHAINED=1
//@ idea:      32768 elements at a time, summed and scanned while they are in cache; works here, not promised
//@ span:      stride
//@ lanes:     32768
//@ finish:    single_pass
//@ needs:     integer_atomics
//@ source:    Yan, Long and Zhang, StreamScan, 2013, for tiles that a CPU's cache holds

#include "lib/prefixes.cl"

#ifdef CHAINED
#define WIDTH 16
#else
#define WIDTH RED_WIDTH
#endif

/* The prefixes of the elements begin ... end - 1, `before` in front of them; begin is a multiple of 16. The
 * next vector waits for one addition of this one, not for its prefixes. */
void item_scan(RED_INPUT, const ulong begin, const ulong end, RED_A before, global RED_R *out) {
    RED_VEC(WIDTH) all = before;
    ulong i = begin / WIDTH;
    for (; i < end / WIDTH; i++) {
        const RED_VEC(WIDTH) none = RED_IDENTITY, loaded = RED_LOAD_VEC(WIDTH, i);
        const RED_VEC(WIDTH) within = RED_PREFIXES(WIDTH, RED_TAKE(none, loaded));
        const RED_VEC(WIDTH) last = RED_LAST(WIDTH, within);
        const RED_VEC(WIDTH) mine = RED_EXCLUSIVE ? RED_LATER(WIDTH, within) : within;
        RED_STORE_VEC(WIDTH, i, RED_TAKE(all, mine));
        all = RED_TAKE(all, last);
    }
    before = RED_LAST(WIDTH, all);
    for (i = max(begin, i * WIDTH); i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
}

RED_A item_sum(RED_INPUT, const ulong begin, const ulong end) {
    RED_VEC(WIDTH) sums[4], next;
    for (uint k = 0; k < 4; k++)
        sums[k] = RED_IDENTITY;
    ulong i = begin / WIDTH;
    for (; i + 4 <= end / WIDTH; i += 4)
        for (uint k = 0; k < 4; k++) {
            next = RED_LOAD_VEC(WIDTH, i + k);
            sums[k] = RED_TAKE(sums[k], next);
        }
    RED_A sum = RED_FOLD(WIDTH, RED_COMBINE(RED_COMBINE(sums[0], sums[1]), RED_COMBINE(sums[2], sums[3])));
    for (i = max(begin, i * WIDTH); i < end; i++)
        sum = RED_COMBINE(sum, RED_LOAD(i));
    return sum;
}

#ifdef CHAINED
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
        item_scan(RED_ARGS, begin, end, before, out);
    }
}
#elif RED_PASS == 1
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_A before = RED_IDENTITY;
    for (ulong i = 0; i < n && get_local_id(0) == 0; i++) {
        const RED_A carry = carries[i];
        carries[i] = before;
        before = RED_COMBINE(before, carry);
    }
}
#else
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    const ulong block_n = WIDTH * RED_LOADS < 64 ? 64 : WIDTH * RED_LOADS;
    const ulong pieces_n = get_global_size(0), piece = get_global_id(0);
    const ulong piece_n = ((n + block_n - 1) / block_n + pieces_n - 1) / pieces_n * block_n;
    const ulong begin = min(n, piece_n * piece), end = min(n, begin + piece_n);
#if RED_PASS == 0
    carries[piece] = red_item_range(RED_ARGS, begin, end);
#else
    item_scan(RED_ARGS, begin, end, carries[piece], out);
#endif
}
#endif
