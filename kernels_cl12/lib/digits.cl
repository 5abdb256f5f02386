/* The digits of an exact sum of floats, which a group of finish `words` leaves (cl/finish_words.c). A
 * fixed-point number holds the whole range of the type, or of its products, and what 2^44 of them sum to. Its
 * digits have 32 bits; each lies in a limb of 64, so that carries can wait for 2^31 additions. No arithmetic
 * of floats: denormals count whatever the driver does with them. */

/* A float's word, of a half that of the float which is loaded. Its lowest bit has a position: 1 for
 * denormals, up to RED_EXPONENT_MAX - 1. */
#if RED_T_BITS == 64
#define RED_FLOAT_WORD   ulong
#define RED_FRACTION     52
#define RED_EXPONENT_MAX 2047
#else
#define RED_FLOAT_WORD   uint
#define RED_FRACTION     23
#define RED_EXPONENT_MAX 255
#endif
#define RED_HIDDEN    ((RED_FLOAT_WORD)1 << RED_FRACTION)
#define RED_INFINITE  ((RED_FLOAT_WORD)RED_EXPONENT_MAX << RED_FRACTION)
#define RED_MAGNITUDE (~(RED_FLOAT_WORD)0 >> 1)

/* How many digits there are, and what is added to the position of an element, or to the sum of those of two
 * factors, for its place among the bits of all digits. The product of two halves is a float. */
#define RED_HAS_FACTORS (RED_ARRAYS == 2 || RED_MAP_(3, 1) == 9)
#if RED_T_BITS == 64
#define RED_DIGITS 67 /* the lowest bit is 2^-1074 */
#define RED_ORIGIN (-1)
#elif RED_T_BITS == 32 && RED_HAS_FACTORS
#define RED_MULTIPLIES
#define RED_DIGITS 19 /* 2^-306 */
#define RED_ORIGIN 6
#elif RED_T_BITS == 32
#define RED_DIGITS 11 /* 2^-178 */
#define RED_ORIGIN 28
#elif RED_HAS_FACTORS
#define RED_DIGITS 7 /* 2^-82 */
#define RED_ORIGIN (-68)
#else
#define RED_DIGITS 3 /* 2^-50 */
#define RED_ORIGIN (-100)
#endif

/* Behind the digits stands what has none: how many items met a NaN, +infinity, -infinity. Limbs behind that
 * stay 0. */
#define RED_WORDS     (RED_DIGITS + 1)
#define RED_LIMBS     (RED_WORDS + 1)
#define RED_MET_NAN   (1UL << 42)
#define RED_MET_PLUS  (1UL << 21)
#define RED_MET_MINUS 1UL

/* Adds value * 2^at, of which nothing but zeros lies below the lowest bit. */
void red_digits_add(private long *digits, int at, long value) {
    value >>= at < 0 ? -at : 0;
    at = max(at, 0);
    const ulong size = abs(value);
    const int digit = at / 32, shift = at % 32, sign = value < 0 ? -1 : 1;
    const ulong low = size << shift, high = size >> 1 >> (63 - shift);
    digits[digit] += sign * (long)(low & 0xffffffff);
    digits[digit + 1] += sign * (long)(low >> 32);
    digits[digit + 2] += sign * (long)high;
}

int red_position(const RED_FLOAT_WORD x) {
    return max((int)(x >> RED_FRACTION & RED_EXPONENT_MAX), 1);
}
ulong red_significand(const RED_FLOAT_WORD x) {
    return (x & (RED_HIDDEN - 1)) | ((x & RED_INFINITE) != 0 ? RED_HIDDEN : 0);
}

/* Adds an element. */
void red_digits_add_element(private long *digits, private ulong *met, const RED_FLOAT_WORD x) {
    const RED_FLOAT_WORD size = x & RED_MAGNITUDE;
    const bool is_minus = x != size;
    const long significand = (long)red_significand(x);
    if (size >= RED_INFINITE)
        *met |= size > RED_INFINITE ? RED_MET_NAN : is_minus ? RED_MET_MINUS : RED_MET_PLUS;
    else
        red_digits_add(digits, red_position(x) + RED_ORIGIN, is_minus ? -significand : significand);
}

/* Adds the product of two floats. */
void red_digits_add_product(private long *digits, private ulong *met, const RED_FLOAT_WORD x,
                            const RED_FLOAT_WORD y) {
    const RED_FLOAT_WORD a = x & RED_MAGNITUDE, b = y & RED_MAGNITUDE;
    const bool is_minus = ((x ^ y) & ~RED_MAGNITUDE) != 0;
    const long significand = (long)(red_significand(x) * red_significand(y));
    if (max(a, b) >= RED_INFINITE)
        *met |= max(a, b) > RED_INFINITE || min(a, b) == 0 ? RED_MET_NAN
                : is_minus                                 ? RED_MET_MINUS
                                                           : RED_MET_PLUS;
    else
        red_digits_add(digits, red_position(x) + red_position(y) + RED_ORIGIN,
                       is_minus ? -significand : significand);
}

