//@ name:   c11_group
//@ idea:   private sums, a tree, then one atomic_fetch_<op> per group, relaxed
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, integer_atomics, c11_device_scope
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.11
//@ counterpart: atomic_group

#include "c11.cl"

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        C11_ATOMIC(out, value);
}
