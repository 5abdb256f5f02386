//@ name:   in_flight
//@ idea:   a grid stride of its own over as many vectors as the host chooses, folded one by one or all at once
//@ span:   stride
//@ lanes:  8x2
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u8, f32
//@ ops:    sum, max, argmin
//@ source: the contract, docs/kernels.md

#if RED_WIDTH == 16
#define FOLD(v) RED_FOLD(16, v)
#elif RED_WIDTH == 8
#define FOLD(v) RED_FOLD(8, v)
#elif RED_WIDTH == 4
#define FOLD(v) RED_FOLD(4, v)
#elif RED_WIDTH == 2
#define FOLD(v) RED_FOLD(2, v)
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong vectors_n = n / RED_WIDTH, items_n = get_global_size(0);
    RED_VEC(RED_WIDTH) sums[RED_LOADS], next;
#define BEGIN(j) sums[j] = RED_IDENTITY;
#define STEP(j)                                                                                              \
    if (i + j * items_n < vectors_n) {                                                                       \
        next = RED_LOAD_VECTOR(i + j * items_n);                                                             \
        sums[j] = RED_TAKE(sums[j], next);                                                                   \
    }
#define END(j) value = RED_COMBINE(value, FOLD(sums[j]));
    RED_EACH_LOAD(BEGIN)
    for (ulong i = get_global_id(0); i < vectors_n; i += RED_LOADS * items_n) {
        RED_EACH_LOAD(STEP)
    }
#ifdef FOLD
    RED_A value = RED_IDENTITY;
    RED_EACH_LOAD(END)
#else
    RED_A value = RED_FOLD_LOADS(sums);
#endif
    for (ulong i = RED_WIDTH * vectors_n + get_global_id(0); i < n; i += items_n)
        value = RED_COMBINE(value, RED_LOAD(i));
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
