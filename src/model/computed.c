/* Computes the elements of --shape computed and --shape changed on the host: for the right answers, and as
 * the work of the host's rows of bench (worker/prepared.c). */
#include "model/computed.h"

#include <math.h>

#include "core/numbers.h"
#include "model/input_private.h"

/* ceil(log2 n), for n of at least 1. */
static unsigned bits_of(uint64_t n) {
    unsigned bits = 0;
    while (bits < 64 && UINT64_C(1) << bits < n)
        bits++;
    return bits;
}

/* How many bits an element has. Weights b are at most 2^(b - 1) in magnitude, unsigned ones below 2^b. */
static unsigned element_bits(const struct red_op *op, const struct red_dtype *dtype, bool is_exact,
                             uint64_t n) {
    const unsigned most =
        dtype->is_float ? (unsigned)red_lesser(dtype->digits, 24) : (unsigned)red_lesser(dtype->bits - 1, 24);
    if (!is_exact)
        return most;
    const unsigned factors = op->term == RED_TERM_ELEMENT ? 1 : 2;
    const unsigned digits = dtype->is_float ? red_op_accumulator(op, dtype)->digits : 64;
    const unsigned left = digits - (unsigned)red_lesser(digits, bits_of(n)), bits = left / factors + 1;
    return (unsigned)red_lesser(bits, red_lesser(most, 7));
}

struct red_element_form red_element_form_find(const struct red_op *op, const struct red_dtype *dtype,
                                              struct red_data_kind data_kind, uint64_t n, uint64_t seed) {
    const bool is_exact = data_kind.pattern == RED_PATTERN_WEIGHTS;
    const unsigned bits = element_bits(op, dtype, is_exact, n);
    const bool is_signed = dtype->kind == RED_SIGNED || (dtype->is_float && is_exact);
    return (struct red_element_form){
        .seeds = {(uint32_t)(hash(0, seed) >> 32), (uint32_t)(hash(1, seed) >> 32)},
        .shift = 32 - bits,
        .offset = is_signed ? 1 << (bits - 1) : 0,
        .scale = dtype->is_float && !is_exact ? ldexpf(1, -(int)bits) : 1};
}

/* As kernels_cl12/lib/computed.cl has it; the finaliser is lowbias32 (Wellons, Prospecting for hash
 * functions, 2018). The seed enters behind a multiplication, so that no seed's elements are another's, moved.
 */
static inline uint32_t element_hash(uint64_t i, uint32_t seed) {
    uint32_t h = ((uint32_t)i * UINT32_C(0x9e3779b9)) ^ ((uint32_t)(i >> 32) * UINT32_C(0x85ebca6b)) ^ seed;
    h = (h ^ h >> 16) * UINT32_C(0x7feb352d);
    h = (h ^ h >> 15) * UINT32_C(0x846ca68b);
    return h ^ h >> 16;
}

/* One loop for each type. */
#define COMPUTE(name, c_type, ...)                                                                           \
    RED_CLONES static void compute_##name(const struct red_element_form *form, uint32_t seed,                \
                                          uint64_t first, uint64_t n, void *to) {                            \
        c_type *const values = to;                                                                           \
        const uint32_t shift = form->shift;                                                                  \
        const int32_t offset = form->offset;                                                                 \
        const c_type scale = (c_type)form->scale;                                                            \
        for (uint64_t i = 0; i < n; i++) {                                                                   \
            const int32_t value = (int32_t)(element_hash(first + i, seed) >> shift) - offset;                \
            values[i] = (c_type)((c_type)value * scale);                                                     \
        }                                                                                                    \
    }
RED_DTYPES(COMPUTE)

#define COMPUTE_ENTRY(name, ...) compute_##name,
static void (*const computes[])(const struct red_element_form *form, uint32_t seed, uint64_t first,
                                uint64_t n, void *to) = {RED_DTYPES(COMPUTE_ENTRY)};

/* Of kernels (cl/plan.c) and of the host's rows (worker/prepared.c): the reason of the cell. */
enum red_status red_elements_check_op(const struct red_op *op, struct red_error *error) {
    return op->role != RED_ROLE_PLACE
               ? RED_OK
               : red_fail(error, RED_E_UNSUPPORTED,
                          "%s compares the elements' bits in memory, and computed elements are in none",
                          op->name);
}

void red_elements_compute(const struct red_dtype *dtype, const struct red_element_form *form, unsigned array,
                          uint64_t first, uint64_t n, void *to) {
    computes[dtype - red_dtypes](form, form->seeds[array], first, n, to);
}

void red_elements_compute_all(const struct red_input *input, void *const arrays[2]) {
    enum { BLOCK_N = 1 << 14 };
    for (unsigned array = 0; array < input->arrays_n; array++) {
        char *const values = arrays[array];
#pragma omp parallel for schedule(static) if (input->n >= RED_SEVERAL_THREADS_N)
        for (uint64_t first = 0; first < input->n; first += BLOCK_N)
            red_elements_compute(input->dtype, &input->form, array, first,
                                 red_lesser(input->n - first, BLOCK_N),
                                 values + first * input->dtype->size_bytes);
    }
}
