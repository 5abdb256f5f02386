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

/* The number is held in digits of 32 bits, each in a limb of 64, so that carries can wait. Elements rarely touch
 * it: those whose lowest bits lie within a window of positions are shifted by their distance from its base and
 * added as 64-bit integers in registers. The window moves where a block of elements needs another one. No
 * arithmetic of floats: denormals count whatever the driver does with them. */

/* An element's word: its lowest bit has position e of 1 ... EXPONENT_MAX - 1, of denormals 1. */
#if RED_T_BITS == 64
#define WORD            ulong
#define SIGNED_WORD     long
#define SIGNIFICAND     52
#define EXPONENT_MAX    2047
#else
#define WORD            uint
#define SIGNED_WORD     int
#define SIGNIFICAND     23
#define EXPONENT_MAX    255
#endif
#define HIDDEN   ((WORD)1 << SIGNIFICAND)
#define INFINITE ((WORD)EXPONENT_MAX << SIGNIFICAND)
#define IS_SQUARE (RED_MAP_(3, 1) == 9)

/* A factor 2^32 of all limbs, then what is added to a position for its place among the bits of all digits. The
 * product of two halves is a float; that of two floats has 48 bits, and the sum of their positions. */
#if RED_T_BITS == 64
#define DIGITS 67 /* the lowest is 2^-1074 */
#define ORIGIN (-1)
#elif RED_T_BITS == 32 && (RED_ARRAYS == 2 || IS_SQUARE)
#define IS_PRODUCT
#define DIGITS 19 /* 2^-306 */
#define ORIGIN 6
#elif RED_T_BITS == 32
#define DIGITS 11 /* 2^-178 */
#define ORIGIN 28
#elif RED_ARRAYS == 2 || IS_SQUARE
#define DIGITS 7 /* 2^-82 */
#define ORIGIN (-68)
#else
#define DIGITS 3 /* 2^-50 */
#define ORIGIN (-100)
#endif
#define WORDS (DIGITS + 1) /* behind the digits: how many items met a NaN, +infinity, -infinity */
#define MET_NAN   (1UL << 42)
#define MET_PLUS  (1UL << 21)
#define MET_MINUS 1UL

/* Registers hold significands of HALF bits, of longer ones two halves: HALF - 1 + WINDOW + 12 bits of 63, for
 * 2^12 of them. */
#if RED_T_BITS == 64
#define HALF 27
#else
#define HALF 24
#endif
#if RED_T_BITS == 64 || defined(IS_PRODUCT)
#define HAS_HALVES
#endif
#define HELD_N 4096
#define WINDOW (63 - 12 - HALF)

#define VWORD   RED_OF(WORD, RED_WIDTH)
#define VSIGNED RED_OF(SIGNED_WORD, RED_WIDTH)
#define VLONG   RED_OF(long, RED_WIDTH)
#define VULONG  RED_OF(ulong, RED_WIDTH)
#define AS_SIGNED(v) RED_PASTE(as_, VSIGNED)(v)
#define TO_LONG(v)   RED_PASTE(convert_, VLONG)(v)
#define TO_ULONG(v)  RED_PASTE(convert_, VULONG)(v)
/* a where the condition holds, elsewhere 0. */
#define WHERE(condition, a) select((VWORD)0, a, RED_PASTE(convert_, VSIGNED)(condition))

/* A vector's lanes as one. */
#define FOLDS(name, type, DO)                                                                                \
    type name##1(const type v) { return v; }                                                                 \
    type name##2(const RED_OF(type, 2) v) { return DO(v.x, v.y); }                                           \
    type name##4(const RED_OF(type, 4) v) { return name##2(DO(v.lo, v.hi)); }                                \
    type name##8(const RED_OF(type, 8) v) { return name##4(DO(v.lo, v.hi)); }                                \
    type name##16(const RED_OF(type, 16) v) { return name##8(DO(v.lo, v.hi)); }
#define PLUS(a, b) ((a) + (b))
#define BITS_OF_BOTH(a, b) ((a) | (b))
FOLDS(greatest, WORD, max)
FOLDS(bits_of, WORD, BITS_OF_BOTH)
FOLDS(sum_of, long, PLUS)
#define FOLD(name, v) RED_PASTE(name, RED_WIDTH)(v)

