#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "verify/parameter_space.h"
#include "verify/special.h"

/* Beyond this many groups of one launch, one element each, a check takes seconds: of the grid, the largest n
 * goes to other rows. What the user asks for is run. */
enum { GROUPS_MAX = 1 << 18 };

/* --all: up to the first n comes all data, up to the second one kind of data in turn. */
enum { ALL_DATA_N_MAX = (1 << 12) + 1, ALL_N_MAX = (1 << 20) + 1 };

enum { STRATEGY, TYPE, OP, GROUP, PROGRAM_N, SIZE = PROGRAM_N, DATA, FACTORS_N };
_Static_assert((int)PROGRAM_N == RED_PROGRAM_FACTORS && (int)FACTORS_N == RED_CHECK_FACTORS,
               "as the header says");

/* Each part is a level of its own: together they hold every element once as a 1. */
enum {
    WEIGHTS,
    PART_0,
    PART_1,
    GREATEST,
    LEAST,
    CLOSE_ABOVE,
    CLOSE_BELOW,
    SCALED_UP,
    SCALED_DOWN,
    BOUNDED,
    NANS = BOUNDED + 5
};
static const struct red_probe probes[] = {
    [WEIGHTS] = {RED_PATTERN_WEIGHTS, 0},
    [PART_0] = {RED_PATTERN_PART, 0},
    [PART_1] = {RED_PATTERN_PART, 1},
    [GREATEST] = {RED_PATTERN_GREATEST, 0},
    [LEAST] = {RED_PATTERN_LEAST, 0},
    [CLOSE_ABOVE] = {RED_PATTERN_CLOSE_ABOVE, 0},
    [CLOSE_BELOW] = {RED_PATTERN_CLOSE_BELOW, 0},
    [SCALED_UP] = {RED_PATTERN_SCALED_UP, 0},
    [SCALED_DOWN] = {RED_PATTERN_SCALED_DOWN, 0},
    [BOUNDED] = {RED_PATTERN_UNIFORM, 0},
    {RED_PATTERN_CANCELLING, 0},
    {RED_PATTERN_WIDE, 0},
    {RED_PATTERN_ONES, 0},
    {RED_PATTERN_HUGE, 0},
    [NANS] = {RED_PATTERN_NAN, 0},
    {RED_PATTERN_INFINITY, 0},
    {RED_PATTERN_INFINITIES, 0},
    {RED_PATTERN_NEGATIVE_ZEROS, 0},
    {RED_PATTERN_ZEROS, 0},
    {RED_PATTERN_DENORMALS, 0},
};
enum { PROBES_N = sizeof probes / sizeof probes[0], EXACT_N = SCALED_DOWN + 1 };

/* Segments: a few more than one, of short ones more than a CPU holds groups; together a small array, which
 * is soon made and, under a checker, soon read. */
static uint64_t segments_for(const struct red_strategy *strategy, uint64_t n) {
    enum { TOGETHER_N = 1 << 11, SEGMENTS_MIN = 3, SEGMENTS_MAX = 131, LONG_N = 1 << 18 };
    uint64_t fitting = n > 0 ? TOGETHER_N / n : 5;
    if (!red_strategy_is_segmented(strategy) || n > LONG_N)
        return 1;
    if (fitting < SEGMENTS_MIN)
        return SEGMENTS_MIN;
    return fitting < SEGMENTS_MAX ? fitting : SEGMENTS_MAX;
}

/* The default number of groups follows from n, and small n would meet one group only: others take turns with
 * it. */
static uint64_t groups_for(const struct red_strategy *strategy, const unsigned char *row) {
    static const uint64_t groups[] = {0, 2, 3, 17, 67};
    size_t turn = (size_t)row[GROUP] + row[SIZE] + row[DATA];
    return red_geometry_takes_groups(strategy) ? groups[turn % (sizeof groups / sizeof groups[0])] : 0;
}

