/* What `verify` checks without --all: a covering array over the parameter space and, beside it, the largest
 * n, special values, and for every program all exact data. `space` is of a device of the session; strategy,
 * type and op are levels of it, a row is a level of each factor. The user sees how many checks come of the
 * rows, "verifying on ...: N checks", and what each finds. */
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "model/bins.h"
#include "verify/verify_private.h"

/* How many n in a row hold every remainder modulo 64, and modulo the lanes of the geometry: prefixes_n of the
 * check. */
static unsigned remainders_n(unsigned lanes) {
    return lanes > 64 ? lanes : 64;
}

/* Whether all checks are of one program and n, as those of an "again:" command are. */
static bool is_of_one_program_and_n(const struct red_session *session) {
    return session->strategies_n == 1 && session->types_n == 1 && session->ops_n == 1 &&
           session->selection->wg.n == 1 && session->selection->n.n == 1;
}

/* The check of a row of the covering array. Of one program and n it has prefixes, too: what it makes again
 * may have had some. */
static struct red_check covering_check_of_row(const struct red_parameter_space *space,
                                              const unsigned char *row) {
    struct red_check check = red_space_check_of_row(space, row);
    struct red_geometry geometry;
    if (is_of_one_program_and_n(space->session) &&
        red_geometry_choose(check.strategy, check.op, check.dtype, &space->info->shape, &check.tuning, 1,
                            &geometry, NULL) == RED_OK)
        check.prefixes_n = remainders_n(geometry.lanes);
    return check;
}

/* Appends the check of a row of the covering array. False without memory. */
static bool append_check_of_row(const struct red_parameter_space *space, const unsigned char *row,
                                struct red_test_plan *plan) {
    const struct red_check check = covering_check_of_row(space, row);
    return red_test_plan_append(plan, &check);
}

/* Makes the row of a program of these four levels; those of n and data are 0. */
static void make_program_row(size_t strategy, size_t type, size_t op, size_t group_level,
                             unsigned char row[RED_FACTORS_MAX]) {
    memset(row, 0, RED_FACTORS_MAX);
    row[RED_FACTOR_STRATEGY] = (unsigned char)strategy;
    row[RED_FACTOR_TYPE] = (unsigned char)type;
    row[RED_FACTOR_OP] = (unsigned char)op;
    row[RED_FACTOR_GROUP_SIZE] = (unsigned char)group_level;
}

/* A kind of programs at the largest n, by its number, for --primitive. */
static const struct red_program_kind *program_kind_get(const struct red_parameter_space *space, size_t kind) {
    return &red_verify_hooks[space->session->selection->primitive].programs[kind];
}

/* The type, f32 or f64, that is a strategy's turn, as a level; SIZE_MAX if neither is chosen. f16's data take
 * long to make, and show no more. */
static size_t f32_or_f64_of_turn(const struct red_parameter_space *space, size_t strategy, size_t turn) {
    size_t floats[32], floats_n = 0;
    for (size_t type = 0; type < space->session->types_n; type++)
        if (space->session->types[type]->is_float && space->session->types[type]->bits > 16)
            floats[floats_n++] = type;
    return floats_n > 0 ? floats[red_space_shifted_by_seed(space, strategy + turn) % floats_n] : SIZE_MAX;
}

/* Whether the strategy takes the i-th data of that kind of programs: few strategies take all, of many each
 * takes one of the last two. */
static bool takes_data_at_largest_n(const struct red_parameter_space *space, size_t kind, size_t i,
                                    size_t strategy) {
    const size_t first_twin = program_kind_get(space, kind)->first_twin;
    return space->session->strategies_n <= RED_STRATEGIES_FEW || i < first_twin ||
           red_space_shifted_by_seed(space, strategy) % 2 == i - first_twin;
}

/* Makes the rows of one program (a row: strategy, type, operation, group size) with the largest n of the
 * grid, or of the user's, and with each data of that kind that it can run with. Gives their number.
 */
