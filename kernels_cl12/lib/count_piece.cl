/* Contiguous pieces, counted. Who includes this has defined COUNTS, the type of a pointer to counts, and may
 * have defined COPIES, how many copies of them there are. */
#ifndef COPIES
#define COPIES 1
#endif

/* How long each of pieces_n pieces is: whole blocks. */
ulong piece_length(const ulong n, const ulong pieces_n) {
    const ulong block_n = RED_WIDTH * RED_LOADS < 64 ? 64 : RED_WIDTH * RED_LOADS;
    return ((n + block_n - 1) / block_n + pieces_n - 1) / pieces_n * block_n;
}

/* A count that was just stored can only be loaded again some cycles later. So elements count in turn in the
 * first and the second copy, and behind those of `others` in the third and the fourth; where `others` is
 * `counts` there are two copies, which take less of the cache. */
#define COPY_OF(k) ((0x##k / 2 % 2 == 0 ? counts : others) + 0x##k % 2 % COPIES * RED_COUNTS_N)
#if RED_T_BITS < 32
/* Narrow elements are their bins, and are taken from words: to load each takes longer (2 cores, Intel's
 * runtime, u8, n = 2^20: 347 us of a thread instead of 333). */
#define COUNT(bin) copy[bin]++
#define COUNT_WORDS(k)                                                                                       \
    {                                                                                                        \
        COUNTS copy = COPY_OF(k);                                                                            \
        const RED_WORD_T word = words[0x##k];                                                                \
        RED_COUNT_WORD(word)                                                                                 \
    }
#else
/* Bins are found by vectors and stored: to load each takes less than to extract it. Fewer in large groups,
 * all of whose items may have them on one stack. */
#define FOUND_N       (RED_GROUP_SIZE == 1 ? 512 : 64)
#define COUNT_LANE(k) COPY_OF(k)[bins[j + 0x##k]]++;
#endif

/* The elements from begin, a multiple of RED_WIDTH, up to end. */
void count_piece(RED_INPUT, const ulong begin, const ulong end, COUNTS counts, COUNTS others) {
    ulong i = begin;
#if RED_T_BITS < 32
    for (; i + RED_WIDTH <= end; i += RED_WIDTH) {
        global const RED_WORD_T *words = (global const RED_WORD_T *)(red_x + i);
        RED_EACH_OF(RED_WORDS_N, COUNT_WORDS)
    }
#else
    for (uint found_n; i + RED_WIDTH <= end; i += found_n) {
        RED_OF(uint, RED_WIDTH) found[FOUND_N / RED_WIDTH];
        const uint *bins = (const uint *)found;
        found_n = (uint)min(end - i, (ulong)FOUND_N) / RED_WIDTH * RED_WIDTH;
        for (uint j = 0; j < found_n / RED_WIDTH; j++)
            found[j] = RED_BIN_VEC(RED_WIDTH, RED_VECTOR_AT(RED_T, RED_WIDTH, red_x, i / RED_WIDTH + j));
        for (uint j = 0; j < found_n; j += RED_WIDTH) {
            RED_EACH_OF(RED_WIDTH, COUNT_LANE)
        }
    }
#endif
    for (; i < end; i++)
        counts[RED_BIN(red_x[i])]++;
}
