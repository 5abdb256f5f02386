/* Advice made of result files, and told: for the files of the verb `recommend` alone. */
#ifndef CLREDUCE_RECOMMEND_RECOMMEND_H
#define CLREDUCE_RECOMMEND_RECOMMEND_H

#include <stdio.h>

#include "recommend/advice.h"

struct red_recommendation {
    uint64_t seed;
    struct red_catalogue *catalogue; /* owned */
    struct red_result *results;      /* owned */
    size_t results_n;
    struct red_candidate_filter filter;
    struct red_advice *advice; /* owned: one for each device, operation, type and shape */
    size_t advice_n;
};

/* Tells it for people: of each advice a sentence, then a table. Errors: RED_E_MEMORY. */
enum red_status red_recommendation_show(const struct red_recommendation *all, FILE *out,
                                        struct red_error *error);

/* The same as JSON (results/advice.schema.json), and as a C header with the rules and a lookup. Errors:
 * RED_E_MEMORY. */
enum red_status red_recommendation_json(const struct red_recommendation *all, FILE *out,
                                        struct red_error *error);
enum red_status red_recommendation_header(const struct red_recommendation *all, FILE *out,
                                          struct red_error *error);

#endif
