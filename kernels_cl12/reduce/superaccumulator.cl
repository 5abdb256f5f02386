//@ name:   superaccumulator
//@ idea:   exact: elements are added as integers to a fixed-point number that holds the whole range of the type
//@ span:   chunk
//@ lanes:  16x4
//@ group:  tree
//@ finish: words
//@ needs:  local_memory
//@ types:  floats
//@ ops:    sum, dot, sumsq, mean
//@ source: Kulisch 1971; Neal, arXiv:1505.05571, 2015; Collange, Defour, Graillat and Iakymchuk, Parallel Computing 49, 2015
//@ variant: superaccumulator_stride STRIDE=1
//@ idea:   superaccumulator whose items take turns by vectors: the GPU's shape
//@ span:   stride
//@ lanes:  4x4
//@ variant: superaccumulator_polled STRIDE=1 POLLED=1
//@ idea:   superaccumulator_stride whose last group adds up the digits; the host spins on flags; not promised
//@ span:   stride
//@ lanes:  4x4
//@ finish: polled_words
//@ needs:  local_memory, integer_atomics, host_visible_buffer

/* Elements rarely touch the digits: those whose lowest bits lie within a window of positions are shifted by
 * their distance from its base and added as 64-bit integers in registers. The window moves where a block of
 * elements needs another one. */
#include "lib/digits.cl"

/* Registers hold significands of HALF bits, of longer ones two halves: HALF - 1 + WINDOW + 12 bits of 63, for
 * HELD_N of them. */
#if RED_T_BITS == 64 || defined(RED_MULTIPLIES)
#define HAS_HALVES
#endif
#if RED_T_BITS == 64
#define HALF        27
#define SIGNED_WORD long
#else
#define HALF        24
#define SIGNED_WORD int
#endif
#define HELD_N 4096
#define WINDOW (63 - 12 - HALF)

#define VWORD        RED_OF(RED_FLOAT_WORD, RED_WIDTH)
#define VSIGNED      RED_OF(SIGNED_WORD, RED_WIDTH)
#define VLONG        RED_OF(long, RED_WIDTH)
#define VULONG       RED_OF(ulong, RED_WIDTH)
#define AS_SIGNED(v) RED_PASTE(as_, VSIGNED)(v)
#define TO_LONG(v)   RED_PASTE(convert_, VLONG)(v)
#define TO_ULONG(v)  RED_PASTE(convert_, VULONG)(v)
/* a where the condition holds, elsewhere 0. */
#define WHERE(condition, a) select((VWORD)0, a, RED_PASTE(convert_, VSIGNED)(condition))

/* A vector's lanes as one. */
#define FOLDS(name, type, DO)                                                                                \
    type name##1(const type v) {                                                                             \
        return v;                                                                                            \
    }                                                                                                        \
    type name##2(const RED_OF(type, 2) v) {                                                                  \
        return DO(v.x, v.y);                                                                                 \
    }                                                                                                        \
    type name##4(const RED_OF(type, 4) v) {                                                                  \
        return name##2(DO(v.lo, v.hi));                                                                      \
    }                                                                                                        \
    type name##8(const RED_OF(type, 8) v) {                                                                  \
        return name##4(DO(v.lo, v.hi));                                                                      \
    }                                                                                                        \
    type name##16(const RED_OF(type, 16) v) {                                                                \
        return name##8(DO(v.lo, v.hi));                                                                      \
    }
#define PLUS(a, b)         ((a) + (b))
#define BITS_OF_BOTH(a, b) ((a) | (b))
FOLDS(greatest, RED_FLOAT_WORD, max)
FOLDS(bits_of, RED_FLOAT_WORD, BITS_OF_BOTH)
FOLDS(sum_of, long, PLUS)
#define FOLD(name, v) RED_PASTE(name, RED_WIDTH)(v)

/* What an item holds in registers: sums of significands, shifted by their positions above the base. */
typedef struct {
    VLONG low, high;
    int base;
    uint n; /* terms of a lane */
} held_sums;

/* Adds them to the digits. The next ones have another base. */
void let_go(private held_sums *held, private long *digits, const int base) {
    red_digits_add(digits, held->base + RED_ORIGIN, FOLD(sum_of, held->low));
#ifdef HAS_HALVES
    red_digits_add(digits, held->base + RED_ORIGIN + HALF, FOLD(sum_of, held->high));
    held->high = 0;
#endif
    held->low = 0;
    held->base = base;
    held->n = 0;
}

/* ADD_WITHIN(j) adds what of vector j lies in the window, and sets bits of `lower` where something lies
 * below. */
