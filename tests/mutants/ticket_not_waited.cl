//@ name:   ticket_not_waited
//@ idea:   the group that begins last takes what the others have published by then, and does not wait
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics, word_publication
//@ types:  i32, u32, f32
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: groups > 1 || (n > 4 * wg)

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint groups_n = (uint)get_num_groups(0);
    volatile global ulong *words = (volatile global ulong *)counter + 2;
    const uint ticket = get_local_id(0) == 0 ? atomic_inc(counter) : 0;
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) > 0)
        return;
    words[get_group_id(0)] = 1ul << 32 | RED_AS_WORD(value);
    if (ticket != groups_n - 1)
        return;
    RED_A all = RED_IDENTITY;
    for (uint i = 0; i < groups_n; i++) {
        all = RED_COMBINE(all, words[i] >> 32 != 0 ? RED_FROM_WORD((uint)words[i]) : RED_IDENTITY);
        words[i] = 0;
    }
    atomic_xchg(counter, 0);
    out[0] = all;
}
