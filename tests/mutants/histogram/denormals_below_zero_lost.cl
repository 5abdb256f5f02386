//@ name:      denormals_below_zero_lost
//@ primitive: histogram
//@ idea:      negative denormals are not counted
//@ span:      stride
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     f32
//@ ops:       all
//@ bins:      65536
//@ source:    a slip of the pen
// where: n > 0

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint bin = RED_BIN(red_x[i]);
        if (as_uint(red_x[i]) - 0x80000001u > 0x7ffffeu)
            RED_ATOMIC(&out[bin], (RED_A)1);
    }
}
