/* The parameter space of a device: the levels of each factor that a check can be made of. */
#ifndef CLREDUCE_VERIFY_PARAMETER_SPACE_H
#define CLREDUCE_VERIFY_PARAMETER_SPACE_H

#include "run/session.h"
#include "verify/covering_array.h"

/* What makes a check. The first four are a program, and compiling takes longer than running. */
enum red_factor {
    RED_FACTOR_STRATEGY,
    RED_FACTOR_TYPE,
    RED_FACTOR_OP,
    RED_FACTOR_GROUP,
    RED_PROGRAM_FACTORS,
    RED_FACTOR_SIZE = RED_PROGRAM_FACTORS,
    RED_FACTOR_DATA,
    RED_CHECK_FACTORS
};

/* The levels of RED_FACTOR_DATA. Each part is a level of its own: together they hold every element once as a
 * 1. */
enum {
    RED_DATA_WEIGHTS,
    RED_DATA_PART_0,
    RED_DATA_PART_1,
    RED_DATA_GREATEST,
    RED_DATA_LEAST,
    RED_DATA_CLOSE_ABOVE,
    RED_DATA_CLOSE_BELOW,
    RED_DATA_SCALED_UP,
    RED_DATA_SCALED_DOWN,
    RED_DATA_EXACT_N,
    RED_DATA_BOUNDED = RED_DATA_EXACT_N,
    RED_DATA_NANS = RED_DATA_BOUNDED + 5,
    RED_DATA_LEVELS_N = RED_DATA_NANS + 6
};
extern const struct red_probe red_data_levels[RED_DATA_LEVELS_N];

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

/* The levels of every factor on one device. */
struct red_parameter_space {
    struct red_session *session;
    struct red_client *device;
    const struct red_device_info *info;
    struct red_tuning tunings[RED_LEVELS_MAX]; /* each with a group size: the factor GROUP */
    size_t tunings_n;
    size_t more_n;                       /* behind them, further group sizes: red_space_tuning */
    bool own_lanes;                      /* nobody asked for lanes: a level says which, and fixed ones stay */
    unsigned char lanes[RED_LEVELS_MAX]; /* an enum lanes of parameter_space.c */
    struct red_size_point sizes[RED_LEVELS_MAX];
    size_t sizes_n;
    bool runs[RED_CHOICE_MAX][32][32];    /* strategy, type, operation */
    bool in_part[RED_CHOICE_MAX][32][32]; /* of these: not with every group size */
    size_t in_session[RED_CHOICE_MAX];    /* which of the session's strategies run at all */
    size_t strategies_n;
    size_t levels_n[RED_FACTORS_MAX]; /* of each factor */
};

/* What cannot run. */
struct red_refusals {
    size_t n[RED_CHOICE_MAX]; /* per strategy: combinations of type and operation */
    char lines[4096];         /* each with its reason */
};

/* Of alternatives whose turns depend on the seed, the one that the k-th of something takes, modulo their
 * number. */
uint64_t red_space_turn(const struct red_parameter_space *space, uint64_t k);

/* Whether each strategy takes some of the further group sizes instead of its levels' own, by turns: of many
 * strategies, where neither --wg nor --all say which sizes are meant. Few strategies take all. */
bool red_space_shares_group_sizes(const struct red_parameter_space *space);

/* The i-th of the tunings, as the s-th of the session's strategies can take it. */
struct red_tuning red_space_tuning(const struct red_parameter_space *space, size_t s, size_t i);

/* Finds the levels of the session's device d, and what of the strategies cannot run there. Errors:
 * RED_E_INPUT. */
enum red_status red_space_find(struct red_session *session, size_t d, struct red_parameter_space *space,
                               struct red_refusals *refusals, struct red_error *error);

/* The check that has these levels. */
struct red_check red_space_check(const struct red_parameter_space *space, const unsigned char *row);

/* Whether a check can run: its data suit n, type and operation, and special values the strategy's promises;
 * there is a geometry, and of the grid no n has more groups of one element each than a check has time for;
 * the driver runs it with groups of this size. */
bool red_space_data_fits(const struct red_parameter_space *space, const struct red_check *check);
bool red_space_geometry_fits(const struct red_parameter_space *space, const struct red_check *check);
bool red_space_group_runs(const struct red_parameter_space *space, const struct red_check *check,
                          const unsigned char *row);

/* All of this of the check that has these levels; `space` is a red_parameter_space. */
bool red_space_admits(const void *space, const unsigned char row[RED_FACTORS_MAX]);

/* How many segments a strategy of segments gets of n elements each. */
uint64_t red_check_segments(const struct red_strategy *strategy, uint64_t n);

#endif
