//@ name:   behind_the_result
//@ idea:   stores a second value behind the result, where groups have words
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, exchange_64
//@ types:  i32, u32
//@ ops:    sum, dot
//@ source: a slip of the pen
// expect: behind the end of out

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) > 0)
        return;
    const ulong own = (ulong)RED_AS_WORD(value) << 32 | 1;
    const ulong all = own + atom_add((volatile global ulong *)RED_COUNTER(out), own);
    if ((uint)all != get_num_groups(0))
        return;
    atom_xchg((volatile global ulong *)RED_COUNTER(out), 0);
    out[0] = out[1] = RED_FROM_WORD((uint)(all >> 32));
}