static struct red_check check_of(const struct red_parameter_space *space, const unsigned char *row) {
    const struct red_session *session = space->session;
    const struct red_strategy *strategy = space->strategies[row[STRATEGY]];
    struct red_tuning tuning = red_space_tuning(space, space->in_session[row[STRATEGY]], row[GROUP]);
    if (space->session->selection->groups.n == 0)
        tuning.groups_n = groups_for(strategy, row);
    struct red_check check = {.strategy = strategy,
                              .dtype = session->types[row[TYPE]],
                              .op = session->ops[row[OP]],
                              .tuning = tuning,
                              .n = red_size_at(&space->sizes[row[SIZE]], tuning.group_size),
                              .probe = probes[row[DATA]]};
    check.segments_n = segments_for(check.strategy, check.n);
    /* Of columns, each holds what was made for several: there may be nothing but NaNs. */
    if (check.strategy->span == RED_STRATEGY_COLUMN && red_pattern_is_special(check.probe.pattern))
        check.segments_n = 1;
    memcpy(check.levels, row, FACTORS_N);
    return check;
}

/* Special values come where the strategy promises to reduce them, with as many elements as show what they are
 * for; what becomes of them follows from how elements are combined, which a large n does no otherwise. */
static bool special_fits(const struct red_parameter_space *space, const struct red_check *check) {
    enum { SPECIAL_N_MAX = 1 << 16 };
    return !red_pattern_is_special(check->probe.pattern) ||
           (check->n >= RED_SPECIAL_N_MIN && check->n <= SPECIAL_N_MAX &&
            red_special_unpromised(check->strategy, check->op, check->dtype, check->probe.pattern,
                                   space->info, red_remote_capabilities(space->device)) == NULL);
}

/* Sums of integers: uniform data are weights by another name, but for the second array. */
static bool data_fits(const struct red_parameter_space *space, const struct red_check *check) {
    bool is_twin = check->probe.pattern == RED_PATTERN_UNIFORM && check->op->wants == RED_WANTS_ALL &&
                   check->op->term != RED_TERM_PRODUCT && !check->dtype->is_float;
    return !is_twin && special_fits(space, check) &&
           red_op_check_n(check->op, check->dtype, check->n, NULL) == RED_OK &&
           red_pattern_fits(check->probe.pattern, check->op, check->dtype) &&
           (check->probe.pattern != RED_PATTERN_PART ||
            check->probe.part < red_probe_parts(check->op, check->dtype, check->n));
}

static bool geometry_fits(const struct red_parameter_space *space, const struct red_check *check) {
    struct red_geometry geometry;
    return red_geometry_choose_segments(check->strategy, check->op, check->dtype, &space->info->shape,
                                        &check->tuning, check->n, check->segments_n, &geometry,
                                        NULL) == RED_OK &&
           (geometry.groups_n <= GROUPS_MAX || space->session->selection->n.n > 0);
}

/* Whether the driver runs it with groups of this size. */
static bool group_runs(const struct red_parameter_space *space, const struct red_check *check,
                       const unsigned char *row) {
    return !space->in_part[row[STRATEGY]][row[TYPE]][row[OP]] ||
           red_remote_decide(space->device, check->strategy, check->dtype, check->op,
                             check->tuning.group_size, NULL) != RED_E_UNSUPPORTED;
}

static bool is_valid(const void *context, const unsigned char row[RED_FACTORS_MAX]) {
    const struct red_parameter_space *space = context;
    if (!space->runs[row[STRATEGY]][row[TYPE]][row[OP]])
        return false;
    const struct red_check check = check_of(space, row);
    return data_fits(space, &check) && geometry_fits(space, &check) && group_runs(space, &check, row);
}

/* ---- lists -----------------------------------------------------------------------------------------------
 */

static bool append_row(const struct red_parameter_space *space, const unsigned char *row,
                       struct red_test_plan *plan) {
    const struct red_check check = check_of(space, row);
    return red_test_plan_append(plan, &check);
}

/* What each strategy meets at the largest n, each row in one program. Floats: every element is in one of two
 * parts. Integers of 8 bits: no element is like one that is a power of two away, and sums of one sign need
 * more than 32 bits, up or down. An extreme at the end, or among the last vectors. Of many strategies each
 * takes one of two twins, by the seed: what one shows at this n, the other shows, too. Where a float's turn
 * is given, strategies take the float types in turn: the program is the one that meets special values, too.
 */
