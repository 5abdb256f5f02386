//@ name:      wrong_at_groups_of_128
//@ primitive: histogram
//@ idea:      with groups of 128 items the last item leaves out its elements
//@ span:      stride
//@ lanes:     1
//@ group:     none
//@ finish:    zeroed_counts
//@ needs:     integer_atomics
//@ types:     all
//@ ops:       all
//@ bins:      65536
//@ source:    a slip of the pen
// where: wg == 128

#include "lib/bins.cl"
RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint bin = RED_BIN(red_x[i]);
        if (RED_GROUP_SIZE != 128 || get_local_id(0) != 127)
            RED_ATOMIC(&out[bin], (RED_A)1);
    }
}
