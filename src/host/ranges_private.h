/* The loops of host/reference.c: a thread's range of the elements to one accumulator, by blocks where that
 * is faster. RED_RANGE_<role>(...) makes the function range_<op>_<type> of RED_BLOCK's block_<op>_<type>.
 *
 * Sums and extremes are one loop that the compiler vectorises; short sums of floats take turns of four
 * vectors of 512 bits. Sums of bytes are made in blocks of 2^12, in 32 bits: no sum of a block overflows, and
 * a vector has twice as many lanes as of the accumulator's 64 bits. Halves take turns of 64, which the
 * processor converts. Places are the extreme of each block of 2^12; the first block that has the best of all
 * is read once more, for the first of equals. */
#ifndef CLREDUCE_HOST_RANGES_PRIVATE_H
#define CLREDUCE_HOST_RANGES_PRIVATE_H

#include <stdlib.h>

#if defined(__AVX512F__) || defined(__F16C__)
#include <immintrin.h>
#endif

#include "core/numbers.h"
#include "model/types.h"

enum { BLOCK_N = 1 << 12, STEP_N = 64, SHORT_BYTES = 1 << 18 };

#define RED_IN_CLONES static inline __attribute__((always_inline))

/* ---- the words of RED_OPS ------------------------------------------------------------------------------ */

/* Of floats: `least` is never NaN where it starts as infinity, and a NaN is never less than it. */
#define RED_ORDERED_TYPES(X)                                                                                 \
    X(u8, uint8_t)                                                                                           \
    X(i8, int8_t)                                                                                            \
    X(u16, uint16_t)                                                                                         \
    X(i16, int16_t)                                                                                          \
    X(u32, uint32_t) X(i32, int32_t) X(u64, uint64_t) X(i64, int64_t) X(f32, float) X(f64, double)
#define RED_ORDERED(name, c_type)                                                                            \
    static inline c_type lower_##name(c_type least, c_type value) {                                          \
        return value < least ? value : least;                                                                \
    }                                                                                                        \
    static inline c_type higher_##name(c_type greatest, c_type value) {                                      \
        return value > greatest ? value : greatest;                                                          \
    }
RED_ORDERED_TYPES(RED_ORDERED)

/* Returns which of two places wins: the lower rank, or of equal ranks the lower index. */
static inline struct red_pair lower_pair(struct red_pair a, struct red_pair b) {
    return b.key < a.key || (b.key == a.key && b.index < a.index) ? b : a;
}

/* Of places the lower one wins in either. */
#define RED_LOWER_OF(name, c_type)                                                                           \
    c_type:                                                                                                  \
    lower_##name,
#define RED_HIGHER_OF(name, c_type)                                                                          \
    c_type:                                                                                                  \
    higher_##name,
#define RED_LOWER(a, b) _Generic((a), RED_ORDERED_TYPES(RED_LOWER_OF) struct red_pair : lower_pair)((a), (b))
#define RED_HIGHER(a, b)                                                                                     \
    _Generic((a), RED_ORDERED_TYPES(RED_HIGHER_OF) struct red_pair : lower_pair)((a), (b))

#define RED_ACCUMULATOR_FUNCTIONS(name, c_type, fold_type, cl, word, bits, kind, digits, low, high, ...)     \
    typedef c_type accumulator_##name;                                                                       \
    typedef fold_type fold_##name;                                                                           \
    static inline c_type lowest_##name(void) {                                                               \
        return low;                                                                                          \
    }                                                                                                        \
    static inline c_type highest_##name(void) {                                                              \
        return high;                                                                                         \
    }
RED_ACCUMULATORS(RED_ACCUMULATOR_FUNCTIONS)

/* Places. The rank of a value is an unsigned word in the order of the values, in the upper `bits` of 64: a
 * float compares like an integer once a negative one has all bits turned and a positive one its sign (IEEE
 * 754-2008, section 5.10, totalOrder); -0 counts as +0, and a NaN ranks highest. The prelude's red_rank is
 * the same. */
static inline uint64_t all_if_negative(uint64_t x) {
    return (uint64_t)((int64_t)x >> 63);
}