enum { LARGEST_N = 3, LARGEST_KINDS_N = 3, NO_TURN = 255 };
static const struct {
    size_t n, first_twin; /* n: there are none */
    unsigned char data[LARGEST_N], float_turn;
} largest_kinds[LARGEST_KINDS_N] = {{2, 2, {PART_0, PART_1}, 0},
                                    {3, 1, {WEIGHTS, GREATEST, LEAST}, NO_TURN},
                                    {2, 0, {CLOSE_BELOW, CLOSE_ABOVE}, 1}};

/* The float type whose turn it is with a strategy; SIZE_MAX without any. Halves take long to make, and count
 * no further than others do. */
static size_t float_of_turn(const struct red_parameter_space *space, const size_t *levels_n, size_t strategy,
                            size_t turn) {
    size_t floats[32], floats_n = 0;
    for (size_t type = 0; type < levels_n[TYPE]; type++)
        if (space->session->types[type]->is_float && space->session->types[type]->bits > 16)
            floats[floats_n++] = type;
    return floats_n > 0 ? floats[(strategy + turn + space->session->selection->seed) % floats_n] : SIZE_MAX;
}

static bool has_turn_at_largest(const struct red_parameter_space *space, size_t kind, size_t i,
                                size_t strategy) {
    const size_t first_twin = largest_kinds[kind].first_twin;
    return space->session->strategies_n <= RED_STRATEGIES_FEW || i < first_twin ||
           (strategy + space->session->selection->seed) % 2 == i - first_twin;
}

/* Completes a program's rows with the largest n of the grid, or of the user's, and with the data that the
 * program takes. Gives their number. */
static size_t at_largest(const struct red_parameter_space *space, size_t kind, const unsigned char *program,
                         unsigned char rows[LARGEST_N][RED_FACTORS_MAX]) {
    size_t given_n = space->session->selection->n.n, rows_n = 0;
    for (size_t i = 0; i < largest_kinds[kind].n; i++) {
        if (!has_turn_at_largest(space, kind, i, program[STRATEGY]))
            continue;
        memcpy(rows[rows_n], program, RED_FACTORS_MAX);
        rows[rows_n][SIZE] = (unsigned char)((given_n ? given_n : red_size_points_n) - 1);
        rows[rows_n][DATA] = largest_kinds[kind].data[i];
        rows_n += is_valid(space, rows[rows_n]);
    }
    return rows_n;
}

/* Finds the best of a strategy's programs for the largest n, which takes most of the data; of these its type
 * has its turn, and type and operation are those that most strategies have. Gives the number of rows; 0 if
 * there is none. */
static size_t best_at_largest(const struct red_parameter_space *space, const size_t *levels_n,
                              size_t strategy, size_t kind, size_t popularity[32][32],
                              unsigned char rows[LARGEST_N][RED_FACTORS_MAX]) {
    enum { BEYOND_ALL = 1 << 20 };
    const size_t preferred = largest_kinds[kind].float_turn == NO_TURN
                                 ? SIZE_MAX
                                 : float_of_turn(space, levels_n, strategy, largest_kinds[kind].float_turn);
    size_t best = 0, best_n = 0, groups_n = levels_n[GROUP];
    for (size_t i = 0; i < levels_n[TYPE] * levels_n[OP] * groups_n; i++) {
        size_t op = i / groups_n / levels_n[TYPE], type = i / groups_n % levels_n[TYPE];
        unsigned char tried[LARGEST_N][RED_FACTORS_MAX],
            program[RED_FACTORS_MAX] = {
                [STRATEGY] = (unsigned char)strategy,
                [TYPE] = (unsigned char)type,
                [OP] = (unsigned char)op,
                [GROUP] = (unsigned char)((strategy + kind + i) %
                                          groups_n)}; /* strategies and kinds take different ones */
        size_t tried_n = at_largest(space, kind, program, tried);
        size_t worth = popularity[type][op] + (type == preferred ? BEYOND_ALL : 0);
        if (tried_n < best_n || (tried_n == best_n && worth <= best))
            continue;
        best = worth;
        best_n = tried_n;
        memcpy(rows, tried, sizeof tried);
    }
    return best_n;
}

