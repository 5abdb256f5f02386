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
/* What stands at `place` of a level that is `width` wide. */
#define AT(place) (width == 16 * next || (place) < width ? scratch[place] : RED_IDENTITY)
#define TWO(k)    RED_COMBINE(AT(item + (k)*next), AT(item + ((k) + 8) * next))
#define FOUR(k)   RED_COMBINE(TWO(k), TWO((k) + 4))
#define EIGHT(k)  RED_COMBINE(FOUR(k), FOUR((k) + 2))
RED_A level_combine(const RED_A value, local RED_A *scratch, const uint width, const uint next) {
    const uint item = (uint)get_local_id(0);
    if (item < width)
        scratch[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    return item < next ? RED_COMBINE(EIGHT(0), EIGHT(1)) : value;
}

/* As red_group_tree, with 16 branches: each level is combined by a sixteenth of its items, 16 loads of each
 * in flight, and has local memory of its own, so that it needs one barrier; 256 items have two levels. Values
 * are combined in pairs, so no chain is longer than in the tree of two branches. The levels are written out,
 * so that their widths are constants. */
#define LEVEL(i)  ((RED_GROUP_SIZE + (1 << 4 * (i)) - 1) >> 4 * (i)) /* how wide it is */
#define PLACE(i)  (scratch + (i > 0 ? LEVEL(0) : 0) + (i > 1 ? LEVEL(1) : 0) + (i > 2 ? LEVEL(2) : 0))
RED_A group_wide(RED_A value, local RED_A *scratch) {
#if RED_GROUP_SIZE > 1
    value = level_combine(value, PLACE(0), LEVEL(0), LEVEL(1));
#endif
#if RED_GROUP_SIZE > 16
    value = level_combine(value, PLACE(1), LEVEL(1), LEVEL(2));
#endif
#if RED_GROUP_SIZE > 256
    value = level_combine(value, PLACE(2), LEVEL(2), LEVEL(3));
#endif
#if RED_GROUP_SIZE > 4096
    value = level_combine(value, PLACE(3), LEVEL(3), LEVEL(4));
#endif
    return value;
}
#define GROUP_COMBINE(value) group_wide(value, scratch)
#define GROUP_LOCAL          RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE + RED_GROUP_SIZE / 8 + 2)
#endif

/* Where the result goes. */
#ifdef POLLED
#define HAND_OVER(value) RED_TELL(value)
#define PARAMETERS                                                                                           \
    RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter, RED_ANSWER
#else
#define HAND_OVER(value) out[0] = value
#define PARAMETERS       RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter
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
            atomic_xchg(counter, 0);
            HAND_OVER(value);
        }
    }
}
