//@ name:   plain_atomic_store
//@ idea:   the last group to arrive stores its sum instead of adding it
//@ span:   stride
//@ lanes:  16
//@ group:  built_in
//@ finish: atomic
//@ needs:  collectives, compare_and_swap, c11_device_scope
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: cmpxchg_group
// where: several

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    const RED_A value = RED_WG_REDUCE(red_item_stride(RED_ARGS, n));
    if (get_local_id(0) == 0)
        atomic_store_explicit((volatile global RED_PASTE(atomic_, RED_WORD) *)out, RED_AS_WORD(value),
                              memory_order_relaxed, memory_scope_device);
}