/* Whatever pairs ask for: every strategy takes such data at the largest n of the grid. There a lost last
 * element, an index of 24 bits and one that was a float show. Strategies share the data, which take long to
 * make. */
static size_t list_largest(const struct red_parameter_space *space, const size_t *levels_n,
                           unsigned char (*rows)[RED_FACTORS_MAX]) {
    size_t popularity[32][32] = {{0}}, rows_n = 0;
    for (size_t s = 0; s < levels_n[STRATEGY]; s++)
        for (size_t t = 0; t < levels_n[TYPE]; t++)
            for (size_t o = 0; o < levels_n[OP]; o++)
                popularity[t][o] += space->runs[s][t][o];
    for (size_t s = 0; s < levels_n[STRATEGY]; s++)
        for (size_t k = 0; k < LARGEST_KINDS_N; k++)
            rows_n += best_at_largest(space, levels_n, s, k, popularity, &rows[rows_n]);
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
    GIVEN_MAX = RED_CHOICE_MAX * (LARGEST_KINDS_N * LARGEST_N + EACH_STRATEGY_N) + 3 * 32 * 32 * SPECIAL_KINDS
};

struct special_list {
    const struct red_parameter_space *space;
    const size_t *levels_n;
    unsigned char (*rows)[RED_FACTORS_MAX]; /* those at the largest n, then these */
    size_t first, rows_n;
    uint64_t random;
};

/* Adds a row of the program with the first n, at or behind a random one, that can be run, and that has the
 * remainder modulo RED_SPECIAL_PLACES or any (RED_SPECIAL_PLACES); false if none can. */
static bool add_special(struct special_list *list, const unsigned char *program, enum red_pattern pattern,
                        uint64_t remainder) {
    size_t sizes_n = list->levels_n[SIZE], first = red_random(&list->random) % sizes_n;
    unsigned char *row = list->rows[list->rows_n];
    memcpy(row, program, RED_FACTORS_MAX);
    row[DATA] = (unsigned char)(NANS + (pattern - RED_PATTERN_NAN));
    for (size_t i = 0; i < sizes_n; i++) {
        row[SIZE] = (unsigned char)((first + i) % sizes_n);
        if (!is_valid(list->space, row) || (remainder < RED_SPECIAL_PLACES &&
                                            check_of(list->space, row).n % RED_SPECIAL_PLACES != remainder))
            continue;
        list->rows_n++;
        return true;
    }
    return false;
}

/* The same wherever it may stand: few strategies take both ends, of many each takes one place. */
static bool add_special_places(struct special_list *list, const unsigned char *program,
                               enum red_pattern pattern) {
    if (!add_special(list, program, pattern, RED_SPECIAL_PLACES))
        return false;
    if (list->space->session->strategies_n <= RED_STRATEGIES_FEW) {
        (void)add_special(list, program, pattern, RED_SPECIAL_AT_FIRST);
        (void)add_special(list, program, pattern, RED_SPECIAL_AT_LAST);
    }
    return true;
}

/* Whether the strategy has a program with this level of a factor by now. */
static bool has_level(const struct special_list *list, size_t strategy, size_t factor, size_t level) {
    for (size_t i = 0; i < list->rows_n; i++)
        if (list->rows[i][STRATEGY] == strategy && list->rows[i][factor] == level)
            return true;
    return false;
}

/* A program with a group size that the strategy has in no other, from some place on. */
static void program_set(const struct special_list *list, size_t strategy, size_t type, size_t op,
                        unsigned char *program) {
    const size_t groups_n = list->levels_n[GROUP];
    size_t group = (strategy + type + op + list->space->session->selection->seed) % groups_n, tried_n = 0;
    while (tried_n++ < groups_n && has_level(list, strategy, GROUP, group))
        group = (group + 1) % groups_n;
    memset(program, 0, RED_FACTORS_MAX);
    program[STRATEGY] = (unsigned char)strategy;
    program[TYPE] = (unsigned char)type;
    program[OP] = (unsigned char)op;
    program[GROUP] = (unsigned char)group;
}

