//@ name:      local_unset
//@ primitive: scan
//@ idea:      what stands before the first item is read, and was never written
//@ span:      each
//@ lanes:     1
//@ group:     tree
//@ finish:    scan_then_propagate
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ source:    a slip of the pen
// where: wg > 1

/* As many identities before the values would save the question whether there are so many items. */
#define SCRATCH_N (2 * RED_GROUP_SIZE)
RED_A group_scan(RED_A value, local RED_A *scratch, private RED_A *total) {
    const uint item = RED_GROUP_SIZE + (uint)get_local_id(0);
    for (uint step = 1; step < RED_GROUP_SIZE; step *= 2) {
        scratch[item] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        value = RED_COMBINE(scratch[item - step], value);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    scratch[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = scratch[2 * RED_GROUP_SIZE - 1];
    return item > RED_GROUP_SIZE ? scratch[item - 1] : RED_IDENTITY;
}

#include "lib/scan_passes.cl"
