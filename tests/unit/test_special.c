#include "tests/unit/testing.h"

#include "oracle/results.h"
#include "tests/unit/made_input.h"
#include "verify/verify_private.h"

enum { N = 1000 };

/* Who answers. */
enum who {
    BY_FMIN,     /* a strategy that combines as the prelude does */
    BY_BUILT_IN, /* by the driver's built-in */
    BY_SHY,      /* one whose manifest promises nothing */
};
static const struct red_strategy strategies[] = {
    [BY_FMIN] = {.group = RED_STRATEGY_TREE, .promises = RED_PROMISES_ALL},
    [BY_BUILT_IN] = {.group = RED_STRATEGY_BUILT_IN, .promises = RED_PROMISES_ALL},
    [BY_SHY] = {.group = RED_STRATEGY_TREE, .promises = 0},
};

struct asked {
    enum red_pattern pattern;
    enum who who;
    bool keeps_denormals; /* the driver does */
};

static struct red_special special_of(const char *op, const char *type, struct asked asked) {
    const struct red_device_info info = {.denormals_f32 = asked.keeps_denormals,
                                         .denormals_f64 = asked.keeps_denormals};
    static const struct red_capabilities capabilities = {.ask = NULL};
    return (struct red_special){.pattern = asked.pattern,
                                .unpromised = red_special_unpromised(&strategies[asked.who], red_op_find(op),
                                                                     red_dtype_find(type), asked.pattern,
                                                                     &info, &capabilities)};
}

static struct red_truth truth_of(const char *op, const char *type, enum red_pattern pattern) {
    struct red_input input = made_input(red_op_find(op), red_dtype_find(type), kind_of(pattern), N, 1);
    struct red_truth truth;
    red_truth_find(&input, &truth);
    red_input_clear(&input);
    return truth;
}

/* Judges `got`, by its double, where the pattern is reduced. */
static enum red_judgement judge(const char *op, const char *type, struct asked asked, double got,
                                uint64_t index, const char **words) {
    const struct red_truth truth = truth_of(op, type, asked.pattern);
    const struct red_special special = special_of(op, type, asked);
    struct red_value value = {.index = index};
    red_op_result_dtype(truth.op, truth.dtype)->put_real(&value, 0, got);
    return red_special_judge(&special, &truth, &value, words);
}

/* What exact arithmetic answers: of the data itself, not of a judge. */
static double exact(const char *op, const char *type, enum red_pattern pattern, uint64_t *index) {
    const struct red_truth truth = truth_of(op, type, pattern);
    const struct red_value value = red_truth_value(&truth);
    *index = value.index;
    return red_op_result_dtype(truth.op, truth.dtype)->get_real(&value, 0);
}

static void the_exact_answer_is_exact_for_every_operation_and_type(void **state) {
    static const char *const ops[] = {"sum", "dot", "sumsq", "mean", "min", "max", "argmin", "argmax"};
    static const char *const types[] = {"f16", "f32", "f64"};
    for (enum red_pattern pattern = RED_PATTERN_NAN; pattern <= RED_PATTERN_DENORMALS; pattern++)
        for (size_t o = 0; o < 8; o++)
            for (size_t t = 0; t < 3; t++) {
                const char *words = NULL;
                uint64_t index;
                double right = exact(ops[o], types[t], pattern, &index);
                const struct asked special = {.pattern = pattern};
                assert_int_equal(judge(ops[o], types[t], special, right, index, &words), RED_AS_EXACT);
                assert_string_equal(words, "");
            }
}

#define FLUSHES "count as 0: the driver claims no CL_FP_DENORM"

