/* The answers of a scan, in `out`: RED_STORE(i, a) stores an accumulator as answer i, RED_STORE_VEC(w, i, v)
 * a vector of w as the answers i*w ... i*w + w-1, RED_RESULT(i) is answer i as an accumulator again. */
#ifndef RED_R
#define RED_R         float
#define RED_R_KIND    2
#define RED_R_BITS    32
#define RED_EXCLUSIVE 0
#endif

#if RED_R_KIND == 2 && RED_R_BITS == 16
/* Halves are stored from floats, which needs no extension (OpenCL C 3.0, 6.15.7). */
#define RED_STORE(i, a)        vstore_half((a), (i), out)
#define RED_STORE_VEC(w, i, v) RED_OF(vstore_half, w)((v), (i), out)
#define RED_RESULT(i)          vload_half((i), out)
#else
/* An accumulator that is wider saturates: the identity of the least of bytes, which is the first answer of an
 * exclusive scan, is the greatest int. Sums keep their low bits (OpenCL C 3.0, 6.3.3.3). */
#if RED_R_KIND != 2 && RED_R_BITS < 32
#define RED_TO_R(w) RED_PASTE(RED_OF(RED_PASTE(convert_, RED_R), w), _sat)
#else
#define RED_TO_R(w) RED_OF(RED_PASTE(convert_, RED_R), w)
#endif
#define RED_STORE(i, a)        out[i] = RED_TO_R(1)(a)
#define RED_STORE_VEC(w, i, v) ((global RED_OF(RED_R, w) *)out)[i] = RED_TO_R(w)(v)
#define RED_RESULT(i)          ((RED_A)out[i])
#endif
