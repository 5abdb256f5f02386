/* `bench --ranks` and `verify --ranks`: joins the other ranks of mpirun, has one array measured or checked
 * over them, and on rank 0 writes the file and prints the tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/over_ranks.h"
#include "console/ranks_table.h"
#include "core/clock.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "model/primitive.h"
#include "ranks/team_checks.h"
#include "results/bans.h"
#include "results/steadiness.h"

static const char default_sizes[] = "2^16,2^20,2^24";
static const double PATIENCE_S = 120, TIME_PER_CELL_S = 0.08;

static enum red_status check_primitive(const struct red_options *given, struct red_error *error) {
    return red_primitive_check_option(given->selection.primitive, RED_OWN_OPTION_RANKS, true, error);
}

/* Refuses what has no effect over ranks, and fills in what the user did not choose. */
static enum red_status check_and_fill_defaults(const struct red_options *given, struct red_options *options,
                                               struct red_error *error) {
    *options = *given;
    if (given->selection.time_per_cell_s <= 0)
        options->selection.time_per_cell_s = TIME_PER_CELL_S;
    options->ranks.result_path = red_outputs_result_path(options);
    options->ranks.resume = given->output.resume;
    if (given->output.resume && options->ranks.result_path == NULL)
        return red_fail(error, RED_E_INPUT, "--resume needs --output FILE: the journal lies beside that");
    enum red_status status = check_primitive(given, error);
    if (status == RED_OK)
        status = red_ranks_options_check(&given->ranks, error);
    if (status == RED_OK && given->selection.n.n == 0)
        status = red_sizes_parse("--n", default_sizes, &options->selection.n, error);
    return status;
}

/* The error of the cell that decides the exit status: a wrong answer before all others; that there is none,
 * of no elements, is as good as a right one. OpenMP's cells are what was asked for only where there are no
 * others, with --device host. */
static enum red_status check_states(const struct red_run *run, struct red_error *error) {
    struct red_worst worst = {.status = RED_OK};
    size_t cells_n[2] = {0}, answers_n[2] = {0}; /* of the host, of others */
    for (size_t i = 0; i < run->cells_n + run->beside_n; i++) {
        const bool is_beside = i >= run->cells_n;
        const struct red_cell *cell = red_run_any_cell(run, i);
        const bool is_of_device = !run->devices[cell->device].is_host;
        red_worst_add(&worst, red_state_status(cell->state), i);
        cells_n[is_of_device] += !is_beside;
        answers_n[is_of_device] +=
            !is_beside && (cell->state == RED_STATE_PASS || red_cell_has_no_answer(cell));
    }
    if (worst.status != RED_OK) {
        const struct red_cell *told = red_run_any_cell(run, worst.at);
        return red_fail(error, worst.status, "%s: %s with %s, n = %llu, %u ranks%s: %s",
                        red_state_name(told->state), told->at.strategy != NULL ? told->at.strategy->name : "",
                        told->at.collective, (unsigned long long)told->at.n, told->at.ranks_n,
                        red_and_more_text(worst.alike_n - 1).text, told->reason);
    }
    return answers_n[cells_n[true] > 0] > 0
               ? RED_OK
               : red_fail(error, RED_E_NO_DEVICE,
                          "nothing that was asked for could be timed; the reasons stand above");
}

/* A red_outputs_printer, of a struct red_ranks_pivot. */
static void print_pivot(const void *pivot, FILE *screen) {
    red_ranks_pivot_print(pivot, screen);
}

/* On rank 0: judges the run, prints the tables, and writes the file and what --export asks for, also of a run
 * that broke off. */
static enum red_status write_outputs(const struct red_options *options, struct red_run *run,
                                     struct red_error *error) {
    struct red_ranks_pivot pivot;
    red_run_judge_steadiness(run);
    enum red_status status = red_run_mark_banned(run, error);
    if (status == RED_OK)
        status = red_ranks_pivot_make(run, NULL, 0, &pivot, error);
    if (status != RED_OK)
        return status;
    status = red_outputs_write(options, run, print_pivot, &pivot, error);
    red_ranks_pivot_clear(&pivot);
    return status;
}

