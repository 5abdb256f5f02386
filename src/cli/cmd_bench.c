#define _POSIX_C_SOURCE 200809L /* nanosleep */
/* The verb `bench`: verifies kernels of --kernel, lays out, prepares and measures the cells, then writes the
 * outputs and decides the exit status. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/options.h"
#include "cli/over_ranks.h"
#include "console/console_table.h"
#include "console/experiment_table.h"
#include "core/clock.h"
#include "core/interrupt.h"
#include "core/processors.h"
#include "core/text.h"
#include "model/primitive.h"
#include "results/bans.h"
#include "results/run.h"
#include "run/bench.h"
#include "run/estimate.h"
#include "verify/verify.h"

/* Seconds for a cell of other data: a histogram has four times as many of them as of uniform data, of which
 * one table has the slowest alone. */
static const double DEFAULT_OTHER_S = 0.02;

/* Of experiments, and of the whole ones: what a call of their slowest cells takes on two processors; and how
 * many exact data sets their cells are checked with: all end within five minutes for a device. */
static const double EXPERIMENT_S = 0.5, WHOLE_S = 1.5;
enum { EXPERIMENT_DATA_SETS = 2 };

/* Fills in what the user did not choose, and refuses options that contradict. */
static enum red_status check_and_fill_defaults(const struct red_options *given, struct red_options *options,
                                               struct red_error *error) {
    *options = *given;
    const enum red_status status = red_primitive_check_option(
        given->selection.primitive, RED_OWN_OPTION_ACCURACY, given->verify.accuracy, error);
    if (status != RED_OK)
        return status;
    if (given->selection.time_per_cell_s <= 0) {
        options->selection.time_per_cell_s = given->bench.experiments.letters == 0 ? RED_BENCH_CELL_S
                                             : given->bench.experiments.whole      ? WHOLE_S
                                                                                   : EXPERIMENT_S;
        options->selection.time_per_other_s = DEFAULT_OTHER_S;
    }
    if (given->bench.experiments.letters != 0 && given->selection.data_sets == 0)
        options->selection.data_sets = EXPERIMENT_DATA_SETS;
    if (given->output.resume && given->output.path == NULL)
        return red_fail(error, RED_E_INPUT, "--resume needs --output: the journal lies beside that file");
    if (red_shape_has_segments(&given->selection.shape) && given->selection.n.n > 0)
        return red_fail(error, RED_E_INPUT, "--n: --shape %s says how long a segment is",
                        given->selection.shape.text);
    if (red_shape_has_segments(&given->selection.shape))
        return red_selection_take_segment_lengths(&options->selection, error);
    return given->selection.n.n > 0 ? RED_OK
                                    : red_sizes_parse("--n", RED_BENCH_SIZES, &options->selection.n, error);
}

/* The error of the first sum of --accuracy that is wrong; RED_OK if there is none. */
static enum red_status check_accuracies(const struct red_run *run, struct red_error *error) {
    struct red_worst worst = {.status = RED_OK};
    for (size_t i = 0; i < run->accuracies_n; i++)
        red_worst_add(&worst, run->accuracies[i].state == RED_STATE_WRONG ? RED_E_WRONG : RED_OK, i);
    if (worst.status == RED_OK)
        return RED_OK;
    const struct red_accuracy *first = &run->accuracies[worst.at];
    return red_fail(error, worst.status,
                    "wrong sums: %s on %s, %s of %s, n = %llu, %s%s: error %.3g, bound %.3g",
                    first->at.strategy->name, run->devices[first->device].info.id, first->at.op->name,
                    first->at.dtype->name, (unsigned long long)first->at.n, first->at.data,
                    red_and_more_text(worst.alike_n - 1).text, first->error, first->bound);
}

/* The error of the cell that decides the exit status: a wrong result before all others; RED_OK if there is
 * none. A kernel of --kernel that does not build decides, as a mistake of the user; one of ours does not. */
