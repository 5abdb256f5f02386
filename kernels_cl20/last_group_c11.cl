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

/* The counter's release makes this group's partial result visible to the group whose acquire reads it: the
 * last one sees all. The barriers carry that from item 0 to the group and back. The counter is left at zero.
 */
bool is_last_group_c11(global uint *counter, local uint *last) {
    if (get_local_id(0) == 0) {
        volatile global atomic_uint *groups_n = (volatile global atomic_uint *)counter;
        last[0] = atomic_fetch_add_explicit(groups_n, 1u, memory_order_acq_rel, memory_scope_device) + 1 ==
                  get_num_groups(0);
        if (last[0])
            atomic_store_explicit(groups_n, 0u, memory_order_relaxed, memory_scope_device);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    return last[0];
}

#define IS_LAST_GROUP is_last_group_c11
#include "last_group.cl"
