//@ name:   one_attempt
//@ idea:   the compare-and-swap is not tried again when another group was faster
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, compare_and_swap
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: several

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    volatile global RED_WORD *word = (volatile global RED_WORD *)out;
    if (get_local_id(0) == 0)
        RED_CMPXCHG(word, RED_AS_WORD(RED_IDENTITY), RED_AS_WORD(value));
}
