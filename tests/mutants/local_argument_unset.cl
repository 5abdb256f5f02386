//@ name:   local_argument_unset
//@ idea:   items behind the end leave their place in the local memory that the host passes as it was
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory, local_argument
//@ types:  all
//@ ops:    all
//@ source: a slip of the pen
// expect: \(run 1\)

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_LOCAL_ARGUMENT) {
    RED_LOCAL_GIVEN(scratch);
    const uint item = (uint)get_local_id(0);
    if (get_global_id(0) < n)
        scratch[item] = RED_LOAD(get_global_id(0));
    for (uint width = RED_GROUP_SIZE; width > 1; width = (width + 1) / 2) {
        const uint half_width = (width + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item + half_width < width)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + half_width]);
    }
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
