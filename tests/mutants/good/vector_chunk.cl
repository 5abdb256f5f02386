//@ name:   vector_chunk
//@ idea:   vectors of 8, an own fold, and compare-and-swap by hand
//@ span:   stride
//@ lanes:  8
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, compare_and_swap
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a user

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong vectors_n = n / 8;
    RED_VEC(8) sums = RED_IDENTITY;
    for (ulong i = get_global_id(0); i < vectors_n; i += get_global_size(0))
        sums = RED_COMBINE(sums, RED_LOAD_VEC(8, i));
    RED_A value = red_fold8(sums);
    for (ulong i = 8 * vectors_n + get_global_id(0); i < n; i += get_global_size(0))
        value = RED_COMBINE(value, RED_LOAD(i));
    value = red_group_tree(value, scratch);
    if (get_local_id(0) != 0)
        return;
    volatile global RED_WORD *word = (volatile global RED_WORD *)out;
    RED_WORD guess = RED_AS_WORD(RED_IDENTITY), found;
    while ((found = RED_CMPXCHG(word, guess, RED_AS_WORD(RED_COMBINE(RED_FROM_WORD(guess), value)))) != guess)
        guess = found;
}
