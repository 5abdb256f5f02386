/* Which group comes last, by C11 atomics. */
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