/* An answer, and what is to be said of it. */
static const struct {
    const char *op, *type;
    enum red_pattern pattern;
    enum who who;
    bool keeps_denormals;
    double got;
    enum red_judgement judgement;
    const char *words;
} rows[] = {
    {"sum", "f32", RED_PATTERN_NAN, BY_FMIN, false, 500, RED_IS_WRONG, "the NaN is lost"},
    {"mean", "f64", RED_PATTERN_NAN, BY_FMIN, false, INFINITY, RED_IS_WRONG, "the NaN is lost"},
    {"sum", "f32", RED_PATTERN_NAN, BY_BUILT_IN, false, 500, RED_IS_WRONG, "the NaN is lost"},
    {"sum", "f32", RED_PATTERN_INFINITY, BY_FMIN, false, 500, RED_IS_WRONG, "the infinity is lost"},
    {"sum", "f32", RED_PATTERN_INFINITY, BY_FMIN, false, INFINITY, RED_IS_WRONG, "the infinity is lost"},
    {"sumsq", "f32", RED_PATTERN_INFINITY, BY_FMIN, false, NAN, RED_IS_WRONG, "the infinity became a NaN"},
    {"sumsq", "f32", RED_PATTERN_INFINITY, BY_SHY, false, NAN, RED_DEVIATES, "the infinity became a NaN"},
    {"mean", "f32", RED_PATTERN_NAN, BY_SHY, false, 3, RED_DEVIATES, "the NaN is lost"},
    {"sum", "f16", RED_PATTERN_INFINITIES, BY_FMIN, false, 500, RED_IS_WRONG, "the infinities are lost"},
    {"sum", "f32", RED_PATTERN_INFINITIES, BY_FMIN, false, INFINITY, RED_IS_WRONG, "one infinity is lost"},
    {"sum", "f32", RED_PATTERN_NEGATIVE_ZEROS, BY_FMIN, false, -0.0, RED_AS_EXACT, ""},
    {"sum", "f32", RED_PATTERN_NEGATIVE_ZEROS, BY_FMIN, false, 1e-30, RED_IS_WRONG, "another number"},
    {"min", "f32", RED_PATTERN_NEGATIVE_ZEROS, BY_FMIN, false, 0.0, RED_AS_EXACT, ""},
    {"min", "f32", RED_PATTERN_NAN, BY_FMIN, false, NAN, RED_IS_WRONG, "a NaN"},
    {"max", "f64", RED_PATTERN_NAN, BY_FMIN, false, 0.5, RED_IS_WRONG, "another value"},
    {"max", "f64", RED_PATTERN_NAN, BY_BUILT_IN, false, 0.5, RED_DEVIATES,
     "the driver's built-in does not pass over it"},
    {"min", "f32", RED_PATTERN_INFINITIES, BY_BUILT_IN, false, 0.5, RED_IS_WRONG, "another value"},
    {"argmax", "f32", RED_PATTERN_NAN, BY_BUILT_IN, false, NAN, RED_IS_WRONG, "a NaN"},
    {"sum", "f32", RED_PATTERN_DENORMALS, BY_FMIN, false, 0, RED_DEVIATES, FLUSHES},
    {"sum", "f32", RED_PATTERN_DENORMALS, BY_FMIN, false, 0x1p-149, RED_DEVIATES, FLUSHES},
    {"sum", "f32", RED_PATTERN_DENORMALS, BY_FMIN, false, 1, RED_IS_WRONG, "another number"},
    {"sum", "f32", RED_PATTERN_DENORMALS, BY_FMIN, true, 0, RED_IS_WRONG,
     "count as 0, though the driver claims CL_FP_DENORM"},
    {"sum", "f32", RED_PATTERN_DENORMALS, BY_FMIN, true, 0x1p-149, RED_IS_WRONG, "another number"},
    {"max", "f64", RED_PATTERN_DENORMALS, BY_FMIN, false, 0, RED_DEVIATES, FLUSHES},
    {"max", "f64", RED_PATTERN_DENORMALS, BY_FMIN, false, 0x1p-1074, RED_IS_WRONG, "another value"},
    {"sum", "f16", RED_PATTERN_DENORMALS, BY_FMIN, false, 0, RED_IS_WRONG, "another number"},
    {"argmin", "f32", RED_PATTERN_DENORMALS, BY_FMIN, false, 0, RED_IS_WRONG, "another value"},
};

static void answers_are_judged_and_named(void **state) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *words = NULL;
        const struct asked special = {rows[i].pattern, rows[i].who, rows[i].keeps_denormals};
        enum red_judgement judgement = judge(rows[i].op, rows[i].type, special, rows[i].got, 0, &words);
        if (judgement != rows[i].judgement || strcmp(words, rows[i].words) != 0)
            fail_msg("row %zu, %s of %s, %s: got %s, '%s'", i, rows[i].op, rows[i].type,
                     red_pattern_name(rows[i].pattern), red_judgement_names[judgement], words);
    }
}

