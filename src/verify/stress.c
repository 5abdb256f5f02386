/* `verify --stress`: a strategy whose groups read what others wrote is called thousands of times, with other
 * data in each call, beside launches that disturb memory (worker/stress.c). verify_device calls it behind the
 * checks of the device, which find what is wrong without that: a check launches two or three times, and an
 * order that is kept by chance alone is kept then. The user sees a line per strategy, and of a wrong call a
 * check that is `wrong`. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/numbers.h"
#include "core/random.h"
#include "verify/verify_private.h"

/* Times the compute units: so many groups are at work; with more of them the last group is later than all
 * others, and reads nothing that is on its way. */
enum { GROUPS_TIMES_MAX = 4 };

/* Each round has another number of groups, or another group size: all pairs of them in so many rounds, which
 * come again with other data. */
enum {
    GROUP_SIZES_N = 3,
    PAIRS_N = GROUPS_TIMES_MAX * GROUP_SIZES_N,
    ROUNDS_MAX = 4 * PAIRS_N,
    ROUNDS_PER_S = 8
};

/* Few elements, so that calls are short; of a scan so few that all results of a call are looked at. */
enum { PIECE_MIN = 64, LONG_PIECE = 1024 };

/* One round leaves seeds for the arrays that take turns. */
enum { ARRAYS_N = 3, SEEDS_PER_ROUND = 16 };

/* The stress of one strategy. */
struct stress {
    struct red_device_checks *checks;
    struct red_check check; /* of the round */
    double seconds;         /* of a round */
    double took_s;          /* all calls so far */
    uint64_t drawn;         /* by the seed and the strategy */
    uint64_t calls_n;
    struct red_size_range groups_n, group_size; /* of all rounds; 0: there was none */
    uint64_t stored_n;                          /* of the round in which it was most */
};

/* How long each such strategy is put under stress on the session's device d, in seconds; 0: it is not. */
static double stress_each_s(const struct red_verify *verify, size_t d) {
    const double asked_s = verify->options->stress_s;
    const bool is_cpu = red_client_info(verify->session->devices[d])->shape.is_cpu;
    const bool is_whole = verify->session->selection->n.n == 0 && verify->options->soak_s == 0;
    return asked_s >= 0 ? asked_s : !is_cpu && is_whole ? 1 : 0;
}

double red_stress_expected_s(const struct red_verify *verify, size_t d) {
    const struct red_session *session = verify->session;
    double expected_s = 0;
    for (size_t s = 0; s < session->strategies_n; s++)
        expected_s += red_strategy_orders_groups(session->strategies[s]) ? stress_each_s(verify, d) : 0;
    return expected_s;
}

/* ---- what is called ------------------------------------------------------------------------------------ */

/* Chooses an operation in which each partial result counts, and a type, which the seed draws among those that
 * the device can run. False where there is none. */
static bool choose_form_among(const struct red_session *session, size_t d, bool of_floats,
                              struct stress *stress) {
    struct red_check *check = &stress->check;
    struct red_error error;
    for (size_t o = 0; o < session->ops_n; o++) {
        for (size_t i = 0; i < session->types_n && !red_op_picks(session->ops[o]); i++) {
            check->op = session->ops[o];
            check->dtype = session->types[(stress->drawn + i) % session->types_n];
            if ((check->dtype->is_float || !of_floats) &&
                red_strategy_check_type_and_op(check->strategy, check->dtype, check->op, &error) == RED_OK &&
                red_client_check_support(session->devices[d], check->strategy, check->dtype, check->op, 0,
                                         &error) == RED_OK)
                return true;
        }
    }
    return false;
}

/* The same, of floats if there are any where an order of additions must be kept. */
static bool choose_form(const struct red_session *session, size_t d, struct stress *stress) {
    return (stress->check.strategy->order == RED_STRATEGY_ORDER_FIXED &&
            choose_form_among(session, d, true, stress)) ||
           choose_form_among(session, d, false, stress);
}

/* What a round's arrays hold. Where an order of additions must be kept, every second round has floats whose
 * sums are rounded. */
