/* Opens the session of a verb: resolves names, lists devices in a worker, and reports what cannot be chosen
 * as an error that names the nearest valid choice, and ends the verb. The selection is the options as the
 * user gave them. bench, verify, devices and emit open a session; duel and `once` only resolve names. */
#include "run/session.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/select.h"
#include "core/text.h"
#include "model/bins.h"
#include "model/device_info.h"
#include "model/primitive.h"
#include "oracle/truth.h"
#include "worker/client.h"

/* ---- geometries ------------------------------------------------------------------------------------------
 * Of --wg, --groups and --lanes, every combination: one cell each of bench, duel and `once`, and values of
 * the covering array of verify. strategies --source and verify --show-data take the first one. */

static size_t one_at_least(size_t n) {
    return n ? n : 1;
}

size_t red_selection_tunings_n(const struct red_selection *selection) {
    return one_at_least(selection->wg.n) * one_at_least(selection->groups.n) *
           one_at_least(selection->lanes_n);
}

struct red_tuning red_selection_tuning(const struct red_selection *selection, size_t i) {
    struct red_tuning tuning = {.width = 0};
    if (selection->lanes_n > 0)
        tuning = selection->lanes[i % selection->lanes_n];
    i /= one_at_least(selection->lanes_n);
    if (selection->groups.n > 0)
        tuning.groups_n = selection->groups.values[i % selection->groups.n];
    i /= one_at_least(selection->groups.n);
    if (selection->wg.n > 0)
        tuning.group_size = (size_t)selection->wg.values[i];
    return tuning;
}

/* For recommend, report and compare. */
const enum red_primitive *red_selection_given_primitive(const struct red_selection *selection) {
    return selection->primitive_given ? &selection->primitive : NULL;
}

void red_run_begin(struct red_run *run, const struct red_selection *selection) {
    snprintf(run->command, sizeof run->command, "%s", selection->command);
    snprintf(run->version, sizeof run->version, "%s", CLREDUCE_VERSION);
    run->seed = selection->seed;
    red_run_set_primitive(run, selection->primitive);
    red_host_find(&run->host);
    red_clock_utc_now_format(run->started, sizeof run->started);
}

/* Each case of bench, verify, once and duel has so many. */
unsigned red_selected_bins_n(const struct red_selection *selection) {
    return selection->bins_n > 0 ? selection->bins_n : red_primitives[selection->primitive].bins_n;
}

