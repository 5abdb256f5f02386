//@ name:   interleaved
//@ idea:   bit-mask tree: items whose low bits are zero add their neighbour; barrier at the loop's head
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: lecture slides on OpenCL reduction (dot product); Harris, Optimizing parallel reduction in CUDA, 2007, step 1

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    scratch[item] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    for (uint offset = 1; offset < RED_GROUP_SIZE; offset *= 2) {
        const uint mask = 2 * offset - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((item & mask) == 0 && item + offset < RED_GROUP_SIZE)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + offset]);
    }
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
