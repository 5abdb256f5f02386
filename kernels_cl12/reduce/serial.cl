//@ name:   serial
//@ idea:   one work-item adds everything, in order
//@ span:   one
//@ lanes:  1
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  all
//@ ops:    all
//@ source: the definition of a sum; the slowest right answer

/* Alone, without a host's choice: a sum of floats. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_KERNEL        kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_A             RED_T
#define RED_IDENTITY      0
#define RED_COMBINE(a, b) ((a) + (b))
#define RED_INPUT         global const RED_T *restrict red_x
#define RED_LOAD(i)       red_x[i]
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_A value = RED_IDENTITY;
    for (ulong i = 0; i < n; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    out[0] = value;
}
