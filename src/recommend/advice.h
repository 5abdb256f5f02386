/* Which strategy to use: from measured times to bands of n, as few and as wide as the times allow. The
 * verb `recommend` prints it; `report` quotes its sentence, and `emit` takes its strategy from it.
 *
 * The strategy with the lowest median at one n of one run need not be the fastest: with forty strategies
 * whose medians scatter by a few percent it is mostly luck, and it changes from n to n. So bands are chosen
 * together. The cost of a strategy at an n is what it takes longer than the fastest, beyond what the two
 * cannot be told apart by; a change of strategy costs RED_SWITCH_COST. The cheapest sequence over all n is
 * found by dynamic programming (Bellman 1961; the same as fitting a piecewise constant function with a
 * penalty for each jump, Friedrich, Kempe, Liebscher and Winkler 2008, "Complexity penalized M-estimation:
 * fast computation"). Ties within RED_TIE_MOST go to the simpler strategy
 * (red_strategy_burden), and to a geometry that is left to the default. */
#ifndef CLREDUCE_RECOMMEND_ADVICE_H
#define CLREDUCE_RECOMMEND_ADVICE_H

#include <stdio.h>

#include "results/bans.h"
#include "results/loaded.h"

/* ---- curves ----------------------------------------------------------------------------------------------
 * Times of several strategies against n on one device, from one run or several of them: the result files on
 * the command line of `recommend`, `report` or `emit`. Candidates and sizes are given by their indices. */

/* A strategy with the geometry that was asked for, over ranks with a collective: what can be chosen. */
struct red_candidate {
    struct red_at at; /* axes strategy, asked and collective */
};

/* "chunk", and what of its geometry was asked for, as "chunk:64:g8:16x4". */
struct red_short_text red_candidate_text(const struct red_candidate *candidate);

/* Which candidates to take. NULL and false take all but strategies that keep a launch waiting between calls,
 * and those that had a wrong result, a crash or a hang on the device, whatever was computed: these must be
 * asked for by name. */
struct red_candidate_filter {
    const char *strategy; /* list of names or globs; NULL: all. Those of finish persistent, and those with a
                             ban, are taken only if it names them without a glob */
    const char *among;    /* list of names: those that can be taken at all; NULL: all */
    bool portable;        /* only strategies of OpenCL 1.2 that need local memory at most */
};

enum { RED_WAITING_MAX = 8 };

struct red_curves {
    const struct red_result *result; /* the first run, of which device and query are */
    const struct red_query *query;
    size_t device;
    size_t runs_n;
    uint64_t *sizes; /* owned, ascending */
    size_t sizes_n;
    struct red_candidate *candidates; /* owned */
    size_t candidates_n;
    size_t *by_name; /* owned: candidates in the order of their names and geometries */
    /* owned, [candidate * sizes_n + size]: logarithm of the time in seconds, the mean of the runs' medians;
     * its standard deviation; the cell of the first run that has one. NAN, NAN and NULL where there is no
     * time. */
    double *log_s, *sd;
    const struct red_cell **cells;
    const struct red_strategy *waiting[RED_WAITING_MAX]; /* timed, but left out unless they are named: they
                                                            keep a launch waiting between calls */
    size_t waiting_n;
    struct red_bans bans;   /* of all runs' strategies on the device, of any operation, type and shape */
    struct red_bans failed; /* where strategies failed with an OpenCL error in the query */
    const struct red_result *incomparable; /* the first run whose times of the device cannot be compared
                                          (results/steadiness.h); NULL: none */
    double *host_log_s, *host_sd; /* owned: of the OpenMP row on the host, by size; NAN where there is none */
    double scatter; /* standard deviation of a median's logarithm from process to process: found from two runs
                       or more, RED_SCATTER_ASSUMED of one */
};

/* What a process adds of its own to each median, where only one was seen: launches of one program scattered
 * by 1 to 4 % on Intel's runtime and 2 to 9 % on PoCL (results/gate.md). */
#define RED_SCATTER_ASSUMED 0.04

/* Takes the times of the query on the device with this index in loaded->results[first], and of the same
 * device (id, name, driver and machine) in all other results; what was wrong in files of `verify` counts,
 * too. A strategy that failed with an OpenCL error at some n has no time there, at the measured n before it,
 * and at any larger one, where others have one. Release with red_curves_clear. Errors: RED_E_MEMORY. */
