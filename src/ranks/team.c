#define _GNU_SOURCE /* sched_getaffinity */
/* Opens this rank's device, forms teams, makes this rank's pieces and calls strategies over them. What one
 * rank cannot do, all of its team learn (red_ranks_agree), so that none waits for it. */
#include "ranks/team.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "host/reference.h"
#include "ranks/pieces.h"

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

void red_piece_merge_truths(const struct red_piece *piece, const struct red_truth *mine,
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

enum red_status red_piece_call_run(struct red_piece_call *call, struct red_partial *partial,
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

const struct red_exact *red_piece_call_exact(const struct red_piece_call *call) {
    return call->prepared.plan != NULL ? red_plan_exact_sum(call->prepared.plan) : NULL;
}
