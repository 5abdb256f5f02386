#include "oracle/reference.h"

#include <omp.h>

enum { PARALLEL_N_MIN = 1 << 15 };

/* _Pragma takes a string; the operator of the reduction comes from the table row. */
#define RED_STRING(...)     #__VA_ARGS__
#define RED_PRAGMA(...)     _Pragma(RED_STRING(__VA_ARGS__))
#define RED_NAME(op, dtype) op##_##dtype

#define RED_REFERENCE(op, arrays_n, identity, map, combine, openmp, built_in, name, c_type, acc_type,                    \
                      host_type)                                                                                         \
    static union red_value RED_NAME(reduce_##op, name)(const void *const arrays[2], uint64_t n) {                        \
        const c_type *xs = arrays[0], *ys = arrays[1];                                                                   \
        acc_type total = identity;                                                                                       \
        RED_PRAGMA(omp parallel for simd schedule(static) reduction(openmp : total) if (parallel : n >= PARALLEL_N_MIN)) \
        for (uint64_t i = 0; i < n; i++) {                                                                               \
            const acc_type x = (acc_type)xs[i], y = (acc_type)(arrays_n > 1 ? ys[i] : xs[i]);                            \
            (void)y;                                                                                                     \
            const acc_type a = total, b = map;                                                                           \
            total = combine;                                                                                             \
        }                                                                                                                \
        union red_value value = {.bits = 0};                                                                             \
        value.name = (c_type)total;                                                                                      \
        return value;                                                                                                    \
    }                                                                                                                    \
    static union red_value RED_NAME(fold_##op, name)(const void *partials, uint64_t n) {                                 \
        const acc_type *xs = partials;                                                                                   \
        host_type total = identity;                                                                                      \
        RED_PRAGMA(omp simd reduction(openmp : total))                                                                   \
        for (uint64_t i = 0; i < n; i++) {                                                                               \
            const host_type a = total, b = (host_type)xs[i];                                                             \
            total = combine;                                                                                             \
        }                                                                                                                \
        union red_value value = {.bits = 0};                                                                             \
        value.name = (c_type)total;                                                                                      \
        return value;                                                                                                    \
    }

#define RED_REFERENCE_OPS(name, c_type, acc_type, host_type, ...)                                            \
    RED_OPS(RED_REFERENCE, name, c_type, acc_type, host_type)
RED_DTYPES(RED_REFERENCE_OPS)

struct reference {
    union red_value (*reduce)(const void *const arrays[2], uint64_t n);
    union red_value (*fold)(const void *partials, uint64_t n);
};

/* Same order as red_dtypes and red_ops: both come from the same rows. */
enum {
    OPS_N = 0
#define RED_COUNT(...) +1
    RED_OPS(RED_COUNT, )
};

#define RED_REFERENCE_ENTRY(op, arrays_n, identity, map, combine, openmp, built_in, name)                    \
    {RED_NAME(reduce_##op, name), RED_NAME(fold_##op, name)},
#define RED_REFERENCE_ROW(name, ...) {RED_OPS(RED_REFERENCE_ENTRY, name)},
static const struct reference references[][OPS_N] = {RED_DTYPES(RED_REFERENCE_ROW)};

static const struct reference *reference_find(const struct red_op *op, const struct red_dtype *dtype) {
    return &references[dtype - red_dtypes][op - red_ops];
}

union red_value red_reference_reduce(const struct red_op *op, const struct red_dtype *dtype,
                                     const void *const arrays[2], uint64_t n) {
    return reference_find(op, dtype)->reduce(arrays, n);
}

union red_value red_reference_fold(const struct red_op *op, const struct red_dtype *dtype,
                                   const void *partials, uint64_t n) {
    return reference_find(op, dtype)->fold(partials, n);
}

uint64_t red_reference_read(const uint64_t *words, uint64_t words_n) {
    uint64_t seen = 0;
#pragma omp parallel for simd schedule(static) reduction(| : seen) if (parallel : words_n >= PARALLEL_N_MIN)
    for (uint64_t i = 0; i < words_n; i++)
        seen |= words[i];
    return seen;
}

unsigned red_reference_threads_n(void) {
    return (unsigned)omp_get_max_threads();
}

unsigned red_reference_threads_for(uint64_t n) {
    return n < PARALLEL_N_MIN ? 1 : red_reference_threads_n();
}

void red_reference_rest(void) {
    omp_pause_resource_all(omp_pause_soft);
}
