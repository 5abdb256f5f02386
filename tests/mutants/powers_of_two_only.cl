//@ name:   powers_of_two_only
//@ idea:   halving drops the odd item of a group that is no power of two
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: the article's kernel, outside the sizes it was tried with
// where: n > 0 && (wg & (wg - 1)) != 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    scratch[item] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    for (uint half_width = RED_GROUP_SIZE / 2; half_width > 0; half_width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_width)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + half_width]);
    }
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
