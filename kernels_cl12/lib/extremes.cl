/* argmin and argmax of long shares: the extreme value first, as fast as by min and max; its place once, at the
 * end, in the part of the share where it was found. */
#if RED_PLACE
/* Values as they are compared, halves as floats: one, and a vector of indices i*w ... */
#if RED_T_KIND == 2 && RED_T_BITS == 16
#define RED_VALUE        float
#define RED_VALUE_AT(i)  RED_ELEMENT(red_x, i)
#define RED_VALUES(w, i) RED_FETCH(red_x, w, i)
#else
#define RED_VALUE        RED_T
#define RED_VALUE_AT(i)  red_x[i]
#define RED_VALUES(w, i) RED_VECTOR_AT(RED_T, w, red_x, i)
#endif

/* What every value beats or equals; the better of two, of which the second is no NaN; and whether one beats the
 * other: a NaN never does. */
#if RED_T_KIND == 2
#define RED_LEAST    (-1.0f / 0.0f)
#define RED_GREATEST (1.0f / 0.0f)
#elif RED_T_KIND == 1
#define RED_LEAST    (-(RED_VALUE)(~0UL >> (65 - RED_T_BITS)) - 1)
#define RED_GREATEST (~0UL >> (65 - RED_T_BITS))
#else
#define RED_LEAST    0
#define RED_GREATEST (~0UL >> (64 - RED_T_BITS))
#endif
#if RED_PLACE == 1
#define RED_WORST       ((RED_VALUE)RED_GREATEST)
#define RED_BEATS(a, b) ((a) < (b))
#else
#define RED_WORST       ((RED_VALUE)RED_LEAST)
#define RED_BEATS(a, b) ((a) > (b))
#endif
#if RED_T_KIND == 2
#define RED_BETTER(a, b) (RED_BEATS(a, b) ? (a) : (b))
#elif RED_PLACE == 1
#define RED_BETTER(a, b) min((a), (b))
#else
#define RED_BETTER(a, b) max((a), (b))
#endif

/* The best of a vector's lanes: red_best<w>(v). */
#define red_best1(v) (v)
RED_VALUE red_best2(const RED_OF(RED_VALUE, 2) v) {
    return RED_BETTER(v.x, v.y);
}
RED_VALUE red_best4(const RED_OF(RED_VALUE, 4) v) {
    return red_best2(RED_BETTER(v.lo, v.hi));
}
RED_VALUE red_best8(const RED_OF(RED_VALUE, 8) v) {
    return red_best4(RED_BETTER(v.lo, v.hi));
}
RED_VALUE red_best16(const RED_OF(RED_VALUE, 16) v) {
    return red_best8(RED_BETTER(v.lo, v.hi));
}
#define RED_BEST(w, v) RED_PASTE(red_best, w)(v)

/* Whether a vector has a lane that equals the value. Of one lane `==` is 1, in which any() sees nothing: it
 * looks at the highest bit (OpenCL C 3.0, 6.15.6). */
#if RED_WIDTH == 1
#define RED_ANY_EQUAL(v, value) ((v) == (value))
#else
#define RED_ANY_EQUAL(v, value) any((v) == (value))
#endif

/* The place of the first element from `begin` on that equals the best, or of the first one where there are NaNs
 * alone, if there is one: PoCL 3.1 has items without elements run this, too (lanes 1x1). Both bounds are
 * multiples of RED_WIDTH. */
RED_A red_first_equal(RED_INPUT, const ulong begin, const ulong end, const RED_VALUE best) {
    for (ulong i = begin; i < end; i += RED_WIDTH)
        if (RED_ANY_EQUAL(RED_VALUES(RED_WIDTH, i / RED_WIDTH), best))
            for (ulong j = i; j < i + RED_WIDTH; j++)
                if (RED_VALUE_AT(j) == best)
                    return RED_LOAD(j);
    return begin < end ? RED_LOAD(begin) : RED_IDENTITY;
}

/* Whether values as small as the best may have been taken for 0, which they are not: a device need not keep
 * denormals in comparisons. `n`, which is not 0, keeps the compiler from answering. */
#if RED_T_KIND == 2 && RED_T_BITS == 32
#define RED_LOSES_DENORMALS(best, n) (fabs(best) < 0x1p-126f && !(as_float((uint)(n) % 64 + 1) > 0))
#elif RED_T_KIND == 2 && RED_T_BITS == 64
#define RED_LOSES_DENORMALS(best, n) (fabs(best) < 0x1p-1022 && !(as_double((ulong)(n) % 64 + 1) > 0))
#else
#define RED_LOSES_DENORMALS(best, n) false
#endif

/* The indices begin ... end - 1, as red_item_range takes them, of which there are RED_LONG or more. Each of the
 * two streams keeps where it found its best: in the RED_SPELL turns that begin at at[...]. */
#define RED_LONG  1024
#define RED_SPELL 64
RED_A red_item_extreme(RED_INPUT, const ulong begin, const ulong end) {
    const ulong step = RED_WIDTH * RED_LOADS / RED_STREAMS;
    const ulong stream_n = (end - begin) / (RED_STREAMS * step) * step;
    RED_OF(RED_VALUE, RED_WIDTH) bests[RED_LOADS];
    RED_VALUE best[2] = {RED_WORST, RED_WORST};
    ulong at[2] = {0, 0};
#define RED_BEST_START(j) bests[j] = RED_WORST;
#define RED_BEST_NEXT(j)                                                                                     \
    next = RED_VALUES(RED_WIDTH, (begin + i + j % RED_STREAMS * stream_n) / RED_WIDTH + j / RED_STREAMS);    \
    bests[j] = RED_BETTER(next, bests[j]);
#define RED_BEST_JOIN(j) bests[j % RED_STREAMS] = RED_BETTER(bests[j], bests[j % RED_STREAMS]);
    RED_EACH_LOAD(RED_BEST_START)
    for (ulong spell = 0; spell < stream_n; spell += RED_SPELL * step) {
        const ulong spell_end = min(stream_n, spell + RED_SPELL * step);
        for (ulong i = spell; i < spell_end; i += step) {
            RED_OF(RED_VALUE, RED_WIDTH) next;
            RED_EACH_LOAD(RED_BEST_NEXT)
        }
        RED_EACH_LOAD(RED_BEST_JOIN)
        for (uint stream = 0; stream < RED_STREAMS; stream++) {
            const RED_VALUE value = RED_BEST(RED_WIDTH, bests[stream]);
            at[stream] = RED_BEATS(value, best[stream]) ? spell : at[stream];
            best[stream] = RED_BETTER(value, best[stream]);
        }
    }
    const bool second = RED_STREAMS == 2 && RED_BEATS(best[1], best[0]);
    const ulong found = begin + (second ? stream_n + at[1] : at[0]);
    const ulong searched_end = begin + RED_STREAMS * stream_n;
    ulong i = searched_end;
    RED_A value = RED_IDENTITY;
    if (RED_LOSES_DENORMALS(second ? best[1] : best[0], end))
        i = begin;
    else
        value = red_first_equal(RED_ARGS, found, searched_end, second ? best[1] : best[0]);
    for (; i < end; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}
#endif
