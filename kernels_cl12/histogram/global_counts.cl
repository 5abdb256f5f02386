//@ name:      global_counts
//@ primitive: histogram
//@ idea:      every element is one atomic in global memory
//@ span:      stride
//@ lanes:     4x4
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     all
//@ ops:       all
//@ source:    OpenCL 1.2 section 6.12.11

/* RED_BIN */
#include "lib/bins.cl"

#define COUNTS     global RED_A *counts
#define COUNT(bin) RED_ATOMIC(&counts[bin], (RED_A)1)
/* count_stride */
#include "lib/count_stride.cl"

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    count_stride(RED_ARGS, n, out);
}
