//@ name:      histogram_serial
//@ primitive: histogram
//@ idea:      one work-item counts element after element
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    the definition of a histogram; the slowest right answer

/* RED_BIN */
#include "lib/bins.cl"

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = 0; i < n; i++)
        out[RED_BIN(red_x[i])]++;
}
