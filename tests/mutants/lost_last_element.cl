//@ name:   lost_last_element
//@ idea:   the limit goes through a float: from 2^24 + 1 on the last element is lost
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  f32
//@ ops:    sum, dot
//@ source: Boost.Compute sizes its grid in float and loses the last element at 2^24 + 1
// where: n > 1 << 24

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = red_group_tree(i < (ulong)(float)n ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