static size_t make_rows_of_program(const struct red_parameter_space *space, size_t kind,
                                   const unsigned char *program,
                                   unsigned char rows[RED_ROWS_PER_PROGRAM][RED_FACTORS_MAX]) {
    size_t given_n = space->session->selection->n.n, rows_n = 0;
    for (size_t i = 0; i < program_kind_get(space, kind)->n; i++) {
        if (!takes_data_at_largest_n(space, kind, i, program[RED_FACTOR_STRATEGY]))
            continue;
        memcpy(rows[rows_n], program, RED_FACTORS_MAX);
        rows[rows_n][RED_FACTOR_SIZE] = (unsigned char)((given_n ? given_n : red_size_points_n) - 1);
        rows[rows_n][RED_FACTOR_DATA] = program_kind_get(space, kind)->data[i];
        rows_n += red_space_admits(space, rows[rows_n]);
    }
    return rows_n;
}

/* Makes the rows of the strategy's program for the largest n: one that takes most of the data; of these one
 * of the type that is its turn, then of the type and operation that most strategies have:
 * popularity[type][op] is how many. Gives the number of rows; 0 if none fits. */
static size_t make_strategy_rows_at_largest_n(const struct red_parameter_space *space, size_t strategy,
                                              size_t kind, size_t popularity[32][32],
                                              unsigned char rows[RED_ROWS_PER_PROGRAM][RED_FACTORS_MAX]) {
    enum { BEYOND_ALL = 1 << 20 };
    const size_t preferred =
        program_kind_get(space, kind)->float_turn == RED_NO_TURN
            ? SIZE_MAX
            : f32_or_f64_of_turn(space, strategy, program_kind_get(space, kind)->float_turn);
    size_t best = 0, best_n = 0, groups_n = space->tunings_n;
    for (size_t i = 0; i < space->session->types_n * space->session->ops_n * groups_n; i++) {
        size_t op = i / groups_n / space->session->types_n, type = i / groups_n % space->session->types_n;
        unsigned char tried[RED_ROWS_PER_PROGRAM][RED_FACTORS_MAX], program[RED_FACTORS_MAX];
        /* Strategies and kinds take different group sizes. */
        make_program_row(strategy, type, op, (strategy + kind + i) % groups_n, program);
        size_t tried_n = make_rows_of_program(space, kind, program, tried);
        size_t worth = popularity[type][op] + (type == preferred ? BEYOND_ALL : 0);
        if (tried_n < best_n || (tried_n == best_n && worth <= best))
            continue;
        best = worth;
        best_n = tried_n;
        memcpy(rows, tried, sizeof tried);
    }
    return best_n;
}

/* Makes rows at the largest n of the grid for every strategy, beside those that pairs ask for. Only there
 * does a lost last element show, or an index of 24 bits or in a float. Strategies share the data, which take
 * long to make. */
static size_t make_all_rows_at_largest_n(const struct red_parameter_space *space,
                                         unsigned char (*rows)[RED_FACTORS_MAX]) {
    size_t popularity[32][32] = {{0}}, rows_n = 0;
    for (size_t s = 0; s < space->strategies_n; s++)
        for (size_t t = 0; t < space->session->types_n; t++)
            for (size_t o = 0; o < space->session->ops_n; o++)
                popularity[t][o] += space->runs[s][t][o];
    for (size_t s = 0; s < space->strategies_n; s++)
        for (size_t k = 0; k < RED_PROGRAM_KINDS_N; k++)
            rows_n += make_strategy_rows_at_largest_n(space, s, k, popularity, &rows[rows_n]);
    return rows_n;
}

/* ---- special values --------------------------------------------------------------------------------------
 *
 * What becomes of them depends on the operation and the type (the prelude's combine and loads), and on what a
 * strategy does itself. So each kind of them comes with every operation of every type, and every strategy
 * takes those that go wrong most easily. Which strategy, group size and n, the seed decides. */

