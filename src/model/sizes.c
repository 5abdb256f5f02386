#include "model/sizes.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MAX = 4096 };

void red_sizes_clear(struct red_sizes *sizes) {
    free(sizes->values);
    *sizes = (struct red_sizes){0};
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_unique(struct red_sizes *sizes) {
    qsort(sizes->values, sizes->n, sizeof sizes->values[0], by_value);
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

static bool read_number(const char **at, uint64_t *value) {
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

struct range {
    uint64_t first, last, step;
    bool multiply;
};

static bool read_item(const char **at, struct range *range) {
    if (!read_number(at, &range->first))
        return false;
    *range = (struct range){range->first, range->first, 2, true};
    if (strncmp(*at, "..", 2) != 0)
        return true;
    *at += 2;
    if (!read_number(at, &range->last) || range->last < range->first)
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
static bool add_range(const struct range *range, struct red_sizes *sizes) {
    for (uint64_t value = range->first;;) {
        if (sizes->n == SIZES_MAX)
            return false;
        sizes->values[sizes->n++] = value;
        uint64_t room = range->multiply ? range->last / range->step : range->last - value;
        if (range->multiply ? value > room : range->step > room)
            return true;
        value = range->multiply ? value * range->step : value + range->step;
    }
}

enum red_status red_sizes_parse(const char *what, const char *text, struct red_sizes *sizes,
                                struct red_error *error) {
    struct red_sizes made = {.values = malloc(SIZES_MAX * sizeof(uint64_t))};
    if (made.values == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a list of sizes");
    const char *at = text;
    for (;;) {
        struct range range;
        bool ends_well = read_item(&at, &range) && (*at == ',' || *at == '\0');
        if (!ends_well || !add_range(&range, &made)) {
            red_sizes_clear(&made);
            if (ends_well)
                return red_fail(error, RED_E_INPUT, "%s: '%s' names more than %d sizes", what, text,
                                SIZES_MAX);
            return red_fail(error, RED_E_INPUT,
                            "%s: '%s' is no list of sizes; expected for example 1000,2^20+1 or 2^10..2^24:x4",
                            what, text);
        }
        if (*at++ == '\0')
            break;
    }
    sort_unique(&made);
    *sizes = made;
    return RED_OK;
}

static void add_up_to(struct red_sizes *sizes, uint64_t limit, uint64_t value) {
    if (value <= limit && sizes->n < SIZES_MAX)
        sizes->values[sizes->n++] = value;
}

enum red_status red_sizes_grid(uint64_t group_size, uint64_t limit, struct red_sizes *sizes,
                               struct red_error *error) {
    static const uint64_t primes[] = {3, 5, 7, 13, 31, 61, 127, 251, 509, 1021, 4093, 65521, 1048573};
    struct red_sizes made = {.values = malloc(SIZES_MAX * sizeof(uint64_t))};
    if (made.values == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a list of sizes");
    for (uint64_t value = 0; value <= 2; value++)
        add_up_to(&made, limit, value);
    for (size_t i = 0; i < sizeof primes / sizeof primes[0]; i++)
        add_up_to(&made, limit, primes[i]);
    static const uint64_t groups[] = {1, 2, 3, 17};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        for (uint64_t offset = 0; offset < 3; offset++)
            add_up_to(&made, limit, group_size * groups[i] + offset - 1);
    for (unsigned k = 2; k <= 20; k += k < 12 ? 1 : 2)
        for (uint64_t offset = 0; offset < 3; offset++)
            add_up_to(&made, limit, (UINT64_C(1) << k) + offset - 1);
    add_up_to(&made, limit, (UINT64_C(1) << 24) + 1);
    sort_unique(&made);
    *sizes = made;
    return RED_OK;
}

void red_size_print(uint64_t n, char *text, size_t text_size_bytes) {
    unsigned k = 0;
    while (k < 63 && (UINT64_C(1) << k) < n)
        k++;
    if (k >= 10 && (UINT64_C(1) << k) == n)
        snprintf(text, text_size_bytes, "2^%u", k);
    else if (k >= 10 && k < 63 && (UINT64_C(1) << (k - 1)) + 1 == n)
        snprintf(text, text_size_bytes, "2^%u+1", k - 1);
    else
        snprintf(text, text_size_bytes, "%" PRIu64, n);
}
