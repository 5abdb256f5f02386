//@ name:   input_negated
//@ idea:   negates its input in place: an even number of calls restores it
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a transform in place before the reduction
// where: n > 0
// expect: its input unchanged, got it overwritten

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = red_group_tree(i < n ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (i < n)
        ((global RED_T *)red_x)[i] = -red_x[i];
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
