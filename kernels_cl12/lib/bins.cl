/* What kernels of histograms share. In front of them stand, chosen by the host, RED_BINS and how an element
 * finds its bin: RED_BIN_LOWER and RED_BIN_WIDTH (integers) or RED_BIN_SCALE (floats); src/model/bins.h has
 * the definition. A table of counts has RED_COUNTS_N: one for each bin, the last one for what is out of
 * range.
 *
 * RED_BIN(x) is the bin of an element, RED_BINS where it is out of range. A range of integers is a whole
 * number of bins, so what lies behind it would have bin RED_BINS or a later one, and what lies before it,
 * too, modulo 2^32. A division by a constant is a shift where the constant is a power of two. */
#define RED_COUNTS_N (RED_BINS + 1)

#if RED_T_KIND == 2
uint red_bin(const float x) {
#pragma OPENCL FP_CONTRACT OFF
    /* 1 - 2^-24 is rounded up to the end of the last bin. */
    const uint bin = min((uint)((x - RED_BIN_LOWER) * RED_BIN_SCALE), RED_BINS - 1u);
    return x >= RED_BIN_LOWER && x < -RED_BIN_LOWER ? bin : RED_BINS;
}
#define RED_BIN(x) red_bin(x)
#elif RED_T_BITS < 32
#define RED_BIN(x) min((uint)(x), (uint)RED_BINS)
#else
#define RED_BIN(x) min(((uint)(x) - (uint)RED_BIN_LOWER) / RED_BIN_WIDTH, (uint)RED_BINS)
#endif

/* Vectors of elements as they are, and DO for each of w lanes. */
#define RED_ELEMENTS(w, i)      RED_VECTOR_AT(RED_T, w, red_x, i)
#define RED_EACH_LANE(w, DO, v) RED_PASTE(RED_EACH_LANE, w)(DO, v)
#define RED_EACH_LANE1(DO, v)   DO(v)
#define RED_EACH_LANE2(DO, v)   DO((v).s0) DO((v).s1)
#define RED_EACH_LANE4(DO, v)   RED_EACH_LANE2(DO, (v).lo) RED_EACH_LANE2(DO, (v).hi)
#define RED_EACH_LANE8(DO, v)   RED_EACH_LANE4(DO, (v).lo) RED_EACH_LANE4(DO, (v).hi)
#define RED_EACH_LANE16(DO, v)  RED_EACH_LANE8(DO, (v).lo) RED_EACH_LANE8(DO, (v).hi)
