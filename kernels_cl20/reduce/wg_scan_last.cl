//@ name:   wg_scan_last
//@ idea:   one element per work-item, work_group_scan_inclusive_<op>: the last item holds the sum
//@ span:   each
//@ lanes:  1
//@ group:  built_in
//@ finish: host
//@ needs:  scans
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.15
//@ counterpart: tree

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    const ulong i = get_global_id(0);
    const RED_A scanned = RED_NAMED_(work_group_scan_inclusive_, )(i < n ? RED_LOAD(i) : RED_IDENTITY);
    if (get_local_id(0) == RED_GROUP_SIZE - 1)
        out[get_group_id(0)] = scanned;
}
