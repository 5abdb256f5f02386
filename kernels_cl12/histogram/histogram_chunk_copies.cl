//@ name:      histogram_chunk_copies
//@ primitive: histogram
//@ idea:      histogram_chunk, copies in local memory, four where many elements are alike, else two
//@ span:      chunk
//@ lanes:     16x4
//@ group:     serial
//@ finish:    joined_copies
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ bins:      3000
//@ source:    the loop of an OpenMP thread with several counts of each bin
//@ variant:   histogram_chunk_last LAST=1
//@ idea:      histogram_chunk_copies in one launch: the last group hands over; works here, not promised by 1.x
//@ finish:    one_launch_counts
//@ needs:     local_memory, integer_atomics, write_read_fence

/* RED_BIN */
#include "lib/bins.cl"

#if RED_PASS == 1
#include "lib/join_copies.cl"
#else

/* is_last_group, last_move_counts */
#ifdef LAST
#include "lib/last_counts.cl"
#endif

/* Copies have words of 32 bits where four of them fit into 32 KB of local memory beside the group's counts:
 * some processors store 16 bits half as fast (AMD Zen 3, Intel's runtime, u8, n = 2^20: 749 us of a core, 382
 * of 32 bits). STRETCH_N elements at most go into copies before these go to the group's counts: 16 bits hold
 * them. */
#if (RED_BINS + 1) * (16 + RED_WORD_BITS / 8) <= 32768
#define COPY_T    uint
#define STRETCH_N 131072
#else
#define COPY_T    ushort
#define STRETCH_N 32768
#endif
/* The first elements show how many are alike. */
#define STRETCH_FIRST_N 4096
/* How many copies an item has, and how many items of a group have a piece: all of a group of one, as CPUs
 * have them. */
#define LOCAL_N   ((32768 - RED_COUNTS_N * RED_WORD_BITS / 8) / (uint)sizeof(COPY_T))
#define COPIES    (4 * RED_COUNTS_N <= LOCAL_N ? 4 : 1)
#define ITEM_N    (COPIES * RED_COUNTS_N)
#define ITEMS     (RED_GROUP_SIZE < LOCAL_N / ITEM_N ? RED_GROUP_SIZE : LOCAL_N / ITEM_N)
#define OTHERS_AT (COPIES == 4 ? 2 * RED_COUNTS_N : 0)
#define COUNTS    local COPY_T *
/* piece_length, count_piece */
#include "lib/count_piece.cl"

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(COPY_T, counts, ITEMS * ITEM_N);
    RED_LOCAL(RED_A, totals, RED_COUNTS_N);
    const uint item = (uint)get_local_id(0);
    const ulong group = get_group_id(0), piece_n = piece_length(n, get_num_groups(0) * ITEMS);
    const ulong begin = min(n, piece_n * (group * ITEMS + item)), end = min(n, begin + piece_n);
    local COPY_T *const mine = counts + item % ITEMS * ITEM_N;
    uint others_at = OTHERS_AT, stretch_n = STRETCH_FIRST_N;
    for (uint i = item; i < ITEMS * ITEM_N; i += RED_GROUP_SIZE)
        counts[i] = 0;
    for (uint bin = item; bin < RED_COUNTS_N; bin += RED_GROUP_SIZE)
        totals[bin] = 0;
    for (ulong done = 0; done < piece_n; done += stretch_n, stretch_n = STRETCH_N) {
        const ulong from = min(end, begin + done), to = min(end, from + stretch_n);
        uint most = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < ITEMS)
            count_piece(RED_ARGS, from, to, mine, mine + others_at);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint bin = item; bin < RED_COUNTS_N; bin += RED_GROUP_SIZE) {
            uint count = 0;
            for (uint copy = 0; copy < ITEMS * COPIES; copy++) {
                count += counts[copy * RED_COUNTS_N + bin];
                counts[copy * RED_COUNTS_N + bin] = 0;
            }
            totals[bin] += count;
            most = max(most, count);
        }
        /* Where many elements have one bin, neighbours do. */
        others_at = most > stretch_n / 12 ? OTHERS_AT : 0;
    }
    for (uint bin = item; bin < RED_COUNTS_N; bin += RED_GROUP_SIZE) {
#ifdef LAST
        if (totals[bin] > 0)
            RED_ATOMIC(&LAST_COUNTS[bin], totals[bin]);
#else
        copies[group * RED_COUNTS_N + bin] = totals[bin];
#endif
    }
#ifdef LAST
    if (is_last_group(state, (local uint *)totals))
        last_move_counts(out, state);
#endif
}
#endif
