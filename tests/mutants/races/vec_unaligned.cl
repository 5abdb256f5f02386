//@ name:   vec_unaligned
//@ idea:   loads vectors from addresses that are not aligned to them: the processor forgives it
//@ span:   stride
//@ lanes:  4
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum
//@ source: a slip of the pen
// expect: source pointer is not aligned

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_VEC(4) sums = RED_IDENTITY;
    const ulong vectors = n ? (n - 1) / 4 : 0;
    for (ulong v = get_global_id(0); v < vectors; v += get_global_size(0))
        sums += RED_TO_VEC(4)(((global const RED_PASTE(RED_T, 4) *)(red_x + 1))[v]);
    RED_A value = red_fold4(sums);
    if (get_global_id(0) == 0 && n)
        value += RED_LOAD(0);
    for (ulong i = 1 + 4 * vectors + get_global_id(0); i < n; i += get_global_size(0))
        value += RED_LOAD(i);
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
