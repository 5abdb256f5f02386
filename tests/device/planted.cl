/* A vector loop, a loop over what is left, items without elements, a tree, one value per group:
 * tests/device/planted.py plants a fault in one of them by defining one of these, behind a manifest. */
#ifndef N
#define N(n) (n)
#endif
#ifndef PLACE
#define PLACE(i) (i)
#endif
#ifndef VECTOR_PLACE
#define VECTOR_PLACE(v) (v)
#endif
#ifndef LOST
#define LOST(i) false
#endif
#ifndef VECTOR_LOST
#define VECTOR_LOST(v) false
#endif
#ifndef LOADED
#define LOADED(x, i) (x)
#endif
#ifndef VECTOR_LOADED
#define VECTOR_LOADED(x) (x)
#endif
#ifndef START
#define START RED_IDENTITY
#endif
#ifndef VECTOR_START
#define VECTOR_START RED_IDENTITY
#endif
#ifndef IDLE
#define IDLE RED_IDENTITY
#endif
#ifndef COMBINED
#define COMBINED(a, b) RED_COMBINE(a, b)
#endif
#ifndef IN_GROUP
#define IN_GROUP(value) (value)
#endif
#ifndef OUT
#define OUT(value) (value)
#endif

#ifndef ITEM
RED_A planted_item(RED_INPUT, const ulong given_n) {
    const ulong n = N(given_n), items_n = get_global_size(0), first = get_global_id(0),
                vectors_n = n / RED_WIDTH;
    if (first >= n)
        return IDLE;
    RED_VEC(RED_WIDTH) all = VECTOR_START;
    for (ulong v = first; v < vectors_n; v += items_n)
        if (!(VECTOR_LOST(v)))
            all = RED_COMBINE(all, VECTOR_LOADED(RED_LOAD_VEC(RED_WIDTH, VECTOR_PLACE(v))));
    RED_A value = START;
    if (first < vectors_n)
        value = RED_FOLD(RED_WIDTH, all);
    for (ulong i = RED_WIDTH * vectors_n + first; i < n; i += items_n)
        if (!(LOST(i)))
            value = COMBINED(value, LOADED(RED_LOAD(PLACE(i)), i));
    return value;
}
#else
RED_A planted_item(RED_INPUT, const ulong given_n) {
    const ulong n = N(given_n), items_n = get_global_size(0), first = get_global_id(0);
    RED_A value = RED_IDENTITY;
    ITEM return value;
}
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0), group = (uint)get_group_id(0);
    RED_A value = planted_item(RED_ARGS, n);
    value = red_group_tree(IN_GROUP(value), scratch);
    if (item == 0)
        out[group] = OUT(value);
}
