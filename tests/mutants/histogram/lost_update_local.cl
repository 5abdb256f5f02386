//@ name:      lost_update_local
//@ primitive: histogram
//@ idea:      items that count the same bin at the same time count once
//@ span:      stride
//@ lanes:     1
//@ group:     serial
//@ finish:    zeroed_counts
//@ needs:     local_memory, integer_atomics
//@ types:     all
//@ ops:       all
//@ bins:      4096
//@ source:    a slip of the pen
// where: n > 1 && wg > 1

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(uint, counts, RED_BINS + 1);
    const uint item = (uint)get_local_id(0);
    for (uint bin = item; bin <= RED_BINS; bin += RED_GROUP_SIZE)
        counts[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong turns_n = (n + get_global_size(0) - 1) / get_global_size(0);
    for (ulong turn = 0; turn < turns_n; turn++) {
        const ulong i = turn * get_global_size(0) + get_global_id(0);
        const uint bin = i < n ? RED_BIN(red_x[i]) : 0, count = counts[bin];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < n)
            counts[bin] = count + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = item; bin <= RED_BINS; bin += RED_GROUP_SIZE)
        RED_ATOMIC(&out[bin], (RED_A)counts[bin]);
}
