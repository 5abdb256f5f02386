/* Expands the rows of model/types.h to tables; prints values; finds poison bytes and ranks. `op` and `dtype`
 * are rows of these tables: of --op and --type, or of a result file. */
#include "model/types.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RED_ACCUMULATOR_ROW(name_, c_type, fold_type, cl, word, bits, kind_, digits_, lowest, highest,       \
                            cl_lowest_, cl_highest_)                                                         \
    [RED_ACCUMULATOR_##name_] = {.name = #name_,                                                             \
                                 .size_bytes = sizeof(c_type),                                               \
                                 .cl_type = cl,                                                              \
                                 .cl_word = word,                                                            \
                                 .word_bits = bits,                                                          \
                                 .kind = kind_,                                                              \
                                 .is_float = (kind_) == RED_FLOAT,                                           \
                                 .digits = digits_,                                                          \
                                 .cl_lowest = cl_lowest_,                                                    \
                                 .cl_highest = cl_highest_},

const struct red_accumulator red_accumulators[RED_ACCUMULATORS_N] = {RED_ACCUMULATORS(RED_ACCUMULATOR_ROW)};

#define RED_DTYPE_ACCESS(name, c_type, what, v_type)                                                         \
    static void put_##what##_##name(void *array, uint64_t i, v_type value) {                                 \
        ((c_type *)array)[i] = (c_type)value;                                                                \
    }                                                                                                        \
    static v_type get_##what##_##name(const void *array, uint64_t i) {                                       \
        return (v_type)((const c_type *)array)[i];                                                           \
    }                                                                                                        \
    static void put_##what##s_##name(void *array, uint64_t first, size_t n, const v_type *values) {          \
        for (size_t i = 0; i < n; i++)                                                                       \
            ((c_type *)array)[first + i] = (c_type)values[i];                                                \
    }                                                                                                        \
    static void get_##what##s_##name(const void *array, uint64_t first, size_t n, v_type *values) {          \
        for (size_t i = 0; i < n; i++)                                                                       \
            values[i] = (v_type)((const c_type *)array)[first + i];                                          \
    }
#define RED_DTYPE_FUNCTIONS(name, c_type, ...)                                                               \
    RED_DTYPE_ACCESS(name, c_type, real, double)                                                             \
    RED_DTYPE_ACCESS(name, c_type, integer, uint64_t)
RED_DTYPES(RED_DTYPE_FUNCTIONS)

enum red_dtype_index {
#define RED_DTYPE_INDEX(name, ...) RED_DTYPE_##name,
    RED_DTYPES(RED_DTYPE_INDEX)
#undef RED_DTYPE_INDEX
};

