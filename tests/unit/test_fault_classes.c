/* The table of docs/checking.md, proven on a model of a kernel: vectors, what is left behind them,
 * items, groups, a finish. Each fault is planted on each path, for every operation and type that can have it,
 * and must be found by the data that a program meets in `verify`, for each of 20 seeds; without a fault all
 * is right. */
#include "tests/unit/testing.h"

#include "core/select.h"
#include "model/types.h"
#include "oracle/change.h"
#include "tests/unit/made_input.h"

enum { LANES = 4, GROUP_SIZE = 5, GROUPS_N = 3, TURN_N = LANES * GROUP_SIZE, SEEDS = 20 };
enum path { VECTOR, TAIL, ITEM, GROUP, FINISH, PATHS_N };

struct model;
typedef uint64_t place_function(const struct model *model, uint64_t i);

/* An accumulator: a sum modulo 2^64 or in double (exact, as the data are), or a rank, its index, and whether
 * there is one: without it is the identity. */
struct value {
    uint64_t word, index;
    double real;
    bool any;
};

/* What is planted. All zero: nothing. */
struct fault {
    const char *name;
    int starts; /* 1, 2, 3: a path starts with 0, with 1, with the last value but one */
    double (*seen_as)(const struct red_dtype *dtype, uint64_t rank); /* extremes: values compare as these */
    double (*real_as)(double x);                                     /* sums: an element is taken for that */
    uint64_t (*integer_as)(uint64_t x);
    place_function *place; /* an element is taken from elsewhere; UINT64_MAX: lost */
    unsigned sum_bits;     /* sums of integers are kept in so many bits, with a sign or without */
    bool is_signed;
    uint64_t modulus, remainder; /* where n has this remainder the last element is lost */
    unsigned every;              /* each so-many-th call has the answer of the one before */
    int kept_by;                 /* 1: n, 2: n and a few samples */
};

struct model {
    const struct red_input *input;
    const struct fault *fault;
    enum path path;
    uint64_t n, kept_key;
    unsigned calls;
    struct value kept;
};

static bool sums(const struct model *model) {
    return !red_op_picks(model->input->op);
}

static uint64_t ordered(const struct model *model, uint64_t rank) {
    return model->input->op->does == RED_PICKS_GREATEST ? rank : red_rank_max(model->input->dtype) - rank;
}

/* Ranks are counted from the worst value on. */
static uint64_t start_rank(const struct model *model) {
    const struct red_dtype *dtype = model->input->dtype;
    const uint64_t zero = dtype->kind == RED_UNSIGNED ? 0 : red_rank_middle(dtype);
    const uint64_t ranks[] = {0, ordered(model, zero), ordered(model, zero + 1), 1};
    return ranks[model->fault->starts];
}

static struct value start(const struct model *model, enum path path) {
    if (model->fault->starts == 0 || path != model->path)
        return (struct value){.index = UINT64_MAX};
    if (sums(model))
        return (struct value){.word = 1 << 13, .real = 1}; /* a mean of 64 bits does not show less */
    return (struct value){.word = start_rank(model), .index = UINT64_MAX, .any = true};
}

static struct value combine(const struct model *model, enum path path, struct value a, struct value b) {
    const struct fault *fault = model->fault;
    const struct red_dtype *dtype = model->input->dtype;
    if (sums(model)) {
        struct value sum = {.word = a.word + b.word, .real = a.real + b.real};
        if (path == model->path && fault->sum_bits > 0) {
            sum.word <<= 64 - fault->sum_bits;
            sum.word = fault->is_signed ? (uint64_t)((int64_t)sum.word >> (64 - fault->sum_bits))
                                        : sum.word >> (64 - fault->sum_bits);
        }
        return sum;
    }
    if (path == model->path && fault->seen_as != NULL && a.any && b.any) {
        double x = fault->seen_as(dtype, ordered(model, a.word)),
               y = fault->seen_as(dtype, ordered(model, b.word));
        bool greatest = model->input->op->does == RED_PICKS_GREATEST;
        return (greatest ? y > x : y < x) || (x == y && b.index < a.index) ? b : a;
    }
    if (!a.any || !b.any)
        return a.any ? a : b;
    return b.word > a.word || (b.word == a.word && b.index < a.index) ? b : a;
}