struct special_role {
    enum red_role role;
    size_t patterns_n;
    enum red_pattern patterns[2];
};

static bool add_of_program(struct special_list *list, const struct special_role *of,
                           const unsigned char *program) {
    const struct red_session *session = list->space->session;
    size_t before_n = list->rows_n;
    if (session->ops[program[OP]]->role != of->role || !session->types[program[TYPE]]->is_float)
        return false;
    for (size_t p = 0; p < of->patterns_n; p++)
        (void)add_special(list, program, of->patterns[p], RED_SPECIAL_PLACES);
    return list->rows_n > before_n;
}

/* For operations of one role: the program that the strategy has at the largest n anyway; otherwise one of a
 * float type that it has in no other, and of the operation whose turn it is, or the next ones that it takes.
 * A covering choice has a program of each strategy for each type anyway. */
static void add_of_role(struct special_list *list, size_t strategy, const struct special_role *of) {
    const size_t types_n = list->levels_n[TYPE], ops_n = list->levels_n[OP];
    const size_t turn = strategy / 3 + list->space->session->selection->seed;
    unsigned char program[RED_FACTORS_MAX];
    for (size_t i = 0; i < list->first; i++)
        if (list->rows[i][STRATEGY] == strategy && add_of_program(list, of, list->rows[i]))
            return;
    for (int any = 0; any < 2; any++)
        for (size_t i = 0; i < types_n * ops_n; i++) {
            const size_t type = (turn + i) % types_n, op = (turn + i / types_n) % ops_n;
            if (!any && has_level(list, strategy, TYPE, type))
                continue;
            program_set(list, strategy, type, op, program);
            if (add_of_program(list, of, program))
                return;
        }
}

/* By a strategy that has such a program already, otherwise by the first at or behind a random one that takes
 * it, one without a program of this type before others. */
static void add_of_any_strategy(struct special_list *list, size_t type, size_t op, enum red_pattern pattern) {
    const size_t n = list->levels_n[STRATEGY], first = red_random(&list->random), own_n = list->rows_n;
    unsigned char program[RED_FACTORS_MAX];
    for (size_t i = 0; i < own_n; i++) {
        const unsigned char *row = list->rows[(first + i) % own_n];
        if (row[TYPE] == type && row[OP] == op && add_special_places(list, row, pattern))
            return;
    }
    for (size_t i = 0; i < 2 * n; i++) {
        const size_t strategy = (first + i) % n;
        if (i < n && has_level(list, strategy, TYPE, type))
            continue;
        program_set(list, strategy, type, op, program);
        if (add_special_places(list, program, pattern))
            return;
    }
}

/* Behind the rows at the largest n. */
static size_t list_special(const struct red_parameter_space *space, const size_t *levels_n, size_t largest_n,
                           unsigned char (*rows)[RED_FACTORS_MAX]) {
    static const struct special_role roles[] = {
        {RED_ROLE_SUM, 1, {RED_PATTERN_INFINITY}},
        {RED_ROLE_ORDER, 2, {RED_PATTERN_NAN, RED_PATTERN_INFINITIES}},
        {RED_ROLE_PLACE, 2, {RED_PATTERN_NAN, RED_PATTERN_ZEROS}},
    };
    struct special_list list = {.space = space,
                                .levels_n = levels_n,
                                .rows = rows,
                                .first = largest_n,
                                .rows_n = largest_n,
                                .random = space->session->selection->seed};
    for (size_t s = 0; s < levels_n[STRATEGY]; s++)
        for (size_t r = 0; r < sizeof roles / sizeof roles[0]; r++)
            add_of_role(&list, s, &roles[r]);
    for (size_t type = 0; type < levels_n[TYPE]; type++)
        for (size_t op = 0; op < levels_n[OP] && space->session->types[type]->is_float; op++)
            for (int kind = 0; kind < SPECIAL_KINDS; kind++)
                add_of_any_strategy(&list, type, op, (enum red_pattern)(RED_PATTERN_NAN + kind));
    return list.rows_n;
}

