//@ name:        sub_group_scan
//@ primitive:   scan
//@ idea:        sub_group_scan_inclusive_<op>; the first sub-group scans what the others have in local memory
//@ span:        each
//@ lanes:       1
//@ group:       sub_group
//@ finish:      scan_then_propagate
//@ needs:       local_memory, sub_groups, sub_group_scans
//@ types:       all
//@ ops:         all
//@ source:      OpenCL C 3.0 section 6.15.19
//@ counterpart: hillis_steele
//@ variant:     sub_group_scan_exclusive EXCLUSIVE=1
//@ idea:        sub_group_scan_exclusive_<op>, combined with the element where inclusive
//@ needs:       local_memory, sub_groups, sub_group_exclusive_scans
//@ variant:     sub_group_scan_reduced REDUCE_FIRST=1
//@ idea:        the groups' sums first, by a tree; when their prefixes are known, one sub_group_scan
//@ finish:      reduce_then_scan
//@ counterpart: hillis_steele_reduced

#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

/* An item's place is that of its sub-group and its own there, whatever its number in the group. */
#define PLACE (get_sub_group_id() * get_max_sub_group_size() + get_sub_group_local_id())
#ifdef EXCLUSIVE
#define SCAN_INCLUSIVE(value) RED_COMBINE(RED_NAMED_(sub_group_scan_exclusive_, )(value), value)
#else
#define SCAN_INCLUSIVE(value) RED_NAMED_(sub_group_scan_inclusive_, )(value)
#endif
#define SCRATCH_N (2 * RED_GROUP_SIZE)

/* In `sums` each sub-group's last item leaves the sum, and the first sub-group makes prefixes of them. */
RED_A group_scan(const RED_A value, local RED_A *scratch, private RED_A *total) {
    local RED_A *sums = scratch + RED_GROUP_SIZE;
    const uint lane = get_sub_group_local_id(), lanes_n = get_sub_group_size(), sums_n = get_num_sub_groups();
#ifdef EXCLUSIVE
    RED_A before = RED_NAMED_(sub_group_scan_exclusive_, )(value);
    const RED_A with = RED_COMBINE(before, value);
#else
    const RED_A with = SCAN_INCLUSIVE(value);
    scratch[PLACE] = with;
#endif
    if (lane == lanes_n - 1)
        sums[get_sub_group_id()] = with;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_id() == 0) {
        RED_A lower = RED_IDENTITY;
        for (uint first = 0; first < sums_n; first += lanes_n) {
            const uint i = first + lane;
            const RED_A own = i < sums_n ? sums[i] : RED_IDENTITY, sum = SCAN_INCLUSIVE(own);
            if (i < sums_n)
                sums[i] = RED_COMBINE(lower, sum);
            if (first + lanes_n < sums_n)
                lower = RED_COMBINE(lower, RED_NAMED_(sub_group_reduce_, )(own));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#ifndef EXCLUSIVE
    const RED_A before = lane > 0 ? scratch[PLACE - 1] : RED_IDENTITY;
#endif
    *total = sums[sums_n - 1];
    return get_sub_group_id() > 0 ? RED_COMBINE(sums[get_sub_group_id() - 1], before) : before;
}

#include "lib/scan_passes.cl"