static struct value element(const struct fault *fault, const struct red_dtype *dtype, const void *array,
                            uint64_t at) {
    if (dtype->is_float) {
        const double x = dtype->get_real(array, at);
        return (struct value){.real = fault->real_as ? fault->real_as(x) : x};
    }
    const uint64_t x = dtype->get_integer(array, at);
    return (struct value){.word = fault->integer_as ? fault->integer_as(x) : x};
}

static struct value load(const struct model *model, enum path path, uint64_t i) {
    const struct red_input *input = model->input;
    const struct red_dtype *dtype = input->dtype;
    uint64_t at = path == model->path && model->fault->place ? model->fault->place(model, i) : i;
    if (at == UINT64_MAX)
        return (struct value){.index = UINT64_MAX};
    if (!sums(model))
        return (struct value){
            .word = ordered(model, red_rank_of(dtype, input->arrays[0], at)), .index = at, .any = true};
    static const struct fault none = {.name = "no fault"};
    const struct fault *fault = path == model->path ? model->fault : &none;
    struct value value = element(fault, dtype, input->arrays[0], at);
    if (input->op->term == RED_TERM_ELEMENT)
        return value;
    const struct value y =
        input->op->term == RED_TERM_SQUARE ? value : element(&none, dtype, input->arrays[1], at);
    return (struct value){.word = value.word * y.word, .real = value.real * y.real};
}

static struct value item(const struct model *model, uint64_t first, uint64_t items_n) {
    const uint64_t vectors_n = model->n / LANES;
    struct value all = start(model, first < vectors_n ? VECTOR : TAIL);
    for (uint64_t v = first; v < vectors_n; v += items_n)
        for (uint64_t i = v * LANES; i < v * LANES + LANES; i++)
            all = combine(model, VECTOR, all, load(model, VECTOR, i));
    for (uint64_t i = LANES * vectors_n + first; i < model->n; i += items_n)
        all = combine(model, TAIL, all, load(model, TAIL, i));
    return all;
}

/* Between items and between groups a place is that of an item or a group: lost or taken twice. */
static struct value part(const struct model *model, enum path path, uint64_t at, uint64_t n,
                         const struct value *values) {
    bool here = path == model->path && model->fault->place != NULL;
    uint64_t from = here && at + 1 == n ? model->fault->place(model, at) : at;
    return from == UINT64_MAX ? (struct value){.index = UINT64_MAX} : values[from];
}

static struct value reduce(struct model *model) {
    struct value groups[GROUPS_N], items[GROUP_SIZE], all = start(model, FINISH);
    for (uint64_t g = 0; g < GROUPS_N; g++) {
        groups[g] = start(model, g * GROUP_SIZE < model->n ? ITEM : GROUP);
        for (uint64_t i = 0; i < GROUP_SIZE; i++)
            items[i] = item(model, g * GROUP_SIZE + i, GROUPS_N * GROUP_SIZE);
        for (uint64_t i = 0; i < GROUP_SIZE; i++)
            groups[g] = combine(model, ITEM, groups[g], part(model, ITEM, i, GROUP_SIZE, items));
    }
    for (uint64_t g = 0; g < GROUPS_N; g++)
        all = combine(model, FINISH, all,
                      combine(model, GROUP, start(model, GROUP), part(model, GROUP, g, GROUPS_N, groups)));
    return all;
}