/* The first result of special values is the first that exact arithmetic makes one of them. */
static void results_before_a_special_value_are_made_of_none(void **state) {
    static const enum red_pattern patterns[] = {RED_PATTERN_NAN, RED_PATTERN_INFINITY};
    for (size_t p = 0; p < 2; p++)
        for (uint64_t seed = 1; seed < 20; seed++) {
            const char *words = NULL;
            uint64_t before_n = 0;
            struct red_error error;
            struct red_results_truth *results;
            struct red_input input = made_input(red_op_find("exclusive_sum"), red_dtype_find("f32"),
                                                kind_of(patterns[p]), N + 2, seed);
            assert_int_equal(red_results_truth_make(&input, input.n, &results, &error), RED_OK);
            for (uint64_t i = 0; i < input.n; i++) {
                struct red_truth truth;
                red_results_truth_at(results, i, &truth);
                const double right = red_exact_value(&truth.real);
                const bool is_among = red_special_is_among(&input, truth.n);
                assert_int_equal(is_among, !isfinite(right));
                before_n += !is_among;
                const struct red_special special = {.pattern = patterns[p]};
                const struct red_value nan = {.bits = 0x7fc00000};
                if (!is_among) {
                    assert_int_equal(red_special_judge(&special, &truth, &nan, &words), RED_IS_WRONG);
                    assert_string_equal(words, "a NaN of numbers");
                }
            }
            assert_true(before_n > 1 && before_n < input.n);
            red_results_truth_destroy(results);
            red_input_clear(&input);
        }
    struct red_input denormals =
        made_input(red_op_find("exclusive_sum"), red_dtype_find("f32"), kind_of(RED_PATTERN_DENORMALS), N, 1);
    assert_true(red_special_is_among(&denormals, 1) && !red_special_is_among(&denormals, 0));
    red_input_clear(&denormals);
}

static void a_place_counts_too(void **state) {
    const char *words = NULL;
    uint64_t index;
    const struct asked special = {.pattern = RED_PATTERN_ZEROS};
    assert_true(exact("argmin", "f32", special.pattern, &index) == 0);
    assert_int_equal(judge("argmin", "f32", special, 0.0, index, &words), RED_AS_EXACT);
    assert_int_equal(judge("argmin", "f32", special, -0.0, index, &words), RED_AS_EXACT);
    assert_int_equal(judge("argmin", "f32", special, -0.0, index + 1, &words), RED_IS_WRONG);
    assert_string_equal(words, "at another place");
}

static void what_is_promised(void **state) {
    static const struct {
        const char *op, *type;
        struct asked asked;
        bool promised;
    } asked_rows[] = {
        {"sum", "f32", {RED_PATTERN_NAN, BY_BUILT_IN, false}, true},
        {"min", "f32", {RED_PATTERN_NAN, BY_FMIN, false}, true},
        {"min", "f32", {RED_PATTERN_NAN, BY_BUILT_IN, false}, false},
        {"max", "i32", {RED_PATTERN_NAN, BY_BUILT_IN, false}, true},
        {"argmin", "f32", {RED_PATTERN_NAN, BY_BUILT_IN, false}, true},
        {"argmin", "f32", {RED_PATTERN_NAN, BY_SHY, false}, false},
        {"sum", "f64", {RED_PATTERN_INFINITIES, BY_SHY, false}, false},
        {"sum", "f64", {RED_PATTERN_ZEROS, BY_SHY, false}, false},
        {"sum", "f64", {RED_PATTERN_UNIFORM, BY_SHY, false}, true},
        {"sum", "f64", {RED_PATTERN_DENORMALS, BY_FMIN, true}, true},
        {"sum", "f64", {RED_PATTERN_DENORMALS, BY_FMIN, false}, false},
        {"sum", "f16", {RED_PATTERN_DENORMALS, BY_FMIN, false}, true},
        {"argmax", "f32", {RED_PATTERN_DENORMALS, BY_FMIN, false}, true},
    };
    for (size_t i = 0; i < sizeof asked_rows / sizeof asked_rows[0]; i++)
        if ((special_of(asked_rows[i].op, asked_rows[i].type, asked_rows[i].asked).unpromised == NULL) !=
            asked_rows[i].promised)
            fail_msg("row %zu: %s of %s, %s", i, asked_rows[i].op, asked_rows[i].type,
                     red_pattern_name(asked_rows[i].asked.pattern));
}

/* ---- the data find what they are for ---------------------------------------------------------------------
 *
 * Each fault is a kernel's, as a host would do it: one item after the other. */

enum { ITEMS_N = 4 };

static double skip_nan(double a, double x, bool greatest) {
    return isnan(x) ? a : a + x;
}
static double skip_infinite(double a, double x, bool greatest) {
    return isinf(x) ? a : a + x;
}
static double flush(double a, double x, bool greatest) {
    return a + (isnormal(x) ? x : 0);
}
static bool beats(double x, double a, bool greatest) {
    return greatest ? x > a : x < a;
}
static double extreme(double a, double x, bool greatest) {
    return beats(x, a, greatest) ? x : a;
}
static double extreme_or_last(double a, double x, bool greatest) {
    return beats(a, x, greatest) ? a : x;
}
static double extreme_finite(double a, double x, bool greatest) {
    return isfinite(x) ? extreme(a, x, greatest) : a;
}
static double extreme_nan_is_0(double a, double x, bool greatest) {
    return extreme(a, isnan(x) ? 0 : x, greatest);
}
static uint64_t bits_of(double x) {
    union {
        double value;
        uint64_t bits;
    } at = {.value = x};
    return at.bits;
}
static double extreme_signed(double a, double x, bool greatest) {
    const int64_t of_a = (int64_t)bits_of(a), of_x = (int64_t)bits_of(x);
    return (greatest ? of_x > of_a : of_x < of_a) ? x : a;
}
static double least_unsigned(double a, double x, bool greatest) {
    return bits_of(x) < bits_of(a) ? x : a;
}

