#include "bench/checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/grid.h"
#include "model/random.h"

/* Beyond this many groups of one launch, one element each, a check takes seconds: of the grid, the largest n
 * goes to other rows. What the user asks for is run. */
enum { GROUPS_MAX = 1 << 18, ALL_N_MAX = 1 << 20 };

/* The first four are a program, and compiling takes longer than running. */
enum { STRATEGY, TYPE, OP, GROUP, PROGRAM_N, SIZE = PROGRAM_N, DATA, FACTORS_N };

/* Each part is a level of its own: together they hold every element once as a 1. The third is there for f32
 * at 2^24 + 1. */
static const struct red_probe probes[] = {
    {RED_PATTERN_WEIGHTS, 0}, {RED_PATTERN_PART, 0},    {RED_PATTERN_PART, 1},       {RED_PATTERN_PART, 2},
    {RED_PATTERN_LAST, 0},    {RED_PATTERN_UNIFORM, 0}, {RED_PATTERN_CANCELLING, 0}, {RED_PATTERN_WIDE, 0},
    {RED_PATTERN_ONES, 0},    {RED_PATTERN_HUGE, 0},
};
enum { PROBES_N = sizeof probes / sizeof probes[0], EXACT_N = 5 };

/* The levels of every factor on one device. */
struct levels {
    struct red_session *session;
    struct red_device *device;
    const struct red_device_info *info;
    struct red_tuning tunings[RED_LEVELS_MAX]; /* each with a group size: the factor GROUP */
    size_t tunings_n;
    struct red_size_point sizes[RED_LEVELS_MAX];
    size_t sizes_n;
    bool runs[RED_CHOICE_MAX][32][32];                     /* strategy, type, operation */
    const struct red_strategy *strategies[RED_CHOICE_MAX]; /* those that run at all */
    size_t strategies_n;
};

static struct red_check check_of(const struct levels *levels, const unsigned char *row) {
    const struct red_session *session = levels->session;
    const struct red_strategy *strategy = levels->strategies[row[STRATEGY]];
    struct red_tuning tuning =
        red_grid_tuning(levels->session->options, &levels->tunings[row[GROUP]], strategy);
    struct red_check check = {.strategy = strategy,
                              .dtype = session->types[row[TYPE]],
                              .op = session->ops[row[OP]],
                              .tuning = tuning,
                              .n = red_size_at(&levels->sizes[row[SIZE]], tuning.group_size),
                              .probe = probes[row[DATA]]};
    memcpy(check.levels, row, FACTORS_N);
    return check;
}

static bool data_fits(const struct red_check *check) {
    return red_op_check_n(check->op, check->dtype, check->n, NULL) == RED_OK &&
           red_pattern_fits(check->probe.pattern, check->op, check->dtype) &&
           (check->probe.pattern != RED_PATTERN_PART ||
            check->probe.part < red_probe_parts(check->op, check->dtype, check->n));
}

static bool geometry_fits(const struct levels *levels, const struct red_check *check) {
    struct red_geometry geometry;
    return red_geometry_choose(check->strategy, red_op_accumulator(check->op, check->dtype),
                               &levels->info->shape, &check->tuning, check->n, &geometry, NULL) == RED_OK &&
           (geometry.groups_n <= GROUPS_MAX || levels->session->options->n.n > 0);
}

static bool is_valid(const void *context, const unsigned char row[RED_FACTORS_MAX]) {
    const struct levels *levels = context;
    if (!levels->runs[row[STRATEGY]][row[TYPE]][row[OP]])
        return false;
    const struct red_check check = check_of(levels, row);
    return data_fits(&check) && geometry_fits(levels, &check);
}

/* ---- levels ----------------------------------------------------------------------------------------------
 */

