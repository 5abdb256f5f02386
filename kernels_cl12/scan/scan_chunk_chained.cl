//@ name:      scan_chunk_chained
//@ primitive: scan
//@ idea:      tiles for a core's cache, summed and scanned once; works here, not promised
//@ span:      chunk
//@ lanes:     32768
//@ group:     none
//@ finish:    single_pass
//@ needs:     integer_atomics, write_read_fence
//@ types:     all
//@ ops:       all
//@ source:    Yan, Long and Zhang, StreamScan, 2013, with tiles that a core's cache holds
//@ order:     fixed

#include "lib/prefixes.cl"

#define TILE_N         (32768 * RED_GROUP_SIZE)
#define VECTORS_N      (TILE_N / 16)
#define SCAN_VECTOR(i) RED_SCAN_VEC(16, i, all)

/* A whole tile, from vector `first` on, and its sum. */
RED_A tile_sum(RED_INPUT, const ulong first) {
    RED_VEC(16) sums = RED_IDENTITY, next;
    for (ulong i = first; i < first + VECTORS_N; i++) {
        next = RED_LOAD_VEC(16, i);
        sums = RED_TAKE(sums, next);
    }
    return RED_FOLD(16, sums);
}

/* The prefixes of a whole tile, and meanwhile the sum of another one, which comes from memory while the first
 * is in cache. */
RED_A tile_scan_and_sum(RED_INPUT, const ulong first, const ulong summed, const RED_A before,
                        global RED_R *out) {
    RED_VEC(16) all = before, sums = RED_IDENTITY, next;
    for (ulong i = 0; i < VECTORS_N; i++) {
        next = RED_LOAD_VEC(16, summed + i);
        sums = RED_TAKE(sums, next);
        SCAN_VECTOR(first + i);
    }
    return RED_FOLD(16, sums);
}

/* The elements from `begin` on, one of the last tiles. */
void tile_scan(RED_INPUT, const ulong begin, const ulong end, RED_A before, global RED_R *out) {
    RED_VEC(16) all = before;
    ulong i = begin / 16;
    for (; i < end / 16; i++)
        SCAN_VECTOR(i);
    before = RED_LAST(16, all);
    for (i *= 16; i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
}

/* state: how many tiles are drawn, the number of the call, and from word 4 on 8 for each tile: the call in
 * which its carry was published, and the carry. The one who draws last begins the next call. */
#define MARK(tile)  ((volatile global uint *)state + 4 + 8 * (ulong)(tile))
#define CARRY(tile) (*(volatile global RED_A *)(MARK(tile) + 2))
uint tile_draw(global uint *state, const uint tiles_n) {
    const uint tile = atomic_inc(state);
    if (tile == tiles_n + (uint)get_num_groups(0) - 1) {
        atomic_inc(state + 1);
        atomic_xchg(state, 0);
    }
    return tile;
}

/* The last of the tiles up to this one whose carry is published; the first one's is the identity. */
uint tile_known(global uint *state, uint tile, const uint call) {
    while (tile > 0 && atomic_or(MARK(tile), 0) != call)
        tile--;
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    return tile;
}

/* The carry of a tile. Whoever has waited for about as long as a tile takes sums the tiles that are missing:
 * the thread that has them may have no core. A carry is published before its tile is overwritten, in place,
 * so if none is afterwards, all elements were read in time. */
#define LOOKS_N (1 << 15)
RED_A tile_carry(RED_INPUT, global uint *state, const uint tile, const uint call) {
    for (uint looks = 0; tile > 0 && looks < LOOKS_N && *MARK(tile) != call;)
        looks++;
    for (uint known = tile_known(state, tile, call);;) {
        RED_A carry = known > 0 ? CARRY(known) : RED_IDENTITY;
        for (uint missing = known; missing < tile; missing++)
            carry = RED_COMBINE(carry, tile_sum(RED_ARGS, (ulong)missing * VECTORS_N));
        read_mem_fence(CLK_GLOBAL_MEM_FENCE);
        const uint now = tile_known(state, tile, call);
        if (now == known)
            return carry;
        known = now;
    }
}

/* A tile's sum is known before the prefixes of the tile before it in this group are stored. The fence behind
 * a mark keeps the order that tile_carry stands on, of mark and overwritten elements. All of this is what
 * drivers do; OpenCL 1.x promises nothing between groups. */
RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    const uint tiles_n = (uint)((n + TILE_N - 1) / TILE_N);
    if (get_local_id(0) > 0) /* lanes of one vector would wait for each other */
        return;
    const uint call = atomic_or(state + 1, 0) + 1;
    uint tile = tile_draw(state, tiles_n), next;
    RED_A sum = tile + 1 < tiles_n ? tile_sum(RED_ARGS, (ulong)tile * VECTORS_N) : RED_IDENTITY;
    for (; tile < tiles_n; tile = next) {
        const RED_A before = tile_carry(RED_ARGS, state, tile, call);
        next = tile_draw(state, tiles_n);
        if (tile + 1 < tiles_n) {
            CARRY(tile + 1) = RED_COMBINE(before, sum);
            write_mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(MARK(tile + 1), call);
            write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        }
        if (next + 1 < tiles_n)
            sum = tile_scan_and_sum(RED_ARGS, (ulong)tile * VECTORS_N, (ulong)next * VECTORS_N, before, out);
        else
            tile_scan(RED_ARGS, (ulong)tile * TILE_N, min(n, (ulong)(tile + 1) * TILE_N), before, out);
    }
}
