/* What is reduced and how: types, the kernel's parameters, identity and combination. Without a host's choice
 * (prelude.cl) they are those of a sum of floats. */
#ifndef RED_T
#define RED_T              float
#define RED_T_KIND         2
#define RED_T_BITS         32
#define RED_A              float
#define RED_WORD           uint
#define RED_WORD_BITS      32
#define RED_IS_FLOAT       1
#define RED_HAS_ATOMIC     0
#define RED_ARRAYS         1
#define RED_PASS           0
#define RED_COMPUTED       0
#define RED_PLACE          0
#define RED_EXTREME        0
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

/* `RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out)`, and where groups count
 * themselves `, global uint *restrict counter` behind it. The attribute lets a driver plan for this size, and
 * lifts NVIDIA's limit of 256 work-items. */
#define RED_KERNEL kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void

/* What groups count themselves by where they leave words to each other, too: behind the result, so that the
 * driver has one buffer less to look at (NVIDIA's takes 0.3 us for each of a launch). RED_RESULT_BYTES. */
#define RED_COUNTER(out) ((global uint *)(out) + 4)

/* The arrays as kernel parameters and as arguments of a helper. What macros take from where they stand has a
 * name that begins with red_: a kernel's own variables may have any other. A scan may be in place. */
#if RED_COMPUTED
#define RED_INPUT                                                                                            \
    const ulong red_seeds, const ulong red_first, const uint red_shift, const int red_offset,                \
        const float red_scale
#define RED_ARGS red_seeds, red_first, red_shift, red_offset, red_scale
#elif RED_SCAN
#define RED_INPUT global const RED_T *red_x
#define RED_ARGS  red_x
#elif RED_ARRAYS == 1
#define RED_INPUT global const RED_T *restrict red_x
#define RED_ARGS  red_x
#else
#define RED_INPUT global const RED_T *restrict red_x, global const RED_T *restrict red_y
#define RED_ARGS  red_x, red_y
#endif

/* Of many arrays side by side (spans segment and column) each result needs how many there are, in a last
 * parameter: `RED_SEGMENTS`. RED_ARGS_AT(i) are the arguments of a helper for an array that begins at i. */
#define RED_SEGMENTS const ulong segments_n
#if RED_COMPUTED
#define RED_ARGS_AT(i) red_seeds, red_first + (i), red_shift, red_offset, red_scale
#elif RED_ARRAYS == 1
#define RED_ARGS_AT(i) red_x + (i)
#else
#define RED_ARGS_AT(i) red_x + (i), red_y + (i)
#endif

/* The lesser and the greater of two accumulators; a pair has only a lesser one. */
#if RED_WORD_BITS == 0
#define RED_LOWER(a, b) red_pair_lower(a, b)
#elif RED_IS_FLOAT
#define RED_LOWER(a, b)  fmin(a, b)
#define RED_HIGHER(a, b) fmax(a, b)
#else
#define RED_LOWER(a, b)  min(a, b)
#define RED_HIGHER(a, b) max(a, b)
#endif

#if RED_WORD_BITS == 0
#define RED_IDENTITY ((red_pair)RED_IDENTITY_)
#else
#define RED_IDENTITY ((RED_A)(RED_IDENTITY_))
#endif
#define RED_COMBINE(a, b) (RED_COMBINE_((a), (b)))

/* An accumulator that is no NaN with an element, which may be one and is passed over then: of CPUs one
 * instruction, where fmin and fmax take three. `b` is a variable: it stands twice. */
#if RED_IS_FLOAT && RED_EXTREME == 1
#define RED_TAKE(a, b) ((b) < (a) ? (b) : (a))
#elif RED_IS_FLOAT && RED_EXTREME == 2
#define RED_TAKE(a, b) ((b) > (a) ? (b) : (a))
#else
#define RED_TAKE(a, b) RED_COMBINE(a, b)
#endif