/* Adds value * 2^at to the digits. Below the lowest digit it has zeros only. */
void add(private long *digits, int at, long value) {
    value >>= at < 0 ? -at : 0;
    at = max(at, 0);
    const ulong size = abs(value);
    const int digit = at / 32, shift = at % 32, sign = value < 0 ? -1 : 1;
    const ulong low = size << shift, high = size >> 1 >> (63 - shift);
    digits[digit] += sign * (long)(low & 0xffffffff);
    digits[digit + 1] += sign * (long)(low >> 32);
    digits[digit + 2] += sign * (long)high;
}

WORD position_of(const WORD x) {
    return max(x >> SIGNIFICAND & EXPONENT_MAX, (WORD)1);
}

ulong significand_of(const WORD x) {
    return (x & (HIDDEN - 1)) | (WORD)((x & INFINITE) != 0) << SIGNIFICAND;
}

/* Adds one element, or one product. */
#ifdef IS_PRODUCT
void add_one(private long *digits, private ulong *met, const WORD x, const WORD y) {
    const bool is_minus = ((x ^ y) & ~(~(WORD)0 >> 1)) != 0;
    const WORD a = x & (~(WORD)0 >> 1), b = y & (~(WORD)0 >> 1);
    if (max(a, b) >= INFINITE)
        *met |= max(a, b) > INFINITE || min(a, b) == 0 ? MET_NAN : is_minus ? MET_MINUS : MET_PLUS;
    else {
        const long m = (long)(significand_of(x) * significand_of(y));
        add(digits, (int)(position_of(x) + position_of(y)) + ORIGIN, is_minus ? -m : m);
    }
}
#else
void add_one(private long *digits, private ulong *met, const WORD x) {
    const bool is_minus = (x & ~(~(WORD)0 >> 1)) != 0;
    const WORD a = x & (~(WORD)0 >> 1);
    if (a >= INFINITE)
        *met |= a > INFINITE ? MET_NAN : is_minus ? MET_MINUS : MET_PLUS;
    else {
        const long m = (long)significand_of(x);
        add(digits, (int)position_of(x) + ORIGIN, is_minus ? -m : m);
    }
}
#endif

/* What an item holds in registers: sums of significands, shifted by their positions above the base. */
typedef struct {
    VLONG low, high;
    int base;
    uint n; /* terms of a lane */
} held_sums;

void let_go(private held_sums *held, private long *digits, const int base) {
    add(digits, held->base + ORIGIN, FOLD(sum_of, held->low));
#ifdef HAS_HALVES
    add(digits, held->base + ORIGIN + HALF, FOLD(sum_of, held->high));
    held->high = 0;
#endif
    held->low = 0;
    held->base = base;
    held->n = 0;
}

/* Adds what of vector j lies in the window. Sets bits of `lower` where something lies below it. */
#define POSITIONS(x)    max(x >> SIGNIFICAND & EXPONENT_MAX, (VWORD)1)
#define SIGNIFICANDS(x) ((x & (HIDDEN - 1)) | min(x >> SIGNIFICAND & EXPONENT_MAX, (VWORD)1) << SIGNIFICAND)
#ifdef IS_PRODUCT
#define SIGN_OF(j)      TO_LONG(AS_SIGNED(x[j] ^ y[j]) >> 31)
#define POSITION_OF(j)  WHERE((SIGNIFICANDS(x[j]) != 0) & (SIGNIFICANDS(y[j]) != 0), POSITIONS(x[j]) + POSITIONS(y[j]))
#define ADD_WITHIN(j)                                                                                        \
    {                                                                                                        \
        const VWORD position = POSITION_OF(j), distance = position - (WORD)held->base;                       \
        const VULONG m = TO_ULONG(WHERE(distance < (VWORD)WINDOW, SIGNIFICANDS(x[j]))) * TO_ULONG(SIGNIFICANDS(y[j])); \
        const VLONG sign = SIGN_OF(j), low = TO_LONG(m & ((1UL << HALF) - 1)) << TO_LONG(distance),           \
                    high = TO_LONG(m >> HALF) << TO_LONG(distance);                                           \
        held->low += (low ^ sign) - sign;                                                                    \
        held->high += (high ^ sign) - sign;                                                                  \
        lower |= WHERE(AS_SIGNED(position) < (VSIGNED)held->base, position);                                 \
    }
