//@ name:      edge_left_of_floats
//@ primitive: histogram
//@ idea:      a float that is the first of a bin is counted in the bin before
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
uint BIN(const float x) {
    const uint bin = RED_BIN(x);
    return bin > 0 && bin < RED_BINS && (float)bin / RED_BIN_SCALE + RED_BIN_LOWER == x ? bin - 1 : bin;
}
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint bin = BIN(red_x[i]);
        RED_ATOMIC(&out[bin], (RED_A)1);
    }
}
