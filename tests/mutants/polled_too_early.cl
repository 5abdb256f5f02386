//@ name:        polled_too_early
//@ idea:        the first group tells the host that all is done
//@ span:        chunk
//@ lanes:       16x4
//@ group:       tree
//@ finish:      polled
//@ needs:       local_memory, c11_device_scope, c11_acq_rel, svm_polled
//@ types:       i32, f32
//@ ops:         sum, max
//@ source:      a flag that is set by whoever comes first
//@ counterpart: polled_chunk
// where: n > 0
// expect: expected .*, got

bool is_last_group_told(global uint4 *answer, global uint *counter, local uint *last) {
    if (get_global_id(0) == 0)
        atomic_store_explicit((volatile global atomic_uint *)answer + 2, 1u, memory_order_release,
                              memory_scope_all_svm_devices);
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

#define ITEM_SHARE    red_item_chunk
#define IS_LAST_GROUP(counter, last) is_last_group_told(answer, counter, last)
#define HAND_OVER     RED_TELL
#define PARAMETERS                                                                                           \
    RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER
#include "last_group.cl"
