/* What a check can be made of on one device, and which combinations can run there: the parameter space that
 * `verify` covers. A program that cannot run at all is listed with the reason (red_refusals): "cannot run on
 * ...". All else is seen in the checks that are made, and in their number.
 * verify/test_plan.c makes the space for each device of the session; --n, --wg, --groups and --lanes limit
 * it. */
#include "verify/verify_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/random.h"

/* Called here and in covering_plan.c: another --seed gives other checks. */
uint64_t red_space_shifted_by_seed(const struct red_parameter_space *space, uint64_t k) {
    return k + space->session->selection->seed;
}

/* The group size that strategy s takes at level i, where strategies take turns: at every second level the
 * level's own, at the others in turn one of the further sizes below it. So all sizes are taken by some
 * strategy, without more programs. */
static size_t shared_group_size_at(const struct red_parameter_space *space, size_t s, size_t i) {
    const size_t own = space->tunings[i].group_size, below = i > 0 ? space->tunings[i - 1].group_size : 0;
    const size_t end = space->tunings_n + space->more_n;
    size_t first = space->tunings_n, others_n = 0; /* they ascend */
    while (first < end && space->tunings[first].group_size <= below)
        first++;
    while (first + others_n < end && space->tunings[first + others_n].group_size < own)
        others_n++;
    const uint64_t turn = red_space_shifted_by_seed(space, s);
    return others_n == 0 || (turn + i) % 2 == 0
               ? own
               : space->tunings[first + (turn / 2 + i) % others_n].group_size;
}

/* Called here and in covering_plan.c. */
bool red_space_group_sizes_take_turns(const struct red_parameter_space *space) {
    const struct red_selection *options = space->session->selection;
    return space->session->strategies_n > RED_STRATEGIES_FEW && options->wg.n == 0 && !options->all;
}

/* The lanes of each usual group size: the default, the most possible (more than the smallest block of
 * kernels_cl12/reduce/chunk.cl), or others in turn. So lanes cost no further programs. */
enum lanes { LANES_DEFAULT, LANES_MOST, LANES_IN_TURN };
static const struct {
    size_t group_size;
    enum lanes lanes;
} usual_levels[] = {
    {1, LANES_DEFAULT},   {7, LANES_MOST},      {32, LANES_DEFAULT}, {64, LANES_IN_TURN},
    {100, LANES_IN_TURN}, {256, LANES_IN_TURN}, {0, LANES_IN_TURN}, /* the device's largest */
};
enum { USUAL_N = sizeof usual_levels / sizeof usual_levels[0] };

/* Sets the lanes of a level, but leaves LANES_DEFAULT alone. Levels of one strategy are 7 apart in the list,
 * so no two of seven levels are equal. */
static void tuning_set_lanes(const struct red_parameter_space *space, size_t s, size_t level,
                             struct red_tuning *tuning) {
    static const unsigned widths[] = {1, 2, 4, 8, 16}, loads[] = {1, 2, 4, 8};
    enum { LOADS_N = sizeof loads / sizeof loads[0], ALL_N = LOADS_N * sizeof widths / sizeof widths[0] };
    const enum lanes lanes = space->lanes[level];
    const size_t at =
        lanes == LANES_MOST ? ALL_N - 1 : red_space_shifted_by_seed(space, s + 7 * level) % ALL_N;
    if (lanes == LANES_DEFAULT)
        return;
    tuning->width = widths[at / LOADS_N];
    tuning->loads = loads[at % LOADS_N];
}

/* The i-th of the tunings, as the s-th of the session's strategies can take it. */
static struct red_tuning tuning_at(const struct red_parameter_space *space, size_t s, size_t i) {
    struct red_tuning tuning = space->tunings[i];
    if (i < space->tunings_n && red_space_group_sizes_take_turns(space))
        tuning.group_size = shared_group_size_at(space, s, i);
    if (space->own_lanes && i < space->tunings_n && space->session->strategies[s]->width > 0)
        tuning_set_lanes(space, s, i, &tuning);
    return tuning;
}

