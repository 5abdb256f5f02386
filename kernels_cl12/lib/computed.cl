/* Elements that the kernel computes from their index and a seed, where the host says so (RED_COMPUTED): no
 * array holds them. The same bits as src/model/computed.c has: bits of an integer hash as an integer,
 * converted and scaled by a power of two, without rounding. The kernel's text stays as it is: RED_INPUT are
 * these numbers, RED_LOAD and RED_LOAD_VEC compute, and red_x and red_y are the seeds. */
#if RED_COMPUTED
#define red_x       ((uint)red_seeds)
#define red_y       ((uint)(red_seeds >> 32))
#define RED_STEPS1  0
#define RED_STEPS2  ((ulong2)(0, 1))
#define RED_STEPS4  ((ulong4)(0, 1, 2, 3))
#define RED_STEPS8  ((ulong8)(0, 1, 2, 3, 4, 5, 6, 7))
#define RED_STEPS16 ((ulong16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#if RED_IS_FLOAT
#define RED_SCALED *(RED_A)scale
#else
#define RED_SCALED
#endif

/* The w elements from index i on. */
#define RED_COMPUTE(w)                                                                                       \
    RED_OF(RED_A, w)                                                                                         \
    RED_PASTE(red_compute, w)                                                                                \
    (const ulong i, const uint seed, const uint shift, const int offset, const float scale) {                \
        const RED_OF(ulong, w) at = i + RED_PASTE(RED_STEPS, w);                                             \
        RED_OF(uint, w)                                                                                      \
        h = (RED_OF(convert_uint, w)(at) * 0x9e3779b9u) ^                                                    \
            (RED_OF(convert_uint, w)(at >> 32) * 0x85ebca6bu) ^ seed;                                        \
        h = (h ^ h >> 16) * 0x7feb352du;                                                                     \
        h = (h ^ h >> 15) * 0x846ca68bu;                                                                     \
        h = (h ^ h >> 16) >> shift;                                                                          \
        return RED_OF(RED_PASTE(convert_, RED_A), w)(RED_OF(convert_int, w)(h) - offset) RED_SCALED;         \
    }
RED_COMPUTE(1)
RED_COMPUTE(2)
RED_COMPUTE(4)
RED_COMPUTE(8)
RED_COMPUTE(16)
#define RED_FETCH(seed, w, i)                                                                                \
    RED_PASTE(red_compute, w)(red_first + w * (ulong)(i), seed, red_shift, red_offset, red_scale)
#define RED_ELEMENT_(seed, i) red_compute1(red_first + (i), seed, red_shift, red_offset, red_scale)
#endif