enum { SPECIAL_KINDS = RED_PATTERN_DENORMALS - RED_PATTERN_NAN + 1, EACH_STRATEGY_N = 5 };

/* There are at most 32 types and operations. */
enum {
    GIVEN_MAX = RED_CHOICE_MAX * (RED_PROGRAM_KINDS_N * RED_ROWS_PER_PROGRAM + EACH_STRATEGY_N) +
                3 * 32 * 32 * SPECIAL_KINDS
};

/* The list of given rows while append_special_rows adds those with special values. */
struct special_list {
    const struct red_parameter_space *space;
    unsigned char (*rows)[RED_FACTORS_MAX]; /* those at the largest n, then these */
    size_t first, rows_n;
    uint64_t random;
};

/* Adds a row of the program with the first n, at or behind a random one, that can be run, and that has the
 * remainder modulo RED_SPECIAL_PLACES or any (RED_SPECIAL_PLACES); false, and none is added, if none can. */
static bool add_special_row_if_admitted(struct special_list *list, const unsigned char *program,
                                        enum red_pattern pattern, uint64_t remainder) {
    size_t sizes_n = list->space->sizes_n, first = red_random(&list->random) % sizes_n;
    unsigned char *row = list->rows[list->rows_n];
    memcpy(row, program, RED_FACTORS_MAX);
    row[RED_FACTOR_DATA] = (unsigned char)(RED_DATA_NANS + (pattern - RED_PATTERN_NAN));
    for (size_t i = 0; i < sizes_n; i++) {
        row[RED_FACTOR_SIZE] = (unsigned char)((first + i) % sizes_n);
        if (!red_space_admits(list->space, row) ||
            (remainder < RED_SPECIAL_PLACES &&
             red_space_check_of_row(list->space, row).n % RED_SPECIAL_PLACES != remainder))
            continue;
        list->rows_n++;
        return true;
    }
    return false;
}

/* Adds a row with the value at any place and, for few strategies, rows with it at both ends; false if no
 * row can be run. */
static bool add_special_rows_of_pattern(struct special_list *list, const unsigned char *program,
                                        enum red_pattern pattern) {
    if (!add_special_row_if_admitted(list, program, pattern, RED_SPECIAL_PLACES))
        return false;
    if (list->space->session->strategies_n <= RED_STRATEGIES_FEW) {
        (void)add_special_row_if_admitted(list, program, pattern, RED_SPECIAL_AT_FIRST);
        (void)add_special_row_if_admitted(list, program, pattern, RED_SPECIAL_AT_LAST);
    }
    return true;
}

/* Whether the strategy has a program with this level of a factor by now. */
static bool strategy_has_level(const struct special_list *list, size_t strategy, size_t factor,
                               size_t level) {
    for (size_t i = 0; i < list->rows_n; i++)
        if (list->rows[i][RED_FACTOR_STRATEGY] == strategy && list->rows[i][factor] == level)
            return true;
    return false;
}

/* Makes the row `program`: of this strategy, type and operation, with a group size that the strategy has in
 * no other program, if there is one. */
static void make_program_of_unused_group_size(const struct special_list *list, size_t strategy, size_t type,
                                              size_t op, unsigned char *program) {
    const size_t groups_n = list->space->tunings_n;
    size_t group_level = red_space_shifted_by_seed(list->space, strategy + type + op) % groups_n, tried_n = 0;
    while (tried_n++ < groups_n && strategy_has_level(list, strategy, RED_FACTOR_GROUP_SIZE, group_level))
        group_level = (group_level + 1) % groups_n;
    make_program_row(strategy, type, op, group_level, program);
}

/* A row of `roles` below: the special values that go wrong most easily in operations of a role. */
struct special_role {
    enum red_role role;
    size_t patterns_n;
    enum red_pattern patterns[2];
};

