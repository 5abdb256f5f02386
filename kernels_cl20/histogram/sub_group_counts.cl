//@ name:        sub_group_counts
//@ primitive:   histogram
//@ idea:        local_counts; of a sub-group's equal bins, found by votes on each bit, the first item counts all
//@ span:        stride
//@ lanes:       1
//@ group:       sub_group
//@ finish:      zeroed_counts
//@ needs:       local_memory, integer_atomics, sub_groups
//@ types:       all
//@ ops:         all
//@ bins:        8000
//@ source:      OpenCL C 3.0 section 6.15.19; Ashkiani et al., GPU Multisplit, 2016
//@ counterpart: local_counts
//@ variant:     sub_group_ballot_counts BALLOTS=1
//@ idea:        sub_group_counts, the votes by sub_group_ballot: of a sub-group of 128 items at most
//@ needs:       local_memory, integer_atomics, sub_group_ballots
//@ source:      OpenCL Extension Specification, cl_khr_subgroup_ballot; Ashkiani et al., GPU Multisplit, 2016

#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

/* RED_BIN, RED_ROUND_N */
#include "lib/bins.cl"

/* Which items of the sub-group vote yes; how many votes there are; whether this item's is the first. */
#ifdef BALLOTS
typedef uint4 red_votes;
#define VOTES_OF_SUB_GROUP(yes) sub_group_ballot(yes)
#define VOTES_N(votes)          sub_group_ballot_bit_count(votes)
#define IS_FIRST(votes)         (sub_group_ballot_find_lsb(votes) == get_sub_group_local_id())
#else
typedef uint red_votes;
#define VOTES_OF_SUB_GROUP(yes) votes_of_32(yes)
#define VOTES_N(votes)          popcount(votes)
#define IS_FIRST(votes)         (((votes) & ((1u << get_sub_group_local_id() % 32) - 1)) == 0)

/* Those of this item's 32: a sum of powers of two. */
uint votes_of_32(const bool yes) {
    const uint item = get_sub_group_local_id(), own = 1u << item % 32;
    uint votes = 0;
    for (uint first = 0; first < get_max_sub_group_size(); first += 32) {
        const bool is_own = item - first < 32;
        const uint found = (uint)RED_NAMED_(sub_group_reduce_, )((RED_A)(is_own && yes ? own : 0));
        votes = is_own ? found : votes;
    }
    return votes;
}
#endif

/* All items of the sub-group come, those without an element, too. */
void count_by_sub_group(const bool has, const uint bin, local uint *counts) {
    red_votes equals = VOTES_OF_SUB_GROUP(has);
    for (uint bit = 1; bit <= RED_BINS; bit *= 2) {
        const red_votes votes = VOTES_OF_SUB_GROUP((bin & bit) != 0);
        equals &= bin & bit ? votes : ~votes;
    }
    if (has && IS_FIRST(equals))
        atomic_add(&counts[bin], VOTES_N(equals));
}

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(uint, counts, RED_COUNTS_N);
    const uint item = (uint)get_local_id(0);
    for (ulong first = 0; first == 0 || first < n; first += RED_ROUND_N) {
        const ulong end = first + min(n - first, RED_ROUND_N);
        for (uint bin = item; bin < RED_COUNTS_N; bin += RED_GROUP_SIZE)
            counts[bin] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (ulong turn = first + get_group_id(0) * RED_GROUP_SIZE; turn < end; turn += get_global_size(0)) {
            const bool has = turn + item < end;
            count_by_sub_group(has, has ? RED_BIN(red_x[turn + item]) : 0, counts);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint bin = item; bin < RED_COUNTS_N; bin += RED_GROUP_SIZE)
            if (counts[bin] > 0)
                RED_ATOMIC(&out[bin], (RED_A)counts[bin]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