/* ---- beside the pairs ----------------------------------------------------------------------------------
 */

/* Beyond the grid there are more parts than levels: they follow the last. */
static bool append_parts(const struct red_parameter_space *space, const unsigned char *row,
                         struct red_test_plan *plan) {
    struct red_check check = check_of(space, row);
    bool done = true;
    check.is_extra = true;
    for (check.probe.part++; row[DATA] == PART_1 && data_fits(space, &check) && done; check.probe.part++)
        done = red_test_plan_append(plan, &check);
    return done;
}

static bool append_if_fits(const struct red_parameter_space *space, const struct red_check *check,
                           struct red_test_plan *plan) {
    bool fits = data_fits(space, check) && geometry_fits(space, check);
    return !fits || red_test_plan_append(plan, check);
}

/* Weights of a segmented strategy at the largest n come in many segments, too: their number takes more than
 * 16 bits, and where the last ones begin more than 24. */
static bool append_segments(const struct red_parameter_space *space, const unsigned char *row,
                            struct red_test_plan *plan) {
    enum { SEGMENT_N = 257, SEGMENTS_N = 66301 };
    struct red_check check = check_of(space, row);
    if (row[DATA] != WEIGHTS || !red_strategy_is_segmented(check.strategy) ||
        space->session->selection->n.n > 0)
        return true;
    check.is_extra = true;
    check.n = SEGMENT_N;
    check.segments_n = SEGMENTS_N;
    return append_if_fits(space, &check, plan);
}

/* All data of the exact tier, in the program of a row, at its n; and of an extreme of floats the infinities
 * that lose, where they are promised: what starts with the largest finite value shows there only. False
 * without memory. */
static bool append_keys(const struct red_parameter_space *space, const struct red_check *at,
                        struct red_test_plan *plan) {
    struct red_check check = *at;
    bool done = true;
    for (unsigned i = 0; i < red_key_probes_n(check.op, check.dtype, check.n) && done; i++) {
        check.probe = red_key_probe(check.op, check.dtype, check.n, i);
        done = append_if_fits(space, &check, plan);
    }
    check.probe = (struct red_probe){RED_PATTERN_INFINITIES, 0};
    return done && (check.op->wants == RED_WANTS_ALL || append_if_fits(space, &check, plan));
}

/* How many n in a row hold every remainder modulo 64, and modulo the lanes. */
static unsigned remainders_n(unsigned lanes) {
    return lanes > 64 ? lanes : 64;
}

/* A pair says nothing about a third factor: a wrong start of f64's max in the vector loop shows where type,
 * operation and data come together behind a few vectors. So every program that is compiled meets all data: at
 * an n of less than a group, and at one of several turns of all lanes with a rest; which, follows from the
 * seed. */
static bool append_program(const struct red_parameter_space *space, const unsigned char *row,
                           struct red_test_plan *plan) {
    struct red_check check = check_of(space, row);
    struct red_geometry geometry;
    uint64_t sizes[RED_PROGRAM_SIZES_N];
    if (space->session->selection->n.n > 0 ||
        red_geometry_choose(check.strategy, check.op, check.dtype, &space->info->shape, &check.tuning, 1,
                            &geometry, NULL) != RED_OK)
        return true;
    check.is_extra = true;
    red_program_sizes(geometry.group_size * geometry.lanes,
                      space->session->selection->seed + red_check_program(plan, &check), sizes);
    bool done = true;
    for (size_t i = 0; i < RED_PROGRAM_SIZES_N && done; i++) {
        check.n = sizes[i];
        check.segments_n = segments_for(check.strategy, check.n);
        check.prefixes_n = remainders_n(geometry.lanes);
        done = append_keys(space, &check, plan);
    }
    return done;
}