/* Between the points of the grid, which anybody can read and tune for, some that only the seed knows. */
static void random_sizes(struct levels *levels) {
    static const uint64_t limits[] = {1, 64, 1 << 10, 1 << 14, 1 << 18, 1 << 20, 1 << 22};
    uint64_t random = levels->session->options->seed;
    for (size_t i = 1; i < sizeof limits / sizeof limits[0]; i++) {
        uint64_t n = limits[i - 1] + red_random(&random) % (limits[i] - limits[i - 1]);
        levels->sizes[levels->sizes_n++] = (struct red_size_point){.groups = 0, .offset = (int64_t)n};
    }
}

static enum red_status size_levels(struct levels *levels, struct red_error *error) {
    const struct red_sizes *n = &levels->session->options->n;
    if (n->n > RED_LEVELS_MAX)
        return red_fail(error, RED_E_INPUT, "--n: verify takes at most %d sizes, not %zu", RED_LEVELS_MAX,
                        n->n);
    for (size_t i = 0; i < n->n; i++)
        levels->sizes[levels->sizes_n++] =
            (struct red_size_point){.groups = 0, .offset = (int64_t)n->values[i]};
    for (size_t i = 0; n->n == 0 && i < red_size_points_n; i++)
        levels->sizes[levels->sizes_n++] = red_size_points[i];
    if (n->n == 0)
        random_sizes(levels);
    return RED_OK;
}

static void refuse(struct red_checks *checks, const struct red_strategy *strategy, const char *reason) {
    char line[256];
    size_t used = strlen(checks->refusals);
    snprintf(line, sizeof line, "%-16s %.220s\n", strategy->name, reason);
    if (strstr(checks->refusals, line) == NULL && used + strlen(line) < sizeof checks->refusals)
        snprintf(checks->refusals + used, sizeof checks->refusals - used, "%s", line);
}

/* Which types and operations of the strategy the device runs, as row `at` of runs; true if any. The others
 * are listed with their reason. */
static bool find_runs_of(struct levels *levels, struct red_checks *checks, size_t s, size_t at) {
    const struct red_session *session = levels->session;
    const struct red_strategy *strategy = session->strategies[s];
    bool any = false;
    for (size_t t = 0; t < session->types_n; t++) {
        for (size_t o = 0; o < session->ops_n; o++) {
            struct red_error error;
            enum red_c_standard standard;
            enum red_status status =
                red_strategy_admits(strategy, session->types[t], session->ops[o], &error);
            if (status == RED_OK)
                status = red_capability_decide(levels->device, strategy, session->types[t], session->ops[o],
                                               &standard, &error);
            levels->runs[at][t][o] = status == RED_OK;
            any = any || status == RED_OK;
            if (status == RED_OK)
                continue;
            checks->refused[s]++;
            refuse(checks, strategy, error.text);
        }
    }
    return any;
}

/* What was asked for may be nothing for a strategy: it is listed with the reason. */
static bool takes_any(const struct levels *levels, struct red_checks *checks, size_t s) {
    const struct red_session *session = levels->session;
    const struct red_strategy *strategy = session->strategies[s];
    struct red_error error = {.text = ""};
    for (size_t i = 0; i < levels->tunings_n; i++) {
        struct red_geometry geometry;
        struct red_tuning tuning = red_grid_tuning(session->options, &levels->tunings[i], strategy);
        if (red_geometry_choose(strategy, red_op_accumulator(session->ops[0], session->types[0]),
                                &levels->info->shape, &tuning, 1, &geometry, &error) == RED_OK)
            return true;
    }
    checks->refused[s] += session->types_n * session->ops_n;
    refuse(checks, strategy, error.text);
    return false;
}

static void strategy_levels(struct levels *levels, struct red_checks *checks) {
    for (size_t s = 0; s < levels->session->strategies_n; s++)
        if (takes_any(levels, checks, s) && find_runs_of(levels, checks, s, levels->strategies_n))
            levels->strategies[levels->strategies_n++] = levels->session->strategies[s];
}

/* ---- lists -----------------------------------------------------------------------------------------------
 */

