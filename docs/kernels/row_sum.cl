//@ name:      row_sum
//@ idea:      each item adds in strides of the grid, then a tree
//@ span:      stride
//@ lanes:     1
//@ group:     tree
//@ finish:    host
//@ needs:     local_memory
//@ types:     f32
//@ ops:       sum
//@ source:    me
#ifndef RED_LOAD /* in your own program: its names, its parameters, its #include <...> */
#define RED_LOAD(i)                  row[i]
#define RED_LOCAL(type, name, count) local type name[count]
#define GROUP_SIZE                   128
#define SIGNATURE                    kernel void row_sum(global const float *row, const ulong n, global float *out)
#else /* under clreduce */
#define GROUP_SIZE RED_GROUP_SIZE
#define SIGNATURE  RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out)
#endif

SIGNATURE {
    RED_LOCAL(float, sums, GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    float sum = 0;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        sum += RED_LOAD(i);
    sums[item] = sum;
    for (uint width = GROUP_SIZE; width > 1; width = (width + 1) / 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item + (width + 1) / 2 < width)
            sums[item] += sums[item + (width + 1) / 2];
    }
    if (item == 0)
        out[get_group_id(0)] = sums[0];
}
