//@ name:   last_group_wide
//@ idea:   last_group in fewer steps: a tree of 16 branches, and one group alone counts nothing
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics, write_read_fence
//@ types:  all
//@ ops:    all
//@ source: last_group; as there, OpenCL 1.x does not promise that the last group sees what the others left
//@ variant: polled_stride POLLED=1
//@ idea:   last_group_wide stores result and flag to memory on which the host spins; works here, not promised
//@ finish: polled
//@ needs:  local_memory, integer_atomics, host_visible_buffer, write_read_fence
//@ source: zero-copy results of CUDA programs, by cl_nv_create_buffer or a buffer that stays mapped
//@ variant: wg_reduce_last_group BUILT_IN=1
//@ idea:   last_group_wide with work_group_reduce_<op> for the tree; not promised by the atomics of 1.x
//@ group:  built_in
//@ needs:  local_memory, integer_atomics, collectives, write_read_fence
//@ source: OpenCL C 2.0 section 6.13.15; last_group_wide
//@ counterpart: last_group_wide

#ifdef BUILT_IN
#define GROUP_COMBINE(value) RED_WG_REDUCE(value)
#define GROUP_LOCAL
#else
/* GROUP_COMBINE, GROUP_LOCAL */
#include "lib/group_wide.cl"
#endif

/* HAND_OVER */
#include "lib/hand_over.cl"

#ifdef POLLED
#define PARAMETERS                                                                                           \
    RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER
#else
#define PARAMETERS RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter
#endif

/* The counter is set back when nobody waits for it any more. One group alone takes the barrier, too: PoCL 3.1
 * compiles barriers in the other branch of an if wrongly. */
RED_KERNEL reduce(PARAMETERS) {
    GROUP_LOCAL;
    RED_LOCAL(uint, last, 1);
    const bool first_item = get_local_id(0) == 0;
    RED_A value = GROUP_COMBINE(red_item_stride(RED_ARGS, n));
    if (first_item && get_num_groups(0) == 1) {
        last[0] = 0;
        HAND_OVER(value);
    } else if (first_item) {
        out[get_group_id(0)] = value;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(counter) + 1 == get_num_groups(0);
        if (last[0])
            read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last[0]) {
        value = GROUP_COMBINE(red_item_partials(out));
        if (first_item) {
            atomic_and(counter, 0);
            HAND_OVER(value);
        }
    }
}
