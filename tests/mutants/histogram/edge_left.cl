//@ name:      edge_left
//@ primitive: histogram
//@ idea:      a value that is the first of a bin is counted in the bin before
//@ span:      stride
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     u32,i32
//@ ops:       all
//@ bins:      65536
//@ source:    a slip of the pen
// where: n > 0

#include "lib/bins.cl"
#define RED_AT_EDGE(x) (((uint)(x) - RED_BIN_LOWER) % RED_BIN_WIDTH == 0)
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint bin = RED_BIN(red_x[i]) > 0 && RED_BIN(red_x[i]) < RED_BINS && RED_AT_EDGE(red_x[i]) ? RED_BIN(red_x[i]) - 1 : RED_BIN(red_x[i]);
        RED_ATOMIC(&out[bin], (RED_A)1);
    }
}