/* The words of vector i of w, and of element i, of an array `a`; of halves those of the terms, whatever `a`.
 * RED_DIGITS_TAKE(i) adds the term of index i to `digits` and `met`. */
#if RED_T_BITS == 16
#define RED_WORD_VEC(w, a, i) RED_PASTE(as_, RED_OF(RED_FLOAT_WORD, w))(RED_LOAD_VEC(w, i))
#define RED_WORD_AT(a, i)     as_uint(RED_LOAD(i))
#else
#define RED_WORD_VEC(w, a, i) RED_VECTOR_AT(RED_FLOAT_WORD, w, a, i)
#define RED_WORD_AT(a, i)     (((global const RED_FLOAT_WORD *)(a))[i])
#endif
#if RED_ARRAYS == 2
#define RED_FACTOR red_y
#else
#define RED_FACTOR red_x
#endif
#ifdef RED_MULTIPLIES
#define RED_DIGITS_TAKE(i)                                                                                   \
    red_digits_add_product(digits, &met, RED_WORD_AT(red_x, i), RED_WORD_AT(RED_FACTOR, i))
#else
#define RED_DIGITS_TAKE(i) red_digits_add_element(digits, &met, RED_WORD_AT(red_x, i))
#endif

/* Vectors of words, and a vector's lanes as one: RED_OF_LANES(red_greatest, v). */
#define RED_OF_LANES(name, v) RED_PASTE(name, RED_WIDTH)(v)
#define RED_DEFINE_LANES(name, type, DO)                                                                     \
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
#define RED_PLUS(a, b) ((a) + (b))
RED_DEFINE_LANES(red_greatest, RED_FLOAT_WORD, max)
RED_DEFINE_LANES(red_least, RED_FLOAT_WORD, min)
RED_DEFINE_LANES(red_long_sum, long, RED_PLUS)

/* All limbs but the last become digits, 0 ... 2^32 - 1: that one has the sign. */
void red_digits_carry(private long *digits) {
    for (int i = 0; i < RED_DIGITS - 1; i++) {
        digits[i + 1] += digits[i] >> 32;
        digits[i] &= 0xffffffff;
    }
}

/* Adds up the words of all items, RED_BATCH at a time (RED_WORDS is a multiple), by a tree of 16 branches,
 * and stores them as the group's: digits again, so that the words of 2^31 groups of any size may be added. */
#define RED_BATCH 4
void red_group_words(const private long *digits, local long *scratch, global long *out) {
    const uint item = (uint)get_local_id(0);
    long carry = 0;
    for (uint first = 0; first < RED_WORDS; first += RED_BATCH) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < RED_BATCH; i++)
            scratch[i * RED_GROUP_SIZE + item] = digits[first + i];
        for (uint width = RED_GROUP_SIZE, left; width > 1; width = left) {
            left = (width + 15) / 16;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint i = 0; i < RED_BATCH && item < left; i++)
                for (uint from = item + left; from < width; from += left)
                    scratch[i * RED_GROUP_SIZE + item] += scratch[i * RED_GROUP_SIZE + from];
        }
        for (uint i = 0; i < RED_BATCH && item == 0; i++) {
            const bool carries = first + i < RED_DIGITS - 1;
            const long sum = scratch[i * RED_GROUP_SIZE] + carry;
            carry = carries ? sum >> 32 : 0;
            out[RED_WORDS * get_group_id(0) + first + i] = carries ? sum & 0xffffffff : sum;
        }
    }
}

/* A group's word that tells what was met: of its items or of so many groups. */
long red_met_once(const long met) {
    const ulong bits = (ulong)met, field = RED_MET_PLUS - 1;
    return (long)((bits >= RED_MET_NAN ? RED_MET_NAN : 0) |
                  ((bits / RED_MET_PLUS & field) != 0 ? RED_MET_PLUS : 0) |
                  ((bits & field) != 0 ? RED_MET_MINUS : 0));
}

/* Adds up the words that all groups have left, and hands each over, word and flag in one store, as RED_TELL
 * does (lib/answer.cl). A group's words are a row; each of some rows of items adds up every so manieth. */
void red_tell_words(const global long *words, local long *scratch, volatile global uint4 *answer) {
    const uint item = (uint)get_local_id(0), width = min((uint)RED_GROUP_SIZE, (uint)RED_WORDS),
               rows_n = RED_GROUP_SIZE / width, row = item / width;
    for (uint first = 0; first < RED_WORDS; first += width) {
        const uint word = first + item % width;
        long sum = 0;
        for (ulong group = row; group < get_num_groups(0) && row < rows_n && word < RED_WORDS;
             group += rows_n) {
            const long left = words[RED_WORDS * group + word];
            sum += word < RED_DIGITS ? left : red_met_once(left);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        scratch[item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 1; i < rows_n && row == 0; i++)
            sum += scratch[i * width + item];
        if (row == 0 && word < RED_WORDS)
            answer[word] = (uint4)(as_uint2(sum), 1, 0);
    }
}
