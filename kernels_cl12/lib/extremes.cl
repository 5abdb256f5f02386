/* argmin and argmax: of an item's share the extreme value first, as fast as by min and max; its place once,
 * at the end, in the part of the share where it was found. */
#if RED_PLACE
/* Values as they are compared, halves as floats: one, and a vector of indices i*w ... */
#if RED_T_KIND == 2 && RED_T_BITS == 16
#define RED_VALUE        float
#define RED_VALUE_AT(i)  RED_ELEMENT_(red_x, i)
#define RED_VALUES(w, i) RED_FETCH(red_x, w, i)
#else
#define RED_VALUE        RED_T
#define RED_VALUE_AT(i)  red_x[i]
#define RED_VALUES(w, i) RED_VECTOR_AT(RED_T, w, red_x, i)
#endif

/* What every value beats or equals; the better of two, of which the second is no NaN; and whether one beats
 * the other: a NaN never does. */
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

/* The better of two values of which either may be a NaN, which is passed over; below, of a vector's lanes. */
#if RED_T_KIND != 2
#define RED_NUMBER(a, b) RED_BETTER(a, b)
#elif RED_PLACE == 1
#define RED_NUMBER(a, b) fmin((a), (b))
#else
#define RED_NUMBER(a, b) fmax((a), (b))
#endif
/* Integers of fewer bits as int: GPUs compare 32 bits. */
#if RED_T_KIND != 2 && RED_T_BITS < 32
#define RED_WIDE          int
#define RED_TO_WIDE(w, v) RED_OF(convert_int, w)(v)
#else
#define RED_WIDE          RED_VALUE
#define RED_TO_WIDE(w, v) v
#endif
#define red_best1(v) (v)
RED_WIDE red_best2(const RED_OF(RED_WIDE, 2) v) {
    return RED_NUMBER(v.x, v.y);
}
RED_WIDE red_best4(const RED_OF(RED_WIDE, 4) v) {
    return red_best2(RED_NUMBER(v.lo, v.hi));
}
RED_WIDE red_best8(const RED_OF(RED_WIDE, 8) v) {
    return red_best4(RED_NUMBER(v.lo, v.hi));
}
RED_WIDE red_best16(const RED_OF(RED_WIDE, 16) v) {
    return red_best8(RED_NUMBER(v.lo, v.hi));
}
#define RED_BEST(w, v) RED_PASTE(red_best, w)(RED_TO_WIDE(w, v))

/* Whether a vector has a lane that equals the value. Of one lane `==` is 1, in which any() sees nothing: it
 * looks at the highest bit (OpenCL C 3.0, 6.15.6). */
#if RED_WIDTH == 1
#define RED_ANY_EQUAL(v, value) ((v) == (value))
#else
#define RED_ANY_EQUAL(v, value) any((v) == (value))
#endif

/* The place of the first element from `begin` on that equals the best, or of the first one where there are
 * NaNs alone, if there is one: PoCL 3.1 has items without elements run this, too (lanes 1x1). Both bounds are
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
#endif

/* The indices begin ... end - 1; begin is a multiple of 16. Either half of them keeps its best, and the
 * vector with which the spell of turns began in which that was found. */
