//@ name:   segment_last_short
//@ idea:   of the last segment each item takes one element only
//@ span:   segment
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, f32
//@ ops:    sum
//@ source: a slip of the pen
// where: n > wg
// expect: segment [0-9]+ of [0-9]+: expected

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_SEGMENTS) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong segment = get_group_id(0), taken_n = segment + 1 == segments_n ? min(n, (ulong)RED_GROUP_SIZE) : n;
    const RED_A value =
        red_group_tree(red_item_turns(RED_ARGS_AT(segment * n), get_local_id(0), RED_GROUP_SIZE, taken_n), scratch);
    if (get_local_id(0) == 0)
        out[segment] = value;
}
