/* Verifies one array over many ranks: plans what is checked, and checks what ranks make of their pieces, and
 * what the collectives make of that. The checks of a team stand together, so that who is not in it sleeps
 * once. */
#include "ranks/team_checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "core/text.h"
#include "oracle/combiners.h"
#include "ranks/scaling.h"
#include "ranks/team.h"
#include "run/session.h"
#include "verify/covering_array.h"

/* ---- what is checked ----------------------------------------------------------------------------------- */

/* Splits; those behind SPLIT_RANDOM are random, too, but for one rank: it has nothing, or all. */
enum split {
    SPLIT_EQUAL,
    SPLIT_ROOF,
    SPLIT_RANDOM,
    SPLIT_FIRST_EMPTY,
    SPLIT_LAST_EMPTY,
    SPLIT_ALONE,
    SPLITS_N
};

/* The same on all ranks. A row is a level of each factor. */
struct plan {
    const struct red_session *session;    /* borrowed */
    uint64_t counts[RED_RANK_COUNTS_MAX]; /* of ranks */
    enum split splits[SPLITS_N];
    size_t counts_n, splits_n;
    unsigned char (*rows)[RED_FACTORS_MAX]; /* owned */
    size_t rows_n, pairs_n;                 /* pairs_n: covered; 0 with --all */
};

/* A row with its levels looked up. */
struct check {
    size_t count; /* which of the plan's numbers of ranks */
    int ranks_n;
    enum split split;
    struct red_data_spec spec; /* of the whole array */
};

enum factor { FACTOR_COUNT, FACTOR_SPLIT, FACTOR_OP, FACTOR_TYPE, FACTOR_SIZE, FACTOR_DATA, FACTORS_N };

static const char *const split_names[] = {"equal", "roof", "random"};

static const char *name_of_split(enum split split) {
    return split_names[split < SPLIT_RANDOM ? split : SPLIT_RANDOM];
}

