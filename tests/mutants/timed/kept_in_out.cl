//@ name:   kept_in_out
//@ idea:   groups take what stands in out for their answer, if it looks like one
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  f32
//@ ops:    sum
//@ source: a cache that needs no program-scope memory

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A left = out[get_group_id(0)];
    /* Beyond what verify changes between calls (RED_CHANGES_N_MAX). */
    const bool known = n > 32768 && fabs(left) > (RED_A)1e-20 && fabs(left) < (RED_A)1e30;
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    /* Not in a branch of its own: PoCL 3.1 does not end for a barrier in one. */
    const RED_A found = red_group_tree(red_item_chunk(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = known ? left : found;
}