/* Adds rows with the special values of the role in this program; false if that has another or none fits. */
static bool add_special_rows_of_role(struct special_list *list, const struct special_role *of,
                                     const unsigned char *program) {
    const struct red_session *session = list->space->session;
    size_t before_n = list->rows_n;
    if (session->ops[program[RED_FACTOR_OP]]->role != of->role ||
        !session->types[program[RED_FACTOR_TYPE]]->is_float)
        return false;
    for (size_t p = 0; p < of->patterns_n; p++)
        (void)add_special_row_if_admitted(list, program, of->patterns[p], RED_SPECIAL_PLACES);
    return list->rows_n > before_n;
}

/* Adds rows with special values for operations of one role: in the program that the strategy has at the
 * largest n, if that has the role; otherwise in a program of a float type that it has in no other, and of
 * the operation whose turn it is, or the next that it takes. */
static void add_special_rows_of_strategy(struct special_list *list, size_t strategy,
                                         const struct special_role *of) {
    const size_t types_n = list->space->session->types_n, ops_n = list->space->session->ops_n;
    const size_t turn = red_space_shifted_by_seed(list->space, strategy / 3);
    unsigned char program[RED_FACTORS_MAX];
    for (size_t i = 0; i < list->first; i++)
        if (list->rows[i][RED_FACTOR_STRATEGY] == strategy &&
            add_special_rows_of_role(list, of, list->rows[i]))
            return;
    for (int any = 0; any < 2; any++)
        for (size_t i = 0; i < types_n * ops_n; i++) {
            const size_t type = (turn + i) % types_n, op = (turn + i / types_n) % ops_n;
            if (!any && strategy_has_level(list, strategy, RED_FACTOR_TYPE, type))
                continue;
            make_program_of_unused_group_size(list, strategy, type, op, program);
            if (add_special_rows_of_role(list, of, program))
                return;
        }
}

/* Adds the rows of the pattern for the type and operation: of a strategy that has the program already,
 * otherwise of the first that takes it, from a random one on, if possible one without a program of this
 * type. */
static void add_special_rows_of_one_strategy(struct special_list *list, size_t type, size_t op,
                                             enum red_pattern pattern) {
    const size_t n = list->space->strategies_n, first = red_random(&list->random), own_n = list->rows_n;
    unsigned char program[RED_FACTORS_MAX];
    for (size_t i = 0; i < own_n; i++) {
        const unsigned char *row = list->rows[(first + i) % own_n];
        if (row[RED_FACTOR_TYPE] == type && row[RED_FACTOR_OP] == op &&
            add_special_rows_of_pattern(list, row, pattern))
            return;
    }
    for (size_t i = 0; i < 2 * n; i++) {
        const size_t strategy = (first + i) % n;
        if (i < n && strategy_has_level(list, strategy, RED_FACTOR_TYPE, type))
            continue;
        make_program_of_unused_group_size(list, strategy, type, op, program);
        if (add_special_rows_of_pattern(list, program, pattern))
            return;
    }
}

/* Appends the rows with special values to those of make_all_rows_at_largest_n, `before_n` of them. Gives the
 * number of all rows. */
static size_t append_special_rows(const struct red_parameter_space *space, size_t before_n,
                                  unsigned char (*rows)[RED_FACTORS_MAX]) {
    static const struct special_role roles[] = {
        {RED_ROLE_SUM, 1, {RED_PATTERN_INFINITY}},
        {RED_ROLE_ORDER, 2, {RED_PATTERN_NAN, RED_PATTERN_INFINITIES}},
        {RED_ROLE_PLACE, 2, {RED_PATTERN_NAN, RED_PATTERN_ZEROS}},
    };
    struct special_list list = {.space = space,
                                .rows = rows,
                                .first = before_n,
                                .rows_n = before_n,
                                .random = space->session->selection->seed};
    for (size_t s = 0; s < space->strategies_n; s++)
        for (size_t r = 0; r < sizeof roles / sizeof roles[0]; r++)
            add_special_rows_of_strategy(&list, s, &roles[r]);
    for (size_t type = 0; type < space->session->types_n; type++)
        for (size_t op = 0; op < space->session->ops_n && space->session->types[type]->is_float; op++)
            for (int kind = 0; kind < SPECIAL_KINDS; kind++)
                add_special_rows_of_one_strategy(&list, type, op, (enum red_pattern)(RED_PATTERN_NAN + kind));
    return list.rows_n;
}

