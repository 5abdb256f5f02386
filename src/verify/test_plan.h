/* The list of checks that `verify` makes on one device. */
#ifndef CLREDUCE_VERIFY_TEST_PLAN_H
#define CLREDUCE_VERIFY_TEST_PLAN_H

#include "verify/parameter_space.h"

struct red_test_plan {
    struct red_check *rows; /* owned */
    size_t n, distinct_n;
    size_t levels_n[RED_FACTORS_MAX];
    size_t chapters_n;            /* lists that make up the whole; their programs differ */
    size_t pairs_n, impossible_n; /* of the covering choice; 0 with --all */
    struct red_refusals refusals;
};

/* Makes a list for the session's device d: a covering choice of all pairs, and beside it for each of its
 * programs all data of the exact tier (red_key_probe) at small n and at one of several groups. Further group
 * sizes, the powers of two and their neighbours, are programs more, or stand in for levels of the grid where
 * strategies share them (red_space_shares_group_sizes). --n and --wg replace the grid;
 * --groups and --lanes, otherwise the default, come with every group size. Without --wg and --lanes some
 * group sizes come with other lanes than the default, without --groups small n meet several groups, too. With
 * --all there is a list for every type and operation, its chapter, of every strategy with two group sizes
 * (the default, and one of the others in turn) at every n: up to 2^12 + 1 with all data, up to 2^20 + 1 with
 * one kind of data in turn, and beyond in the chapters of the first operation with the default group size and
 * the exact data. With --n every n comes with all data, with --wg every group size has its turn always.
 * Errors: RED_E_INPUT, RED_E_MEMORY, RED_E_INTERRUPTED. */
enum red_status red_test_plan_make(struct red_session *session, size_t d, size_t chapter,
                                   struct red_test_plan *plan, struct red_error *error);
void red_test_plan_clear(struct red_test_plan *plan);

/* What --all takes, in lines for people. */
extern const char red_test_plan_all_text[];

/* Appends a check; false without memory. */
bool red_test_plan_append(struct red_test_plan *plan, const struct red_check *check);

/* Appends the covering choice to a plan: verify/covering_plan.c. Errors: RED_E_MEMORY, RED_E_INTERRUPTED. */
enum red_status red_test_plan_cover(struct red_parameter_space *space, struct red_test_plan *plan,
                                    struct red_error *error);

/* Whether two checks are about the same data. */
bool red_check_same_data(const struct red_check *a, const struct red_check *b);

/* Counts the pairs of the covering choice that occur in the checks marked in `reached` (one per row).
 * Errors: RED_E_MEMORY. */
enum red_status red_test_plan_count_pairs(const struct red_test_plan *plan, const bool *reached,
                                          size_t *pairs_n, struct red_error *error);

/* Checks that share a program, and so build or fail to build together, share this number, which is below
 * red_test_plan_programs_n. */
size_t red_check_program(const struct red_test_plan *plan, const struct red_check *check);
size_t red_test_plan_programs_n(const struct red_test_plan *plan);

#endif
