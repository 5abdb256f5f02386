/* Advice as rules a program can follow: from which n on which strategy, with which geometry. */
#ifndef CLREDUCE_RECOMMEND_RULES_H
#define CLREDUCE_RECOMMEND_RULES_H

#include "recommend/advice.h"

struct red_rule {
    uint64_t n_from; /* 0 for the first one */
    const struct red_strategy *strategy;
    size_t group_size;
    uint64_t groups_n;     /* 0: as many as n takes, one item for every `per_item` elements */
    unsigned per_item;     /* elements of an item where groups_n is 0; otherwise 0 */
    unsigned width, loads; /* 0: the kernel's own business */
};

/* Rules of the advice, a new one where the band or the geometry changes: that of a measured n holds up to the
 * geometric mean with the next one. `rules` is the caller's to free. Errors: RED_E_MEMORY. */
enum red_status red_rules_make(const struct red_advice *advice, struct red_rule **rules, size_t *rules_n,
                               struct red_error *error);

#endif