/* Sets the levels of the group size, a tuning each: all of --wg, --groups and --lanes, or without --wg the
 * usual group sizes. RED_E_INPUT if they are too many. */
static enum red_status set_group_size_levels(struct red_parameter_space *space, struct red_error *error) {
    const struct red_selection *options = space->session->selection;
    size_t max = space->info->shape.group_size_max, asked_n = red_selection_tunings_n(options);
    size_t usual_n = options->wg.n > 0 ? 1 : USUAL_N;
    space->own_lanes = options->wg.n == 0 && options->lanes_n == 0;
    if (asked_n * usual_n > RED_LEVELS_MAX)
        return red_fail(error, RED_E_INPUT,
                        "--wg, --groups, --lanes: verify takes at most %d combinations, not %zu",
                        RED_LEVELS_MAX, asked_n * usual_n);
    for (size_t i = 0; i < asked_n * usual_n; i++) {
        struct red_tuning tuning = red_selection_tuning(options, i / usual_n);
        const size_t usual = usual_levels[i % usual_n].group_size;
        if (options->wg.n == 0 && usual >= max)
            continue;
        if (options->wg.n == 0)
            tuning.group_size = usual ? usual : max;
        space->lanes[space->tunings_n] = usual_levels[i % usual_n].lanes;
        space->tunings[space->tunings_n++] = tuning;
    }
    return RED_OK;
}

/* Whether a level, or one of the further group sizes, is this one. */
static bool has_group_size(const struct red_parameter_space *space, size_t group_size) {
    for (size_t i = 0; i < space->tunings_n + space->more_n; i++)
        if (space->tunings[i].group_size == group_size)
            return true;
    return false;
}

/* Puts a size among the further ones, which ascend, unless it is there, or more than the device takes. */
static void add_further_group_size(struct red_parameter_space *space, size_t group_size) {
    struct red_tuning tuning = red_selection_tuning(space->session->selection, 0);
    size_t at = space->tunings_n + space->more_n;
    tuning.group_size = group_size;
    if (group_size > space->info->shape.group_size_max || at == RED_LEVELS_MAX ||
        has_group_size(space, group_size))
        return;
    for (; at > space->tunings_n && space->tunings[at - 1].group_size > group_size; at--)
        space->tunings[at] = space->tunings[at - 1];
    space->tunings[at] = tuning;
    space->more_n++;
}

/* Adds a multiple of 32 that is no power of two, drawn from those of each of a few ranges: 96, and three
 * others. */
static void add_multiples_of_32(struct red_parameter_space *space) {
    static const size_t edges[] = {64, 128, 256, 1024, SIZE_MAX};
    const size_t max = space->info->shape.group_size_max;
    uint64_t random = space->session->selection->seed;
    for (size_t i = 0; i + 1 < sizeof edges / sizeof edges[0] && max > edges[i]; i++) {
        const size_t first = edges[i] / 32 + 1, last = (max < edges[i + 1] ? max : edges[i + 1] - 1) / 32;
        if (last < first)
            return;
        const size_t multiple = first + red_random(&random) % (last - first + 1);
        const bool is_power = (multiple & (multiple - 1)) == 0;
        add_further_group_size(space, 32 * (is_power ? multiple + 1 : multiple));
    }
}

/* Adds group sizes at which a kernel may be wrong, up to the largest: powers of two and their neighbours,
 * and multiples of 32 that are no powers; none with --wg. */
static void add_further_group_sizes(struct red_parameter_space *space) {
    const size_t max = space->info->shape.group_size_max;
    if (space->session->selection->wg.n > 0)
        return;
    for (size_t power = 2; power <= max; power *= 2)
        for (size_t size = power - 1; size <= power + 1; size++)
            add_further_group_size(space, size);
    add_multiples_of_32(space);
}