static bool append(struct red_checks *checks, const struct red_check *check) {
    if ((checks->n & (checks->n - 1)) == 0) {
        void *grown = realloc(checks->rows, (checks->n ? 2 * checks->n : 1) * sizeof *checks->rows);
        if (grown == NULL)
            return false;
        checks->rows = grown;
    }
    checks->rows[checks->n++] = *check;
    return true;
}

static bool append_row(const struct levels *levels, const unsigned char *row, struct red_checks *checks) {
    const struct red_check check = check_of(levels, row);
    return append(checks, &check);
}

/* Whatever pairs ask for: every strategy takes all exact data at the largest n of the grid, in one of its
 * programs. There a lost last element and an index of 24 bits show. */
static bool append_largest(const struct levels *levels, const struct red_cover *cover,
                           struct red_checks *checks) {
    for (size_t s = 0; s < levels->strategies_n; s++) {
        for (size_t i = 0, done = 0; i < cover->rows_n && !done; i++) {
            unsigned char row[RED_FACTORS_MAX];
            memcpy(row, cover->rows[i], sizeof row);
            row[SIZE] = (unsigned char)(red_size_points_n - 1);
            for (row[DATA] = 0; row[STRATEGY] == s && row[DATA] < EXACT_N; row[DATA]++) {
                if (!is_valid(levels, row))
                    continue;
                if (!append_row(levels, row, checks))
                    return false;
                done++;
            }
        }
    }
    return true;
}

static enum red_status list_cover(struct levels *levels, struct red_checks *checks, struct red_error *error) {
    const struct red_cover_plan plan = {
        .factors_n = FACTORS_N,
        .levels_n = {checks->levels_n[0], checks->levels_n[1], checks->levels_n[2], checks->levels_n[3],
                     checks->levels_n[4], checks->levels_n[5]},
        .shared_n = PROGRAM_N,
        .seed = levels->session->options->seed,
        .valid = is_valid,
        .context = levels,
    };
    struct red_cover cover;
    enum red_status status = red_cover_make(&plan, &cover, error);
    if (status != RED_OK)
        return status;
    checks->pairs_n = cover.pairs_n;
    checks->impossible_n = cover.impossible_n;
    bool done = true;
    for (size_t i = 0; i < cover.rows_n && done; i++)
        done = append_row(levels, cover.rows[i], checks);
    if (levels->session->options->n.n == 0)
        done = done && append_largest(levels, &cover, checks);
    red_cover_clear(&cover);
    return done ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the list of checks");
}

/* The sizes beyond 2^20 come once per strategy and type: sums, the default group size. */
static bool belongs_to_all(const struct levels *levels, const struct red_check *check,
                           const unsigned char *row) {
    if (check->n <= ALL_N_MAX || levels->session->options->n.n > 0)
        return true;
    return row[OP] == 0 &&
           check->tuning.group_size == red_geometry_default_group_size(check->strategy, &levels->info->shape);
}

static bool next_row(const size_t *levels_n, unsigned char *row) {
    for (size_t f = FACTORS_N; f-- > 0;) {
        if (++row[f] < levels_n[f])
            return true;
        row[f] = 0;
    }
    return false;
}

static enum red_status list_all(struct levels *levels, struct red_checks *checks, struct red_error *error) {
    unsigned char row[RED_FACTORS_MAX] = {0};
    struct red_geometry geometry;
    do {
        struct red_check check = check_of(levels, row);
        bool runs =
            levels->runs[row[STRATEGY]][row[TYPE]][row[OP]] && data_fits(&check) &&
            belongs_to_all(levels, &check, row) &&
            red_geometry_choose(check.strategy, red_op_accumulator(check.op, check.dtype),
                                &levels->info->shape, &check.tuning, check.n, &geometry, NULL) == RED_OK;
        if (runs && !append(checks, &check))
            return red_fail(error, RED_E_MEMORY, "no memory for the list of checks");
    } while (next_row(checks->levels_n, row));
    return RED_OK;
}