enum red_status red_curves_make(const struct red_loaded_files *loaded, size_t first, size_t device,
                                const struct red_query *query, const struct red_candidate_filter *filter,
                                struct red_curves *curves, struct red_error *error);
void red_curves_clear(struct red_curves *curves);

/* How simple a strategy is to use: less is simpler. OpenCL 1.2 comes before 2.x and what is unknown, then
 * fewer needs, then the finish that leaves least to go wrong (host, two_kernels, passes, ... persistent
 * last). */
int red_strategy_burden(const struct red_strategy *strategy);

/* Whether results are the same bits at every call: "any" (the order does not matter: integers, min, max,
 * exact sums), "fixed", "varies" (groups add as they come), "driver" (a built-in's order is its own), or
 * "unknown" (a strategy that is known by its name only). */
const char *red_strategy_bits_order(const struct red_strategy *strategy, const struct red_op *op,
                                    const struct red_dtype *dtype);

/* Whether it is known to run on every device of OpenCL 1.2 that has the type. */
bool red_strategy_is_portable(const struct red_strategy *strategy);

/* ---- advice -------------------------------------------------------------------------------------------- */

/* What a change of strategy costs, as a share of the time at one n: a band must save more in all. */
#define RED_SWITCH_COST 0.06
/* A difference counts as none up to the standard deviation of the two, but no more than this. */
#define RED_TIE_MOST 0.02

enum { RED_TIES_SHOWN = 3 };

/* An edge whose interval's ends are so many times apart tells no n: from low to high either of the two will
 * do if they differ by no more than a share of RED_EITHER_MOST there; otherwise it is not clear which. */
#define RED_EITHER_TIMES 10
#define RED_EITHER_MOST  0.10

/* Where one band ends and the next begins: n of the crossover of the two curves, between two measured n, and
 * its 95 % interval by the parametric bootstrap (Efron and Tibshirani 1993, section 6.5). */
struct red_edge {
    uint64_t n, low, high; /* the band begins with n; 1 for the first one */
    bool is_wide;          /* high is RED_EITHER_TIMES low or more */
    double apart;          /* of a wide one: by which share of time the two differ at most within it */
};

struct red_band {
    size_t candidate;               /* index into the curves' candidates */
    size_t first, last;             /* of the sizes that were measured in it */
    struct red_edge edge;           /* where it begins */
    size_t runner_up;               /* the best other candidate; SIZE_MAX: none has times in the whole band */
    double margin;                  /* by how much that takes longer, on average: 0.04 is 4 % */
    double margin_low, margin_high; /* its 95 % interval */
    bool is_tie;                    /* it is not shown to take longer: the interval begins at 0 or below */
    size_t ties[RED_TIES_SHOWN], ties_n; /* others that tie, the first few, and how many there are in all */
    size_t portable;                     /* the fastest portable one; SIZE_MAX: none */
    double portable_margin;
};

/* What the advice is worth beside OpenMP on the host, whose array lies in the host's memory. */
struct red_beside_openmp {
    bool known;         /* OpenMP was timed beside the advice */
    uint64_t pays_from; /* the device is not shown to be slower from this n on: 1, everywhere; 0, not even at
                           the largest n */
    bool everywhere_below; /* the device is shown to be faster at no measured n before that */
    bool device_wins;      /* the device is shown to be faster at a measured n from there on */
    double times;     /* how many times as fast OpenMP is where that is most; 0: nowhere shown to be faster */
    uint64_t times_n; /* that n; set to 0 the sentence leaves the factor out */
};

struct red_advice {
    struct red_curves curves;
    struct red_band *bands; /* owned, ascending in n */
    size_t bands_n;
    size_t everywhere; /* the one candidate that costs least at all n; SIZE_MAX: none has all times */
    double everywhere_mean, everywhere_worst; /* what it costs beyond the bands', on average and at most */
    struct red_beside_openmp openmp;
};

/* Makes the advice; takes the curves, which are empty afterwards, and have a time at each of their sizes.
 * Everything drawn at random comes from `seed`. Release with red_advice_clear. An advice without bands is of
 * a device on which nothing was timed. Errors: RED_E_MEMORY. */
enum red_status red_advice_make(struct red_curves *curves, uint64_t seed, struct red_advice *advice,
                                struct red_error *error);