static const struct {
    const char *name, *op;
    enum red_pattern pattern;
    double (*fold)(double a, double x, bool greatest);
    double start; /* NaN: the item's first element */
} faults[] = {
    {"NaNs are left out of a sum", "sum", RED_PATTERN_NAN, skip_nan, 0},
    {"NaNs are left out of a mean", "mean", RED_PATTERN_NAN, skip_nan, 0},
    {"infinities are left out of a sum", "sum", RED_PATTERN_INFINITY, skip_infinite, 0},
    {"both infinities are left out", "sum", RED_PATTERN_INFINITIES, skip_infinite, 0},
    {"denormals count as 0", "sum", RED_PATTERN_DENORMALS, flush, 0},
    {"a < b ? a : b", "min", RED_PATTERN_NAN, extreme_or_last, INFINITY},
    {"a > b ? a : b", "max", RED_PATTERN_NAN, extreme_or_last, -INFINITY},
    {"min starts with its first element", "min", RED_PATTERN_NAN, extreme, NAN},
    {"max starts with its first element", "max", RED_PATTERN_NAN, extreme, NAN},
    {"a NaN is 0 of min", "min", RED_PATTERN_NAN, extreme_nan_is_0, INFINITY},
    {"a NaN is 0 of max", "max", RED_PATTERN_NAN, extreme_nan_is_0, -INFINITY},
    {"min of finite values only", "min", RED_PATTERN_INFINITY, extreme_finite, INFINITY},
    {"max of finite values only", "max", RED_PATTERN_INFINITY, extreme_finite, -INFINITY},
    {"min starts with the largest finite value", "min", RED_PATTERN_INFINITIES, extreme, 65504},
    {"max starts with the lowest finite value", "max", RED_PATTERN_INFINITIES, extreme, -65504},
    {"min of floats as integers", "min", RED_PATTERN_NEGATIVE_ZEROS, least_unsigned, INFINITY},
    {"max of floats as integers", "max", RED_PATTERN_NEGATIVE_ZEROS, extreme_signed, -INFINITY},
    {"min of NaNs as signed integers", "min", RED_PATTERN_NAN, extreme_signed, INFINITY},
    {"max of NaNs as signed integers", "max", RED_PATTERN_NAN, extreme_signed, -INFINITY},
};

/* Items take every ITEMS_N-th element and are folded one after the other. */
static double fold_faulty(const struct red_input *input, size_t f) {
    const bool greatest = input->op->does == RED_PICKS_GREATEST;
    double all = 0;
    for (uint64_t item = 0; item < ITEMS_N; item++) {
        double value = faults[f].start;
        for (uint64_t i = item; i < input->n; i += ITEMS_N) {
            double x = input->dtype->get_real(input->arrays[0], i);
            value = i == item && isnan(faults[f].start) ? x : faults[f].fold(value, x, greatest);
        }
        all = item == 0 ? value : faults[f].fold(all, value, greatest);
    }
    return all;
}

static const uint64_t sizes[] = {RED_SPECIAL_N_MIN, 13, 100, 1000};
enum { SIZES_N = sizeof sizes / sizeof sizes[0], SEEDS_N = 20 };

static void faults_show_for_every_seed(void **state) {
    static const char *const types[] = {"f16", "f32", "f64"};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0] * 3 * SIZES_N * SEEDS_N; i++) {
        size_t f = i / (3 * SIZES_N * SEEDS_N);
        const struct red_dtype *dtype = red_dtype_find(types[i % 3]);
        const struct red_op *op = red_op_find(faults[f].op);
        struct red_truth truth;
        struct red_value got = {.index = 0};
        if (faults[f].fold == flush && dtype->digits < 53)
            continue; /* as doubles they are none */
        struct red_input input = made_input(op, dtype, kind_of(faults[f].pattern), sizes[i / 3 % SIZES_N],
                                            1 + i / (3 * SIZES_N) % SEEDS_N);
        red_truth_find(&input, &truth);
        red_op_result_dtype(op, dtype)->put_real(
            &got, 0, fold_faulty(&input, f) / (double)(op->role == RED_ROLE_MEAN ? input.n : 1));
        if (red_truth_check(&truth, (double)input.n, got).right)
            fail_msg("%s, %s, n = %llu, seed %llu: passes", faults[f].name, dtype->name,
                     (unsigned long long)input.n, (unsigned long long)input.seed);
        red_input_clear(&input);
    }
}

