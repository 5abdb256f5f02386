//@ name:   integer_dot
//@ idea:   bytes summed and multiplied four at a time by the dot built-ins
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: host
//@ needs:  local_memory, integer_dot_product
//@ types:  i8, u8
//@ ops:    sum, dot, mean
//@ source: OpenCL Extension Specification, cl_khr_integer_dot_product
//@ counterpart: grid_stride_vec

/* Four bytes times four: of a single array times ones. A product of 16 bytes is below 2^21 and fits into 32
 * bits; the sum has 64. */
#define BYTES RED_PASTE(RED_T, 16)
#if RED_ARRAYS == 2
#define DOT(part) dot(xs.part, ys.part)
#else
#define DOT(part) dot(xs.part, (RED_PASTE(RED_T, 4))(1))
#endif

RED_A item_dot(RED_INPUT, const ulong n) {
    const ulong vectors_n = n / 16, stride = get_global_size(0);
    RED_A value = RED_IDENTITY;
    for (ulong i = get_global_id(0); i < vectors_n; i += stride) {
        const BYTES xs = ((global const BYTES *)red_x)[i];
#if RED_ARRAYS == 2
        const BYTES ys = ((global const BYTES *)red_y)[i];
#endif
        value += (RED_A)(DOT(s0123) + DOT(s4567) + DOT(s89ab) + DOT(scdef));
    }
    for (ulong i = 16 * vectors_n + get_global_id(0); i < n; i += stride)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(item_dot(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
