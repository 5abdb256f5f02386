//@ name:      last_of_65536_bins_lost
//@ primitive: histogram
//@ idea:      of 65,536 bins the last one is not counted
//@ span:      stride
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     u16, u32, i32, f32
//@ ops:       all
//@ bins:      65536
//@ source:    a number of bins that 16 bits hold as 0
// where: bins == 65536 && n > 0

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint bin = RED_BIN(red_x[i]);
        if (RED_BINS != 65536 || bin != 65535)
            RED_ATOMIC(&out[bin], (RED_A)1);
    }
}
