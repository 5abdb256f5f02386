/* The prefixes within a vector: RED_PREFIXES(w, v), of w elements none of which is a NaN in a least or a
 * greatest, has in lane i the lanes 0 ... i combined; RED_LATER(w, v) is v a lane later, the identity first.
 * Each step gives the upper half of every 2, 4, 8, 16 lanes the last of the lower half: a vector's width of
 * work by log w shuffles, the first two within 128 bits. */
#define RED_LATER(w, v)    RED_PASTE(red_later, w)(v)
#define RED_PREFIXES(w, v) RED_PASTE(red_prefixes, w)(v)
#define RED_NONE(w)        ((RED_VEC(w))RED_IDENTITY)
#define red_prefixes1(v)   (v)
#define red_later1(v)      RED_IDENTITY

RED_VEC(2) red_later2(const RED_VEC(2) v) {
    return (RED_VEC(2))(RED_IDENTITY, v.x);
}
RED_VEC(4) red_later4(const RED_VEC(4) v) {
    return (RED_VEC(4))(RED_IDENTITY, v.s0, v.s12);
}
RED_VEC(8) red_later8(const RED_VEC(8) v) {
    return (RED_VEC(8))(RED_IDENTITY, v.s0123, v.s45, v.s6);
}
RED_VEC(16) red_later16(const RED_VEC(16) v) {
    return (RED_VEC(16))(RED_IDENTITY, v.s01234567, v.s89ab, v.scd, v.se);
}

RED_VEC(2) red_prefixes2(const RED_VEC(2) v) {
    const RED_VEC(2) by_1 = red_later2(v);
    return RED_TAKE(v, by_1);
}
RED_VEC(4) red_prefixes4(RED_VEC(4) v) {
    const RED_VEC(4) by_1 = (RED_VEC(4))(RED_IDENTITY, v.s0, RED_IDENTITY, v.s2);
    v = RED_TAKE(v, by_1);
    const RED_VEC(4) by_2 = (RED_VEC(4))(RED_NONE(2), v.s11);
    return RED_TAKE(v, by_2);
}
RED_VEC(8) red_prefixes8(RED_VEC(8) v) {
    const RED_A none = RED_IDENTITY;
    const RED_VEC(8) by_1 = (RED_VEC(8))(none, v.s0, none, v.s2, none, v.s4, none, v.s6);
    v = RED_TAKE(v, by_1);
    const RED_VEC(8) by_2 = (RED_VEC(8))(RED_NONE(2), v.s11, RED_NONE(2), v.s55);
    v = RED_TAKE(v, by_2);
    const RED_VEC(8) by_4 = (RED_VEC(8))(RED_NONE(4), v.s3333);
    return RED_TAKE(v, by_4);
}
RED_VEC(16) red_prefixes16(RED_VEC(16) v) {
    const RED_A none = RED_IDENTITY;
    const RED_VEC(16) by_1 = (RED_VEC(16))(
        none, v.s0, none, v.s2, none, v.s4, none, v.s6, none, v.s8, none, v.sa, none, v.sc, none, v.se);
    v = RED_TAKE(v, by_1);
    const RED_VEC(16) by_2 = (RED_VEC(16))(
        none, none, v.s1, v.s1, none, none, v.s5, v.s5, none, none, v.s9, v.s9, none, none, v.sd, v.sd);
    v = RED_TAKE(v, by_2);
    const RED_VEC(16) by_4 = (RED_VEC(16))(RED_NONE(4), v.s3333, RED_NONE(4), v.sbbbb);
    v = RED_TAKE(v, by_4);
    const RED_VEC(16) by_8 = (RED_VEC(16))(RED_NONE(8), v.s77777777);
    return RED_TAKE(v, by_8);
}

/* The last lane of a vector. */
#define RED_LAST(w, v) RED_PASTE(red_last, w)(v)
#define red_last1(v)   (v)
#define red_last2(v)   (v).y
#define red_last4(v)   (v).s3
#define red_last8(v)   (v).s7
#define red_last16(v)  (v).sf

/* The answers of a vector whose prefixes are v. */
#if RED_EXCLUSIVE
#define RED_OWN(w, v) RED_LATER(w, v)
#else
#define RED_OWN(w, v) v
#endif

/* A vector as it is scanned: without NaNs where the least or the greatest is looked for. */
#if RED_EXTREME
#define RED_NUMBERS_(w, v) RED_TAKE(RED_NONE(w), v)
#else
#define RED_NUMBERS_(w, v) v
#endif

/* Vector i of the elements and of the answers, `all` in front of it, which has the vector itself afterwards,
 * in every lane: the next one waits for one addition of this one, not for its prefixes. */
#define RED_SCAN_VEC(w, i, all)                                                                              \
    do {                                                                                                     \
        const RED_VEC(w) red_loaded = RED_LOAD_VEC(w, i);                                                    \
        const RED_VEC(w) red_within = RED_PREFIXES(w, RED_NUMBERS_(w, red_loaded));                          \
        const RED_VEC(w) red_last = RED_LAST(w, red_within);                                                 \
        const RED_VEC(w) red_mine = RED_OWN(w, red_within);                                                  \
        RED_STORE_VEC(w, i, RED_TAKE(all, red_mine));                                                        \
        all = RED_TAKE(all, red_last);                                                                       \
    } while (0)