/* The rank of an element's word, of which the lowest wins: with `greatest` that of the greatest value. */
static inline uint64_t place_key_of_word(uint64_t word, enum red_kind kind, unsigned bits, bool greatest) {
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t rank = word << (64 - bits), not_a_number = 0;
    if (kind == RED_FLOAT) {
        const uint64_t infinity = bits == 16   ? UINT64_C(0x7c00) << 48
                                  : bits == 32 ? UINT64_C(0x7f800000) << 32
                                               : UINT64_C(0x7ff) << 52;
        not_a_number = all_if_negative(infinity - (rank & ~sign));
        rank &= ~all_if_negative((rank & ~sign) - 1);
        rank ^= all_if_negative(rank) | sign;
    } else if (kind == RED_SIGNED)
        rank ^= sign;
    if (greatest)
        rank = ~rank;
    return (rank | not_a_number) & ~UINT64_C(0) << (64 - bits);
}

/* A place: the key of an element (place_key_of_word: in the upper bits, the lowest key wins) and its index,
 * in one word where both fit, otherwise as a pair. */
static inline uint64_t pack_place_u64(uint64_t key, uint64_t index) {
    return key | index;
}
static inline struct red_pair pack_place_pair(uint64_t key, uint64_t index) {
    return (struct red_pair){key, index};
}

/* Elements as words: what places are made of. */
typedef uint8_t __attribute__((may_alias)) word_8;
typedef uint16_t __attribute__((may_alias)) word_16;
typedef uint32_t __attribute__((may_alias)) word_32;
typedef uint64_t __attribute__((may_alias)) word_64;
#define RED_DTYPE_FUNCTIONS(name, c_type, cl, kind, bits, digits, sum, mean, order, place, ...)              \
    static inline accumulator_##place place_of_##name(word_##bits word, uint64_t i, bool greatest) {         \
        return pack_place_##place(place_key_of_word(word, kind, bits, greatest), i);                         \
    }
RED_DTYPES(RED_DTYPE_FUNCTIONS)

/* A half as a float, by means that vectorise everywhere: its exponent and fraction in a float's places are
 * 2^112 times too small; infinities and NaNs take the float's largest exponent. */
RED_IN_CLONES float float_of_half(uint32_t half) {
    const uint32_t magnitude = half & 0x7fff;
    union {
        uint32_t word;
        float value;
    } at = {.word = magnitude << 13};
    at.value *= 0x1p112f;
    at.word |= (half & 0x8000) << 16 | (magnitude >= 0x7c00 ? 0x7f800000u : 0);
    return at.value;
}

/* Reads a block of halves as floats, by the processor's own conversion where the build has it, since gcc 12
 * vectorises none. */
RED_IN_CLONES const float *floats_of_halves(const word_16 *halves, uint64_t n, float *floats) {
    uint64_t i = 0;
#ifdef __AVX512F__
    for (; i + 16 <= n; i += 16)
        _mm512_storeu_ps(floats + i, _mm512_cvtph_ps(_mm256_loadu_si256((const void *)(halves + i))));
#elif defined(__F16C__)
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(floats + i, _mm256_cvtph_ps(_mm_loadu_si128((const void *)(halves + i))));
#endif
    for (; i < n; i++)
        floats[i] = float_of_half(halves[i]);
    return floats;
}

/* Sums a block of bytes; as a sum of distances from 0, for which processors have instructions, as long as
 * the compiler does not know that it is 0. */
RED_IN_CLONES uint32_t sum_of_bytes(const word_8 *bytes, uint64_t n, bool are_signed) {
    const volatile uint8_t unknown = 0;
    const int zero = unknown;
    const unsigned offset = are_signed ? 128 : 0;
    uint32_t total = 0;
    for (uint64_t i = 0; i < n; i++)
        total += (uint32_t)abs((uint8_t)(bytes[i] ^ offset) - zero);
    return total - offset * (uint32_t)n;
}

/* One element as it is read; and some from `begin` on, of halves in `floats`. */
#define RED_ELEMENT(array, i)                                                                                \
    _Generic((array), const red_half * : float_of_half(((const word_16 *)(array))[i]), default : (array)[i])
