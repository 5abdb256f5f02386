/* Times calls of a team (ranks/measure.h). A call begins at a barrier. Each rank notes when it left the
 * barrier, when its own reduction was done, and when the collective was; behind the batch rank 0 makes of
 * these what the cell's parts say (results/run.h). */
#include "ranks/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "host/reference.h"
#include "run/bench.h"
#include "run/session.h"

/* When a rank passed the points of a call, by its own clock. */
struct passing {
    double begin_s, device_s, end_s;
};

/* ---- making -------------------------------------------------------------------------------------------- */

enum red_status red_timing_make(const struct red_team *team, struct red_piece_call *call,
                                const struct red_collective_row *collective, const struct red_op *op,
                                const struct red_dtype *dtype, struct red_cell *cell,
                                struct red_timing *timing, struct red_error *error) {
    const struct red_ranks *ranks = team->member->ranks;
    *timing = (struct red_timing){.cell = cell, .team = team, .call = call};
    if (cell->kind == RED_CELL_BARE) {
        const char *reason = "";
        const struct red_mpi_reduction eight_bytes = {.type = RED_ACCUMULATOR_f64,
                                                      .op = RED_OP_sum,
                                                      .n = 1,
                                                      .from = &timing->bare_from,
                                                      .to = &timing->bare_to};
        timing->bare = ranks->mpi->reduction_make(&team->comm, &eight_bytes, &reason);
        return timing->bare ? RED_OK : red_fail(error, RED_E_UNSUPPORTED, "MPI_Reduce: %s", reason);
    }
    if (op != NULL && cell->kind == RED_CELL_ALONE)
        red_partial_set_identity(op, dtype, &timing->partial);
    return collective != NULL
               ? red_collective_make(ranks, &team->comm, collective, op, dtype, &timing->collective, error)
               : RED_OK;
}

void red_timing_clear(struct red_timing *timing) {
    red_collective_destroy(timing->collective);
    if (timing->bare != NULL)
        timing->team->member->ranks->mpi->reduction_free(timing->bare);
    *timing = (struct red_timing){.cell = NULL};
}

/* Tells the watch that so many calls of the cell begin. */
static void begin_step(const struct red_cell *cell, double calls, const char *what) {
    red_watch_step(1e-8 * (double)cell->at.n * calls, "%s%s%s is %s",
                   cell->at.strategy != NULL ? cell->at.strategy->name : red_cell_kind_names[cell->kind],
                   cell->at.collective[0] != '\0' ? " with " : "", cell->at.collective, what);
}

/* ---- calls --------------------------------------------------------------------------------------------- */

/* One call, from the barrier on. A rank whose own reduction failed takes part in the collective all the same:
 * the others wait for it there. */
static enum red_status call_once(struct red_timing *timing, struct passing *passing, struct red_value *value,
                                 struct red_error *error) {
    const struct red_mpi *mpi = timing->team->member->ranks->mpi;
    const uint64_t n = timing->call != NULL ? timing->call->piece->whole_n : 1;
    struct red_partial partial = timing->partial;
    enum red_status status = RED_OK;
    red_watch_wait(true);
    mpi->barrier(&timing->team->comm);
    red_watch_wait(false);
    passing->begin_s = red_clock_s();
    if (timing->call != NULL)
        status = red_piece_call_run(timing->call, &partial, error);
    passing->device_s = red_clock_s();
    red_watch_wait(true);
    if (timing->bare != NULL)
        mpi->reduction_run(timing->bare);
    else if (timing->collective != NULL)
        *value = red_collective_run(timing->collective, &partial,
                                    timing->call ? red_piece_call_exact(timing->call) : NULL, n);
    red_watch_wait(false);
    passing->end_s = red_clock_s();
    return status;
}

/* Whether this rank gets the answer. */
static bool has_answer(const struct red_timing *timing) {
    return timing->call != NULL && timing->collective != NULL &&
           (timing->team->comm.rank == 0 || red_collective_is_everywhere(timing->collective));
}

