//@ name:        built_ins
//@ idea:        even groups reduce by work_group_reduce_<op>, odd ones by the last of work_group_scan_inclusive_<op>
//@ span:        each
//@ lanes:       1
//@ group:       built_in
//@ finish:      host
//@ needs:       collectives
//@ types:       all
//@ ops:         all
//@ counterpart: tree
//@ source:      a user

#ifndef RED_WG_REDUCE
#error "collectives are needed, and the prelude gives no RED_WG_REDUCE"
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    const ulong i = get_global_id(0);
    const RED_A mine = i < n ? RED_LOAD(i) : RED_IDENTITY;
    RED_A value;
    if (get_group_id(0) % 2 == 0)
        value = RED_WG_REDUCE(mine);
    else
        value = RED_NAMED_(work_group_scan_inclusive_, )(mine);
    if (get_local_id(0) == RED_GROUP_SIZE - 1)
        out[get_group_id(0)] = value;
}
