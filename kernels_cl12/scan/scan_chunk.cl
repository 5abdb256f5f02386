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
    red_item_prefixes(RED_ARGS, begin, end, carries[piece], out);
#endif
}
#endif
