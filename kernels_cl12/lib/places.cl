/* Accumulators of argmin and argmax: a value's rank and its place, in one word or as a pair. */
/* A value's rank and where it stands: what a place needs that does not fit into 64 bits. */
#if RED_WORD_BITS == 0
typedef struct {
    ulong key, index;
} red_pair;
red_pair red_pair_lower(const red_pair a, const red_pair b) {
    const bool lower = (b.key < a.key) | ((b.key == a.key) & (b.index < a.index));
    const red_pair least = {lower ? b.key : a.key, lower ? b.index : a.index};
    return least;
}
/* By its members: a struct that is volatile is copied by way of memory. */
red_pair red_pair_read(volatile global const red_pair *stored) {
    const red_pair value = {stored->key, stored->index};
    return value;
}
#define RED_READ(a, i) red_pair_read((a) + (i))
#else
#define RED_READ(a, i) a[i]
#endif

#if RED_PLACE
/* A place is the least of (rank, index): the rank in the upper bits of a word, the index in all others, or
 * beside it in a red_pair. Ranks are unsigned and in the order of the values: of floats the sign bit is
 * turned for positive and all bits for negative ones (IEEE 754-2008, section 5.10); -0 counts as +0, and a
 * NaN ranks highest. */
#define RED_SIGN (1UL << 63)
#if RED_T_BITS == 16
#define RED_INFINITE_RANK (0x7c00UL << 48)
#elif RED_T_BITS == 32
#define RED_INFINITE_RANK (0x7f800000UL << 32)
#else
#define RED_INFINITE_RANK (0x7ffUL << 52)
#endif
/* All bits of a lane that is negative, none of another. */
#define RED_ALL(w, number) RED_OF(as_ulong, w)(RED_OF(as_long, w)(number) >> 63)
#if RED_T_KIND == 2
#define RED_RANK_(w, rank, nan)                                                                              \
    nan = RED_ALL(w, RED_INFINITE_RANK - (rank & ~RED_SIGN));                                                \
    rank &= ~RED_ALL(w, (rank & ~RED_SIGN) - 1);                                                             \
    rank ^= RED_ALL(w, rank) | RED_SIGN;
#elif RED_T_KIND == 1
#define RED_RANK_(w, rank, nan) rank ^= RED_SIGN;
#else
#define RED_RANK_(w, rank, nan)
#endif
#if RED_PLACE == 2
#define RED_TURN_(rank) rank = ~rank;
#else
#define RED_TURN_(rank)
#endif
#define RED_OWN_BITS (~0UL << (64 - RED_T_BITS)) /* of a rank */
ulong red_rank(const RED_RAW word) {
    ulong rank = convert_ulong(word) << (64 - RED_T_BITS), nan = 0;
    RED_RANK_(1, rank, nan)
    RED_TURN_(rank)
    return (rank | nan) & RED_OWN_BITS;
}
#define RED_RANK_AT_(x, i) red_rank(RED_VECTOR_AT(RED_RAW, 1, x, i))
#if RED_WORD_BITS != 0
ulong2 red_rank2(const RED_OF(RED_RAW, 2) words) {
    ulong2 rank = convert_ulong2(words) << (64 - RED_T_BITS), nan = 0;
    RED_RANK_(2, rank, nan)
    RED_TURN_(rank)
    return (rank | nan) & RED_OWN_BITS;
}
ulong4 red_rank4(const RED_OF(RED_RAW, 4) words) {
    ulong4 rank = convert_ulong4(words) << (64 - RED_T_BITS), nan = 0;
    RED_RANK_(4, rank, nan)
    RED_TURN_(rank)
    return (rank | nan) & RED_OWN_BITS;
}
ulong8 red_rank8(const RED_OF(RED_RAW, 8) words) {
    ulong8 rank = convert_ulong8(words) << (64 - RED_T_BITS), nan = 0;
    RED_RANK_(8, rank, nan)
    RED_TURN_(rank)
    return (rank | nan) & RED_OWN_BITS;
}
ulong16 red_rank16(const RED_OF(RED_RAW, 16) words) {
    ulong16 rank = convert_ulong16(words) << (64 - RED_T_BITS), nan = 0;
    RED_RANK_(16, rank, nan)
    RED_TURN_(rank)
    return (rank | nan) & RED_OWN_BITS;
}
#define RED_LANES1  0
#define RED_LANES2  ((ulong2)(0, 1))
#define RED_LANES4  ((ulong4)(0, 1, 2, 3))
#define RED_LANES8  ((ulong8)(0, 1, 2, 3, 4, 5, 6, 7))
#define RED_LANES16 ((ulong16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define RED_VEC(w)  RED_OF(ulong, w)
#define RED_LOAD(i) (RED_RANK_AT_(red_x, i) | (ulong)(i))
#define RED_LOAD_VEC_(w, i)                                                                                  \
    RED_OF(red_rank, w)(RED_VECTOR_AT(RED_RAW, w, red_x, i)) | (w * (ulong)(i) + RED_PASTE(RED_LANES, w))
#endif
#endif

/* A pair is no vector's lane: vectors of pairs are folded on loading. */
#if RED_WORD_BITS == 0
red_pair red_load_pairs(global const RED_T *x, const ulong begin, const ulong end) {
    red_pair least = RED_IDENTITY;
    for (ulong i = begin; i < end; i++) {
#if RED_PLACE
        const red_pair next = {RED_RANK_AT_(x, i), i};
#else
        const red_pair next = x[i];
#endif
        least = RED_COMBINE(least, next);
    }
    return least;
}
#define RED_VEC(w)          red_pair
#define RED_LOAD(i)         red_load_pairs(red_x, (i), (i) + 1)
#define RED_LOAD_VEC_(w, i) red_load_pairs(red_x, w * (ulong)(i), w * (ulong)(i) + w)
#endif
