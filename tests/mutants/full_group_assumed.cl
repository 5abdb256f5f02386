//@ name:   full_group_assumed
//@ idea:   a smaller last group is added up as if it were full
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory, non_uniform_groups
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: tree
// where: n % wg != 0 || n < 1

kernel void reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(n > 0 ? RED_LOAD(get_global_id(0)) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
