/* Plans what verify --ranks checks (ranks/verify_plan.h): sets the levels of the factors, and chooses rows.
 */
#include "ranks/verify_plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/random.h"

enum factor { FACTOR_COUNT, FACTOR_SPLIT, FACTOR_OP, FACTOR_TYPE, FACTOR_SIZE, FACTOR_DATA, FACTORS_N };

static const char *const split_names[] = {"equal", "roof", "random"};

const char *red_ranks_split_name(enum red_ranks_split split) {
    return split_names[split < RED_SPLIT_RANDOM ? split : RED_SPLIT_RANDOM];
}

enum red_status red_ranks_splits_check(const char *list, struct red_error *error) {
    return red_select_check("split", list, split_names, RED_SPLIT_RANDOM + 1, error);
}

/* Sizes without --n: of few elements they follow from the number of ranks. */
enum {
    SIZE_NONE,
    SIZE_ONE,
    SIZE_FEWER,   /* than ranks */
    SIZE_AS_MANY, /* as ranks */
    SIZE_MORE,    /* by one */
    SIZE_PRIME,
    SIZE_BELOW_POWER,
    SIZE_POWER,
    SIZE_ABOVE_POWER,
    SIZE_RANDOM,
    SIZE_LARGE,
    SIZES_N
};

/* Of a pattern `part` the seed draws two of its parts. Special values, which come last, are for the host's
 * row alone. */
static const enum red_pattern patterns[] = {
    RED_PATTERN_WEIGHTS,     RED_PATTERN_PART,        RED_PATTERN_PART,        RED_PATTERN_GREATEST,
    RED_PATTERN_LEAST,       RED_PATTERN_CLOSE_ABOVE, RED_PATTERN_CLOSE_BELOW, RED_PATTERN_SCALED_UP,
    RED_PATTERN_SCALED_DOWN, RED_PATTERN_UNIFORM,     RED_PATTERN_CANCELLING,  RED_PATTERN_WIDE,
    RED_PATTERN_HUGE,        RED_PATTERN_NAN,         RED_PATTERN_INFINITY,    RED_PATTERN_INFINITIES,
    RED_PATTERN_ZEROS};
enum { PATTERNS_N = sizeof patterns / sizeof patterns[0] };

/* ---- rows ---------------------------------------------------------------------------------------------- */

uint64_t red_ranks_plan_hash(const struct red_ranks_plan *plan, uint64_t a, uint64_t b) {
    uint64_t state = red_hash_add(red_hash_add(red_hash_add(RED_HASH, plan->session->selection->seed), a), b);
    return red_random(&state);
}

/* The n of a level for so many ranks. */
static uint64_t size_of_level(const struct red_ranks_plan *plan, unsigned level, uint64_t ranks_n) {
    static const uint64_t primes[] = {13, 61, 127, 509, 1021, 4099, 8191, 16411};
    const struct red_sizes *given = &plan->session->selection->n;
    const uint64_t h = red_ranks_plan_hash(plan, level, ranks_n), power = UINT64_C(8) << h % 10;
    const uint64_t sizes[SIZES_N] = {[SIZE_NONE] = 0,
                                     [SIZE_ONE] = 1,
                                     [SIZE_FEWER] = ranks_n > 2 ? 2 + h % (ranks_n - 2) : 2,
                                     [SIZE_AS_MANY] = ranks_n,
                                     [SIZE_MORE] = ranks_n + 1,
                                     [SIZE_PRIME] = primes[h % (sizeof primes / sizeof primes[0])],
                                     [SIZE_BELOW_POWER] = power - 1,
                                     [SIZE_POWER] = power,
                                     [SIZE_ABOVE_POWER] = power + 1,
                                     [SIZE_RANDOM] = 3 + h % 20000,
                                     [SIZE_LARGE] = (1 << 19) + h % (1 << 19)};
    return given->n > 0 ? given->values[level] : sizes[level];
}

