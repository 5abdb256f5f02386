//@ name:   fixed_point
//@ idea:   floats scaled to 64-bit integers by the largest of them, summed exactly: the same bits in any order
//@ span:   stride
//@ lanes:  1
//@ group:  tree
//@ finish: sweeps
//@ needs:  local_memory
//@ types:  f16, f32
//@ ops:    sum, dot, sumsq, mean
//@ special: nan, zero, denormal
//@ source: Demmel and Nguyen, Fast reproducible floating-point summation, 2013, for one bin of 62 bits

/* Pass 0 finds the largest magnitude, pass 1 adds integers, pass 2 (one group) brings them together. What is
 * below 2^-62 n of the largest is lost; nothing can overflow. A NaN or an infinity has no place in it:
 * refused by a NaN. */
typedef struct {
    long sum;
    uint magnitude; /* bits of a float: in the order of the values, infinities and NaNs on top */
    uint groups_n;  /* of passes 0 and 1; the first cell's */
} cell;

#define FOLD(combine, scratch, value)                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    scratch[get_local_id(0)] = value;                                                                        \
    for (uint width = RED_GROUP_SIZE; width > 1; width = (width + 1) / 2) {                                  \
        const uint half_width = (width + 1) / 2;                                                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        if (get_local_id(0) + half_width < width)                                                            \
            scratch[get_local_id(0)] =                                                                       \
                combine(scratch[get_local_id(0)], scratch[get_local_id(0) + half_width]);                    \
    }                                                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE)
#define PLUS(a, b) ((a) + (b))

uint item_magnitude(RED_INPUT, const ulong n) {
    uint largest = 0;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        largest = max(largest, as_uint(fabs(RED_LOAD(i))));
    return largest;
}

/* Any sum of n terms stays below 2^62. */
int shift_of(const uint magnitude, const ulong n) {
    return magnitude == 0 ? 0 : 62 - (64 - (int)clz(n)) - (ilogb(as_float(magnitude)) + 1);
}

long item_sum(RED_INPUT, const ulong n, const int shift) {
    long sum = 0;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        sum += convert_long_rte(ldexp(RED_LOAD(i), shift));
    return sum;
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(uint, magnitudes, RED_GROUP_SIZE);
#if RED_PASS > 0
    RED_LOCAL(long, sums, RED_GROUP_SIZE);
#endif
    global cell *cells = (global cell *)out;
    const ulong group = get_group_id(0);
    uint largest = 0;
#if RED_PASS == 0
    largest = item_magnitude(RED_ARGS, n);
    FOLD(max, magnitudes, largest);
    if (get_local_id(0) == 0) {
        cells[group].magnitude = magnitudes[0];
        cells[group].groups_n = (uint)get_num_groups(0);
    }
#else
    const uint groups_n = cells[0].groups_n;
    for (uint g = get_local_id(0); g < groups_n; g += RED_GROUP_SIZE)
        largest = max(largest, cells[g].magnitude);
    FOLD(max, magnitudes, largest);
    const bool is_finite = magnitudes[0] < 0x7f800000;
    const int shift = is_finite ? shift_of(magnitudes[0], n) : 0;
    long sum = 0;
#if RED_PASS == 1
    sum = is_finite ? item_sum(RED_ARGS, n, shift) : 0;
#else
    for (uint g = get_local_id(0); g < groups_n; g += RED_GROUP_SIZE)
        sum += cells[g].sum;
#endif
    FOLD(PLUS, sums, sum);
    if (get_local_id(0) == 0) {
#if RED_PASS == 1
        cells[group].sum = sums[0];
#else
        out[0] = is_finite ? ldexp(convert_float_rte(sums[0]), -shift) : NAN;
#endif
    }
#endif
}