/* Adds n between those of the grid, drawn from the seed: a kernel cannot be made to fit only these n. */
static void add_random_sizes(struct red_parameter_space *space) {
    static const uint64_t limits[] = {1, 64, 1 << 10, 1 << 14, 1 << 18, 1 << 20, 1 << 22};
    uint64_t random = space->session->selection->seed;
    for (size_t i = 1; i < sizeof limits / sizeof limits[0]; i++) {
        uint64_t n = limits[i - 1] + red_random(&random) % (limits[i] - limits[i - 1]);
        space->sizes[space->sizes_n++] = (struct red_size_point){.groups = 0, .offset = (int64_t)n};
    }
}

/* Sets the levels of n: all of --n, otherwise the grid of core/select.h and some random ones. RED_E_INPUT if
 * they are too many. */
static enum red_status set_size_levels(struct red_parameter_space *space, struct red_error *error) {
    const struct red_sizes *n = &space->session->selection->n;
    if (n->n > RED_LEVELS_MAX)
        return red_fail(error, RED_E_INPUT, "--n: verify takes at most %d sizes, not %zu", RED_LEVELS_MAX,
                        n->n);
    for (size_t i = 0; i < n->n; i++)
        space->sizes[space->sizes_n++] =
            (struct red_size_point){.groups = 0, .offset = (int64_t)n->values[i]};
    for (size_t i = 0; n->n == 0 && i < red_size_points_n; i++)
        space->sizes[space->sizes_n++] = red_size_points[i];
    if (n->n == 0)
        add_random_sizes(space);
    return RED_OK;
}

/* Adds the line "cannot run on ..." of the strategy, unless it is there, or there is no room. */
static void add_reason_line(struct red_refusals *refusals, const struct red_strategy *strategy,
                            const char *reason) {
    struct red_refusal refusal = {.strategy = strategy};
    snprintf(refusal.reason, sizeof refusal.reason, "%.220s", reason);
    for (size_t i = 0; i < refusals->reasons_n; i++)
        if (refusals->reasons[i].strategy == strategy &&
            strcmp(refusals->reasons[i].reason, refusal.reason) == 0)
            return;
    if (RED_GROW(refusals->reasons, refusals->reasons_n, 1))
        refusals->reasons[refusals->reasons_n++] = refusal;
}

/* Whether the device cannot run some group size; the reason is in `error`. Checks with that size are left
 * out. */
static bool some_group_size_cannot_run(const struct red_parameter_space *space, size_t s, size_t t, size_t o,
                                       struct red_error *error) {
    const struct red_session *session = space->session;
    for (size_t i = 0; i < space->tunings_n; i++)
        if (red_client_check_support(space->device, session->strategies[s], session->types[t],
                                     session->ops[o], tuning_at(space, s, i).group_size,
                                     error) == RED_E_UNSUPPORTED)
            return true;
    return false;
}

/* Combinations of type and operation that share a reason: which it is, and how many. */
struct refused_combinations {
    char reason[224];
    size_t n;
};
enum { REASONS_MAX = 16 };
struct refusal_reasons {
    struct refused_combinations of[REASONS_MAX];
    size_t n;
};

/* Counts a combination of type and operation by the reason why it cannot run: "cannot run on ...". */
static void count_reason(struct refusal_reasons *reasons, const char *reason) {
    struct refused_combinations *at = reasons->of, *end = reasons->of + reasons->n;
    while (at < end && strncmp(at->reason, reason, sizeof at->reason - 1) != 0)
        at++;
    if (at == reasons->of + REASONS_MAX)
        return;
    if (at == end) {
        snprintf(at->reason, sizeof at->reason, "%.*s", (int)sizeof at->reason - 1, reason);
        reasons->n++;
    }
    at->n++;
}

