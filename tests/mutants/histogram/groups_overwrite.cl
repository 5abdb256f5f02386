//@ name:      groups_overwrite
//@ primitive: histogram
//@ idea:      a group stores its counts, and does not add them
//@ span:      stride
//@ lanes:     1
//@ group:     serial
//@ finish:    zeroed_counts
//@ needs:     local_memory, integer_atomics
//@ types:     all
//@ ops:       all
//@ bins:      4096
//@ source:    a slip of the pen
// where: n > wg

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(uint, counts, RED_BINS + 1);
    const uint item = (uint)get_local_id(0);
    for (uint bin = item; bin <= RED_BINS; bin += RED_GROUP_SIZE)
        counts[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&counts[RED_BIN(red_x[i])]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = item; bin <= RED_BINS; bin += RED_GROUP_SIZE)
        if (counts[bin] > 0)
            out[bin] = counts[bin];
}
