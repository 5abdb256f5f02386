#define _GNU_SOURCE /* vasprintf, strdup, open_memstream */
/* Keeps every check that is not right, of which the screen shows a few: for the file of --format json
 * (results/verify_file.h) and for --export junit. verify/verify.c and verify/tally.c call all public
 * functions, under the lock of the device's checks. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/text.h"
#include "export/export.h"
#include "model/primitive.h"
#include "results/again.h"
#include "results/json.h"
#include "verify/private.h"

/* Where the JSON goes, NULL: nowhere. As of bench, --output names it, unless --format asks for a table of
 * counts there. */
static const char *json_path(const struct red_output *output) {
    const bool is_file = output->path != NULL && strcmp(output->path, "-") != 0;
    return output->format == RED_FORMAT_JSON               ? (output->path ? output->path : "-")
           : output->format == RED_FORMAT_TABLE && is_file ? output->path
                                                           : NULL;
}

/* Whether somebody has asked for all checks that are not right: of `bench --kernel` there is no output. */
static bool is_asked_for(const struct red_verify *verify) {
    if (verify->options->found != NULL)
        return true;
    return verify->output != NULL && (json_path(verify->output) != NULL || verify->output->exports_n > 0);
}

/* What the command line asks for that a command to make a check again must ask for, too. */
static struct red_verify_asked asked_of(const struct red_selection *selection) {
    return (struct red_verify_asked){.all = selection->all,
                                     .despite_probes = selection->despite_probes,
                                     .time_per_cell_s = selection->time_per_cell_s,
                                     .patience_s = selection->patience_s};
}

enum red_status red_evidence_begin(struct red_verify *verify, struct red_error *error) {
    const struct red_session *session = verify->session;
    if (!is_asked_for(verify))
        return RED_OK;
    struct red_verify_file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for verifying");
    enum red_status status = red_verify_file_create(session->devices_n, file, error);
    struct red_run *run = &file->result.run;
    for (size_t d = 0; d < session->devices_n && status == RED_OK; d++) {
        struct red_verify_device *device = &file->devices[d];
        run->devices[d].info = *red_client_info(session->devices[d]);
        device->strategies = calloc(session->strategies_n + 1, sizeof *device->strategies);
        if (device->strategies == NULL)
            status = red_fail(error, RED_E_MEMORY, "no memory for verifying");
        while (status == RED_OK && device->strategies_n < session->strategies_n) {
            struct red_verify_strategy *strategy = &device->strategies[device->strategies_n];
            strategy->unsupported_because = json_array();
            strategy->strategy = session->strategies[device->strategies_n++];
        }
    }
    verify->file = file;
    file->asked = asked_of(session->selection);
    red_run_begin(run, session->selection);
    if (status != RED_OK)
        red_evidence_end(verify);
    return status;
}

void red_evidence_end(struct red_verify *verify) {
    if (verify->file == NULL)
        return;
    if (verify->options->found != NULL)
        *verify->options->found = *verify->file;
    else
        red_verify_file_clear(verify->file);
    free(verify->file);
    verify->file = NULL;
}

/* ---- a check ------------------------------------------------------------------------------------------- */

/* The geometry of the check, as its plan chooses it. False where it has none. */
static bool choose_geometry(const struct red_device_checks *checks, const struct red_check *check,
                            struct red_geometry *geometry) {
    const struct red_device_info *info = red_client_info(checks->verify->session->devices[checks->d]);
    return red_geometry_choose_segments(check->strategy, check->op, check->dtype, &info->shape,
                                        &check->tuning, check->n, check->segments_n, geometry,
                                        NULL) == RED_OK;
}