/* Reports an answer across ranks that is not right. */
static enum red_status fail_wrong(const struct red_timing *timing, const struct red_truth *whole,
                                  struct red_value got, struct red_error *error) {
    char expected_text[64], got_text[64];
    const struct red_value expected = red_truth_value(whole);
    red_truth_answer_format(whole, &expected, expected_text, sizeof expected_text);
    red_truth_answer_format(whole, &got, got_text, sizeof got_text);
    return red_fail(error, RED_E_WRONG, "%s over %d ranks: expected %s, got %s", timing->cell->at.collective,
                    timing->team->ranks_n, expected_text, got_text);
}

/* Judges an answer. Of exact sums that are added exactly it has the very bits of the exact sum, rounded once:
 * the same for every number of ranks and every split. */
static bool is_right(const struct red_timing *timing, const struct red_truth *whole, struct red_value value) {
    const struct red_dtype *result = red_op_result_dtype(whole->op, whole->dtype);
    if (!timing->call->is_exact || !red_collective_is_exact(timing->collective))
        return red_truth_check(whole, timing->call->chain, value).right;
    const struct red_value exact =
        red_exact_round(&whole->real, whole->op->role == RED_ROLE_MEAN ? whole->n : 1, result);
    return value.bits == exact.bits ||
           (isnan(result->get_real(&value, 0)) && isnan(result->get_real(&exact, 0)));
}

_Static_assert((int)RED_ANSWERS_MAX > (int)RED_DATA_SETS_MAX,
               "each exact data set has an answer, the timed too");

/* Keeps an answer for the file; in one cell are as many as data sets at most. Without memory it is not there.
 */
static void keep_answer(struct red_cell *cell, const struct red_op *op, struct red_value value) {
    if (cell->answers == NULL)
        cell->answers = calloc(RED_ANSWERS_MAX, sizeof *cell->answers);
    if (cell->answers != NULL && cell->answers_n < RED_ANSWERS_MAX)
        cell->answers[cell->answers_n++] = op->role == RED_ROLE_PLACE ? value.index : value.bits;
}

enum red_status red_timing_check(struct red_timing *timing, const struct red_truth *whole,
                                 struct red_error *error) {
    const struct red_team *team = timing->team;
    struct passing passing;
    struct red_value value = {.index = 0};
    begin_step(timing->cell, 1, "checked");
    enum red_status status =
        red_ranks_agree(team->member->ranks, &team->comm, call_once(timing, &passing, &value, error), error);
    if (status != RED_OK)
        return status;
    if (has_answer(timing) && !is_right(timing, whole, value))
        status = fail_wrong(timing, whole, value, error);
    status = red_ranks_agree(team->member->ranks, &team->comm, status, error);
    if (status == RED_OK && team->comm.rank == 0 && has_answer(timing))
        keep_answer(timing->cell, whole->op, value);
    return status;
}

/* ---- planning ------------------------------------------------------------------------------------------ */

/* Makes so many calls. Sets the shortest, and the mean time from one barrier to the next, as the slowest rank
 * had them: calls that rank 0 does not wait for count, too. */
static enum red_status time_calls(struct red_timing *timing, unsigned calls, double *shortest_s,
                                  double *mean_s, struct red_error *error) {
    const struct red_team *team = timing->team;
    const struct red_ranks *ranks = team->member->ranks;
    enum red_status status = RED_OK;
    struct red_value value;
    double shortest = INFINITY;
    const double begin_s = red_clock_s();
    for (unsigned i = 0; i < calls; i++) {
        struct passing passing;
        struct red_error failed;
        const enum red_status here = call_once(timing, &passing, &value, &failed);
        if (here != RED_OK && status == RED_OK)
            status = red_fail(error, here, "%s", failed.text);
        shortest = fmin(shortest, passing.end_s - passing.begin_s);
    }
    *mean_s = red_ranks_greatest(ranks, &team->comm, (red_clock_s() - begin_s) / calls);
    *shortest_s = red_ranks_greatest(ranks, &team->comm, shortest);
    return red_ranks_agree(ranks, &team->comm, status, error);
}

