//@ name:        wg_scan
//@ primitive:   scan
//@ idea:        work_group_scan_inclusive_<op>, a place later where exclusive; carries in a third pass
//@ span:        each
//@ lanes:       1
//@ group:       built_in
//@ finish:      scan_then_propagate
//@ needs:       local_memory, scans
//@ types:       all
//@ ops:         all
//@ source:      OpenCL C 2.0 section 6.13.15
//@ counterpart: hillis_steele
//@ variant:     wg_scan_exclusive EXCLUSIVE=1
//@ idea:        work_group_scan_exclusive_<op>, combined with the element where inclusive
//@ needs:       local_memory, exclusive_scans
//@ variant:     wg_scan_reduced REDUCE_FIRST=1
//@ idea:        work_group_reduce_<op> first; when the prefixes of the groups' sums are known, one scan
//@ finish:      reduce_then_scan
//@ needs:       local_memory, collectives, scans
//@ counterpart: hillis_steele_reduced
//@ variant:     wg_scan_host REDUCE_FIRST=1
//@ idea:        wg_scan_reduced, the prefixes of the groups' sums made by the host
//@ finish:      host_carries
//@ needs:       local_memory, collectives, scans
//@ counterpart: hillis_steele_host
//@ variant:     wg_scan_two_levels
//@ idea:        wg_scan, the carries scanned as the elements are: by many groups
//@ finish:      two_levels
//@ counterpart: hillis_steele_two_levels

/* Each item has one element, and needs what all items before it have: of the inclusive scan that is the next
 * lower item's value. */
#define SCRATCH_N           RED_GROUP_SIZE
#define GROUP_REDUCE(value) RED_WG_REDUCE(value)
#define GROUP_REDUCE_LOCAL
RED_A group_scan(const RED_A value, local RED_A *scratch, private RED_A *total) {
    const uint item = (uint)get_local_id(0);
#ifdef EXCLUSIVE
    const RED_A before = RED_NAMED_(work_group_scan_exclusive_, )(value);
    if (item == RED_GROUP_SIZE - 1)
        scratch[item] = RED_COMBINE(before, value);
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    scratch[item] = RED_NAMED_(work_group_scan_inclusive_, )(value);
    barrier(CLK_LOCAL_MEM_FENCE);
    const RED_A before = item > 0 ? scratch[item - 1] : RED_IDENTITY;
#endif
    *total = scratch[RED_GROUP_SIZE - 1];
    return before;
}

#include "lib/scan_passes.cl"
