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
 *   RED_PASS         0 over elements, 1 over partial results of an earlier launch; of finish joined 0 in the
 *                    launch that waits, 1 in the one that joins it
 *   RED_WIDTH        elements per vector, 1, 2, 4, 8 or 16; RED_LOADS  vectors in flight, 1, 2, 4 or 8:
 *                    where the manifest's lanes are WIDTHxLOADS; 4 and 4 for others
 *   RED_PLACE        0; 1 where the index of the least element is looked for, 2 of the greatest
 *   RED_NAMED_(a, b) a built-in's name: a, then add, min or max, then b; undefined where there is none.
 *                    Pasted by the host's text, since a driver may have made a macro of min
 *   RED_UNALIGNED    defined where bases need not be aligned to vectors: each segment has its own
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

#ifndef RED_WIDTH
#define RED_WIDTH 4
#define RED_LOADS 4
#endif

#if RED_GROUP_SIZE < 1
#error "RED_GROUP_SIZE must be at least 1"
#endif
#if RED_ARRAYS != 1 && RED_ARRAYS != 2
#error "RED_ARRAYS must be 1 or 2"
#endif
#if RED_WIDTH != 1 && RED_WIDTH != 2 && RED_WIDTH != 4 && RED_WIDTH != 8 && RED_WIDTH != 16
#error "RED_WIDTH must be 1, 2, 4, 8 or 16"
#endif
#if RED_LOADS != 1 && RED_LOADS != 2 && RED_LOADS != 4 && RED_LOADS != 8
#error "RED_LOADS must be 1, 2, 4 or 8"
#endif
#if RED_WORD_BITS != 32 && RED_WORD_BITS != 64 && RED_WORD_BITS != 0
#error "RED_WORD_BITS must be 32, 64 or 0"
#endif
#if defined(cl_khr_fp64) && __OPENCL_C_VERSION__ < 120
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define RED_PASTE_(a, b) a##b
#define RED_PASTE(a, b)  RED_PASTE_(a, b)

/* The type or function of that name for vectors of w; a vector of one is a scalar. */
#define RED_SUFFIX1
#define RED_SUFFIX2     2
#define RED_SUFFIX4     4
#define RED_SUFFIX8     8
#define RED_SUFFIX16    16
#define RED_OF(name, w) RED_PASTE(name, RED_PASTE(RED_SUFFIX, w))

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

/* The arrays as kernel parameters and as arguments of a helper. What macros take from where they stand has a
 * name that begins with red_: a kernel's own variables may have any other. */
#if RED_ARRAYS == 1
#define RED_INPUT global const RED_T *restrict red_x
#define RED_ARGS  red_x
#else
#define RED_INPUT global const RED_T *restrict red_x, global const RED_T *restrict red_y
#define RED_ARGS  red_x, red_y
#endif

/* Of many arrays side by side (spans segment and column) each result needs how many there are, in a last
 * parameter: `RED_SEGMENTS`. RED_ARGS_AT(i) are the arguments of a helper for an array that begins at i. */
#define RED_SEGMENTS const ulong segments_n
#if RED_ARRAYS == 1
#define RED_ARGS_AT(i) red_x + (i)
#else
#define RED_ARGS_AT(i) red_x + (i), red_y + (i)
#endif

/* Vectors of indices i*w ...: aligned, or by vload, which needs the alignment of an element only. */
#ifndef RED_UNALIGNED
#define RED_VECTOR_AT(type, w, a, i) (((global const RED_OF(type, w) *)(a))[i])
#else
#define RED_VLOAD1(i, a)             ((a)[i])
#define RED_VLOAD2(i, a)             vload2(i, a)
#define RED_VLOAD4(i, a)             vload4(i, a)
#define RED_VLOAD8(i, a)             vload8(i, a)
#define RED_VLOAD16(i, a)            vload16(i, a)
#define RED_VECTOR_AT(type, w, a, i) RED_PASTE(RED_VLOAD, w)((i), (global const type *)(a))
#endif

/* RED_LOAD(i) is the value of index i as RED_A, RED_LOAD_VEC(w, i) those of the indices i*w ... i*w + w-1 as
 * a vector RED_VEC(w) of w (1, 2, 4, 8, 16), which RED_FOLD(w, v) combines into one RED_A. Array bases are
 * aligned to a vector of 16, so the vector loads are aligned, but for segments. */