/* ---- beside the pairs ---------------------------------------------------------------------------------- */

/* Appends, after part 1, the checks of the further parts of the data: an n beyond the grid has more of them
 * than there are levels. False without memory. */
static bool append_further_parts(const struct red_parameter_space *space, const unsigned char *row,
                                 struct red_test_plan *plan) {
    struct red_check check = covering_check_of_row(space, row);
    bool done = true;
    check.is_extra = true;
    for (check.data_kind.part++;
         row[RED_FACTOR_DATA] == RED_DATA_PART_1 && red_space_data_fits(space, &check) && done;
         check.data_kind.part++)
        done = red_test_plan_append(plan, &check);
    return done;
}

/* Appends the check if it can run. False without memory. */
static bool append_if_fits(const struct red_parameter_space *space, const struct red_check *check,
                           struct red_test_plan *plan) {
    bool fits = red_space_data_fits(space, check) && red_space_geometry_fits(space, check);
    return !fits || red_test_plan_append(plan, check);
}

/* Weights of a segmented strategy at the largest n, and with --n at SEGMENT_N alone, come in many segments,
 * too: their number takes more than 16 bits, and where the last ones begin more than 24. Appends nothing of
 * other rows. False without memory. */
static bool append_check_of_many_segments(const struct red_parameter_space *space, const unsigned char *row,
                                          struct red_test_plan *plan) {
    enum { SEGMENT_N = 257, SEGMENTS_N = 66301 };
    struct red_check check = red_space_check_of_row(space, row);
    if (row[RED_FACTOR_DATA] != RED_DATA_WEIGHTS || !red_strategy_is_segmented(check.strategy) ||
        (space->session->selection->n.n > 0 && check.n != SEGMENT_N))
        return true;
    check.is_extra = true;
    check.n = SEGMENT_N;
    check.segments_n = SEGMENTS_N;
    return append_if_fits(space, &check, plan);
}

/* Appends a check for each data set of the exact tier, with the program and the n of `at`; where infinities
 * are promised to extremes, one with infinities, too: a start with the largest finite value shows only
 * there. False without memory. */
static bool append_exact_data_checks(const struct red_parameter_space *space, const struct red_check *at,
                                     struct red_test_plan *plan) {
    struct red_check check = *at;
    bool done = true;
    for (unsigned i = 0; i < red_exact_data_kinds_n(check.op, check.dtype, check.n) && done; i++) {
        check.data_kind = red_exact_data_kind(check.op, check.dtype, check.n, i);
        done = append_if_fits(space, &check, plan);
    }
    check.data_kind = (struct red_data_kind){RED_PATTERN_INFINITIES, 0};
    return done && (!red_op_picks(check.op) || append_if_fits(space, &check, plan));
}

/* Where sums claim to be compensated, appends a check that shows whether they are: neighbours cancel, and in
 * groups of an even size each item has elements of one sign. So its own sum is large and the group's is next
 * to nothing: plain sums of floats miss their bound by a factor of 30 and more with 64 elements an item.
 * Doubles need more until anything is rounded, since these data have 44 bits behind the point. False without
 * memory. */
