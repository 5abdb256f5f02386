//@ name:   my_sum
//@ idea:   each item adds one piece, then a tree
//@ span:   chunk
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: me
RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong items = get_global_size(0), piece = (n + items - 1) / items;
    const ulong begin = min(n, get_global_id(0) * piece), end = min(n, begin + piece);
    RED_A value = RED_IDENTITY;
    for (ulong i = begin; i < end; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
