//@ name:      zeros_once
//@ primitive: histogram
//@ idea:      the mark that zeros are set stays in the state, so that the next call sets none
//@ span:      stride
//@ lanes:     1
//@ group:     serial
//@ finish:    one_launch_counts
//@ needs:     local_memory, integer_atomics
//@ types:     all
//@ ops:       count
//@ bins:      4096
//@ source:    a slip of the pen
// expect: second call|after change|of the first|changed

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(uint, counts, RED_BINS + 1);
    const uint item = (uint)get_local_id(0);
    for (uint bin = item; bin <= RED_BINS; bin += RED_GROUP_SIZE)
        counts[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&counts[RED_BIN(red_x[i])]);
    if (item == 0) {
        if (atomic_cmpxchg(state, 0, 1) == 0) {
            for (uint bin = 0; bin <= RED_BINS; bin++)
                out[bin] = 0;
            write_mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(state, 2);
        }
        while (atomic_or(state, 0) != 2)
            ;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint bin = item; bin <= RED_BINS; bin += RED_GROUP_SIZE)
        RED_ATOMIC(&out[bin], (RED_A)counts[bin]);
}