#if !RED_PLACE && RED_WORD_BITS != 0
/* Converting an integer to the unsigned accumulator keeps its low bits (OpenCL C 3.0, 6.3.3.3): sums wrap
 * modulo 2^w. Halves are loaded as floats, which needs no extension (6.15.7). */
#define RED_VEC(w)    RED_OF(RED_A, w)
#define RED_TO_VEC(w) RED_OF(RED_PASTE(convert_, RED_A), w)
#if RED_T_KIND == 2 && RED_T_BITS == 16
#define RED_ELEMENT(a, i) vload_half(i, a)
#ifndef RED_UNALIGNED
#define RED_FETCH(a, w, i) RED_OF(vload_half, w)(i, a)
#else
/* By way of a copy: PoCL 3.1 has vload_half8 and 16 read aligned vectors where the CPU converts halves
 * (F16C), and dies elsewhere; the alignment of an element must do (6.15.7). */
#define RED_HALVES(w)                                                                                        \
    RED_OF(float, w) RED_PASTE(red_halves, w)(global const half *a, const ulong i) {                         \
        const RED_OF(ushort, w) words = RED_VECTOR_AT(ushort, w, a, i);                                      \
        return RED_OF(vload_half, w)(0, (const half *)&words);                                               \
    }
RED_HALVES(1)
RED_HALVES(2)
RED_HALVES(4)
RED_HALVES(8)
RED_HALVES(16)
#define RED_FETCH(a, w, i) RED_PASTE(red_halves, w)(a, i)
#endif
#else
#define RED_ELEMENT(a, i)  ((RED_A)a[i])
#define RED_FETCH(a, w, i) RED_TO_VEC(w)(RED_VECTOR_AT(RED_T, w, a, i))
#endif
#if RED_ARRAYS == 1
#define RED_LOAD(i)        ((RED_A)(RED_MAP_(RED_ELEMENT(red_x, i), )))
#define RED_LOAD_VEC(w, i) (RED_MAP_(RED_FETCH(red_x, w, i), ))
#else
#define RED_LOAD(i)        ((RED_A)(RED_MAP_(RED_ELEMENT(red_x, i), RED_ELEMENT(red_y, i))))
#define RED_LOAD_VEC(w, i) (RED_MAP_(RED_FETCH(red_x, w, i), RED_FETCH(red_y, w, i)))
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
#define RED_RANK_FUNCTION(w, words)                                                                          \
    RED_PASTE(ulong, w) RED_PASTE(red_rank, w)(global const RED_T *x, const ulong i) {                       \
        RED_PASTE(ulong, w) nan = 0;                                                                         \
        RED_PASTE(ulong, w)                                                                                  \
        rank = RED_PASTE(convert_ulong, w)(words) << (64 - RED_T_BITS);                                      \
        RED_RANK(w, rank, nan)                                                                               \
        RED_TURN(rank);                                                                                      \
        return (rank | nan) & (~0UL << (64 - RED_T_BITS));                                                   \
    }
RED_RANK_FUNCTION(, ((global const RED_RAW *)x)[i])
#if RED_WORD_BITS != 0
RED_RANK_FUNCTION(2, RED_VECTOR_AT(RED_RAW, 2, x, i))
RED_RANK_FUNCTION(4, RED_VECTOR_AT(RED_RAW, 4, x, i))
RED_RANK_FUNCTION(8, RED_VECTOR_AT(RED_RAW, 8, x, i))
RED_RANK_FUNCTION(16, RED_VECTOR_AT(RED_RAW, 16, x, i))
#define RED_LANES1         0
#define RED_LANES2         ((ulong2)(0, 1))
#define RED_LANES4         ((ulong4)(0, 1, 2, 3))
#define RED_LANES8         ((ulong8)(0, 1, 2, 3, 4, 5, 6, 7))
#define RED_LANES16        ((ulong16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define RED_VEC(w)         RED_OF(ulong, w)
#define RED_LOAD(i)        (red_rank(red_x, (i)) | (ulong)(i))
#define RED_LOAD_VEC(w, i) (RED_OF(red_rank, w)(red_x, (i)) | ((w) * (ulong)(i) + RED_PASTE(RED_LANES, w)))
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
#define RED_LOAD(i)        red_load_pairs(red_x, (i), (i) + 1)
#define RED_LOAD_VEC(w, i) red_load_pairs(red_x, (w) * (ulong)(i), (w) * (ulong)(i) + (w))
#endif