/* ---- ranks: what places are the least of (kernels_cl12/lib/places.cl, RED_RANK) ------------------------ */

enum rank_fault {
    RANK_RIGHT,
    RANK_KEEPS_MINUS_0, /* -0 is less than +0 */
    RANK_NO_NAN,        /* NaNs rank as their bits do */
    RANK_NAN_OF_PLUS,   /* those with a sign do */
    RANK_NAN_OF_MINUS,
    RANK_NAN_FROM_INFINITY, /* infinities count as NaNs */
    RANK_NAN_ONE_PAYLOAD,   /* only the usual NaN is one */
    RANK_FAULTS_N
};

static uint64_t rank_of(double x, enum rank_fault fault, bool least_wins) {
    const uint64_t sign = UINT64_C(1) << 63, infinity = UINT64_C(0x7ff) << 52;
    uint64_t word = bits_of(x), size = word & ~sign;
    bool nan = fault == RANK_NAN_FROM_INFINITY ? size >= infinity : size > infinity;
    if (fault == RANK_NO_NAN || (fault == RANK_NAN_OF_PLUS && word & sign) ||
        (fault == RANK_NAN_OF_MINUS && !(word & sign)) ||
        (fault == RANK_NAN_ONE_PAYLOAD && size != bits_of(NAN)))
        nan = false;
    if (size == 0 && fault != RANK_KEEPS_MINUS_0)
        word = 0;
    uint64_t rank = word & sign ? ~word : word | sign;
    return nan ? UINT64_MAX : least_wins ? rank : ~rank;
}

static uint64_t place_of(const struct red_input *input, enum rank_fault fault) {
    bool least_wins = input->op->does == RED_PICKS_LEAST;
    uint64_t best = 0, rank = UINT64_MAX;
    for (uint64_t i = 0; i < input->n; i++) {
        uint64_t r = rank_of(input->dtype->get_real(input->arrays[0], i), fault, least_wins);
        if (r < rank) {
            rank = r;
            best = i;
        }
    }
    return best;
}

static void faulty_ranks_show_for_every_seed(void **state) {
    static const enum red_pattern finds[RANK_FAULTS_N] = {
        [RANK_RIGHT] = RED_PATTERN_NAN,           [RANK_KEEPS_MINUS_0] = RED_PATTERN_ZEROS,
        [RANK_NO_NAN] = RED_PATTERN_NAN,          [RANK_NAN_OF_PLUS] = RED_PATTERN_NAN,
        [RANK_NAN_OF_MINUS] = RED_PATTERN_NAN,    [RANK_NAN_FROM_INFINITY] = RED_PATTERN_INFINITY,
        [RANK_NAN_ONE_PAYLOAD] = RED_PATTERN_NAN,
    };
    static const char *const types[] = {"f16", "f32", "f64"};
    for (size_t i = 0; i < (size_t)RANK_FAULTS_N * 2 * 3 * SIZES_N * SEEDS_N; i++) {
        enum rank_fault fault = (enum rank_fault)(i % RANK_FAULTS_N);
        size_t rest = i / RANK_FAULTS_N;
        bool least_wins = rest % 2;
        struct red_input input =
            made_input(red_op_find(least_wins ? "argmin" : "argmax"), red_dtype_find(types[rest / 2 % 3]),
                       kind_of(finds[fault]), sizes[rest / 6 % SIZES_N], 1 + rest / (6 * SIZES_N));
        struct red_truth truth;
        red_truth_find(&input, &truth);
        bool right = place_of(&input, fault) == truth.index;
        /* A NaN that ranks by its bits is last of argmin, or of argmax, by itself. */
        bool harmless =
            (fault == RANK_NAN_OF_PLUS && !least_wins) || (fault == RANK_NAN_OF_MINUS && least_wins);
        if (right != (fault == RANK_RIGHT || harmless))
            fail_msg("fault %d of %s of %s, n = %llu, seed %llu: %s", (int)fault, input.op->name,
                     input.dtype->name, (unsigned long long)input.n, (unsigned long long)input.seed,
                     right ? "passes" : "does not");
        red_input_clear(&input);
    }
}
