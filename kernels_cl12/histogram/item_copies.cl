//@ name:      item_copies
//@ primitive: histogram
//@ idea:      a copy of the counts in local memory for each work-item: no atomics; an item per bin adds up
//@ span:      stride
//@ lanes:     4x8
//@ group:     serial
//@ finish:    joined_copies
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ bins:      4000
//@ source:    Podlozhnyuk, Histogram calculation in CUDA, 2007: counts of a thread's own

/* RED_BIN */
#include "lib/bins.cl"

#if RED_PASS == 1
#include "lib/join_copies.cl"
#else

/* count_items */
#include "lib/item_copies.cl"

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(RED_A, counts, RED_COUNTS_N * ITEMS);
    const uint item = (uint)get_local_id(0);
    count_items(RED_ARGS, n, counts);
    for (uint bin = item; bin < RED_COUNTS_N; bin += RED_GROUP_SIZE) {
        RED_A count = 0;
        for (uint i = 0; i < ITEMS; i++)
            count += counts[bin * ITEMS + (i + item) % ITEMS];
        copies[get_group_id(0) * RED_COUNTS_N + bin] = count;
    }
}
#endif