/* For bench: of --shape, and of the shapes of experiments. */
enum red_status red_selection_take_segment_lengths(struct red_selection *selection, struct red_error *error) {
    const struct red_shape *shape = &selection->shape;
    struct red_sizes *sizes = &selection->n;
    *sizes = (struct red_sizes){.values = malloc(shape->rows_n * sizeof sizes->values[0])};
    if (sizes->values == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a list of sizes");
    for (; sizes->n < shape->rows_n; sizes->n++)
        sizes->values[sizes->n] = shape->rows[sizes->n].n;
    return RED_OK;
}

/* For emit and strategies --source. */
enum red_status red_selection_check_single_sizes(const struct red_selection *selection,
                                                 struct red_error *error) {
    const struct red_sizes *wg = &selection->wg, *n = &selection->n;
    if (wg->n > 1 || (wg->n == 1 && wg->values[0] == 0))
        return red_fail(error, RED_E_INPUT, "--wg: expected one group size from 1 on, such as 64");
    return n->n <= 1 ? RED_OK : red_fail(error, RED_E_INPUT, "--n: expected one size, such as 2^20");
}

/* ---- choosing ------------------------------------------------------------------------------------------ */

/* Fails for a name that the user gave, and that belongs to another primitive. */
static enum red_status fail_other_primitive(const char *name, enum red_primitive primitive,
                                            const struct red_selection *selection, struct red_error *error) {
    const char *own = red_primitive_names[selection->primitive];
    char ops[256], there_are[320] = "";
    red_primitive_ops_format(selection->primitive, ops, sizeof ops);
    if (red_op_find(name) != NULL)
        snprintf(there_are, sizeof there_are, "; of %s there are %s", own, ops);
    return red_fail(error, RED_E_INPUT, "%s is for primitive %s, and not for %s; add --primitive %s%s", name,
                    red_primitive_names[primitive], own, red_primitive_names[primitive], there_are);
}

/* Fills the error for a type that the primitive does not have. */
static enum red_status fail_other_type(const char *name, const struct red_selection *selection,
                                       struct red_error *error) {
    const struct red_primitive_row *row = &red_primitives[selection->primitive];
    return red_fail(error, RED_E_INPUT, "there are no %s of %s; --type takes %s", row->nouns, name,
                    row->types);
}

/* Refuses options that the primitive does not have, and data that are not timed. */
static enum red_status check_own_options(const struct red_selection *selection, struct red_error *error) {
    const enum red_primitive primitive = selection->primitive;
    const char *const *timed = red_primitives[primitive].timed_data;
    size_t timed_n = 0;
    while (timed_n < RED_TIMED_DATA_MAX && timed[timed_n] != NULL)
        timed_n++;
    enum red_status status =
        red_primitive_check_option(primitive, RED_OWN_OPTION_BINS, selection->bins_n > 0, error);
    if (status == RED_OK)
        status = red_primitive_check_option(primitive, RED_OWN_OPTION_DATA, selection->data != NULL, error);
    if (status == RED_OK)
        status = red_primitive_check_option(primitive, RED_OWN_OPTION_SHAPE,
                                            selection->shape.kind != RED_SHAPE_ARRAY, error);
    return status == RED_OK ? red_select_check("data", selection->data, timed, timed_n, error) : status;
}

/* For bench: a cell of each. */
unsigned red_selection_timed_data(const struct red_selection *selection, const struct red_op *op,
                                  const struct red_dtype *dtype,
                                  struct red_data_kind kinds[RED_TIMED_DATA_MAX]) {
    const char *const *timed = red_primitives[op->primitive].timed_data;
    unsigned n = 0;
    for (size_t i = 0; i < RED_TIMED_DATA_MAX && timed[i] != NULL; i++)
        if (red_select_matches(selection->data, timed[i]) &&
            red_data_kind_find(timed[i], op, dtype, 1, &kinds[n]))
            n++;
    if (timed[0] == NULL)
        kinds[n++] = (struct red_data_kind){RED_PATTERN_UNIFORM, 0};
    return n;
}

/* Resolves --type and --op, or the defaults of the verb, to the types and operations of the session. */
static enum red_status choose_types_and_ops(struct red_session *session,
                                            const struct red_session_defaults *defaults,
                                            struct red_error *error) {
    const struct red_selection *options = session->selection;
    const char *types = defaults->types, *ops = defaults->ops, *names[RED_CHOICE_MAX];
    red_catalogue_adapt_defaults(session->catalogue, options->primitive, &types, &ops);
    types = options->type != NULL ? options->type : types;
    ops = options->op != NULL ? options->op : ops;
    size_t ops_n = 0;
    const uint64_t own_types = red_primitive_types(options->primitive);
    size_t types_n = 0;
    for (size_t i = 0; i < red_dtypes_n; i++) {
        const char *name = red_dtypes[i].name;
        if (!(own_types >> i & 1)) {
            if (red_select_names(options->type, name))
                return fail_other_type(name, options, error);
            continue;
        }
        names[types_n++] = name;
        if (red_select_matches(types, name))
            session->types[session->types_n++] = &red_dtypes[i];
    }
    enum red_status status = red_select_check("type", types, names, types_n, error);
    if (status != RED_OK)
        return status;
    for (size_t i = 0; i < red_ops_n; i++) {
        if (red_ops[i].primitive == options->primitive) {
            names[ops_n++] = red_ops[i].name;
            if (red_select_matches(ops, red_ops[i].name))
                session->ops[session->ops_n++] = &red_ops[i];
        } else if (red_select_names(options->op, red_ops[i].name))
            return fail_other_primitive(red_ops[i].name, red_ops[i].primitive, options, error);
    }
    return red_select_check("operation", ops, names, ops_n, error);
}

/* *fits: whether the strategy is for --shape; another one is left out, but is an error where the user has
 * named it. */
static enum red_status decide_by_shape(const struct red_session *session, const struct red_strategy *strategy,
                                       bool *fits, struct red_error *error) {
    const struct red_selection *options = session->selection;
    bool segments = red_shape_has_segments(&options->shape);
    *fits = red_strategy_is_segmented(strategy) == segments;
    if (*fits || !(red_catalogue_is_added(session->catalogue, strategy) ||
                   red_select_names(options->strategy, strategy->name)))
        return RED_OK;
    return segments
               ? red_fail(error, RED_E_INPUT, "%s reduces one array: it cannot be compared over --shape %s",
                          strategy->name, options->shape.text)
               : red_fail(error, RED_E_INPUT,
                          "%s reduces segments: add for example --shape segments:1048576x160",
                          strategy->name);
}

/* Resolves --strategy, --kernel and --all, or the default of the verb. The rows of the host are not among
 * them.
 * */
static enum red_status choose_strategies(struct red_session *session,
                                         const struct red_session_defaults *defaults,
                                         struct red_error *error) {
    const struct red_selection *options = session->selection;
    bool segments = defaults->by_shape && red_shape_has_segments(&options->shape);
    const char *list = options->strategy          ? options->strategy
                       : options->all || segments ? NULL
                                                  : defaults->strategies;
    const char *names[RED_CHOICE_MAX] = {NULL};
    size_t n = red_catalogue_n(session->catalogue), names_n = 0;
    for (size_t i = 0; i < n; i++) {
        const struct red_strategy *strategy = red_catalogue_get(session->catalogue, i);
        if (strategy->text == NULL || strategy->primitive == options->primitive)
            names[names_n++] = strategy->name;
        else if (red_select_names(options->strategy, strategy->name) ||
                 red_catalogue_is_added(session->catalogue, strategy))
            return fail_other_primitive(strategy->name, strategy->primitive, options, error);
    }
    enum red_status status = red_select_check("strategy", options->strategy, names, names_n, error);
    bool added_only = defaults->kernels_alone && options->kernels_n > 0 && options->strategy == NULL;
    for (size_t i = 0; i < n && status == RED_OK; i++) {
        const struct red_strategy *strategy = red_catalogue_get(session->catalogue, i);
        bool added = red_catalogue_is_added(session->catalogue, strategy);
        const bool is_gpu_best = list != NULL && list == defaults->strategies && defaults->gpu_best != NULL &&
                                 strcmp(defaults->gpu_best, strategy->name) == 0;
        bool chosen = added || (!added_only && (is_gpu_best || red_select_matches(list, strategy->name)));
        if (is_gpu_best && chosen && !added) {
            session->gpu_best = strategy;
            session->gpu_left = red_catalogue_find(session->catalogue, defaults->gpu_left);
        }
        bool fits = strategy->primitive == options->primitive;
        if (strategy->text != NULL && chosen && fits && defaults->by_shape)
            status = decide_by_shape(session, strategy, &fits, error);
        if (strategy->text != NULL && chosen && fits)
            session->strategies[session->strategies_n++] = strategy;
    }
    return status;
}

/* ---- devices ------------------------------------------------------------------------------------------- */

/* --device host: no driver is loaded, and devices prints no "left out: ...". */
bool red_session_is_host_only(const struct red_session *session) {
    return session->selection->device != NULL && strcmp(session->selection->device, "host") == 0;
}

/* For bench: beside a device all rows of the host are there to compare with. */
bool red_session_takes_host_row(const struct red_session *session, const struct red_strategy *row) {
    return (session->devices_n > 0 && !session->names_host_rows) || session->selection->strategy == NULL ||
           red_select_matches(session->selection->strategy, row->name);
}

/* Refuses strategies and geometries where only the host is chosen, since the host runs no kernels. */
static enum red_status refuse_kernels_on_host_only(const struct red_session *session,
                                                   const struct red_session_defaults *defaults,
                                                   struct red_error *error) {
    const struct red_selection *o = session->selection;
    const struct {
        const char *name;
        bool given;
    } launches[] = {{"wg", o->wg.n > 0},
                    {"groups", o->groups.n > 0},
                    {"lanes", o->lanes_n > 0},
                    {defaults->kernel_option, defaults->kernel_option != NULL}};
    if (session->devices_n > 0)
        return RED_OK;
    if (o->kernels_n > 0 || (o->strategy != NULL && !red_select_matches(o->strategy, RED_HOST_STRATEGY) &&
                             !red_select_matches(o->strategy, RED_SEQUENTIAL_STRATEGY)))
        return red_fail(error, RED_E_INPUT,
                        "--device host runs the strategies openmp and sequential only; kernels need an "
                        "OpenCL device, see clreduce devices");
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++)
        if (launches[i].given)
            return red_fail(error, RED_E_INPUT,
                            "--%s has no effect with --device host, which runs no kernels; leave one of them "
                            "out",
                            launches[i].name);
    return RED_OK;
}