/* Whether the device runs the strategy for a type and an operation of which it has a form; counts why not. */
static bool device_runs_or_count_reason(struct red_parameter_space *space, size_t s, size_t t, size_t o,
                                        struct refusal_reasons *reasons) {
    const struct red_session *session = space->session;
    struct red_error error;
    /* The device is lost, so nobody knows: not refused, and its checks end with that failure. */
    if (red_client_check_support(space->device, session->strategies[s], session->types[t], session->ops[o], 0,
                                 &error) != RED_E_UNSUPPORTED)
        return true;
    count_reason(reasons, error.text);
    return false;
}

/* Lists a reason with the number of its combinations. */
static void add_counted_reason_line(struct red_refusals *refusals, const struct red_strategy *strategy,
                                    const struct refused_combinations *refused) {
    char line[256];
    snprintf(line, sizeof line, refused->n > 1 ? "%.190s (%zu types and operations)" : "%.220s",
             refused->reason, refused->n);
    add_reason_line(refusals, strategy, line);
}

/* Lists all reasons, the most frequent one first. Their numbers are 0 afterwards. */
static void add_reason_lines(struct red_refusals *refusals, const struct red_strategy *strategy,
                             struct refusal_reasons *reasons) {
    for (size_t told = 0; told < reasons->n; told++) {
        struct refused_combinations *most = reasons->of;
        for (size_t i = 1; i < reasons->n; i++)
            most = reasons->of[i].n > most->n ? &reasons->of[i] : most;
        add_counted_reason_line(refusals, strategy, most);
        most->n = 0;
    }
}

/* Which types and operations of the strategy the device runs, as row `at` of runs; true if any. The others
 * are listed with their reason, as are those that it does not run with every group size. */
static bool set_runs_and_refusals(struct red_parameter_space *space, struct red_refusals *refusals, size_t s,
                                  size_t at) {
    const struct red_session *session = space->session;
    struct refusal_reasons all = {.n = 0}, parts = {.n = 0};
    struct refused_combinations formless = {.n = 0};
    struct red_error error;
    bool any = false;
    for (size_t t = 0; t < session->types_n; t++) {
        for (size_t o = 0; o < session->ops_n; o++) {
            const bool has_form = red_strategy_check_type_and_op(session->strategies[s], session->types[t],
                                                                 session->ops[o], &error) == RED_OK;
            if (!has_form && formless.n++ == 0)
                snprintf(formless.reason, sizeof formless.reason, "%.*s", (int)sizeof formless.reason - 1,
                         error.text);
            const bool runs = has_form && device_runs_or_count_reason(space, s, t, o, &all);
            const bool in_part = runs && some_group_size_cannot_run(space, s, t, o, &error);
            if (in_part)
                count_reason(&parts, error.text);
            space->runs[at][t][o] = runs;
            space->in_part[at][t][o] = in_part;
            refusals->n[s] += !runs || in_part;
            any = any || runs;
        }
    }
    add_reason_lines(refusals, session->strategies[s], &all);
    /* That a kernel is for few types is its manifest's choice, and no news where others run. */
    if (formless.n > 0 && (!any || session->selection->type != NULL || session->selection->op != NULL))
        add_counted_reason_line(refusals, session->strategies[s], &formless);
    add_reason_lines(refusals, session->strategies[s], &parts);
    return any;
}

/* Whether the strategy takes any of the geometries that were asked for; if not, all its combinations
 * are refused, and it is listed with the reason. */
static bool takes_any_tuning_or_add_refusals(const struct red_parameter_space *space,
                                             struct red_refusals *refusals, size_t s) {
    const struct red_session *session = space->session;
    const struct red_strategy *strategy = session->strategies[s];
    struct red_error error = {.text = ""};
    for (size_t i = 0; i < space->tunings_n; i++) {
        struct red_geometry geometry;
        struct red_tuning tuning = tuning_at(space, s, i);
        if (red_geometry_choose(strategy, session->ops[0], session->types[0], &space->info->shape, &tuning, 1,
                                &geometry, &error) == RED_OK)
            return true;
    }
    refusals->n[s] += session->types_n * session->ops_n;
    add_reason_line(refusals, strategy, error.text);
    return false;
}

