//@ name:        wg_reduce_counts
//@ primitive:   histogram
//@ idea:        item_copies, a work_group_reduce_add for each bin
//@ span:        stride
//@ lanes:       4x4
//@ group:       built_in
//@ finish:      joined_copies
//@ needs:       collectives
//@ types:       all
//@ ops:         all
//@ bins:        256
//@ source:      OpenCL C 2.0 section 6.13.15
//@ counterpart: item_copies

/* RED_BIN */
#include "lib/bins.cl"

#if RED_PASS == 1
#include "lib/join_copies.cl"
#else

#define GROUP_REDUCE(value) RED_WG_REDUCE(value)
/* item_copies */
#include "lib/item_copies.cl"

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    item_copies(RED_ARGS, n, 0, copies + get_group_id(0) * RED_COUNTS_N);
}
#endif