/* How this program starts itself as a worker: with the user's kernels and --patience. */
static void set_worker_program(struct red_session *session) {
    const struct red_selection *options = session->selection;
    size_t n = 0;
    session->arguments[n++] = "/proc/self/exe";
    session->arguments[n++] = "worker";
    for (size_t i = 0; i < options->kernels_n; i++) {
        session->arguments[n++] = "--kernel";
        session->arguments[n++] = options->kernels[i];
    }
    session->arguments[n] = NULL;
    session->program = (struct red_client_program){.arguments = session->arguments,
                                                   .patience_s = options->patience_s,
                                                   .trusts_what_builds = options->despite_probes};
}

/* Makes a client for each selected device, in the order of --device. Takes the process over, which has listed
 * the devices: it becomes the worker of the first one. */
static enum red_status create_device_clients(struct red_session *session, struct red_process *process,
                                             struct red_error *error) {
    size_t chosen[RED_DEVICES_MAX];
    const size_t chosen_n = red_device_info_select(session->infos, session->infos_n,
                                                   session->selection->device, chosen, RED_DEVICES_MAX);
    enum red_status status = RED_OK;
    for (size_t i = 0; i < chosen_n && status == RED_OK; i++) {
        status = red_client_create(&session->program, &session->infos[chosen[i]], process,
                                   &session->devices[session->devices_n], error);
        session->devices_n += session->devices[session->devices_n] != NULL;
        process = NULL;
    }
    red_process_destroy(process);
    return status;
}

