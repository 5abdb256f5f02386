/* The list of checks that `verify` makes on one device. */
#ifndef CLREDUCE_VERIFY_CHECKS_H
#define CLREDUCE_VERIFY_CHECKS_H

#include "run/session.h"
#include "verify/cover.h"

/* What makes a check: strategy, type, operation, group size, n, data. The first four are a program, and
 * compiling takes longer than running. */
enum { RED_PROGRAM_FACTORS = 4, RED_CHECK_FACTORS = 6 };

/* So many strategies, or fewer, are checked without regard to what their code shares. */
enum { RED_STRATEGIES_FEW = 4 };

struct red_check {
    const struct red_strategy *strategy;
    const struct red_dtype *dtype;
    const struct red_op *op;
    uint64_t n, segments_n;
    struct red_tuning tuning; /* its group size is never 0 */
    struct red_probe probe;
    unsigned prefixes_n; /* as in struct red_case */
    bool repeats;        /* the row before is the same check: two points of the grid fell together */
    bool is_extra; /* beside the covering choice: its n and data are no levels, and it counts for no pair */
    unsigned char levels[RED_FACTORS_MAX];
};

/* Data that follow each other can be shared: by n, number of segments, type, operation, probe. A covering
 * choice shares hardly any but of large n, which come last; what comes before goes program by program, so
 * that what is wrong shows after little compiling. */
enum red_checks_order { RED_CHECKS_BY_DATA, RED_CHECKS_BY_PROGRAM };

struct red_checks {
    struct red_check *rows; /* owned */
    size_t n, distinct_n;
    size_t levels_n[RED_FACTORS_MAX];
    size_t chapters_n;              /* lists that make up the whole; their programs differ */
    size_t pairs_n, impossible_n;   /* of the covering choice; 0 with --all */
    size_t refused[RED_CHOICE_MAX]; /* per strategy: combinations of type and operation that cannot run */
    char refusals[4096];            /* each with its reason, one line */
};

/* Makes a list for the session's device d: a covering choice of all pairs, and beside it for each of its
 * programs all data of the exact tier (red_key_probe) at small n and at one of several groups. Further group
 * sizes, the powers of two and their neighbours, are programs more, or stand in for levels of the grid where
 * strategies share them (red_levels_share_sizes). --n and --wg replace the grid;
 * --groups and --lanes, otherwise the default, come with every group size. Without --wg and --lanes some
 * group sizes come with other lanes than the default, without --groups small n meet several groups, too. With
 * --all there is a list for every type and operation, its chapter, of every strategy with two group sizes
 * (the default, and one of the others in turn) at every n: up to 2^12 + 1 with all data, up to 2^20 + 1 with
 * one kind of data in turn, and beyond in the chapters of the first operation with the default group size and
 * the exact data. With --n every n comes with all data, with --wg every group size has its turn always.
 * Errors: RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_checks_make(struct red_session *session, size_t d, size_t chapter,
                                struct red_checks *checks, struct red_error *error);
void red_checks_clear(struct red_checks *checks);

/* What --all takes, in lines for people. */
extern const char red_checks_all_text[];

/* What making a list takes: appends a check (false without memory); brings the list into its order and finds
 * the repetitions. */
bool red_checks_append(struct red_checks *checks, const struct red_check *check);
void red_checks_sort(struct red_checks *checks, enum red_checks_order order);

/* Whether two checks are about the same data. */
bool red_check_same_data(const struct red_check *a, const struct red_check *b);

/* Counts the pairs of the covering choice that occur in the checks marked in `reached` (one per row).
 * Errors: RED_E_MEMORY. */
enum red_status red_checks_count_pairs(const struct red_checks *checks, const bool *reached, size_t *pairs_n,
                                       struct red_error *error);

/* Checks that share a program, and so build or fail to build together, share this number, which is below
 * red_checks_programs_n. */
size_t red_check_program(const struct red_checks *checks, const struct red_check *check);
size_t red_checks_programs_n(const struct red_checks *checks);

#endif
