//@ name:      one_buffer
//@ primitive: scan
//@ idea:      one buffer for the values of a step and of the next, and no barrier between
//@ span:      each
//@ lanes:     1
//@ group:     tree
//@ finish:    scan_then_propagate
//@ needs:     local_memory
//@ types:     all
//@ ops:       inclusive_sum, exclusive_sum
//@ source:    a slip of the pen
// where: wg > 2 && n > 2

#define SCRATCH_N (2 * RED_GROUP_SIZE)
RED_A group_scan(RED_A value, local RED_A *scratch, private RED_A *total) {
    const uint item = (uint)get_local_id(0);
    local RED_A *values = scratch;
    values[item] = value;
    for (uint step = 1; step < RED_GROUP_SIZE; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item >= step)
            value = RED_COMBINE(values[item - step], value);
        values[item] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = values[RED_GROUP_SIZE - 1];
    return item > 0 ? values[item - 1] : RED_IDENTITY;
}

#include "lib/scan_passes.cl"
