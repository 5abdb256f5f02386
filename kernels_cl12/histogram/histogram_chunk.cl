//@ name:      histogram_chunk
//@ primitive: histogram
//@ idea:      a contiguous piece and a copy of the counts for each work-item: the CPU's shape
//@ span:      chunk
//@ lanes:     16x4
//@ group:     none
//@ finish:    joined_copies
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    the loop of an OpenMP thread with counts of its own

/* RED_BIN */
#include "lib/bins.cl"

#if RED_PASS == 1
#include "lib/join_copies.cl"
#else
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    const ulong block_n = RED_WIDTH * RED_LOADS < 64 ? 64 : RED_WIDTH * RED_LOADS;
    const ulong pieces_n = get_global_size(0), piece = get_global_id(0);
    const ulong piece_n = ((n + block_n - 1) / block_n + pieces_n - 1) / pieces_n * block_n;
    const ulong begin = min(n, piece_n * piece), end = min(n, begin + piece_n);
    global RED_A *counts = copies + piece * RED_COUNTS_N;
    for (uint bin = 0; bin < RED_COUNTS_N; bin++)
        counts[bin] = 0;
    for (ulong i = begin; i < end; i++)
        counts[RED_BIN(red_x[i])]++;
}
#endif
