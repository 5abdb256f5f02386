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

#define COUNTS global RED_A *
/* piece_length, count_piece */
#include "lib/count_piece.cl"

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    global RED_A *counts = copies + get_global_id(0) * RED_COUNTS_N;
    for (uint bin = 0; bin < RED_COUNTS_N; bin++)
        counts[bin] = 0;
    const ulong piece_n = piece_length(n, get_global_size(0)), begin = min(n, piece_n * get_global_id(0));
    count_piece(RED_ARGS, begin, min(n, begin + piece_n), counts, counts);
}
#endif