static int by_data(const void *a, const void *b) {
    const struct red_check *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    if (x->dtype != y->dtype)
        return x->dtype < y->dtype ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->probe.pattern != y->probe.pattern)
        return x->probe.pattern < y->probe.pattern ? -1 : 1;
    return (x->probe.part > y->probe.part) - (x->probe.part < y->probe.part);
}

static int by_all(const void *a, const void *b) {
    const struct red_check *x = a, *y = b;
    int order = by_data(a, b);
    if (order == 0)
        order = strcmp(x->strategy->name, y->strategy->name);
    return order ? order : red_tuning_compare(&x->tuning, &y->tuning);
}

/* Points of the grid may fall together for one group size. */
static void sort(struct red_checks *checks) {
    if (checks->n > 0)
        qsort(checks->rows, checks->n, sizeof *checks->rows, by_all);
    for (size_t i = 0; i < checks->n; i++) {
        checks->rows[i].repeats = i > 0 && by_all(&checks->rows[i - 1], &checks->rows[i]) == 0;
        checks->distinct_n += !checks->rows[i].repeats;
    }
}

enum red_status red_checks_count_pairs(const struct red_checks *checks, const bool *reached, size_t *pairs_n,
                                       struct red_error *error) {
    struct red_cover_plan plan = {.factors_n = FACTORS_N};
    memcpy(plan.levels_n, checks->levels_n, sizeof plan.levels_n);
    unsigned char(*rows)[RED_FACTORS_MAX] = calloc(checks->n + 1, sizeof *rows);
    size_t rows_n = 0;
    for (size_t i = 0; rows != NULL && i < checks->n; i++)
        if (reached[i])
            memcpy(rows[rows_n++], checks->rows[i].levels, RED_FACTORS_MAX);
    bool done = rows != NULL &&
                red_cover_count(&plan, (const unsigned char(*)[RED_FACTORS_MAX])rows, rows_n, pairs_n);
    free(rows);
    return done ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for counting pairs");
}

size_t red_checks_programs_n(const struct red_checks *checks) {
    return checks->levels_n[STRATEGY] * checks->levels_n[TYPE] * checks->levels_n[OP] *
           checks->levels_n[GROUP];
}

size_t red_check_program(const struct red_checks *checks, const struct red_check *check) {
    size_t at = check->levels[STRATEGY];
    at = at * checks->levels_n[TYPE] + check->levels[TYPE];
    at = at * checks->levels_n[OP] + check->levels[OP];
    return at * checks->levels_n[GROUP] + check->levels[GROUP];
}

enum red_status red_checks_make(struct red_session *session, size_t d, struct red_checks *checks,
                                struct red_error *error) {
    *checks = (struct red_checks){.n = 0};
    struct levels *levels = calloc(1, sizeof *levels);
    if (levels == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the list of checks");
    levels->session = session;
    levels->device = session->devices[d];
    levels->info = red_device_info(session->devices[d]);
    enum red_status status = red_grid_make(session->options, levels->info->shape.group_size_max,
                                           levels->tunings, &levels->tunings_n, error);
    if (status == RED_OK)
        strategy_levels(levels, checks);
    if (status == RED_OK)
        status = size_levels(levels, error);
    if (status == RED_OK && levels->strategies_n > 0) {
        const size_t levels_n[FACTORS_N] = {
            [STRATEGY] = levels->strategies_n, [TYPE] = session->types_n, [OP] = session->ops_n,
            [GROUP] = levels->tunings_n,       [SIZE] = levels->sizes_n,  [DATA] = PROBES_N};
        memcpy(checks->levels_n, levels_n, sizeof levels_n);
        status = session->options->all ? list_all(levels, checks, error) : list_cover(levels, checks, error);
    }
    free(levels);
    if (status != RED_OK)
        red_checks_clear(checks);
    else
        sort(checks);
    return status;
}

void red_checks_clear(struct red_checks *checks) {
    free(checks->rows);
    *checks = (struct red_checks){.n = 0};
}