/* What the row says. */
static struct red_ranks_check check_of_row(const struct red_ranks_plan *plan, const unsigned char *row) {
    const struct red_session *session = plan->session;
    const uint64_t ranks_n = plan->counts[row[FACTOR_COUNT]],
                   n = size_of_level(plan, row[FACTOR_SIZE], ranks_n);
    struct red_ranks_check check = {
        .count = row[FACTOR_COUNT],
        .ranks_n = (int)ranks_n,
        .split = plan->splits[row[FACTOR_SPLIT]],
        .spec = red_data_spec_make(session->ops[row[FACTOR_OP]], session->types[row[FACTOR_TYPE]],
                                   (struct red_data_kind){patterns[row[FACTOR_DATA]], 0}, n,
                                   session->selection->seed)};
    if (check.spec.data_kind.pattern == RED_PATTERN_PART)
        check.spec.data_kind.part = (unsigned)((red_ranks_plan_hash(plan, 7, 7) % 1024 + row[FACTOR_DATA]) %
                                               red_data_kind_parts_n(check.spec.op, check.spec.dtype, n));
    return check;
}

/* Whether there is such a check: the function `valid` of a red_covering_spec. Nobody says what min and max of
 * a piece are that has NaNs alone. */
static bool is_check(const void *context, const unsigned char row[RED_FACTORS_MAX]) {
    const struct red_ranks_plan *plan = context;
    const struct red_ranks_check check = check_of_row(plan, row);
    const enum red_pattern pattern = check.spec.data_kind.pattern;
    return red_pattern_fits(pattern, check.spec.op, check.spec.dtype) &&
           (!red_pattern_is_special(pattern) || check.spec.n >= RED_SPECIAL_N_MIN) &&
           (pattern != RED_PATTERN_NAN || check.spec.op->role != RED_ROLE_ORDER) &&
           red_op_check_n(check.spec.op, check.spec.dtype, check.spec.n, NULL) == RED_OK &&
           (check.ranks_n > 1 || row[FACTOR_SPLIT] == 0);
}

/* ---- the plan ------------------------------------------------------------------------------------------ */