#define EXPONENTS(x)    (x >> RED_FRACTION & RED_EXPONENT_MAX)
#define POSITIONS(x)    max(EXPONENTS(x), (VWORD)1)
#define SIGNIFICANDS(x) ((x & (RED_HIDDEN - 1)) | min(EXPONENTS(x), (VWORD)1) << RED_FRACTION)
#ifdef RED_MULTIPLIES
#define POSITIONS_OF(j)                                                                                      \
    WHERE((SIGNIFICANDS(x[j]) != 0) & (SIGNIFICANDS(y[j]) != 0), POSITIONS(x[j]) + POSITIONS(y[j]))
#define ADD_WITHIN(j)                                                                                        \
    {                                                                                                        \
        const VWORD position = POSITIONS_OF(j), distance = position - (uint)held->base;                      \
        const VULONG both =                                                                                  \
            TO_ULONG(WHERE(distance < (VWORD)WINDOW, SIGNIFICANDS(x[j]))) * TO_ULONG(SIGNIFICANDS(y[j]));    \
        const VLONG sign = TO_LONG(AS_SIGNED(x[j] ^ y[j]) >> 31);                                            \
        const VLONG low = TO_LONG(both & ((1UL << HALF) - 1)) << TO_LONG(distance);                          \
        const VLONG high = TO_LONG(both >> HALF) << TO_LONG(distance);                                       \
        held->low += (low ^ sign) - sign;                                                                    \
        held->high += (high ^ sign) - sign;                                                                  \
        lower |= WHERE(AS_SIGNED(position) < (VSIGNED)held->base, position);                                 \
    }
#elif RED_T_BITS == 64
#define ADD_WITHIN(j)                                                                                        \
    {                                                                                                        \
        const VWORD all = SIGNIFICANDS(x[j]), position = POSITIONS(x[j]);                                    \
        const VWORD distance = position - (ulong)(long)held->base;                                           \
        const VWORD within = WHERE(distance < (VWORD)WINDOW, all);                                           \
        const VLONG sign = AS_SIGNED(x[j]) >> 63;                                                            \
        const VLONG low = AS_SIGNED((within & ((1UL << HALF) - 1)) << distance);                             \
        const VLONG high = AS_SIGNED(within >> HALF << distance);                                            \
        held->low += (low ^ sign) - sign;                                                                    \
        held->high += (high ^ sign) - sign;                                                                  \
        lower |= WHERE(AS_SIGNED(position) < (VSIGNED)held->base, all);                                      \
    }
#else
#define ADD_WITHIN(j)                                                                                        \
    {                                                                                                        \
        const VWORD all = SIGNIFICANDS(x[j]), position = POSITIONS(x[j]);                                    \
        const VWORD distance = position - (uint)held->base;                                                  \
        const VSIGNED within = AS_SIGNED(WHERE(distance < (VWORD)WINDOW, all)),                              \
                      sign = AS_SIGNED(x[j]) >> 31;                                                          \
        held->low += TO_LONG((within ^ sign) - sign) << TO_LONG(distance);                                   \
        lower |= WHERE(AS_SIGNED(position) < (VSIGNED)held->base, all);                                      \
    }
#endif

/* RED_LOADS vectors of words. */
typedef struct {
    VWORD x[RED_LOADS];
#ifdef RED_MULTIPLIES
    VWORD y[RED_LOADS];
#endif
} block;

/* Adds each term by itself: infinities and NaNs are among them. */
void add_each(const private block *terms, private long *digits, private ulong *met) {
    const private RED_FLOAT_WORD *x = (const private RED_FLOAT_WORD *)terms->x;
#ifdef RED_MULTIPLIES
    const private RED_FLOAT_WORD *y = (const private RED_FLOAT_WORD *)terms->y;
#endif
    for (int i = 0; i < RED_LOADS * RED_WIDTH; i++)
#ifdef RED_MULTIPLIES
        red_digits_add_product(digits, met, x[i], y[i]);
#else
        red_digits_add_element(digits, met, x[i]);
#endif
}