/* Sets which strategies of the session run at all; the others are listed with the reason. */
static void set_strategy_levels_and_refusals(struct red_parameter_space *space,
                                             struct red_refusals *refusals) {
    for (size_t s = 0; s < space->session->strategies_n; s++)
        if (takes_any_tuning_or_add_refusals(space, refusals, s) &&
            set_runs_and_refusals(space, refusals, s, space->strategies_n)) {
            space->in_session[space->strategies_n++] = s;
        }
}

/* The data at the largest n. Of floats every element is in one of two parts. Of integers of 8 bits no element
 * equals one a power of two away, and sums of one sign need more than 32 bits. Of extremes one is at the end,
 * or among the last vectors. Of scans every lost element shows in any of their own data, and of histograms in
 * all. Special values of a scan have an n at which a lone value stands between others: there are results
 * before it, too. Under stress groups are small for scans, since all results of a call are read. */
const struct red_verify_hooks red_verify_hooks[RED_PRIMITIVES_N] = {
    [RED_PRIMITIVE_REDUCE] =
        {.programs = {{2, 2, {RED_DATA_PART_0, RED_DATA_PART_1}, 0},
                      {3, 1, {RED_DATA_WEIGHTS, RED_DATA_GREATEST, RED_DATA_LEAST}, RED_NO_TURN},
                      {2, 0, {RED_DATA_CLOSE_BELOW, RED_DATA_CLOSE_ABOVE}, 1}},
         .numerics_ops = {"sum,min,max,argmin", "sum"},
         .special_n = 1000,
         .answers = "exact: the sum of its parts",
         .data_levels_n = RED_DATA_REDUCTIONS_N,
         .plain_data = RED_DATA_WEIGHTS,
         .uniform_is_weights = true,
         .stressed_data = RED_PATTERN_WEIGHTS,
         .stressed_group_size = 64,
         .stressed_n = 1 << 22},
    [RED_PRIMITIVE_SCAN] =
        {.programs = {{2, 0, {RED_DATA_WALK, RED_DATA_ISLANDS}, 0},
                      {3, 1, {RED_DATA_WEIGHTS, RED_DATA_GREATEST, RED_DATA_LEAST}, RED_NO_TURN},
                      {2, 0, {RED_DATA_SAW, RED_DATA_RISING}, 1}},
         .numerics_ops = {"inclusive_sum,exclusive_sum,inclusive_min,exclusive_max",
                          "inclusive_sum,exclusive_sum"},
         .special_n = 1002,
         .answers = "answer: of each element",
         .data_levels_n = RED_DATA_SCANS_N,
         .plain_data = RED_DATA_WEIGHTS,
         .uniform_is_weights = true,
         .may_be_idle = true,
         .stressed_data = RED_PATTERN_WEIGHTS,
         .stressed_group_size = 32,
         .stressed_n = 1 << 18},
    [RED_PRIMITIVE_HISTOGRAM] = {.programs = {{2, 0, {RED_DATA_EDGES, RED_DATA_ZIPF}, 0},
                                              {2, 0, {RED_DATA_ONE_BIN, RED_DATA_SORTED}, RED_NO_TURN}},
                                 .answers = "answer: the count of each bin, and of none",
                                 .data_levels_n = RED_DATA_LEVELS_N,
                                 .plain_data = RED_DATA_EDGES,
                                 .stressed_data = RED_PATTERN_UNIFORM,
                                 .stressed_group_size = 64,
                                 .stressed_n = 1 << 22},
};

