//@ name:      lost_above_4096_bins
//@ primitive: histogram
//@ idea:      with more than 4096 bins the first element is not counted
//@ span:      stride
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     i32
//@ ops:       all
//@ bins:      65536
//@ source:    a table that is too short
// where: bins > 4096 && n > 0

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint bin = RED_BIN(red_x[i]);
        if (RED_BINS <= 4096 || i > 0)
            RED_ATOMIC(&out[bin], (RED_A)1);
    }
}
