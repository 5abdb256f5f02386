#define _GNU_SOURCE /* sched_getaffinity */
/* Opens this rank's device, forms teams, makes this rank's pieces, calls strategies over them, combines the
 * ranks' partial results, and times all that. What one rank cannot do, all of its team learn
 * (red_ranks_agree), so that none waits for it. */
#include "ranks/team.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/select.h"
#include "host/reference.h"
#include "run/bench.h"
#include "run/session.h"

/* ---- cutting an array ------------------------------------------------------------------------------------
 * All ranks cut alike: the weights are whole numbers before they are added, so that no rounding decides
 * where a piece ends. */

static bool is_same_kind(const struct red_rank *a, const struct red_rank *b) {
    return strcmp(a->device_name, b->device_name) == 0 && strcmp(a->driver, b->driver) == 0 &&
           a->cores_n == b->cores_n;
}

void red_weights_of_roofs(const struct red_rank *ranks, size_t ranks_n, double *weights) {
    static const double SAME = 0.9; /* of the fastest */
    for (size_t i = 0; i < ranks_n; i++) {
        double fastest = ranks[i].roof_bytes_per_s;
        for (size_t k = 0; k < ranks_n; k++)
            if (is_same_kind(&ranks[i], &ranks[k]))
                fastest = fmax(fastest, ranks[k].roof_bytes_per_s);
        weights[i] = ranks[i].roof_bytes_per_s >= SAME * fastest ? fastest : ranks[i].roof_bytes_per_s;
    }
}

__extension__ typedef unsigned __int128 wide; /* n times a sum of weights exceeds 64 bits */

enum { WEIGHT_BITS = 20 };

static uint64_t whole_weight(double weight, double greatest) {
    return greatest > 0 ? (uint64_t)llround(ldexp(weight / greatest, WEIGHT_BITS)) : 1;
}

void red_pieces_cut(uint64_t n, const double *weights, size_t pieces_n, uint64_t *firsts) {
    double greatest = 0;
    uint64_t total = 0, before = 0;
    for (size_t i = 0; i < pieces_n; i++)
        greatest = fmax(greatest, weights[i]);
    for (size_t i = 0; i < pieces_n; i++)
        total += whole_weight(weights[i], greatest);
    for (size_t i = 0; i < pieces_n; i++) {
        firsts[i] = (uint64_t)((wide)n * before / total);
        before += whole_weight(weights[i], greatest);
    }
    firsts[pieces_n] = n;
}

/* ---- collectives -----------------------------------------------------------------------------------------
 * Floats travel as doubles, as in the host's fold (host/fold.h), and are rounded once, at the end. */

const struct red_collective_row red_collectives[] = {
    {.name = "mpi_reduce", .idea = "MPI_Reduce to rank 0"},
    {.name = "mpi_allreduce", .idea = "MPI_Allreduce: every rank has the value", .everywhere = true},
    {.name = "gather_in_order",
     .idea = "MPI_Gather, and rank 0 folds in the order of the ranks: the same bits whatever the MPI does",
     .gathers = true},
    {.name = "exact",
     .idea = "sums of floats as words of an exact accumulator, added as integers and rounded once",
     .exact = true},
    {.name = "persistent",
     .idea = "MPI_Reduce that is prepared once and started for each call (MPI_Reduce_init of MPI 4)",
     .persistent = true},
};
const size_t red_collectives_n = sizeof red_collectives / sizeof red_collectives[0];
const char *const red_collective_names[] = {"mpi_reduce", "mpi_allreduce", "gather_in_order", "exact",
                                            "persistent"};

size_t red_collectives_choose(const char *list,
                              const struct red_collective_row *chosen[RED_COLLECTIVES_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < red_collectives_n; i++)
        if (red_select_matches(list, red_collectives[i].name))
            chosen[n++] = &red_collectives[i];
    return n;
}

struct red_collective {
    const struct red_ranks *ranks;
    const struct red_comm *comm;
    const struct red_collective_row *row;
    const struct red_op *op;
    const struct red_dtype *dtype;
    void *reduction; /* owned; of a row that gathers NULL */
    bool has_value;  /* this rank gets the value */
    bool adds_words;
    struct red_partial from, to;
    struct red_partial *all; /* owned; of a row that gathers, on rank 0 */
    int64_t words[RED_EXACT_WORDS], sums[RED_EXACT_WORDS];
};