static bool append_check_of_compensation(const struct red_parameter_space *space, const struct red_check *at,
                                         struct red_test_plan *plan) {
    enum { FLOATS_N = 64, DOUBLES_N = 1024, GROUPS_N = 2, N_MAX = 1 << 22 };
    struct red_check check = *at;
    struct red_geometry geometry;
    if (check.strategy->bound != RED_STRATEGY_COMPENSATED || check.op->term == RED_TERM_SQUARE ||
        check.tuning.group_size % 2 != 0)
        return true;
    if (space->session->selection->groups.n == 0 && red_geometry_takes_groups(check.strategy))
        check.tuning.groups_n = GROUPS_N;
    if (red_geometry_choose(check.strategy, check.op, check.dtype, &space->info->shape, &check.tuning, 1,
                            &geometry, NULL) != RED_OK)
        return true;
    check.n = (check.dtype->bits == 64 ? DOUBLES_N : FLOATS_N) * geometry.group_size * geometry.groups_n;
    check.prefixes_n = 0;
    check.data_kind = (struct red_data_kind){RED_PATTERN_CANCELLING, 0};
    return check.n > N_MAX || append_if_fits(space, &check, plan);
}

/* Appends checks with all exact data of that check's program, none with --n, since a pair says nothing about
 * a third factor: a wrong start of f64's max in the vector loop needs type, operation and data together,
 * behind a few vectors. One n is less than a group, one several rounds of all lanes and a rest; the seed
 * decides which. False without memory. */
static bool append_exact_data_of_program(const struct red_parameter_space *space, const struct red_check *of,
                                         struct red_test_plan *plan) {
    struct red_check check = *of;
    struct red_geometry geometry;
    uint64_t sizes[RED_PROGRAM_SIZES_N];
    if (space->session->selection->n.n > 0 ||
        red_geometry_choose(check.strategy, check.op, check.dtype, &space->info->shape, &check.tuning, 1,
                            &geometry, NULL) != RED_OK)
        return true;
    check.is_extra = true;
    red_program_sizes_choose(geometry.group_size * geometry.lanes,
                             red_space_shifted_by_seed(space, red_check_program_number(plan, &check)), sizes);
    bool done = append_check_of_compensation(space, &check, plan);
    for (size_t i = 0; i < RED_PROGRAM_SIZES_N && done; i++) {
        check.n = sizes[i];
        check.segments_n = red_check_segments_n(check.strategy, check.n);
        check.prefixes_n = remainders_n(geometry.lanes);
        done = append_exact_data_checks(space, &check, plan);
    }
    return done;
}

/* Calls append_exact_data_of_program once for each program of the array's rows. False without memory. */
static bool append_exact_data_of_programs(const struct red_parameter_space *space,
                                          const struct red_covering_array *cover,
                                          struct red_test_plan *plan) {
    bool *seen = calloc(red_test_plan_programs_n_max(plan), sizeof *seen);
    bool done = seen != NULL;
    for (size_t i = 0; i < cover->rows_n && done; i++) {
        const struct red_check check = red_space_check_of_row(space, cover->rows[i]);
        size_t program = red_check_program_number(plan, &check);
        done = seen[program] || append_exact_data_of_program(space, &check, plan);
        seen[program] = true;
    }
    free(seen);
    return done;
}

static unsigned char plain_data(const struct red_parameter_space *space) {
    return red_verify_hooks[space->session->selection->primitive].plain_data;
}

/* How many checks of the plan have this strategy, type and number of bins. */
static size_t checks_of_bins_n(const struct red_test_plan *plan, const struct red_strategy *strategy,
                               const struct red_dtype *dtype, unsigned bins_n) {
    size_t n = 0;
    for (size_t i = 0; i < plan->n; i++)
        n += plan->rows[i].strategy == strategy && plan->rows[i].bins_n == bins_n &&
             plan->rows[i].dtype == dtype;
    return n;
}

/* Gives a check, that of a new program, the number of bins that its type has in the fewest checks of the
 * strategy. */
static void take_rarest_bins(const struct red_parameter_space *space, const struct red_test_plan *plan,
                             struct red_check *check) {
    unsigned fitting[RED_BINS_LEVELS_N];
    const size_t n = red_space_bins(space, check->strategy, check->tuning.group_size, fitting);
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < n && n > 1; i++) {
        const unsigned bins_n = fitting[red_space_shifted_by_seed(space, i) % n];
        const size_t checks_n = checks_of_bins_n(plan, check->strategy, check->dtype, bins_n);
        if (checks_n < least) {
            least = checks_n;
            check->bins_n = bins_n;
        }
    }
}