/* Lists the devices. A driver that cannot be loaded is named on stderr and left out from then on (session->
 * isolation), and the others are listed. */
static enum red_status list_devices_isolating_bad_drivers(struct red_session *session,
                                                          struct red_process *process,
                                                          char no_device_lines[RED_NO_DEVICE_LINES_BYTES],
                                                          struct red_error *error) {
    struct red_error found = {.text = ""};
    enum red_status status = red_client_list_devices(&session->program, process, session->infos,
                                                     &session->infos_n, no_device_lines, &found);
    if (status == RED_E_CRASHED || status == RED_E_TIMED_OUT) {
        status = red_isolate_drivers(&session->program, &found, &session->isolation, error);
        return status == RED_OK ? red_client_list_devices(&session->program, process, session->infos,
                                                          &session->infos_n, no_device_lines, error)
                                : status;
    }
    return status == RED_OK ? RED_OK : red_fail(error, status, "%s", found.text);
}

/* Sets the error where no device was found, RED_E_NO_DEVICE. It advises to install a driver only if none is
 * installed. */
static enum red_status fail_no_device(const char *no_device_lines, struct red_error *error) {
    if (no_device_lines[0] != '\0' || red_icd_has_files())
        return red_fail(error, RED_E_NO_DEVICE,
                        "no OpenCL device found, though there are drivers: what is said above is why; "
                        "./bench/run sets up two others");
    return red_fail(
        error, RED_E_NO_DEVICE,
        "no OpenCL device found; install a driver (on Debian: apt-get install pocl-opencl-icd), or "
        "run ./bench/run, which sets up two");
}

