//@ name:      local_counts
//@ primitive: histogram
//@ idea:      the group's counts in local memory, by atomics there; one atomic per bin and group joins them
//@ span:      stride
//@ lanes:     4x8
//@ group:     serial
//@ finish:    zeroed_counts
//@ needs:     local_memory, integer_atomics
//@ types:     all
//@ ops:       all
//@ bins:      8000
//@ source:    OpenCL 1.2 section 6.12.11

/* Alone, without a host's choice: counts of floats from -1 to 1 in 256 bins, and behind them of those out of
 * range. */
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_WIDTH         4
#define RED_LOADS         4
#define RED_KERNEL        kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_INPUT         global const float *restrict red_x
#define RED_A             uint
#define RED_COUNTS_N      (256 + 1)
#define RED_BIN(x)        ((x) >= -1 && (x) < 1 ? min((uint)(((x) + 1) * 128), 255u) : 256u)
#define RED_WORDS         float4
#define RED_LOAD_WORDS(i) ((global const float4 *)red_x)[i]
#define RED_COUNT_WORDS(v)                                                                                   \
    {                                                                                                        \
        COUNT(RED_BIN((v).s0));                                                                              \
        COUNT(RED_BIN((v).s1));                                                                              \
        COUNT(RED_BIN((v).s2));                                                                              \
        COUNT(RED_BIN((v).s3));                                                                              \
    }
#define RED_EACH_LOAD(DO)            DO(0) DO(1) DO(2) DO(3)
#define RED_T_BITS                   32
#define RED_BINS                     256
#define RED_ROUND_N                  ~0ul
#define RED_ARGS_AT(i)               red_x + (i)
#define RED_LOCAL(type, name, count) local type name[count]
#define RED_ATOMIC(p, value)         atomic_add(p, value)
#endif

/* A byte has no more than 256 bins. */
#define LOCAL_N    (RED_T_BITS == 8 && RED_BINS >= 256 ? 256 : RED_COUNTS_N)
#define COUNT(bin) atomic_inc(&counts[bin])

/* All loads of a turn are in flight before the first is counted; in the last turn who has no vector left
 * loads one again, and does not count it. */
#define TURN_LOAD(j)  v[j] = RED_LOAD_WORDS(i + j * stride);
#define TURN_COUNT(j) RED_COUNT_WORDS(v[j])
#define LAST_LOAD(j)  v[j] = RED_LOAD_WORDS(i + j * stride < vectors_n ? i + j * stride : i);
#define LAST_COUNT(j)                                                                                        \
    if (i + j * stride < vectors_n)                                                                          \
    RED_COUNT_WORDS(v[j])
void count_stride(RED_INPUT, const ulong n, local uint *counts) {
    const ulong vectors_n = n / RED_WIDTH, stride = get_global_size(0);
    RED_WORDS v[RED_LOADS];
    ulong i = get_global_id(0);
    for (; i + (RED_LOADS - 1) * stride < vectors_n; i += RED_LOADS * stride) {
        RED_EACH_LOAD(TURN_LOAD)
        RED_EACH_LOAD(TURN_COUNT)
    }
    if (i < vectors_n) {
        RED_EACH_LOAD(LAST_LOAD)
        RED_EACH_LOAD(LAST_COUNT)
    }
    for (i = RED_WIDTH * vectors_n + get_global_id(0); i < n; i += stride)
        COUNT(RED_BIN(red_x[i]));
}

RED_KERNEL histogram(RED_INPUT, const ulong n, global RED_A *out, global RED_A *copies, global uint *state) {
    RED_LOCAL(uint, counts, LOCAL_N);
    const uint item = (uint)get_local_id(0);
    /* A group hands over before its counts of 32 bits overflow. */
    for (ulong first = 0; first == 0 || first < n; first += RED_ROUND_N) {
        for (uint bin = item; bin < LOCAL_N; bin += RED_GROUP_SIZE)
            counts[bin] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        count_stride(RED_ARGS_AT(first), min(n - first, RED_ROUND_N), counts);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint bin = item; bin < LOCAL_N; bin += RED_GROUP_SIZE)
            if (counts[bin] > 0)
                RED_ATOMIC(&out[bin], (RED_A)counts[bin]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
