//@ name:   atomic_first_group
//@ idea:   only the first group adds
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, integer_atomics
//@ types:  i32, u32
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: several

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_global_id(0) == 0)
        RED_ATOMIC(out, value);
}