/* Makes the host's client, lists the devices in a worker, and makes a client for each that --device selects.
 * Prints why platforms and drivers have none. */
static enum red_status create_clients(struct red_session *session, struct red_error *error) {
    struct red_process *process = NULL;
    char no_device_lines[RED_NO_DEVICE_LINES_BYTES] = "";
    set_worker_program(session);
    enum red_status status = red_client_create(&session->program, NULL, NULL, &session->host, error);
    if (status != RED_OK || red_session_is_host_only(session))
        return status;
    status = red_process_create(&session->program, &process, error);
    if (status == RED_OK)
        status = list_devices_isolating_bad_drivers(session, process, no_device_lines, error);
    if (status == RED_OK && session->infos_n == 0)
        status = fail_no_device(no_device_lines, error);
    if (status == RED_OK)
        status = red_device_info_check_patterns(session->infos, session->infos_n, session->selection->device,
                                                true, error);
    /* Who has asked for another device need not hear of it. */
    if (status != RED_OK || session->selection->device == NULL)
        red_text_print(stderr, "%s", no_device_lines);
    if (status == RED_E_NO_DEVICE || status == RED_E_INPUT)
        red_client_print_left_out(&session->program, stderr);
    if (status == RED_OK)
        return create_device_clients(session, process, error);
    red_process_destroy(process);
    return status;
}

/* Takes back the default for devices that are no CPU, where all are CPUs. */
static void drop_gpu_best_without_gpu(struct red_session *session) {
    size_t kept_n = 0, cpus_n = 0;
    for (size_t d = 0; d < session->devices_n; d++)
        cpus_n += red_client_info(session->devices[d])->shape.is_cpu;
    if (session->gpu_best == NULL || cpus_n < session->devices_n)
        return;
    for (size_t s = 0; s < session->strategies_n; s++)
        if (session->strategies[s] != session->gpu_best)
            session->strategies[kept_n++] = session->strategies[s];
    session->strategies_n = kept_n;
    session->gpu_best = session->gpu_left = NULL;
}

/* For the cells of bench. */
bool red_session_takes(const struct red_session *session, size_t d, const struct red_strategy *strategy,
                       const struct red_op *op, const struct red_dtype *dtype) {
    struct red_error error;
    if (session->gpu_best == NULL || (strategy != session->gpu_best && strategy != session->gpu_left))
        return true;
    struct red_client *client = session->devices[d];
    const bool runs_best =
        !red_client_info(client)->shape.is_cpu &&
        red_strategy_check_type_and_op(session->gpu_best, dtype, op, &error) == RED_OK &&
        red_client_check_support(client, session->gpu_best, dtype, op, 0, &error) == RED_OK;
    return runs_best == (strategy == session->gpu_best);
}

/* Refuses a number of --groups that no launch can have. */
static enum red_status check_group_counts(const struct red_session *session, struct red_error *error) {
    const struct red_sizes *groups = &session->selection->groups;
    for (size_t i = 0; i < groups->n; i++)
        if (groups->values[i] == 0 || groups->values[i] > RED_GROUPS_MAX)
            return red_fail(error, RED_E_INPUT, "--groups: no launch of %" PRIu64 " work-groups; 1 to %d",
                            groups->values[i], RED_GROUPS_MAX);
    return RED_OK;
}

/* For the devices of this session, of duel (gate/duel.c) and of `once`. */
enum red_status red_session_check_group_sizes(const struct red_session *session, size_t max,
                                              struct red_error *error) {
    const struct red_sizes *wg = &session->selection->wg;
    for (size_t i = 0; i < wg->n; i++)
        if (wg->values[i] == 0 || wg->values[i] > max)
            return red_fail(error, RED_E_INPUT,
                            "--wg: no work-group of %" PRIu64
                            " work-items; the selected devices take 1 to %zu",
                            wg->values[i], max);
    return RED_OK;
}

