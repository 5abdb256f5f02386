/* Advice made of result files, and told: for the files of the verb `recommend` alone. */
#ifndef CLREDUCE_RECOMMEND_RECOMMEND_H
#define CLREDUCE_RECOMMEND_RECOMMEND_H

#include <stdio.h>

#include "recommend/regret.h"

enum { RED_RUNS_MAX = 32 };

/* How a recommendation is made and checked. */
struct red_recommend_options {
    bool check;                      /* measure again, and say what following it costs */
    bool portable;                   /* only strategies that run on every OpenCL 1.2 */
    const char *fresh[RED_RUNS_MAX]; /* result files to check it with; none: measure again */
    size_t fresh_n;
    unsigned runs_n; /* so often; 0: the default */
};

struct red_recommendation {
    const struct red_recommend_options *options;
    uint64_t seed;
    double time_per_cell_s, patience_s; /* of measuring again; 0: the default */
    struct red_catalogue *catalogue;    /* owned */
    struct red_result *results;         /* owned */
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

/* Judges the advice by fresh runs: those of --fresh, or else runs that are made now, each a process of its
 * own. Prints what it costs beside what two simpler ways of choosing cost. Errors: RED_E_UNDECIDED if it
 * costs more than it may; those of the runs. */
enum red_status red_recommendation_check(const struct red_recommendation *all, FILE *out,
                                         struct red_error *error);

#endif