#elif RED_T_BITS == 64
#define POSITION_OF(j)  POSITIONS(x[j])
#define ADD_WITHIN(j)                                                                                        \
    {                                                                                                        \
        const VWORD all = SIGNIFICANDS(x[j]), position = POSITION_OF(j), distance = position - (WORD)(long)held->base; \
        const VWORD m = WHERE(distance < (VWORD)WINDOW, all);                                                \
        const VLONG sign = AS_SIGNED(x[j]) >> 63, low = AS_SIGNED((m & (((WORD)1 << HALF) - 1)) << distance),         \
                    high = AS_SIGNED(m >> HALF << distance);                                                 \
        held->low += (low ^ sign) - sign;                                                                    \
        held->high += (high ^ sign) - sign;                                                                  \
        lower |= WHERE(AS_SIGNED(position) < (VSIGNED)held->base, all);                                      \
    }
#else
#define POSITION_OF(j)  POSITIONS(x[j])
#define ADD_WITHIN(j)                                                                                        \
    {                                                                                                        \
        const VWORD all = SIGNIFICANDS(x[j]), position = POSITION_OF(j), distance = position - (WORD)held->base; \
        const VSIGNED sign = AS_SIGNED(x[j]) >> 31, m = AS_SIGNED(WHERE(distance < (VWORD)WINDOW, all));       \
        held->low += TO_LONG((m ^ sign) - sign) << TO_LONG(distance);                                         \
        lower |= WHERE(AS_SIGNED(position) < (VSIGNED)held->base, all);                                      \
    }
#endif

#define TAKE_SIZE(j)     size = max(size, x[j] & (~(WORD)0 >> 1));
#define TAKE_SIZE_OF_Y(j) size = max(size, y[j] & (~(WORD)0 >> 1));
#define TAKE_POSITION(j) positions = max(positions, POSITION_OF(j));
#ifdef IS_PRODUCT
#define BLOCK_PARAMETERS private const VWORD *x, private const VWORD *y
#define ADD_LANES(j)     private const WORD *xs_##j = (private const WORD *)&x[j], *ys_##j = (private const WORD *)&y[j]; for (int lane = 0; lane < RED_WIDTH; lane++) add_one(digits, met, xs_##j[lane], ys_##j[lane]);
#else
#define BLOCK_PARAMETERS private const VWORD *x
#define ADD_LANES(j)     private const WORD *xs_##j = (private const WORD *)&x[j]; for (int lane = 0; lane < RED_WIDTH; lane++) add_one(digits, met, xs_##j[lane]);
#endif

