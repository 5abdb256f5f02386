/* Estimates: how long a call, a check or a whole run will take, from the checks that were made on the
 * device. `verify` and `bench` print "about 40 s" from them; `verify` leaves out as over budget what would
 * take too long. */
#ifndef CLREDUCE_RUN_ESTIMATE_H
#define CLREDUCE_RUN_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/text.h"
#include "model/types.h"

/* ---- one call ------------------------------------------------------------------------------------------ */

/* What calls have taken. All zero: nothing is known, and nothing is expected to take any time. */
struct red_call_cost {
    double s_per_element;
    double slow_s;             /* a call of */
    uint64_t slow_n;           /* elements took so long, which no noise does; 0: none has */
    double least_s;            /* the fastest call of all; 0: nothing is known */
    uint64_t least_n;          /* the fewest elements that any call had */
    double few_s;              /* the fastest call of few elements; 0: none had so few */
    uint64_t most_n;           /* the most elements that any call had, where they count */
    double most_s_per_element; /* of calls of about so many, the slowest, beyond few_s */
};

/* A check of n elements was made, and the fastest of its calls took call_s. Contention can cost a check a
 * hundred times another of its size: the slowest check counts. Small n are not counted, since a launch or one
 * time slice of another process outweighs them, unless a call takes a twentieth of a second: then more
 * elements are not expected to take less. */
void red_call_cost_add(struct red_call_cost *cost, uint64_t n, double call_s);

/* What calls of a strategy cost. Types differ by what an atomic update of theirs costs, operations by how
 * often they make one: what takes all elements for each, what looks for an extreme seldom. */
struct red_call_costs {
    struct red_call_cost all, type[RED_DTYPES_N], does[RED_COMBINERS_N], both[RED_DTYPES_N][RED_COMBINERS_N];
};

/* Adds a check, as red_call_cost_add does, to all that it tells of. `type` is its number in red_dtypes. */
void red_call_costs_add(struct red_call_costs *costs, size_t type, enum red_combiner does, uint64_t n,
                        double call_s);

/* Seconds that a call of n elements is expected to take, in proportion to n: as its own program took; where
 * nothing is known of that, as others of this type that want the same; else as its type did, and a quarter of
 * what the slowest took that wants the same, whichever is longer; else a quarter of the slowest of all. At
 * least what the slowest call took that was slow (a twentieth of a second), if n is no less than that of any
 * slow one. 0 where nothing is known. */
double red_call_cost_s(const struct red_call_cost *own, const struct red_call_costs *costs, size_t type,
                       enum red_combiner does, uint64_t n);

/* The same of a kernel that takes about as long for 2^18 elements as for few, which its time for 2^18 says
 * nothing of: from the calls of most elements so far alone, less what a call of few takes. 0 where it does
 * not, or nothing is known: then those calls may have been of cheaper operations than others were. */
double red_call_cost_of_most_s(const struct red_call_cost *cost, uint64_t n);

/* Seconds that a call of n elements takes at least, as all did so far; 0 where none had so few. */
double red_call_cost_least_s(const struct red_call_cost *cost, uint64_t n);

/* ---- a run --------------------------------------------------------------------------------------------- */

/* How much there is to verify. */
struct red_workload {
    size_t checks_n, programs_n;
    double elements, made; /* the n of all checks together, and of the different data among them */
};

/* Checks of one sort: what they took together, and what their elements alone would take by the constants. The
 * slowest is kept beside the others: of a few checks one may be of a kernel that contends for one address and
 * takes a thousand times as long, which says nothing of the other kernels. */
struct red_check_times {
    double s, elements_s;
    size_t n;
    double slowest_s, slowest_elements_s; /* its time, and that of its elements; in the sums above, too */
};

/* Adds to a workload; what is left of one without a part of it. */
void red_workload_add(struct red_workload *sum, const struct red_workload *more);
struct red_workload red_workload_without(const struct red_workload *all, const struct red_workload *part);

/* What checks of one device have taken. */
struct red_check_rates {
    double first_s;                                 /* of the first program: a driver wakes up */
    struct red_check_times compiling, small, large; /* of a new program; others, of few elements; of many */
    double large_grids_s; /* what the first check of many elements took more than the next, in all programs */
    size_t large_grids_n; /* those programs */
};

/* Adds what one check took (a verify of a cell, of which `check` says how much it was); its programs_n is 1
 * if its program was new, and 0 otherwise. */
void red_check_rates_add(struct red_check_rates *rates, const struct red_workload *check, double took_s);

/* Adds how much longer a program's first check of many elements took than another one of them: PoCL compiles
 * a kernel once more for a large grid, at its first launch. */
void red_check_rates_add_large_grid(struct red_check_rates *rates, double longer_s);

/* About how many seconds a workload takes. Where there are no rates yet, it assumes
 * what a program, a check and its elements took with two CPU drivers on a common machine. */
double red_workload_s(const struct red_workload *workload, const struct red_check_rates *rates);

/* Seconds until workers have done work that takes work_s in all and comes in parts of one size, each of which
 * one worker does: three parts take two workers two thirds of it. */
double red_shared_work_s(double work_s, size_t parts_n, size_t workers_n);

/* From so many elements on they decide how long a check takes. */
enum { RED_LARGE_CHECK_N = 1 << 16 };

/* Whether to tell now that a run takes more than twice the time that was told, or less than half of it: after
 * spent_s, with this share of the work done. Then gives what is left, and *told_s becomes the new time of the
 * whole run, so that it is told again only where that is wrong by twice, too. The first seconds and a
 * tenth of the work tell too little. */
bool red_estimate_correct(double *told_s, double spent_s, double done_share, double *left_s);

/* Whether an estimate was wrong, either way, by more than half of it and by more than 20 s. */
bool red_estimate_is_far_off(double spent_s, double expected_s);

/* "40 s", "12 minutes", "1.6 hours". */
struct red_short_text red_duration_text(double seconds);

#endif
