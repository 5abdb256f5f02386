/* Finds what the wrong checks of a strategy have in common: the lines "pattern: NAME on DEVICE: ..." of
 * `verify` and `wrong_patterns` of its file. verify/tally.c adds every check that ends, and prints. */
#include "verify/patterns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "model/types.h"

void red_facts_add(struct red_facts *facts, const struct red_fact *fact) {
    if (facts->n < RED_FACTS_MAX && RED_GROW(facts->all, facts->n, 1))
        facts->all[facts->n++] = *fact;
    else
        facts->left_out_n++;
}

void red_facts_clear(struct red_facts *facts) {
    free(facts->all);
    *facts = (struct red_facts){.n = 0};
}

/* ---- what a check may have -------------------------------------------------------------------------------
 * A row of `properties`: a number of a check, and how it is compared. */

typedef uint64_t number_of_check(const struct red_fact *fact, uint64_t n, uint64_t with);

static bool is_power_of_two(uint64_t number) {
    return (number & (number - 1)) == 0;
}

/* Numbers, and those that are 1 where something is so. `n` is the length; others take no notice of it. */
#define NUMBER(name, value)                                                                                  \
    static uint64_t name(const struct red_fact *fact, uint64_t n, uint64_t with) {                           \
        (void)fact, (void)n, (void)with;                                                                     \
        return value;                                                                                        \
    }
NUMBER(length, n)
NUMBER(remainder_of_n, n % with)
NUMBER(remainder_by_group, n % fact->group_size)
NUMBER(is_one_short_of_groups, (n + 1) % fact->group_size == 0)
NUMBER(is_no_multiple_of_group, n % fact->group_size != 0)
NUMBER(is_no_multiple_of_lanes, n % fact->lanes != 0)
NUMBER(is_beyond_group, n > fact->group_size)
NUMBER(is_whole_group, n >= fact->group_size)
NUMBER(is_no_multiple, n % with != 0)
NUMBER(is_less_than_group, n < fact->group_size)
NUMBER(group_size, fact->group_size)
NUMBER(is_group_no_power, !is_power_of_two(fact->group_size))
NUMBER(is_group_power, is_power_of_two(fact->group_size))
NUMBER(is_group_odd, fact->group_size % 2)
NUMBER(is_group_of_32, fact->group_size % 32 == 0)
NUMBER(bins, fact->bins_n)
NUMBER(is_bins_no_power, !is_power_of_two(fact->bins_n))
NUMBER(is_bins_beyond_group, fact->bins_n > fact->group_size)
NUMBER(type, fact->type)
NUMBER(is_float, red_dtypes[fact->type].is_float)
NUMBER(is_integer, !red_dtypes[fact->type].is_float)
NUMBER(op, fact->op)
NUMBER(data, fact->data)
NUMBER(groups, fact->groups_n)
NUMBER(lanes, fact->lanes)
#undef NUMBER

static const char *type_name(uint64_t number) {
    return red_dtypes[number].name;
}
static const char *op_name(uint64_t number) {
    return red_ops[number].name;
}
static const char *data_name(uint64_t number) {
    return red_pattern_name((enum red_pattern)number);
}

/* How a number is compared with those of all wrong checks. */
enum comparison {
    EQUALS, /* all have this one */
    ONE_OF, /* they have these few, of less than 64: a bit each */
    FROM,   /* the least of theirs, or more */
    TO,     /* the greatest of theirs, or less */
    HOLDS   /* it is 1 */
};

