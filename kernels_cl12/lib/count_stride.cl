/* An item's share of a grid stride, counted. Who includes this has defined COUNTS, the parameter that says
 * where counts are, and COUNT(bin), which counts there; where not all items count, COUNTING_N, how many do,
 * and COUNTING, which of them this one is. All loads of a turn are in flight before the first is counted,
 * those of the last turn, too. */
#ifndef COUNTING
#define COUNTING_N get_global_size(0)
#define COUNTING   get_global_id(0)
#endif
/* A vector as it is loaded has WORDS_N words. Narrow elements are taken from words of 32 bits by shifts: from
 * vectors of bytes a compiler for GPUs takes them slower (H100, u8, n = 2^24: 9.7 us instead of 8.2). */
#if RED_T_BITS >= 32 || RED_WIDTH * RED_T_BITS < 32
#define WORDS_N       RED_WIDTH
#define WORD          RED_T
#define COUNT_WORD(w) COUNT(RED_BIN(w));
#else
#if RED_WIDTH * RED_T_BITS == 32
#define WORDS_N 1
#elif RED_WIDTH * RED_T_BITS == 64
#define WORDS_N 2
#elif RED_WIDTH * RED_T_BITS == 128
#define WORDS_N 4
#else
#define WORDS_N 8
#endif
#define WORD uint
#if RED_T_BITS == 16
#define COUNT_WORD(w)                                                                                        \
    COUNT(RED_BIN((w)&0xffff));                                                                              \
    COUNT(RED_BIN((w) >> 16));
#else
#define COUNT_WORD(w)                                                                                        \
    COUNT(RED_BIN((w)&0xff));                                                                                \
    COUNT(RED_BIN((w) >> 8 & 0xff));                                                                         \
    COUNT(RED_BIN((w) >> 16 & 0xff));                                                                        \
    COUNT(RED_BIN((w) >> 24));
#endif
#endif
#define COUNT_LANE(k) COUNT_WORD(RED_LANE(WORDS_N, loaded, k))
#define COUNT_LOAD(j) v[j] = words[i + j * stride];
#define COUNT_LOADED(j)                                                                                      \
    {                                                                                                        \
        const RED_OF(WORD, WORDS_N) loaded = v[j];                                                           \
        RED_EACH_OF(WORDS_N, COUNT_LANE)                                                                     \
    }
/* Who has no vector left loads again. */
#define COUNT_LAST_LOAD(j) v[j] = words[i + j * stride < vectors_n ? i + j * stride : i];
#define COUNT_LAST_LOADED(j)                                                                                 \
    if (i + j * stride < vectors_n)                                                                          \
    COUNT_LOADED(j)
void count_stride(RED_INPUT, const ulong n, COUNTS) {
    const ulong vectors_n = n / RED_WIDTH, stride = COUNTING_N;
    global const RED_OF(WORD, WORDS_N) *words = (global const RED_OF(WORD, WORDS_N) *)red_x;
    RED_OF(WORD, WORDS_N) v[RED_LOADS];
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