#define RED_ELEMENTS(array, begin, n, floats)                                                                \
    _Generic((array), const red_half *                                                                       \
             : floats_of_halves((const word_16 *)(array) + (begin), (n), (floats)), default                  \
             : (array) + (begin))

#define RED_IS_HALF(array) _Generic((array), const red_half * : true, default : false)

/* ---- loops --------------------------------------------------------------------------------------------- */

#pragma omp declare reduction(lower                                                                          \
                              : uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t,    \
                                float, double, struct red_pair                                               \
                              : omp_out = RED_LOWER(omp_out, omp_in)) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(higher                                                                         \
                              : uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t,    \
                                float, double                                                                \
                              : omp_out = RED_HIGHER(omp_out, omp_in)) initializer(omp_priv = omp_orig)

/* _Pragma takes a string; the reduction's identifier comes from the operation's row. */
#define RED_STRING(...)     #__VA_ARGS__
#define RED_PRAGMA(...)     _Pragma(RED_STRING(__VA_ARGS__))
#define RED_PASTE_(a, b)    a##b
#define RED_PASTE(a, b)     RED_PASTE_(a, b)
#define RED_NAME(op, dtype) op##_##dtype

/* RED_OPS and RED_SCANS take a frame, and behind it the macro X that makes the functions of an operation and
 * a type: X gets, of the columns of the type, those that the operation's role and the type's kind pick. */
#define RED_OP_FRAME(op, role, term, does, identity, empty, map, combine, openmp, suffix, atomic, mpi,       \
                     types, X, name, c_type, cl, kind, bits, digits, sum, mean, order, place, sum_result,    \
                     mean_result, needs)                                                                     \
    RED_FRAME_##types##_##kind(X, op, role, term, does, identity, map, combine, openmp, name, c_type, kind,  \
                               bits, RED_READ_##kind(c_type, order), place,                                  \
                               RED_ACCUMULATOR_##role(sum, mean, order, place),                              \
                               RED_RESULT_##role(name, sum_result, mean_result))
#define RED_FRAME_ALL_RED_UNSIGNED      RED_APPLY
#define RED_FRAME_ALL_RED_SIGNED        RED_APPLY
#define RED_FRAME_ALL_RED_FLOAT         RED_APPLY
#define RED_FRAME_INTEGERS_RED_UNSIGNED RED_APPLY
#define RED_FRAME_INTEGERS_RED_SIGNED   RED_APPLY
/* Of floats, which have no such operation: functions that fill a table, and that nobody calls. */
#define RED_FRAME_INTEGERS_RED_FLOAT(X, op, role, term, does, identity, map, combine, openmp, ...)           \
    RED_APPLY(X, op, role, term, does, ZERO, map, ((void)b, a), +, __VA_ARGS__)
