/* A vector's lanes, and the vectors that an item has in flight. */
/* Vectors of any width, and of that which the host has chosen. */
#define RED_LOAD_VEC(w, i) (RED_LOAD_VEC_(w, i))
#define RED_LOAD_VECTOR(i) (RED_LOAD_VEC_(RED_WIDTH, i))
/* A vector's lanes combined into one value: RED_FOLD(w, v), or red_fold<w>(v). */
#define RED_FOLD(w, v) RED_PASTE(red_fold, w)(v)
#define red_fold1(v)   (v)
#if RED_WORD_BITS == 0
#define red_fold2(v)  (v)
#define red_fold4(v)  (v)
#define red_fold8(v)  (v)
#define red_fold16(v) (v)
#else
/* A vector's lanes combined, half by half. */
RED_A red_fold2(RED_VEC(2) v) {
    return RED_COMBINE(v.x, v.y);
}
RED_A red_fold4(RED_VEC(4) v) {
    return red_fold2(RED_COMBINE(v.lo, v.hi));
}
RED_A red_fold8(RED_VEC(8) v) {
    return red_fold4(RED_COMBINE(v.lo, v.hi));
}
RED_A red_fold16(RED_VEC(16) v) {
    return red_fold8(RED_COMBINE(v.lo, v.hi));
}
#endif

/* What an item has in flight: `RED_VEC(RED_WIDTH) sums[RED_LOADS]`, its own vector for each load.
 * RED_EACH_LOAD(DO) is DO(0) ... DO(RED_LOADS - 1), written out so that the vectors stay in registers
 * whatever a compiler thinks of loops; RED_ALL_LOADS(sums) combines them, RED_FOLD_LOADS(sums) their lanes,
 * too. */
#if RED_LOADS == 1
#define RED_EACH_LOAD(DO)   DO(0)
#define RED_ALL_LOADS(sums) sums[0]
#elif RED_LOADS == 2
#define RED_EACH_LOAD(DO)   DO(0) DO(1)
#define RED_ALL_LOADS(sums) RED_COMBINE(sums[0], sums[1])
#elif RED_LOADS == 4
#define RED_EACH_LOAD(DO)   DO(0) DO(1) DO(2) DO(3)
#define RED_ALL_LOADS(sums) RED_COMBINE(RED_COMBINE(sums[0], sums[1]), RED_COMBINE(sums[2], sums[3]))
#else
#define RED_EACH_LOAD(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define RED_ALL_LOADS(sums)                                                                                  \
    RED_COMBINE(RED_COMBINE(RED_COMBINE(sums[0], sums[1]), RED_COMBINE(sums[2], sums[3])),                   \
                RED_COMBINE(RED_COMBINE(sums[4], sums[5]), RED_COMBINE(sums[6], sums[7])))
#endif

#define RED_FOLD_LOADS(sums) RED_FOLD(RED_WIDTH, RED_ALL_LOADS(sums))

/* 2 cores, Intel's runtime, f32, n = 2^26: 8.4 ms instead of 9.5, 2^24: 1.28 instead of 1.34; with four
 * streams 8.5. */
/* Of an item's contiguous elements half of the loads go to either half of them: a core's prefetcher follows
 * two streams further ahead than one. */
#if RED_LOADS > 1
#define RED_STREAMS 2
#else
#define RED_STREAMS 1
#endif
