//@ name:      neighbours_counted_once
//@ primitive: histogram
//@ idea:      of two equal neighbours one is counted
//@ span:      stride
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     all
//@ ops:       all
//@ bins:      65536
//@ source:    a slip of the pen
// where: n > 1

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        if (i % 64 == 0 || i % 64 > 2 || RED_BIN(red_x[i]) != RED_BIN(red_x[i - 1]))
            RED_ATOMIC(&out[RED_BIN(red_x[i])], (RED_A)1);
}
