//@ name:      my_counts
//@ primitive: histogram
//@ idea:      every element is one atomic in global memory
//@ span:      stride
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     all
//@ ops:       all
//@ source:    me
#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        RED_ATOMIC(&out[RED_BIN(red_x[i])], (RED_A)1);
}