/* Prepares what the row asks of MPI. */
static enum red_status prepare(struct red_collective *made, struct red_error *error) {
    const struct red_accumulator *accumulator = red_op_accumulator(made->op, made->dtype);
    struct red_mpi_reduction asked = {.type = (enum red_accumulator_index)(accumulator - red_accumulators),
                                      .op = (enum red_op_index)(made->op - red_ops),
                                      .n = 1,
                                      .everywhere = made->row->everywhere,
                                      .persistent = made->row->persistent,
                                      .from = &made->from,
                                      .to = &made->to};
    const char *reason = "";
    if (made->row->gathers) {
        made->all = red_ranks_room(made->ranks, (size_t)made->comm->size, sizeof *made->all);
        return RED_OK;
    }
    made->adds_words = made->row->exact && made->dtype->is_float && made->op->does == RED_ADDS;
    if (made->adds_words) {
        asked.type = RED_ACCUMULATOR_i64;
        asked.op = RED_OP_sum;
        asked.n = RED_EXACT_WORDS;
        asked.from = made->words;
        asked.to = made->sums;
    }
    made->reduction = made->ranks->mpi->reduction_make(made->comm, &asked, &reason);
    return made->reduction ? RED_OK
                           : red_fail(error, RED_E_UNSUPPORTED, "%s: %s", made->ranks->library, reason);
}

enum red_status red_collective_make(const struct red_ranks *ranks, const struct red_comm *comm,
                                    const struct red_collective_row *row, const struct red_op *op,
                                    const struct red_dtype *dtype, struct red_collective **collective,
                                    struct red_error *error) {
    struct red_collective *made = red_ranks_room(ranks, 1, sizeof *made);
    *made = (struct red_collective){.ranks = ranks,
                                    .comm = comm,
                                    .row = row,
                                    .op = op,
                                    .dtype = dtype,
                                    .has_value = row->everywhere || comm->rank == 0};
    enum red_status status = prepare(made, error);
    if (status == RED_OK)
        *collective = made;
    else
        red_collective_destroy(made);
    return status;
}

void red_collective_destroy(struct red_collective *collective) {
    if (collective == NULL)
        return;
    if (collective->reduction != NULL)
        collective->ranks->mpi->reduction_free(collective->reduction);
    free(collective->all);
    free(collective);
}

/* Whether it adds exact sums without rounding. */
static bool collective_is_exact(const struct red_collective *collective) {
    return collective->adds_words;
}

/* Whether all ranks get the answer. */
static bool collective_is_everywhere(const struct red_collective *collective) {
    return collective->row->everywhere;
}

/* The answer that the words of all ranks are, rounded once. */
static struct red_value answer_of_words(const struct red_collective *collective, uint64_t n) {
    const struct red_dtype *result = red_op_result_dtype(collective->op, collective->dtype);
    struct red_exact sum;
    red_exact_from_words(collective->sums, &sum);
    return red_exact_round(&sum, collective->op->role == RED_ROLE_MEAN ? n : 1, result);
}

struct red_value red_collective_run(struct red_collective *collective, const struct red_partial *mine,
                                    const struct red_exact *exact, uint64_t n) {
    const struct red_mpi *mpi = collective->ranks->mpi;
    const struct red_value none = {.index = 0};
    collective->from = *mine;
    if (collective->row->gathers) {
        mpi->gather_first(collective->comm, mine, sizeof *mine, collective->all);
        for (int i = 1; i < collective->comm->size && collective->has_value; i++)
            red_partial_combine(collective->op, collective->dtype, &collective->all[0], &collective->all[i]);
        return collective->has_value
                   ? red_partial_answer(collective->op, collective->dtype, &collective->all[0], n)
                   : none;
    }
    if (collective->adds_words) {
        struct red_exact sum;
        if (exact == NULL) {
            red_exact_reset(&sum);
            red_exact_add(&sum, mine->f64);
        }
        red_exact_to_words(exact ? exact : &sum, collective->words);
    }
    mpi->reduction_run(collective->reduction);
    if (!collective->has_value)
        return none;
    return collective->adds_words ? answer_of_words(collective, n)
                                  : red_partial_answer(collective->op, collective->dtype, &collective->to, n);
}

double red_collective_chain(const struct red_op *op, const struct red_dtype *dtype, int ranks_n) {
    const struct red_accumulator *accumulator = red_op_accumulator(op, dtype);
    return accumulator->is_float ? ldexp(ranks_n, (int)accumulator->digits - 53) + 1 : 0;
}

/* ---- this rank ----------------------------------------------------------------------------------------- */