/* Simple ones first: of two that tell wrong from right alike, the first is told. */
static const struct property {
    number_of_check *number;
    enum comparison comparison;
    const char *words; /* %s is the number */
    bool of_length;    /* a right check has it where any of its lengths has */
    uint64_t with;
    const char *(*name)(uint64_t number);
    bool parts; /* several causes may differ by it */
} properties[] = {
    {.number = group_size, .comparison = EQUALS, .words = "group size %s", .parts = true},
    {.number = bins, .comparison = EQUALS, .words = "%s bins", .parts = true},
    {.number = type, .comparison = ONE_OF, .words = "type %s", .name = type_name, .parts = true},
    {.number = op, .comparison = ONE_OF, .words = "operation %s", .name = op_name, .parts = true},
    {.number = data, .comparison = ONE_OF, .words = "data %s", .name = data_name, .parts = true},
    {.number = length, .comparison = EQUALS, .words = "n = %s", .of_length = true, .parts = true},
    {.number = remainder_of_n, .comparison = EQUALS, .words = "n mod 2 = %s", .of_length = true, .with = 2},
    {.number = remainder_of_n, .comparison = EQUALS, .words = "n mod 4 = %s", .of_length = true, .with = 4},
    {.number = remainder_of_n, .comparison = EQUALS, .words = "n mod 8 = %s", .of_length = true, .with = 8},
    {.number = remainder_of_n, .comparison = EQUALS, .words = "n mod 16 = %s", .of_length = true, .with = 16},
    {.number = remainder_of_n, .comparison = EQUALS, .words = "n mod 32 = %s", .of_length = true, .with = 32},
    {.number = remainder_of_n, .comparison = EQUALS, .words = "n mod 64 = %s", .of_length = true, .with = 64},
    {.number = remainder_of_n,
     .comparison = EQUALS,
     .words = "n mod 128 = %s",
     .of_length = true,
     .with = 128},
    {.number = remainder_of_n,
     .comparison = EQUALS,
     .words = "n mod 256 = %s",
     .of_length = true,
     .with = 256},
    {.number = remainder_by_group, .comparison = EQUALS, .words = "n mod group size = %s", .of_length = true},
    {.number = is_one_short_of_groups,
     .comparison = HOLDS,
     .words = "n one less than a multiple of the group size",
     .of_length = true},
    {.number = is_no_multiple_of_group,
     .comparison = HOLDS,
     .words = "n that is no multiple of the group size",
     .of_length = true},
    {.number = is_no_multiple_of_lanes,
     .comparison = HOLDS,
     .words = "n that is no multiple of the lanes",
     .of_length = true},
    {.number = is_beyond_group, .comparison = HOLDS, .words = "n above the group size", .of_length = true},
    {.number = is_whole_group,
     .comparison = HOLDS,
     .words = "n of the group size or more",
     .of_length = true},
    {.number = is_no_multiple,
     .comparison = HOLDS,
     .words = "n that is no multiple of 4",
     .of_length = true,
     .with = 4},
    {.number = is_no_multiple,
     .comparison = HOLDS,
     .words = "n that is no multiple of 8",
     .of_length = true,
     .with = 8},
    {.number = is_no_multiple,
     .comparison = HOLDS,
     .words = "n that is no multiple of 16",
     .of_length = true,
     .with = 16},
    {.number = is_less_than_group, .comparison = HOLDS, .words = "n below the group size", .of_length = true},
    {.number = is_float, .comparison = HOLDS, .words = "a type of floats"},
    {.number = is_integer, .comparison = HOLDS, .words = "a type of integers"},
    {.number = is_group_no_power, .comparison = HOLDS, .words = "a group size that is no power of two"},
    {.number = is_group_power, .comparison = HOLDS, .words = "a group size that is a power of two"},
    {.number = is_group_odd, .comparison = HOLDS, .words = "an odd group size"},
    {.number = is_group_of_32, .comparison = HOLDS, .words = "a group size that is a multiple of 32"},
    {.number = is_bins_no_power, .comparison = HOLDS, .words = "a number of bins that is no power of two"},
    {.number = is_bins_beyond_group, .comparison = HOLDS, .words = "more bins than the group size"},
    {.number = group_size, .comparison = FROM, .words = "group size >= %s"},
    {.number = group_size, .comparison = TO, .words = "group size <= %s"},
    {.number = bins, .comparison = FROM, .words = "bins >= %s"},
    {.number = bins, .comparison = TO, .words = "bins <= %s"},
    {.number = length, .comparison = FROM, .words = "n >= %s", .of_length = true},
    {.number = length, .comparison = TO, .words = "n <= %s", .of_length = true},
    {.number = groups, .comparison = EQUALS, .words = "%s groups"},
    {.number = groups, .comparison = FROM, .words = "groups >= %s"},
    {.number = groups, .comparison = TO, .words = "groups <= %s"},
    {.number = lanes, .comparison = EQUALS, .words = "%s lanes"},
    {.number = lanes, .comparison = FROM, .words = "lanes >= %s"},
    {.number = lanes, .comparison = TO, .words = "lanes <= %s"},
};
enum { PROPERTIES_N = sizeof properties / sizeof properties[0], CONDITIONS_MAX = 3, ONE_OF_MAX = 3 };

