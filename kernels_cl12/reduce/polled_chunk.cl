//@ name:   polled_chunk
//@ idea:   one piece per item; result and flag go to memory on which the host spins; works here, not promised
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: polled
//@ needs:  local_memory, integer_atomics, host_visible_buffer, write_read_fence
//@ types:  all
//@ ops:    all
//@ source: as polled_stride
//@ variant: svm_polled SVM=1
//@ idea:   polled_chunk by shared virtual memory with atomics: the legal form
//@ needs:  local_memory, c11_device_scope, c11_acq_rel, svm_polled, c11_device_order
//@ source: OpenCL 2.0 section 3.3.3 (fine-grained SVM with atomics) and OpenCL C 2.0 section 6.13.11
//@ counterpart: polled_chunk

#ifdef SVM
#include "lib/last_group_c11.cl"
#define IS_LAST_GROUP is_last_group_c11
/* What stands before the release is seen by the host that acquires the flag, which is in a pair as in
 * RED_TELL. */
#define RELEASE(word)                                                                                        \
    atomic_store_explicit((volatile global atomic_uint *)red_answer + 2, (word), memory_order_release,       \
                          memory_scope_all_svm_devices)
#if RED_WORD_BITS == 0
#define HAND_OVER(value)                                                                                     \
    (*(global ulong *)red_answer = (value).key,                                                              \
     ((global uint *)red_answer)[3] = (uint)((value).index >> 31), RELEASE((uint)(value).index << 1 | 1))
#else
#define HAND_OVER(value) (*(global RED_A *)red_answer = (value), RELEASE(1u))
#endif
#else
#define IS_LAST_GROUP is_last_group
#define HAND_OVER     RED_TELL
/* Whether all other groups have left their values. That this group then sees them is what drivers do; OpenCL
 * 1.x promises nothing between groups. The counter is left at zero. */
bool is_last_group(global uint *counter, local uint *last) {
    if (get_local_id(0) == 0) {
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(counter) + 1 == get_num_groups(0);
        if (last[0]) {
            atomic_and(counter, 0);
            read_mem_fence(CLK_GLOBAL_MEM_FENCE);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return last[0];
}
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_ANSWER) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_LOCAL(uint, last, 1);
    RED_A value = red_group_tree(red_item_chunk(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
    if (IS_LAST_GROUP(counter, last)) {
        value = red_group_tree(red_item_partials(out), scratch);
        if (get_local_id(0) == 0)
            HAND_OVER(value);
    }
}
