//@ name:      item_copies
//@ primitive: histogram
//@ idea:      a private copy of the counts for each work-item, a tree for each bin, the groups' copies joined
//@ span:      stride
//@ lanes:     4x4
//@ group:     tree
//@ finish:    joined_copies
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ bins:      256
//@ source:    Podlozhnyuk, Histogram calculation in CUDA, 2007: counts of a thread's own, which need no atomics

/* RED_BIN */
#include "lib/bins.cl"

#if RED_PASS == 1
#include "lib/join_copies.cl"
#else

#define GROUP_REDUCE(value) red_group_tree(value, scratch)
/* item_copies */
#include "lib/item_copies.cl"

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    item_copies(RED_ARGS, n, scratch, copies + get_group_id(0) * RED_COUNTS_N);
}
#endif
