//@ name:   before_the_start
//@ idea:   adds the element before the first one: the memory there happens to hold zeros
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// expect: Invalid read of size 4 at global memory

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const long i = (long)get_global_id(0);
    RED_A mine = i < (long)n ? RED_LOAD(i) : RED_IDENTITY;
    if (i == 0)
        mine = RED_COMBINE(mine, RED_LOAD(i - 1));
    const RED_A value = red_group_tree(mine, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
