//@ name:   kept_between_launches
//@ idea:   the program's variable keeps the sum of the launch before
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, compare_and_swap, program_scope
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: cmpxchg_group
// where: n > 0

global RED_A accumulated = RED_IDENTITY_;

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0) {
        red_cmpxchg_combine(&accumulated, value);
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (atomic_inc(counter) + 1 == get_num_groups(0)) {
            out[0] = accumulated;
            atomic_xchg(counter, 0);
        }
    }
}