static enum red_pattern pattern_of_round(const struct red_check *check, unsigned round) {
    const bool is_rounded =
        check->strategy->order == RED_STRATEGY_ORDER_FIXED && check->dtype->is_float && round % 2 == 1;
    return is_rounded ? RED_PATTERN_UNIFORM : red_verify_hooks[check->op->primitive].stressed_data;
}

/* The size of the pair. Where an item takes a long
 * piece, or its lanes are a processor's, the default. */
static size_t choose_group_size(const struct red_check *check, const struct red_geometry_limits *shape,
                                uint64_t pair) {
    const size_t least = red_verify_hooks[check->op->primitive].stressed_group_size;
    return check->strategy->lanes >= LONG_PIECE ? 1
           : shape->is_cpu                      ? red_geometry_default_group_size(check->strategy, shape)
                                                : least << pair / GROUPS_TIMES_MAX;
}

/* Fills in geometry and n of a round: as many groups as a few times the compute units, each with little to
 * do. What the command line says is taken; with its n there are no more groups than have elements: the
 * partial result of none is the same in all calls. */
static void choose_geometry(struct stress *stress, unsigned round) {
    const struct red_selection *selection = stress->checks->verify->session->selection;
    struct red_client *client = stress->checks->workers[0];
    struct red_check *check = &stress->check;
    const struct red_strategy *strategy = check->strategy;
    const struct red_geometry_limits *shape = &red_client_info(client)->shape;
    struct red_tuning tuning = red_selection_tuning(selection, 0);
    /* 5 and 12 have no factor in common: the rounds meet all pairs. */
    const uint64_t pair = (stress->drawn + 5 * (uint64_t)round) % PAIRS_N;
    uint64_t random = stress->drawn + round, groups_n = tuning.groups_n;
    if (groups_n == 0)
        groups_n = shape->compute_units * (1 + pair % GROUPS_TIMES_MAX);
    if (tuning.group_size == 0)
        tuning.group_size = choose_group_size(check, shape, pair);
    tuning.group_size =
        red_client_nearest_group_size(client, strategy, check->dtype, check->op, tuning.group_size);
    if (tuning.width == 0 && strategy->width > 0) {
        tuning.width = strategy->width;
        tuning.loads = 1;
    }
    uint64_t item_n = tuning.width > 0 ? tuning.width * tuning.loads : strategy->lanes;
    if (strategy->span == RED_STRATEGY_CHUNK)
        item_n = red_greater(item_n, PIECE_MIN);
    const uint64_t group_n = tuning.group_size * item_n;
    check->n = red_lesser(groups_n * group_n - red_random(&random) % group_n,
                          red_verify_hooks[check->op->primitive].stressed_n);
    if (selection->n.n > 0)
        check->n = selection->n.values[round % selection->n.n];
    if (red_geometry_takes_groups(strategy) && tuning.groups_n == 0)
        tuning.groups_n = red_greater(1, red_lesser(groups_n, red_ceil_div(check->n, group_n)));
    check->tuning = tuning;
}

/* ---- rounds -------------------------------------------------------------------------------------------- */

static void widen(struct red_size_range *range, uint64_t value) {
    range->first = range->first == 0 ? value : red_lesser(range->first, value);
    range->last = red_greater(range->last, value);
}

/* "132 to 528", or of one number "132". */
static struct red_short_text range_text(const struct red_size_range *range) {
    struct red_short_text text;
    const int used = snprintf(text.text, sizeof text.text, "%" PRIu64, range->first);
    if (range->first < range->last)
        snprintf(text.text + used, sizeof text.text - (size_t)used, " to %" PRIu64, range->last);
    return text;
}

/* Asks the device's worker to make a round. Errors: RED_E_WRONG, with the evidence in *found; those of
 * red_geometry_choose and red_client_stress. */
