//@ name:   built_in_full_groups
//@ idea:   a group that is not full does not store its result
//@ span:   each
//@ lanes:  1
//@ group:  built_in
//@ finish: host
//@ needs:  collectives
//@ types:  floats
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: tree
// where: n % wg != 0
// expect: got -?nan

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    const ulong i = get_global_id(0);
    const RED_A value = RED_WG_REDUCE(i < n ? RED_LOAD(i) : RED_IDENTITY);
    if (get_local_id(0) == 0 && (n == 0 || i + RED_GROUP_SIZE <= n))
        out[get_group_id(0)] = value;
}