static enum red_status check_states(const struct red_bench *bench, struct red_error *error) {
    struct red_worst worst = {.status = RED_OK};
    for (size_t i = 0; i < bench->run.cells_n; i++) {
        const struct red_cell *cell = &bench->run.cells[i];
        bool decides = cell->state != RED_STATE_BUILD_FAILED ||
                       red_catalogue_is_added(bench->session->catalogue, cell->at.strategy);
        red_worst_add(&worst, decides ? red_state_status(cell->state) : RED_OK, i);
    }
    static const char *const words[RED_STATES_N] = {[RED_STATE_WRONG] = "wrong results",
                                                    [RED_STATE_BUILD_FAILED] = "does not build",
                                                    [RED_STATE_CRASHED] = "crashed",
                                                    [RED_STATE_TIMED_OUT] = "timed out",
                                                    [RED_STATE_FAILED] = "failed"};
    if (worst.status != RED_E_WRONG && check_accuracies(&bench->run, error) != RED_OK)
        return RED_E_WRONG;
    if (worst.status == RED_OK)
        return RED_OK;
    const struct red_cell *cell = &bench->run.cells[worst.at];
    return red_fail(error, worst.status, "%s: %s on %s, n = %llu%s: %s", words[cell->state],
                    cell->at.strategy->name, bench->run.devices[cell->device].info.id,
                    (unsigned long long)cell->at.n, red_and_more_text(worst.alike_n - 1).text, cell->reason);
}

/* Refuses a run that answers nothing. A known bug is an answer, even one that was not run; the rows of
 * the host alone are none, unless they are all that was asked for. */
static enum red_status check_any_answer(const struct red_bench *bench, struct red_error *error) {
    bool kernels_asked = false, host_answers = false, kernel_answers = false;
    for (size_t i = 0; i < bench->run.cells_n; i++) {
        const struct red_cell *cell = &bench->run.cells[i];
        bool is_answer = cell->state == RED_STATE_PASS || cell->state == RED_STATE_KNOWN_BUG;
        kernels_asked = kernels_asked || cell->device > 0;
        host_answers = host_answers || (is_answer && cell->device == 0);
        kernel_answers = kernel_answers || (is_answer && cell->device > 0);
    }
    return (kernels_asked ? kernel_answers : host_answers) ? RED_OK
           : bench->run.cells_n > 0
               ? red_fail(error, RED_E_NO_DEVICE,
                          "nothing that was asked for could be timed; the reasons stand above")
               : red_fail(error, RED_E_NO_DEVICE,
                          "nothing to measure: the chosen devices run none of the chosen strategies");
}

/* Puts every type and operation of the primitive in the place of those that --type and --op have chosen. */
static void choose_all_types_and_ops(struct red_session *session) {
    const uint64_t types = red_primitive_types(session->selection->primitive);
    session->types_n = session->ops_n = 0;
    for (size_t i = 0; i < red_dtypes_n; i++)
        if (types >> i & 1)
            session->types[session->types_n++] = &red_dtypes[i];
    for (size_t i = 0; i < red_ops_n; i++)
        if (red_ops[i].primitive == session->selection->primitive)
            session->ops[session->ops_n++] = &red_ops[i];
}

/* After how many seconds of calls red_verify_session leaves out the slow checks of a --kernel kernel on a
 * device: as many as 250 cells take (20 s with 80 ms for a cell), but no fewer than a fast kernel needs. */
static double added_kernel_share_s(const struct red_selection *selection) {
    enum { CELLS = 250 };
    static const double LEAST_S = 10;
    return fmin(RED_VERIFY_SHARE_S, fmax(LEAST_S, CELLS * selection->time_per_cell_s));
}

/* Of each kernel of --kernel and device the words for levels at which it was never checked. */
struct unchecked_kernels {
    const struct red_strategy *strategies[RED_CHOICE_MAX]; /* a file may hold several */
    size_t strategies_n;
    char (*words)[RED_UNCHECKED_BYTES]; /* owned; by device, then strategy; NULL: no kernel was verified */
};

/* Whether the kernel has one of the types and operations that are measured. */
static bool has_measured_form(const struct red_session *session, const struct red_strategy *strategy) {
    for (size_t t = 0; t < session->types_n; t++)
        for (size_t o = 0; o < session->ops_n; o++)
            if (red_strategy_check_type_and_op(strategy, session->types[t], session->ops[o], NULL) == RED_OK)
                return true;
    return false;
}