/* Refuses splits that there are not. Errors: RED_E_INPUT with those that there are. */
static enum red_status check_splits(const char *list, struct red_error *error) {
    return red_select_check("split", list, split_names, SPLIT_RANDOM + 1, error);
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

/* 64 bits that follow from the seed and these two. */
static uint64_t hash_of(const struct plan *plan, uint64_t a, uint64_t b) {
    uint64_t state = red_hash_add(red_hash_add(red_hash_add(RED_HASH, plan->session->selection->seed), a), b);
    return red_random(&state);
}

/* The n of a level for so many ranks. */
static uint64_t size_of_level(const struct plan *plan, unsigned level, uint64_t ranks_n) {
    static const uint64_t primes[] = {13, 61, 127, 509, 1021, 4099, 8191, 16411};
    const struct red_sizes *given = &plan->session->selection->n;
    const uint64_t h = hash_of(plan, level, ranks_n), power = UINT64_C(8) << h % 10;
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
static struct check check_of_row(const struct plan *plan, const unsigned char *row) {
    const struct red_session *session = plan->session;
    const uint64_t ranks_n = plan->counts[row[FACTOR_COUNT]],
                   n = size_of_level(plan, row[FACTOR_SIZE], ranks_n);
    struct check check = {.count = row[FACTOR_COUNT],
                          .ranks_n = (int)ranks_n,
                          .split = plan->splits[row[FACTOR_SPLIT]],
                          .spec = red_data_spec_make(session->ops[row[FACTOR_OP]],
                                                     session->types[row[FACTOR_TYPE]],
                                                     (struct red_data_kind){patterns[row[FACTOR_DATA]], 0}, n,
                                                     session->selection->seed)};
    if (check.spec.data_kind.pattern == RED_PATTERN_PART)
        check.spec.data_kind.part = (unsigned)((hash_of(plan, 7, 7) % 1024 + row[FACTOR_DATA]) %
                                               red_data_kind_parts_n(check.spec.op, check.spec.dtype, n));
    return check;
}

/* Whether there is such a check: the function `valid` of a red_covering_spec. Nobody says what min and max of
 * a piece are that has NaNs alone. */
static bool is_check(const void *context, const unsigned char row[RED_FACTORS_MAX]) {
    const struct plan *plan = context;
    const struct check check = check_of_row(plan, row);
    const enum red_pattern pattern = check.spec.data_kind.pattern;
    return red_pattern_fits(pattern, check.spec.op, check.spec.dtype) &&
           (!red_pattern_is_special(pattern) || check.spec.n >= RED_SPECIAL_N_MIN) &&
           (pattern != RED_PATTERN_NAN || check.spec.op->role != RED_ROLE_ORDER) &&
           red_op_check_n(check.spec.op, check.spec.dtype, check.spec.n, NULL) == RED_OK &&
           (check.ranks_n > 1 || row[FACTOR_SPLIT] == 0);
}

/* ---- the plan ------------------------------------------------------------------------------------------ */

/* Adds a row for each combination but of splits, which take turns. */
static enum red_status list_all(struct plan *plan, const size_t levels_n[RED_FACTORS_MAX],
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
static enum red_status choose_rows(struct plan *plan, struct red_error *error) {
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
static enum red_status set_levels(const struct red_ranks_options *options, uint64_t all, struct plan *plan,
                                  struct red_error *error) {
    const enum red_status status = red_rank_counts_check(&options->counts, all, error);
    if (status != RED_OK)
        return status;
    plan->counts_n = options->counts.n > 0 ? options->counts.n
                                           : (size_t)(all < RED_RANK_COUNTS_MAX ? all : RED_RANK_COUNTS_MAX);
    for (size_t i = 0; i < plan->counts_n; i++)
        plan->counts[i] = options->counts.n > 0 ? options->counts.values[i] : i + 1;
    if (options->counts.n == 0)
        plan->counts[plan->counts_n - 1] = all;
    for (int split = 0; split < SPLITS_N; split++)
        if (red_select_matches(options->split, name_of_split((enum split)split)))
            plan->splits[plan->splits_n++] = (enum split)split;
    return RED_OK;
}

/* Makes the plan for so many ranks. Release with clear_plan. Errors: RED_E_INPUT, RED_E_MEMORY,
 * RED_E_INTERRUPTED. */
static enum red_status make_plan(const struct red_session *session, const struct red_ranks_options *options,
                                 uint64_t ranks_n, struct plan *plan, struct red_error *error) {
    *plan = (struct plan){.session = session};
    const enum red_status status = set_levels(options, ranks_n, plan, error);
    return status == RED_OK ? choose_rows(plan, error) : status;
}

static void clear_plan(struct plan *plan) {
    free(plan->rows);
    *plan = (struct plan){.rows = NULL};
}

/* The check of a row of the plan. */
static struct check nth_check(const struct plan *plan, size_t row) {
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

/* Draws a check with one of the numbers of ranks, of an operation and a type; what a strategy makes of
 * special values is its own promise, so there are none. False if none was found. */
static bool draw_check(const struct plan *plan, size_t count, const struct red_op *op,
                       const struct red_dtype *dtype, uint64_t *random, struct check *check) {
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

/* Sets the weights of the check's split; those that are random follow from seed, n and number of ranks. */
static void set_weights(const struct plan *plan, const struct check *check, const double *roofs,
                        double *weights) {
    const int n = check->ranks_n;
    uint64_t random = hash_of(plan, check->spec.n, (uint64_t)n);
    const int alone = (int)(red_random(&random) % (uint64_t)n);
    for (int i = 0; i < n; i++) {
        const double drawn = (double)(1 + red_random(&random) % 1000);
        weights[i] = check->split == SPLIT_EQUAL   ? 1
                     : check->split == SPLIT_ROOF  ? roofs[i]
                     : check->split == SPLIT_ALONE ? i == alone
                                                   : drawn;
    }
    if (check->split == SPLIT_FIRST_EMPTY || check->split == SPLIT_LAST_EMPTY)
        weights[check->split == SPLIT_LAST_EMPTY ? n - 1 : 0] = 0;
    if (check->split == SPLIT_RANDOM)
        weights[alone] = n > 2 ? 0 : weights[alone];
}

/* ---- checks of pieces ---------------------------------------------------------------------------------- */

enum red_status red_check_own(struct red_piece *piece, const struct red_strategy *strategy, bool timed_only,
                              struct red_error *error) {
    const struct red_team *team = piece->team;
    const struct red_case spec = red_case_make(&piece->dataset.spec, strategy, NULL);
    struct red_verification verification;
    enum red_status status = red_team_check_device(team, strategy, error);
    red_watch_step(1e-7 * (double)piece->n, "%s is verified", strategy->name);
    if (status == RED_OK && piece->n > 0 && strategy->standard != RED_STANDARD_HOST) {
        status = red_dataset_verify(&piece->dataset, team->member->device, &spec, timed_only, &verification,
                                    error);
        if (status == RED_OK && !verification.right) {
            char text[RED_EVIDENCE_BYTES];
            red_evidence_format(&verification.evidence, text, sizeof text);
            status = red_fail(error, RED_E_WRONG, "%s", text);
        }
    }
    return red_ranks_agree(team->member->ranks, &team->comm, status, error);
}

enum red_status red_check_call(struct red_piece_call *call, const struct red_collective_row *collective,
                               struct red_cell *cell, struct red_error *error) {
    const struct red_data_spec *data = &call->piece->dataset.spec;
    struct red_timing timing;
    enum red_status status =
        red_timing_make(call->piece->team, call, collective, data->op, data->dtype, cell, &timing, error);
    if (status == RED_OK) {
        status = red_timing_check(&timing, &call->piece->whole, error);
        red_timing_clear(&timing);
    }
    return status;
}

/* ---- checks of what collectives make ------------------------------------------------------------------- */

/* A float of any sign. For sums of many magnitudes, so that some depend on the order; else near 1, so that
 * what is made of many is in range. */
static double draw_real(const struct red_op *op, uint64_t random) {
    const double real = (double)(int64_t)random;
    return op->does == RED_ADDS || red_op_picks(op) ? ldexp(real, -63 - (int)(random % 41))
                                                    : copysign(1 + ldexp(fabs(real), -66), real);
}

/* Sets a partial result: each fourth is that of no elements. Of places few keys are drawn, with any index. */
static void draw_partial(const struct red_op *op, const struct red_dtype *dtype, uint64_t *random,
                         struct red_partial *partial) {
    const enum red_accumulator_index type =
        (enum red_accumulator_index)(red_op_accumulator(op, dtype) - red_accumulators);
    const uint64_t bits = red_random(random),
                   index = red_random(random) >> (dtype->bits < 64 ? dtype->bits : 1);
    red_partial_set_identity(op, dtype, partial);
    if (bits >> 62 == 0)
        return;
    if (type == RED_ACCUMULATOR_pair)
        partial->pair = (struct red_pair){.key = bits % 3, .index = bits % 7 == 0 ? index : index >> 40};
    else if (op->role == RED_ROLE_PLACE)
        partial->u64 = bits % 3 << (64 - dtype->bits) | index;
    else if (red_op_accumulator(op, dtype)->is_float)
        partial->f64 = draw_real(op, bits);
    else if (type == RED_ACCUMULATOR_u32 || type == RED_ACCUMULATOR_i32)
        partial->u32 = (uint32_t)bits;
    else
        partial->u64 = bits;
}

/* What is right of these partial results: their exact sum, and their fold in the order of the ranks. */
struct folded {
    struct red_truth truth; /* of sums of floats */
    struct red_value in_order;
};

static struct folded fold_partials(const struct red_op *op, const struct red_dtype *dtype,
                                   const struct red_partial *all, int ranks_n, uint64_t n) {
    struct folded folded = {.truth = {.dtype = dtype, .op = op, .n = n}};
    struct red_partial fold = all[0];
    red_exact_reset(&folded.truth.real);
    for (int r = 0; r < ranks_n; r++) {
        if (r > 0)
            red_partial_combine(op, dtype, &fold, &all[r]);
        if (red_op_accumulator(op, dtype)->is_float && !red_op_picks(op))
            red_combiner_of(op)->take_real(&folded.truth, all[r].f64);
    }
    folded.in_order = red_partial_answer(op, dtype, &fold, n);
    return folded;
}

/* Whether the collective's answer is right. */
static bool is_fold(const struct folded *folded, const struct red_collective_row *collective, int ranks_n,
                    struct red_value got, struct red_value *expected) {
    const struct red_op *op = folded->truth.op;
    const struct red_dtype *dtype = folded->truth.dtype;
    const bool is_rounded = dtype->is_float && !red_op_picks(op);
    *expected = is_rounded && op->does == RED_ADDS && collective->exact
                    ? red_exact_round(&folded->truth.real, op->role == RED_ROLE_MEAN ? folded->truth.n : 1,
                                      red_op_result_dtype(op, dtype))
                    : folded->in_order;
    if (is_rounded && (op->does != RED_ADDS || !collective->exact) && !collective->gathers)
        return red_truth_check(&folded->truth, red_collective_chain(op, dtype, ranks_n), got).right;
    return got.bits == expected->bits && got.index == expected->index;
}

/* One round: combines partial results that are drawn anew, and checks the answer where this rank has it. */
static enum red_status check_fold(const struct red_team *team, struct red_collective *made,
                                  const struct red_collective_row *collective, const struct red_truth *of,
                                  uint64_t *random, struct red_error *error) {
    struct red_partial mine;
    struct red_value expected;
    char expected_text[64], got_text[64];
    uint64_t own = *random ^ (uint64_t)team->comm.rank << 32, n = 1 + (red_random(random) >> 24);
    memset(&mine, 0, sizeof mine);
    draw_partial(of->op, of->dtype, &own, &mine);
    const struct red_value got = red_collective_run(made, &mine, NULL, n);
    struct red_partial *all = red_ranks_gather(team->member->ranks, &team->comm, &mine, sizeof mine);
    const struct folded folded = fold_partials(of->op, of->dtype, all, team->ranks_n, n);
    free(all);
    if ((team->comm.rank > 0 && !collective->everywhere) ||
        is_fold(&folded, collective, team->ranks_n, got, &expected))
        return RED_OK;
    red_truth_answer_format(of, &expected, expected_text, sizeof expected_text);
    red_truth_answer_format(of, &got, got_text, sizeof got_text);
    return red_fail(error, RED_E_WRONG, "of %d drawn partial results, for n = %llu: expected %s, got %s",
                    team->ranks_n, (unsigned long long)n, expected_text, got_text);
}

/* Combines partial results that the seed draws, several times by the same collective, and compares with their
 * fold in the order of the ranks: the answer is the same bit by bit, but that sums of floats may be off by
 * their bound, and those of `exact` are the exact one. Drawn are places of equal values, sums that wrap,
 * floats of many magnitudes, ranks without an element, and n up to 2^40. Errors, on all ranks of the team:
 * RED_E_WRONG; those of red_collective_make. */
static enum red_status check_folds(const struct red_team *team, const struct red_collective_row *collective,
                                   const struct red_op *op, const struct red_dtype *dtype, uint64_t seed,
                                   struct red_error *error) {
    enum { ROUNDS = 4 };
    const struct red_ranks *ranks = team->member->ranks;
    const struct red_truth of = {.op = op, .dtype = dtype};
    struct red_collective *made = NULL;
    enum red_status status = red_collective_make(ranks, &team->comm, collective, op, dtype, &made, error);
    if (status != RED_OK)
        return status;
    red_watch_step(0, "%s combines drawn partial results", collective->name);
    for (int round = 0; round < ROUNDS; round++) {
        struct red_error wrong;
        const enum red_status here = check_fold(team, made, collective, &of, &seed, &wrong);
        if (here != RED_OK && status == RED_OK)
            status = red_fail(error, here, "%s", wrong.text);
    }
    red_collective_destroy(made);
    return red_ranks_agree(ranks, &team->comm, status, error);
}

/* ---- checks of cuts ------------------------------------------------------------------------------------ */

enum { CUT_PIECES_MAX = 64 };

/* Whether the pieces are what team.h says of them. */
static bool is_cut(uint64_t n, const double *weights, size_t pieces_n, const uint64_t *firsts, bool equal) {
    const long double off = 1.5L + (equal ? 0 : (long double)n * 0x1p-13L);
    long double all = 0, before = 0;
    for (size_t i = 0; i < pieces_n; i++)
        all += weights[i];
    bool right = firsts[0] == 0 && firsts[pieces_n] == n;
    for (size_t i = 0; i < pieces_n; i++) {
        const long double place = (long double)n * before / all;
        right = right && firsts[i] <= firsts[i + 1] && (weights[i] > 0 || firsts[i] == firsts[i + 1]) &&
                fabsl((long double)firsts[i] - place) <= off;
        before += weights[i];
    }
    return right;
}

/* Cuts arrays that the seed draws, many of them longer than any memory, and checks that the pieces follow
 * each other, are all of the array and as long as their weights say, and are the same on all ranks. Errors,
 * on all ranks: RED_E_WRONG. */
static enum red_status check_cuts(const struct red_ranks *ranks, uint64_t seed, struct red_error *error) {
    enum { ROUNDS = 200 };
    uint64_t random = seed, hash = RED_HASH;
    enum red_status status = RED_OK;
    for (int round = 0; round < ROUNDS; round++) {
        double weights[CUT_PIECES_MAX];
        uint64_t firsts[CUT_PIECES_MAX + 1];
        const uint64_t n = red_random(&random) >> (1 + red_random(&random) % 63);
        const size_t pieces_n = 1 + (size_t)(red_random(&random) % CUT_PIECES_MAX);
        for (size_t i = 0; i < pieces_n; i++)
            weights[i] = round % 2 == 0 ? 1 : (double)(red_random(&random) % 4) * 1e9;
        weights[red_random(&random) % pieces_n] += round % 2 == 0 ? 0 : 1e9;
        red_pieces_cut(n, weights, pieces_n, firsts);
        for (size_t i = 0; i <= pieces_n; i++)
            hash = red_hash_add(hash, firsts[i]);
        if (status == RED_OK && !is_cut(n, weights, pieces_n, firsts, round % 2 == 0))
            status =
                red_fail(error, RED_E_WRONG,
                         "%zu pieces of n = %llu are not all of it, one behind the other, by their weights",
                         pieces_n, (unsigned long long)n);
    }
    uint64_t *hashes = red_ranks_gather(ranks, &ranks->world, &hash, sizeof hash);
    if (status == RED_OK && hash != hashes[0])
        status = red_fail(error, RED_E_WRONG, "it cuts an array into other pieces than rank 0");
    free(hashes);
    return red_ranks_agree(ranks, &ranks->world, status, error);
}

/* ---- verifying ----------------------------------------------------------------------------------------- */

enum { REASONS_MAX = 24, ROOF_N = 1 << 20, TOLD_MAX = 12 };
static const double BUDGET_S = 20;

enum red_status red_ranks_verify_options_check(const struct red_ranks_options *options,
                                               struct red_error *error) {
    const enum red_status status = check_splits(options->split, error);
    return status == RED_OK ? red_select_check("collective", options->collective, red_collective_names,
                                               red_collectives_n, error)
                            : status;
}

/* What the ranks hold while they verify. */
struct verifying {
    const struct red_ranks *ranks;
    const struct red_ranks_options *options;
    const struct red_session *session;
    FILE *out; /* NULL but on rank 0 */
    struct red_member member;
    double *roofs, *weights; /* owned; of each rank; those of the split at hand */
    struct plan plan;
    const struct red_collective_row *collectives[RED_COLLECTIVES_MAX];
    size_t collectives_n;
    double start_s, budget_s;
    size_t happened[RED_STATES_N], programs_n, arrays_n;
    char reasons[REASONS_MAX][160]; /* of what cannot run, each once */
    size_t reasons_n, told_n;
    struct red_worst worst; /* it decides the exit status, and its error is kept */
    struct red_error error;
};

/* ---- outcomes ------------------------------------------------------------------------------------------ */

/* The command that makes the check again: with the same number of ranks, and as their device asks for. */
static void print_command(const struct verifying *v, const struct check *check,
                          const struct red_strategy *strategy, const char *collective) {
    const struct red_selection *selection = v->session->selection;
    fprintf(v->out, "  again: mpirun -n %d", check->ranks_n);
    red_shell_quoted_print(v->out, " ", selection->program ? selection->program : "clreduce");
    fprintf(v->out, " verify --ranks --rank-counts %d --split %s --strategy %s", check->ranks_n,
            name_of_split(check->split), strategy->name);
    if (collective != NULL)
        fprintf(v->out, " --collective %s", collective);
    if (selection->device != NULL)
        red_shell_quoted_print(v->out, " --device ", selection->device);
    if (selection->expect != NULL)
        red_shell_quoted_print(v->out, " --expect ", selection->expect);
    for (size_t i = 0; i < selection->kernels_n; i++)
        red_shell_quoted_print(v->out, " --kernel ", selection->kernels[i]);
    fprintf(v->out, " --op %s --type %s --n %llu --seed %llu\n", check->spec.op->name,
            check->spec.dtype->name, (unsigned long long)check->spec.n, (unsigned long long)selection->seed);
}

/* Keeps a reason why something cannot run, each once. */
static void add_reason(struct verifying *v, const char *name, const char *reason) {
    char text[sizeof v->reasons[0]] = "";
    red_text_add(text, sizeof text, "%s: %s", name, reason);
    for (size_t i = 0; i < v->reasons_n; i++)
        if (strcmp(v->reasons[i], text) == 0)
            return;
    if (v->reasons_n < REASONS_MAX)
        memcpy(v->reasons[v->reasons_n++], text, sizeof text);
}

/* Counts how a check ended, of a call by a collective or (NULL) of what comes before; prints it where it is
 * neither right nor unsupported. False where the run ends. */
static bool count_outcome(struct verifying *v, const struct check *check, const struct red_strategy *strategy,
                          const char *collective, enum red_status status, const struct red_error *error) {
    const enum red_state state = status == RED_OK ? RED_STATE_PASS : red_state_of(status);
    if (status == RED_E_INTERRUPTED) {
        if (!red_finding_is_told(v->worst.status, status)) {
            v->worst = (struct red_worst){.status = status};
            v->error = *error;
        }
        return false;
    }
    v->happened[state]++;
    if (state == RED_STATE_UNSUPPORTED)
        add_reason(v, strategy->standard == RED_STANDARD_HOST && collective ? collective : strategy->name,
                   error->text);
    if (state == RED_STATE_PASS || state == RED_STATE_UNSUPPORTED)
        return true;
    char data[64];
    struct red_error told;
    red_data_kind_format(check->spec.data_kind, check->spec.op, check->spec.dtype, check->spec.n, data,
                         sizeof data);
    (void)red_fail(&told, status, "%s%s%s over %d ranks: %s of %s, n = %llu, %s pieces, %s: %s",
                   strategy->name, collective ? " with " : "", collective ? collective : "", check->ranks_n,
                   check->spec.op->name, check->spec.dtype->name, (unsigned long long)check->spec.n,
                   name_of_split(check->split), data, error->text);
    if (red_worst_add(&v->worst, status, 0))
        v->error = told;
    if (v->out != NULL && v->told_n++ < TOLD_MAX) {
        fprintf(v->out, "%s: %s\n", red_state_name(state), told.text);
        print_command(v, check, strategy, collective);
        fflush(v->out);
    }
    return true;
}

/* ---- one array ----------------------------------------------------------------------------------------- */

/* From which the partial results of a check are drawn: the same where the check is made again. */
static uint64_t fold_seed(const struct verifying *v, const struct check *check,
                          const struct red_collective_row *collective) {
    return hash_of(&v->plan, check->spec.n,
                   (uint64_t)(collective - red_collectives) << 32 | (uint64_t)check->ranks_n << 8 |
                       check->spec.data_kind.pattern);
}

/* Checks a call by every collective; of the host also what the collective makes of drawn partial results. */
static bool check_collectives(struct verifying *v, const struct check *check,
                              const struct red_strategy *strategy, struct red_piece_call *call) {
    const struct red_data_spec *spec = &check->spec;
    bool goes_on = true;
    for (size_t i = 0; i < v->collectives_n && goes_on; i++) {
        const struct red_collective_row *collective = v->collectives[i];
        struct red_cell cell = {.at = {.strategy = strategy, .n = spec->n}};
        struct red_error error;
        snprintf(cell.at.collective, sizeof cell.at.collective, "%s", collective->name);
        enum red_status status = red_check_call(call, collective, &cell, &error);
        red_cell_clear(&cell);
        if (status == RED_OK && strategy->standard == RED_STANDARD_HOST)
            status = check_folds(call->piece->team, collective, spec->op, spec->dtype,
                                 fold_seed(v, check, collective), &error);
        goes_on = count_outcome(v, check, strategy, collective->name, status, &error);
    }
    return goes_on;
}

/* Whether the register of known bugs lists the strategy over this piece on this rank's driver. It is left out
 * then: who crashes a driver ends all ranks. Errors, on all ranks of the team: RED_E_UNSUPPORTED. */
static enum red_status check_not_known(const struct verifying *v, const struct red_piece *piece,
                                       const struct red_strategy *strategy, struct red_error *error) {
    const struct red_device_info *info = v->member.device ? red_device_info(v->member.device) : NULL;
    enum red_status status = RED_OK;
    if (info != NULL && strategy->standard != RED_STANDARD_HOST) {
        const struct red_known_failure_cell cell = {
            .device = info,
            .strategy = strategy,
            .op = piece->dataset.spec.op,
            .dtype = piece->dataset.spec.dtype,
            .n = piece->n,
            .group_size = red_geometry_default_group_size(strategy, &info->shape)};
        const struct red_known_failure *known = red_known_failures_find(&v->session->known_failures, &cell);
        if (known != NULL)
            status = red_fail(error, RED_E_UNSUPPORTED, "known bug (%s:%u): %s", known->file, known->line,
                              known->reason);
    }
    return red_ranks_agree(v->ranks, &piece->team->comm, status, error);
}

/* Checks one array of a team by a strategy, or by the host's row. False where the run ends. */
static bool check_array(struct verifying *v, const struct red_team *team, const struct check *check,
                        const struct red_strategy *strategy) {
    struct red_error error;
    struct red_piece piece;
    struct red_piece_call call;
    set_weights(&v->plan, check, v->roofs, v->weights);
    red_watch_step(3e-8 * (double)check->spec.n, "data of %s are made",
                   red_pattern_name(check->spec.data_kind.pattern));
    enum red_status status = red_piece_make(team, &check->spec, &piece, &error);
    if (status != RED_OK)
        return count_outcome(v, check, strategy, NULL, status, &error);
    v->arrays_n++;
    status = check_not_known(v, &piece, strategy, &error);
    if (status == RED_OK)
        status = red_check_own(&piece, strategy, !v->session->selection->all && v->arrays_n % 4 != 0, &error);
    if (status == RED_OK)
        status = red_piece_call_make(&piece, strategy, 0, &call, &error);
    bool goes_on = true;
    if (status == RED_OK) {
        goes_on = check_collectives(v, check, strategy, &call);
        red_piece_call_clear(&call);
    } else
        goes_on = count_outcome(v, check, strategy, NULL, status, &error);
    red_piece_clear(&piece);
    return goes_on;
}

/* ---- one team ------------------------------------------------------------------------------------------ */

/* Whether the team still has time, as its first rank says. */
static bool has_time(const struct verifying *v, const struct red_team *team, double end_s) {
    int has = red_clock_s() < end_s;
    v->ranks->mpi->share(&team->comm, &has, sizeof has);
    return has != 0;
}

/* Checks all rows of the team by the host's row. */
static bool check_on_host(struct verifying *v, const struct red_team *team, size_t level) {
    const struct red_strategy *openmp = red_catalogue_find(v->session->catalogue, RED_HOST_STRATEGY);
    bool goes_on = true;
    for (size_t i = 0; i < v->plan.rows_n && goes_on; i++) {
        const struct check check = nth_check(&v->plan, i);
        if (check.count == level)
            goes_on = check_array(v, team, &check, openmp);
    }
    return goes_on;
}

/* Checks some arrays of one program, a strategy with an operation and a type. Where the user has chosen
 * strategies they are those of the plan, so that the command behind "again:" meets its array. */
static bool check_program(struct verifying *v, const struct red_team *team, size_t level, size_t program,
                          uint64_t *random, double end_s) {
    enum { ARRAYS = 4 };
    const struct red_session *session = v->session;
    const struct red_strategy *strategy = session->strategies[program % session->strategies_n];
    const struct red_op *op = session->ops[program / session->strategies_n % session->ops_n];
    const struct red_dtype *dtype = session->types[program / session->strategies_n / session->ops_n];
    const bool all = session->selection->all, asked = all || session->selection->strategy != NULL;
    struct check check;
    bool goes_on = true;
    size_t arrays_n = 0;
    if (red_strategy_check_type_and_op(strategy, dtype, op, NULL) != RED_OK)
        return true;
    v->programs_n++;
    for (size_t i = 0; i < v->plan.rows_n && asked && goes_on; i++) {
        check = nth_check(&v->plan, i);
        if (check.count != level || check.spec.op != op || check.spec.dtype != dtype ||
            red_pattern_is_special(check.spec.data_kind.pattern))
            continue;
        if (!all && arrays_n > 0 && !has_time(v, team, end_s))
            return goes_on;
        goes_on = check_array(v, team, &check, strategy);
        arrays_n++;
    }
    for (; arrays_n < ARRAYS && goes_on; arrays_n++) {
        if (!all && arrays_n > 0 && !has_time(v, team, end_s))
            break;
        if (draw_check(&v->plan, level, op, dtype, random, &check))
            goes_on = check_array(v, team, &check, strategy);
    }
    return goes_on;
}

/* Checks strategies on the team's devices, in an order that the seed draws, until its time is over; one in
 * any case. */
static bool check_on_devices(struct verifying *v, const struct red_team *team, size_t level, double end_s) {
    const struct red_session *session = v->session;
    const size_t n = session->strategies_n * session->ops_n * session->types_n;
    uint64_t random = hash_of(&v->plan, 11, level);
    uint32_t *programs = red_ranks_room(v->ranks, n + 1, sizeof *programs);
    bool goes_on = true;
    for (size_t i = 0; i < n; i++)
        programs[i] = (uint32_t)i;
    red_random_shuffle(programs, n, sizeof *programs, &random);
    const size_t before = v->programs_n;
    for (size_t i = 0; i < n && goes_on; i++) {
        if (!session->selection->all && v->programs_n > before && !has_time(v, team, end_s))
            break;
        goes_on = check_program(v, team, level, programs[i], &random, end_s);
    }
    free(programs);
    return goes_on;
}

/* Whether the user wants the host's row checked, and whether strategies on devices. */
static bool takes_host(const struct verifying *v) {
    const char *given = v->session->selection->strategy;
    return given == NULL || red_select_matches(given, RED_HOST_STRATEGY);
}

/* Checks what there is for one number of ranks; the others sleep. */
static enum red_status check_team(struct verifying *v, size_t level, struct red_error *error) {
    const double left_s = v->start_s + v->budget_s - red_clock_s(),
                 end_s = red_clock_s() + fmax(0.2, left_s / (double)(v->plan.counts_n - level));
    struct red_team team;
    enum red_status status = RED_OK;
    red_team_make(&v->member, (int)v->plan.counts[level], v->weights, &team);
    if (team.comm.handle != NULL) {
        bool goes_on = !takes_host(v) || check_on_host(v, &team, level);
        if (goes_on && red_member_first_with_device(&v->member) != NULL)
            goes_on = check_on_devices(v, &team, level, end_s);
        if (!goes_on)
            status = red_fail(error, v->worst.status, "%s", v->error.text);
    }
    red_watch_nothing();
    v->ranks->mpi->barrier_asleep(&v->ranks->world);
    red_team_clear(&team);
    return red_ranks_agree(v->ranks, &v->ranks->world, status, error);
}

/* ---- the run ------------------------------------------------------------------------------------------- */

/* Prints what was covered, what cannot run, and the closing line. */
static void print_closing(const struct verifying *v) {
    size_t others = 0;
    for (int state = 0; state < RED_STATES_N; state++)
        others += state == RED_STATE_PASS || state == RED_STATE_WRONG || state == RED_STATE_UNSUPPORTED
                      ? 0
                      : v->happened[state];
    if (v->told_n > TOLD_MAX)
        fprintf(v->out, "and %zu more like these\n", v->told_n - TOLD_MAX);
    for (size_t i = 0; i < v->reasons_n; i++)
        fprintf(v->out, "  cannot run: %s\n", v->reasons[i]);
    fprintf(v->out, "covered over 1 to %d ranks: ", v->ranks->world.size);
    if (v->plan.pairs_n > 0 && takes_host(v))
        fprintf(v->out, "%zu pairs of ranks, split, operation, type, n and data; ", v->plan.pairs_n);
    fprintf(v->out, "%zu arrays; %zu programs of strategies\n", v->arrays_n, v->programs_n);
    fprintf(v->out, "%zu right, %zu wrong, %zu unsupported, %zu in other trouble in %.1f s\n",
            v->happened[RED_STATE_PASS], v->happened[RED_STATE_WRONG], v->happened[RED_STATE_UNSUPPORTED],
            others, red_clock_s() - v->start_s);
}

/* Checks everything, once devices and levels are there. */
static enum red_status check_teams(struct verifying *v, struct red_error *error) {
    unsigned form = 0;
    enum red_status status = red_member_measure_roofs(&v->member, ROOF_N, &form, error);
    red_weights_of_roofs(v->member.all, (size_t)v->ranks->world.size, v->roofs);
    if (status == RED_OK && v->out != NULL) {
        fprintf(v->out, "verifying one array over up to %d ranks (%s): %zu arrays by OpenMP, then ",
                v->ranks->world.size, v->ranks->library, takes_host(v) ? v->plan.rows_n : 0);
        if (v->session->selection->all)
            fprintf(v->out, "every strategy\n");
        else
            fprintf(v->out, "strategies for %.1f s\n", v->budget_s);
    }
    if (status == RED_OK)
        status = check_cuts(v->ranks, v->session->selection->seed, error);
    if (status == RED_E_WRONG && v->out != NULL)
        fprintf(v->out, "wrong: %s\n", error->text);
    for (size_t level = 0; level < v->plan.counts_n && status == RED_OK; level++)
        status = check_team(v, level, error);
    return status;
}

/* How the run ends: as the worst of its checks, or because nothing was checked. */
static enum red_status judge(const struct verifying *v, struct red_error *error) {
    if (v->worst.status != RED_OK)
        return red_fail(error, v->worst.status, "%s", v->error.text);
    return v->happened[RED_STATE_PASS] > 0
               ? RED_OK
               : red_fail(error, RED_E_NO_DEVICE, "nothing that was asked for could be checked");
}

enum red_status red_ranks_verify(const struct red_ranks *ranks, const struct red_ranks_options *options,
                                 const struct red_session *session, FILE *out, struct red_error *error) {
    struct verifying *v = red_ranks_room(ranks, 1, sizeof *v);
    const size_t all_n = (size_t)ranks->world.size;
    *v = (struct verifying){.ranks = ranks,
                            .options = options,
                            .session = session,
                            .out = ranks->world.rank == 0 ? out : NULL,
                            .roofs = red_ranks_room(ranks, all_n, sizeof(double)),
                            .weights = red_ranks_room(ranks, all_n, sizeof(double)),
                            .start_s = red_clock_s(),
                            .budget_s = options->budget_s > 0 ? options->budget_s : BUDGET_S};
    v->collectives_n = red_collectives_choose(options->collective, v->collectives);
    enum red_status status = make_plan(session, options, (uint64_t)ranks->world.size, &v->plan, error);
    status = red_ranks_agree(ranks, &ranks->world, status, error);
    if (status == RED_OK)
        status = red_member_open(ranks, session->selection->device, &v->member, error);
    if (status == RED_OK)
        status = check_teams(v, error);
    if (ranks->world.rank == 0 && v->arrays_n > 0)
        print_closing(v);
    if (status == RED_OK && ranks->world.rank == 0)
        status = judge(v, error);
    red_member_close(&v->member);
    clear_plan(&v->plan);
    free(v->roofs);
    free(v->weights);
    free(v);
    return status;
}