enum red_status red_space_fill(struct red_session *session, size_t d, struct red_parameter_space *space,
                               struct red_refusals *refusals, struct red_error *error) {
    space->session = session;
    space->device = session->devices[d];
    space->info = red_client_info(session->devices[d]);
    enum red_status status = set_group_size_levels(space, error);
    if (status != RED_OK)
        return status;
    add_further_group_sizes(space);
    set_strategy_levels_and_refusals(space, refusals);
    status = set_size_levels(space, error);
    space->levels_n[RED_FACTOR_STRATEGY] = space->strategies_n;
    space->levels_n[RED_FACTOR_TYPE] = session->types_n;
    space->levels_n[RED_FACTOR_OP] = session->ops_n;
    space->levels_n[RED_FACTOR_GROUP_SIZE] = space->tunings_n;
    space->levels_n[RED_FACTOR_SIZE] = space->sizes_n;
    space->levels_n[RED_FACTOR_DATA] = red_verify_hooks[session->selection->primitive].data_levels_n;
    return status;
}

/* ---- its points ------------------------------------------------------------------------------------------
 * A row is a level of each factor. What does not fit is left out of the plan, and no line says so. */

/* With more groups in a launch, one element each, a check takes seconds. Such a check of the grid is left
 * out; what the user asks for is run. */
enum { GROUPS_MAX = 1 << 18 };

const struct red_data_kind red_data_levels[RED_DATA_LEVELS_N] = {
    [RED_DATA_WEIGHTS] = {RED_PATTERN_WEIGHTS, 0},
    [RED_DATA_PART_0] = {RED_PATTERN_PART, 0},
    [RED_DATA_PART_1] = {RED_PATTERN_PART, 1},
    [RED_DATA_GREATEST] = {RED_PATTERN_GREATEST, 0},
    [RED_DATA_LEAST] = {RED_PATTERN_LEAST, 0},
    [RED_DATA_CLOSE_ABOVE] = {RED_PATTERN_CLOSE_ABOVE, 0},
    [RED_DATA_CLOSE_BELOW] = {RED_PATTERN_CLOSE_BELOW, 0},
    [RED_DATA_SCALED_UP] = {RED_PATTERN_SCALED_UP, 0},
    [RED_DATA_SCALED_DOWN] = {RED_PATTERN_SCALED_DOWN, 0},
    [RED_DATA_BOUNDED] = {RED_PATTERN_UNIFORM, 0},
    {RED_PATTERN_CANCELLING, 0},
    {RED_PATTERN_WIDE, 0},
    {RED_PATTERN_ONES, 0},
    {RED_PATTERN_HUGE, 0},
    [RED_DATA_NANS] = {RED_PATTERN_NAN, 0},
    {RED_PATTERN_INFINITY, 0},
    {RED_PATTERN_INFINITIES, 0},
    {RED_PATTERN_NEGATIVE_ZEROS, 0},
    {RED_PATTERN_ZEROS, 0},
    {RED_PATTERN_DENORMALS, 0},
    [RED_DATA_WALK] = {RED_PATTERN_WALK, 0},
    [RED_DATA_ISLANDS] = {RED_PATTERN_ISLANDS, 0},
    [RED_DATA_RISING] = {RED_PATTERN_RISING, 0},
    [RED_DATA_FALLING] = {RED_PATTERN_FALLING, 0},
    [RED_DATA_SAW] = {RED_PATTERN_SAW, 0},
    [RED_DATA_EDGES] = {RED_PATTERN_EDGES, 0},
    [RED_DATA_ONE_BIN] = {RED_PATTERN_ONE_BIN, 0},
    [RED_DATA_HALF] = {RED_PATTERN_HALF, 0},
    [RED_DATA_ZIPF] = {RED_PATTERN_ZIPF, 0},
    [RED_DATA_SORTED] = {RED_PATTERN_SORTED, 0},
    [RED_DATA_ENDS] = {RED_PATTERN_ENDS, 0},
    [RED_DATA_PERIOD] = {RED_PATTERN_PERIOD, 0},
};

/* Called below and by covering_plan.c. Segments: a few more than one, of short ones more than a CPU holds
 * groups; together a small array, which is soon made and, under a checker, soon read. */
