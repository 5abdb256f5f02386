//@ name:      histogram_chunk_copies
//@ primitive: histogram
//@ idea:      histogram_chunk, four copies in local memory in turn: no increment waits for its neighbour's
//@ span:      chunk
//@ lanes:     16x4
//@ group:     serial
//@ finish:    joined_copies
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ bins:      4000
//@ source:    the loop of an OpenMP thread with several counts of each bin
//@ variant:   histogram_chunk_last LAST=1
//@ idea:      histogram_chunk_copies in one launch: the last group hands over; works here, not promised by 1.x
//@ finish:    last_group_counts
//@ needs:     local_memory, integer_atomics

/* RED_BIN */
#include "lib/bins.cl"

#if RED_PASS == 1
#include "lib/join_copies.cl"
#else

/* is_last_group, last_move_counts */
#ifdef LAST
#include "lib/last_counts.cl"
#endif

/* What 32 KB of local memory have room for, and how many items of a group have a piece then: all of a group
 * of one, as CPUs have them. */
#define LOCAL_N (1024 * 256 / RED_WORD_BITS)
#define COPIES  (4 * RED_COUNTS_N <= LOCAL_N ? 4 : 1)
#define ITEM_N  (COPIES * RED_COUNTS_N)
#define ITEMS   (RED_GROUP_SIZE < LOCAL_N / ITEM_N ? RED_GROUP_SIZE : LOCAL_N / ITEM_N)
#define COUNTS  local RED_A *counts
/* count_piece */
#include "lib/count_piece.cl"

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(RED_A, counts, ITEMS * ITEM_N);
    const uint item = (uint)get_local_id(0);
    const ulong group = get_group_id(0);
    for (uint i = item; i < ITEMS * ITEM_N; i += RED_GROUP_SIZE)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < ITEMS)
        count_piece(RED_ARGS, n, group * ITEMS + item, get_num_groups(0) * ITEMS, counts + item * ITEM_N);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = item; bin < RED_COUNTS_N; bin += RED_GROUP_SIZE) {
        RED_A count = 0;
        for (uint i = bin; i < ITEMS * ITEM_N; i += RED_COUNTS_N)
            count += counts[i];
#ifdef LAST
        if (count > 0)
            RED_ATOMIC(&LAST_COUNTS[bin], count);
#else
        copies[group * RED_COUNTS_N + bin] = count;
#endif
    }
#ifdef LAST
    if (is_last_group(state, (local uint *)counts))
        last_move_counts(out, state);
#endif
}
#endif