/* The time of a call for the plan. Where ranks share processors with other programs most calls wait for a
 * rank that is not running: of that the mean of many calls tells, and the shortest of few does not. */
static enum red_status estimate_call(struct red_timing *timing, double budget_s, double *call_s,
                                     struct red_error *error) {
    enum { FEW = 3, MANY = 50 };
    static const double SHARE = 0.05; /* of the budget, for many calls */
    double shortest_s;
    enum red_status status = time_calls(timing, 1, &shortest_s, call_s, error);
    if (status == RED_OK)
        status = time_calls(timing, FEW, &shortest_s, call_s, error);
    const double many = status == RED_OK ? fmin(MANY, SHARE * budget_s / shortest_s) : 0;
    return many > FEW ? time_calls(timing, (unsigned)many, &shortest_s, call_s, error) : status;
}

enum red_status red_timing_plan(struct red_timing *timing, double budget_s, double clock_step_s,
                                struct red_error *error) {
    struct red_measurement planned = {.cell = NULL};
    struct red_cell *cell = timing->cell;
    double call_s;
    begin_step(cell, 5, "called first");
    enum red_status status = estimate_call(timing, budget_s, &call_s, error);
    if (status != RED_OK)
        return status;
    red_measurement_plan(&planned, fmax(call_s, 1e-7), budget_s, clock_step_s);
    cell->calls_per_sample = planned.calls;
    timing->batches_n = planned.batches;
    for (int part = 0; part < RED_PARTS_N && status == RED_OK; part++) {
        double *samples_s = calloc(planned.batches, sizeof *samples_s);
        *(part == RED_PART_TOTAL ? &cell->samples_s : &cell->parts_s[part]) = samples_s;
        if (samples_s == NULL)
            status = red_fail(error, RED_E_MEMORY, "no memory for samples");
    }
    return red_ranks_agree(timing->team->member->ranks, &timing->team->comm, status, error);
}

/* ---- batches ------------------------------------------------------------------------------------------- */

/* Adds the parts of one call, from what all ranks noted (enum red_time_part), each `calls` behind the one
 * before. On one node all clocks are one. */
static void add_parts(const struct red_timing *timing, const struct passing *noted, uint64_t calls,
                      double parts[RED_PARTS_N]) {
    const struct red_team *team = timing->team;
    const bool last_counts =
        timing->collective == NULL ? timing->bare == NULL : red_collective_is_everywhere(timing->collective);
    double begin = noted->begin_s, end = noted->end_s, sum = 0, longest = 0;
    double longest_all = end - begin;
    for (int r = 0; r < team->ranks_n; r++) {
        const struct passing *at = &noted[(uint64_t)r * calls];
        sum += at->device_s - at->begin_s;
        longest = fmax(longest, at->device_s - at->begin_s);
        longest_all = fmax(longest_all, at->end_s - at->begin_s);
        begin = fmin(begin, at->begin_s);
        end = last_counts ? fmax(end, at->end_s) : end;
    }
    const double total = team->on_one_node ? end - begin
                         : last_counts     ? longest_all
                                           : noted->end_s - noted->begin_s;
    const double device = sum / team->ranks_n, imbalance = longest - device;
    parts[RED_PART_TOTAL] += total;
    parts[RED_PART_DEVICE] += device;
    parts[RED_PART_IMBALANCE] += imbalance;
    parts[RED_PART_COLLECTIVE] += total - device - imbalance;
}

/* Adds the batch's sample to the cell, on rank 0; `all` has each rank's passings after the other's. */
static void add_sample(struct red_timing *timing, const struct passing *all, uint64_t calls) {
    struct red_cell *cell = timing->cell;
    double parts[RED_PARTS_N] = {0};
    for (uint64_t i = 0; i < calls; i++)
        add_parts(timing, &all[i], calls, parts);
    for (int part = 0; part < RED_PARTS_N; part++)
        red_cell_part_s(cell, (enum red_time_part)part)[cell->samples_n] = parts[part] / (double)calls;
    cell->samples_n++;
}

