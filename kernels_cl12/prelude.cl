/* The kernel contract. This text stands before every kernel; in front of it stand the macros that choose
 * type, operation and work-group size. Each has a default here, so that a kernel compiles alone.
 *
 * Chosen by the host:
 *   RED_T            element type                        RED_A             accumulator type
 *   RED_T_KIND       0 unsigned, 1 signed, 2 float       RED_T_BITS        width of RED_T
 *   RED_WORD         unsigned type as wide as RED_A      RED_WORD_BITS     32, 64, or 0: red_pair
 *   RED_IS_FLOAT     1: RED_A is float or double         RED_ARRAYS        1, or 2 (dot)
 *   RED_IDENTITY_    the operation's identity            RED_GROUP_SIZE    work-items per work-group
 *   RED_MAP_(x, y)   value of one index                  RED_COMBINE_(a, b)
 *   RED_PASS         0 over elements, 1 over partial results of an earlier launch
 *   RED_PLACE        0; 1 where the index of the least element is looked for, 2 of the greatest
 *   RED_NAMED_(a, b) a built-in's name: a, then add, min or max, then b; undefined where there is none.
 *                    Pasted by the host's text, since a driver may have made a macro of min
 *   RED_POISON       defined while a kernel with RED_LOCAL is checked: fills its local memory
 */
#ifndef RED_T
#define RED_T              float
#define RED_T_KIND         2
#define RED_T_BITS         32
#define RED_A              float
#define RED_WORD           uint
#define RED_WORD_BITS      32
#define RED_IS_FLOAT       1
#define RED_ARRAYS         1
#define RED_PASS           0
#define RED_PLACE          0
#define RED_IDENTITY_      0
#define RED_MAP_(x, y)     x
#define RED_COMBINE_(a, b) a + b
#define RED_NAMED_(a, b)   a##add##b
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif

#if RED_GROUP_SIZE < 1
#error "RED_GROUP_SIZE must be at least 1"
#endif
#if RED_ARRAYS != 1 && RED_ARRAYS != 2
#error "RED_ARRAYS must be 1 or 2"
#endif
#if RED_WORD_BITS != 32 && RED_WORD_BITS != 64 && RED_WORD_BITS != 0
#error "RED_WORD_BITS must be 32, 64 or 0"
#endif
#if defined(cl_khr_fp64) && __OPENCL_C_VERSION__ < 120
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define RED_PASTE_(a, b) a##b
#define RED_PASTE(a, b)  RED_PASTE_(a, b)

/* `RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter)`.
 * The attribute lets a driver plan for this size, and lifts NVIDIA's limit of 256 work-items. */
#define RED_KERNEL kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void

/* The pipe of a kernel that needs pipes, its last parameter: `RED_PIPE partials`. */
#if RED_PASS == 0
#define RED_PIPE write_only pipe RED_A
#else
#define RED_PIPE read_only pipe RED_A
#endif

/* A value's rank and where it stands: what a place needs that does not fit into 64 bits. */
#if RED_WORD_BITS == 0
typedef struct {
    ulong key, index;
} red_pair;
red_pair red_pair_lower(const red_pair a, const red_pair b) {
    return b.key < a.key || (b.key == a.key && b.index < a.index) ? b : a;
}
#define RED_LOWER(a, b) red_pair_lower((a), (b))
#elif RED_IS_FLOAT
#define RED_LOWER(a, b)  fmin((a), (b))
#define RED_HIGHER(a, b) fmax((a), (b))
#else
#define RED_LOWER(a, b)  min((a), (b))
#define RED_HIGHER(a, b) max((a), (b))
#endif

#if RED_WORD_BITS == 0
#define RED_IDENTITY ((red_pair)RED_IDENTITY_)
#else
#define RED_IDENTITY ((RED_A)(RED_IDENTITY_))
#endif
#define RED_COMBINE(a, b) (RED_COMBINE_((a), (b)))

/* The unsigned word as wide as an element. */
#if RED_T_BITS == 8
#define RED_RAW uchar
#elif RED_T_BITS == 16
#define RED_RAW ushort
#elif RED_T_BITS == 32
#define RED_RAW uint
#else
#define RED_RAW ulong
#endif

/* The arrays as kernel parameters and as arguments of a helper. */
#if RED_ARRAYS == 1
#define RED_INPUT global const RED_T *restrict x
#define RED_ARGS  x
#else
#define RED_INPUT global const RED_T *restrict x, global const RED_T *restrict y
#define RED_ARGS  x, y
#endif

