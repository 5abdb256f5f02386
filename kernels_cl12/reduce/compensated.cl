//@ name:   compensated
//@ idea:   private sums that keep what rounding drops (TwoSum), folded by a tree of such pairs
//@ span:   stride
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  floats
//@ ops:    sum, dot, sumsq, mean
//@ special: nan, zero, denormal
//@ bound:  compensated
//@ source: Knuth, TAOCP 2, section 4.2.2, theorem B; Ogita, Rump and Oishi, Accurate sum and dot product, 2005

#pragma OPENCL FP_CONTRACT OFF

/* A sum and what is missing of it. Exact for any a and b, in six operations that a compiler must neither
 * reorder nor drop. */
#define TWO_SUM(sum, missing, value)                                                                         \
    {                                                                                                        \
        const RED_A term = (value), old = sum, added = old + term, seen = added - old;                       \
        missing += (old - (added - seen)) + (term - seen);                                                   \
        sum = added;                                                                                         \
    }

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, sums, RED_GROUP_SIZE);
    RED_LOCAL(RED_A, missings, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    RED_A sum = 0, missing = 0;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        TWO_SUM(sum, missing, RED_LOAD(i));
    sums[item] = sum;
    missings[item] = missing;
    for (uint width = RED_GROUP_SIZE; width > 1; width = (width + 1) / 2) {
        const uint half_width = (width + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item + half_width < width) {
            TWO_SUM(sum, missing, sums[item + half_width]);
            missing += missings[item + half_width];
            sums[item] = sum;
            missings[item] = missing;
        }
    }
    if (item == 0)
        out[get_group_id(0)] = sum + missing;
}
