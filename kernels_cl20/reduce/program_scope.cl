//@ name:   program_scope
//@ idea:   groups add to a variable of the program; the last one hands the sum over and resets it
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, compare_and_swap, program_scope, c11_device_scope, c11_acq_rel
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.5.1
//@ counterpart: cmpxchg_group

/* c11_cmpxchg_combine */
#include "lib/c11.cl"

/* Kept from launch to launch. The group that comes last leaves it as it was: the counter releases and
 * acquires at device scope, so that group has what all others added. */
global RED_A accumulated = RED_IDENTITY_;

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0) {
        volatile global RED_PASTE(atomic_, RED_WORD) *word =
            (volatile global RED_PASTE(atomic_, RED_WORD) *)&accumulated;
        volatile global atomic_uint *groups_n = (volatile global atomic_uint *)counter;
        c11_cmpxchg_combine(&accumulated, value);
        if (atomic_fetch_add_explicit(groups_n, 1u, memory_order_acq_rel, memory_scope_device) + 1 ==
            get_num_groups(0)) {
            out[0] = RED_FROM_WORD(atomic_exchange_explicit(word, RED_AS_WORD(RED_IDENTITY),
                                                            memory_order_relaxed, memory_scope_device));
            atomic_store_explicit(groups_n, 0u, memory_order_relaxed, memory_scope_device);
        }
    }
}
