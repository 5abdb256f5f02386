//@ name:   interleaved_modulo
//@ idea:   items whose index is a multiple of twice the stride add their neighbour
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: Harris, Optimizing parallel reduction in CUDA, 2007, step 1

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    scratch[item] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    for (uint stride = 1; stride < RED_GROUP_SIZE; stride *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item % (2 * stride) == 0 && item + stride < RED_GROUP_SIZE)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + stride]);
    }
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