/* A group size that no selected device takes is a mistake; one that some take is a state of the others'
 * cells. */
static enum red_status check_group_sizes_by_devices(const struct red_session *session,
                                                    struct red_error *error) {
    size_t max = 0;
    for (size_t d = 0; d < session->devices_n; d++)
        if (red_client_info(session->devices[d])->shape.group_size_max > max)
            max = red_client_info(session->devices[d])->shape.group_size_max;
    return session->devices_n > 0 ? red_session_check_group_sizes(session, max, error) : RED_OK;
}

/* Warns of each line of the register whose strategy does not exist: a misspelling, or a kernel that was not
 * added. */
static void warn_of_unknown_strategies(const struct red_session *session) {
    const char *names[RED_CHOICE_MAX];
    size_t n = red_catalogue_n(session->catalogue);
    for (size_t s = 0; s < n && s < RED_CHOICE_MAX; s++)
        names[s] = red_catalogue_get(session->catalogue, s)->name;
    for (size_t i = 0; i < session->known_failures.n; i++) {
        const struct red_known_failure *row = &session->known_failures.rows[i];
        struct red_error found;
        if (red_known_failure_needs(row) == NULL &&
            red_select_check("strategy", row->strategy, names, n, &found) != RED_OK)
            red_text_print(stderr, "%s:%u: %.*s: that has no effect\n", row->file, row->line,
                           (int)strcspn(found.text, ";."), found.text);
    }
}

/* Also called alone, by duel and `once`. */
enum red_status red_session_resolve_names(const struct red_selection *selection,
                                          const struct red_session_defaults *defaults,
                                          struct red_session *session, struct red_error *error) {
    *session = (struct red_session){.selection = selection};
    enum red_status status = red_catalogue_create(&session->catalogue, error);
    for (size_t i = 0; i < selection->kernels_n && status == RED_OK; i++)
        status =
            red_catalogue_add_file(session->catalogue, selection->kernels[i], defaults->kernels_alone, error);
    if (status == RED_OK && selection->expect != NULL)
        status = red_known_failures_load(selection->expect, &session->known_failures, error);
    if (status == RED_OK)
        warn_of_unknown_strategies(session);
    if (status == RED_OK)
        status = check_own_options(selection, error);
    if (status == RED_OK)
        status = choose_types_and_ops(session, defaults, error);
    if (status == RED_OK)
        status = choose_strategies(session, defaults, error);
    if (status == RED_OK)
        status = check_group_counts(session, error);
    if (status != RED_OK)
        red_session_close(session);
    return status;
}

/* For each experiment of bench --experiments. */
enum red_status red_session_make_part(const struct red_session *session,
                                      const struct red_selection *selection,
                                      const struct red_session_defaults *defaults, struct red_session *part,
                                      struct red_error *error) {
    *part = *session;
    part->selection = selection;
    part->strategies_n = part->types_n = part->ops_n = 0;
    part->gpu_best = part->gpu_left = NULL;
    part->names_host_rows = true;
    const enum red_status status = choose_types_and_ops(part, defaults, error);
    return status == RED_OK ? choose_strategies(part, defaults, error) : status;
}

enum red_status red_session_open(const struct red_selection *selection,
                                 const struct red_session_defaults *defaults, struct red_session *session,
                                 struct red_error *error) {
    enum red_status status = red_session_resolve_names(selection, defaults, session, error);
    if (status != RED_OK)
        return status;
    status = create_clients(session, error);
    if (status == RED_OK)
        status = refuse_kernels_on_host_only(session, defaults, error);
    if (status == RED_OK)
        drop_gpu_best_without_gpu(session);
    if (status == RED_OK)
        status = check_group_sizes_by_devices(session, error);
    if (status != RED_OK)
        red_session_close(session);
    return status;
}