/* RED_LOAD(i) is the value of index i as RED_A, RED_LOAD_VEC(w, i) those of the indices i*w ... i*w + w-1 as
 * a vector RED_VEC(w) of w (2, 4, 8, 16), which red_fold<w> combines into one RED_A. Array bases are aligned
 * to a vector of 16, so the vector loads are aligned. */
#if !RED_PLACE && RED_WORD_BITS != 0
/* Converting an integer to the unsigned accumulator keeps its low bits (OpenCL C 3.0, 6.3.3.3): sums wrap
 * modulo 2^w. Halves are loaded as floats, which needs no extension (6.15.7). */
#define RED_VEC(w)    RED_PASTE(RED_A, w)
#define RED_TO_VEC(w) RED_PASTE(RED_PASTE(convert_, RED_A), w)
#if RED_T_KIND == 2 && RED_T_BITS == 16
#define RED_ELEMENT(a, i)  vload_half(i, a)
#define RED_FETCH(a, w, i) RED_PASTE(vload_half, w)(i, a)
#else
#define RED_ELEMENT(a, i)  ((RED_A)a[i])
#define RED_FETCH(a, w, i) RED_TO_VEC(w)(((global const RED_PASTE(RED_T, w) *)(a))[i])
#endif
#if RED_ARRAYS == 1
#define RED_LOAD(i)        ((RED_A)(RED_MAP_(RED_ELEMENT(x, i), )))
#define RED_LOAD_VEC(w, i) (RED_MAP_(RED_FETCH(x, w, i), ))
#else
#define RED_LOAD(i)        ((RED_A)(RED_MAP_(RED_ELEMENT(x, i), RED_ELEMENT(y, i))))
#define RED_LOAD_VEC(w, i) (RED_MAP_(RED_FETCH(x, w, i), RED_FETCH(y, w, i)))
#endif
#endif

#if RED_PLACE
/* A place is the least of (rank, index): the rank in the upper RED_T_BITS of 64 bits, the index below it, or
 * beside it in a red_pair. Ranks are unsigned and in the order of the values: of floats the sign bit is
 * turned for positive and all bits for negative ones (IEEE 754-2008, section 5.10); -0 counts as +0, and a
 * NaN ranks highest. */
#define RED_SIGN (1UL << 63)
#define RED_INFINITY                                                                                         \
    (RED_T_BITS == 16 ? 0x7c00UL << 48 : RED_T_BITS == 32 ? 0x7f800000UL << 32 : 0x7ffUL << 52)
#define RED_ALL(w, condition)                                                                                \
    RED_PASTE(as_ulong, w)(RED_PASTE(as_long, w)(condition) >> 63) /* ones if negative */
#if RED_T_KIND == 2
#define RED_RANK(w, rank, nan)                                                                               \
    nan = RED_ALL(w, RED_INFINITY - (rank & ~RED_SIGN));                                                     \
    rank &= ~RED_ALL(w, (rank & ~RED_SIGN) - 1);                                                             \
    rank ^= RED_ALL(w, rank) | RED_SIGN;
#elif RED_T_KIND == 1
#define RED_RANK(w, rank, nan) rank ^= RED_SIGN;
#else
#define RED_RANK(w, rank, nan)
#endif
#if RED_PLACE == 2
#define RED_TURN(rank) rank = ~rank
#else
#define RED_TURN(rank)
#endif
#define RED_RANK_FUNCTION(w)                                                                                 \
    RED_PASTE(ulong, w) RED_PASTE(red_rank, w)(global const RED_T *x, const ulong i) {                       \
        RED_PASTE(ulong, w) nan = 0;                                                                         \
        RED_PASTE(ulong, w)                                                                                  \
        rank = RED_PASTE(convert_ulong, w)(((global const RED_PASTE(RED_RAW, w) *)x)[i])                     \
               << (64 - RED_T_BITS);                                                                         \
        RED_RANK(w, rank, nan)                                                                               \
        RED_TURN(rank);                                                                                      \
        return (rank | nan) & (~0UL << (64 - RED_T_BITS));                                                   \
    }