/* Fills in which check it is; its kernel's path is the caller's to free. */
static void describe_check(const struct red_device_checks *checks, const struct red_check *check,
                           struct red_verify_check *made) {
    struct red_client *client = red_client_of_check(checks, check);
    enum red_c_standard standard;
    *made = (struct red_verify_check){.at = {.device = red_client_info(client)->id,
                                             .strategy = check->strategy,
                                             .op = check->op,
                                             .dtype = check->dtype,
                                             .bins_n = check->bins_n,
                                             .asked = check->tuning,
                                             .n = check->n},
                                      .segments_n = check->segments_n,
                                      .prefixes_n = check->prefixes_n,
                                      .stress_s = check->stress_s,
                                      .data_seed = checks->verify->session->selection->seed};
    snprintf(
        made->at.shape, sizeof made->at.shape, "%s",
        red_shape_names[red_strategy_is_segmented(check->strategy) ? RED_SHAPE_SEGMENTS : RED_SHAPE_ARRAY]);
    red_data_kind_format(check->data_kind, check->op, check->dtype, check->n, made->at.data,
                         sizeof made->at.data);
    if (!choose_geometry(checks, check, &made->geometry))
        made->geometry = (struct red_geometry){.group_size = 0};
    made->takes_groups = red_geometry_takes_groups(check->strategy);
    if (red_catalogue_is_added(checks->verify->session->catalogue, check->strategy) &&
        (made->kernel = strdup(check->strategy->path)) == NULL)
        red_memory_note_failure();
    if (red_capability_choose_standard(red_client_info(client), red_client_capabilities(client),
                                       check->strategy, check->dtype, check->op, check->tuning.group_size,
                                       &standard, NULL) == RED_OK)
        snprintf(made->standard, sizeof made->standard, "%s", red_c_standard_name(standard));
}

/* The command that makes it again; NULL without memory. */
static char *command_of(const struct red_device_checks *checks, const struct red_verify_check *made) {
    const struct red_selection *selection = checks->verify->session->selection;
    const struct red_verify_asked asked = asked_of(selection);
    const struct red_again_place place = {
        .program = selection->program, .device = checks->id, .asked = &asked};
    return red_again_command(&place, made);
}

/* "again: ..." below the first line about a strategy that failed. */
char *red_evidence_command(const struct red_device_checks *checks, const struct red_check *check) {
    struct red_verify_check made;
    describe_check(checks, check, &made);
    char *text = command_of(checks, &made);
    free(made.kernel);
    return text;
}

void red_evidence_add(struct red_device_checks *checks, const struct red_check *check, enum red_state state,
                      const char *text, const struct red_evidence *evidence) {
    struct red_verify *verify = checks->verify;
    struct red_verify_check made;
    if (verify->file == NULL)
        return;
    describe_check(checks, check, &made);
    made.state = state;
    if (state == RED_STATE_KNOWN_BUG) {
        const struct red_known_failure *known = red_check_known_failure(checks, check);
        made.known_bug = known->skip ? RED_STATE_PENDING : known->state;
    }
    if (evidence != NULL)
        made.evidence = *evidence;
    made.reason = strdup(text);
    made.again = command_of(checks, &made);
    if (made.reason == NULL || made.again == NULL)
        red_memory_note_failure();
    if (red_verify_file_add(&verify->file->devices[checks->d], &made, NULL) != RED_OK)
        verify->lost_checks = true;
}

void red_evidence_add_refusals(struct red_device_checks *checks) {
    const struct red_session *session = checks->verify->session;
    const struct red_refusals *refusals = &checks->plan.refusals;
    if (checks->verify->file == NULL)
        return;
    struct red_verify_strategy *strategies = checks->verify->file->devices[checks->d].strategies;
    for (size_t s = 0; s < session->strategies_n; s++)
        for (size_t i = 0; i < refusals->reasons_n; i++)
            if (refusals->reasons[i].strategy == session->strategies[s])
                json_array_append_new(strategies[s].unsupported_because,
                                      red_json_any_text(refusals->reasons[i].reason));
}

/* ---- the file ------------------------------------------------------------------------------------------ */

/* Fills in how the checks of each strategy ended on the session's device d. */
static void count_checks(struct red_verify *verify, size_t d) {
    const struct red_session *session = verify->session;
    for (size_t s = 0; s < session->strategies_n; s++) {
        const struct red_tally *tally = &verify->tallies[d][s];
        struct red_verify_strategy *strategy = &verify->file->devices[d].strategies[s];
        strategy->planned_n = tally->planned_n;
        for (int state = 0; state < RED_STATES_N; state++)
            strategy->counts[state] = tally->happened[state];
        strategy->counts[RED_STATE_UNSUPPORTED] += tally->refused_n;
        strategy->counts[RED_STATE_PENDING] += red_tally_pending_n(tally);
        strategy->idle_n = tally->idle_n;
        strategy->stress_calls_n = tally->stress_calls_n;
        strategy->levels_n = tally->levels_n;
        strategy->levels_left_n = tally->levels_left_n;
        memcpy(strategy->unchecked, tally->unchecked, sizeof strategy->unchecked);
        if (tally->planned_n > 0)
            red_special_unpromised_format(session, d, session->strategies[s], strategy->not_promised,
                                          sizeof strategy->not_promised);
    }
    verify->file->result.run.devices[d].capabilities = red_client_capabilities(session->devices[d]);
}

