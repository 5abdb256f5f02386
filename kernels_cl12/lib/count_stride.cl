/* An item's share of a grid stride, counted. Who includes this has defined COUNTS, the parameter that says
 * where counts are, and COUNT(bin), which counts there; where not all items count, COUNTING_N, how many do,
 * and COUNTING, which of them this one is. All loads of a turn are in flight before the first is counted,
 * those of the last turn, too. */
#ifndef COUNTING
#define COUNTING_N get_global_size(0)
#define COUNTING   get_global_id(0)
#endif
#define COUNT_LOAD(j)   v[j] = RED_LOAD_WORDS(i + j * stride);
#define COUNT_LOADED(j) RED_COUNT_WORDS(v[j])
/* Who has no vector left loads again. */
#define COUNT_LAST_LOAD(j) v[j] = RED_LOAD_WORDS(i + j * stride < vectors_n ? i + j * stride : i);
#define COUNT_LAST_LOADED(j)                                                                                 \
    if (i + j * stride < vectors_n)                                                                          \
    RED_COUNT_WORDS(v[j])
void count_stride(RED_INPUT, const ulong n, COUNTS) {
    const ulong vectors_n = n / RED_WIDTH, stride = COUNTING_N;
    RED_WORDS v[RED_LOADS];
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
