//@ name:      value_modulo_bins
//@ primitive: histogram
//@ idea:      values of more than the bins are counted from the first bin on again
//@ span:      stride
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     u8,u16
//@ ops:       all
//@ bins:      65536
//@ source:    a slip of the pen
// where: n > 0

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint bin = red_x[i] % RED_BINS;
        RED_ATOMIC(&out[bin], (RED_A)1);
    }
}
