//@ name:   words_left
//@ idea:   the last group takes the others' values, and leaves their words as they are
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics, word_publication
//@ types:  i32, u32, f32
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: groups > 1 || (n > 4 * wg)
// expect: expected counter left at 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint groups_n = (uint)get_num_groups(0);
    global uint *counter = RED_COUNTER(out);
    volatile global ulong *words = (volatile global ulong *)counter + 2;
    const uint ticket = get_local_id(0) == 0 ? atomic_inc(counter) : 0;
    RED_A all = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) > 0)
        return;
    if (ticket != groups_n - 1) {
        words[ticket] = 1ul << 32 | RED_AS_WORD(all);
        return;
    }
    for (uint i = 0; i < ticket; i++) {
        while (words[i] >> 32 == 0)
            ;
        all = RED_COMBINE(all, RED_FROM_WORD((uint)words[i]));
    }
    atomic_xchg(counter, 0);
    out[0] = all;
}
