/* What advice costs on data that it was not made of. */
#ifndef CLREDUCE_RECOMMEND_REGRET_H
#define CLREDUCE_RECOMMEND_REGRET_H

#include "recommend/advice.h"

/* Who chooses: the advice; the one candidate that is best on average, everywhere; the fastest of each n in
 * the first of the runs that the advice was made of. */
enum red_chooser { RED_CHOOSER_ADVICE, RED_CHOOSER_EVERYWHERE, RED_CHOOSER_ARGMIN, RED_CHOOSERS_N };
extern const char *const red_chooser_names[RED_CHOOSERS_N];

/* One n on one device, of one query. */
struct red_regret {
    const struct red_result *result; /* of the advice; names the device */
    const struct red_query *query;
    size_t device;
    uint64_t n;
    double values[RED_CHOOSERS_N]; /* time of the chosen by time of the best, less 1; NAN: it has no time */
    const struct red_strategy *best, *chosen[RED_CHOOSERS_N];
};

struct red_regrets {
    struct red_regret *all; /* owned */
    size_t n;
    size_t fresh_n; /* runs it was measured by, of the device with the fewest */
};

/* Judges the advice by fresh runs of the same device. The fastest of fresh times is faster than the best
 * strategy is: of many that scatter it is the luckiest. So with two fresh runs or more the best is named by
 * one half of them, and how much longer the chosen takes is measured by the other half, both ways round; the
 * two logarithms are averaged, and what comes out below 0 is 0 (sample splitting; Cox 1975, "A note on
 * data-splitting for the evaluation of significance levels"). With one fresh run the luckiest counts, and
 * regret comes out too large. train   the runs that the advice was made of; its first one is the competitor's
 * only run Adds to `regrets`; release with red_regrets_clear. Errors: RED_E_MEMORY. */
enum red_status red_regrets_add(const struct red_advice *advice, const struct red_result *train,
                                const struct red_result *fresh, size_t fresh_n,
                                const struct red_candidate_filter *filter, struct red_regrets *regrets,
                                struct red_error *error);
void red_regrets_clear(struct red_regrets *regrets);

/* Median, 95 % quantile (the smallest value that 95 % do not exceed) and worst of a chooser's regrets, and
 * the index of the worst. How many it has; 0: nothing is written. */
struct red_regret_summary {
    double median, most, worst; /* most: 95 % */
    size_t worst_at, n, missing_n;
};
enum red_status red_regrets_summarise(const struct red_regrets *regrets, enum red_chooser chooser,
                                      struct red_regret_summary *summary, struct red_error *error);

/* What advice must keep to: 2 %, 8 % and 20 %. */
extern const struct red_regret_summary red_regret_limits;
bool red_regret_is_kept(const struct red_regret_summary *summary);

#endif