static enum red_status make_round(struct stress *stress, unsigned round, struct red_stress *found,
                                  struct red_error *error) {
    struct red_device_checks *checks = stress->checks;
    struct red_client *client = checks->workers[0];
    struct red_check *check = &stress->check;
    struct red_geometry geometry;
    choose_geometry(stress, round);
    check->data_kind.pattern = pattern_of_round(check, round);
    struct red_case spec = red_case_of_check(check, checks->verify->session->selection->seed +
                                                        SEEDS_PER_ROUND * (uint64_t)round);
    spec.arrays_n = ARRAYS_N;
    enum red_status status =
        red_geometry_choose(check->strategy, check->op, check->dtype, &red_client_info(client)->shape,
                            &check->tuning, check->n, &geometry, error);
    if (status != RED_OK)
        return status;
    pthread_mutex_unlock(&checks->lock);
    status = red_client_stress(client, &spec, stress->seconds, stress->drawn + round, found, error);
    pthread_mutex_lock(&checks->lock);
    if (status != RED_OK)
        return status;
    stress->calls_n += found->calls_n;
    stress->took_s += found->took_s;
    stress->stored_n = red_greater(stress->stored_n, found->stored_n);
    widen(&stress->groups_n, geometry.groups_n);
    widen(&stress->group_size, geometry.group_size);
    if (found->right)
        return RED_OK;
    char evidence[RED_EVIDENCE_BYTES];
    red_evidence_format(&found->evidence, evidence, sizeof evidence);
    return red_fail(error, RED_E_WRONG,
                    "%s, of %" PRIu64 " groups of %zu after %.3g s beside what disturbs memory", evidence,
                    geometry.groups_n, geometry.group_size, stress->took_s);
}

/* "stress: last_group sum i32 on nvidia: 41000 calls of 132 to 528 groups of 64 to 256, ..., all right". */
static void print_right(const struct stress *stress, uint64_t words_n, FILE *out) {
    const struct red_check *check = &stress->check;
    fprintf(
        out,
        "stress: %s %s %s on %s: %" PRIu64 " calls of %s groups of %s beside writes to as many as %" PRIu64
        " of %" PRIu64 " words, all right\n",
        check->strategy->name, check->op->name, check->dtype->name, stress->checks->id, stress->calls_n,
        range_text(&stress->groups_n).text, range_text(&stress->group_size).text, stress->stored_n, words_n);
    fflush(out);
}

/* Makes the rounds of a strategy until one is not right, and counts them as one check. */
static void stress_strategy(struct stress *stress, unsigned rounds_n) {
    struct red_device_checks *checks = stress->checks;
    struct red_tally *tally = red_tally_of(checks, &stress->check);
    struct red_stress found = {.right = true};
    struct red_error error = {.text = ""};
    enum red_status status = RED_OK;
    for (unsigned round = 0; round < rounds_n && status == RED_OK; round++)
        status = make_round(stress, round, &found, &error);
    const enum red_state state = red_state_of(status);
    if (state == RED_STATE_PENDING)
        return;
    if (state == RED_STATE_PASS)
        print_right(stress, found.words_n, checks->verify->out);
    tally->planned_n++;
    tally->stress_calls_n = stress->calls_n;
    red_tally_add_and_print(checks, &stress->check, state, error.text,
                            state == RED_STATE_WRONG ? &found.evidence : NULL);
}

/* Whether the worst that the checks of the strategy have found is a right answer, so that stress can tell
 * more. */
static bool is_right_so_far(const struct red_tally *tally) {
    size_t i = 0;
    while (i + 1 < RED_STATES_N && tally->happened[red_states_worst_first[i]] == 0)
        i++;
    return red_states_worst_first[i] == RED_STATE_PASS;
}

void red_stress_device(struct red_device_checks *checks) {
    struct red_verify *verify = checks->verify;
    const struct red_session *session = verify->session;
    const double seconds = stress_each_s(verify, checks->d);
    const unsigned rounds_n = (unsigned)fmax(1, fmin(ROUNDS_MAX, ROUNDS_PER_S * seconds));
    for (size_t s = 0; s < session->strategies_n && seconds > 0 && !red_verify_is_over(verify); s++) {
        const struct red_strategy *strategy = session->strategies[s];
        struct stress stress = {
            .checks = checks,
            .seconds = seconds / rounds_n,
            .drawn = red_hash_text(red_hash_add(RED_HASH, session->selection->seed), strategy->name) >> 8,
            .check = {.strategy = strategy, .segments_n = 1, .stress_s = seconds}};
        if (!red_strategy_orders_groups(strategy) || !is_right_so_far(&verify->tallies[checks->d][s]) ||
            !choose_form(session, checks->d, &stress))
            continue;
        stress.check.bins_n = red_selected_bins_n(session->selection);
        stress_strategy(&stress, rounds_n);
    }
}
