//@ name:   exchange_overwrites
//@ idea:   the sum is exchanged into the accumulator and what was there is lost
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, exchange
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: several

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        RED_XCHG((volatile global RED_WORD *)out, RED_AS_WORD(value));
}