static struct red_value answer_of(const struct model *model, struct value value) {
    const struct red_input *input = model->input;
    const struct red_dtype *result = red_op_result_dtype(input->op, input->dtype);
    struct red_value answer = {.index = 0};
    if (!sums(model)) {
        if (value.any)
            red_rank_put(input->dtype, &answer, 0, ordered(model, value.word));
        answer.index = input->op->role == RED_ROLE_PLACE ? value.index : 0;
    } else if (input->op->role == RED_ROLE_MEAN) {
        bool is_signed = input->dtype->kind == RED_SIGNED;
        double sum = input->dtype->is_float ? value.real
                     : is_signed            ? (double)(int64_t)value.word
                                            : (double)value.word;
        result->put_real(&answer, 0, sum / (double)model->n);
    } else if (result->is_float)
        result->put_real(&answer, 0, value.real);
    else
        result->put_integer(&answer, 0, value.word);
    return answer;
}

static uint64_t key_of(const struct model *model) {
    uint64_t key = model->n + 1, word = 0;
    const uint64_t samples[] = {0, model->n / 2, model->n - 1};
    for (size_t i = 0; i < 3 && model->fault->kept_by == 2; i++) {
        memcpy(&word, (const char *)model->input->arrays[0] + samples[i] * model->input->dtype->size_bytes,
               model->input->dtype->size_bytes);
        key = key * UINT64_C(0x9e3779b97f4a7c15) + word;
    }
    return key;
}

static struct red_value call(struct model *model, const struct red_input *input, uint64_t n) {
    const struct fault *fault = model->fault;
    model->input = input;
    model->n = n > 1 && fault->modulus > 0 && n % fault->modulus == fault->remainder ? n - 1 : n;
    struct value value = reduce(model);
    bool keeps = fault->kept_by > 0 && model->kept_key == key_of(model);
    if (keeps || (fault->every > 0 && ++model->calls % fault->every == 0 && model->calls > 1))
        value = model->kept;
    else
        model->kept = value;
    model->kept_key = fault->kept_by > 0 ? key_of(model) : 0;
    model->n = n;
    return answer_of(model, value);
}

/* As red_verify does, of one data set. */
static bool passes(struct model *model, const struct red_input *input) {
    struct red_truth truth;
    struct red_changes changes;
    red_truth_find(input, &truth);
    for (int i = 0; i < 3; i++)
        if (!red_truth_check(&truth, 0, call(model, input, input->n)).right)
            return false;
    bool right = true;
    assert_int_equal(red_changes_begin(input, &truth, LANES, TURN_N, 64, &changes, NULL), RED_OK);
    while (right && red_changes_next(&changes))
        right = red_truth_check(&changes.truth, 0, call(model, &changes.now, changes.n)).right;
    red_changes_clear(&changes);
    return right;
}

/* All data that a program meets. */
static bool passes_all(const struct fault *fault, enum path path, const struct red_op *op,
                       const struct red_dtype *dtype, uint64_t seed) {
    struct model model = {.fault = fault, .path = path};
    uint64_t sizes[RED_PROGRAM_SIZES_N];
    bool right = true;
    red_program_sizes_choose(TURN_N, seed, sizes);
    for (size_t s = 0; s < RED_PROGRAM_SIZES_N; s++)
        for (unsigned k = 0; k < red_exact_data_kinds_n(op, dtype, sizes[s]) && right; k++) {
            struct red_input input =
                made_input(op, dtype, red_exact_data_kind(op, dtype, sizes[s], k), sizes[s], seed);
            right = passes(&model, &input);
            red_input_clear(&input);
        }
    return right;
}

/* ---- faults -------------------------------------------------------------------------------------------- */

static double through_float(const struct red_dtype *dtype, uint64_t rank) {
    return (double)(float)(dtype->is_float ? red_rank_real(dtype, rank)
                                           : (double)red_rank_integer(dtype, rank));
}
static double magnitude(const struct red_dtype *dtype, uint64_t rank) {
    double middle = (double)red_rank_middle(dtype);
    return fabs((double)rank - middle);
}
static double word_of(const struct red_dtype *dtype, uint64_t rank, bool is_signed) {
    struct red_value value = {.bits = 0};
    red_rank_put(dtype, &value, 0, rank);
    uint64_t top = value.bits << (64 - dtype->bits);
    return is_signed ? (double)(int64_t)top : (double)top;
}
static double as_signed(const struct red_dtype *dtype, uint64_t rank) {
    return word_of(dtype, rank, true);
}
static double as_unsigned(const struct red_dtype *dtype, uint64_t rank) {
    return word_of(dtype, rank, false);
}
static double low_half(const struct red_dtype *dtype, uint64_t rank) {
    return (double)(red_rank_integer(dtype, rank) & ((UINT64_C(1) << dtype->bits / 2) - 1));
}
static double high_half(const struct red_dtype *dtype, uint64_t rank) {
    return (double)(rank >> dtype->bits / 2);
}

