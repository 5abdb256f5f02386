//@ name:      scan_serial
//@ primitive: scan
//@ idea:      one work-item combines element after element
//@ span:      one
//@ lanes:     1
//@ group:     none
//@ finish:    single_pass
//@ needs:     nothing
//@ types:     all
//@ ops:       all
//@ source:    the definition of a scan; the slowest right answer

/* Alone, without a host's choice: the inclusive sums of floats. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_KERNEL        kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_A             RED_T
#define RED_R             RED_T
#define RED_EXCLUSIVE     0
#define RED_IDENTITY      0
#define RED_COMBINE(a, b) ((a) + (b))
#define RED_INPUT         global const RED_T *red_x
#define RED_LOAD(i)       red_x[i]
#define RED_STORE(i, a)   out[i] = (a)
#endif

RED_KERNEL scan(RED_INPUT, const ulong n, global RED_R *out, global RED_A *carries, global uint *state) {
    RED_A before = RED_IDENTITY;
    for (ulong i = 0; i < n; i++) {
        const RED_A with = RED_COMBINE(before, RED_LOAD(i));
        RED_STORE(i, RED_EXCLUSIVE ? before : with);
        before = with;
    }
}