/* A property with the number, or the bits of the numbers, that it is compared with. */
struct condition {
    const struct property *of;
    uint64_t number;
};

static bool length_has(const struct condition *condition, const struct red_fact *fact, uint64_t n) {
    const uint64_t number = condition->of->number(fact, n, condition->of->with);
    const enum comparison by = condition->of->comparison;
    return by == FROM     ? number >= condition->number
           : by == TO     ? number <= condition->number
           : by == ONE_OF ? condition->number >> number & 1
           : by == HOLDS  ? number == 1
                          : number == condition->number;
}

/* Whether the check has it: with any of its lengths. */
static bool check_has(const struct condition *condition, const struct red_fact *fact) {
    const uint64_t shorter_n = condition->of->of_length ? fact->shorter_n : 0;
    for (uint64_t less = 0; less <= shorter_n && less <= fact->n; less++)
        if (length_has(condition, fact, fact->n - less))
            return true;
    return false;
}

/* Fits the property to all wrong checks. False if it is none that they share. */
static bool make_shared_condition(const struct property *property, const struct red_fact *const *wrong,
                                  size_t wrong_n, struct condition *condition) {
    uint64_t least = UINT64_MAX, greatest = 0, bits = 0;
    for (size_t i = 0; i < wrong_n; i++) {
        const uint64_t number = property->number(wrong[i], wrong[i]->n, property->with);
        least = number < least ? number : least;
        greatest = number > greatest ? number : greatest;
        bits |= UINT64_C(1) << number % 64;
    }
    *condition = (struct condition){property, property->comparison == TO       ? greatest
                                              : property->comparison == ONE_OF ? bits
                                                                               : least};
    return property->comparison == EQUALS   ? least == greatest
           : property->comparison == HOLDS  ? least == 1
           : property->comparison == ONE_OF ? __builtin_popcountll(bits) <= ONE_OF_MAX
                                            : true;
}

/* ---- a sentence ---------------------------------------------------------------------------------------- */

/* Conditions that wrong checks share, and how many of the right ones have all of them, too. */
struct pattern {
    struct condition conditions[CONDITIONS_MAX];
    size_t conditions_n;
    size_t wrong_n, right_n, right_with_n;
};

/* Moves the checks that have the condition to the front, and gives their number. */
static size_t keep_those_with(const struct condition *condition, const struct red_fact **checks, size_t n) {
    size_t kept_n = 0;
    for (size_t i = 0; i < n; i++) {
        const struct red_fact *check = checks[i];
        if (!check_has(condition, check))
            continue;
        checks[i] = checks[kept_n];
        checks[kept_n++] = check;
    }
    return kept_n;
}

/* How many of the checks have the condition; more than `most` are not counted. */
static size_t count_those_with(const struct condition *condition, const struct red_fact *const *checks,
                               size_t n, size_t most) {
    size_t with_n = 0;
    for (size_t i = 0; i < n && with_n <= most; i++)
        with_n += check_has(condition, checks[i]);
    return with_n;
}

/* Finds the conditions, one at a time: the one that the fewest right checks have. `right` are all right ones,
 * in any order, which changes. */
static struct pattern find_pattern(const struct red_fact *const *wrong, size_t wrong_n,
                                   const struct red_fact **right, size_t right_n) {
    struct pattern pattern = {.wrong_n = wrong_n, .right_n = right_n, .right_with_n = right_n};
    while (pattern.conditions_n < CONDITIONS_MAX && pattern.right_with_n > wrong_n / 10) {
        struct condition best = {NULL, 0};
        size_t best_n = pattern.right_with_n / 2;
        for (size_t p = 0; p < PROPERTIES_N; p++) {
            struct condition condition;
            if (!make_shared_condition(&properties[p], wrong, wrong_n, &condition))
                continue;
            const size_t with_n = count_those_with(&condition, right, pattern.right_with_n, best_n);
            if (with_n > best_n || (best.of != NULL && with_n == best_n))
                continue;
            best = condition;
            best_n = with_n;
        }
        if (best.of == NULL)
            break;
        pattern.conditions[pattern.conditions_n++] = best;
        pattern.right_with_n = keep_those_with(&best, right, pattern.right_with_n);
    }
    return pattern;
}

