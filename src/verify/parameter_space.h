/* The parameter space of a device: the levels of each factor that a check can be made of. */
#ifndef CLREDUCE_VERIFY_PARAMETER_SPACE_H
#define CLREDUCE_VERIFY_PARAMETER_SPACE_H

#include "verify/test_plan.h"

/* The levels of every factor on one device. */
struct red_parameter_space {
    struct red_session *session;
    struct red_remote *device;
    const struct red_device_info *info;
    struct red_tuning tunings[RED_LEVELS_MAX]; /* each with a group size: the factor GROUP */
    size_t tunings_n;
    size_t more_n;                       /* behind them, further group sizes: red_space_tuning */
    bool own_lanes;                      /* nobody asked for lanes: a level says which, and fixed ones stay */
    unsigned char lanes[RED_LEVELS_MAX]; /* an enum lanes of parameter_space.c */
    struct red_size_point sizes[RED_LEVELS_MAX];
    size_t sizes_n;
    bool runs[RED_CHOICE_MAX][32][32];                     /* strategy, type, operation */
    bool in_part[RED_CHOICE_MAX][32][32];                  /* of these: not with every group size */
    const struct red_strategy *strategies[RED_CHOICE_MAX]; /* those that run at all */
    size_t in_session[RED_CHOICE_MAX];                     /* which of the session's they are */
    size_t strategies_n;
};

/* Whether each strategy takes some of the further group sizes instead of its levels' own, by turns: of many
 * strategies, where neither --wg nor --all say which sizes are meant. Few strategies take all. */
bool red_space_shares_group_sizes(const struct red_parameter_space *space);

/* The i-th of the tunings, as the s-th of the session's strategies can take it. */
struct red_tuning red_space_tuning(const struct red_parameter_space *space, size_t s, size_t i);

/* Finds them for the session's device d, and what of the strategies cannot run there: checks->refused and
 * ->refusals. Errors: RED_E_INPUT. */
enum red_status red_space_find(struct red_session *session, size_t d, struct red_parameter_space *space,
                               struct red_test_plan *plan, struct red_error *error);

#endif
