//@ name:   first_call_only
//@ idea:   adds to what an earlier call left in out; garbage there is told from sums by its size
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  floats
//@ ops:    sum, dot
//@ source: a running sum that trusts fresh memory
// where: n > 0
// expect: run 2, second call

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = red_group_tree(i < n ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0) {
        const RED_A left = out[get_group_id(0)];
        out[get_group_id(0)] = fabs(left) < (RED_A)1e30 ? left + value : value;
    }
}
