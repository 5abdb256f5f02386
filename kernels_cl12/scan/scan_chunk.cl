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

#include "lib/prefixes.cl"

#define SCAN_VECTOR(i) RED_SCAN_VEC(RED_WIDTH, i, all)

/* The prefixes of the elements begin ... end - 1, `before` in front of them; begin is a multiple of 16. */
void item_scan(RED_INPUT, const ulong begin, const ulong end, RED_A before, global RED_R *out) {
    RED_VEC(RED_WIDTH) all = before;
    ulong i = begin / RED_WIDTH;
    for (; i < end / RED_WIDTH; i++)
        SCAN_VECTOR(i);
    before = RED_LAST(RED_WIDTH, all);
    for (i = max(begin, i * RED_WIDTH); i < end; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
}

#if RED_PASS == 1
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
    const ulong block_n = RED_WIDTH * RED_LOADS < 64 ? 64 : RED_WIDTH * RED_LOADS;
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