RED_RANK_FUNCTION()
#if RED_WORD_BITS != 0
RED_RANK_FUNCTION(2)
RED_RANK_FUNCTION(4)
RED_RANK_FUNCTION(8)
RED_RANK_FUNCTION(16)
#define RED_LANES2         ((ulong2)(0, 1))
#define RED_LANES4         ((ulong4)(0, 1, 2, 3))
#define RED_LANES8         ((ulong8)(0, 1, 2, 3, 4, 5, 6, 7))
#define RED_LANES16        ((ulong16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define RED_VEC(w)         RED_PASTE(ulong, w)
#define RED_LOAD(i)        (red_rank(x, (i)) | (ulong)(i))
#define RED_LOAD_VEC(w, i) (RED_PASTE(red_rank, w)(x, (i)) | ((w) * (ulong)(i) + RED_PASTE(RED_LANES, w)))
#endif
#endif

/* A pair is no vector's lane: vectors of pairs are folded on loading. */
#if RED_WORD_BITS == 0
red_pair red_load_pairs(global const RED_T *x, const ulong begin, const ulong end) {
    red_pair least = RED_IDENTITY;
    for (ulong i = begin; i < end; i++) {
#if RED_PLACE
        const red_pair next = {red_rank(x, i), i};
#else
        const red_pair next = x[i];
#endif
        least = RED_COMBINE(least, next);
    }
    return least;
}
#define RED_VEC(w)         red_pair
#define RED_LOAD(i)        red_load_pairs(x, (i), (i) + 1)
#define RED_LOAD_VEC(w, i) red_load_pairs(x, (w) * (ulong)(i), (w) * (ulong)(i) + (w))
#endif

/* A vector's lanes combined into one value. A pair is no vector's lane: vectors of pairs are folded on
 * loading. */
#if RED_WORD_BITS == 0
#define RED_VEC(w)    red_pair
#define red_fold2(v)  (v)
#define red_fold4(v)  (v)
#define red_fold8(v)  (v)
#define red_fold16(v) (v)
#else
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

/* `RED_LOCAL(RED_A, name, count);` declares local memory at the top of the kernel. While a kernel is checked
 * it starts as what does most harm (NaN for a sum): what a kernel reads without having written it becomes
 * visible. */
#ifdef RED_POISON
void red_local_poison(local uchar *bytes, uint bytes_n) {
    for (uint i = get_local_id(0); i < bytes_n; i += RED_GROUP_SIZE)
        bytes[i] = RED_POISON;
    barrier(CLK_LOCAL_MEM_FENCE);
}
#define RED_LOCAL(type, name, count)                                                                         \
    local type name[count];                                                                                  \
    red_local_poison((local uchar *)name, (uint)sizeof(type) * (count))
#else
#define RED_LOCAL(type, name, count) local type name[count]
#endif

/* One work-item's share of a grid stride: persistent groups walk the array, 4 vectors of 4 in flight. All
 * loads of a turn stand before their use, and one accumulator takes their sum: who kept 4 accumulators would
 * have no registers left for the loads, and compilers then wait for some before they issue the others. */
RED_A red_item_stride(RED_INPUT, const ulong n) {
    const ulong vectors_n = n / 4, stride = get_global_size(0);
    RED_VEC(4) all = RED_IDENTITY;
    ulong i = get_global_id(0);
    for (; i + 3 * stride < vectors_n; i += 4 * stride) {
        const RED_VEC(4) a = RED_LOAD_VEC(4, i), b = RED_LOAD_VEC(4, i + stride);
        const RED_VEC(4) c = RED_LOAD_VEC(4, i + 2 * stride), d = RED_LOAD_VEC(4, i + 3 * stride);
        const RED_VEC(4) ab = RED_COMBINE(a, b), cd = RED_COMBINE(c, d);
        all = RED_COMBINE(all, RED_COMBINE(ab, cd));
    }
    /* Up to three are left. A loop would wait for each; here all are in flight, and who has none loads again.
     */
    if (i < vectors_n) {
        const RED_VEC(4) none = RED_IDENTITY;
        const ulong j = i + stride < vectors_n ? i + stride : i,
                    k = i + 2 * stride < vectors_n ? i + 2 * stride : i;
        const RED_VEC(4) a = RED_LOAD_VEC(4, i), b = RED_LOAD_VEC(4, j), c = RED_LOAD_VEC(4, k);
        const RED_VEC(4) ab = RED_COMBINE(a, j > i ? b : none);
        all = RED_COMBINE(all, RED_COMBINE(ab, k > i ? c : none));
    }
    RED_A value = red_fold4(all);
    for (ulong tail = 4 * vectors_n + get_global_id(0); tail < n; tail += stride)
        value = RED_COMBINE(value, RED_LOAD(tail));
    return value;
}

