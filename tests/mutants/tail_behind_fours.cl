//@ name:   tail_behind_fours
//@ idea:   vectors of the chosen width, and then what is left behind the last vector of 4
//@ span:   stride
//@ lanes:  4x1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32
//@ ops:    sum, dot, sumsq
//@ source: a width that became a choice in one place and stayed a number in another
// where: n % 16 != 0
// expect: expected
RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_VEC(RED_WIDTH) sums = RED_IDENTITY;
    for (ulong i = get_global_id(0); i < n / RED_WIDTH; i += get_global_size(0))
        sums = RED_COMBINE(sums, RED_LOAD_VEC(RED_WIDTH, i));
    RED_A value = RED_FOLD(RED_WIDTH, sums);
    for (ulong i = n / 4 * 4 + get_global_id(0); i < n; i += get_global_size(0))
        value = RED_COMBINE(value, RED_LOAD(i));
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
