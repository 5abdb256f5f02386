/* Finish one_launch_counts by OpenCL 1.x: groups add their counts to those in `state`, and the last one moves
 * them to `out`. state[0] counts the groups that are done, the counts stand from state[4] on; all are zero
 * before a call and after it. That the last group sees what others have added is what drivers do; OpenCL 1.x
 * promises nothing between groups. With mem_fence, which NVIDIA's driver makes one of the work-group
 * (membar.cta; membar.gl of this one), one of four million calls lacked counts on an H100. */
#define LAST_COUNTS ((global RED_A *)(state + 4))

/* True for all items of the group that comes last. All items have added counts, one tells of them: its fences
 * stand between the barriers, which carry to it what the items did, and from it what others did. */
bool is_last_group(global uint *state, local uint *last) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(state) + 1 == get_num_groups(0);
        if (last[0])
            read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return last[0];
}

/* For the last group. */
void last_move_counts(global RED_A *out, global uint *state) {
    for (uint bin = (uint)get_local_id(0); bin < RED_COUNTS_N; bin += RED_GROUP_SIZE)
        out[bin] = RED_XCHG(&LAST_COUNTS[bin], 0);
    if (get_local_id(0) == 0)
        atomic_and(state, 0);
}
