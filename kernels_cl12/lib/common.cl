/* What kernels have in common: an item's share of a grid stride (of argmin and argmax in extremes.cl), its
 * share of the partial results, a group's tree. Kernels that one reads alone have these in their own text. */
#if !RED_PLACE
/* One work-item's share of a grid stride: persistent groups walk the array, RED_LOADS vectors of RED_WIDTH in
 * flight. All loads of a turn stand before their use, and one accumulator takes their sum: who kept an
 * accumulator for each would have no registers left for the loads, and compilers then wait for some before
 * they issue the others. */
RED_A red_item_stride(RED_INPUT, const ulong n) {
    const ulong vectors_n = n / RED_WIDTH, stride = get_global_size(0);
    RED_VEC(RED_WIDTH) all = RED_IDENTITY, loads[RED_LOADS];
#define RED_TURN_LOAD(j) loads[j] = RED_LOAD_VECTOR(i + j * stride);
#define RED_LAST_LOAD(j) loads[j] = RED_LOAD_VECTOR(i + j * stride < vectors_n ? i + j * stride : i);
#define RED_LAST_DROP(j)                                                                                     \
    if (i + j * stride >= vectors_n)                                                                         \
        loads[j] = RED_IDENTITY;
    ulong i = get_global_id(0);
    for (; i + (RED_LOADS - 1) * stride < vectors_n; i += RED_LOADS * stride) {
        RED_EACH_LOAD(RED_TURN_LOAD)
        all = RED_COMBINE(all, RED_ALL_LOADS(loads));
    }
    /* Less than a turn is left. A loop would wait for each; here all are in flight, and who has none loads
     * again. */
    if (i < vectors_n) {
        RED_EACH_LOAD(RED_LAST_LOAD)
        RED_EACH_LOAD(RED_LAST_DROP)
        all = RED_COMBINE(all, RED_ALL_LOADS(loads));
    }
    RED_A value = RED_FOLD(RED_WIDTH, all);
    for (ulong tail = RED_WIDTH * vectors_n + get_global_id(0); tail < n; tail += stride)
        value = RED_COMBINE(value, RED_LOAD(tail));
    return value;
}

#endif
/* One work-item's share of what all groups have left in `out`, for the group that brings it together: 4 loads
 * in flight. volatile: other groups have just written it. */
RED_A red_item_partials(volatile global RED_A *out) {
    const uint partials_n = (uint)get_num_groups(0);
    RED_A value = RED_IDENTITY;
    for (uint i = (uint)get_local_id(0); i < partials_n; i += 4 * RED_GROUP_SIZE) {
        const uint j = i + RED_GROUP_SIZE, k = j + RED_GROUP_SIZE, l = k + RED_GROUP_SIZE;
        const RED_A first = RED_READ(out, i), second = RED_READ(out, j < partials_n ? j : i);
        const RED_A third = RED_READ(out, k < partials_n ? k : i);
        const RED_A fourth = RED_READ(out, l < partials_n ? l : i);
        value = RED_COMBINE(value, first);
        value = RED_COMBINE(value, j < partials_n ? second : RED_IDENTITY);
        value = RED_COMBINE(value, k < partials_n ? third : RED_IDENTITY);
        value = RED_COMBINE(value, l < partials_n ? fourth : RED_IDENTITY);
    }
    return value;
}

/* A work-group's values combined by a tree in local memory with sequential addresses: each step folds the
 * upper half onto the lower, for any group size. The barrier stands at the loop's head, so every store is
 * seen before the next step reads it; the last step is read by the item that wrote it and needs none. Item 0
 * has the result. Between two calls with the same scratch there must be a barrier of the caller's: the first
 * may still read. */
RED_A red_group_tree(const RED_A value, local RED_A *scratch) {
    const uint item = (uint)get_local_id(0);
    scratch[item] = value;
    for (uint width = RED_GROUP_SIZE; width > 1; width = (width + 1) / 2) {
        const uint half_width = (width + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item + half_width < width)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + half_width]);
    }
    return scratch[item];
}