/* Adds RED_LOADS vectors. */
void add_block(BLOCK_PARAMETERS, private held_sums *held, private long *digits, private ulong *met) {
    VWORD size = 0, lower;
    RED_EACH_LOAD(TAKE_SIZE)
#ifdef IS_PRODUCT
    VWORD positions = 0;
    RED_EACH_LOAD(TAKE_SIZE_OF_Y)
    RED_EACH_LOAD(TAKE_POSITION)
    const int top = (int)FOLD(greatest, positions);
#endif
    const WORD greatest = FOLD(greatest, size);
    if (greatest >= INFINITE) {
        RED_EACH_LOAD(ADD_LANES)
        return;
    }
#ifndef IS_PRODUCT
    const int top = (int)(greatest >> SIGNIFICAND);
#endif
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

/* The words of vector i, and of element i. */
#if RED_T_BITS == 16
#define VECTOR(a, i)  RED_PASTE(as_, VWORD)(RED_LOAD_VEC(RED_WIDTH, i))
#define ELEMENT(a, i) as_uint(RED_LOAD(i))
#else
#define VECTOR(a, i)  RED_VECTOR_AT(WORD, RED_WIDTH, a, i)
#define ELEMENT(a, i) ((global const WORD *)(a))[i]
#endif
#if RED_ARRAYS == 2
#define SECOND red_y
#else
#define SECOND red_x
#endif
#ifdef IS_PRODUCT
#define LOAD(j, at, end) x[j] = at < end ? VECTOR(red_x, at) : (VWORD)0; y[j] = at < end ? VECTOR(SECOND, at) : (VWORD)0;
#define ADD_BLOCK        add_block(x, y, &held, digits, &met);
#define ADD_ONE(i)       add_one(digits, &met, ELEMENT(red_x, i), ELEMENT(SECOND, i));
#else
#define LOAD(j, at, end) x[j] = at < end ? VECTOR(red_x, at) : (VWORD)0;
#define ADD_BLOCK        add_block(x, &held, digits, &met);
#define ADD_ONE(i)       add_one(digits, &met, ELEMENT(red_x, i));
#endif

/* Adds an item's share, and makes digits of the limbs, but for the sign, which the last one has. */
void add_share(RED_INPUT, const ulong n, private long *digits) {
    VWORD x[RED_LOADS];
#ifdef IS_PRODUCT
    VWORD y[RED_LOADS];
#endif
    ulong met = 0;
    held_sums held = {0, 0, 0, 0};
    for (int i = 0; i < WORDS + 1; i++)
        digits[i] = 0;
#ifdef STRIDE
#define LOAD_TURN(j) LOAD(j, i + j * step, vectors_n)
    const ulong vectors_n = n / RED_WIDTH, step = get_global_size(0);
    for (ulong i = get_global_id(0); i < vectors_n; i += RED_LOADS * step) {
        RED_EACH_LOAD(LOAD_TURN)
        ADD_BLOCK
    }
    for (ulong i = RED_WIDTH * vectors_n + get_global_id(0); i < n; i += step)
        ADD_ONE(i)
#else
#define LOAD_NEXT(j) LOAD(j, i + j, vectors_end)
    const ulong block_n = RED_WIDTH * RED_LOADS < 64 ? 64 : RED_WIDTH * RED_LOADS, pieces_n = get_global_size(0);
    const ulong piece_n = ((n + block_n - 1) / block_n + pieces_n - 1) / pieces_n * block_n;
    const ulong begin = min(n, piece_n * get_global_id(0)), end = min(n, begin + piece_n);
    const ulong vectors_end = end / RED_WIDTH;
    for (ulong i = (begin + RED_WIDTH - 1) / RED_WIDTH; i < vectors_end; i += RED_LOADS) {
        RED_EACH_LOAD(LOAD_NEXT)
        ADD_BLOCK
    }
    for (ulong i = max(begin, RED_WIDTH * vectors_end); i < end; i++)
        ADD_ONE(i)
#endif
    let_go(&held, digits, 0);
    for (int i = 0; i < DIGITS - 1; i++) {
        digits[i + 1] += digits[i] >> 32;
        digits[i] &= 0xffffffff;
    }
    digits[DIGITS] = (long)met;
}

/* The words of all items are added up, BATCH of them at a time (WORDS is a multiple), by a tree of 16 branches. The
 * attribute keeps Intel's compiler from making vectors of vectors: a third of the time to compile. */
#define BATCH 4
__attribute__((vec_type_hint(float4))) RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out,
                                                         global uint *restrict counter) {
    RED_LOCAL(long, scratch, BATCH * RED_GROUP_SIZE);
    long digits[WORDS + 1];
    global long *words = (global long *)out + WORDS * get_group_id(0);
    const uint item = (uint)get_local_id(0);
    add_share(RED_ARGS, n, digits);
    for (uint first = 0; first < WORDS; first += BATCH) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < BATCH; i++)
            scratch[i * RED_GROUP_SIZE + item] = digits[first + i];
        for (uint width = RED_GROUP_SIZE, left; width > 1; width = left) {
            left = (width + 15) / 16;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint i = 0; i < BATCH && item < left; i++)
                for (uint from = item + left; from < width; from += left)
                    scratch[i * RED_GROUP_SIZE + item] += scratch[i * RED_GROUP_SIZE + from];
        }
        for (uint i = 0; i < BATCH && item == 0; i++)
            words[first + i] = scratch[i * RED_GROUP_SIZE];
    }
}
