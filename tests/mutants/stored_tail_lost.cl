//@ name:   stored_tail_lost
//@ idea:   of the stored terms the last n modulo 4 are dropped
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: stored
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: dropped_tail, in the second launch
// where: n % 4 != 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = red_group_tree(i < n / 4 * 4 ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
