/* Which arrays verify --ranks checks: a covering choice of number of ranks, split, operation, type, n and
 * data, or with --all of everything. ranks/verify.c checks them. */
#ifndef CLREDUCE_RANKS_VERIFY_PLAN_H
#define CLREDUCE_RANKS_VERIFY_PLAN_H

#include "ranks/scaling.h"
#include "verify/covering_array.h"

/* Splits; those behind RED_SPLIT_RANDOM are random, too, but for one rank: it has nothing, or all. */
enum red_ranks_split {
    RED_SPLIT_EQUAL,
    RED_SPLIT_ROOF,
    RED_SPLIT_RANDOM,
    RED_SPLIT_FIRST_EMPTY,
    RED_SPLIT_LAST_EMPTY,
    RED_SPLIT_ALONE,
    RED_SPLITS_N
};

const char *red_ranks_split_name(enum red_ranks_split split);

/* The same on all ranks. A row is a level of each factor. */
struct red_ranks_plan {
    const struct red_session *session;    /* borrowed */
    uint64_t counts[RED_RANK_COUNTS_MAX]; /* of ranks */
    enum red_ranks_split splits[RED_SPLITS_N];
    size_t counts_n, splits_n;
    unsigned char (*rows)[RED_FACTORS_MAX]; /* owned */
    size_t rows_n, pairs_n;                 /* pairs_n: covered; 0 with --all */
};

/* A row with its levels looked up. */
struct red_ranks_check {
    size_t count; /* which of the plan's numbers of ranks */
    int ranks_n;
    enum red_ranks_split split;
    struct red_data_spec spec; /* of the whole array */
};

/* Refuses splits that there are not. Errors: RED_E_INPUT with those that there are. */
enum red_status red_ranks_splits_check(const char *list, struct red_error *error);

/* Makes the plan for so many ranks. Release with _clear. Errors: RED_E_INPUT, RED_E_MEMORY,
 * RED_E_INTERRUPTED. */
enum red_status red_ranks_plan_make(const struct red_session *session,
                                    const struct red_ranks_options *options, uint64_t ranks_n,
                                    struct red_ranks_plan *plan, struct red_error *error);
void red_ranks_plan_clear(struct red_ranks_plan *plan);

struct red_ranks_check red_ranks_plan_check(const struct red_ranks_plan *plan, size_t row);

/* Draws a check with one of the numbers of ranks, of an operation and a type; what a strategy makes of
 * special values is its own promise, so there are none. False if none was found. */
bool red_ranks_plan_draw(const struct red_ranks_plan *plan, size_t count, const struct red_op *op,
                         const struct red_dtype *dtype, uint64_t *random, struct red_ranks_check *check);

/* Sets the weights of the check's split; those that are random follow from seed, n and number of ranks. */
void red_ranks_plan_set_weights(const struct red_ranks_plan *plan, const struct red_ranks_check *check,
                                const double *roofs, double *weights);

/* 64 bits that follow from the seed and these two. */
uint64_t red_ranks_plan_hash(const struct red_ranks_plan *plan, uint64_t a, uint64_t b);

#endif
