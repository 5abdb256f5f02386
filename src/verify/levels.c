/* The levels of each axis that checks have: which checks come first, so that every level of a strategy is
 * checked before its pairs, and which levels were never checked. The user sees the latter as "not checked on
 * ...", in the file of --output, and as exit status 3 of a strategy that was named. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "oracle/change.h"
#include "oracle/results.h"
#include "verify/verify_private.h"

/* No level of the axis. */
#define NO_LEVEL UINT64_MAX

bool red_check_launches(const struct red_check *check) {
    return !red_verify_hooks[check->op->primitive].may_be_idle ||
           red_results_n(check->op, check->n, check->bins_n) > 0;
}

unsigned red_check_calls_n(const struct red_check *check) {
    return RED_VERIFY_CALLS + red_changes_steps_n(check->op, check->data_kind.pattern, check->n,
                                                  check->segments_n, check->prefixes_n);
}

/* ---- axes ------------------------------------------------------------------------------------------------
 * Of each the number of a check's level, and its words. What is read of `levels` is a level of the covering
 * choice; the other members are what the strategy gets, whatever the plan makes of a level. */

static uint64_t type_of(const struct red_check *check) {
    return (uint64_t)(check->dtype - red_dtypes);
}

static uint64_t op_of(const struct red_check *check) {
    return (uint64_t)(check->op - red_ops);
}

static uint64_t group_size_of(const struct red_check *check) {
    return check->tuning.group_size;
}

static uint64_t lanes_of(const struct red_check *check) {
    return (uint64_t)check->tuning.width << 32 | check->tuning.loads;
}

static uint64_t groups_of(const struct red_check *check) {
    return check->tuning.groups_n;
}

/* A point of the grid, whose n may follow from the group size. Beside the covering choice n is no level. */
static uint64_t size_of(const struct red_check *check) {
    return check->is_extra ? NO_LEVEL : check->levels[RED_FACTOR_SIZE];
}

/* Parts beyond the second are of the same level as that. */
static uint64_t data_of(const struct red_check *check) {
    return 2 * (uint64_t)check->data_kind.pattern + (check->data_kind.part > 0);
}

static uint64_t bins_of(const struct red_check *check) {
    return check->bins_n;
}

/* Numbers of segments follow from n, but for those that take more than 16 bits. */
static uint64_t segments_of(const struct red_check *check) {
    return check->segments_n > UINT16_MAX ? check->segments_n : 1;
}

static void type_format(const struct red_check *check, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "type %s", check->dtype->name);
}

static void op_format(const struct red_check *check, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "operation %s", check->op->name);
}

static void group_size_format(const struct red_check *check, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "group size %zu", check->tuning.group_size);
}

static void lanes_format(const struct red_check *check, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, check->tuning.width > 0 ? "lanes %ux%u" : "the default lanes",
             check->tuning.width, check->tuning.loads);
}

static void groups_format(const struct red_check *check, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, check->tuning.groups_n > 0 ? "%llu groups" : "the default number of groups",
             (unsigned long long)check->tuning.groups_n);
}

static void size_format(const struct red_check *check, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "n = %llu", (unsigned long long)check->n);
}

static void data_format(const struct red_check *check, char *text, size_t text_bytes) {
    char data[64];
    red_data_kind_format(check->data_kind, check->op, check->dtype, check->n, data, sizeof data);
    snprintf(text, text_bytes, "data %s", data);
}

static void bins_format(const struct red_check *check, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "%u bins", check->bins_n);
}

static void segments_format(const struct red_check *check, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "%llu segments", (unsigned long long)check->segments_n);
}

/* The most telling first: the words name the first few that lack. */
enum { AXIS_OF_SIZE };
static const struct axis {
    uint64_t (*level_of)(const struct red_check *check);
    void (*format)(const struct red_check *check, char *text, size_t text_bytes);
} axes[RED_LEVEL_AXES_N] = {
    {size_of, size_format},   {type_of, type_format},     {op_of, op_format},
    {data_of, data_format},   {bins_of, bins_format},     {group_size_of, group_size_format},
    {lanes_of, lanes_format}, {groups_of, groups_format}, {segments_of, segments_format}};

/* ---- the record ---------------------------------------------------------------------------------------- */

/* The level of the check on an axis: found, or else added with this check as its example. NULL where the
 * check has none there, and without memory. */
static struct red_level *find_or_add_level(struct red_levels *levels, size_t axis,
                                           const struct red_check *check) {
    struct red_axis_levels *of = &levels->of[axis];
    const uint64_t number = axes[axis].level_of(check);
    if (number == NO_LEVEL)
        return NULL;
    for (size_t i = 0; i < of->n; i++)
        if (of->rows[i].number == number)
            return &of->rows[i];
    if (!RED_GROW(of->rows, of->n, 1))
        return NULL;
    of->rows[of->n] = (struct red_level){.number = number, .example = *check};
    return &of->rows[of->n++];
}

bool red_levels_add(struct red_levels *levels, const struct red_check *check) {
    bool added = true;
    for (size_t a = 0; a < RED_LEVEL_AXES_N && red_check_launches(check); a++) {
        struct red_level *level = find_or_add_level(levels, a, check);
        added = added && (level != NULL || axes[a].level_of(check) == NO_LEVEL);
        if (level != NULL)
            level->open_n++;
    }
    return added;
}