/* For verify. */
void red_session_probe(const struct red_session *session, size_t d) {
    const struct red_choice choice = {.strategies = session->strategies,
                                      .types = session->types,
                                      .ops = session->ops,
                                      .strategies_n = session->strategies_n,
                                      .types_n = session->types_n,
                                      .ops_n = session->ops_n};
    red_clients_probe(&session->devices[d], 1, &choice);
    red_client_stop_probers(session->devices[d]);
}

void red_session_close(struct red_session *session) {
    for (size_t i = 0; i < session->devices_n; i++)
        red_client_begin_closing(session->devices[i]);
    for (size_t i = 0; i < session->devices_n; i++)
        red_client_destroy(session->devices[i]);
    red_client_destroy(session->host);
    red_known_failures_clear(&session->known_failures);
    red_isolation_clear(&session->isolation);
    red_catalogue_destroy(session->catalogue);
    session->devices_n = 0;
    session->host = NULL;
    session->catalogue = NULL;
}

/* For bench and verify: the state known-bug; and for the tables of --accuracy and --special, whose exit
 * status it decides. */
struct red_known_failure *red_session_known_failure(const struct red_session *session, size_t d,
                                                    const struct red_strategy *strategy,
                                                    const struct red_op *op, const struct red_dtype *dtype,
                                                    uint64_t n, size_t group_size) {
    const struct red_known_failure_cell cell = {.device = red_client_info(session->devices[d]),
                                                .strategy = strategy,
                                                .op = op,
                                                .dtype = dtype,
                                                .n = n,
                                                .group_size = group_size};
    return red_known_failures_find(&session->known_failures, &cell);
}

/* For the tables of --accuracy and --special: known-bug. */
bool red_session_must_skip(const struct red_session *session, size_t d, const struct red_strategy *strategy,
                           const struct red_op *op, const struct red_dtype *dtype, uint64_t n) {
    size_t group_size =
        red_geometry_default_group_size(strategy, &red_client_info(session->devices[d])->shape);
    const struct red_known_failure *known =
        red_session_known_failure(session, d, strategy, op, dtype, n, group_size);
    return known != NULL && known->skip;
}

/* ---- data ---------------------------------------------------------------------------------------------- */

/* Three data sets, so that a result left over from either of the last two calls is seen to be wrong; two of
 * segments that are computed, for the last call. */
unsigned red_session_arrays_n(const struct red_session *session) {
    const struct red_shape *shape = &session->selection->shape;
    return red_shape_repeats(shape) ? 3 : shape->kind == RED_SHAPE_COMPUTED ? 2 : 1;
}

/* What a run over that shape holds in the host's memory for n elements (of each segment): of computed ones
 * only the right answers. */
static double held_bytes(const struct red_shape *shape, const struct red_op *op,
                         const struct red_dtype *dtype, uint64_t n) {
    const uint64_t segments_n = red_shape_segments_n(shape, n);
    return shape->kind == RED_SHAPE_COMPUTED
               ? (double)segments_n * red_segment_truth_bytes() + red_data_bytes(dtype, op, n)
               : red_data_bytes(dtype, op, n * segments_n);
}

/* Adds to *all the bytes of all data of the session, and makes *largest those of the largest if that is
 * larger. Fails for data that have no room alone. */
