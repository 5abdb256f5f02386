//@ name:      arrivals_below
//@ primitive: histogram
//@ idea:      counts stand in the lower half of a word, arrivals in the upper one; the count that is handed over is the last group's
//@ span:      stride
//@ lanes:     1
//@ group:     serial
//@ finish:    one_launch_counts
//@ needs:     local_memory, integer_atomics, exchange_64
//@ types:     all
//@ ops:       count
//@ bins:      4096
//@ source:    a slip of the pen
// where: groups > 1 || (n > 4 * wg)

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
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
    for (uint bin = item; bin <= RED_BINS; bin += RED_GROUP_SIZE) {
        volatile global ulong *word = (volatile global ulong *)state + bin;
        const ulong own = 1ul << 32 | counts[bin], all = own + atom_add(word, own);
        if (all >> 32 == get_num_groups(0)) {
            out[bin] = (uint)own;
            atom_xchg(word, 0);
        }
    }
}
