//@ name:        wg_scan_reduced
//@ primitive:   scan
//@ idea:        work_group_reduce_<op> first; when the prefixes of the groups' sums are known, one scan
//@ span:        each
//@ lanes:       1
//@ group:       built_in
//@ finish:      reduce_then_scan
//@ needs:       local_memory, collectives, scans
//@ types:       all
//@ ops:         all
//@ source:      OpenCL C 2.0 section 6.13.15
//@ counterpart: hillis_steele_reduced
//@ variant:     wg_scan_host
//@ idea:        wg_scan_reduced, the prefixes of the groups' sums made by the host
//@ finish:      host_carries
//@ needs:       local_memory, collectives, scans
//@ counterpart: hillis_steele_host

#define REDUCE_FIRST

/* Each item has one element, and needs what all items before it have: of the inclusive scan that is the next
 * lower item's value. */
#define SCRATCH_N           RED_GROUP_SIZE
#define GROUP_REDUCE(value) RED_WG_REDUCE(value)
#define GROUP_REDUCE_LOCAL
RED_A group_scan(const RED_A value, local RED_A *scratch, private RED_A *total) {
    const uint item = (uint)get_local_id(0);
    scratch[item] = RED_NAMED_(work_group_scan_inclusive_, )(value);
    barrier(CLK_LOCAL_MEM_FENCE);
    const RED_A before = item > 0 ? scratch[item - 1] : RED_IDENTITY;
    *total = scratch[RED_GROUP_SIZE - 1];
    return before;
}

#include "lib/scan_passes.cl"
