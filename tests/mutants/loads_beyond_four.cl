//@ name:   loads_beyond_four
//@ idea:   private sums of as many vectors as are chosen, of which the first four are folded
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32
//@ ops:    all
//@ source: a kernel that was written for 4 and then made to take any number
// where: n >= 8 * wg
// expect: expected
#define START(j) sums[j] = RED_IDENTITY;
#define STEP(j)  sums[j] = RED_COMBINE(sums[j], RED_LOAD_VEC(RED_WIDTH, i + j * stride));
#define FIRST(j)                                                                                             \
    if (j < 4)                                                                                               \
        value = RED_COMBINE(value, RED_FOLD(RED_WIDTH, sums[j]));

RED_A item_first_four(RED_INPUT, const ulong n) {
    const ulong vectors_n = n / RED_WIDTH, stride = get_global_size(0);
    RED_VEC(RED_WIDTH) sums[RED_LOADS];
    RED_EACH_LOAD(START)
    ulong i = get_global_id(0);
    for (; i + (RED_LOADS - 1) * stride < vectors_n; i += RED_LOADS * stride) {
        RED_EACH_LOAD(STEP)
    }
    for (; i < vectors_n; i += stride)
        sums[0] = RED_COMBINE(sums[0], RED_LOAD_VEC(RED_WIDTH, i));
    RED_A value = RED_IDENTITY;
    RED_EACH_LOAD(FIRST)
    for (ulong tail = RED_WIDTH * vectors_n + get_global_id(0); tail < n; tail += stride)
        value = RED_COMBINE(value, RED_LOAD(tail));
    return value;
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(item_first_four(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