#define TAKE_SIZE(j)      size = max(size, x[j] & RED_MAGNITUDE);
#define TAKE_SIZE_OF_Y(j) size = max(size, y[j] & RED_MAGNITUDE);
#define TAKE_POSITION(j)  positions = max(positions, POSITIONS_OF(j));
void add_block(const private block *terms, private held_sums *held, private long *digits,
               private ulong *met) {
    const private VWORD *x = terms->x;
    VWORD size = 0, lower;
    RED_EACH_LOAD(TAKE_SIZE)
#ifdef RED_MULTIPLIES
    const private VWORD *y = terms->y;
    VWORD positions = 0;
    RED_EACH_LOAD(TAKE_SIZE_OF_Y)
    RED_EACH_LOAD(TAKE_POSITION)
    const int top = (int)FOLD(greatest, positions);
#else
    const int top = red_position(FOLD(greatest, size));
#endif
    if (FOLD(greatest, size) >= RED_INFINITE) {
        add_each(terms, digits, met);
        return;
    }
    if (top < held->base || top >= held->base + WINDOW)
        let_go(held, digits, top - WINDOW + 3); /* the next may be four times as large */
    for (;;) {
        lower = 0;
        RED_EACH_LOAD(ADD_WITHIN)
        held->n += RED_LOADS;
        if (FOLD(bits_of, lower) == 0)
            break;
        let_go(held, digits, held->base - WINDOW);
    }
    if (held->n + RED_LOADS > HELD_N / RED_WIDTH)
        let_go(held, digits, held->base);
}

/* Loads vector `at` where there is one: zeros add nothing. */
#define LOAD_X(j, at, end) terms.x[j] = at < end ? RED_WORD_VEC(RED_WIDTH, red_x, at) : (VWORD)0;
#ifdef RED_MULTIPLIES
#define LOAD(j, at, end)                                                                                     \
    LOAD_X(j, at, end)                                                                                       \
    terms.y[j] = at < end ? RED_WORD_VEC(RED_WIDTH, RED_FACTOR, at) : (VWORD)0;
#else
#define LOAD LOAD_X
#endif

/* Adds an item's share. */
void add_share(RED_INPUT, const ulong n, private long *digits) {
    block terms;
    ulong met = 0;
    held_sums held = {0, 0, 0, 0};
    for (int i = 0; i < RED_LIMBS; i++)
        digits[i] = 0;
#ifdef STRIDE
#define LOAD_TURN(j) LOAD(j, i + j * step, vectors_n)
    const ulong vectors_n = n / RED_WIDTH, step = get_global_size(0);
    for (ulong i = get_global_id(0); i < vectors_n; i += RED_LOADS * step) {
        RED_EACH_LOAD(LOAD_TURN)
        add_block(&terms, &held, digits, &met);
    }
    for (ulong i = RED_WIDTH * vectors_n + get_global_id(0); i < n; i += step)
        RED_DIGITS_TAKE(i);
#else
#define LOAD_NEXT(j) LOAD(j, i + j, vectors_end)
    const ulong block_n = RED_WIDTH * RED_LOADS < 64 ? 64 : RED_WIDTH * RED_LOADS,
                pieces_n = get_global_size(0);
    const ulong piece_n = ((n + block_n - 1) / block_n + pieces_n - 1) / pieces_n * block_n;
    const ulong begin = min(n, piece_n * get_global_id(0)), end = min(n, begin + piece_n);
    const ulong vectors_end = end / RED_WIDTH;
    for (ulong i = (begin + RED_WIDTH - 1) / RED_WIDTH; i < vectors_end; i += RED_LOADS) {
        RED_EACH_LOAD(LOAD_NEXT)
        add_block(&terms, &held, digits, &met);
    }
    for (ulong i = max(begin, RED_WIDTH * vectors_end); i < end; i++)
        RED_DIGITS_TAKE(i);
#endif
    let_go(&held, digits, 0);
    red_digits_carry(digits);
    digits[RED_DIGITS] = (long)met;
}

/* The attribute keeps Intel's compiler from making vectors of vectors, for which it takes three times as
 * long. */
#define HINT __attribute__((vec_type_hint(float4)))
#ifdef POLLED
/* Adds up what all groups have left, and hands it over. That the last group sees what the others left is what
 * drivers do, not what OpenCL 1.x promises. */
HINT RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                       RED_ANSWER) {
    RED_LOCAL(long, scratch, RED_BATCH *RED_GROUP_SIZE);
    RED_LOCAL(uint, last, 1);
    long digits[RED_LIMBS];
    global long *words = (global long *)out;
    add_share(RED_ARGS, n, digits);
    red_group_words(digits, scratch, words);
    if (get_local_id(0) == 0) {
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        last[0] = atomic_inc(counter) + 1 == get_num_groups(0);
        read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last[0]) {
        if (get_local_id(0) == 0)
            atomic_xchg(counter, 0);
        red_tell_words(words, scratch, red_answer);
    }
}
#else
HINT RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(long, scratch, RED_BATCH *RED_GROUP_SIZE);
    long digits[RED_LIMBS];
    add_share(RED_ARGS, n, digits);
    red_group_words(digits, scratch, (global long *)out);
}
#endif
