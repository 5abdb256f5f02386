#define _GNU_SOURCE /* FNM_CASEFOLD: globs that ignore letter case */
/* Reads lists of globs (--strategy, --op, --type, --device) and of sizes (--n, --wg, --groups); has the n
 * that verify checks. */
#include "core/select.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers.h"
#include "core/random.h"
#include "core/text.h"

/* `list` is of an option or a file; model/device_info.c takes --device apart with it, too. */
bool red_select_next(const char **list, char pattern[RED_SELECT_PATTERN_BYTES]) {
    if (**list == '\0')
        return false;
    size_t length = strcspn(*list, ",");
    snprintf(pattern, RED_SELECT_PATTERN_BYTES, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

/* What waits between calls, or does not fit --shape, must be named so by --strategy. The command that compare
 * proposes is asked what it names already. */
bool red_select_names(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

/* `list` is of --strategy, --op, --type, --across, a section of a policy, or a row of known failures. */
bool red_select_matches(const char *list, const char *name) {
    char pattern[RED_SELECT_PATTERN_BYTES];
    if (list == NULL)
        return true;
    while (red_select_next(&list, pattern))
        if (fnmatch(pattern, name, FNM_CASEFOLD) == 0)
            return true;
    return false;
}

static size_t smallest(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein's edit distance (1966), over the first 63 characters. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[64], b_n = strnlen(b, 63);
    for (size_t j = 0; j <= b_n; j++)
        row[j] = j;
    for (size_t i = 0; i < 63 && a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b_n; j++) {
            size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = smallest(replaced, row[j] + 1, row[j + 1] + 1);
        }
    }
    return row[b_n];
}

/* `what` is the word of the message for what was mistyped: an option's value, a key of a policy, a
 * counterpart. */
enum red_status red_select_fail_unknown(const char *what, const char *pattern, const char *const *names,
                                        size_t names_n, struct red_error *error) {
    size_t nearest = 0;
    char all[1024] = "";
    for (size_t i = 0; i < names_n; i++) {
        red_text_add(all, sizeof all, "%s%s", i ? ", " : "", names[i]);
        if (edit_distance(pattern, names[i]) < edit_distance(pattern, names[nearest]))
            nearest = i;
    }
    /* A name that shares less than half of its letters is no help. */
    bool is_near = names_n > 0 && 2 * edit_distance(pattern, names[nearest]) <= strlen(pattern);
    if (is_near)
        return red_fail(error, RED_E_INPUT, "unknown %s '%s'; did you mean '%s'? Valid: %s", what, pattern,
                        names[nearest], all);
    return red_fail(error, RED_E_INPUT, "unknown %s '%s'; valid: %s", what, pattern, all);
}

/* Before anything runs; the message ends the verb, or is the line's of a policy or known failure. */
enum red_status red_select_check(const char *what, const char *list, const char *const *names, size_t names_n,
                                 struct red_error *error) {
    char pattern[RED_SELECT_PATTERN_BYTES];
    if (list != NULL && *list == '\0')
        return red_select_fail_unknown(what, "", names, names_n, error);
    while (list != NULL && red_select_next(&list, pattern)) {
        bool found = false;
        for (size_t i = 0; i < names_n && !found; i++)
            found = red_select_matches(pattern, names[i]);
        if (!found)
            return red_select_fail_unknown(what, pattern, names, names_n, error);
    }
    return RED_OK;
}

/* ---- lists of sizes ---------------------------------------------------------------------------------------
 * `text` is of --n, --wg or --groups, and `at` a place in it, unless a comment says otherwise. */

enum { SIZES_MAX = 4096 };

void red_sizes_clear(struct red_sizes *sizes) {
    free(sizes->values);
    *sizes = (struct red_sizes){0};
}

static int compare_sizes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_and_drop_repeated(struct red_sizes *sizes) {
    qsort(sizes->values, sizes->n, sizeof sizes->values[0], compare_sizes);
    size_t kept = 0;
    for (size_t i = 0; i < sizes->n; i++)
        if (kept == 0 || sizes->values[kept - 1] != sizes->values[i])
            sizes->values[kept++] = sizes->values[i];
    sizes->n = kept;
}

/* Reads decimal digits; false for none or a number over 2^64 - 1. */
static bool read_digits(const char **at, uint64_t *value) {
    const char *start = *at;
    *value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        uint64_t digit = (uint64_t)(**at - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return *at != start;
}

/* Reads NUMBER of the syntax in select.h: 1000, 2^20, 2^20+1. */
static bool read_size(const char **at, uint64_t *value) {
    uint64_t power, offset;
    if (strncmp(*at, "2^", 2) != 0)
        return read_digits(at, value);
    *at += 2;
    if (!read_digits(at, &power) || power > 63)
        return false;
    *value = UINT64_C(1) << power;
    char sign = **at;
    if (sign != '+' && sign != '-')
        return true;
    ++*at;
    if (!read_digits(at, &offset) || (sign == '-' && offset > *value) ||
        (sign == '+' && offset > UINT64_MAX - *value))
        return false;
    *value = sign == '+' ? *value + offset : *value - offset;
    return true;
}

/* Columns n and group size of a list of known failures, whose reader (results/known_failures.c) has the
 * message. */
bool red_size_range_read(const char *text, struct red_size_range *range) {
    const char *at = text;
    *range = (struct red_size_range){0, UINT64_MAX};
    if (strcmp(text, "*") == 0)
        return true;
    bool has_first = read_size(&at, &range->first), is_open = strncmp(at, "..", 2) == 0;
    if (!is_open)
        range->last = range->first;
    else if (at[2] != '\0' || !has_first) {
        at += 2;
        if (!read_size(&at, &range->last))
            return false;
    } else
        at += 2;
    if (!has_first)
        range->first = 0;
    return (has_first || is_open) && *at == '\0' && range->first <= range->last;
}

/* Whether a cell is `known-bug` depends on it (results/known_failures.c). */
bool red_size_range_has(const struct red_size_range *range, uint64_t size) {
    return size >= range->first && size <= range->last;
}

struct stepped_range {
    uint64_t first, last, step;
    bool multiply;
};

/* Reads NUMBER, or NUMBER..NUMBER with or without :xK or :+K. */
static bool read_stepped_range(const char **at, struct stepped_range *range) {
    if (!read_size(at, &range->first))
        return false;
    *range = (struct stepped_range){range->first, range->first, 2, true};
    if (strncmp(*at, "..", 2) != 0)
        return true;
    *at += 2;
    if (!read_size(at, &range->last) || range->last < range->first)
        return false;
    if (**at != ':')
        return range->first > 0;
    range->multiply = (*at)[1] == 'x';
    if (!range->multiply && (*at)[1] != '+')
        return false;
    *at += 2;
    return read_digits(at, &range->step) && range->step >= (range->multiply ? 2 : 1) &&
           (range->first > 0 || !range->multiply);
}

/* Adds the range's sizes; false if the list gets too long. */
static bool add_sizes_of_range(const struct stepped_range *range, struct red_sizes *sizes) {
    for (uint64_t value = range->first;;) {
        if (sizes->n == SIZES_MAX)
            return false;
        sizes->values[sizes->n++] = value;
        uint64_t room = range->multiply ? range->last / range->step : range->last - value;
        if (range->multiply ? value == 0 || value > room : range->step > room)
            return true;
        value = range->multiply ? value * range->step : value + range->step;
    }
}

/* `what` is --n, --wg or --groups (cli/option_table.c), or the --n of a default or of a --shape. */
enum red_status red_sizes_parse(const char *what, const char *text, struct red_sizes *sizes,
                                struct red_error *error) {
    struct red_sizes made = {.values = malloc(SIZES_MAX * sizeof(uint64_t))};
    if (made.values == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a list of sizes");
    const char *at = text;
    for (;;) {
        struct stepped_range range;
        bool ends_well = read_stepped_range(&at, &range) && (*at == ',' || *at == '\0');
        if (!ends_well || !add_sizes_of_range(&range, &made)) {
            red_sizes_clear(&made);
            if (ends_well)
                return red_fail(error, RED_E_INPUT, "%s: '%s' names more than %d sizes", what, text,
                                SIZES_MAX);
            return red_fail(error, RED_E_INPUT,
                            "%s: '%s' is no list of sizes below 2^64; expected for example 1000,2^20+1, "
                            "2^10..2^24:x4 or 0..100:+1",
                            what, text);
        }
        if (*at++ == '\0')
            break;
    }
    sort_and_drop_repeated(&made);
    *sizes = made;
    return RED_OK;
}

#define AROUND_GROUPS(g)                                                                                     \
    {g, -1}, {g, 0}, {                                                                                       \
        g, 1                                                                                                 \
    }
#define AROUND_POWER(k)                                                                                      \
    {0, (INT64_C(1) << (k)) - 1}, {0, INT64_C(1) << (k)}, {                                                  \
        0, (INT64_C(1) << (k)) + 1                                                                           \
    }

const struct red_size_point red_size_points[] = {
    {0, 0},
    {0, 1},
    {0, 2},
    {0, 3},
    {0, 5},
    {0, 13},
    {0, 26},
    {0, 31},
    {0, 53},
    {0, 70},
    {0, 108},
    {0, 126},
    {0, 127},
    {0, 132},
    {0, 251},
    {0, 509},
    {0, 1021},
    {0, 4093},
    {0, 65521},
    {0, 1048573},
    AROUND_GROUPS(1),
    AROUND_GROUPS(2),
    AROUND_GROUPS(3),
    AROUND_GROUPS(17),
    AROUND_POWER(3),
    AROUND_POWER(4),
    AROUND_POWER(6),
    AROUND_POWER(8),
    AROUND_POWER(10),
    AROUND_POWER(12),
    AROUND_POWER(14),
    AROUND_POWER(16),
    AROUND_POWER(18),
    AROUND_POWER(20),
    {0, (INT64_C(1) << 24) + (1 << 18) + 1},
};
const size_t red_size_points_n = sizeof red_size_points / sizeof red_size_points[0];

/* verify/covering_plan.c checks at these, one by one: n in evidence, and in what is listed as wrong. */
void red_program_sizes_choose(uint64_t turn_n, uint64_t seed, uint64_t sizes[RED_PROGRAM_SIZES_N]) {
    const uint64_t tiny_n = 17, short_n = 128, least = 64, most = 1 << 17;
    uint64_t turns_n = 2 * (turn_n < least ? least : turn_n > most ? most : turn_n);
    sizes[0] = 1 + red_random(&seed) % (tiny_n - 1);
    sizes[1] = tiny_n + red_random(&seed) % (short_n - tiny_n);
    sizes[2] = turns_n + red_random(&seed) % turns_n + 1;
}

/* The n that a row of verify's covering array checks (verify/parameter_space.c). */
uint64_t red_size_of_point(const struct red_size_point *point, uint64_t group_size) {
    return point->groups * group_size + (uint64_t)point->offset;
}

/* Columns of a console table (console/console_table.c), sizes of recommend (recommend/curves.c). */
size_t red_sizes_count_below(const uint64_t *sizes, size_t sizes_n, uint64_t n) {
    size_t at;
    RED_LOWER_BOUND(at, sizes_n, sizes[at] < n);
    return at;
}

/* For the sizes of tables and charts. */
void red_sizes_insert(uint64_t *sizes, size_t *sizes_n, size_t room, uint64_t n) {
    const size_t at = red_sizes_count_below(sizes, *sizes_n, n);
    if ((at < *sizes_n && sizes[at] == n) || *sizes_n == room)
        return;
    memmove(&sizes[at + 1], &sizes[at], (*sizes_n - at) * sizeof *sizes);
    sizes[at] = n;
    ++*sizes_n;
}

/* Every n that a table, chart, summary or sentence has. */
struct red_short_text red_size_text(uint64_t n) {
    struct red_short_text made;
    snprintf(made.text, sizeof made.text, "%" PRIu64, n);
    for (unsigned k = 10; k < 63; k++) {
        const uint64_t power = UINT64_C(1) << k;
        if (n + 1 >= power && n <= power + 1)
            snprintf(made.text, sizeof made.text, "2^%u%s", k, n > power ? "+1" : n < power ? "-1" : "");
    }
    return made;
}