#define RED_DTYPE_ROW(name_, c_type_, cl, kind_, bits_, digits_, sum, mean, order, place, sum_result,        \
                      mean_result, needs_)                                                                   \
    [RED_DTYPE_##name_] = {                                                                                  \
        .name = #name_,                                                                                      \
        .size_bytes = sizeof(c_type_),                                                                       \
        .c_type = #c_type_,                                                                                  \
        .cl_type = cl,                                                                                       \
        .kind = kind_,                                                                                       \
        .is_float = (kind_) == RED_FLOAT,                                                                    \
        .bits = bits_,                                                                                       \
        .digits = digits_,                                                                                   \
        .accumulators = {&red_accumulators[RED_ACCUMULATOR_##sum],                                           \
                         &red_accumulators[RED_ACCUMULATOR_##mean],                                          \
                         &red_accumulators[RED_ACCUMULATOR_##order],                                         \
                         &red_accumulators[RED_ACCUMULATOR_##place], &red_accumulators[RED_ACCUMULATOR_u32], \
                         &red_accumulators[RED_ACCUMULATOR_u64]},                                            \
        .results = {&red_dtypes[RED_DTYPE_##sum_result], &red_dtypes[RED_DTYPE_##mean_result],               \
                    &red_dtypes[RED_DTYPE_##name_], &red_dtypes[RED_DTYPE_##name_],                          \
                    &red_dtypes[RED_DTYPE_u32], &red_dtypes[RED_DTYPE_u64]},                                 \
        .needs = needs_,                                                                                     \
        .put_real = put_real_##name_,                                                                        \
        .put_integer = put_integer_##name_,                                                                  \
        .get_real = get_real_##name_,                                                                        \
        .get_integer = get_integer_##name_,                                                                  \
        .put_reals = put_reals_##name_,                                                                      \
        .put_integers = put_integers_##name_,                                                                \
        .get_reals = get_reals_##name_,                                                                      \
        .get_integers = get_integers_##name_,                                                                \
    },

#define RED_NAME(name, ...) #name,

const struct red_dtype red_dtypes[] = {RED_DTYPES(RED_DTYPE_ROW)};
const char *const red_dtype_names[] = {RED_DTYPES(RED_NAME)};
const size_t red_dtypes_n = sizeof red_dtypes / sizeof red_dtypes[0];

/* `name` is of a result file, a duel's, a question to a worker, or emit's --type. */
const struct red_dtype *red_dtype_find(const char *name) {
    for (size_t i = 0; i < red_dtypes_n; i++)
        if (strcmp(red_dtypes[i].name, name) == 0)
            return &red_dtypes[i];
    return NULL;
}

/* 5, 9 and 17 decimal digits tell any two halves, floats and doubles apart (Steele and White 1990). Evidence
 * has it as expected and got. */
void red_value_format(const struct red_dtype *dtype, const struct red_value *value, char *text,
                      size_t text_size_bytes) {
    int digits = dtype->digits > 24 ? 17 : dtype->digits > 11 ? 9 : 5;
    if (dtype->is_float && isnan(dtype->get_real(value, 0)))
        snprintf(text, text_size_bytes, "nan"); /* of either sign */
    else if (dtype->is_float)
        snprintf(text, text_size_bytes, "%.*g", digits, dtype->get_real(value, 0));
    else if (dtype->kind == RED_SIGNED)
        snprintf(text, text_size_bytes, "%" PRId64, (int64_t)dtype->get_integer(value, 0));
    else
        snprintf(text, text_size_bytes, "%" PRIu64, dtype->get_integer(value, 0));
}

#define RED_EMPTY_IDENTITY true
#define RED_EMPTY_NONE     false
#define RED_TYPES_ALL      false
#define RED_TYPES_INTEGERS true
#define RED_OP_COLUMNS(name_, role_, term_, does_, identity_, empty_, map_, combine_, openmp_, suffix_,      \
                       atomic_, types_)                                                                      \
    .name = #name_, .role = RED_ROLE_##role_, .term = RED_TERM_##term_,                                      \
    .arrays = RED_TERM_##term_ == RED_TERM_PRODUCT ? 2 : 1, .does = RED_##does_,                             \
    .identity = RED_IDENTITY_##identity_, .has_empty_answer = RED_EMPTY_##empty_, .map = #map_,              \
    .combine = #combine_, .suffix = suffix_, .has_atomic = atomic_, .integers_only = RED_TYPES_##types_
#define RED_OP_ROW(name, role, term, does, identity, empty, map, combine, openmp, suffix, atomic, mpi,       \
                   types, ...)                                                                               \
    {RED_OP_COLUMNS(name, role, term, does, identity, empty, map, combine, openmp, suffix, atomic, types),   \
     .primitive = RED_PRIMITIVE_REDUCE, .reduction = &red_ops[RED_OP_##name]},
#define RED_RESULT_ROW(name, role, term, does, identity, empty, map, combine, openmp, suffix, atomic, mpi,   \
                       types, reduction_, exclusive_, primitive_, ...)                                       \
    {RED_OP_COLUMNS(name, role, term, does, identity, empty, map, combine, openmp, suffix, atomic, types),   \
     .primitive = RED_PRIMITIVE_##primitive_, .reduction = &red_ops[RED_OP_##reduction_],                    \
     .exclusive = (exclusive_)},

const struct red_op red_ops[] = {RED_OPS(RED_OP_ROW, ) RED_RESULT_OPS(RED_RESULT_ROW, )};
const char *const red_op_names[] = {RED_OPS(RED_NAME, ) RED_RESULT_OPS(RED_NAME, )};
const size_t red_ops_n = sizeof red_ops / sizeof red_ops[0];

/* As red_dtype_find, of emit's --op. */
const struct red_op *red_op_find(const char *name) {
    for (size_t i = 0; i < red_ops_n; i++)
        if (strcmp(red_ops[i].name, name) == 0)
            return &red_ops[i];
    return NULL;
}

/* For the program text (model/catalogue.c), and emitted C (emit/c_types.c). */
const char *red_op_identity_text(const struct red_op *op, const char *lowest, const char *highest) {
#define RED_IDENTITY_TEXT(id, text) [RED_IDENTITY_##id] = text,
    static const char *const texts[] = {RED_IDENTITIES(RED_IDENTITY_TEXT)};
#undef RED_IDENTITY_TEXT
    return texts[op->identity] != NULL           ? texts[op->identity]
           : op->identity == RED_IDENTITY_LOWEST ? lowest
                                                 : highest;
}

/* The user sees this type in the program text alone (`strategies --source`), the next in answers. */
const struct red_accumulator *red_op_accumulator(const struct red_op *op, const struct red_dtype *dtype) {
    return dtype->accumulators[op->role];
}

const struct red_dtype *red_op_result_dtype(const struct red_op *op, const struct red_dtype *dtype) {
    return dtype->results[op->role];
}

/* For the program text (model/catalogue.c); without one cells of built-ins are `unsupported`. */
const char *red_op_built_in_suffix(const struct red_op *op, const struct red_dtype *dtype) {
    return red_op_accumulator(op, dtype)->word_bits > 0 ? op->suffix : "";
}

/* The reason of an `unsupported` cell, or the error of --show-data; verify plans no such check. */
enum red_status red_op_check_n(const struct red_op *op, const struct red_dtype *dtype, uint64_t n,
                               struct red_error *error) {
    const struct red_accumulator *accumulator = red_op_accumulator(op, dtype);
    unsigned index_bits = accumulator->digits - dtype->bits;
    if (op->role == RED_ROLE_COUNT && n > UINT32_MAX)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s counts in 32 bits, of %u elements at most; count64 takes more", op->name,
                        UINT32_MAX);
    if (!red_op_has_type(op, dtype))
        return red_fail(error, RED_E_UNSUPPORTED, "floats have no %s", op->name);
    if (n == 0 && !op->has_empty_answer && op->primitive == RED_PRIMITIVE_REDUCE)
        return red_fail(error, RED_E_UNSUPPORTED, "there is no %s of 0 elements", op->name);
    if (op->role == RED_ROLE_PLACE && index_bits < 64 && n > UINT64_C(1) << index_bits)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s of %s packs value and index into 64 bits; the largest possible n is %" PRIu64,
                        op->name, dtype->name, UINT64_C(1) << index_bits);
    return RED_OK;
}

/* ---- poison -----------------------------------------------------------------------------------------------
 * What a kernel takes for data by mistake makes its answer `wrong`. */

#define RED_POISON_ROW(id, name, as_unsigned, as_signed, as_float, other_unsigned, other_signed,             \
                       other_float)                                                                          \
    [RED_##id] = {{as_unsigned, as_signed, as_float}, {other_unsigned, other_signed, other_float}},
static const unsigned char poisons[RED_COMBINERS_N][2][RED_KINDS_N] = {RED_COMBINERS(RED_POISON_ROW)};

/* Behind the elements of data sets (model/input.c). */
unsigned char red_op_elements_poison_byte(const struct red_op *op, const struct red_dtype *dtype) {
    return poisons[op->does][false][dtype->kind];
}

/* A place is always the least of its accumulators. Fills outputs before calls that are checked
 * (cl/case_check.c, worker/prepared.c, `once`) and, in the checking build, local memory
 * (model/catalogue.c). */
unsigned char red_op_accumulator_poison_byte(const struct red_op *op, const struct red_dtype *dtype,
                                             bool other) {
    enum red_combiner does = op->role == RED_ROLE_PLACE ? RED_PICKS_LEAST : op->does;
    return poisons[does][other][red_op_accumulator(op, dtype)->kind];
}

/* ---- ranks ------------------------------------------------------------------------------------------------
 * For the elements of close and limit data (model/input.c), and for changed elements (oracle/change.c). */

/* The word of the greatest finite number: all but the last of the exponents, and a significand of ones. Words
 * of one sign are in the order of their values (IEEE 754-2008, section 3.4). */
static uint64_t finite_max_word(const struct red_dtype *dtype) {
    unsigned stored_bits = dtype->digits - 1;
    return (UINT64_C(1) << (dtype->bits - 1)) - 1 - (UINT64_C(1) << stored_bits);
}

uint64_t red_rank_max(const struct red_dtype *dtype) {
    return dtype->is_float ? 2 * finite_max_word(dtype) : UINT64_MAX >> (64 - dtype->bits);
}

uint64_t red_rank_middle(const struct red_dtype *dtype) {
    return dtype->is_float ? finite_max_word(dtype) : UINT64_C(1) << (dtype->bits - 1);
}

/* The float whose bits the word is. */
static double real_of_word(const struct red_dtype *dtype, uint64_t word) {
    struct red_value value = {.bits = word}; /* words are stored with their low bytes first */
    return dtype->get_real(&value, 0);
}

double red_rank_real(const struct red_dtype *dtype, uint64_t rank) {
    uint64_t zero = finite_max_word(dtype);
    return rank >= zero ? real_of_word(dtype, rank - zero) : -real_of_word(dtype, zero - rank);
}

uint64_t red_rank_integer(const struct red_dtype *dtype, uint64_t rank) {
    return dtype->kind == RED_SIGNED ? rank - red_rank_middle(dtype) : rank;
}

uint64_t red_rank_of(const struct red_dtype *dtype, const void *array, uint64_t i) {
    const uint64_t sign = UINT64_C(1) << (dtype->bits - 1), middle = red_rank_middle(dtype);
    struct red_value value = {.bits = 0};
    memcpy(&value.bits, (const char *)array + i * dtype->size_bytes, dtype->size_bytes);
    if (dtype->is_float)
        return value.bits & sign ? middle - (value.bits ^ sign) : middle + value.bits;
    return dtype->kind == RED_SIGNED ? value.bits ^ sign : value.bits;
}

void red_rank_put(const struct red_dtype *dtype, void *array, uint64_t i, uint64_t rank) {
    if (dtype->is_float)
        dtype->put_real(array, i, red_rank_real(dtype, rank));
    else
        dtype->put_integer(array, i, red_rank_integer(dtype, rank));
}