void red_advice_clear(struct red_advice *advice);

/* The band for n; NULL of an advice without bands. */
const struct red_band *red_advice_band(const struct red_advice *advice, uint64_t n);

/* The fastest candidate of one n as the times are, which is what a reader of one run would take; SIZE_MAX if
 * there is none. */
size_t red_curves_fastest(const struct red_curves *curves, size_t size);

/* The logarithm of a candidate's time in seconds at a size; NAN if it has none. */
double red_curves_log_s_at(const struct red_curves *curves, size_t candidate, size_t size);

/* ---- in words (show.c) --------------------------------------------------------------------------------- */

/* Whether OpenMP on the host is faster than what is recommended at this n, between measured ones by their
 * times. */
bool red_advice_openmp_is_faster(const struct red_advice *advice, uint64_t n);

/* "below 2^14", "at some n below 2^14", "up to the largest n": where OpenMP is faster, if it is somewhere. */
struct red_short_text red_openmp_where(const struct red_beside_openmp *openmp);

/* The device that it is for, as the first result file has it. */
const struct red_device_info *red_advice_device(const struct red_advice *advice);

/* "DO NOT USE on intel: serial gave WRONG results: ...; left out: ...": what strategies did wrong on the
 * device, and which are left out for it; "" if nothing was wrong. At most RED_BANS_BYTES. */
void red_advice_bans_sentence(const struct red_advice *advice, char *text, size_t text_bytes);

/* "On intel (...), sum of f32: use chunk below 2^17 (...), and svm_chunk from there on; ...". It begins with
 * the sentence below where all that was timed failed at some n. Where times cannot be compared it says that,
 * and gives no advice. At most some 3000 characters. */
void red_advice_sentence(const struct red_advice *advice, char *text, size_t text_bytes);

/* "these times cannot be compared: run-2.json: other programs took ..."; "" where they can be. */
void red_advice_incomparable_sentence(const struct red_advice *advice, char *text, size_t text_bytes);

/* "Failed with an OpenCL error, and from that n on left out where another was timed: chunk at 2^20 (...).";
 * "" where nothing failed. It is part of the sentence above. */
void red_advice_failed_sentence(const struct red_advice *advice, char *text, size_t text_bytes);

/* ---- rules -----------------------------------------------------------------------------------------------
 * Advice as rules that a program can follow: from which n on which strategy, with which geometry. */

struct red_rule {
    uint64_t n_from; /* 0 for the first one */
    const struct red_strategy *strategy;
    const char *collective; /* over ranks; otherwise "" */
    size_t group_size;
    uint64_t groups_n;     /* 0: as many as n takes, one item for every `per_item` elements */
    unsigned per_item;     /* elements of an item where groups_n is 0; otherwise 0 */
    unsigned width, loads; /* 0: the kernel's own business */
};

/* Rules of the advice, a new one where the band or the geometry changes: that of a measured n holds up to the
 * geometric mean with the next one. `rules` is the caller's to free. Errors: RED_E_MEMORY. */
enum red_status red_rules_make(const struct red_advice *advice, struct red_rule **rules, size_t *rules_n,
                               struct red_error *error);

/* ---- a recommendation ------------------------------------------------------------------------------------
 * The advice from all result files of the verb `recommend`, and its output; for that verb alone. */

struct red_recommendation {
    uint64_t seed;
    struct red_catalogue *catalogue; /* owned */
    struct red_loaded_files loaded;  /* owned */
    struct red_candidate_filter filter;
    const uint64_t *n;         /* borrowed: for this n alone (red_recommendation_show); NULL: for all */
    struct red_advice *advice; /* owned: one for each device, operation, type and shape */
    size_t advice_n;
};

/* Tells it for people: of each advice a sentence, then a table. Errors: RED_E_MEMORY. */
enum red_status red_recommendation_show(const struct red_recommendation *all, FILE *out,
                                        struct red_error *error);

/* The same as JSON (results/advice.schema.json), and as a C header with the rules for arrays and a lookup.
 * Errors: RED_E_MEMORY; RED_E_INPUT for a header where nothing was timed on one array. */
enum red_status red_recommendation_json_print(const struct red_recommendation *all, FILE *out,
                                              struct red_error *error);
enum red_status red_recommendation_c_header_print(const struct red_recommendation *all, FILE *out,
                                                  struct red_error *error);

#endif
