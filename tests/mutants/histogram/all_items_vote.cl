//@ name:        all_items_vote
//@ primitive:   histogram
//@ idea:        of a sub-group's items those behind the end vote, too: for the first bin
//@ span:        stride
//@ lanes:       1
//@ group:       sub_group
//@ finish:      zeroed_counts
//@ needs:       integer_atomics, sub_group_ballots
//@ types:       all
//@ ops:         all
//@ bins:        65536
//@ source:      a slip of the pen
//@ counterpart: local_counts
// A group of one item shows it, too, where the driver counts the bits of items that are not there.
// where: n > 0

#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    const uint item = (uint)get_local_id(0);
    for (ulong turn = get_group_id(0) * RED_GROUP_SIZE; turn < n; turn += get_global_size(0)) {
        const bool has = turn + item < n;
        const uint bin = has ? RED_BIN(red_x[turn + item]) : 0;
        uint4 equals = ~(uint4)0;
        for (uint bit = 1; bit <= RED_BINS; bit *= 2) {
            const uint4 votes = sub_group_ballot((bin & bit) != 0);
            equals &= bin & bit ? votes : ~votes;
        }
        if (has && sub_group_ballot_find_lsb(equals) == get_sub_group_local_id())
            RED_ATOMIC(&out[bin], (RED_A)sub_group_ballot_bit_count(equals));
    }
}
