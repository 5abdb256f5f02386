//@ name:   bytes_tail_lost
//@ idea:   what is left behind the last sixteen bytes is lost
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: host
//@ needs:  local_memory, integer_dot_product
//@ types:  i8, u8
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: grid_stride_vec
// where: n % 16 != 0

RED_A item_dot(RED_INPUT, const ulong n) {
    RED_A value = RED_IDENTITY;
    for (ulong i = get_global_id(0); i < n / 16; i += get_global_size(0))
        value += red_fold16(RED_LOAD_VEC(16, i));
    return value;
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(item_dot(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
