//@ name:   chunk
//@ idea:   one contiguous piece per work-item, several vector accumulators: the CPU's shape
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: the static schedule of an OpenMP loop, OpenMP 5.0 section 2.9.2

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_chunk(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