/* ---- --export junit --------------------------------------------------------------------------------------
 * A test for each check that is not right, and one for all right ones of a strategy, operation and type:
 * viewers do not bear a test per check, of which there are thousands. */

/* A report in the making; the texts of its cells are owned. */
struct check_report {
    struct red_export_cell *cells;
    char **texts;
    size_t cells_n, texts_n;
    bool whole; /* there was memory for all */
};

/* Adds a cell, and takes over its name and its details. */
static void add_cell(struct check_report *report, struct red_export_cell cell, char *name, char *details) {
    report->texts[report->texts_n++] = name;
    report->texts[report->texts_n++] = details;
    report->whole = report->whole && name != NULL && details != NULL;
    cell.name = name;
    cell.details = details;
    cell.untimed = true;
    report->cells[report->cells_n++] = cell;
}

/* The text, which the caller frees; NULL without memory. */
__attribute__((format(printf, 1, 2))) static char *formatted(const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return text;
}

/* Adds what of the session's strategy s is right on device d, what cannot run, and what was not reached. */
static void add_cells_of_strategy(const struct red_verify *verify, size_t d, size_t s,
                                  struct check_report *report) {
    const struct red_session *session = verify->session;
    const struct red_tally *tally = &verify->tallies[d][s];
    const struct red_verify_strategy *strategy = &verify->file->devices[d].strategies[s];
    const char *id = verify->file->result.run.devices[d].info.id;
    struct red_export_cell cell = {.device = id, .strategy = strategy->strategy->name, .op = "", .type = ""};
    struct red_at at = {.device = id, .strategy = strategy->strategy};
    char name[RED_AT_NAME_BYTES];
    for (size_t t = 0; t < session->types_n; t++) {
        for (size_t o = 0; o < session->ops_n; o++) {
            const unsigned right_n =
                tally->right_n[session->types[t] - red_dtypes][session->ops[o] - red_ops];
            cell.state = RED_STATE_PASS;
            if (right_n == 0)
                continue;
            at.op = session->ops[o];
            at.dtype = session->types[t];
            red_at_name(&at, RED_AT(DEVICE) | RED_AT(STRATEGY) | RED_AT(OP) | RED_AT(TYPE), name,
                        sizeof name);
            add_cell(report, cell, formatted("%s/right", name), formatted("%u checks are right", right_n));
        }
    }
    red_at_name(&at, RED_AT(DEVICE) | RED_AT(STRATEGY), name, sizeof name);
    for (size_t i = 0; i < json_array_size(strategy->unsupported_because); i++) {
        cell.state = RED_STATE_UNSUPPORTED;
        cell.reason = json_string_value(json_array_get(strategy->unsupported_because, i));
        add_cell(report, cell, formatted("%s/unsupported/%zu", name, i + 1), strdup(""));
    }
    cell.state = RED_STATE_PENDING;
    cell.reason = "the run ended before all checks were reached";
    if (strategy->counts[RED_STATE_PENDING] > 0)
        add_cell(report, cell, formatted("%s/pending", name),
                 formatted("%" PRIu64 " checks were not reached", strategy->counts[RED_STATE_PENDING]));
}

/* Adds a check of device d that is not right. Its name holds what it was, and nothing that differs from run
 * to run. */
