//@ name:   superaccumulator
//@ idea:   exact: elements are added without rounding to a number that holds the whole range of the type
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
//@ lanes:  2x8
//@ variant: superaccumulator_polled STRIDE=1 POLLED=1
//@ idea:   superaccumulator_stride whose last group adds up the digits; the host spins on flags; not promised
//@ span:   stride
//@ lanes:  2x8
//@ finish: polled_words
//@ needs:  local_memory, integer_atomics, host_visible_buffer, write_read_fence

/* Elements rarely touch the digits. Blocks of them that fit are added as doubles. Of others, those elements
 * whose lowest bits lie within a window of positions are shifted by their distance from its base and added as
 * 64-bit integers in registers. The window moves where a block needs another one. */
#include "lib/doubles.cl" /* and lib/digits.cl */

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

/* Whether a lane is not 0. */
#define BITS_OF_BOTH(a, b) ((a) | (b))
RED_DEFINE_LANES(bits_of, RED_FLOAT_WORD, BITS_OF_BOTH)

/* What an item holds in registers: sums of significands, shifted by their positions above the base. */
typedef struct {
    VLONG low, high;
    int base;
    uint n; /* terms of a lane */
} held_sums;

/* Adds them to the digits. The next ones have another base. */
void let_go(private held_sums *held, private long *digits, const int base) {
    red_digits_add(digits, held->base + RED_ORIGIN, RED_OF_LANES(red_long_sum, held->low));
#ifdef HAS_HALVES
    red_digits_add(digits, held->base + RED_ORIGIN + HALF, RED_OF_LANES(red_long_sum, held->high));
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

/* Adds each term of a vector by itself: infinities and NaNs are among them. */
#ifdef RED_MULTIPLIES
void add_each(const VWORD x, const VWORD y, private long *digits, private ulong *met) {
    const private RED_FLOAT_WORD *a = (const private RED_FLOAT_WORD *)&x,
                                 *b = (const private RED_FLOAT_WORD *)&y;
    for (int i = 0; i < RED_WIDTH; i++)
        red_digits_add_product(digits, met, a[i], b[i]);
}
#define ADD_EACH(j) add_each(x[j], y[j], digits, met);
#else
void add_each(const VWORD x, private long *digits, private ulong *met) {
    const private RED_FLOAT_WORD *a = (const private RED_FLOAT_WORD *)&x;
    for (int i = 0; i < RED_WIDTH; i++)
        red_digits_add_element(digits, met, a[i]);
}
#define ADD_EACH(j) add_each(x[j], digits, met);
#endif

#define TAKE_SIZE(j)      size = max(size, x[j] & RED_MAGNITUDE);
#define TAKE_SIZE_OF_Y(j) size = max(size, y[j] & RED_MAGNITUDE);
#define TAKE_POSITION(j)  positions = max(positions, POSITIONS_OF(j));
void add_integers(const private block *terms, private held_sums *held, private long *digits,
                  private ulong *met) {
    const private VWORD *x = terms->x;
    VWORD size = 0, lower;
    RED_EACH_LOAD(TAKE_SIZE)
#ifdef RED_MULTIPLIES
    const private VWORD *y = terms->y;
    VWORD positions = 0;
    RED_EACH_LOAD(TAKE_SIZE_OF_Y)
    RED_EACH_LOAD(TAKE_POSITION)
    const int top = (int)RED_OF_LANES(red_greatest, positions);
#else
    const int top = red_position(RED_OF_LANES(red_greatest, size));
#endif
    if (RED_OF_LANES(red_greatest, size) >= RED_INFINITE) {
        RED_EACH_LOAD(ADD_EACH)
        return;
    }
    if (top < held->base || top >= held->base + WINDOW)
        let_go(held, digits, top - WINDOW + 3); /* the next may be four times as large */
    for (;;) {
        lower = 0;
        RED_EACH_LOAD(ADD_WITHIN)
        held->n += RED_LOADS;
        if (RED_OF_LANES(bits_of, lower) == 0)
            break;
        let_go(held, digits, held->base - WINDOW);
    }
    if (held->n + RED_LOADS > HELD_N / RED_WIDTH)
        let_go(held, digits, held->base);
}

/* Loads the vectors first, first + step ...: those from `end` on are zeros, which add nothing. */
#define LOAD(array, a, j) array[j] = RED_WORD_VEC(RED_WIDTH, a, first + (j)*step);
#define LOAD_X(j)         LOAD(terms->x, red_x, j)
#ifdef RED_MULTIPLIES
#define LOAD_TERMS(j) LOAD_X(j) LOAD(terms->y, RED_FACTOR, j)
#define NO_TERMS(j)   terms->x[j] = terms->y[j] = 0;
#else
#define LOAD_TERMS  LOAD_X
#define NO_TERMS(j) terms->x[j] = 0;
#endif
#define LOAD_LAST(j)                                                                                         \
    if (first + (j)*step < end) {                                                                            \
        LOAD_TERMS(j)                                                                                        \
    } else {                                                                                                 \
        NO_TERMS(j)                                                                                          \
    }
void load_block(RED_INPUT, const ulong first, const ulong step, const ulong end, private block *terms) {
    if (first + (RED_LOADS - 1) * step < end) {
        RED_EACH_LOAD(LOAD_TERMS)
    } else {
        RED_EACH_LOAD(LOAD_LAST)
    }
}

/* Adds an item's share: the vectors first, first + step ..., and the elements from `rest` on. */
void add_share(RED_INPUT, const ulong n, private long *digits) {
    block terms;
    ulong met = 0;
    held_sums held = {0, 0, 0, 0};
    red_doubles doubles = red_doubles_none();
    for (int i = 0; i < RED_LIMBS; i++)
        digits[i] = 0;
#ifdef STRIDE
    const ulong step = get_global_size(0), first = get_global_id(0), vectors_end = n / RED_WIDTH;
    const ulong rest = RED_WIDTH * vectors_end + first, end = n;
#else
    const ulong block_n = RED_WIDTH * RED_LOADS < 64 ? 64 : RED_WIDTH * RED_LOADS,
                pieces_n = get_global_size(0);
    const ulong piece_n = ((n + block_n - 1) / block_n + pieces_n - 1) / pieces_n * block_n;
    const ulong begin = min(n, piece_n * get_global_id(0)), end = min(n, begin + piece_n);
    const ulong step = 1, first = (begin + RED_WIDTH - 1) / RED_WIDTH, vectors_end = end / RED_WIDTH;
    const ulong rest = max(begin, RED_WIDTH * vectors_end);
#endif
    for (ulong i = first; i < vectors_end; i += RED_LOADS * step) {
        load_block(RED_ARGS, i, step, vectors_end, &terms);
        if (!red_doubles_take(terms.x, &doubles, digits)) {
            const block left = terms;
            add_integers(&left, &held, digits, &met);
        }
    }
    for (ulong i = rest; i < end; i += step)
        RED_DIGITS_TAKE(i);
    red_doubles_end(doubles, digits);
    let_go(&held, digits, 0);
    red_digits_carry(digits);
    digits[RED_DIGITS] = (long)met;
}

/* The attribute keeps Intel's compiler from making vectors of vectors, for which it takes three times as
 * long. */
#define HINT __attribute__((vec_type_hint(float4)))
#ifdef POLLED
/* Adds up what all groups have left, and hands it over. Item 0 alone leaves a group's words. That the last
 * group sees what the others left is what drivers do; OpenCL 1.x promises nothing between groups. */
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
        if (last[0])
            read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last[0]) {
        if (get_local_id(0) == 0)
            atomic_and(counter, 0);
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
