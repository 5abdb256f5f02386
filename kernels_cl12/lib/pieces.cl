/* Contiguous pieces of the array, and every step-th element of it. */
#if !RED_PLACE
/* The indices begin ... end - 1, RED_LOADS vectors of RED_WIDTH in flight; begin is a multiple of 16. Half of
 * the loads go to either half of the range: a prefetcher follows two streams further than one. Vectors are
 * counted, not elements, whose index would be divided again at every load. */
RED_A red_item_range(RED_INPUT, const ulong begin, const ulong end) {
    const ulong turn = RED_LOADS / RED_STREAMS, stream_n = (end - begin) / (RED_WIDTH * RED_LOADS) * turn;
    RED_VEC(RED_WIDTH) sums[RED_LOADS], next;
#define RED_START(j) sums[j] = RED_IDENTITY;
#define RED_NEXT(j)                                                                                          \
    next = RED_LOAD_VECTOR(i + j % RED_STREAMS * stream_n + j / RED_STREAMS);                                \
    sums[j] = RED_TAKE(sums[j], next);
    RED_EACH_LOAD(RED_START)
    for (ulong i = begin / RED_WIDTH; i < begin / RED_WIDTH + stream_n; i += turn) {
        RED_EACH_LOAD(RED_NEXT)
    }
    ulong i = begin + RED_WIDTH * RED_STREAMS * stream_n;
    for (; i + RED_WIDTH <= end; i += RED_WIDTH)
        sums[0] = RED_COMBINE(sums[0], RED_LOAD_VECTOR(i / RED_WIDTH));
    RED_A value = RED_FOLD_LOADS(sums);
    for (; i < end; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}
#endif

/* One of as many contiguous pieces. Pieces are whole blocks of all lanes, of 64 elements at least: aligned
 * vector loads, and the tail lies in the last piece only. */
RED_A red_item_piece(RED_INPUT, const ulong n, const ulong piece, const ulong pieces_n) {
    const ulong block_n = RED_WIDTH * RED_LOADS < 64 ? 64 : RED_WIDTH * RED_LOADS;
    const ulong blocks_n = (n + block_n - 1) / block_n;
    const ulong piece_blocks_n = (blocks_n + pieces_n - 1) / pieces_n;
    const ulong begin = min(n, block_n * piece_blocks_n * piece);
    return red_item_range(RED_ARGS, begin, min(n, begin + block_n * piece_blocks_n));
}

/* A piece for every work-item. */
RED_A red_item_chunk(RED_INPUT, const ulong n) {
    return red_item_piece(RED_ARGS, n, get_global_id(0), get_global_size(0));
}

/* Every step-th index from the first on: what one of `step` items takes whose addresses are adjacent. */
RED_A red_item_turns(RED_INPUT, const ulong first, const ulong step, const ulong n) {
    RED_A value = RED_IDENTITY;
    for (ulong i = first; i < n; i += step)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}
