/* Times of several strategies against n on one device, from one run or several of them. */
#ifndef CLREDUCE_RECOMMEND_CURVES_H
#define CLREDUCE_RECOMMEND_CURVES_H

#include "results/result.h"

/* A strategy with the geometry that was asked for: what can be chosen. */
struct red_candidate {
    const struct red_strategy *strategy;
    struct red_tuning asked;
};

/* What to leave out: NULL and false choose all but strategies that keep a launch waiting between calls, which
 * nobody should get who did not ask for them. */
struct red_candidate_filter {
    const char *strategy; /* list of names or globs; NULL: all. Those of finish persistent and joined are
                             taken only if it names them without a glob */
    bool portable;        /* only strategies of OpenCL 1.2 that need local memory at most */
};

enum { RED_WAITING_MAX = 8 };

struct red_curves {
    const struct red_result *result; /* the first run, of which device and question are */
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
    double scatter; /* standard deviation of a median's logarithm from process to process: found from two runs
                       or more, RED_SCATTER_ASSUMED of one */
};

/* What a process adds of its own to each median, where only one was seen: launches of one program scattered
 * by 1 to 4 % on Intel's runtime and 2 to 9 % on PoCL (results/gate.md). */
#define RED_SCATTER_ASSUMED 0.04

/* Takes the times of the question on the device with this index in results[first], and of the same device
 * (id, name, driver and machine) in all other results. Release with red_curves_clear. Errors: RED_E_MEMORY.
 */
enum red_status red_curves_make(const struct red_result *results, size_t results_n, size_t first,
                                size_t device, const struct red_query *query,
                                const struct red_candidate_filter *filter, struct red_curves *curves,
                                struct red_error *error);
void red_curves_clear(struct red_curves *curves);

/* How simple a strategy is to use: less is simpler. OpenCL 1.2 comes before 2.x and what is unknown, then
 * fewer needs, then the finish that leaves least to go wrong (host, two_kernels, passes, ... persistent
 * last). */
int red_strategy_burden(const struct red_strategy *strategy);

/* Whether results are the same bits at every call: "any" (the order does not matter: integers, min, max),
 * "fixed", "varies" (groups add as they come), "driver" (a built-in's order is its own), or "unknown" (a
 * strategy that is known by its name only). */
const char *red_strategy_order(const struct red_strategy *strategy, const struct red_op *op,
                               const struct red_dtype *dtype);

/* Whether it is known to run on every device of OpenCL 1.2 that has the type. */
bool red_strategy_is_portable(const struct red_strategy *strategy);

#endif
