//@ name:   swapped_words
//@ idea:   compare-and-swap on the accumulator's word by hand: even groups by the loop, odd ones by the helper
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, compare_and_swap
//@ types:  all
//@ ops:    all
//@ source: a user

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) != 0)
        return;
    if (get_group_id(0) % 2 == 1) {
        red_cmpxchg_combine(out, value);
        return;
    }
    volatile global RED_WORD *word = (volatile global RED_WORD *)out;
    RED_WORD guess = RED_AS_WORD(RED_IDENTITY), found;
    while ((found = RED_CMPXCHG(word, guess, RED_AS_WORD(RED_COMBINE(RED_FROM_WORD(guess), value)))) != guess)
        guess = found;
}
