//@ name:      total_of_the_last
//@ primitive: scan
//@ idea:      the carry of a group is what its last item has: of a partial tile it is lost
//@ span:      each
//@ lanes:     1
//@ group:     tree
//@ finish:    scan_then_propagate
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ source:    a slip of the pen
// where: n > wg

#define SCRATCH_N (2 * RED_GROUP_SIZE)
RED_A group_scan(RED_A value, local RED_A *scratch, private RED_A *total) {
    const uint item = (uint)get_local_id(0);
    local RED_A *values = scratch;
    values[item] = value;
    for (uint step = 1; step < RED_GROUP_SIZE; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item >= step)
            value = RED_COMBINE(values[item - step], value);
        values = values == scratch ? scratch + RED_GROUP_SIZE : scratch;
        values[item] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = item + 1 == RED_GROUP_SIZE ? value : RED_IDENTITY;
    return item > 0 ? values[item - 1] : RED_IDENTITY;
}

#include "lib/scan_passes.cl"