void red_levels_settle(struct red_levels *levels, const struct red_check *check) {
    for (size_t a = 0; a < RED_LEVEL_AXES_N && red_check_launches(check); a++) {
        struct red_level *level = find_or_add_level(levels, a, check);
        if (level != NULL)
            level->is_settled = true;
    }
}

void red_levels_refuse(struct red_levels *levels, const struct red_check *check) {
    for (size_t a = 0; a < RED_LEVEL_AXES_N && red_check_launches(check); a++) {
        struct red_level *level = find_or_add_level(levels, a, check);
        if (level != NULL && level->open_n > 0)
            level->open_n--;
    }
}

/* Whether it was never checked, though not every check of it was refused. */
static bool is_left(const struct red_level *level) {
    return !level->is_settled && level->open_n > 0;
}

void red_levels_clear(struct red_levels *levels) {
    for (size_t a = 0; a < RED_LEVEL_AXES_N; a++)
        free(levels->of[a].rows);
    *levels = (struct red_levels){.of = {{.n = 0}}};
}

size_t red_levels_count(const struct red_levels *levels, size_t *left_n) {
    size_t n = 0;
    *left_n = 0;
    for (size_t a = 0; a < RED_LEVEL_AXES_N; a++)
        for (size_t i = 0; i < levels->of[a].n; i++, n++)
            *left_n += is_left(&levels->of[a].rows[i]);
    return n;
}

void red_levels_left_format(const struct red_levels *levels, size_t told_max, char *text, size_t text_bytes) {
    size_t left_n, told_n = 0;
    (void)red_levels_count(levels, &left_n);
    text[0] = '\0';
    for (size_t a = 0; a < RED_LEVEL_AXES_N; a++)
        for (size_t i = 0; i < levels->of[a].n; i++) {
            char one[96];
            if (!is_left(&levels->of[a].rows[i]) || told_n == told_max)
                continue;
            axes[a].format(&levels->of[a].rows[i].example, one, sizeof one);
            red_text_add(text, text_bytes, "%s%s", told_n++ == 0 ? "" : ", ", one);
        }
    if (left_n > told_n)
        red_text_add(text, text_bytes, " and %zu more", left_n - told_n);
}

/* ---- which checks come first --------------------------------------------------------------------------- */

/* Checks of one strategy among which some are chosen. */
struct level_choice {
    struct red_check **checks;
    double *worths; /* of each, as it was when it was looked at: it can only become less */
    size_t n;
    const struct red_check *end; /* of the rows, in which these stand */
    struct red_levels levels;    /* settled: of a check that is chosen */
};

/* What the calls of a check take, in elements: a launch counts as many as could be read in its time. */
static double cost_of(const struct red_check *check) {
    enum { LAUNCH_N = 1 << 15 };
    return red_check_calls_n(check) * ((double)check->n * (double)check->segments_n + LAUNCH_N);
}

/* How many levels the check has that no chosen one has, by what it costs. The rows behind it that repeat it
 * are other points of the grid, and differ in nothing else. */
static double worth_of(struct level_choice *choice, const struct red_check *check) {
    size_t n = 0;
    for (size_t a = 0; a < RED_LEVEL_AXES_N && red_check_launches(check); a++) {
        const struct red_level *level = find_or_add_level(&choice->levels, a, check);
        n += level != NULL && !level->is_settled;
    }
    for (const struct red_check *at = check + 1; at < choice->end && at->repeats; at++) {
        const struct red_level *level =
            red_check_launches(at) ? find_or_add_level(&choice->levels, AXIS_OF_SIZE, at) : NULL;
        n += level != NULL && !level->is_settled;
    }
    return (double)n / cost_of(check);
}

/* Takes the check, and the rows behind it that repeat it. */
static void choose_check(struct level_choice *choice, struct red_check *check) {
    struct red_check *at = check;
    do {
        at->is_of_levels = true;
        red_levels_settle(&choice->levels, at++);
    } while (at < choice->end && at->repeats);
}

/* Chooses greedily, each time the check that is worth most, until no level is left. */
static void choose_checks(struct level_choice *choice) {
    for (size_t best = 0; best < choice->n;) {
        double best_worth = 0;
        best = choice->n;
        for (size_t i = 0; i < choice->n; i++) {
            if (choice->worths[i] <= best_worth)
                continue;
            choice->worths[i] = worth_of(choice, choice->checks[i]);
            if (choice->worths[i] <= best_worth)
                continue;
            best_worth = choice->worths[i];
            best = i;
        }
        if (best == choice->n)
            return;
        choose_check(choice, choice->checks[best]);
    }
}

bool red_levels_choose_checks(struct red_check *rows, size_t n, size_t strategies_n) {
    struct level_choice choice = {.checks = calloc(n + 1, sizeof *choice.checks),
                                  .worths = calloc(n + 1, sizeof *choice.worths),
                                  .end = rows + n};
    bool done = choice.checks != NULL && choice.worths != NULL;
    for (size_t s = 0; s < strategies_n && done; s++) {
        choice.n = 0;
        for (size_t i = 0; i < n && done; i++) {
            if (rows[i].levels[RED_FACTOR_STRATEGY] != s)
                continue;
            done = red_levels_add(&choice.levels, &rows[i]);
            if (rows[i].repeats)
                continue;
            choice.worths[choice.n] = INFINITY;
            choice.checks[choice.n++] = &rows[i];
        }
        if (done)
            choose_checks(&choice);
        red_levels_clear(&choice.levels);
    }
    free(choice.checks);
    free(choice.worths);
    return done;
}
