//@ name:      wrong_at_257_bins
//@ primitive: histogram
//@ idea:      with 257 bins the first element is not counted
//@ span:      stride
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     f32
//@ ops:       all
//@ bins:      65536
//@ source:    a loop that was made to fit one number of bins
// where: bins == 257 && n > 0

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint bin = RED_BIN(red_x[i]);
        if (RED_BINS != 257 || i > 0)
            RED_ATOMIC(&out[bin], (RED_A)1);
    }
}
