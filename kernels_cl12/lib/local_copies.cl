/* A group's counts in local memory, in COPIES copies: those of a bin are neighbours, and an item counts in
 * that of its lane, so that items which find the same bin at the same time meet less: with 32 copies no two
 * of 32 lanes ever meet in a bank, whatever the data. A group counts at most RED_ROUND_N elements before it
 * hands over.
 * Who includes this has defined LOCAL_COUNT(p), which adds 1 to a count there. */

/* A byte has no more than 256 bins. */
#if RED_T_BITS == 8 && RED_BINS >= 256
#define LOCAL_N 256
#else
#define LOCAL_N RED_COUNTS_N
#endif

/* As many copies as lanes would meet in, and as 32 KB have room for. Of elements of 32 bits there are so few
 * to count, against loads, that 8 do. */
#ifndef COPIES_MAX
#define COPIES_MAX (256 / RED_T_BITS)
#endif
#define COPIES_FIT(c) (COPIES_MAX >= c && RED_GROUP_SIZE >= c && LOCAL_N * c <= 8192)
#if COPIES_FIT(32)
#define COPIES 32
#elif COPIES_FIT(16)
#define COPIES 16
#elif COPIES_FIT(8)
#define COPIES 8
#elif COPIES_FIT(4)
#define COPIES 4
#elif COPIES_FIT(2)
#define COPIES 2
#else
#define COPIES 1
#endif

#define COUNTS     local uint *counts
#define COUNT(bin) LOCAL_COUNT(&counts[(bin)*COPIES + get_local_id(0) % COPIES])
/* load_first_turn, count_stride */
#include "lib/count_stride.cl"

/* Counts the group's share, from nothing on. Who calls this waits for the group's other items. */
void count_group(RED_INPUT, const ulong n, COUNTS) {
    RED_WORDS v[RED_LOADS];
    load_first_turn(RED_ARGS, n, v);
    for (uint i = (uint)get_local_id(0); i < LOCAL_N * COPIES; i += RED_GROUP_SIZE)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    count_stride(RED_ARGS, n, v, counts);
}

/* What the group's copies have of a bin. Each item begins at another copy: of 32 copies they meet in no bank.
 * All loads are in flight at once; NVIDIA's compiler would else take four at a time (H200, u8, n = 2^26: 0.8
 * us more). */
uint count_of(local const uint *counts, const uint bin) {
    uint count = 0;
#pragma unroll
    for (uint c = 0; c < COPIES && bin < LOCAL_N; c++)
        count += counts[bin * COPIES + (c + get_local_id(0)) % COPIES];
    return count;
}
