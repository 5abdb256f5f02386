/* The first launch of finish `stored`: item i stores the term of index i, which is of dot a product. Behind
 * it the strategy's own kernel runs over what is stored. Of segments it stores the terms of all; a place
 * counts within its segment. */
#ifdef RED_UNALIGNED
#define STORE_SEGMENTS_ , RED_SEGMENTS
#define STORE_N         (n * segments_n)
#else
#define STORE_SEGMENTS_
#define STORE_N n
#endif
#if defined(RED_UNALIGNED) && RED_PLACE
#define STORE_TERM(i) store_term(RED_ARGS_AT((i) - (i) % n), (i) % n)
#else
#define STORE_TERM(i) RED_LOAD(i)
#endif

RED_A store_term(RED_INPUT, const ulong i) {
    return RED_LOAD(i);
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out STORE_SEGMENTS_) {
    const ulong i = get_global_id(0);
    if (i < STORE_N)
        out[i] = STORE_TERM(i);
}
