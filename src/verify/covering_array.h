/* Covering arrays of strength two: few combinations in which every pair of levels occurs. `verify` chooses
 * its checks by them (verify/covering_plan.c), and those over ranks (ranks/team_checks.c). */
#ifndef CLREDUCE_VERIFY_COVERING_ARRAY_H
#define CLREDUCE_VERIFY_COVERING_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

enum { RED_FACTORS_MAX = 8, RED_LEVELS_MAX = 128 };

struct red_covering_spec {
    size_t factors_n;
    size_t levels_n[RED_FACTORS_MAX]; /* of each factor, at most RED_LEVELS_MAX */
    /* A new combination of the first so many factors is expensive (a program to compile): rows take those of
     * earlier rows if they can. */
    size_t shared_n;
    /* Rows that are taken whatever pairs ask for, and that cover theirs; borrowed. */
    const unsigned char (*given)[RED_FACTORS_MAX];
    size_t given_n;
    uint64_t seed;
    /* Whether a combination can be run at all; pairs that occur in no valid combination are left out. */
    bool (*valid)(const void *context, const unsigned char levels[RED_FACTORS_MAX]);
    const void *context;
};

struct red_covering_array {
    unsigned char (*rows)[RED_FACTORS_MAX]; /* owned; the given ones first */
    size_t rows_n;
    size_t pairs_n;      /* covered */
    size_t impossible_n; /* pairs that occur in no valid combination: all were tried */
};

/* Every factor has at least one level. Chooses greedily, one row at a time: the first uncovered pair,
 * completed by the levels that cover most (after Cohen, Dalal, Fredman and Patton, "The AETG system", IEEE
 * TSE 23(7), 1997), and drops the rows, except given ones, whose pairs all occur in others. Release with
 * red_covering_array_clear. Errors: RED_E_MEMORY, RED_E_INTERRUPTED. */
enum red_status red_covering_array_make(const struct red_covering_spec *spec,
                                        struct red_covering_array *array, struct red_error *error);
void red_covering_array_clear(struct red_covering_array *array);

/* Counts the pairs of levels that occur in these rows, into *pairs_n. False without memory. */
bool red_covering_array_count(const struct red_covering_spec *spec,
                              const unsigned char (*rows)[RED_FACTORS_MAX], size_t rows_n, size_t *pairs_n);

#endif
