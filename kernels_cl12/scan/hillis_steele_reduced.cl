//@ name:      hillis_steele_reduced
//@ primitive: scan
//@ idea:      the groups' sums first, by a tree; when their prefixes are known, one scan by doubling
//@ span:      each
//@ lanes:     1
//@ group:     tree
//@ finish:    reduce_then_scan
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ source:    Merrill and Grimshaw, Parallel scan for stream architectures, 2009
//@ variant:   hillis_steele_host
//@ idea:      hillis_steele_reduced, the prefixes of the groups' sums made by the host
//@ finish:    host_carries
//@ source:    hillis_steele_reduced

#define REDUCE_FIRST

/* Two buffers take turns: who reads a step's values never meets who writes the next one's. */
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
    *total = values[RED_GROUP_SIZE - 1];
    return item > 0 ? values[item - 1] : RED_IDENTITY;
}

#include "lib/scan_passes.cl"