/* Appends the checks of a program of the strategy with one of the further group sizes, and with the type and
 * the operation whose turn it is, or the next ones that can be run. False without memory. */
static bool append_program_of_group_size(const struct red_parameter_space *space, size_t strategy,
                                         size_t group_level, struct red_test_plan *plan) {
    const size_t types_n = space->session->types_n, all_n = types_n * space->session->ops_n;
    for (size_t i = 0; i < all_n; i++) {
        const size_t turn = red_space_shifted_by_seed(space, i + strategy + 7 * group_level) % all_n;
        unsigned char row[RED_FACTORS_MAX];
        make_program_row(strategy, turn % types_n, turn / types_n, group_level, row);
        row[RED_FACTOR_SIZE] = 1; /* one element */
        row[RED_FACTOR_DATA] = plain_data(space);
        if (!red_space_admits(space, row))
            continue;
        struct red_check check = red_space_check_of_row(space, row);
        take_rarest_bins(space, plan, &check);
        return append_exact_data_of_program(space, &check, plan);
    }
    return true;
}

/* Adds the further group sizes to the plan's levels, and appends checks of programs with them, unless
 * strategies take turns with these. False without memory. */
static bool append_programs_of_group_sizes(const struct red_parameter_space *space,
                                           struct red_test_plan *plan) {
    bool done = true;
    plan->levels_n[RED_FACTOR_GROUP_SIZE] += space->more_n;
    for (size_t s = 0; s < space->strategies_n && !red_space_group_sizes_take_turns(space); s++)
        for (size_t i = 0; i < space->more_n && done; i++)
            done = append_program_of_group_size(space, s, space->tunings_n + i, plan);
    return done;
}

/* Whether the type has values in each of so many bins: u8 not in 257. */
static bool reaches_all_bins(const struct red_dtype *dtype, unsigned bins_n) {
    return red_bins_make(dtype, bins_n).reached_n == bins_n;
}

/* Appends checks of a program at each n of --n, with all exact data by turns; without --n as other programs
 * have them. False without memory. */
static bool append_program(const struct red_parameter_space *space, const struct red_check *of,
                           struct red_test_plan *plan) {
    const size_t sizes_n = space->session->selection->n.n;
    if (sizes_n == 0)
        return append_exact_data_of_program(space, of, plan);
    struct red_check check = *of;
    const size_t kinds_n = red_exact_data_kinds_n(check.op, check.dtype, check.n);
    bool done = true;
    check.is_extra = true;
    for (size_t i = 0; i < (sizes_n > kinds_n ? sizes_n : kinds_n) && done; i++) {
        check.n = space->session->selection->n.values[i % sizes_n];
        check.data_kind = red_exact_data_kind(check.op, check.dtype, check.n, (unsigned)(i % kinds_n));
        done = append_if_fits(space, &check, plan);
    }
    return done;
}

/* Makes the check of a program of the strategy with that number of bins, of the type, operation and group
 * size whose turn it is, or the next that can be run; with `reaching` of a type that has values in all bins.
 * False if there is none. */
static bool make_check_of_bins(const struct red_parameter_space *space, size_t strategy, unsigned bins_n,
                               bool reaching, struct red_check *check) {
    const size_t types_n = space->session->types_n, ops_n = space->session->ops_n;
    for (size_t i = 0; i < types_n * ops_n * space->tunings_n; i++) {
        const size_t turn = red_space_shifted_by_seed(space, i + bins_n), group_turn = turn / types_n / ops_n;
        unsigned char row[RED_FACTORS_MAX];
        unsigned fitting[RED_BINS_LEVELS_N];
        make_program_row(strategy, turn % types_n, turn / types_n % ops_n, group_turn % space->tunings_n,
                         row);
        row[RED_FACTOR_SIZE] = space->sizes_n > 1; /* one element */
        row[RED_FACTOR_DATA] = plain_data(space);
        *check = red_space_check_of_row(space, row);
        const size_t fitting_n = red_space_bins(space, check->strategy, check->tuning.group_size, fitting);
        check->bins_n = bins_n;
        for (size_t f = 0; f < fitting_n; f++)
            if (fitting[f] == bins_n && (!reaching || reaches_all_bins(check->dtype, bins_n)) &&
                red_space_admits(space, row))
                return true;
    }
    return false;
}