static enum red_status add_data_bytes(const struct red_session *session, double *all, double *largest,
                                      struct red_error *error) {
    const struct red_sizes *sizes = &session->selection->n;
    const double room = red_data_room_bytes();
    struct red_data_kind kinds[RED_TIMED_DATA_MAX];
    for (size_t o = 0; o < session->ops_n; o++) {
        for (size_t t = 0; t < session->types_n; t++) {
            for (size_t i = 0; i < sizes->n; i++) {
                const struct red_shape *shape = &session->selection->shape;
                double bytes = held_bytes(shape, session->ops[o], session->types[t], sizes->values[i]);
                enum red_status status = RED_OK;
                if (!red_shape_has_segments(shape))
                    status = red_data_check_room(session->types[t], session->ops[o], sizes->values[i], error);
                else if (bytes > room)
                    status = red_fail(
                        error, RED_E_MEMORY,
                        "--shape %s of %s needs %.1f GiB of host memory, and %.1f are free; "
                        "choose fewer or shorter segments%s",
                        shape->text, session->types[t]->name, bytes / (1 << 30), room / (1 << 30),
                        shape->kind == RED_SHAPE_SEGMENTS ? ", or computed:... in place of segments:..."
                                                          : "");
                if (status != RED_OK)
                    return status;
                /* of changed: and the array in which the elements of each are stored */
                *all +=
                    bytes * (red_session_arrays_n(session) + (shape->kind == RED_SHAPE_CHANGED)) *
                    red_selection_timed_data(session->selection, session->ops[o], session->types[t], kinds);
                *largest = fmax(*largest, bytes);
            }
        }
    }
    return RED_OK;
}

/* For bench (all_kept) and verify, before they begin. */
enum red_status red_session_check_memory(const struct red_session *const *sessions, size_t sessions_n,
                                         bool all_kept, struct red_error *error) {
    double all = 0, largest = 0, room = red_data_room_bytes();
    for (size_t i = 0; i < sessions_n; i++) {
        const enum red_status status = add_data_bytes(sessions[i], &all, &largest, error);
        if (status != RED_OK)
            return status;
    }
    all = (1 + (double)sessions[0]->devices_n) * (all + largest);
    return !all_kept || all <= room
               ? RED_OK
               : red_fail(
                     error, RED_E_MEMORY,
                     "all sizes, types and operations together need %.1f GiB of host memory, and %.1f are "
                     "free; choose fewer at a time",
                     all / (1 << 30), room / (1 << 30));
}

/* ---- verifying -------------------------------------------------------------------------------------------
 * Verifies a case on one data set, and chooses the data sets: no verb times a wrong result. */

/* For bench, duel and verify; the error is state and reason. */
enum red_status red_case_require_right(struct red_client *client, const struct red_case *spec,
                                       bool timed_only, double expected_s,
                                       struct red_verification *verification, struct red_error *error) {
    enum red_status status = red_client_verify(client, spec, timed_only, expected_s, verification, error);
    if (status != RED_OK)
        *verification = (struct red_verification){.right = false};
    if (status != RED_OK || verification->right)
        return status;
    char text[RED_EVIDENCE_BYTES];
    red_evidence_format(&verification->evidence, text, sizeof text);
    return red_fail(error, RED_E_WRONG, "%s", text);
}

/* Which exact data kind set i has, i > 0: kinds at equal distances, the first of them drawn by the seed. Set
 * 0 always has kind 0. */
static unsigned other_kind_index(uint64_t seed, unsigned kinds_n, unsigned taken_n, unsigned i) {
    const unsigned others_n = kinds_n - 1, stride = others_n / (taken_n - 1);
    return 1 + ((unsigned)(seed % others_n) + (i - 1) * stride) % others_n;
}

/* For bench and duel; how many is data_sets of `accuracy` in the result file. */
unsigned red_selection_data_kinds(const struct red_selection *selection, const struct red_op *op,
                                  const struct red_dtype *dtype, uint64_t n,
                                  struct red_data_kind kinds[RED_DATA_SETS_MAX + 1]) {
    const bool is_computed = selection->shape.kind == RED_SHAPE_COMPUTED; /* weights and uniform alone */
    const unsigned most = selection->data_sets ? selection->data_sets : RED_DATA_SETS_MAX,
                   kinds_n = is_computed ? 1 : red_exact_data_kinds_n(op, dtype, n),
                   taken_n = kinds_n < most ? kinds_n : most;
    for (unsigned i = 0; i < taken_n; i++)
        kinds[i] = red_exact_data_kind(op, dtype, n,
                                       i == 0 ? 0 : other_kind_index(selection->seed, kinds_n, taken_n, i));
    kinds[taken_n] = (struct red_data_kind){RED_PATTERN_UNIFORM, 0};
    return taken_n + 1;
}