static uint64_t zero_as_other(uint64_t x) {
    return x == 0 ? 1 << 13 : x; /* a mean of 64 bits does not show less */
}
static uint64_t even_as_other(uint64_t x) {
    return x & 1 ? x : x + (1 << 13);
}
static double zero_as_two(double x) {
    return x == 0 ? 2 : x;
}
static double saturated(double x) {
    return fmax(-0x1p8, fmin(x, 0x1p8));
}
static double tiny_is_zero(double x) {
    return fabs(x) < 0x1p-8 ? 0 : x;
}

static uint64_t last_is_lost(const struct model *model, uint64_t i) {
    uint64_t last = model->path == VECTOR ? model->n - model->n % LANES - 1 : model->n - 1;
    return i == (model->path == ITEM    ? GROUP_SIZE - 1
                 : model->path == GROUP ? GROUPS_N - 1
                                        : last)
               ? UINT64_MAX
               : i;
}
static uint64_t first_is_lost(const struct model *model, uint64_t i) {
    uint64_t first = model->path == TAIL ? model->n - model->n % LANES : 0;
    return model->path >= ITEM ? UINT64_MAX : i == first ? UINT64_MAX : i;
}
static uint64_t before_last_again(const struct model *model, uint64_t i) {
    return last_is_lost(model, i) == UINT64_MAX && i > 0 ? i - 1 : i;
}

enum {
    OF_SUMS = 1,
    OF_EXTREMES = 2,
    OF_BOTH = 3,
    ALL_PATHS = (1 << PATHS_N) - 1,
    LOOPS = 1 << VECTOR | 1 << TAIL,
    COMBINES = LOOPS | 1 << ITEM | 1 << FINISH,
    PARTS = LOOPS | 1 << ITEM | 1 << GROUP
};