/* One work-item's share of what all groups have left in `out`, for the group that brings it together: 4 loads
 * in flight. volatile: other groups have just written it. */
RED_A red_item_partials(volatile global RED_A *out) {
    const uint partials_n = (uint)get_num_groups(0);
    RED_A value = RED_IDENTITY;
    for (uint i = (uint)get_local_id(0); i < partials_n; i += 4 * RED_GROUP_SIZE) {
        const uint j = i + RED_GROUP_SIZE, k = j + RED_GROUP_SIZE, l = k + RED_GROUP_SIZE;
        const RED_A first = out[i], second = out[j < partials_n ? j : i];
        const RED_A third = out[k < partials_n ? k : i], fourth = out[l < partials_n ? l : i];
        value = RED_COMBINE(value, first);
        value = RED_COMBINE(value, j < partials_n ? second : RED_IDENTITY);
        value = RED_COMBINE(value, k < partials_n ? third : RED_IDENTITY);
        value = RED_COMBINE(value, l < partials_n ? fourth : RED_IDENTITY);
    }
    return value;
}

/* A work-group's values combined by a tree in local memory with sequential addresses: each step folds the
 * upper half onto the lower, for any group size. The barrier stands at the loop's head, so every store is
 * seen before the next step reads it; the last step is read by the item that wrote it and needs none. Item 0
 * has the result. Between two calls with the same scratch there must be a barrier of the caller's: the first
 * may still read. */
RED_A red_group_tree(const RED_A value, local RED_A *scratch) {
    const uint item = (uint)get_local_id(0);
    scratch[item] = value;
    for (uint width = RED_GROUP_SIZE; width > 1; width = (width + 1) / 2) {
        const uint half_width = (width + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item + half_width < width)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + half_width]);
    }
    return scratch[item];
}

/* The accumulator as an integer word, for compare-and-swap on its bits. */
#if RED_WORD_BITS != 0 && RED_IS_FLOAT
#define RED_AS_WORD(value)  RED_PASTE(as_, RED_WORD)(value)
#define RED_FROM_WORD(word) RED_PASTE(as_, RED_A)(word)
#elif RED_WORD_BITS != 0
#define RED_AS_WORD(value)  ((RED_WORD)(value))
#define RED_FROM_WORD(word) ((RED_A)(word))
#endif

/* RED_CMPXCHG(p, old, new) and RED_XCHG(p, new): p is a `volatile global RED_WORD *`; gives the word found
 * there. RED_ATOMIC(p, value) combines the value into *p, global or local, by the operation's own atomic:
 * integers only.
 */
#if RED_WORD_BITS == 32
#define RED_CMPXCHG(p, old, new) atomic_cmpxchg(p, old, new)
#define RED_XCHG(p, new)         atomic_xchg(p, new)
#define RED_ATOMIC(p, value)     RED_NAMED_(atomic_, )(p, value)
#elif RED_WORD_BITS == 64 && defined(cl_khr_int64_base_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
/* A 64-bit C11 atomic needs both (OpenCL C 2.0, 6.13.11), atom_min and atom_max the second. */
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
#define RED_CMPXCHG(p, old, new) atom_cmpxchg(p, old, new)
#define RED_XCHG(p, new)         atom_xchg(p, new)
#define RED_ATOMIC(p, value)     RED_NAMED_(atom_, )(p, value)
#endif

/* Combines a value into the accumulator by compare-and-swap. The first guess is the identity, with which the
 * accumulator starts; every later one is what the atomic found, so no access is ever plain. Words are
 * compared as integers: -0.0 and NaN cannot make the loop spin. */
#ifdef RED_CMPXCHG
void red_cmpxchg_combine(global RED_A *out, const RED_A value) {
    volatile global RED_WORD *word = (volatile global RED_WORD *)out;
    RED_WORD guess = RED_AS_WORD(RED_IDENTITY);
    for (;;) {
        const RED_A combined = RED_COMBINE(RED_FROM_WORD(guess), value);
        const RED_WORD found = RED_CMPXCHG(word, guess, RED_AS_WORD(combined));
        if (found == guess)
            return;
        guess = found;
    }
}
#endif

/* The operation's work-group built-in (OpenCL C 3.0, 6.15.16); every item of the group must call it. */
#if defined(RED_NAMED_) && __OPENCL_C_VERSION__ >= 200
#define RED_WG_REDUCE(value) RED_NAMED_(work_group_reduce_, )(value)
#endif
