/* The verb `once`: one call of each chosen cell in this process itself, for tools that watch one:
 * simulators, profilers, debuggers. All other verbs leave drivers to workers (worker/client.h), which such
 * tools do not see. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "core/text.h"
#include "model/primitive.h"
#include "run/session.h"
#include "worker/prepared.h"

enum { N_DEFAULT = 1000 };

/* ---- the device ---------------------------------------------------------------------------------------- */

/* Opens the device that --device (patterns) chooses; more than one, or none, is an error that lists them. */
static enum red_status open_only_device(const struct red_device_list *list, const char *patterns,
                                        struct red_device **device, struct red_error *error) {
    size_t chosen[2];
    const size_t n = red_device_list_n(list), chosen_n = red_device_list_select(list, patterns, chosen, 2);
    char ids[256] = "";
    for (size_t i = 0; i < n; i++)
        red_text_add(ids, sizeof ids, "%s%s", i > 0 ? ", " : "", red_device_list_info(list, i)->id);
    if (n == 0) {
        red_text_print(stderr, "%s", red_device_list_no_device_lines(list));
        return red_fail(error, RED_E_NO_DEVICE, "no OpenCL device found");
    }
    enum red_status status = red_device_list_check_patterns(list, patterns, error);
    if (status == RED_OK && chosen_n == 1)
        return red_device_open(list, chosen[0], device, error);
    return status != RED_OK
               ? status
               : red_fail(error, RED_E_INPUT,
                          "once works with one device: choose it with --device; there are %s", ids);
}

/* ---- one cell ------------------------------------------------------------------------------------------ */

/* What a tool prints between these two lines is about the call's own launches: probes and checks launch
 * kernels, too. A wrong answer is no error here: poison_call_and_check finds it. */
static enum red_status call_between_lines(struct red_prepared *prepared, struct red_error *error) {
    const struct red_geometry *geometry = red_plan_geometry(prepared->plan);
    printf("once: begin, %" PRIu64 " x %zu work-items\n", geometry->groups_n, geometry->group_size);
    fflush(stdout);
    int code = red_prepared_call(prepared);
    puts("once: end");
    fflush(stdout);
    /* What else a kernel that answers wrongly has done is looked at first. */
    return code == 0 || prepared->error.status == RED_E_WRONG
               ? RED_OK
               : red_fail(error, prepared->error.status, "%s", prepared->error.text);
}

/* Poisons the outputs, calls, and checks the inputs, which are restored, and the result: what a kernel does
 * not write is wrong then. By the poison that is no answer of weights (model/input.c). */
static enum red_status poison_call_and_check(struct red_prepared *prepared, struct red_error *error) {
    const struct red_data_spec *data = &prepared->spec.data;
    enum red_status status =
        red_plan_poison(prepared->plan, red_op_accumulator_poison_byte(data->op, data->dtype, true), error);
    if (status == RED_OK)
        status = call_between_lines(prepared, error);
    if (status == RED_OK)
        status = red_resident_check_and_restore(prepared->data[0]->resident, error);
    return status == RED_OK ? red_prepared_check(prepared, NULL, error) : status;
}

/* Prepares one cell, calls it once and checks it; prints "once: cell ..." before and behind how it ended,
 * "once: pass". */