static const struct row {
    struct fault fault;
    unsigned ops, paths;
    const char *types; /* globs over their names */
} rows[] = {
    {{.name = "starts with 0", .starts = 1}, OF_BOTH, ALL_PATHS, "*"},
    {{.name = "starts with the smallest value beside 0", .starts = 2}, OF_BOTH, ALL_PATHS, "*"},
    {{.name = "starts with the second worst value", .starts = 3}, OF_EXTREMES, ALL_PATHS, "*"},
    {{.name = "compares as float", .seen_as = through_float}, OF_EXTREMES, COMBINES, "*64"},
    {{.name = "compares magnitudes", .seen_as = magnitude}, OF_EXTREMES, COMBINES, "f*"},
    {{.name = "compares words as signed", .seen_as = as_signed}, OF_EXTREMES, LOOPS, "f*"},
    {{.name = "compares words as unsigned", .seen_as = as_unsigned}, OF_EXTREMES, LOOPS, "f*"},
    {{.name = "compares signed as unsigned", .seen_as = as_unsigned}, OF_EXTREMES, LOOPS, "i*"},
    {{.name = "compares unsigned as signed", .seen_as = as_signed}, OF_EXTREMES, LOOPS, "u*"},
    {{.name = "compares the lower half", .seen_as = low_half}, OF_EXTREMES, COMBINES, "i??,u??"},
    {{.name = "compares the upper half", .seen_as = high_half}, OF_EXTREMES, LOOPS, "i??,u??"},
    {{.name = "sums in 8 bits", .sum_bits = 8, .is_signed = true}, OF_SUMS, ALL_PATHS, "i8"},
    {{.name = "sums in 8 bits, unsigned", .sum_bits = 8}, OF_SUMS, ALL_PATHS, "u8"},
    {{.name = "zero taken for something", .integer_as = zero_as_other}, OF_SUMS, LOOPS, "i*,u*"},
    {{.name = "even elements changed", .integer_as = even_as_other}, OF_SUMS, LOOPS, "i*,u*"},
    {{.name = "zero taken for two", .real_as = zero_as_two}, OF_SUMS, LOOPS, "f*"},
    {{.name = "large elements cut", .real_as = saturated}, OF_SUMS, LOOPS, "f*"},
    {{.name = "small elements dropped", .real_as = tiny_is_zero}, OF_SUMS, LOOPS, "f*"},
    {{.name = "the last is lost", .place = last_is_lost}, OF_BOTH, PARTS, "*"},
    {{.name = "the first is lost", .place = first_is_lost}, OF_BOTH, PARTS, "*"},
    {{.name = "the one before the last is taken again", .place = before_last_again}, OF_BOTH, LOOPS, "*"},
    {{.name = "n = 1 modulo 64", .modulus = 64, .remainder = 1}, OF_BOTH, 1, "*"},
    {{.name = "n = 31 modulo 64", .modulus = 64, .remainder = 31}, OF_BOTH, 1, "*"},
    {{.name = "n = 0 modulo 64", .modulus = 64, .remainder = 0}, OF_BOTH, 1, "*"},
    {{.name = "n = 19 modulo 20", .modulus = 20, .remainder = 19}, OF_BOTH, 1, "*"},
    {{.name = "keeps its answer for the same n", .kept_by = 1}, OF_BOTH, 1, "*"},
    {{.name = "keeps its answer for the same samples", .kept_by = 2}, OF_BOTH, 1, "*"},
    {{.name = "every 3rd call", .every = 3}, OF_BOTH, 1, "*"},
    {{.name = "every 16th call", .every = 16}, OF_BOTH, 1, "*"},
    {{.name = "every 61st call", .every = 61}, OF_BOTH, 1, "*"},
};

/* Runs a fault on a path with every operation and type. Gives how many of these, for one of the seeds, are
 * not as they must: found, or sound. */
static unsigned try_row(const struct row *row, enum path path, bool found) {
    unsigned failed_n = 0;
    for (size_t i = 0; i < RED_REDUCTIONS_N * red_dtypes_n; i++) {
        const struct red_op *op = &red_ops[i / red_dtypes_n];
        const struct red_dtype *dtype = &red_dtypes[i % red_dtypes_n];
        unsigned kind = !red_op_picks(op) ? OF_SUMS : OF_EXTREMES;
        uint64_t seed = 1;
        if (op->does != RED_ADDS &&
            !red_op_picks(op)) /* the model has sums and extremes; test_product.c, test_bits.c */
            continue;
        /* The greatest of unsigned values does start with 0. */
        if (row->fault.starts == 1 && op->does == RED_PICKS_GREATEST && dtype->kind == RED_UNSIGNED)
            continue;
        if (!(row->ops & kind) || !red_select_matches(row->types, dtype->name))
            continue;
        while (seed <= SEEDS && passes_all(&row->fault, path, op, dtype, seed) != found)
            seed++;
        if (seed <= SEEDS)
            print_error("%s, path %d, %s of %s, seed %d\n", row->fault.name, (int)path, op->name, dtype->name,
                        (int)seed);
        failed_n += seed <= SEEDS;
    }
    return failed_n;
}

static void every_fault_is_found_on_every_path(void **state) {
    unsigned failed_n = 0;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (unsigned path = 0; path < PATHS_N; path++)
            if (rows[r].paths >> path & 1)
                failed_n += try_row(&rows[r], (enum path)path, true);
    assert_int_equal(failed_n, 0);
}

static void without_a_fault_all_is_right(void **state) {
    static const struct row sound = {{.name = "no fault"}, OF_BOTH, 1, "*"};
    assert_int_equal(try_row(&sound, VECTOR, false), 0);
}
