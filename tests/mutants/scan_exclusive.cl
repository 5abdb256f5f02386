//@ name:   scan_exclusive
//@ idea:   the last item's exclusive scan lacks its own value
//@ span:   each
//@ lanes:  1
//@ group:  built_in
//@ finish: host
//@ needs:  scans
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: tree
// where: n > 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    const ulong i = get_global_id(0);
    const RED_A value = work_group_scan_exclusive_add(i < n ? RED_LOAD(i) : RED_IDENTITY);
    if (get_local_id(0) == RED_GROUP_SIZE - 1)
        out[get_group_id(0)] = value;
}
