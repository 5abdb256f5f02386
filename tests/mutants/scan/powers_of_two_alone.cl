//@ name:      powers_of_two_alone
//@ primitive: scan
//@ idea:      the last step of a group that is no power of two is left out
//@ span:      each
//@ lanes:     1
//@ group:     tree
//@ finish:    scan_then_propagate
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ source:    a slip of the pen
// where: (wg & (wg - 1)) != 0

#define SCRATCH_N (2 * RED_GROUP_SIZE)
RED_A group_scan(RED_A value, local RED_A *scratch, private RED_A *total) {
    const uint item = (uint)get_local_id(0);
    local RED_A *values = scratch;
    values[item] = value;
    for (uint step = 1; 2 * step <= RED_GROUP_SIZE; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item >= step)
            value = RED_COMBINE(values[item - step], value);
        values = values == scratch ? scratch + RED_GROUP_SIZE : scratch;
        values[item] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = values[RED_GROUP_SIZE - 1];
    return item > 0 ? values[item - 1] : RED_IDENTITY;
}

#include "lib/scan_passes.cl"