/* The same for each program of these rows. False without memory. */
static bool append_programs(const struct red_parameter_space *space, const struct red_covering_array *cover,
                            struct red_test_plan *plan) {
    bool *seen = calloc(red_test_plan_programs_n(plan), sizeof *seen);
    bool done = seen != NULL;
    for (size_t i = 0; i < cover->rows_n && done; i++) {
        const struct red_check check = check_of(space, cover->rows[i]);
        size_t program = red_check_program(plan, &check);
        done = seen[program] || append_program(space, cover->rows[i], plan);
        seen[program] = true;
    }
    free(seen);
    return done;
}

/* A strategy's program of one of the further group sizes, with the type and the operation whose turn it is,
 * or the next ones that can be run. */
static bool append_group(const struct red_parameter_space *space, size_t strategy, size_t group,
                         struct red_test_plan *plan) {
    const size_t types_n = plan->levels_n[TYPE], all_n = types_n * plan->levels_n[OP];
    for (size_t i = 0; i < all_n; i++) {
        const size_t turn = (i + strategy + 7 * group + space->session->selection->seed) % all_n;
        const unsigned char row[RED_FACTORS_MAX] = {[STRATEGY] = (unsigned char)strategy,
                                                    [TYPE] = (unsigned char)(turn % types_n),
                                                    [OP] = (unsigned char)(turn / types_n),
                                                    [GROUP] = (unsigned char)group,
                                                    [SIZE] = 1}; /* one element */
        if (is_valid(space, row))
            return append_program(space, row, plan);
    }
    return true;
}

/* Further group sizes are programs of their own where strategies do not share them. */
static bool append_groups(const struct red_parameter_space *space, struct red_test_plan *plan) {
    bool done = true;
    plan->levels_n[GROUP] += space->more_n;
    for (size_t s = 0; s < space->strategies_n && !red_space_shares_group_sizes(space); s++)
        for (size_t i = 0; i < space->more_n && done; i++)
            done = append_group(space, s, space->tunings_n + i, plan);
    return done;
}

