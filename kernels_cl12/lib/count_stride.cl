/* An item's share of a grid stride, counted. Who includes this has defined COUNTS, the parameter that says
 * where counts are, and COUNT(bin), which counts there; where not all items count, COUNTING_N, how many do,
 * and COUNTING, which of them this one is. All loads of a turn are in flight before the first is counted,
 * those of the last turn, too. */
#ifndef COUNTING
#define COUNTING_N get_global_size(0)
#define COUNTING   get_global_id(0)
#endif
#define COUNT_LANE(k) COUNT(RED_LANE(bins, k));
#define COUNT_LOAD(j) v[j] = RED_ELEMENTS(i + j * stride);
#define COUNT_LOADED(j)                                                                                      \
    {                                                                                                        \
        const RED_OF(uint, RED_WIDTH) bins = RED_BIN_VEC(RED_WIDTH, v[j]);                                   \
        RED_EACH_LANE(COUNT_LANE)                                                                            \
    }
/* Who has no vector left loads again. */
#define COUNT_LAST_LOAD(j) v[j] = RED_ELEMENTS(i + j * stride < vectors_n ? i + j * stride : i);
#define COUNT_LAST_LOADED(j)                                                                                 \
    if (i + j * stride < vectors_n)                                                                          \
    COUNT_LOADED(j)
void count_stride(RED_INPUT, const ulong n, COUNTS) {
    const ulong vectors_n = n / RED_WIDTH, stride = COUNTING_N;
    RED_OF(RED_T, RED_WIDTH) v[RED_LOADS];
    ulong i = COUNTING;
    for (; i + (RED_LOADS - 1) * stride < vectors_n; i += RED_LOADS * stride) {
        RED_EACH_LOAD(COUNT_LOAD)
        RED_EACH_LOAD(COUNT_LOADED)
    }
    if (i < vectors_n) {
        RED_EACH_LOAD(COUNT_LAST_LOAD)
        RED_EACH_LOAD(COUNT_LAST_LOADED)
    }
    for (i = RED_WIDTH * vectors_n + COUNTING; i < n; i += stride)
        COUNT(RED_BIN(red_x[i]));
}
