//@ name:   negative_denormals_lost
//@ idea:   an element below 0 that is less than the least normal number is passed over
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  f32
//@ ops:    min, argmin
//@ special: all
//@ source: a value taken for none
// where: n > 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value =
        red_group_tree(i < n && !(red_x[i] < 0 && red_x[i] > -FLT_MIN) ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