static enum red_status list_cover(struct red_parameter_space *space, struct red_test_plan *plan,
                                  struct red_error *error) {
    unsigned char given[GIVEN_MAX][RED_FACTORS_MAX];
    size_t largest_n = list_largest(space, plan->levels_n, given);
    size_t given_n = list_special(space, plan->levels_n, largest_n, given);
    const struct red_covering_spec spec = {
        .factors_n = FACTORS_N,
        .levels_n = {plan->levels_n[0], plan->levels_n[1], plan->levels_n[2], plan->levels_n[3],
                     plan->levels_n[4], plan->levels_n[5]},
        .shared_n = PROGRAM_N,
        .given = (const unsigned char(*)[RED_FACTORS_MAX])given,
        .given_n = given_n,
        .seed = space->session->selection->seed,
        .valid = is_valid,
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
        done = append_row(space, cover.rows[i], plan) &&
               (i >= largest_n ||
                (append_parts(space, cover.rows[i], plan) && append_segments(space, cover.rows[i], plan)));
    done = done && append_programs(space, &cover, plan) && append_groups(space, plan);
    red_covering_array_clear(&cover);
    return done ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the list of checks");
}

/* ---- everything ------------------------------------------------------------------------------------------
 *
 * The full product would take a week of compiling. What takes turns does so by the sum of the other places,
 * so that every strategy meets every group size with every type and with every operation, and every n with
 * all data. */

const char red_test_plan_all_text[] =
    "  every strategy x type x operation with two group sizes, the default and one of the others in turn,\n"
    "  at every n: up to 2^12+1 with all data, up to 2^20+1 with one kind of data in turn, at 2^24+2^18+1\n"
    "  one operation with all exact data; --n, --wg: all of these with all data\n";

static size_t turn_of(const struct red_check *check, const unsigned char *row) {
    return row[STRATEGY] + (size_t)(check->dtype - red_dtypes) + (size_t)(check->op - red_ops);
}

/* The default group size, and one of the others in turn. */
static bool group_has_turn(const struct red_parameter_space *space, const struct red_check *check,
                           const unsigned char *row) {
    size_t usual = red_geometry_default_group_size(check->strategy, &space->info->shape), at = 0,
           others_n = 0;
    for (size_t i = 0; i < space->tunings_n; i++) {
        bool other = space->tunings[i].group_size != usual;
        at += other && i < row[GROUP];
        others_n += other;
    }
    if (space->session->selection->wg.n > 0 || check->tuning.group_size == usual || others_n == 0)
        return true;
    return at == turn_of(check, row) % others_n;
}

/* Of the data that fits the first at or behind the one whose turn it is. */
static bool data_has_turn(const struct red_parameter_space *space, const struct red_check *check,
                          const unsigned char *row) {
    struct red_check tried = *check;
    size_t at = turn_of(check, row) + row[GROUP] + row[SIZE];
    do
        tried.probe = probes[at++ % PROBES_N];
    while (!data_fits(space, &tried));
    return tried.probe.pattern == check->probe.pattern && tried.probe.part == check->probe.part;
}

/* Beyond 2^20 comes one operation per strategy and type, with the default group size and the exact data. */
static bool belongs_to_all(const struct red_parameter_space *space, const struct red_check *check,
                           const unsigned char *row) {
    if (!group_has_turn(space, check, row))
        return false;
    if (check->n <= ALL_DATA_N_MAX || space->session->selection->n.n > 0)
        return true;
    if (check->n <= ALL_N_MAX)
        return data_has_turn(space, check, row);
    return row[OP] == 0 && row[DATA] < EXACT_N &&
           check->tuning.group_size == red_geometry_default_group_size(check->strategy, &space->info->shape);
}

static bool next_row(const size_t *levels_n, unsigned char *row) {
    for (size_t f = FACTORS_N; f-- > 0;) {
        if (f == TYPE || f == OP)
            continue;
        if (++row[f] < levels_n[f])
            return true;
        row[f] = 0;
    }
    return false;
}

/* All of one type and operation. */
static enum red_status list_all(struct red_parameter_space *space, size_t chapter, struct red_test_plan *plan,
                                struct red_error *error) {
    unsigned char row[RED_FACTORS_MAX] = {[TYPE] = (unsigned char)(chapter / space->session->ops_n),
                                          [OP] = (unsigned char)(chapter % space->session->ops_n)};
    struct red_geometry geometry;
    do {
        struct red_check check = check_of(space, row);
        bool runs =
            space->runs[row[STRATEGY]][row[TYPE]][row[OP]] && data_fits(space, &check) &&
            belongs_to_all(space, &check, row) && group_runs(space, &check, row) &&
            red_geometry_choose_segments(check.strategy, check.op, check.dtype, &space->info->shape,
                                         &check.tuning, check.n, check.segments_n, &geometry, NULL) == RED_OK;
        if (runs && !red_test_plan_append(plan, &check))
            return red_fail(error, RED_E_MEMORY, "no memory for the list of checks");
    } while (next_row(plan->levels_n, row));
    return RED_OK;
}

/* ---- the list --------------------------------------------------------------------------------------------
 */

enum red_status red_test_plan_make(struct red_session *session, size_t d, size_t chapter,
                                   struct red_test_plan *plan, struct red_error *error) {
    bool all = session->selection->all;
    *plan = (struct red_test_plan){.chapters_n = all ? session->types_n * session->ops_n : 1};
    struct red_parameter_space *space = calloc(1, sizeof *space);
    if (space == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the list of checks");
    enum red_status status = red_space_find(session, d, space, plan, error);
    if (status == RED_OK && space->strategies_n > 0) {
        const size_t levels_n[FACTORS_N] = {
            [STRATEGY] = space->strategies_n, [TYPE] = session->types_n, [OP] = session->ops_n,
            [GROUP] = space->tunings_n,       [SIZE] = space->sizes_n,   [DATA] = PROBES_N};
        memcpy(plan->levels_n, levels_n, sizeof levels_n);
        status = all ? list_all(space, chapter, plan, error) : list_cover(space, plan, error);
    }
    free(space);
    if (status != RED_OK)
        red_test_plan_clear(plan);
    else
        red_test_plan_sort(plan, all ? RED_PLAN_BY_DATA : RED_PLAN_BY_PROGRAM);
    return status;
}