/* Opens the device whose turn it is among those that the patterns select. */
static enum red_status open_own_device(struct red_member *member, const char *patterns,
                                       struct red_error *error) {
    size_t chosen[64], chosen_n = 0;
    if (patterns != NULL && strcmp(patterns, "host") == 0)
        return RED_OK;
    enum red_status status = red_device_list_create(&member->list, error);
    const size_t found_n = status == RED_OK ? red_device_list_n(member->list) : 0;
    if (found_n > 0)
        status = red_device_list_check_patterns(member->list, patterns, error);
    if (status == RED_OK)
        chosen_n = red_device_list_select(member->list, patterns, chosen, sizeof chosen / sizeof chosen[0]);
    if (status == RED_OK && chosen_n == 0)
        return red_fail(
            error, RED_E_NO_DEVICE,
            "no OpenCL device; clreduce devices shows why, --device host takes OpenMP's loop alone");
    return status == RED_OK
               ? red_device_open(member->list, chosen[(size_t)member->ranks->node.rank % chosen_n],
                                 &member->device, error)
               : status;
}

/* What this rank tells the others of itself. */
static struct red_rank describe(const struct red_member *member) {
    struct red_rank rank = {.node = member->ranks->node_number, .cores_n = (unsigned)omp_get_num_procs()};
    snprintf(rank.host, sizeof rank.host, "%s", member->ranks->host);
    snprintf(rank.device, sizeof rank.device, "host");
    if (member->device != NULL) {
        const struct red_device_info *info = red_device_info(member->device);
        snprintf(rank.device, sizeof rank.device, "%s", info->id);
        snprintf(rank.device_name, sizeof rank.device_name, "%s", info->name);
        snprintf(rank.driver, sizeof rank.driver, "%s", info->driver);
    }
    return rank;
}

/* The ranks of a host share its processors, unless mpirun has given each its own. */
static void share_processors(const struct red_member *member) {
    const long all = sysconf(_SC_NPROCESSORS_ONLN);
    const int own = omp_get_num_procs(), share = (int)all / member->ranks->node.size;
    omp_set_num_threads(own < share ? own : share > 0 ? share : 1);
}