#define RED_SPELL 64
RED_A red_item_range(RED_INPUT, const ulong begin, const ulong end) {
    const ulong first = begin / RED_WIDTH, turn = RED_LOADS / RED_STREAMS;
    const ulong stream_n = (end - begin) / (RED_WIDTH * RED_LOADS) * turn;
    RED_OF(RED_VALUE, RED_WIDTH) bests[RED_LOADS], next;
    RED_VALUE best[2], of_spell;
    ulong at[2] = {0, 0};
    best[0] = best[1] = RED_WORST; /* Mesa's rusticl 22.3 crashes on an initializer of an array of bytes */
#define RED_BEST_START(j) bests[j] = RED_WORST;
#define RED_BEST_NEXT(j)                                                                                     \
    next = RED_VALUES(RED_WIDTH, i + j % RED_STREAMS * stream_n + j / RED_STREAMS);                          \
    bests[j] = RED_BETTER(next, bests[j]);
#define RED_BEST_JOIN(j) bests[j % RED_STREAMS] = RED_BETTER(bests[j], bests[j % RED_STREAMS]);
#define RED_BEST_FOUND(stream)                                                                               \
    of_spell = (RED_VALUE)RED_BEST(RED_WIDTH, bests[stream]);                                                \
    at[stream] = RED_BEATS(of_spell, best[stream]) ? spell : at[stream];                                     \
    best[stream] = RED_BETTER(of_spell, best[stream]);
    RED_EACH_LOAD(RED_BEST_START)
    for (ulong spell = 0; spell < stream_n; spell += RED_SPELL * turn) {
        const ulong spell_end = first + min(stream_n, spell + RED_SPELL * turn);
        for (ulong i = first + spell; i < spell_end; i += turn) {
            RED_EACH_LOAD(RED_BEST_NEXT)
        }
        RED_EACH_LOAD(RED_BEST_JOIN)
        RED_BEST_FOUND(0)
        RED_BEST_FOUND(RED_STREAMS - 1)
    }
    const bool second = RED_BEATS(best[1], best[0]);
    const RED_VALUE extreme = second ? best[1] : best[0];
    const ulong found = begin + RED_WIDTH * (second ? stream_n + at[1] : at[0]);
    const ulong searched_end = begin + RED_WIDTH * RED_STREAMS * stream_n;
    ulong i = searched_end;
    RED_A value = RED_IDENTITY;
#ifdef RED_LOSES_DENORMALS
    if (RED_LOSES_DENORMALS(extreme, end))
        i = begin;
    else
#endif
        value = red_first_equal(RED_ARGS, found, searched_end, extreme);
    for (; i < end; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}

/* The first lane of which a comparison is true, if it is of any: red_lane<w>(equal). Results of comparisons
 * are as wide as what was compared (OpenCL C 3.0, 6.4.7). */
#if RED_T_BITS == 8
#define RED_TRUTH char
#elif RED_T_BITS == 16 && RED_T_KIND != 2
#define RED_TRUTH short
#elif RED_T_BITS == 64
#define RED_TRUTH long
#else
#define RED_TRUTH int
#endif
#define red_lane1(equal) ((equal) ? 0 : 1)
uint red_lane2(const RED_OF(RED_TRUTH, 2) equal) {
    return equal.x ? 0 : 1;
}
uint red_lane4(const RED_OF(RED_TRUTH, 4) equal) {
    return any(equal.lo) ? red_lane2(equal.lo) : 2 + red_lane2(equal.hi);
}
uint red_lane8(const RED_OF(RED_TRUTH, 8) equal) {
    return any(equal.lo) ? red_lane4(equal.lo) : 4 + red_lane4(equal.hi);
}
uint red_lane16(const RED_OF(RED_TRUTH, 16) equal) {
    return any(equal.lo) ? red_lane8(equal.lo) : 8 + red_lane8(equal.hi);
}

/* A value, as it is compared, with its place. */
RED_A red_place_of(const RED_VALUE value, const ulong i) {
#if RED_T_KIND == 2 && RED_T_BITS == 16
    ushort word;
    vstore_half(value, 0, (private half *)&word);
#else
    const RED_RAW word = RED_PASTE(as_, RED_RAW)(value);
#endif
#if RED_WORD_BITS == 0
    const red_pair place = {red_rank(word), i};
    return place;
#else
    return red_rank(word) | i;
#endif
}

/* What an item of a grid stride keeps of each turn: `best`, of all its turns, `turn`, the index of the first
 * vector of the turn where that was found, and `load`, which of the turn's vectors it was. */
#define RED_TURN_LOAD(j) loads[j] = RED_VALUES(RED_WIDTH, i + j * stride);
#define RED_LAST_LOAD(j) loads[j] = RED_VALUES(RED_WIDTH, i + j * stride < vectors_n ? i + j * stride : i);
#if RED_T_BITS == 8
/* The load stands below the value in one int, so that of equal values the first one wins. The vector is
 * loaded once more at the end: selecting each byte costs more. */
#define RED_LOAD_ORDER(j) (RED_PLACE == 1 ? (j) : RED_LOADS - 1 - (j))
#define RED_BEST_OF_NONE  (RED_WORST * RED_LOADS + RED_LOAD_ORDER(0))
#define RED_TURN_START    next = RED_PLACE == 1 ? INT_MAX : INT_MIN;
#define RED_TURN_TAKE(j)                                                                                     \
    next = RED_BETTER(RED_BEST(RED_WIDTH, loads[j]) * RED_LOADS + RED_LOAD_ORDER(j), next);
#define RED_TURN_END                                                                                         \
    const bool better = RED_BEATS(next & -RED_LOADS, best & -RED_LOADS);                                     \
    turn = better ? i : turn;                                                                                \
    best = better ? next : best;
#define RED_TURNS_END                                                                                        \
    load = RED_LOAD_ORDER((uint)best % RED_LOADS);                                                           \
    best = (best & -RED_LOADS) / RED_LOADS;
#else
#define RED_BEST_OF_NONE RED_WORST
#define RED_TURN_START   uint load_of_turn = RED_LOADS;
#define RED_TURN_TAKE(j)                                                                                     \
    next = RED_BEST(RED_WIDTH, loads[j]);                                                                    \
    load_of_turn = RED_BEATS(next, best) ? j : load_of_turn;                                                 \
    kept = RED_BEATS(next, best) ? loads[j] : kept;                                                          \
    best = RED_BETTER(next, best);
#define RED_TURN_END                                                                                         \
    turn = load_of_turn < RED_LOADS ? i : turn;                                                              \
    load = load_of_turn < RED_LOADS ? load_of_turn : load;
#define RED_TURNS_END
#endif

/* One work-item's share of a grid stride. Of each vector the best value is compared; the first vector that
 * has the best of all is kept. None beats the worst value where all elements are that, or infinities and
 * NaNs: of integers the first element is the answer then, as `kept`, `turn` and `load` begin; of floats each
 * element is ranked. */
RED_A red_item_stride(RED_INPUT, const ulong n) {
    const ulong vectors_n = n / RED_WIDTH, stride = get_global_size(0), first = get_global_id(0);
    RED_OF(RED_VALUE, RED_WIDTH) loads[RED_LOADS], kept = RED_WORST;
    RED_WIDE best = RED_BEST_OF_NONE, next;
    RED_A value = RED_IDENTITY;
    ulong i = first, turn = first;
    uint load = 0;
    for (; i + (RED_LOADS - 1) * stride < vectors_n; i += RED_LOADS * stride) {
        RED_TURN_START
        RED_EACH_LOAD(RED_TURN_LOAD)
        RED_EACH_LOAD(RED_TURN_TAKE)
        RED_TURN_END
    }
    if (i < vectors_n) {
        RED_TURN_START
        RED_EACH_LOAD(RED_LAST_LOAD)
        RED_EACH_LOAD(RED_TURN_TAKE)
        RED_TURN_END
    }
    RED_TURNS_END
#if RED_T_KIND == 2
    bool found = RED_BEATS(best, RED_WORST);
#ifdef RED_LOSES_DENORMALS
    found = found && !RED_LOSES_DENORMALS(best, n);
#endif
#else
    const bool found = first < vectors_n;
#endif
    if (found) {
#if RED_T_BITS == 8
        kept = RED_VALUES(RED_WIDTH, turn + load * stride);
#endif
        value = red_place_of(
            (RED_VALUE)best,
            RED_WIDTH * (turn + load * stride) + RED_PASTE(red_lane, RED_WIDTH)(kept == (RED_VALUE)best));
    } else {
        for (i = first; i < vectors_n; i += stride)
            value = RED_COMBINE(value, RED_FOLD(RED_WIDTH, RED_LOAD_VECTOR(i)));
    }
    for (i = RED_WIDTH * vectors_n + first; i < n; i += stride)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}
#endif
