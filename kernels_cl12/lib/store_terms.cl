/* The first launch of finish `stored`: item i stores the term of index i, which is of dot a product. Behind
 * it the strategy's own kernel runs over what is stored. Of segments it stores the terms of all. */
#ifdef RED_UNALIGNED
#define STORE_SEGMENTS , RED_SEGMENTS
#define STORE_N        (n * segments_n)
#else
#define STORE_SEGMENTS
#define STORE_N n
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out,
                  global uint *restrict counter STORE_SEGMENTS) {
    const ulong i = get_global_id(0);
    if (i < STORE_N)
        out[i] = RED_LOAD(i);
}
