//@ name:   bytes_unextended
//@ idea:   bytes are added in 32 bits, and their sum is not extended by its sign
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i8
//@ ops:    sum, mean
//@ source: a slip of the pen
// expect: expected -|got [0-9]{10}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = (RED_A)(uint)red_group_tree(i < n ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
