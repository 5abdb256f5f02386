/* Which strategy to use: from measured times to bands of n, so few and so wide as the times allow.
 *
 * The fastest of every n, as one run has it, is not what is fastest: with forty strategies whose medians
 * scatter by a few percent it is mostly luck, and an answer that changes from n to n. So bands are chosen
 * together. The cost of a strategy at an n is what it takes longer than the fastest, beyond what the two
 * cannot be told apart by; a change of strategy costs RED_SWITCH_COST. The cheapest sequence over all n is
 * found by dynamic programming (Bellman 1961; the same as fitting a piecewise constant function with a
 * penalty for each jump, Friedrich, Kempe, Liebscher and Winkler 2008, "Complexity penalized M-estimation:
 * fast computation"). Ties within RED_TIE_MOST go to the simpler strategy
 * (red_strategy_burden). */
#ifndef CLREDUCE_RECOMMEND_ADVICE_H
#define CLREDUCE_RECOMMEND_ADVICE_H

#include "recommend/curves.h"

/* In parts of the time at one n: a band must gain more than that in all to be worth a rule of its own. */
#define RED_SWITCH_COST 0.06
/* What counts as no difference, at most: the standard deviation of the two, but no more than this. */
#define RED_TIE_MOST 0.02

enum { RED_TIES_SHOWN = 3 };

/* Where one band ends and the next begins: n of the crossover of the two curves, between two measured n, and
 * its 95 % interval by the parametric bootstrap (Efron and Tibshirani 1993, section 6.5). */
struct red_edge {
    uint64_t n, low, high; /* the band begins with n; 1 for the first one */
};

struct red_band {
    size_t candidate;               /* index into the curves' candidates */
    size_t first, last;             /* of the sizes that were measured in it */
    struct red_edge edge;           /* where it begins */
    size_t runner_up;               /* the best other strategy; SIZE_MAX: none has times in the whole band */
    double margin;                  /* by how much that takes longer, on average: 0.04 is 4 % */
    double margin_low, margin_high; /* its 95 % interval */
    bool is_tie;                    /* it is not shown to take longer: the interval begins at 0 or below */
    size_t ties[RED_TIES_SHOWN], ties_n; /* others that tie, the first few, and how many there are in all */
    size_t fallback;                     /* the fastest portable one; SIZE_MAX: none */
    double fallback_margin;
};

struct red_advice {
    struct red_curves curves;
    struct red_band *bands; /* owned, ascending in n */
    size_t bands_n;
    size_t
        everywhere; /* the one candidate that costs least if only one is used; SIZE_MAX: none has all times */
    double everywhere_mean,
        everywhere_worst; /* what it costs over what is recommended, on average and at most */
};

/* Makes the advice; takes the curves, which are empty afterwards. Everything drawn at random comes from
 * `seed`. Release with red_advice_clear. An advice without bands is of a device on which nothing was timed.
 * Errors: RED_E_MEMORY. */
enum red_status red_advice_make(struct red_curves *curves, uint64_t seed, struct red_advice *advice,
                                struct red_error *error);
void red_advice_clear(struct red_advice *advice);

/* The band for n. */
const struct red_band *red_advice_band(const struct red_advice *advice, uint64_t n);

/* The fastest candidate of one n as the times are, which is what a reader of one run would take; SIZE_MAX if
 * there is none. */
size_t red_curves_fastest(const struct red_curves *curves, size_t size);

/* A candidate's logarithm at a size; NAN if it has no time. */
double red_curves_at(const struct red_curves *curves, size_t candidate, size_t size);

/* ---- in words (sentence.c) -------------------------------------------------------------------------------
 */

/* The device that it is for. */
const struct red_device_info *red_advice_device(const struct red_advice *advice);

/* "chunk", and what of its geometry was asked for: "chunk:64:g8:16x4". */
void red_advice_candidate_print(const struct red_advice *advice, size_t candidate, char *text,
                                size_t text_bytes);

/* "25000 (20000 to 30000)" */
void red_edge_print(const struct red_edge *edge, char *text, size_t text_bytes);

/* "On intel (...), sum of f32: use chunk below 2^17 (...), and svm_chunk from there on; ...". At most some
 * 1500 characters. */
void red_advice_sentence(const struct red_advice *advice, char *text, size_t text_bytes);

#endif
