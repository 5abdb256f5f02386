//@ name:   last_group
//@ idea:   the group that finishes last adds all partial results; works here, not promised by 1.x
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics
//@ types:  all
//@ ops:    all
//@ source: CUDA sample threadFenceReduction; OpenCL 1.2 section 6.12.9 orders memory within a work-group only

#include "lib/common.cl" /* red_item_stride, red_item_partials, red_group_tree, and defaults */

/* True for all items of the group that comes last. The fences order this item's own accesses; that another
 * group sees them in that order is what drivers do, not what OpenCL 1.x says, and NVIDIA's does not do it for
 * mem_fence. The counter is left at zero. */
bool is_last_group(global uint *counter, local uint *last) {
    if (get_local_id(0) == 0) {
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(counter) + 1 == get_num_groups(0);
        if (last[0])
            atomic_xchg(counter, 0);
        read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return last[0];
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_LOCAL(uint, last, 1);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
    if (is_last_group(counter, last)) {
        value = red_group_tree(red_item_partials(out), scratch);
        if (get_local_id(0) == 0)
            out[0] = value;
    }
}
