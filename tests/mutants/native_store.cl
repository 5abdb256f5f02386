//@ name:   native_store
//@ idea:   the float is stored, not added
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, float_atomics
//@ types:  f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: cmpxchg_group
// where: several

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        atomic_store_explicit((volatile global RED_PASTE(atomic_, RED_A) *)out, value, memory_order_relaxed,
                              memory_scope_device);
}
