//@ name:      zeros_behind_last_bin
//@ primitive: histogram
//@ idea:      the count of what is out of range is not set to zero
//@ span:      stride
//@ lanes:     1
//@ group:     serial
//@ finish:    one_launch_counts
//@ needs:     local_memory, integer_atomics
//@ types:     all
//@ ops:       count
//@ bins:      4096
//@ source:    a slip of the pen
// where: n >= 0

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
            for (uint bin = 0; bin < RED_BINS; bin++)
                out[bin] = 0;
            write_mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(state, 2);
        }
        while (atomic_or(state, 0) != 2)
            ;
        if (atomic_inc(state + 1) + 1 == get_num_groups(0)) {
            atomic_xchg(state + 1, 0);
            atomic_xchg(state, 0);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint bin = item; bin <= RED_BINS; bin += RED_GROUP_SIZE)
        RED_ATOMIC(&out[bin], (RED_A)counts[bin]);
}