/* Adds a row for each combination but of splits, which take turns. */
static enum red_status list_all(struct red_ranks_plan *plan, const size_t levels_n[RED_FACTORS_MAX],
                                struct red_error *error) {
    unsigned char row[RED_FACTORS_MAX] = {0};
    size_t all = 1, turn = 0;
    for (int f = 0; f < FACTORS_N; f++)
        all *= f == FACTOR_SPLIT ? 1 : levels_n[f];
    plan->rows = calloc(all, sizeof *plan->rows);
    if (plan->rows == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu checks", all);
    for (size_t i = 0; i < all; i++) {
        size_t rest = i;
        for (int f = 0; f < FACTORS_N; f++) {
            row[f] = (unsigned char)(f == FACTOR_SPLIT ? turn % levels_n[f] : rest % levels_n[f]);
            rest = f == FACTOR_SPLIT ? rest : rest / levels_n[f];
        }
        if (plan->counts[row[FACTOR_COUNT]] == 1)
            row[FACTOR_SPLIT] = 0;
        if (is_check(plan, row)) {
            memcpy(plan->rows[plan->rows_n++], row, sizeof row);
            turn++;
        }
    }
    return RED_OK;
}

/* Chooses the rows, the same on all ranks. */
static enum red_status choose_rows(struct red_ranks_plan *plan, struct red_error *error) {
    const struct red_selection *selection = plan->session->selection;
    struct red_covering_spec spec = {.factors_n = FACTORS_N,
                                     .levels_n = {plan->counts_n, plan->splits_n, plan->session->ops_n,
                                                  plan->session->types_n,
                                                  selection->n.n > 0 ? selection->n.n : SIZES_N, PATTERNS_N},
                                     .seed = selection->seed,
                                     .valid = is_check,
                                     .context = plan};
    struct red_covering_array array;
    if (selection->n.n > RED_LEVELS_MAX)
        return red_fail(error, RED_E_INPUT, "--n: verify takes at most %d sizes", RED_LEVELS_MAX);
    if (selection->all)
        return list_all(plan, spec.levels_n, error);
    const enum red_status status = red_covering_array_make(&spec, &array, error);
    if (status != RED_OK)
        return status;
    plan->rows = array.rows;
    plan->rows_n = array.rows_n;
    plan->pairs_n = array.pairs_n;
    return RED_OK;
}

/* Sets the numbers of ranks and the splits that were asked for, or all. */
static enum red_status set_levels(const struct red_ranks_options *options, uint64_t all,
                                  struct red_ranks_plan *plan, struct red_error *error) {
    const enum red_status status = red_rank_counts_check(&options->counts, all, error);
    if (status != RED_OK)
        return status;
    plan->counts_n = options->counts.n > 0 ? options->counts.n
                                           : (size_t)(all < RED_RANK_COUNTS_MAX ? all : RED_RANK_COUNTS_MAX);
    for (size_t i = 0; i < plan->counts_n; i++)
        plan->counts[i] = options->counts.n > 0 ? options->counts.values[i] : i + 1;
    if (options->counts.n == 0)
        plan->counts[plan->counts_n - 1] = all;
    for (int split = 0; split < RED_SPLITS_N; split++)
        if (red_select_matches(options->split, red_ranks_split_name((enum red_ranks_split)split)))
            plan->splits[plan->splits_n++] = (enum red_ranks_split)split;
    return RED_OK;
}

enum red_status red_ranks_plan_make(const struct red_session *session,
                                    const struct red_ranks_options *options, uint64_t ranks_n,
                                    struct red_ranks_plan *plan, struct red_error *error) {
    *plan = (struct red_ranks_plan){.session = session};
    const enum red_status status = set_levels(options, ranks_n, plan, error);
    return status == RED_OK ? choose_rows(plan, error) : status;
}

void red_ranks_plan_clear(struct red_ranks_plan *plan) {
    free(plan->rows);
    *plan = (struct red_ranks_plan){.rows = NULL};
}

struct red_ranks_check red_ranks_plan_check(const struct red_ranks_plan *plan, size_t row) {
    return check_of_row(plan, plan->rows[row]);
}

/* Which of the session's operations, and types, it is. */
static size_t number_of_op(const struct red_session *session, const struct red_op *op) {
    size_t i = 0;
    while (session->ops[i] != op)
        i++;
    return i;
}
static size_t number_of_type(const struct red_session *session, const struct red_dtype *dtype) {
    size_t i = 0;
    while (session->types[i] != dtype)
        i++;
    return i;
}

bool red_ranks_plan_draw(const struct red_ranks_plan *plan, size_t count, const struct red_op *op,
                         const struct red_dtype *dtype, uint64_t *random, struct red_ranks_check *check) {
    enum { TRIES = 64 };
    const struct red_session *session = plan->session;
    const size_t sizes_n = session->selection->n.n > 0 ? session->selection->n.n : SIZES_N;
    for (int i = 0; i < TRIES; i++) {
        const unsigned char row[RED_FACTORS_MAX] = {
            [FACTOR_COUNT] = (unsigned char)count,
            [FACTOR_SPLIT] =
                (unsigned char)(plan->counts[count] > 1 ? red_random(random) % plan->splits_n : 0),
            [FACTOR_OP] = (unsigned char)number_of_op(session, op),
            [FACTOR_TYPE] = (unsigned char)number_of_type(session, dtype),
            [FACTOR_SIZE] = (unsigned char)(red_random(random) % sizes_n),
            [FACTOR_DATA] = (unsigned char)(red_random(random) % PATTERNS_N)};
        *check = check_of_row(plan, row);
        if (is_check(plan, row) && !red_pattern_is_special(check->spec.data_kind.pattern))
            return true;
    }
    return false;
}

void red_ranks_plan_set_weights(const struct red_ranks_plan *plan, const struct red_ranks_check *check,
                                const double *roofs, double *weights) {
    const int n = check->ranks_n;
    uint64_t random = red_ranks_plan_hash(plan, check->spec.n, (uint64_t)n);
    const int alone = (int)(red_random(&random) % (uint64_t)n);
    for (int i = 0; i < n; i++) {
        const double drawn = (double)(1 + red_random(&random) % 1000);
        weights[i] = check->split == RED_SPLIT_EQUAL   ? 1
                     : check->split == RED_SPLIT_ROOF  ? roofs[i]
                     : check->split == RED_SPLIT_ALONE ? i == alone
                                                       : drawn;
    }
    if (check->split == RED_SPLIT_FIRST_EMPTY || check->split == RED_SPLIT_LAST_EMPTY)
        weights[check->split == RED_SPLIT_LAST_EMPTY ? n - 1 : 0] = 0;
    if (check->split == RED_SPLIT_RANDOM)
        weights[alone] = n > 2 ? 0 : weights[alone];
}
