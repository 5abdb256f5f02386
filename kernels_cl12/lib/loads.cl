/* Elements as accumulators, one by one and as vectors: RED_LOAD(i) and RED_LOAD_VEC(w, i). Those of argmin
 * and argmax are in places.cl. */
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

/* Vectors of indices i*w ...: aligned, or by vload, which needs the alignment of an element only. */
#ifndef RED_UNALIGNED
#define RED_VECTOR_AT(type, w, a, i) ((global const RED_OF(type, w) *)a)[i]
#else
#define RED_VLOAD1(i, a)             (a)[i]
#define RED_VLOAD2(i, a)             vload2(i, a)
#define RED_VLOAD4(i, a)             vload4(i, a)
#define RED_VLOAD8(i, a)             vload8(i, a)
#define RED_VLOAD16(i, a)            vload16(i, a)
#define RED_VECTOR_AT(type, w, a, i) RED_PASTE(RED_VLOAD, w)(i, (global const type *)a)
#endif

#if RED_T_KIND == 2 && RED_T_BITS == 16 && !RED_COMPUTED
#define RED_ELEMENT_(a, i) vload_half(i, a)
#ifndef RED_UNALIGNED
#define RED_FETCH(a, w, i) RED_OF(vload_half, w)(i, a)
#else
/* By way of a copy: PoCL 3.1 has vload_half8 and 16 read aligned vectors where the CPU converts halves
 * (F16C), and dies elsewhere; the alignment of an element must do (6.15.7). */
float red_halves1(global const half *a, const ulong i) {
    const ushort word = RED_VECTOR_AT(ushort, 1, a, i);
    return vload_half(0, (private const half *)&word);
}
float2 red_halves2(global const half *a, const ulong i) {
    const ushort2 words = RED_VECTOR_AT(ushort, 2, a, i);
    return vload_half2(0, (private const half *)&words);
}
float4 red_halves4(global const half *a, const ulong i) {
    const ushort4 words = RED_VECTOR_AT(ushort, 4, a, i);
    return vload_half4(0, (private const half *)&words);
}
float8 red_halves8(global const half *a, const ulong i) {
    const ushort8 words = RED_VECTOR_AT(ushort, 8, a, i);
    return vload_half8(0, (private const half *)&words);
}
float16 red_halves16(global const half *a, const ulong i) {
    const ushort16 words = RED_VECTOR_AT(ushort, 16, a, i);
    return vload_half16(0, (private const half *)&words);
}
#define RED_FETCH(a, w, i) RED_PASTE(red_halves, w)(a, i)
#endif
#endif

/* RED_LOAD(i) is the value of index i as RED_A, RED_LOAD_VEC_(w, i) those of the indices i*w ... i*w + w-1 as
 * a vector RED_VEC(w) of w (1, 2, 4, 8, 16), which RED_FOLD(w, v) combines into one RED_A. Array bases are
 * aligned to a vector of 16, so the vector loads are aligned, but for segments. */
#if !RED_PLACE && RED_WORD_BITS != 0
/* Converting an integer to the unsigned accumulator keeps its low bits (OpenCL C 3.0, 6.3.3.3): sums wrap
 * modulo 2^w. */
#define RED_VEC(w)    RED_OF(RED_A, w)
#define RED_TO_VEC(w) RED_OF(RED_PASTE(convert_, RED_A), w)
#if (RED_T_KIND != 2 || RED_T_BITS != 16) && !RED_COMPUTED
#define RED_ELEMENT_(a, i) (RED_A)a[i]
#define RED_FETCH(a, w, i) RED_TO_VEC(w)(RED_VECTOR_AT(RED_T, w, a, i))
#endif
#if RED_T_KIND == 2 && RED_T_BITS == 16
/* Halves are loaded as floats, which needs no extension (OpenCL C 3.0, 6.15.7). */
#endif
#if RED_ARRAYS == 1
#define RED_LOAD(i)         (RED_MAP_(RED_ELEMENT_(red_x, i), ))
#define RED_LOAD_VEC_(w, i) RED_MAP_(RED_FETCH(red_x, w, i), )
#else
#define RED_LOAD(i)         (RED_MAP_(RED_ELEMENT_(red_x, i), RED_ELEMENT_(red_y, i)))
#define RED_LOAD_VEC_(w, i) RED_MAP_(RED_FETCH(red_x, w, i), RED_FETCH(red_y, w, i))
#endif
#endif