/* The common logarithm of how many parts of k there are among n. */
static double log10_of_choices(size_t n, size_t k) {
    return (lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1)) / log(10);
}

/* Whether it is told of wrong ones among so many: see red_facts_tell_patterns. */
static bool is_told(const struct pattern *pattern, size_t among_n) {
    enum { LEAST_N = 3 };
    const size_t most_n = pattern->right_n / (pattern->wrong_n == among_n ? 2 : 10);
    const double share = (double)(pattern->right_with_n + 1) / (double)(pattern->right_n + 1);
    return pattern->conditions_n > 0 && pattern->wrong_n >= LEAST_N && pattern->right_n >= LEAST_N &&
           pattern->right_with_n <= most_n &&
           (double)pattern->wrong_n * log10(share) + log10_of_choices(among_n, pattern->wrong_n) <=
               -3.0 * (double)(1 + pattern->conditions_n);
}

/* Appends the words of a condition: "n mod 64 = 1", "type f16, f32 or f64". */
static void add_condition_words(const struct condition *condition, char *text, size_t text_bytes) {
    char number[192] = "";
    const unsigned of_n =
        condition->of->comparison == ONE_OF ? (unsigned)__builtin_popcountll(condition->number) : 0;
    if (of_n == 0)
        snprintf(number, sizeof number, "%" PRIu64, condition->number);
    for (unsigned bit = 0, at = 0; bit < 64 && at < of_n; bit++)
        if (condition->number >> bit & 1) {
            red_text_add(number, sizeof number, "%s%s",
                         at == 0          ? ""
                         : at + 1 == of_n ? " or "
                                          : ", ",
                         condition->of->name(bit));
            at++;
        }
    const char *place = strstr(condition->of->words, "%s");
    if (place == NULL)
        red_text_add(text, text_bytes, "%s", condition->of->words);
    else
        red_text_add(text, text_bytes, "%.*s%s%s", (int)(place - condition->of->words), condition->of->words,
                     number, place + 2);
}

/* Tells the pattern of some of so many wrong checks. */
static void tell_pattern(const struct pattern *pattern, const struct red_facts *facts, size_t all_wrong_n,
                         red_pattern_teller *tell, void *context) {
    char text[768] = "";
    if (pattern->wrong_n == all_wrong_n)
        red_text_add(text, sizeof text, "all %zu wrong checks have ", all_wrong_n);
    else
        red_text_add(text, sizeof text, "%zu of %zu wrong checks have ", pattern->wrong_n, all_wrong_n);
    for (size_t i = 0; i < pattern->conditions_n; i++) {
        red_text_add(text, sizeof text, "%s", i == 0 ? "" : i + 1 == pattern->conditions_n ? " and " : ", ");
        add_condition_words(&pattern->conditions[i], text, sizeof text);
    }
    red_text_add(text, sizeof text, "; %zu of %zu right ones do", pattern->right_with_n, pattern->right_n);
    if (facts->left_out_n > 0)
        red_text_add(text, sizeof text, " (of the first %zu checks)", facts->n);
    tell(context, text);
}

/* ---- several causes ------------------------------------------------------------------------------------ */

/* Moves wrong checks that have all conditions to the front, and gives their number. */
static size_t keep_those_of(const struct pattern *pattern, const struct red_fact **wrong, size_t wrong_n) {
    for (size_t i = 0; i < pattern->conditions_n; i++)
        wrong_n = keep_those_with(&pattern->conditions[i], wrong, wrong_n);
    return wrong_n;
}

/* Finds every number that a fourth of the checks have, and up to four others (Misra and Gries, "Finding
 * repeated elements", Science of Computer Programming 2, 1982). Gives how many these are. */
