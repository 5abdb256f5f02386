/* The kernel contract. This text stands before every kernel; in front of it stand the macros that choose
 * type, operation and work-group size. Each has a default here, so that a kernel compiles alone.
 *
 * Chosen by the host:
 *   RED_T            element type                        RED_A             accumulator type
 *   RED_WORD         unsigned type as wide as RED_A      RED_WORD_BITS     32 or 64
 *   RED_IS_FLOAT     1 for float and double              RED_ARRAYS        1, or 2 (dot)
 *   RED_IDENTITY_    the operation's identity            RED_GROUP_SIZE    work-items per work-group
 *   RED_MAP_(x, y)   value of one index                  RED_COMBINE_(a, b)
 *   RED_BUILT_IN     suffix of work_group_reduce_<...>, undefined where there is none
 *   RED_POISON       defined while a kernel with RED_LOCAL is checked: its local memory starts as NaN
 */
#ifndef RED_T
#define RED_T              float
#define RED_A              float
#define RED_WORD           uint
#define RED_WORD_BITS      32
#define RED_IS_FLOAT       1
#define RED_ARRAYS         1
#define RED_IDENTITY_      0
#define RED_MAP_(x, y)     x
#define RED_COMBINE_(a, b) a + b
#define RED_BUILT_IN       add
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
#if RED_WORD_BITS != 32 && RED_WORD_BITS != 64
#error "RED_WORD_BITS must be 32 or 64"
#endif
#if defined(cl_khr_fp64) && __OPENCL_C_VERSION__ < 120
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define RED_PASTE_(a, b) a##b
#define RED_PASTE(a, b)  RED_PASTE_(a, b)

/* `RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter)`.
 * The attribute lets a driver plan for this size, and lifts NVIDIA's limit of 256 work-items. */
#define RED_KERNEL kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void

#define RED_IDENTITY      ((RED_A)(RED_IDENTITY_))
#define RED_COMBINE(a, b) (RED_COMBINE_((a), (b)))

/* The arrays as kernel parameters and as arguments of a helper. */
#if RED_ARRAYS == 1
#define RED_INPUT global const RED_T *restrict x
#define RED_ARGS  x
#else
#define RED_INPUT global const RED_T *restrict x, global const RED_T *restrict y
#define RED_ARGS  x, y
#endif

/* The value of index i as RED_A; and of the indices i*w ... i*w + w-1 as a vector of w (2, 4, 8, 16). Array
 * bases are aligned to a vector of 16, so the vector loads are aligned. Converting an integer to the unsigned
 * accumulator keeps its low bits (OpenCL C 3.0, 6.3.3.3): sums wrap modulo 2^w. */
#define RED_VEC(w)         RED_PASTE(RED_A, w)
#define RED_TO_VEC(w)      RED_PASTE(RED_PASTE(convert_, RED_A), w)
#define RED_FETCH(a, w, i) RED_TO_VEC(w)(((global const RED_PASTE(RED_T, w) *)(a))[i])
#if RED_ARRAYS == 1
#define RED_LOAD(i)        ((RED_A)RED_MAP_((RED_A)x[i], ))
#define RED_LOAD_VEC(w, i) (RED_MAP_(RED_FETCH(x, w, i), ))
#else
#define RED_LOAD(i)        ((RED_A)(RED_MAP_((RED_A)x[i], (RED_A)y[i])))
#define RED_LOAD_VEC(w, i) (RED_MAP_(RED_FETCH(x, w, i), RED_FETCH(y, w, i)))
#endif

/* A vector's lanes combined into one value. */
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

/* `RED_LOCAL(RED_A, name, count);` declares local memory at the top of the kernel. While a kernel is checked
 * it starts as all-ones bits (NaN, -1): what a kernel reads without having written it becomes visible. */
#ifdef RED_POISON
void red_local_poison(local uchar *bytes, uint bytes_n) {
    for (uint i = get_local_id(0); i < bytes_n; i += RED_GROUP_SIZE)
        bytes[i] = 0xff;
    barrier(CLK_LOCAL_MEM_FENCE);
}
#define RED_LOCAL(type, name, count)                                                                         \
    local type name[count];                                                                                  \
    red_local_poison((local uchar *)name, (uint)sizeof(type) * (count))
#else
#define RED_LOCAL(type, name, count) local type name[count]
#endif

/* One work-item's share of a grid stride, 4 vectors of 4 in flight: persistent groups walk the array. */
RED_A red_item_stride(RED_INPUT, const ulong n) {
    const ulong vectors_n = n / 4, stride = get_global_size(0);
    RED_VEC(4) a = RED_IDENTITY, b = RED_IDENTITY, c = RED_IDENTITY, d = RED_IDENTITY;
    ulong i = get_global_id(0);
    for (; i + 3 * stride < vectors_n; i += 4 * stride) {
        a = RED_COMBINE(a, RED_LOAD_VEC(4, i));
        b = RED_COMBINE(b, RED_LOAD_VEC(4, i + stride));
        c = RED_COMBINE(c, RED_LOAD_VEC(4, i + 2 * stride));
        d = RED_COMBINE(d, RED_LOAD_VEC(4, i + 3 * stride));
    }
    for (; i < vectors_n; i += stride)
        a = RED_COMBINE(a, RED_LOAD_VEC(4, i));
    RED_A value = red_fold4(RED_COMBINE(RED_COMBINE(a, b), RED_COMBINE(c, d)));
    for (ulong tail = 4 * vectors_n + get_global_id(0); tail < n; tail += stride)
        value = RED_COMBINE(value, RED_LOAD(tail));
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
#if RED_IS_FLOAT
#define RED_AS_WORD(value)  RED_PASTE(as_, RED_WORD)(value)
#define RED_FROM_WORD(word) RED_PASTE(as_, RED_A)(word)
#else
#define RED_AS_WORD(value)  ((RED_WORD)(value))
#define RED_FROM_WORD(word) ((RED_A)(word))
#endif

/* RED_CMPXCHG(p, old, new): p is a `volatile global RED_WORD *`; gives the word found there. */
#if RED_WORD_BITS == 32
#define RED_CMPXCHG(p, old, new) atomic_cmpxchg(p, old, new)
#elif defined(cl_khr_int64_base_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
/* A 64-bit C11 atomic needs both (OpenCL C 2.0, 6.13.11). */
#if __OPENCL_C_VERSION__ >= 200 && defined(cl_khr_int64_extended_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
#define RED_CMPXCHG(p, old, new) atom_cmpxchg(p, old, new)
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
#if defined(RED_BUILT_IN) && __OPENCL_C_VERSION__ >= 200
#define RED_WG_REDUCE(value) RED_PASTE(work_group_reduce_, RED_BUILT_IN)(value)
#endif