/* Verifies the kernels of --kernel over the whole grid, with every type and operation of their manifests,
 * before they are measured: at the round sizes of a benchmark a dropped tail does not show. Prints to stderr
 * what `verify` would; without such a kernel it does nothing. */
static enum red_status verify_added_kernels(const struct red_session *session,
                                            struct unchecked_kernels *unchecked, struct red_error *error) {
    struct red_selection selection = *session->selection;
    struct red_session kernels = *session;
    selection.n = (struct red_sizes){.n = 0};
    selection.time_per_cell_s = 0;
    selection.all = false;
    kernels.selection = &selection;
    choose_all_types_and_ops(&kernels);
    kernels.strategies_n = 0;
    for (size_t i = 0; i < session->strategies_n; i++)
        if (red_catalogue_is_added(session->catalogue, session->strategies[i]) &&
            has_measured_form(session, session->strategies[i]))
            kernels.strategies[kernels.strategies_n++] = session->strategies[i];
    if (kernels.strategies_n == 0 || kernels.devices_n == 0)
        return RED_OK;
    unchecked->words = calloc(kernels.strategies_n * kernels.devices_n, sizeof *unchecked->words);
    if (unchecked->words == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for verifying");
    while (unchecked->strategies_n < kernels.strategies_n) {
        unchecked->strategies[unchecked->strategies_n] = kernels.strategies[unchecked->strategies_n];
        unchecked->strategies_n++;
    }
    /* One wrong result is enough to know. */
    const struct red_verify_options options = {.first = true, .unchecked = unchecked->words};
    return red_verify_session(&kernels, &options, NULL, added_kernel_share_s(session->selection), stderr,
                              error);
}

/* Says in each cell of such a kernel at which levels it was never checked. */
static void mark_unchecked(const struct unchecked_kernels *unchecked, struct red_run *run) {
    for (size_t i = 0; i < run->cells_n; i++) {
        struct red_cell *cell = &run->cells[i];
        for (size_t s = 0; s < unchecked->strategies_n && cell->device > 0; s++)
            if (unchecked->strategies[s] == cell->at.strategy)
                memcpy(cell->unchecked, unchecked->words[(cell->device - 1) * unchecked->strategies_n + s],
                       sizeof cell->unchecked);
    }
}

/* Where a table of errors goes. */
struct accuracy_output {
    struct red_run *run;
    FILE *screen; /* NULL: not shown */
    struct red_accuracy_verdicts verdicts;
};

/* Called for each table of errors: adds its cells to the run, and shows it on the screen, if there is one.
 *   context  a struct accuracy_output */
static enum red_status add_and_print_accuracies(void *context, const struct red_numerics_table *table,
                                                struct red_error *error) {
    struct accuracy_output *found = context;
    red_accuracy_verdicts_add(&found->verdicts, table);
    enum red_status status = found->screen != NULL ? red_numerics_print(table, found->screen, error) : RED_OK;
    for (size_t s = 0; s < table->session->strategies_n; s++) {
        for (size_t c = 0; c < table->cases_n && status == RED_OK; c++) {
            const struct red_numerics_cell *cell = &table->cells[s][c];
            struct red_accuracy accuracy = {
                .device = table->d + 1,
                .at.strategy = table->session->strategies[s],
                .at.op = table->op,
                .at.dtype = table->dtype,
                .at.n = table->n[c],
                .state = cell->state == RED_STATE_PASS && !cell->found.right ? RED_STATE_WRONG : cell->state,
                .error = cell->found.error,
                .bound = cell->found.bound,
                .absolute = cell->found.absolute,
                .error_in_units = red_numerics_in_units(table, &cell->found),
                .share_of_bound =
                    isfinite(cell->found.bound) ? cell->found.error / cell->found.bound : INFINITY,
                .place = cell->found.place,
                .same_bits = cell->found.same_bits};
            snprintf(accuracy.at.data, sizeof accuracy.at.data, "%s",
                     red_pattern_name(table->data_kinds[c].pattern));
            status = red_run_add_accuracy(found->run, &accuracy, error);
        }
    }
    return status;
}

/* With --accuracy measures the errors of results; without it does nothing. The tables are shown
 * on the screen, and the run keeps them for the result file. n and budget of cells do not apply to them. */
static enum red_status measure_accuracy_if_asked(const struct red_session *session,
                                                 const struct red_options *options, struct red_run *run,
                                                 struct red_error *error) {
    struct accuracy_output found = {.run = run, .screen = red_outputs_screen(options)};
    struct red_selection selection = *session->selection;
    struct red_session numerics = *session;
    if (!options->verify.accuracy || session->devices_n == 0)
        return RED_OK;
    selection.n = (struct red_sizes){.n = 0};
    selection.time_per_cell_s = 0;
    numerics.selection = &selection;
    const enum red_status status =
        red_numerics_visit_tables(&numerics, RED_NUMERICS_ACCURACY, add_and_print_accuracies, &found, error);
    if (status == RED_OK && found.screen != NULL)
        red_accuracy_verdicts_print(&found.verdicts, session, found.screen);
    return status;
}

/* For the line "N of M cells verified in ...", printed before measuring. */
static size_t count_verified(const struct red_bench *bench) {
    size_t n = 0;
    for (size_t i = 0; i < bench->run.cells_n; i++)
        n += bench->run.cells[i].state == RED_STATE_PASS;
    return n;
}

/* Warns on stderr if others take more than a quarter of the processors now: times scatter then. The load
 * would count the build before this run, too.
 *   begin  before the devices were opened; where that took less than a tenth of a second, it waits so long */
static void warn_if_busy(const struct red_processor_times *begin) {
    const struct timespec tenth = {.tv_nsec = 100000000};
    struct red_processor_times end;
    struct red_host host;
    red_host_find(&host);
    red_processor_times_find(&end);
    if (end.all_s - begin->all_s < 0.1 * host.cores_n) {
        nanosleep(&tenth, NULL);
        red_processor_times_find(&end);
    }
    const double all_s = end.all_s - begin->all_s, others_s = red_processor_times_others_s(begin, &end);
    if (begin->all_s > 0 && all_s > 0 && others_s > 0.25 * all_s)
        fprintf(
            stderr,
            "this machine is busy (other programs or machines take %.0f %% of it): expect unsteady times\n",
            100 * others_s / all_s);
}

/* Counts the cells of --expect that passed, and prints to stderr which lines of it no longer hold, as far as
 * these few cells show. Only `verify` fails then. */
static void count_and_print_outdated_known_failures(const struct red_bench *bench) {
    for (size_t i = 0; i < bench->run.cells_n; i++) {
        const struct red_cell *cell = &bench->run.cells[i];
        struct red_known_failure *known = cell->device > 0 ? red_bench_known_failure(bench, cell) : NULL;
        if (known != NULL && cell->state == RED_STATE_PASS)
            (void)red_known_failure_count(known, cell->state);
    }
    red_known_failures_print_outdated(&bench->session->known_failures, false, stderr);
}

/* A red_outputs_printer, of a struct red_bench. */
static void print_table(const void *context, FILE *screen) {
    const struct red_bench *bench = context;
    if (red_run_has_experiments(&bench->run))
        red_experiments_print(screen, &bench->run);
    else
        red_console_table_print(screen, &bench->run, bench->session->catalogue);
}

/* Writes what there is even if the run broke off, and judges: wrong beats everything, and a cell that failed
 * an output that could not be written. Gives the status of the verb.
 *   status   that of the run so far
 *   written  set: no output failed, also where there is no cell and so no output */
static enum red_status write_and_judge(const struct red_options *options, const struct red_bench *bench,
                                       enum red_status status, bool *written, struct red_error *error) {
    struct red_error found = {.text = ""}, unwritten = {.text = ""};
    enum red_status output = bench->run.cells_n > 0
                                 ? red_outputs_write(options, &bench->run, print_table, bench, &unwritten)
                                 : RED_OK;
    *written = output == RED_OK;
    count_and_print_outdated_known_failures(bench);
    enum red_status judged = check_states(bench, &found);
    status = red_verb_status_find(status, judged, found.text, output, unwritten.text, error);
    if (status == RED_OK)
        status = check_any_answer(bench, error);
    return status == RED_OK ? red_outputs_check_export_times(options, &bench->run, error) : status;
}

/* Parts of a run, which red_parts_create has made. */
struct parts {
    struct red_part *of;
    size_t n;
};

/* Lays out, verifies and measures the cells, prints to stderr what is expected and what it took, writes the
 * outputs and judges. */
static enum red_status lay_out_measure_and_write(struct red_session *session, const struct parts *parts,
                                                 const struct red_options *options,
                                                 const struct unchecked_kernels *unchecked,
                                                 struct red_error *error) {
    struct red_bench bench = {
        .session = session,
        .parts = parts->of,
        .parts_n = parts->n,
        .resume = options->output.resume,
        .run = {.shape = &options->selection.shape, .time_per_cell_s = options->selection.time_per_cell_s}};
    double start_s = red_clock_s();
    red_run_begin(&bench.run, &options->selection);
    bench.run.clock_step_s = red_clock_measure_step_s();
    enum red_status status = measure_accuracy_if_asked(session, options, &bench.run, error);
    if (status == RED_OK)
        status = red_bench_lay_out(&bench, error);
    if (status == RED_OK)
        status = red_bench_prepare(&bench, red_outputs_result_path(options), error);
    if (status == RED_OK) {
        if (bench.run.cells_n > 0)
            fprintf(stderr, "%zu of %zu cells verified in %.0f s; measuring takes about %.0f s\n",
                    count_verified(&bench), bench.run.cells_n, red_clock_s() - start_s,
                    red_bench_batches_estimate_s(&bench));
        status = red_bench_measure(&bench, error);
    }
    bench.run.wall_s = red_clock_s() - start_s;
    if (status == RED_OK && bench.run.wall_s > bench.expected_s &&
        red_estimate_is_far_off(bench.run.wall_s, bench.expected_s))
        fprintf(stderr, "took %.0f s (%.0f s were expected on an idle machine)\n", bench.run.wall_s,
                bench.expected_s);
    bool written = true;
    mark_unchecked(unchecked, &bench.run);
    const enum red_status marked = red_run_mark_banned(&bench.run, status == RED_OK ? error : NULL);
    status = status == RED_OK ? marked : status;
    red_run_make_index(&bench.run);
    status = write_and_judge(options, &bench, status, &written, error);
    if (red_journal_close(bench.journal, red_interrupted() || !written || red_run_has_pending(&bench.run)))
        fprintf(stderr, "the same command with --resume goes on from here\n");
    red_bench_clear(&bench);
    return status;
}

/* A run that asked for nothing in particular, as bench/run's, ends with a line for each other primitive that
 * says how to ask for it. */
static void tell_other_primitives(const struct red_options *given) {
    const struct red_selection *selection = &given->selection;
    if (selection->primitive_given || selection->strategy != NULL || selection->op != NULL ||
        selection->kernels_n > 0 || selection->shape.kind != RED_SHAPE_ARRAY ||
        given->bench.experiments.letters != 0 || given->verify.accuracy)
        return;
    fflush(stdout);
    for (size_t i = 0; i < RED_PRIMITIVES_N; i++)
        if (i != selection->primitive)
            fprintf(stderr, "%s: the same command with --primitive %s\n", red_primitives[i].nouns,
                    red_primitive_names[i]);
}

static enum red_status run_bench(const struct red_options *given, struct red_error *error) {
    if (given->ranks.ranks)
        return red_bench_over_ranks(given, error);
    struct red_session_defaults defaults = red_bench_defaults(given->selection.primitive);
    defaults.kernel_option = given->verify.accuracy ? "accuracy" : NULL;
    struct red_options options;
    struct red_session session;
    struct unchecked_kernels unchecked = {.strategies_n = 0};
    struct parts parts = {.n = 0};
    struct red_processor_times begin;
    red_processor_times_find(&begin);
    enum red_status status = check_and_fill_defaults(given, &options, error);
    if (status == RED_OK)
        status = red_outputs_check(&options, error);
    if (status == RED_OK)
        status = red_session_open(&options.selection, &defaults, &session, error);
    if (status == RED_OK) {
        warn_if_busy(&begin);
        status = red_parts_create(&session, &options.bench.experiments, &parts.of, &parts.n, error);
        if (status == RED_OK)
            status = red_parts_check_memory(parts.of, parts.n, error);
        if (status == RED_OK)
            status = verify_added_kernels(&session, &unchecked, error);
        if (status == RED_OK)
            status = lay_out_measure_and_write(&session, &parts, &options, &unchecked, error);
        red_parts_destroy(parts.of, parts.n);
        free(unchecked.words);
        if (status == RED_OK)
            tell_other_primitives(given);
        red_session_close(&session);
    }
    if (given->selection.n.n == 0)
        red_sizes_clear(&options.selection.n);
    return status;
}

/* What chooses cells, as experiments do, too. */
#define CHOOSING_OPTIONS                                                                                     \
    (RED_BIT(PRIMITIVE) | RED_BIT(STRATEGY) | RED_BIT(OP) | RED_BIT(TYPE) | RED_BIT(N) | RED_BIT(KERNEL) |   \
     RED_BIT(ALL))

#define EXPERIMENT_OPTIONS (RED_BIT(REPORT) | RED_BIT(EXPECT))

/* What has a use where no array is spread over ranks. */
#define ONE_DEVICE_OPTIONS                                                                                   \
    (RED_BIT(BINS) | RED_LAUNCH_OPTIONS | RED_BIT(SHAPE) | RED_BIT(DATA) | RED_BIT(EXPORT) |                 \
     RED_BIT(REPORT) | RED_BIT(EXPECT) | RED_BIT(ACCURACY))

/* What ranks that have a device each can do without writing the same file. */
#define EACH_RANK_OPTIONS (ONE_DEVICE_OPTIONS & ~RED_BIT(EXPORT))

const struct red_verb red_verb_bench = {
    .name = "bench",
    .summary = "verifies, measures, compares, and answers in one sentence per device",
    .options = RED_BIT(DEVICE) | RED_OUTPUT_OPTIONS | RED_BIT(SEED) | RED_BIT(TIME_PER_CELL) |
               RED_BIT(RESUME) | RED_BIT(PATIENCE) | RED_BIT(DATA_SETS),
    .modes =
        (const struct red_mode[]){
            {RED_OPTION_RANKS, CHOOSING_OPTIONS | RED_BIT(RANK_COUNTS) | RED_BIT(SPLIT) | RED_BIT(SCALING) |
                                   RED_BIT(COLLECTIVE) | RED_BIT(EXPORT) | RED_BIT(REPORT)},
            {RED_OPTION_EACH, CHOOSING_OPTIONS | EACH_RANK_OPTIONS},
            {RED_OPTION_EXPERIMENTS, EXPERIMENT_OPTIONS},
            {RED_MODE_ALWAYS, CHOOSING_OPTIONS | ONE_DEVICE_OPTIONS}},
    .documentation =
        "Verifies and measures strategies side by side; the rows of the host, OpenMP and a plain loop, are "
        "always there to compare with. "
        "Times are times to answer: from the first enqueue until the result is in a host variable. Without "
        "--strategy it takes the ten that answer what 2.x buys over 1.x, and what is known to be fastest on "
        "such a device; with --all the whole catalogue. "
        "Lists of --wg, --groups and --lanes measure each geometry as a line of its own, of which recommend "
        "chooses.\n"
        "--ranks, under mpirun: spreads one array over the ranks, each with its device and its piece, and "
        "measures how fast 1, 2, 4, ... of them reduce it to one value, by which collective. --each: every "
        "rank measures its own device, and rank 0 writes one file of all.\n"
        "--experiments: the experiments of lectures and articles on reductions in OpenCL, within five "
        "minutes "
        "for each device.\v"
        "Example: clreduce bench --n 2^10..2^26:x4 --strategy 'tree,wg_*,chunk' --output result.json\n"
        "Example: clreduce bench --kernel mine.cl --type f32 --device intel\n"
        "Example: clreduce bench --shape segments:1048576x160 --op mean\n"
        "Example: clreduce bench --shape iterate:100 --n 2^20\n"
        "Example: clreduce bench --strategy chunk --groups 1..32 --n 2^20\n"
        "Example: clreduce bench --experiments --device intel --output experiments.json\n"
        "Example: mpirun -n 2 clreduce bench --ranks --output ranks.json\n"
        "Example: mpirun -n 16 clreduce bench --each --output fleet.json\n"
        "Example: clreduce bench --device pocl --export junit=report.xml --export "
        "google-benchmark=times.json",
    .run = run_bench,
};
