//@ name:   tree_twice
//@ idea:   two trees in the same local memory without a barrier between them
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// expect: data race at local memory

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A mine = i < n ? RED_LOAD(i) : RED_IDENTITY;
    const RED_A even = red_group_tree(i % 2 == 0 ? mine : RED_IDENTITY, scratch);
    const RED_A odd = red_group_tree(i % 2 == 1 ? mine : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = RED_COMBINE(even, odd);
}
