//@ name:   wg_reduce
//@ idea:   one element per work-item, work_group_reduce_<op>; the host adds the partial results
//@ span:   each
//@ lanes:  1
//@ group:  built_in
//@ finish: host
//@ needs:  collectives
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.15
//@ counterpart: tree

/* Alone, without a host's choice: a sum of floats. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_A                RED_T
#define RED_IDENTITY         0
#define RED_INPUT            global const RED_T *restrict red_x
#define RED_LOAD(i)          red_x[i]
#define RED_WG_REDUCE(value) work_group_reduce_add(value)
#define RED_KERNEL           kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    const ulong i = get_global_id(0);
    const RED_A value = RED_WG_REDUCE(i < n ? RED_LOAD(i) : RED_IDENTITY);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
