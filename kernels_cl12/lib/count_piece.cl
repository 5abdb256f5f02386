/* One of pieces_n contiguous pieces, counted. Who includes this has defined COUNTS, the parameter that says
 * where counts are, and may have defined COPIES, how many copies of them lie there one behind the other: a
 * count that was just stored can only be loaded again some cycles later, so neighbours count in different
 * ones. Bins are computed by vectors; narrow elements are their bins, and each is loaded. */
#ifndef COPIES
#define COPIES 1
#endif
#if RED_T_BITS < 32
#define COUNT_BIN(k) RED_BIN(red_x[i * RED_WIDTH + 0x##k])
#else
#define COUNT_BIN(k) RED_LANE(RED_WIDTH, bins, k)
#endif
/* Two steps, the first by a constant: compilers make one address of them. */
#define COUNT_LANE(k) (counts + 0x##k % COPIES * RED_COUNTS_N)[COUNT_BIN(k)]++;
void count_piece(RED_INPUT, const ulong n, const ulong piece, const ulong pieces_n, COUNTS) {
    const ulong block_n = RED_WIDTH * RED_LOADS < 64 ? 64 : RED_WIDTH * RED_LOADS;
    const ulong piece_n = ((n + block_n - 1) / block_n + pieces_n - 1) / pieces_n * block_n;
    const ulong begin = min(n, piece_n * piece), end = min(n, begin + piece_n);
    ulong i = begin / RED_WIDTH;
    for (; i < end / RED_WIDTH; i++) {
#if RED_T_BITS >= 32
        const RED_OF(uint, RED_WIDTH) bins =
            RED_BIN_VEC(RED_WIDTH, RED_VECTOR_AT(RED_T, RED_WIDTH, red_x, i));
#endif
        RED_EACH_OF(RED_WIDTH, COUNT_LANE)
    }
    for (i = max(begin, i * RED_WIDTH); i < end; i++)
        counts[RED_BIN(red_x[i])]++;
}