uint64_t red_check_segments_n(const struct red_strategy *strategy, uint64_t segment_n) {
    enum { TOGETHER_N = 1 << 11, SEGMENTS_MIN = 3, SEGMENTS_MAX = 131, LONG_N = 1 << 18 };
    uint64_t fitting = segment_n > 0 ? TOGETHER_N / segment_n : 5;
    if (!red_strategy_is_segmented(strategy) || segment_n > LONG_N)
        return 1;
    if (fitting < SEGMENTS_MIN)
        return SEGMENTS_MIN;
    return fitting < SEGMENTS_MAX ? fitting : SEGMENTS_MAX;
}

/* The default number of groups (0) follows from n, and is 1 for small n: other numbers take turns with it;
 * seen in evidence as --groups. */
static uint64_t groups_n_in_turn(const struct red_strategy *strategy, const unsigned char *row) {
    static const uint64_t groups[] = {0, 2, 3, 17, 67};
    size_t turn = (size_t)row[RED_FACTOR_GROUP_SIZE] + row[RED_FACTOR_SIZE] + row[RED_FACTOR_DATA];
    return red_geometry_takes_groups(strategy) ? groups[turn % (sizeof groups / sizeof groups[0])] : 0;
}

/* The numbers of bins without --bins: powers of two, others, fewer and more than a byte has. */
static const unsigned bins_levels[RED_BINS_LEVELS_N] = {1, 256, 7, 1000, 257, 4096, 2, 255, 65536, 32};

size_t red_bins_level(unsigned bins_n) {
    for (size_t i = 0; i < RED_BINS_LEVELS_N; i++)
        if (bins_levels[i] == bins_n)
            return i;
    return 0;
}

/* Called below and by covering_plan.c. */
size_t red_space_bins(const struct red_parameter_space *space, const struct red_strategy *strategy,
                      size_t group_size, unsigned fitting[RED_BINS_LEVELS_N]) {
    /* Where each item has a copy, its groups hold so many counts at most: zeros and sums of more take long.
     */
    enum { COPIES_MAX = 1 << 18 };
    size_t fitting_n = 0;
    if (space->session->selection->bins_n > 0 || red_primitives[strategy->primitive].bins_n == 0) {
        fitting[0] = red_selected_bins_n(space->session->selection);
        return 1;
    }
    const size_t copies_n =
        strategy->group == RED_STRATEGY_NONE && strategy->finish == RED_STRATEGY_JOINED_COPIES ? group_size
                                                                                               : 1;
    for (size_t i = 0; i < RED_BINS_LEVELS_N; i++)
        if (bins_levels[i] <= strategy->bins_max &&
            (fitting_n == 0 || bins_levels[i] * copies_n <= COPIES_MAX))
            fitting[fitting_n++] = bins_levels[i];
    return fitting_n;
}

/* The next of the numbers of bins for each program, since one is compiled for each. */
static unsigned bins_n_in_turn(const struct red_parameter_space *space, const struct red_strategy *strategy,
                               size_t group_size, const unsigned char *row) {
    const size_t turn = (size_t)row[RED_FACTOR_STRATEGY] + row[RED_FACTOR_TYPE] +
                        3 * (size_t)row[RED_FACTOR_OP] + row[RED_FACTOR_GROUP_SIZE];
    unsigned fitting[RED_BINS_LEVELS_N];
    const size_t fitting_n = red_space_bins(space, strategy, group_size, fitting);
    return fitting[red_space_shifted_by_seed(space, turn) % fitting_n];
}

