//@ name:      padding_overlaps
//@ primitive: scan
//@ idea:      values have gaps against bank conflicts, and the prefixes stand where the last ones lie
//@ span:      each
//@ lanes:     1
//@ group:     tree
//@ finish:    scan_then_propagate
//@ needs:     local_memory
//@ types:     all
//@ ops:       all
//@ source:    a slip of the pen
// where: wg > 32

#define AT(place) ((place) + (place) / 32)
#define SCRATCH_N (2 * AT(RED_GROUP_SIZE))
RED_A group_scan(const RED_A value, local RED_A *scratch, private RED_A *total) {
    const uint item = (uint)get_local_id(0);
    local RED_A *prefixes = scratch + RED_GROUP_SIZE;
    scratch[AT(item)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        RED_A before = RED_IDENTITY;
        for (uint i = 0; i < RED_GROUP_SIZE; i++) {
            prefixes[i] = before;
            before = RED_COMBINE(before, scratch[AT(i)]);
        }
        prefixes[RED_GROUP_SIZE] = before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = prefixes[RED_GROUP_SIZE];
    return prefixes[item];
}

#include "lib/scan_passes.cl"
