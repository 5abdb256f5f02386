/* Expands RED_OPS, RED_SCANS and RED_DTYPES to plain loops: the sequential row of bench (worker/prepared.c).
 * Compiled as host/reference.c is, but nothing asks for threads or vectors. op, dtype and n are a case's.
 */
#include <math.h>
#include <string.h>

#include "host/answers_private.h"

/* ---- reductions ---------------------------------------------------------------------------------------- */

/* Sums and extremes: one accumulator. */
#define RED_PLAIN_SUM(does, start, map, combine, name, read, kind, bits, accumulator)                        \
    accumulator_##accumulator total = start;                                                                 \
    for (uint64_t i = 0; i < n; i++) {                                                                       \
        const accumulator_##accumulator x = (accumulator_##accumulator)RED_ELEMENT(xs, i),                   \
                                        y = (accumulator_##accumulator)RED_ELEMENT(ys, i);                   \
        (void)y;                                                                                             \
        const accumulator_##accumulator a = total, b = map;                                                  \
        total = combine;                                                                                     \
    }                                                                                                        \
    return total;
#define RED_PLAIN_MEAN  RED_PLAIN_SUM
#define RED_PLAIN_ORDER RED_PLAIN_SUM
/* Places: the best so far and where it stands, from the first element on that is a number. */
#define RED_PLAIN_PLACE(does, start, map, combine, name, read, kind, bits, accumulator)                      \
    const word_##bits *const words = (const void *)xs;                                                       \
    uint64_t at = 0;                                                                                         \
    (void)ys;                                                                                                \
    if (n == 0)                                                                                              \
        return start;                                                                                        \
    while (kind == RED_FLOAT && at + 1 < n && isnan((double)RED_ELEMENT(xs, at)))                            \
        at++;                                                                                                \
    read best = RED_ELEMENT(xs, at);                                                                         \
    for (uint64_t i = at + 1; i < n; i++) {                                                                  \
        const read x = RED_ELEMENT(xs, i);                                                                   \
        if (x RED_BEATS_##does best) {                                                                       \
            best = x;                                                                                        \
            at = i;                                                                                          \
        }                                                                                                    \
    }                                                                                                        \
    return place_of_##name(words[at], at, RED_##does == RED_PICKS_GREATEST);

#define RED_SEQUENTIAL(op, role, term, does, identity, map, combine, openmp, name, c_type, kind, bits, read, \
                       place, accumulator, result)                                                           \
    RED_CLONES static accumulator_##accumulator RED_NAME(total_##op, name)(const void *const arrays[2],      \
                                                                           uint64_t first, uint64_t n) {     \
        const c_type *xs = (const c_type *)arrays[0] + first;                                                \
        const c_type *ys = arrays[1] ? (const c_type *)arrays[1] + first : xs;                               \
        RED_PLAIN_##role(does, RED_START(identity, accumulator), map, combine, name, read, kind, bits,       \
                         accumulator)                                                                        \
    }                                                                                                        \
    static void RED_NAME(partial_##op, name)(const void *const arrays[2], uint64_t n,                        \
                                             struct red_partial *partial) {                                  \
        partial->accumulator = RED_NAME(total_##op, name)(arrays, 0, n);                                     \
    }                                                                                                        \
    static void RED_NAME(segments_##op, name)(const void *const arrays[2], uint64_t n,                       \
                                              struct answers_memory to) {                                    \
        for (uint64_t s = 0; s < to.n; s++) {                                                                \
            const accumulator_##accumulator total = RED_NAME(total_##op, name)(arrays, s * n, n);            \
            RED_PUT_ANSWER(role, to, s, total, n, does, kind, bits, place, result)                           \
        }                                                                                                    \
    }
#define RED_SEQUENTIAL_OPS(...) RED_OPS(RED_OP_FRAME, RED_SEQUENTIAL, __VA_ARGS__)
RED_DTYPES(RED_SEQUENTIAL_OPS)

/* Same order as red_dtypes and the reductions of red_ops. */
struct sequential_functions {
    void (*partial)(const void *const arrays[2], uint64_t n, struct red_partial *partial);
    void (*segments)(const void *const arrays[2], uint64_t n, struct answers_memory to);
};
#define RED_SEQUENTIAL_ENTRY(op, role, term, does, identity, empty, map, combine, openmp, suffix, atomic,    \
                             mpi, types, name, ...)                                                          \
    {RED_NAME(partial_##op, name), RED_NAME(segments_##op, name)},
#define RED_SEQUENTIAL_ENTRIES(...) {RED_OPS(RED_SEQUENTIAL_ENTRY, __VA_ARGS__)},
static const struct sequential_functions reductions[][RED_REDUCTIONS_N] = {
    RED_DTYPES(RED_SEQUENTIAL_ENTRIES)};

/* A call of the sequential row: what it takes is the row's time. */
void red_sequential_partial(const struct red_op *op, const struct red_dtype *dtype,
                            const void *const arrays[2], uint64_t n, struct red_partial *partial) {
    reductions[dtype - red_dtypes][op - red_ops].partial(arrays, n, partial);
}

/* The same of --shape segments. */
void red_sequential_reduce_segments(const struct red_op *op, const struct red_dtype *dtype,
                                    const void *const arrays[2], uint64_t segment_elements_n,
                                    struct red_answers *answers) {
    reductions[dtype - red_dtypes][op - red_ops].segments(arrays, segment_elements_n,
                                                          point_to_memory(op, answers));
}

/* ---- scans --------------------------------------------------------------------------------------------- */

#define RED_SEQUENTIAL_SCAN(op, identity, combine, openmp, reduced, exclusive, name, c_type, kind, bits,     \
                            accumulator, result)                                                             \
    RED_CLONES static void RED_NAME(scan_##op, name)(const void *array, uint64_t n, void *results) {         \
        const c_type *xs = array;                                                                            \
        value_##result *ys = results;                                                                        \
        accumulator_##accumulator total = RED_START_IN_BITS(identity, kind, bits, accumulator);              \
        for (uint64_t i = 0; i < n; i++) {                                                                   \
            const accumulator_##accumulator a = total, b = (accumulator_##accumulator)RED_ELEMENT(xs, i);    \
            total = combine;                                                                                 \
            ys[i] = (value_##result)(exclusive ? a : total);                                                 \
        }                                                                                                    \
    }
#define RED_SEQUENTIAL_SCANS(...) RED_SCANS(RED_SCAN_FRAME, RED_SEQUENTIAL_SCAN, __VA_ARGS__)
RED_DTYPES(RED_SEQUENTIAL_SCANS)
static scan_function *const scans[][RED_SCANS_N] = {RED_DTYPES(RED_SCAN_ENTRIES)};

/* A call of the sequential row of a scan. */
void red_sequential_scan(const struct red_op *op, const struct red_dtype *dtype, unsigned bins_n,
                         const void *array, uint64_t n, void *results) {
    (void)bins_n;
    scans[dtype - red_dtypes][op - red_ops - RED_REDUCTIONS_N](array, n, results);
}

/* ---- histograms ---------------------------------------------------------------------------------------- */

#define RED_COUNT_RANGE(name, c_type, kind, bits, counter_bits)                                              \
    RED_CLONES static void count_##name##_##counter_bits(struct red_bins bins, const void *array,            \
                                                         uint64_t n, void *counts) {                         \
        const c_type *xs = array;                                                                            \
        uint##counter_bits##_t *counters = counts;                                                           \
        for (uint64_t i = 0; i < n; i++)                                                                     \
            counters[RED_BIN_OF_##kind(bits, xs[i])]++;                                                      \
    }
RED_DTYPES(RED_COUNT_RANGES)

typedef void count_function(struct red_bins bins, const void *array, uint64_t n, void *counts);
static count_function *const count_functions[][2] = {RED_DTYPES(RED_COUNT_ENTRY)};

/* A call of the sequential row of a histogram. */
void red_sequential_histogram(const struct red_op *op, const struct red_dtype *dtype, unsigned bins_n,
                              const void *array, uint64_t n, void *counts) {
    memset(counts, 0, ((size_t)bins_n + 1) * red_op_result_dtype(op, dtype)->size_bytes);
    count_functions[dtype - red_dtypes][op->role == RED_ROLE_COUNT64](red_bins_make(dtype, bins_n), array, n,
                                                                      counts);
}