/* The check that may come into the plan. */
struct red_check red_space_check_of_row(const struct red_parameter_space *space, const unsigned char *row) {
    const struct red_session *session = space->session;
    const struct red_strategy *strategy = session->strategies[space->in_session[row[RED_FACTOR_STRATEGY]]];
    struct red_tuning tuning =
        tuning_at(space, space->in_session[row[RED_FACTOR_STRATEGY]], row[RED_FACTOR_GROUP_SIZE]);
    if (space->session->selection->groups.n == 0)
        tuning.groups_n = groups_n_in_turn(strategy, row);
    struct red_check check = {.strategy = strategy,
                              .dtype = session->types[row[RED_FACTOR_TYPE]],
                              .op = session->ops[row[RED_FACTOR_OP]],
                              .tuning = tuning,
                              .n = red_size_of_point(&space->sizes[row[RED_FACTOR_SIZE]], tuning.group_size),
                              .data_kind = red_data_levels[row[RED_FACTOR_DATA]]};
    check.bins_n = bins_n_in_turn(space, strategy, tuning.group_size, row);
    check.segments_n = red_check_segments_n(check.strategy, check.n);
    /* A column holds what was made for several segments: it may have nothing but NaNs. */
    if (check.strategy->span == RED_STRATEGY_COLUMN && red_pattern_is_special(check.data_kind.pattern))
        check.segments_n = 1;
    memcpy(check.levels, row, RED_CHECK_FACTORS);
    return check;
}

/* Whether the data are no special values, or fit: the strategy promises to reduce them, there are enough
 * elements to show what they are for, and n is not large, which would show no more. */
static bool special_values_fit(const struct red_parameter_space *space, const struct red_check *check) {
    enum { SPECIAL_N_MAX = 1 << 16 };
    return !red_pattern_is_special(check->data_kind.pattern) ||
           (check->n >= RED_SPECIAL_N_MIN && check->n <= SPECIAL_N_MAX &&
            red_special_unpromised(check->strategy, check->op, check->dtype, check->data_kind.pattern,
                                   space->info, red_client_capabilities(space->device)) == NULL);
}

/* Left out are uniform data of sums of integers: they are weights by another name, but for the second array,
 * and for histograms, which have no weights. */
bool red_space_data_fits(const struct red_parameter_space *space, const struct red_check *check) {
    bool is_twin = check->data_kind.pattern == RED_PATTERN_UNIFORM && !red_op_picks(check->op) &&
                   check->op->term != RED_TERM_PRODUCT && !check->dtype->is_float &&
                   red_verify_hooks[check->op->primitive].uniform_is_weights;
    return !is_twin && special_values_fit(space, check) &&
           red_op_check_n(check->op, check->dtype, check->n, NULL) == RED_OK &&
           red_pattern_fits(check->data_kind.pattern, check->op, check->dtype) &&
           (check->data_kind.pattern != RED_PATTERN_PART ||
            check->data_kind.part < red_data_kind_parts_n(check->op, check->dtype, check->n));
}

bool red_space_geometry_fits(const struct red_parameter_space *space, const struct red_check *check) {
    struct red_geometry geometry;
    return red_geometry_choose_segments(check->strategy, check->op, check->dtype, &space->info->shape,
                                        &check->tuning, check->n, check->segments_n, &geometry,
                                        NULL) == RED_OK &&
           (geometry.groups_n <= GROUPS_MAX || space->session->selection->n.n > 0 ||
            space->session->selection->all);
}

/* Whether the driver runs the check with groups of its size. */
static bool group_size_runs(const struct red_parameter_space *space, const struct red_check *check,
                            const unsigned char *row) {
    return !space->in_part[row[RED_FACTOR_STRATEGY]][row[RED_FACTOR_TYPE]][row[RED_FACTOR_OP]] ||
           red_client_check_support(space->device, check->strategy, check->dtype, check->op,
                                    check->tuning.group_size, NULL) != RED_E_UNSUPPORTED;
}

bool red_space_admits(const void *context, const unsigned char row[RED_FACTORS_MAX]) {
    const struct red_parameter_space *space = context;
    if (!space->runs[row[RED_FACTOR_STRATEGY]][row[RED_FACTOR_TYPE]][row[RED_FACTOR_OP]])
        return false;
    const struct red_check check = red_space_check_of_row(space, row);
    return red_space_data_fits(space, &check) && red_space_geometry_fits(space, &check) &&
           group_size_runs(space, &check, row);
}