/* A vector's lanes combined into one value: RED_FOLD(w, v), or red_fold<w>(v). */
#define RED_FOLD(w, v) RED_PASTE(red_fold, w)(v)
#define red_fold1(v)   (v)
#if RED_WORD_BITS == 0
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

/* What an item has in flight: `RED_VEC(RED_WIDTH) sums[RED_LOADS]`, its own vector for each load.
 * RED_EACH_LOAD(DO) is DO(0) ... DO(RED_LOADS - 1), written out so that the vectors stay in registers
 * whatever a compiler thinks of loops; RED_ALL_LOADS(sums) combines them, RED_FOLD_LOADS(sums) their lanes,
 * too. */
#define RED_SUM_OF2(sums, k) RED_COMBINE(sums[k], sums[k + 1])
#define RED_SUM_OF4(sums, k) RED_COMBINE(RED_SUM_OF2(sums, k), RED_SUM_OF2(sums, k + 2))
#if RED_LOADS == 1
#define RED_EACH_LOAD(DO)   DO(0)
#define RED_ALL_LOADS(sums) sums[0]
#elif RED_LOADS == 2
#define RED_EACH_LOAD(DO)   DO(0) DO(1)
#define RED_ALL_LOADS(sums) RED_SUM_OF2(sums, 0)
#elif RED_LOADS == 4
#define RED_EACH_LOAD(DO)   DO(0) DO(1) DO(2) DO(3)
#define RED_ALL_LOADS(sums) RED_SUM_OF4(sums, 0)
#else
#define RED_EACH_LOAD(DO)   DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define RED_ALL_LOADS(sums) RED_COMBINE(RED_SUM_OF4(sums, 0), RED_SUM_OF4(sums, 4))
#endif

#define RED_FOLD_LOADS(sums) RED_FOLD(RED_WIDTH, RED_ALL_LOADS(sums))

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

/* One work-item's share of a grid stride: persistent groups walk the array, RED_LOADS vectors of RED_WIDTH in
 * flight. All loads of a turn stand before their use, and one accumulator takes their sum: who kept an
 * accumulator for each would have no registers left for the loads, and compilers then wait for some before
 * they issue the others. */
RED_A red_item_stride(RED_INPUT, const ulong n) {
    const ulong vectors_n = n / RED_WIDTH, stride = get_global_size(0);
    RED_VEC(RED_WIDTH) all = RED_IDENTITY, loads[RED_LOADS];
#define RED_TURN_LOAD(j) loads[j] = RED_LOAD_VEC(RED_WIDTH, i + j * stride);
#define RED_LAST_LOAD(j) loads[j] = RED_LOAD_VEC(RED_WIDTH, i + j * stride < vectors_n ? i + j * stride : i);
#define RED_LAST_DROP(j)                                                                                     \
    if (i + j * stride >= vectors_n)                                                                         \
        loads[j] = RED_IDENTITY;
    ulong i = get_global_id(0);
    for (; i + (RED_LOADS - 1) * stride < vectors_n; i += RED_LOADS * stride) {
        RED_EACH_LOAD(RED_TURN_LOAD)
        all = RED_COMBINE(all, RED_ALL_LOADS(loads));
    }
    /* Less than a turn is left. A loop would wait for each; here all are in flight, and who has none loads
     * again. */
    if (i < vectors_n) {
        RED_EACH_LOAD(RED_LAST_LOAD)
        RED_EACH_LOAD(RED_LAST_DROP)
        all = RED_COMBINE(all, RED_ALL_LOADS(loads));
    }
    RED_A value = RED_FOLD(RED_WIDTH, all);
    for (ulong tail = RED_WIDTH * vectors_n + get_global_id(0); tail < n; tail += stride)
        value = RED_COMBINE(value, RED_LOAD(tail));
    return value;
}

