//@ name:   published_once
//@ idea:   words stay published, so that the next call takes the values of this one
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics, word_publication
//@ types:  i32, u32, f32
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: groups > 1 || (n > 4 * wg)
// expect: second call|after change|of the first|changed

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint groups_n = (uint)get_num_groups(0);
    volatile global ulong *words = (volatile global ulong *)counter + 2;
    const uint ticket = get_local_id(0) == 0 ? atomic_inc(counter) : 0;
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) > 0)
        return;
    if (ticket != groups_n - 1) {
        words[get_group_id(0)] = 1ul << 32 | RED_AS_WORD(value);
        return;
    }
    RED_A all = value;
    for (uint i = 0; i < groups_n; i++) {
        while (i != get_group_id(0) && words[i] >> 32 == 0)
            ;
        if (i != get_group_id(0))
            all = RED_COMBINE(all, RED_FROM_WORD((uint)words[i]));
    }
    atomic_xchg(counter, 0);
    out[0] = all;
}