/* The answer of the whole array as its pieces are now: one element of each has changed. */
static void find_whole_now(struct red_timing *timing, struct red_truth *whole) {
    const struct red_piece *piece = timing->call->piece;
    const struct red_truth *mine =
        piece->n > 0 ? &timing->call->prepared.guards[0].watches[0].truth : &piece->dataset.truth;
    red_piece_merge_truths(piece, mine, whole);
}

/* Makes the batch's calls; keeps the first failure of this rank's own. Calls that are not timed come first.
 * `wrong` is set by the first answer across ranks that is not right: where a rank failed it is a consequence.
 */
static enum red_status make_calls(struct red_timing *timing, struct red_range *range,
                                  const struct red_truth *whole, struct passing *passings,
                                  struct red_error *wrong, struct red_error *error) {
    const uint64_t calls = timing->cell->calls_per_sample, untimed = red_gbench_untimed(calls);
    const bool checks = has_answer(timing);
    enum red_status status = RED_OK;
    for (uint64_t i = 0; i < untimed + calls; i++) {
        struct red_value value = {.index = 0};
        struct red_error failed;
        const enum red_status here =
            call_once(timing, &passings[i < untimed ? 0 : i - untimed], &value, &failed);
        if (here == RED_OK && checks && wrong->status == RED_OK && !red_range_holds(range, value))
            (void)fail_wrong(timing, whole, value, wrong);
        if (here != RED_OK && status == RED_OK)
            status = red_fail(error, here, "%s", failed.text);
    }
    return status;
}

enum red_status red_timing_batch(struct red_timing *timing, struct red_error *error) {
    const struct red_team *team = timing->team;
    const struct red_ranks *ranks = team->member->ranks;
    struct red_cell *cell = timing->cell;
    const uint64_t calls = cell->calls_per_sample;
    const bool changes = timing->call != NULL && timing->collective != NULL,
               guards = changes && timing->call->piece->n > 0;
    const size_t all_n = team->comm.rank == 0 ? calls * (size_t)team->ranks_n : 0;
    struct passing *mine = red_ranks_room(ranks, calls, sizeof *mine),
                   *all = all_n > 0 ? red_ranks_room(ranks, all_n, sizeof *all) : NULL;
    struct red_truth whole;
    struct red_range range;
    struct red_error wrong = {.status = RED_OK};
    begin_step(cell, (double)(calls + 3), "timed");
    enum red_status status = guards ? red_prepared_begin(&timing->call->prepared, error) : RED_OK;
    status = red_ranks_agree(ranks, &team->comm, status, error);
    if (status == RED_OK && changes) {
        find_whole_now(timing, &whole);
        red_range_make(&whole, timing->call->chain, &range);
    }
    if (status == RED_OK)
        status = make_calls(timing, &range, &whole, mine, &wrong, error);
    if (guards)
        status = red_prepared_end(&timing->call->prepared, status, error);
    status = red_ranks_agree(ranks, &team->comm, status, error);
    if (status == RED_OK && changes)
        status = red_ranks_agree(
            ranks, &team->comm,
            wrong.status == RED_OK ? RED_OK : red_fail(error, wrong.status, "%s", wrong.text), error);
    if (status == RED_OK)
        ranks->mpi->gather_first(&team->comm, mine, calls * sizeof *mine, all);
    if (status == RED_OK && team->comm.rank == 0)
        add_sample(timing, all, calls);
    if (cell->at.strategy != NULL && cell->at.strategy->standard == RED_STANDARD_HOST)
        red_reference_stop_spinning(); /* its threads would spin against a device of the same processors */
    free(mine);
    free(all);
    return status;
}
