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
//@ variant:   histogram_chunk_copies COPIES=4
//@ idea:      histogram_chunk, four private copies in turn: no increment waits for that of its neighbour
//@ bins:      4096
//@ variant:   histogram_chunk_last COPIES=4 LAST=1
//@ idea:      histogram_chunk_copies in one launch: the last group hands over; works here, not promised by 1.x
//@ finish:    last_group_counts
//@ needs:     local_memory, integer_atomics
//@ bins:      4096

/* RED_BIN */
#include "lib/bins.cl"

/* is_last_group, last_move_counts */
#include "lib/last_counts.cl"

#if RED_PASS == 1
#include "lib/join_copies.cl"
#else

/* A count that was just stored can only be loaded again some cycles later: lanes that are neighbours count in
 * different copies. Bins are computed by vectors; of narrow elements, which are their bins, each is loaded.
 */
#ifdef COPIES
#define COUNTS                                                                                               \
  private                                                                                                    \
    RED_A *counts
#else
#define COPIES 1
#define COUNTS global RED_A *counts
#endif
#if RED_T_BITS < 32
#define COUNT_LANE(k) counts[0x##k % COPIES * RED_COUNTS_N + RED_BIN(red_x[i * RED_WIDTH + 0x##k])]++;
#else
#define COUNT_LANE(k) counts[0x##k % COPIES * RED_COUNTS_N + RED_LANE(bins, k)]++;
#endif

/* The indices begin ... end - 1, begin a multiple of 16, counted from nothing on. */
void count_range(RED_INPUT, const ulong begin, const ulong end, COUNTS) {
    for (uint i = 0; i < COPIES * RED_COUNTS_N; i++)
        counts[i] = 0;
    ulong i = begin / RED_WIDTH;
    for (; i < end / RED_WIDTH; i++) {
        const RED_OF(uint, RED_WIDTH) bins = RED_BIN_VEC(RED_WIDTH, RED_ELEMENTS(i));
        RED_EACH_LANE(COUNT_LANE)
    }
    for (i = max(begin, i * RED_WIDTH); i < end; i++)
        counts[RED_BIN(red_x[i])]++;
}

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    const ulong block_n = RED_WIDTH * RED_LOADS < 64 ? 64 : RED_WIDTH * RED_LOADS;
    const ulong pieces_n = get_global_size(0), piece = get_global_id(0);
    const ulong piece_n = ((n + block_n - 1) / block_n + pieces_n - 1) / pieces_n * block_n;
    const ulong begin = min(n, piece_n * piece), end = min(n, begin + piece_n);
#if COPIES == 1
    count_range(RED_ARGS, begin, end, copies + piece * RED_COUNTS_N);
#else
#ifdef LAST
    RED_LOCAL(uint, last, 1);
#endif
    RED_A counts[COPIES * RED_COUNTS_N];
    count_range(RED_ARGS, begin, end, counts);
    for (uint bin = 0; bin < RED_COUNTS_N; bin++) {
        RED_A count = 0;
        for (uint c = 0; c < COPIES; c++)
            count += counts[c * RED_COUNTS_N + bin];
#ifdef LAST
        if (count > 0)
            RED_ATOMIC(&LAST_COUNTS[bin], count);
#else
        copies[piece * RED_COUNTS_N + bin] = count;
#endif
    }
#ifdef LAST
    if (is_last_group(state, last))
        last_move_counts(out, state);
#endif
#endif
}
#endif