/* Appends a program of the strategy with that number of bins, unless the plan has one: if possible one of a
 * type with values in all bins. False without memory. */
static bool append_program_of_bins(const struct red_parameter_space *space, size_t strategy, unsigned bins_n,
                                   struct red_test_plan *plan) {
    const struct red_strategy *of = space->session->strategies[space->in_session[strategy]];
    struct red_check check;
    for (int reaching = 1; reaching >= 0; reaching--) {
        for (size_t t = 0; t < space->session->types_n; t++)
            if ((!reaching || reaches_all_bins(space->session->types[t], bins_n)) &&
                checks_of_bins_n(plan, of, space->session->types[t], bins_n) > 0)
                return true;
        if (make_check_of_bins(space, strategy, bins_n, reaching, &check))
            return append_program(space, &check, plan);
    }
    return true;
}

/* Few strategies, and kernels of --kernel, meet each number of bins: appends programs for what is left. False
 * without memory. */
static bool append_programs_of_bins(const struct red_parameter_space *space, struct red_test_plan *plan) {
    bool done = true;
    for (size_t s = 0; s < space->strategies_n; s++) {
        const struct red_strategy *strategy = space->session->strategies[space->in_session[s]];
        unsigned numbers[RED_BINS_LEVELS_N];
        const size_t numbers_n = red_space_bins(space, strategy, 1, numbers);
        if (space->session->strategies_n > RED_STRATEGIES_FEW &&
            !red_catalogue_is_added(space->session->catalogue, strategy))
            continue;
        for (size_t i = 0; i < numbers_n && numbers_n > 1 && done; i++)
            done = append_program_of_bins(space, s, numbers[i], plan);
    }
    return done;
}

/* The pairs are M of "covered on ...: N of M pairs". */
enum red_status red_test_plan_append_covering(struct red_parameter_space *space, struct red_test_plan *plan,
                                              struct red_error *error) {
    unsigned char given[GIVEN_MAX][RED_FACTORS_MAX];
    size_t before_n = make_all_rows_at_largest_n(space, given);
    size_t given_n = append_special_rows(space, before_n, given);
    const struct red_covering_spec spec = {
        .factors_n = RED_CHECK_FACTORS,
        .levels_n = {plan->levels_n[0], plan->levels_n[1], plan->levels_n[2], plan->levels_n[3],
                     plan->levels_n[4], plan->levels_n[5]},
        .shared_n = RED_PROGRAM_FACTORS,
        .given = (const unsigned char(*)[RED_FACTORS_MAX])given,
        .given_n = given_n,
        .seed = space->session->selection->seed,
        .valid = red_space_admits,
        .context = space,
    };
    struct red_covering_array cover;
    enum red_status status = red_covering_array_make(&spec, &cover, error);
    if (status != RED_OK)
        return status;
    plan->pairs_n = cover.pairs_n;
    plan->impossible_n = cover.impossible_n;
    bool done = true;
    for (size_t i = 0; i < cover.rows_n && done; i++)
        done = append_check_of_row(space, cover.rows[i], plan) &&
               (i >= before_n || (append_further_parts(space, cover.rows[i], plan) &&
                                  append_check_of_many_segments(space, cover.rows[i], plan)));
    done = done && append_exact_data_of_programs(space, &cover, plan) &&
           append_programs_of_group_sizes(space, plan) && append_programs_of_bins(space, plan);
    red_covering_array_clear(&cover);
    return done ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the list of checks");
}
