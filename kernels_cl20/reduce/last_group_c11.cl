//@ name:   last_group_c11
//@ idea:   the group that comes last adds all partial results; an acq_rel counter orders them: the legal form
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, c11_device_scope, c11_acq_rel
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 sections 6.13.11 and 3.3.4 (memory ordering)
//@ counterpart: last_group

#include "lib/last_group_c11.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_LOCAL(uint, last, 1);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
    if (is_last_group_c11(counter, last)) {
        value = red_group_tree(red_item_partials(out), scratch);
        if (get_local_id(0) == 0)
            out[0] = value;
    }
}
