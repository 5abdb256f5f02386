//@ name:   svm_group_missing
//@ idea:   the last group leaves nothing in shared memory
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: svm
//@ needs:  local_memory, svm
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: grid_stride_vec
// where: several

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0 && (get_group_id(0) == 0 || get_group_id(0) + 1 < get_num_groups(0)))
        out[get_group_id(0)] = value;
}
