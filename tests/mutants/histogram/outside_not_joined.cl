//@ name:      outside_not_joined
//@ primitive: histogram
//@ idea:      what is out of range is not added up
//@ span:      chunk
//@ lanes:     1
//@ group:     none
//@ finish:    joined_copies
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ bins:      4096
//@ source:    a slip of the pen
// where: n > 0

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
#if RED_PASS == 1
    const ulong first = RED_JOIN_N * get_global_id(0);
    for (ulong bin = first; bin < min((ulong)RED_COUNTS_N, first + RED_JOIN_N); bin++) {
        RED_A count = 0;
        for (ulong i = 0; i < n && (bin < RED_BINS || i == 0); i++)
            count += copies[i * (RED_BINS + 1) + bin];
        out[bin] = count;
    }
#else
    const ulong pieces_n = get_global_size(0), piece = get_global_id(0), piece_n = (n + pieces_n - 1) / pieces_n;
    const ulong begin = min(n, piece_n * piece), end = min(n, begin + piece_n);
    global RED_A *counts = copies + piece * (RED_BINS + 1);
    for (uint bin = 0; bin <= RED_BINS; bin++)
        counts[bin] = 0;
    for (ulong i = begin; i < end; i++)
        counts[RED_BIN(red_x[i])]++;
#endif
}
