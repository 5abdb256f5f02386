//@ name:        wg_reduce_counts
//@ primitive:   histogram
//@ idea:        item_copies, added up by a work_group_reduce_add for each bin
//@ span:        stride
//@ lanes:       4x8
//@ group:       built_in
//@ finish:      joined_copies
//@ needs:       local_memory, collectives
//@ types:       all
//@ ops:         all
//@ bins:        1000
//@ source:      OpenCL C 2.0 section 6.13.15
//@ counterpart: item_copies

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
    for (uint bin = 0; bin < RED_COUNTS_N; bin++) {
        const RED_A count = RED_WG_REDUCE(item < ITEMS ? counts[bin * ITEMS + item] : 0);
        if (item == 0)
            copies[get_group_id(0) * RED_COUNTS_N + bin] = count;
    }
}
#endif