enum { OFTEN_MAX = 4 };
static size_t find_frequent(const struct property *property, const struct red_fact *const *checks, size_t n,
                            uint64_t found[OFTEN_MAX]) {
    size_t counts[OFTEN_MAX] = {0}, found_n = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t number = property->number(checks[i], checks[i]->n, property->with);
        size_t at = 0, free_at = OFTEN_MAX;
        for (; at < OFTEN_MAX && (counts[at] == 0 || found[at] != number); at++)
            free_at = counts[at] == 0 ? at : free_at;
        at = at < OFTEN_MAX ? at : free_at;
        for (size_t other = 0; at == OFTEN_MAX && other < OFTEN_MAX; other++)
            counts[other]--;
        if (at < OFTEN_MAX) {
            found[at] = number;
            counts[at]++;
        }
    }
    for (size_t at = 0; at < OFTEN_MAX; at++)
        if (counts[at] > 0)
            found[found_n++] = found[at];
    return found_n;
}

/* The pattern of the most wrong checks, least_n or more, that share a number of a property; conditions_n is 0
 * where there is none. The order of `wrong` and `right` changes. */
static struct pattern find_pattern_of_part(const struct red_fact **wrong, size_t wrong_n, size_t least_n,
                                           const struct red_fact **right, size_t right_n) {
    struct pattern best = {.conditions_n = 0};
    for (size_t p = 0; p < PROPERTIES_N; p++) {
        uint64_t numbers[OFTEN_MAX];
        const size_t numbers_n =
            properties[p].parts ? find_frequent(&properties[p], wrong, wrong_n, numbers) : 0;
        for (size_t i = 0; i < numbers_n; i++) {
            const bool is_bit = properties[p].comparison == ONE_OF;
            const struct condition same = {&properties[p], is_bit ? UINT64_C(1) << numbers[i] : numbers[i]};
            const size_t part_n = keep_those_with(&same, wrong, wrong_n);
            if (part_n < least_n || part_n <= best.wrong_n)
                continue;
            const struct pattern pattern = find_pattern(wrong, part_n, right, right_n);
            best = is_told(&pattern, wrong_n) ? pattern : best;
        }
    }
    return best;
}

/* Tells what all wrong checks share, or what parts of them do. */
static void tell_patterns(const struct red_facts *facts, const struct red_fact **wrong, size_t wrong_n,
                          const struct red_fact **right, size_t right_n, red_pattern_teller *tell,
                          void *context) {
    enum { SENTENCES_MAX = 3, LEAST_N = 3 };
    const size_t all_wrong_n = wrong_n, quarter_n = (wrong_n + 3) / 4,
                 least_n = quarter_n > LEAST_N ? quarter_n : LEAST_N;
    for (int i = 0; i < SENTENCES_MAX && wrong_n >= (i == 0 ? LEAST_N : least_n); i++) {
        struct pattern pattern = find_pattern(wrong, wrong_n, right, right_n);
        if (!is_told(&pattern, wrong_n))
            pattern = find_pattern_of_part(wrong, wrong_n, least_n, right, right_n);
        if (pattern.conditions_n == 0)
            return;
        const size_t told_n = keep_those_of(&pattern, wrong, wrong_n);
        pattern.wrong_n = told_n;
        tell_pattern(&pattern, facts, all_wrong_n, tell, context);
        wrong += told_n;
        wrong_n -= told_n;
    }
}

/* Called at the end of a device (verify/tally.c). */
void red_facts_tell_patterns(const struct red_facts *facts, red_pattern_teller *tell, void *context) {
    const struct red_fact **sorted = calloc(facts->n + 1, sizeof *sorted);
    size_t wrong_n = 0, right_n = 0;
    for (size_t i = 0; i < facts->n && sorted != NULL; i++)
        if (facts->all[i].wrong)
            sorted[wrong_n++] = &facts->all[i];
        else
            sorted[facts->n - ++right_n] = &facts->all[i];
    if (sorted != NULL)
        tell_patterns(facts, sorted, wrong_n, sorted + wrong_n, right_n, tell, context);
    free(sorted);
}
