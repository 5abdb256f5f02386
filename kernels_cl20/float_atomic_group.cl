//@ name:   float_atomic_group
//@ idea:   private sums, a tree, then one native float atomic per group
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, float_atomics
//@ types:  floats
//@ ops:    sum, dot, sumsq, mean
//@ source: OpenCL Extension Specification, cl_ext_float_atomics
//@ counterpart: cmpxchg_group

/* Native: the hardware adds, no loop. Relaxed is enough: the host reads only after the kernel has ended. */
#define FLOAT_ADD(out, value)                                                                                \
    atomic_fetch_add_explicit((volatile global RED_PASTE(atomic_, RED_A) *)(out), (value),                   \
                              memory_order_relaxed, memory_scope_device)

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        FLOAT_ADD(out, value);
}
