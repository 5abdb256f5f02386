//@ name:        c11_counts
//@ primitive:   histogram
//@ idea:        every element is one atomic_fetch_add in global memory, relaxed
//@ span:        stride
//@ lanes:       4x4
//@ group:       none
//@ finish:      zeroed_counts
//@ needs:       integer_atomics, c11_device_scope
//@ types:       all
//@ ops:         all
//@ source:      OpenCL C 2.0 section 6.13.11
//@ counterpart: global_counts

/* RED_BIN */
#include "lib/bins.cl"

/* C11_ATOMIC */
#include "lib/c11.cl"

#define COUNTS     global RED_A *counts
#define COUNT(bin) C11_ATOMIC(&counts[bin], (RED_A)1)
/* count_stride */
#include "lib/count_stride.cl"

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    count_stride(RED_ARGS, n, out);
}