/* Measures on all ranks; rank 0 writes. */
static enum red_status measure_and_write(const struct red_ranks *ranks, const struct red_options *options,
                                         struct red_error *error) {
    const struct red_session_defaults defaults = {
        .types = "f32", .ops = "sum", .strategies = "chunk,grid_stride_vec", .by_shape = true};
    struct red_session session;
    struct red_journal *journal = NULL;
    bool is_written = false;
    struct red_run run = {.cells_n = 0};
    const double start_s = red_clock_s();
    red_run_begin(&run, &options->selection);
    enum red_status status = red_session_resolve_names(&options->selection, &defaults, &session, error);
    const bool resolved = status == RED_OK;
    status = red_ranks_agree(ranks, &ranks->world, status, error);
    if (status == RED_OK)
        status = red_scaling_measure(ranks, &options->ranks, &session, &run, &journal, error);
    run.wall_s = red_clock_s() - start_s;
    if (ranks->world.rank == 0 && run.cells_n > 0) {
        struct red_error unwritten = {.text = ""}, found = {.text = ""};
        const enum red_status written = write_outputs(options, &run, &unwritten);
        const enum red_status judged = check_states(&run, &found);
        is_written = status != RED_E_INTERRUPTED && written == RED_OK;
        status = red_verb_status_find(status, judged, found.text, written, unwritten.text, error);
        if (status == RED_OK)
            status = red_outputs_check_export_times(options, &run, error);
    }
    if (red_journal_close(journal, red_interrupted() || !is_written || red_run_has_pending(&run)))
        fprintf(stderr, "the same command with --resume goes on from here\n");
    red_run_clear(&run);
    if (resolved)
        red_session_close(&session);
    return status;
}

enum red_status red_options_join_ranks(const struct red_options *given, struct red_ranks *ranks,
                                       struct red_error *error) {
    struct red_ranks_identity identity = {.seed = given->selection.seed};
    const double patience_s = given->selection.patience_s > 0 ? given->selection.patience_s : PATIENCE_S;
    snprintf(identity.version, sizeof identity.version, "%s", red_version);
    snprintf(identity.command, sizeof identity.command, "%s", given->ranks.command);
    return red_ranks_join(&identity, patience_s, ranks, error);
}

enum red_status red_bench_over_ranks(const struct red_options *given, struct red_error *error) {
    struct red_options options;
    struct red_ranks ranks = {.mpi = NULL};
    enum red_status status = check_and_fill_defaults(given, &options, error);
    if (status == RED_OK && !red_ranks_is_launched()) /* MPI changes what that looks at */
        fputs("one rank, since no mpirun has started it; mpirun -n 2 clreduce bench --ranks has two\n",
              stderr);
    if (status == RED_OK && !red_ranks_is_not_first()) /* whose folders the others need not have */
        status = red_outputs_check(&options, error);
    if (status != RED_OK)
        (void)red_ranks_name_in(error);
    if (status == RED_OK)
        status = red_options_join_ranks(given, &ranks, error);
    if (status == RED_OK)
        status = measure_and_write(&ranks, &options, error);
    status = red_ranks_leave(&ranks, status, error);
    if (given->selection.n.n == 0)
        red_sizes_clear(&options.selection.n);
    return status;
}

/* Refuses what verify over ranks does not know. */
static enum red_status check_verify_options(const struct red_options *given, struct red_error *error) {
    enum red_status status = check_primitive(given, error);
    if (status == RED_OK)
        status = red_ranks_verify_options_check(&given->ranks, error);
    if (status == RED_OK && (given->output.path != NULL || given->output.format != RED_FORMAT_TABLE))
        status = red_fail(error, RED_E_INPUT,
                          "verify --ranks has no files, and no other format than its lines, which say how to "
                          "make each wrong check again; --output holds checks of one device at a time");
    return status;
}

enum red_status red_verify_over_ranks(const struct red_options *given, struct red_error *error) {
    const struct red_session_defaults defaults = {.kernels_alone = true, .by_shape = true};
    struct red_ranks ranks = {.mpi = NULL};
    struct red_session session;
    enum red_status status = check_verify_options(given, error);
    if (status != RED_OK)
        (void)red_ranks_name_in(error);
    if (status == RED_OK)
        status = red_options_join_ranks(given, &ranks, error);
    if (status == RED_OK) {
        status = red_session_resolve_names(&given->selection, &defaults, &session, error);
        const bool resolved = status == RED_OK;
        status = red_ranks_agree(&ranks, &ranks.world, status, error);
        if (status == RED_OK)
            status = red_ranks_verify(&ranks, &given->ranks, &session, stdout, error);
        if (resolved)
            red_session_close(&session);
    }
    return red_ranks_leave(&ranks, status, error);
}
