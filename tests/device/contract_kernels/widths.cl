//@ name:   widths
//@ idea:   vectors of 16 over a grid stride; of what they leave an item each takes 8, 4, 2 and 1
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: a user

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong item = get_global_id(0), items = get_global_size(0), tail = n / 16 * 16;
    RED_VEC(16) lanes = RED_IDENTITY;
    for (ulong i = item; i < n / 16; i += items)
        lanes = RED_COMBINE(lanes, RED_LOAD_VEC(16, i));
    RED_A value = red_fold16(lanes);
    if (item == 0 && n & 8) {
        const RED_VEC(8) eight = RED_LOAD_VEC(8, tail / 8);
        value = RED_COMBINE(value, red_fold8(eight));
    }
    if (item == 1 % items && n & 4) {
        const RED_VEC(4) four = RED_LOAD_VEC(4, (tail + (n & 8)) / 4);
        value = RED_COMBINE(value, red_fold4(four));
    }
    if (item == 2 % items && n & 2) {
        const RED_VEC(2) two = RED_LOAD_VEC(2, (tail + (n & 12)) / 2);
        value = RED_COMBINE(value, red_fold2(two));
    }
    if (item == 3 % items && n & 1)
        value = RED_COMBINE(value, RED_LOAD(n - 1));
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
