/* What kernels of histograms share: the bin of an element, by the numbers that src/model/bins.h defines and
 * the host writes in front of a kernel (RED_BINS, RED_BIN_LOWER, RED_BIN_WIDTH of integers, RED_BIN_UPPER and
 * RED_BIN_SCALE of floats): it stands behind the prelude then. An answer has RED_COUNTS_N counts: one for
 * each bin, the last one for all that is out of range. */
#ifndef RED_BINS
#define RED_BINS 256u
#if RED_T_KIND == 2
#define RED_BIN_LOWER -1.0f
#define RED_BIN_UPPER 1.0f
#define RED_BIN_SCALE 128.0f
#else
#define RED_BIN_LOWER 0u
#define RED_BIN_WIDTH 1u
#endif
#endif
#define RED_COUNTS_N (RED_BINS + 1)

/* How many counts an item of the second launch of finish joined_copies adds up, from RED_JOIN_N times its
 * index on: one, or as many as make 64 of a smaller group, since groups take time to start (2 cores, Intel's
 * runtime: 257 groups of one count 6 us, 5 groups 0.5 us). */
#define RED_JOIN_N ((63 + RED_GROUP_SIZE) / RED_GROUP_SIZE)

/* How many elements a group counts at most in local memory before it hands over: counts there have 32 bits,
 * since atomics on these are fast. */
#if !defined RED_ROUND_N && RED_WORD_BITS == 32
#define RED_ROUND_N ~0ul
#elif !defined RED_ROUND_N
#define RED_ROUND_N (1ul << 31)
#endif

/* RED_BIN(x) is the bin of an element, RED_BINS where it is out of range; RED_BIN_VEC(w, x) those of a
 * vector. The range of integers is a whole number of bins: what lies behind it would have bin RED_BINS or a
 * later one, and modulo 2^32 that is true of what lies before it, too. The division is a shift where the
 * width is a power of two. Of floats 1 - 2^-24 is rounded up to the end of the last bin. */
#define RED_BIN(x) (RED_BIN_VEC(1, x))
/* The least of a vector and a scalar is wrong in Oclgrind 21.10. */
#define RED_ALL(w, bin) (RED_OF(uint, w))(bin)
#if RED_T_KIND == 2
#pragma OPENCL FP_CONTRACT OFF
#define RED_BIN_NEAR(w, x) RED_OF(convert_uint, w)(((x)-RED_BIN_LOWER) * RED_BIN_SCALE)
#define RED_BIN_VEC(w, x)                                                                                    \
    select(RED_ALL(w, RED_BINS), min(RED_BIN_NEAR(w, x), RED_ALL(w, RED_BINS - 1)),                          \
           ((x) >= RED_BIN_LOWER) & ((x) < RED_BIN_UPPER))
#elif RED_T_BITS < 32
#define RED_BIN_VEC(w, x) min(RED_OF(convert_uint, w)(x), RED_ALL(w, RED_BINS))
#else
#define RED_BIN_VEC(w, x) min((RED_OF(as_uint, w)(x) - RED_BIN_LOWER) / RED_BIN_WIDTH, RED_ALL(w, RED_BINS))
#endif

/* RED_EACH_OF(n, DO) is DO(0) ... DO(f), of 1, 2, 4, 8 or 16 lanes; RED_LANE(n, v, k) is lane k of a vector
 * of n, and its number is 0x##k. */
#define RED_EACH_OF1(DO)  DO(0)
#define RED_EACH_OF2(DO)  DO(0) DO(1)
#define RED_EACH_OF4(DO)  RED_EACH_OF2(DO) DO(2) DO(3)
#define RED_EACH_OF8(DO)  RED_EACH_OF4(DO) DO(4) DO(5) DO(6) DO(7)
#define RED_EACH_OF16(DO) RED_EACH_OF8(DO) DO(8) DO(9) DO(a) DO(b) DO(c) DO(d) DO(e) DO(f)
#define RED_LANE1(v, k)   (v)
#define RED_LANE2(v, k)   (v).s##k
#define RED_LANE4(v, k)   (v).s##k
#define RED_LANE8(v, k)   (v).s##k
#define RED_LANE16(v, k)  (v).s##k
/* Not by RED_PASTE, which DO and v may name: a preprocessor need not replace a macro inside itself. */
#define RED_EACH_OF(n, DO) RED_EACH_OF_N(n)(DO)
#define RED_EACH_OF_N(n)   RED_EACH_OF_N_(n)
#define RED_EACH_OF_N_(n)  RED_EACH_OF##n
#define RED_LANE(n, v, k)  RED_LANE_N(n)(v, k)
#define RED_LANE_N(n)      RED_LANE_N_(n)
#define RED_LANE_N_(n)     RED_LANE##n

/* RED_WIDTH elements as they are loaded: RED_WORDS is their type, RED_LOAD_WORDS(i) loads number i of them,
 * and RED_COUNT_WORDS(v) counts each by COUNT(bin), which a kernel defines. Narrow elements are taken from
 * words of 32 bits by shifts: from vectors of bytes a compiler for GPUs takes them slower (H100, u8, n =
 * 2^24: 9.7 us instead of 8.2). */
#if RED_T_BITS >= 32 || RED_WIDTH * RED_T_BITS < 32
#define RED_WORDS_N          RED_WIDTH
#define RED_WORD_T           RED_T
#define RED_COUNT_WORD(word) COUNT(RED_BIN(word));
#else
#if RED_WIDTH * RED_T_BITS == 32
#define RED_WORDS_N 1
#elif RED_WIDTH * RED_T_BITS == 64
#define RED_WORDS_N 2
#elif RED_WIDTH * RED_T_BITS == 128
#define RED_WORDS_N 4
#else
#define RED_WORDS_N 8
#endif
#define RED_WORD_T uint
#if RED_T_BITS == 16
#define RED_COUNT_WORD(word)                                                                                 \
    COUNT(RED_BIN((word)&0xffff));                                                                           \
    COUNT(RED_BIN((word) >> 16));
#else
#define RED_COUNT_WORD(word)                                                                                 \
    COUNT(RED_BIN((word)&0xff));                                                                             \
    COUNT(RED_BIN((word) >> 8 & 0xff));                                                                      \
    COUNT(RED_BIN((word) >> 16 & 0xff));                                                                     \
    COUNT(RED_BIN((word) >> 24));
#endif
#endif
#define RED_COUNT_LANE(k) RED_COUNT_WORD(RED_LANE(RED_WORDS_N, red_words, k))
#define RED_WORDS         RED_OF(RED_WORD_T, RED_WORDS_N)
#define RED_LOAD_WORDS(i) ((global const RED_WORDS *)red_x)[i]
#define RED_COUNT_WORDS(v)                                                                                   \
    {                                                                                                        \
        const RED_WORDS red_words = v;                                                                       \
        RED_EACH_OF(RED_WORDS_N, RED_COUNT_LANE)                                                             \
    }
