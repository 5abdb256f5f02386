//@ name:      first_group_moves
//@ primitive: histogram
//@ idea:      the group that comes first moves the counts
//@ span:      stride
//@ lanes:     1
//@ group:     serial
//@ finish:    one_launch_counts
//@ needs:     local_memory, integer_atomics
//@ types:     all
//@ ops:       all
//@ bins:      4096
//@ source:    a slip of the pen
// where: n > 0

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
    global RED_A *totals = (global RED_A *)(state + 4);
    for (uint bin = item; bin <= RED_BINS; bin += RED_GROUP_SIZE)
        RED_ATOMIC(&totals[bin], (RED_A)counts[bin]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (item == 0)
        counts[0] = atomic_inc(state) == 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!counts[0])
        return;
    for (uint bin = item; bin <= RED_BINS; bin += RED_GROUP_SIZE)
        out[bin] = RED_XCHG(&totals[bin], 0);
}
