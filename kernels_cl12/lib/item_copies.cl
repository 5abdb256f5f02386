/* A copy of the counts in local memory for each item, or for as many items as 32 KB have room for; the others
 * only help to add up. The copies of a bin are neighbours. */
#define LOCAL_N    (1024 * 256 / RED_WORD_BITS)
#define ITEMS      (RED_GROUP_SIZE < LOCAL_N / RED_COUNTS_N ? RED_GROUP_SIZE : LOCAL_N / RED_COUNTS_N)
#define COUNTS     local RED_A *counts
#define COUNT(bin) counts[(bin)*ITEMS]++
#define COUNTERS   ITEMS
/* load_first_turn, count_stride */
#include "lib/count_stride.cl"

void count_items(RED_INPUT, const ulong n, COUNTS) {
    const uint item = (uint)get_local_id(0);
    for (uint i = item; i < RED_COUNTS_N * ITEMS; i += RED_GROUP_SIZE)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < ITEMS) {
        RED_WORDS v[RED_LOADS];
        load_first_turn(RED_ARGS, n, v);
        count_stride(RED_ARGS, n, v, counts + item);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