static enum red_status run_cell(struct red_dataset *dataset, struct red_device *device,
                                const struct red_strategy *strategy, const struct red_tuning *tuning,
                                struct red_error *error) {
    const struct red_data_spec *data = &dataset->spec;
    const struct red_case spec = red_case_make(data, strategy, tuning);
    struct red_prepared prepared;
    char text[96];
    printf("once: cell %s %s %s n=%" PRIu64, strategy->name, data->op->name, data->dtype->name, data->n);
    if (data->segments_n > 1)
        printf(" segments=%" PRIu64, data->segments_n);
    if (data->bins_n > 0)
        printf(" bins=%u", data->bins_n);
    red_tuning_format(tuning, (struct red_tuning_words){" wg=%s", " groups=%s", " lanes=%s"}, text,
                      sizeof text);
    puts(text);
    fflush(stdout);
    enum red_status status = red_prepared_make(&spec, device, &dataset, &prepared, error);
    if (status == RED_OK)
        status = poison_call_and_check(&prepared, error);
    red_prepared_clear(&prepared);
    if (status == RED_OK)
        puts("once: pass");
    else
        printf("once: %s: %s\n", red_state_name(red_state_of(status)), error->text);
    return status;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

/* How the cells ended. The exit status is that of the worst, whose error is kept. */
struct cell_outcomes {
    size_t passed_n, unsupported_n;
    struct red_worst worst;
    struct red_error error;
};

/* Adds how a cell ended. That it cannot run is no error, unless none can. */
static void add_outcome(struct cell_outcomes *outcomes, enum red_status status,
                        const struct red_error *error) {
    outcomes->passed_n += status == RED_OK;
    outcomes->unsupported_n += status == RED_E_UNSUPPORTED;
    if (red_worst_add(&outcomes->worst, status == RED_E_UNSUPPORTED ? RED_OK : status, 0))
        outcomes->error = *error;
}

/* Runs every strategy and geometry over the same data. How a cell ended goes into *outcomes, and is no error
 * here. */
static enum red_status run_cells_of_data(const struct red_session *session, struct red_device *device,
                                         const struct red_data_spec *spec, struct cell_outcomes *outcomes,
                                         struct red_error *error) {
    const struct red_selection *options = session->selection;
    struct red_dataset dataset;
    enum red_status status = red_dataset_make(spec, &dataset, error);
    if (status != RED_OK)
        return status;
    for (size_t s = 0; s < session->strategies_n; s++) {
        for (size_t i = 0; i < red_selection_tunings_n(options); i++) {
            const struct red_tuning tuning = red_selection_tuning(options, i);
            struct red_error found = {.text = ""};
            add_outcome(outcomes, run_cell(&dataset, device, session->strategies[s], &tuning, &found),
                        &found);
        }
    }
    red_dataset_clear(&dataset);
    return RED_OK;
}

/* Runs every type, operation and n that the options choose; each has its data made once. Errors:
 * those of making data, not those of cells. */
static enum red_status run_all_cells(const struct red_session *session, struct red_device *device,
                                     struct cell_outcomes *outcomes, struct red_error *error) {
    const struct red_selection *options = session->selection;
    const struct red_shape *shape = &options->shape;
    bool segments = red_shape_has_segments(shape);
    size_t sizes_n = segments ? shape->rows_n : options->n.n ? options->n.n : 1;
    enum red_status status = RED_OK;
    for (size_t t = 0; t < session->types_n; t++) {
        for (size_t o = 0; o < session->ops_n; o++) {
            for (size_t i = 0; i < sizes_n && status == RED_OK; i++) {
                uint64_t n = segments ? shape->rows[i].n : options->n.n ? options->n.values[i] : N_DEFAULT;
                struct red_data_spec spec = red_data_spec_make(
                    session->ops[o], session->types[t],
                    red_exact_data_kind(session->ops[o], session->types[t], n, 0), n, options->seed);
                spec.segments_n = red_shape_segments_n(shape, n);
                spec.bins_n = red_selected_bins_n(options);
                spec.making = shape->kind == RED_SHAPE_COMPUTED ? RED_MADE_IN_KERNEL : RED_MADE_BY_PATTERN;
                status = run_cells_of_data(session, device, &spec, outcomes, error);
            }
        }
    }
    return status;
}

/* Refuses the host, which runs no kernels, and shapes of several calls. */
static enum red_status refuse_what_once_lacks(const struct red_selection *selection,
                                              struct red_error *error) {
    if (red_shape_repeats(&selection->shape))
        return red_fail(error, RED_E_INPUT,
                        "once reduces one array once, and --shape %s many in turn: take bench, or leave out "
                        "--shape",
                        selection->shape.text);
    if (selection->device != NULL && strcmp(selection->device, "host") == 0)
        return red_fail(error, RED_E_INPUT,
                        "once calls kernels, and --device host runs none: choose an OpenCL device, see "
                        "clreduce devices");
    return RED_OK;
}

static enum red_status run_once(const struct red_options *options, struct red_error *error) {
    const struct red_session_defaults defaults = {.types = "f32",
                                                  .ops = red_primitives[options->selection.primitive].op,
                                                  .kernels_alone = true,
                                                  .by_shape = true};
    struct red_session session;
    struct red_device_list *list = NULL;
    struct red_device *device = NULL;
    struct cell_outcomes outcomes = {.passed_n = 0};
    enum red_status status = refuse_what_once_lacks(&options->selection, error);
    if (status != RED_OK)
        return status;
    signal(SIGINT, SIG_DFL); /* there is nothing to put in order, and the driver may be at work */
    signal(SIGTERM, SIG_DFL);
    status = red_session_resolve_names(&options->selection, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    fputs("once: the driver is called in this process: where it crashes, exits or hangs, so does clreduce\n",
          stderr);
    status = session.strategies_n > 0 ? red_device_list_create(&list, error)
                                      : red_fail(error, RED_E_INPUT, "--strategy '%s' names no kernel",
                                                 options->selection.strategy);
    if (status == RED_OK)
        status = open_only_device(list, options->selection.device, &device, error);
    if (status == RED_OK)
        status =
            red_session_check_group_sizes(&session, red_device_info(device)->shape.group_size_max, error);
    if (status == RED_OK)
        status = run_all_cells(&session, device, &outcomes, error);
    red_device_close(device);
    red_device_list_destroy(list);
    red_session_close(&session);
    if (status == RED_OK && outcomes.worst.status != RED_OK)
        return red_fail(error, outcomes.worst.status, "%s", outcomes.error.text);
    if (status == RED_OK && outcomes.passed_n == 0)
        return red_fail(error, RED_E_UNSUPPORTED, "nothing could run: %zu cells are unsupported here",
                        outcomes.unsupported_n);
    return status;
}

const struct red_verb red_verb_once = {
    .name = "once",
    .summary = "calls each chosen cell once, in this process: for simulators, profilers, debuggers",
    .options = RED_SELECTION_OPTIONS | RED_LAUNCH_OPTIONS | RED_BIT(N) | RED_BIT(SHAPE) | RED_BIT(KERNEL) |
               RED_BIT(SEED),
    .documentation =
        "Calls each chosen cell once, in this very process, and checks the result, for tools that watch a "
        "process: what they print about the call's own launches stands between the lines 'once: begin' and "
        "'once: end'. Where the driver crashes, exits or hangs, so does this. Works with one device. Without "
        "options it takes the whole catalogue, sum of f32, n = 1000. Exit status 2 if anything is wrong.\v"
        "Example: clreduce once --device pocl --strategy tree\n"
        "Example: oclgrind --inst-counts --num-threads 1 clreduce once --strategy tree --n 4001 --wg 32",
    .run = run_once,
};