#define RED_SCAN_FRAME(op, role, term, does, identity, empty, map, combine, openmp, suffix, atomic, mpi,     \
                       types, reduced, exclusive, X, name, c_type, cl, kind, bits, digits, sum, mean, order, \
                       place, sum_result, mean_result, needs)                                                \
    RED_APPLY(X, op, identity, combine, openmp, reduced, exclusive, name, c_type, kind, bits,                \
              RED_ACCUMULATOR_##role(sum, mean, order, place),                                               \
              RED_RESULT_##role(name, sum_result, mean_result))
#define RED_APPLY(X, ...) X(__VA_ARGS__)
/* Of the columns of a type, the one that an operation's role picks. */
#define RED_ACCUMULATOR_SUM(sum, mean, order, place)   sum
#define RED_ACCUMULATOR_MEAN(sum, mean, order, place)  mean
#define RED_ACCUMULATOR_ORDER(sum, mean, order, place) order
#define RED_ACCUMULATOR_PLACE(sum, mean, order, place) place
/* What answers are: extremes are of the type of the elements. */
#define RED_RESULT_SUM(name, sum_result, mean_result)   sum_result
#define RED_RESULT_MEAN(name, sum_result, mean_result)  mean_result
#define RED_RESULT_ORDER(name, sum_result, mean_result) name
#define RED_RESULT_PLACE(name, sum_result, mean_result) name
/* As what elements are read: of a half as a float. */
#define RED_READ_RED_UNSIGNED(c_type, order) c_type
#define RED_READ_RED_SIGNED(c_type, order)   c_type
#define RED_READ_RED_FLOAT(c_type, order)    accumulator_##order
/* What a block's elements are combined in, in as many lanes of a vector as can be: sums of bytes in 32 bits,
 * which hold 2^12 products of two; extremes in the element's own type. */
#define RED_PART_8_RED_UNSIGNED uint32_t
#define RED_PART_8_RED_SIGNED   int32_t
#define RED_PART_8(does, kind, accumulator)                                                                  \
    __typeof__(__builtin_choose_expr(RED_##does == RED_ADDS, (RED_PART_8_##kind)0, (accumulator)0))
#define RED_PART_16(does, kind, accumulator)                accumulator
#define RED_PART_32(does, kind, accumulator)                accumulator
#define RED_PART_64(does, kind, accumulator)                accumulator
#define RED_PART_SUM(does, read, bits, kind, accumulator)   RED_PART_##bits(does, kind, accumulator)
#define RED_PART_MEAN(does, read, bits, kind, accumulator)  RED_PART_##bits(does, kind, accumulator)
#define RED_PART_ORDER(does, read, bits, kind, accumulator) read
#define RED_PART_PLACE(does, read, bits, kind, accumulator) read
/* What it starts with: the identity; where a place is looked for one of its elements, or what a NaN never
 * beats. */
#define RED_FIRST_SUM(does, identity, kind, bits, accumulator) RED_IDENTITY_OF_##identity(, )
#define RED_FIRST_MEAN                                         RED_FIRST_SUM
#define RED_FIRST_ORDER(does, identity, kind, bits, accumulator)                                             \
    RED_START_IN_BITS(identity, kind, bits, accumulator)
#define RED_FIRST_PLACE(does, identity, kind, bits, accumulator) RED_FIRST_##does(kind)
#define RED_FIRST_PICKS_LEAST(kind)                              RED_FIRST_##kind(INFINITY)
#define RED_FIRST_PICKS_GREATEST(kind)                           RED_FIRST_##kind(-INFINITY)
#define RED_FIRST_RED_UNSIGNED(infinity)                         xs[0]
#define RED_FIRST_RED_SIGNED(infinity)                           xs[0]
#define RED_FIRST_RED_FLOAT(infinity)                            (infinity)

/* What an accumulator starts with. */
#define RED_START(identity, accumulator)                                                                     \
    RED_IDENTITY_OF_##identity(RED_PASTE(lowest_, accumulator)(), RED_PASTE(highest_, accumulator)())
/* The same as far as a type of so many bits holds it. */
#define RED_START_IN_BITS(identity, kind, bits, accumulator)                                                 \
    RED_IDENTITY_OF_##identity(RED_IN_BITS_##kind(RED_PASTE(lowest_, accumulator)(), bits),                  \
                               RED_IN_BITS_##kind(RED_PASTE(highest_, accumulator)(), bits))
#define RED_IN_BITS_RED_UNSIGNED(limit, bits) ((limit) >> (8 * sizeof(limit) - (bits)))
#define RED_IN_BITS_RED_SIGNED                RED_IN_BITS_RED_UNSIGNED
#define RED_IN_BITS_RED_FLOAT(limit, bits)    (limit)

/* What is done in a block: map, combine and OpenMP's identifier. Of places only the value is looked for. */
#define RED_IN_BLOCK_SUM(does, ...)   __VA_ARGS__
#define RED_IN_BLOCK_MEAN(does, ...)  __VA_ARGS__
#define RED_IN_BLOCK_ORDER(does, ...) __VA_ARGS__
#define RED_IN_BLOCK_PLACE(does, ...) RED_IN_BLOCK_##does
#define RED_IN_BLOCK_PICKS_LEAST      x, RED_LOWER(a, b), lower
#define RED_IN_BLOCK_PICKS_GREATEST   x, RED_HIGHER(a, b), higher

/* The loops of a block: xs and ys, n elements, to `total`. */
#define RED_LOOP(part, first, map, combine, openmp)                                                          \
    RED_PRAGMA(omp simd reduction(openmp : total))                                                           \
    for (uint64_t i = first; i < n; i++) {                                                                   \
        const part x = (part)RED_ELEMENT(xs, i), y = (part)RED_ELEMENT(ys, i), a = total,                    \
                   b = ((void)y, map);                                                                       \
        total = combine;                                                                                     \
    }
#define RED_LOOP_OF_RED_UNSIGNED(bits, role) RED_LOOP
#define RED_LOOP_OF_RED_SIGNED(bits, role)   RED_LOOP
#define RED_LOOP_OF_RED_FLOAT(bits, role)    RED_LOOP_##bits(role)
#define RED_LOOP_16(role)                    RED_LOOP_16_ANY
#define RED_LOOP_32(role)                    RED_LOOP_32_##role
#define RED_LOOP_64(role)                    RED_LOOP_64_##role
#define RED_LOOP_32_MEAN                     RED_LOOP_32_SUM
#define RED_LOOP_64_MEAN                     RED_LOOP_64_SUM
#define RED_LOOP_32_ORDER                    RED_LOOP
#define RED_LOOP_64_ORDER                    RED_LOOP
#define RED_LOOP_32_PLACE                    RED_LOOP
#define RED_LOOP_64_PLACE                    RED_LOOP
/* By turns of one for each lane. Of halves one loop over all of them would wait for each float to be stored.
 * A sum of floats gets four vectors of 512 bits, since the compiler gives it one, whose additions wait for
 * each other; beyond SHORT_BYTES, of two arrays a 16th, they wait for memory. */
#define RED_LOOP_16_ANY(...) RED_LOOP_BY_TURNS(STEP_N, UINT64_MAX, __VA_ARGS__)
#define RED_LOOP_32_SUM(...) RED_LOOP_BY_TURNS(64, SHORT_BYTES / 4, __VA_ARGS__)
#define RED_LOOP_64_SUM(...) RED_LOOP_BY_TURNS(32, SHORT_BYTES / 8, __VA_ARGS__)
#define RED_LOOP_BY_TURNS(lanes_n, most_n, part, first, map, combine, openmp)                                \
    const uint64_t turns_n = n <= (most_n) / (xs == ys ? 1 : 16) ? n / (lanes_n) * (lanes_n) : 0;            \
    float floats[2][lanes_n];                                                                                \
    part lanes[lanes_n];                                                                                     \
    (void)floats;                                                                                            \
    for (uint64_t j = 0; j < (lanes_n); j++)                                                                 \
        lanes[j] = total;                                                                                    \
    for (uint64_t i = 0; i < turns_n; i += (lanes_n)) {                                                      \
        const part *const x_turn = RED_ELEMENTS(xs, i, lanes_n, floats[0]);                                  \
        const part *const y_turn =                                                                           \
            RED_IS_HALF(xs) && xs == ys ? x_turn : RED_ELEMENTS(ys, i, lanes_n, floats[1]);                  \
        for (uint64_t j = 0; j < (lanes_n); j++) {                                                           \
            const part x = x_turn[j], y = y_turn[j], a = lanes[j], b = ((void)x, (void)y, map);              \
            lanes[j] = combine;                                                                              \
        }                                                                                                    \
    }                                                                                                        \
    RED_PRAGMA(omp simd reduction(openmp : total))                                                           \
    for (uint64_t j = 0; j < (turns_n > 0 ? (lanes_n) : 0); j++) {                                           \
        const part a = total, b = lanes[j];                                                                  \
        total = combine;                                                                                     \
    }                                                                                                        \
    RED_LOOP(part, turns_n, map, combine, openmp)

#define RED_BLOCK(...) RED_BLOCK_(__VA_ARGS__)
#define RED_BLOCK_(op, role, term, does, name, c_type, kind, bits, part, first, map, combine, openmp)        \
    RED_IN_CLONES part RED_NAME(block_##op, name)(const c_type *xs, const c_type *ys, uint64_t n) {          \
        if (bits == 8 && RED_##does == RED_ADDS && RED_TERM_##term == RED_TERM_ELEMENT)                      \
            return (part)sum_of_bytes((const word_8 *)xs, n, kind == RED_SIGNED);                            \
        part total = (part)(first);                                                                          \
        RED_LOOP_OF_##kind(bits, role)(part, 0, map, combine, openmp);                                       \
        return total;                                                                                        \
    }

#define RED_RANGE_SUM(op, name, c_type, bits, does, read, accumulator, start, combine)                       \
    RED_CLONES static accumulator_##accumulator RED_NAME(range_##op, name)(const void *const arrays[2],      \
                                                                           uint64_t begin, uint64_t end) {   \
        const c_type *const xs = arrays[0], *const ys = arrays[1] ? arrays[1] : xs;                          \
        accumulator_##accumulator total = start;                                                             \
        for (uint64_t i = begin, n; i < end; i += n) {                                                       \
            n = bits == 8 ? red_lesser(end - i, BLOCK_N) : end - i;                                          \
            const accumulator_##accumulator a = total, b = (accumulator_##accumulator)RED_NAME(              \
                                                           block_##op, name)(xs + i, ys + i, n);             \
            total = combine;                                                                                 \
        }                                                                                                    \
        return total;                                                                                        \
    }
#define RED_RANGE_MEAN  RED_RANGE_SUM
#define RED_RANGE_ORDER RED_RANGE_SUM
#define RED_RANGE_PLACE(op, name, c_type, bits, does, read, accumulator, start, combine)                     \
    RED_CLONES static accumulator_##accumulator RED_NAME(range_##op, name)(const void *const arrays[2],      \
                                                                           uint64_t begin, uint64_t end) {   \
        const c_type *const xs = arrays[0];                                                                  \
        const word_##bits *const words = arrays[0];                                                          \
        const bool greatest = RED_##does == RED_PICKS_GREATEST;                                              \
        float floats[STEP_N];                                                                                \
        read best = 0;                                                                                       \
        uint64_t at = begin;                                                                                 \
        for (uint64_t i = begin, n; i < end; i += n) {                                                       \
            n = red_lesser(end - i, BLOCK_N);                                                                \
            const read of_block = RED_NAME(block_##op, name)(xs + i, xs + i, n);                             \
            if (i == begin || of_block RED_BEATS_##does best)                                                \
                best = of_block, at = i;                                                                     \
        }                                                                                                    \
        for (uint64_t i = at, n; i < end; i += n) {                                                          \
            n = red_lesser(end - i, STEP_N);                                                                 \
            const read *const x = RED_ELEMENTS(xs, i, n, floats);                                            \
            unsigned equals_n = 0;                                                                           \
            for (uint64_t j = 0; j < n; j++)                                                                 \
                equals_n += x[j] == best;                                                                    \
            for (uint64_t j = 0; equals_n > 0; j++)                                                          \
                if (x[j] == best)                                                                            \
                    return place_of_##name(words[i + j], i + j, greatest);                                   \
        }                                                                                                    \
        return begin < end ? place_of_##name(words[begin], begin, greatest) : start;                         \
    }
#define RED_BEATS_PICKS_LEAST    <
#define RED_BEATS_PICKS_GREATEST >

/* Both functions of an operation and a type: RED_DTYPES(RED_LOOPS_OPS) are all of them. */
#define RED_LOOPS(op, role, term, does, identity, map, combine, openmp, name, c_type, kind, bits, read,      \
                  place, accumulator, result)                                                                \
    RED_BLOCK(op, role, term, does, name, c_type, kind, bits,                                                \
              RED_PART_##role(does, read, bits, kind, accumulator_##accumulator),                            \
              RED_FIRST_##role(does, identity, kind, bits, accumulator),                                     \
              RED_IN_BLOCK_##role(does, map, combine, openmp))                                               \
    RED_RANGE_##role(op, name, c_type, bits, does, read, accumulator, RED_START(identity, accumulator),      \
                     combine)
#define RED_LOOPS_OPS(...) RED_OPS(RED_OP_FRAME, RED_LOOPS, __VA_ARGS__)

#endif