enum red_status red_member_open(const struct red_ranks *ranks, const char *patterns,
                                struct red_member *member, struct red_error *error) {
    *member = (struct red_member){.ranks = ranks};
    red_watch_step(0, "the driver is loaded and its device opened");
    share_processors(member);
    enum red_status status = open_own_device(member, patterns, error);
    member->all = calloc((size_t)ranks->world.size, sizeof *member->all);
    if (status == RED_OK && member->all == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for %d ranks", ranks->world.size);
    status = red_ranks_agree(ranks, &ranks->world, status, error);
    if (status == RED_OK) {
        const struct red_rank mine = describe(member);
        ranks->mpi->gather(&ranks->world, &mine, sizeof mine, member->all);
    }
    return status;
}

void red_member_close(struct red_member *member) {
    red_watch_step(0, "its device is closed");
    red_device_close(member->device);
    red_device_list_destroy(member->list);
    free(member->all);
    *member = (struct red_member){.device = NULL};
}

const struct red_rank *red_member_first_with_device(const struct red_member *member) {
    for (int i = 0; i < member->ranks->world.size; i++)
        if (strcmp(member->all[i].device, "host") != 0)
            return &member->all[i];
    return NULL;
}

/* ---- roofs --------------------------------------------------------------------------------------------- */

/* Reads the data some times by one form of the roof, at the same time as all other ranks: the best rate. */
static double rate_of_form(const struct red_member *member, struct red_dataset *dataset, unsigned form,
                           struct red_error *error) {
    enum { CALLS = 6 };
    struct red_case roof = red_case_make(&dataset->spec, NULL, NULL);
    struct red_prepared prepared;
    double bytes_per_s = 0;
    roof.form = form;
    const bool made = red_prepared_make(&roof, member->device, &dataset, &prepared, error) == RED_OK;
    for (int i = 0; i < CALLS; i++) {
        red_watch_wait(true);
        member->ranks->mpi->barrier(&member->ranks->world);
        red_watch_wait(false);
        const double begin_s = red_clock_s();
        if (made && red_prepared_call(&prepared) == 0 && i > 0)
            bytes_per_s =
                fmax(bytes_per_s, (double)dataset->spec.n * (double)dataset->spec.dtype->size_bytes /
                                      (red_clock_s() - begin_s));
    }
    if (made)
        red_prepared_clear(&prepared);
    return bytes_per_s;
}

enum red_status red_member_measure_roofs(struct red_member *member, uint64_t n, unsigned *form,
                                         struct red_error *error) {
    const struct red_ranks *ranks = member->ranks;
    const struct red_data_kind uniform = {RED_PATTERN_UNIFORM, 0};
    const struct red_data_spec spec =
        red_data_spec_make(red_op_find("sum"), red_dtype_find("f32"), uniform, n, 0);
    struct red_dataset dataset;
    double mine = 0;
    red_watch_step(1, "its roof is measured");
    enum red_status status = red_dataset_make(&spec, &dataset, error);
    status = red_ranks_agree(ranks, &ranks->world, status, error);
    for (unsigned i = 0; i < RED_ROOF_FORMS_N && status == RED_OK; i++) {
        const double rate = rate_of_form(member, &dataset, i, error);
        *form = rate > mine ? i : *form;
        mine = fmax(mine, rate);
    }
    if (status == RED_OK && mine <= 0)
        status = error->status;
    red_dataset_clear(&dataset);
    status = red_ranks_agree(ranks, &ranks->world, status, error);
    double *all = red_ranks_gather(ranks, &ranks->world, &mine, sizeof mine);
    for (int i = 0; i < ranks->world.size; i++)
        member->all[i].roof_bytes_per_s = all[i];
    free(all);
    return status;
}

/* ---- teams --------------------------------------------------------------------------------------------- */

void red_team_make(const struct red_member *member, int ranks_n, const double *weights,
                   struct red_team *team) {
    *team = (struct red_team){.member = member, .ranks_n = ranks_n, .on_one_node = true, .weights = weights};
    member->ranks->mpi->first_make(&member->ranks->world, ranks_n, &team->comm);
    for (int i = 1; i < ranks_n; i++)
        team->on_one_node = team->on_one_node && member->all[i].node == member->all[0].node;
}

void red_team_clear(struct red_team *team) {
    team->member->ranks->mpi->comm_free(&team->comm);
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

/* Merges the truths that all ranks of the team bring; places count in the whole already. */
static void merge_all(const struct red_team *team, const struct red_truth *mine, struct red_truth *whole) {
    red_watch_wait(true);
    struct red_truth *all = red_ranks_gather(team->member->ranks, &team->comm, mine, sizeof *mine);
    red_watch_wait(false);
    *whole = all[0];
    whole->op = mine->op; /* another process's pointers mean nothing here */
    whole->dtype = mine->dtype;
    for (int i = 1; i < team->ranks_n; i++) {
        all[i].op = mine->op;
        all[i].dtype = mine->dtype;
        red_truth_merge(whole, &all[i], 0);
    }
    free(all);
}

/* The right answer of the whole array from those of the pieces, as they are now: worker/prepared.c changes
 * elements between batches. */
static void merge_truths(const struct red_piece *piece, const struct red_truth *mine,
                         struct red_truth *whole) {
    struct red_truth moved = *mine;
    moved.index += piece->first;
    merge_all(piece->team, &moved, whole);
}

enum red_status red_piece_make(const struct red_team *team, const struct red_data_spec *spec,
                               struct red_piece *piece, struct red_error *error) {
    const struct red_ranks *ranks = team->member->ranks;
    struct red_truth stripes;
    uint64_t *firsts = calloc((size_t)team->ranks_n + 1, sizeof *firsts);
    *piece = (struct red_piece){.team = team, .whole_n = spec->n};
    enum red_status status = firsts ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the pieces");
    if (status == RED_OK) {
        struct red_data_spec own = *spec;
        red_pieces_cut(spec->n, team->weights, (size_t)team->ranks_n, firsts);
        piece->first = own.first = firsts[team->comm.rank];
        piece->n = own.n = firsts[team->comm.rank + 1] - piece->first;
        own.whole_n = spec->n;
        status = red_dataset_make(&own, &piece->dataset, error);
    }
    free(firsts);
    if (status == RED_OK)
        status =
            red_truth_find_stripes(spec, (unsigned)team->comm.rank, (unsigned)team->ranks_n, &stripes, error);
    red_reference_stop_spinning();
    status = red_ranks_agree(ranks, &team->comm, status, error);
    if (status == RED_OK)
        merge_all(team, &stripes, &piece->whole);
    else
        red_piece_clear(piece);
    return status;
}

void red_piece_clear(struct red_piece *piece) {
    red_dataset_clear(&piece->dataset);
    *piece = (struct red_piece){.team = NULL};
}

/* ---- calls --------------------------------------------------------------------------------------------- */

enum red_status red_team_check_device(const struct red_team *team, const struct red_strategy *strategy,
                                      struct red_error *error) {
    return strategy == NULL || strategy->standard == RED_STANDARD_HOST || team->member->device != NULL
               ? RED_OK
               : red_fail(error, RED_E_UNSUPPORTED, "it has no device (--device host), and kernels need one");
}

enum red_status red_piece_call_make(struct red_piece *piece, const struct red_strategy *strategy,
                                    unsigned form, struct red_piece_call *call, struct red_error *error) {
    const struct red_team *team = piece->team;
    const struct red_data_spec *data = &piece->dataset.spec;
    const bool on_host = strategy != NULL && strategy->standard == RED_STANDARD_HOST;
    struct red_case spec = red_case_make(data, strategy, NULL);
    struct red_dataset *dataset = &piece->dataset;
    spec.form = form;
    *call = (struct red_piece_call){.piece = piece,
                                    .is_exact = strategy != NULL && red_strategy_is_exact(strategy)};
    enum red_status status = red_team_check_device(team, strategy, error);
    if (status == RED_OK && piece->n > 0)
        status =
            red_prepared_make(&spec, on_host ? NULL : team->member->device, &dataset, &call->prepared, error);
    status = red_ranks_agree(team->member->ranks, &team->comm, status, error);
    if (status == RED_OK)
        call->chain = red_ranks_greatest(team->member->ranks, &team->comm, call->prepared.chain) +
                      red_collective_chain(data->op, data->dtype, team->ranks_n);
    else
        red_piece_call_clear(call);
    return status;
}

void red_piece_call_clear(struct red_piece_call *call) {
    if (call->piece != NULL && call->piece->n > 0)
        red_prepared_clear(&call->prepared);
    *call = (struct red_piece_call){.piece = NULL};
}

/* Calls it: *partial is this rank's partial result, whose places count in the whole array. Errors, on this
 * rank alone: those of red_prepared_call. */
static enum red_status run_piece_call(struct red_piece_call *call, struct red_partial *partial,
                                      struct red_error *error) {
    const struct red_data_spec *data = &call->piece->dataset.spec;
    if (call->piece->n == 0) {
        red_partial_set_identity(data->op, data->dtype, partial);
        return RED_OK;
    }
    if (red_prepared_call(&call->prepared) != 0)
        return red_fail(error, call->prepared.error.status, "%s", call->prepared.error.text);
    *partial = call->prepared.partial;
    red_partial_move_places(data->op, data->dtype, partial, call->piece->first);
    return RED_OK;
}

/* The exact sum of which the last call's partial result is a rounding; NULL where it is not known. */
static const struct red_exact *exact_of_call(const struct red_piece_call *call) {
    return call->prepared.plan != NULL ? red_plan_exact_sum(call->prepared.plan) : NULL;
}

/* ---- timing ----------------------------------------------------------------------------------------------
 * A call begins at a barrier. Each rank notes when it left the barrier, when its own reduction was done, and
 * when the collective was; behind the batch rank 0 makes of these what the cell's parts say (results/run.h).
 */

/* When a rank passed the points of a call, by its own clock. */
struct passing {
    double begin_s, device_s, end_s;
};

/* ---- making a timing ----------------------------------------------------------------------------------- */

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

/* ---- calls that are timed ------------------------------------------------------------------------------ */

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
        status = run_piece_call(timing->call, &partial, error);
    passing->device_s = red_clock_s();
    red_watch_wait(true);
    if (timing->bare != NULL)
        mpi->reduction_run(timing->bare);
    else if (timing->collective != NULL)
        *value = red_collective_run(timing->collective, &partial,
                                    timing->call ? exact_of_call(timing->call) : NULL, n);
    red_watch_wait(false);
    passing->end_s = red_clock_s();
    return status;
}

/* Whether this rank gets the answer. */
static bool has_answer(const struct red_timing *timing) {
    return timing->call != NULL && timing->collective != NULL &&
           (timing->team->comm.rank == 0 || collective_is_everywhere(timing->collective));
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
    if (!timing->call->is_exact || !collective_is_exact(timing->collective))
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

/* ---- planning batches ---------------------------------------------------------------------------------- */

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
        timing->collective == NULL ? timing->bare == NULL : collective_is_everywhere(timing->collective);
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
    merge_truths(piece, mine, whole);
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
