/* Expands RED_OPS and RED_DTYPES to what the host does with a device's partial results: it folds them, makes
 * prefixes of them, and makes answers of accumulators. Its time is in a strategy's time to answer, and the
 * oracle judges what it makes. */
#include "host/fold.h"

#include "host/answers_private.h"

/* The loop of answers_<op>_<type>, which stands there twice: with mean_of_floats' choice in it compilers make
 * no vectors of it where a CPU has no AVX-512 (65,536 means, AMD EPYC: 50 us more). */
#define RED_ANSWERS(role, does, kind, bits, place, accumulator, result)                                      \
    for (uint64_t i = 0; i < to.n; i++) {                                                                    \
        const accumulator_##accumulator total = xs[i];                                                       \
        RED_PUT_ANSWER(role, to, i, total, n, does, kind, bits, place, result)                               \
    }

#define RED_FOLD(op, role, term, does, identity, map, combine, openmp, name, c_type, kind, bits, read,       \
                 place, accumulator, result)                                                                 \
    static void RED_NAME(fold_##op, name)(const void *partials, uint64_t partials_n,                         \
                                          struct red_partial *partial) {                                     \
        const accumulator_##accumulator *xs = partials;                                                      \
        fold_##accumulator total = RED_START(identity, accumulator);                                         \
        RED_PRAGMA(omp simd reduction(openmp : total))                                                       \
        for (uint64_t i = 0; i < partials_n; i++) {                                                          \
            const fold_##accumulator a = total, b = xs[i];                                                   \
            total = combine;                                                                                 \
        }                                                                                                    \
        partial->accumulator = total;                                                                        \
    }                                                                                                        \
    static void RED_NAME(combine_##op, name)(struct red_partial * into, const struct red_partial *from) {    \
        const fold_##accumulator a = into->accumulator, b = from->accumulator;                               \
        into->accumulator = combine;                                                                         \
    }                                                                                                        \
    static struct red_value RED_NAME(answer_##op, name)(const struct red_partial *partial, uint64_t n) {     \
        const fold_##accumulator total = partial->accumulator;                                               \
        struct red_value value = {.index = 0};                                                               \
        (void)n;                                                                                             \
        RED_ANSWER_##role(total, n, does, kind, bits, place, result);                                        \
        return value;                                                                                        \
    }                                                                                                        \
    static void RED_NAME(answers_##op, name)(const void *partials, uint64_t n, struct answers_memory to) {   \
        const accumulator_##accumulator *xs = partials;                                                      \
        if (RED_ROLE_##role == RED_ROLE_MEAN && RED_FLOAT_HOLDS(n)) {                                        \
            RED_ANSWERS(role, does, kind, bits, place, accumulator, result)                                  \
        } else {                                                                                             \
            RED_ANSWERS(role, does, kind, bits, place, accumulator, result)                                  \
        }                                                                                                    \
    }                                                                                                        \
    static void RED_NAME(prefixes_##op, name)(void *partials, uint64_t partials_n) {                         \
        accumulator_##accumulator *xs = partials;                                                            \
        fold_##accumulator total = RED_START(identity, accumulator);                                         \
        for (uint64_t i = 0; i < partials_n; i++) {                                                          \
            const fold_##accumulator a = total, b = xs[i];                                                   \
            xs[i] = (accumulator_##accumulator)total;                                                        \
            total = combine;                                                                                 \
        }                                                                                                    \
    }

#define RED_FOLD_OPS(...) RED_OPS(RED_OP_FRAME, RED_FOLD, __VA_ARGS__)
RED_DTYPES(RED_FOLD_OPS)

struct fold_functions {
    void (*fold)(const void *partials, uint64_t partials_n, struct red_partial *partial);
    void (*combine)(struct red_partial *into, const struct red_partial *from);
    struct red_value (*answer)(const struct red_partial *partial, uint64_t n);
    void (*prefixes)(void *partials, uint64_t partials_n);
    void (*answers)(const void *partials, uint64_t n, struct answers_memory to);
};

/* Same order as red_dtypes and the reductions of red_ops: both come from the same rows. */
#define RED_FOLD_ENTRY(op, role, term, does, identity, empty, map, combine, openmp, suffix, atomic, mpi,     \
                       types, name)                                                                          \
    {RED_NAME(fold_##op, name), RED_NAME(combine_##op, name), RED_NAME(answer_##op, name),                   \
     RED_NAME(prefixes_##op, name), RED_NAME(answers_##op, name)},
#define RED_FOLD_ROW(name, ...) {RED_OPS(RED_FOLD_ENTRY, name)},
static const struct fold_functions folds[][RED_REDUCTIONS_N] = {RED_DTYPES(RED_FOLD_ROW)};

static const struct fold_functions *functions_of(const struct red_op *op, const struct red_dtype *dtype) {
    return &folds[dtype - red_dtypes][op->reduction - red_ops];
}

/* The end of red_plan_run, with red_partial_answer: its time is in the cell's. */
void red_host_fold_partial(const struct red_op *op, const struct red_dtype *dtype, const void *partials,
                           uint64_t partials_n, struct red_partial *partial) {
    functions_of(op, dtype)->fold(partials, partials_n, partial);
}

/* For processes that reduce pieces of one array: what they have is combined, and then is the answer. */
void red_partial_set_identity(const struct red_op *op, const struct red_dtype *dtype,
                              struct red_partial *partial) {
    functions_of(op, dtype)->fold(NULL, 0, partial);
}

void red_partial_combine(const struct red_op *op, const struct red_dtype *dtype, struct red_partial *into,
                         const struct red_partial *from) {
    functions_of(op, dtype)->combine(into, from);
}

void red_partial_move_places(const struct red_op *op, const struct red_dtype *dtype,
                             struct red_partial *partial, uint64_t first) {
    if (op->role != RED_ROLE_PLACE)
        return;
    if (red_op_accumulator(op, dtype) == &red_accumulators[RED_ACCUMULATOR_pair])
        partial->pair.index += partial->pair.index == UINT64_MAX ? 0 : first;
    else
        partial->u64 += partial->u64 == UINT64_MAX ? 0 : first;
}

struct red_value red_partial_answer(const struct red_op *op, const struct red_dtype *dtype,
                                    const struct red_partial *partial, uint64_t n) {
    return functions_of(op, dtype)->answer(partial, n);
}

/* Between the launches of finish host_carries. */
void red_host_scan_partials(const struct red_op *op, const struct red_dtype *dtype, void *partials,
                            uint64_t partials_n) {
    functions_of(op, dtype)->prefixes(partials, partials_n);
}

/* Whether each answer is its partial result, bit by bit: then nothing is to be made. */
static bool partials_are_answers(const struct red_op *op, const struct red_dtype *dtype) {
    return (op->role == RED_ROLE_SUM || op->role == RED_ROLE_ORDER) &&
           red_op_accumulator(op, dtype)->size_bytes == red_op_result_dtype(op, dtype)->size_bytes;
}

/* The same end for --shape segments. */
void red_host_answers_of_partials(const struct red_op *op, const struct red_dtype *dtype,
                                  const void *partials, uint64_t segment_elements_n, bool columns,
                                  struct red_answers *answers) {
    if (partials_are_answers(op, dtype)) {
        answers->values = partials;
        return;
    }
    const struct answers_memory room = point_to_memory(op, answers);
    functions_of(op, dtype)->answers(partials, segment_elements_n, room);
    for (uint64_t i = 0; columns && room.indices != NULL && i < room.n; i++)
        room.indices[i] = (room.indices[i] - i) / room.n;
}
