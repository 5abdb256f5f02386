//@ name:   wg_reduce_stride
//@ idea:   private sums over a grid stride, then work_group_reduce_<op>
//@ span:   stride
//@ lanes:  4x4
//@ group:  built_in
//@ finish: host
//@ needs:  collectives
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.15; grid_stride_vec with the built-in for the tree
//@ counterpart: grid_stride_vec

/* Alone, without a host's choice: a sum of floats. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_WIDTH            4
#define RED_LOADS            4
#define RED_PASTE_(a, b)     a##b
#define RED_PASTE(a, b)      RED_PASTE_(a, b)
#define RED_KERNEL           kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_A                RED_T
#define RED_IDENTITY         0
#define RED_COMBINE(a, b)    ((a) + (b))
#define RED_INPUT            global const RED_T *restrict red_x
#define RED_ARGS             red_x
#define RED_LOAD(i)          red_x[i]
#define RED_VEC(w)           RED_PASTE(RED_T, 4)
#define RED_LOAD_VECTOR(i)   ((global const RED_VEC(4) *)red_x)[i]
#define RED_FOLD(w, v)       (((v).s0 + (v).s1) + ((v).s2 + (v).s3))
#define RED_EACH_LOAD(DO)    DO(0) DO(1) DO(2) DO(3)
#define RED_ALL_LOADS(sums)  ((sums[0] + sums[1]) + (sums[2] + sums[3]))
#define RED_WG_REDUCE(value) work_group_reduce_add(value)
#endif

#if RED_PLACE
#define item_stride red_item_stride /* lib/extremes.cl */
#else
/* An item's share of a grid stride: all loads of a turn, also of the last one, stand before their use. */
RED_A item_stride(RED_INPUT, const ulong n) {
    const ulong vectors_n = n / RED_WIDTH, stride = get_global_size(0);
    RED_VEC(RED_WIDTH) all = RED_IDENTITY, loads[RED_LOADS];
#define TURN_LOAD(j) loads[j] = RED_LOAD_VECTOR(i + j * stride);
#define LAST_LOAD(j) loads[j] = RED_LOAD_VECTOR(i + j * stride < vectors_n ? i + j * stride : i);
#define LAST_DROP(j)                                                                                         \
    if (i + j * stride >= vectors_n)                                                                         \
        loads[j] = RED_IDENTITY;
    ulong i = get_global_id(0);
    for (; i + (RED_LOADS - 1) * stride < vectors_n; i += RED_LOADS * stride) {
        RED_EACH_LOAD(TURN_LOAD)
        all = RED_COMBINE(all, RED_ALL_LOADS(loads));
    }
    if (i < vectors_n) {
        RED_EACH_LOAD(LAST_LOAD)
        RED_EACH_LOAD(LAST_DROP)
        all = RED_COMBINE(all, RED_ALL_LOADS(loads));
    }
    RED_A value = RED_FOLD(RED_WIDTH, all);
    for (ulong tail = RED_WIDTH * vectors_n + get_global_id(0); tail < n; tail += stride)
        value = RED_COMBINE(value, RED_LOAD(tail));
    return value;
}
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    const RED_A value = RED_WG_REDUCE(item_stride(RED_ARGS, n));
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