/* The indices begin ... end - 1, RED_LOADS vectors of RED_WIDTH in flight; begin is a multiple of 16. Half of
 * the loads go to either half of the range: a core's prefetcher follows two streams further ahead than one (2
 * cores, Intel's runtime, f32, n = 2^26: 8.4 ms instead of 9.5, 2^24: 1.28 instead of 1.34; with four
 * streams 8.5). */
#define RED_STREAMS (RED_LOADS > 1 ? 2 : 1)
RED_A red_item_range(RED_INPUT, const ulong begin, const ulong end) {
    const ulong step = RED_WIDTH * RED_LOADS / RED_STREAMS;
    const ulong stream_n = (end - begin) / (RED_STREAMS * step) * step;
    RED_VEC(RED_WIDTH) sums[RED_LOADS];
#define RED_NEXT(j)                                                                                          \
    sums[j] = RED_COMBINE(                                                                                   \
        sums[j], RED_LOAD_VEC(RED_WIDTH, (i + j % RED_STREAMS * stream_n) / RED_WIDTH + j / RED_STREAMS));
#define RED_START(j) sums[j] = RED_IDENTITY;
    RED_EACH_LOAD(RED_START)
    ulong i = begin;
    for (; i < begin + stream_n; i += step) {
        RED_EACH_LOAD(RED_NEXT)
    }
    i = begin + RED_STREAMS * stream_n;
    for (; i + RED_WIDTH <= end; i += RED_WIDTH)
        sums[0] = RED_COMBINE(sums[0], RED_LOAD_VEC(RED_WIDTH, i / RED_WIDTH));
    RED_A value = RED_FOLD_LOADS(sums);
    for (; i < end; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}

/* One of as many contiguous pieces. Pieces are whole blocks of all lanes, of 64 elements at least: aligned
 * vector loads, and the tail lies in the last piece only. */
RED_A red_item_piece(RED_INPUT, const ulong n, const ulong piece, const ulong pieces_n) {
    const ulong block_n = RED_WIDTH * RED_LOADS < 64 ? 64 : RED_WIDTH * RED_LOADS;
    const ulong blocks_n = (n + block_n - 1) / block_n;
    const ulong piece_blocks_n = (blocks_n + pieces_n - 1) / pieces_n;
    const ulong begin = min(n, block_n * piece_blocks_n * piece);
    return red_item_range(RED_ARGS, begin, min(n, begin + block_n * piece_blocks_n));
}

/* A piece for every work-item. */
RED_A red_item_chunk(RED_INPUT, const ulong n) {
    return red_item_piece(RED_ARGS, n, get_global_id(0), get_global_size(0));
}

/* Every step-th index from the first on: what one of `step` items takes whose addresses are adjacent. */
RED_A red_item_turns(RED_INPUT, const ulong first, const ulong step, const ulong n) {
    RED_A value = RED_IDENTITY;
    for (ulong i = first; i < n; i += step)
        value = RED_COMBINE(value, RED_LOAD(i));
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

/* The answer of finish polled and persistent, and the mailbox of joined, the last parameter: `RED_ANSWER`.
 * RED_TELL(value) hands it over: value and flag in one store of 16 bytes, so that the host, which spins on
 * the flag, sees both or none. That a store of so many bytes is not torn is what drivers do. */
#define RED_ANSWER global uint4 *restrict red_answer
#if RED_WORD_BITS == 32
#define RED_TELL_AS(value, flag)                                                                             \
    (*(volatile global uint4 *)red_answer = (uint4)(RED_AS_WORD(value), 0, (flag), 0))
#elif RED_WORD_BITS == 64
#define RED_TELL_AS(value, flag)                                                                             \
    (*(volatile global uint4 *)red_answer = (uint4)(as_uint2(RED_AS_WORD(value)), (flag), 0))
#endif
#define RED_TELL(value) RED_TELL_AS(value, 1)

/* The operation's work-group built-in (OpenCL C 3.0, 6.15.16); every item of the group must call it. */
#if defined(RED_NAMED_) && __OPENCL_C_VERSION__ >= 200
#define RED_WG_REDUCE(value) RED_NAMED_(work_group_reduce_, )(value)
#endif