static void add_cell_of_check(const struct red_verify *verify, size_t d, const struct red_verify_check *check,
                              struct check_report *report) {
    const struct red_device_info *info = &verify->file->result.run.devices[d].info;
    const struct red_evidence *evidence = &check->evidence;
    const struct red_at at = red_verify_check_at(check);
    const struct red_export_cell cell = {.device = info->id,
                                         .strategy = at.strategy->name,
                                         .op = at.op->name,
                                         .type = at.dtype->name,
                                         .n = at.n,
                                         .state = check->state,
                                         .reason = check->reason};
    char name[RED_AT_NAME_BYTES], prefixes[32] = "", range[2 * RED_ANSWER_BYTES + 32] = "";
    red_at_name(&at, RED_AT_ALL, name, sizeof name);
    if (check->prefixes_n > 1)
        snprintf(prefixes, sizeof prefixes, "/prefixes:%u", check->prefixes_n);
    if (check->stress_s > 0)
        snprintf(prefixes, sizeof prefixes, "/stress");
    if (evidence->low[0] != '\0')
        snprintf(range, sizeof range, "right from %s to %s\n", evidence->low, evidence->high);
    add_cell(report, cell, formatted("%s%s", name, prefixes),
             formatted("%s\n%s%s, driver %s; data '%s' of seed %" PRIu64 ", %" PRIu64 " x %" PRIu64
                       " elements, %" PRIu64 " groups of %zu\nagain: %s",
                       check->reason ? check->reason : "", range, info->platform, info->driver, at.data,
                       check->data_seed, check->segments_n, at.n, check->geometry.groups_n,
                       check->geometry.group_size, check->again ? check->again : ""));
}

/* Writes the files of --export. */
static enum red_status write_exports(const struct red_verify *verify, struct red_error *error) {
    const struct red_session *session = verify->session;
    const struct red_run *run = &verify->file->result.run;
    struct check_report report = {.whole = true};
    char machine[160];
    size_t room = 0;
    for (size_t d = 0; d < session->devices_n; d++) {
        room += verify->file->devices[d].checks_n;
        for (size_t s = 0; s < session->strategies_n; s++)
            room += session->types_n * session->ops_n + 1 +
                    json_array_size(verify->file->devices[d].strategies[s].unsupported_because);
    }
    report.cells = calloc(room + 1, sizeof *report.cells);
    report.texts = calloc(2 * room + 1, sizeof *report.texts);
    const bool has_room = report.cells != NULL && report.texts != NULL;
    for (size_t d = 0; d < session->devices_n && has_room; d++) {
        for (size_t s = 0; s < session->strategies_n; s++)
            add_cells_of_strategy(verify, d, s, &report);
        for (size_t i = 0; i < verify->file->devices[d].checks_n; i++)
            add_cell_of_check(verify, d, &verify->file->devices[d].checks[i], &report);
    }
    red_host_processor_format(&run->host, machine, sizeof machine);
    struct red_export_device devices[RED_DEVICES_MAX];
    for (size_t d = 0; d < session->devices_n; d++)
        devices[d] = (struct red_export_device){run->devices[d].info.id, verify->file->devices[d].took_s};
    const struct red_export export = {.title = "clreduce verify",
                                      .command = run->command,
                                      .started = run->started,
                                      .machine = machine,
                                      .version = run->version,
                                      .cells = report.cells,
                                      .cells_n = report.cells_n,
                                      .devices = devices,
                                      .devices_n = session->devices_n};
    enum red_status status =
        has_room && report.whole
            ? red_exports_write(&export, verify->output->exports, verify->output->exports_n, error)
            : red_fail(error, RED_E_MEMORY, "no memory to export %zu checks", room);
    for (size_t i = 0; i < report.texts_n; i++)
        free(report.texts[i]);
    free(report.texts);
    free(report.cells);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

enum red_status red_evidence_write(struct red_verify *verify, struct red_error *error) {
    const struct red_output *output = verify->output;
    enum red_status status = RED_OK;
    if (verify->file == NULL)
        return red_tally_write_table(verify, error);
    for (size_t d = 0; d < verify->session->devices_n; d++)
        count_checks(verify, d);
    verify->file->result.run.wall_s = red_clock_s() - verify->start_s;
    if (verify->lost_checks)
        status = red_fail(error, RED_E_MEMORY, "no memory for all checks that are not right");
    else if (json_path(output) != NULL)
        status = red_file_write(json_path(output), red_verify_file_print, verify->file, error);
    if (status == RED_OK && output->format != RED_FORMAT_JSON)
        status = red_tally_write_table(verify, error);
    struct red_error unwritten = {.text = ""};
    enum red_status exported = verify->lost_checks ? RED_OK : write_exports(verify, &unwritten);
    if (exported != RED_OK && status != RED_OK)
        fprintf(stderr, "%s\n", unwritten.text);
    return status != RED_OK || exported == RED_OK ? status : red_fail(error, exported, "%s", unwritten.text);
}
