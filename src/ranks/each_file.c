/* Reads a rank's own file for its line in the table of bench --each, verify --each and devices --each. */
#include "ranks/each_file.h"

#include <stdio.h>
#include <string.h>

#include "core/select.h"
#include "core/text.h"
#include "results/json.h"
#include "results/result.h"
#include "results/verify_file.h"

/* Judges a file that was whole before this call: its process has no exit status any more. */
static void judge(const size_t counts[RED_STATES_N], struct red_each_row *row) {
    const enum red_state state = red_state_deciding_exit(counts);
    row->status = red_state_status(state);
    if (row->status != RED_OK)
        snprintf(row->reason, sizeof row->reason, "%s%s, found before; the file has the evidence",
                 red_state_name(state), red_and_more_text(counts[state] - 1).text);
}

/* The cell that has the row's answer: of a device's right ones the fastest at the largest n; NULL: none. */
static const struct red_cell *best_cell(const struct red_run *run) {
    const struct red_cell *best = NULL;
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        if (cell->state != RED_STATE_PASS || cell->samples_n == 0 || cell->banned ||
            (cell->device == 0 && run->devices_n > 1))
            continue;
        if (best == NULL || cell->at.n > best->at.n ||
            (cell->at.n == best->at.n && cell->time.median < best->time.median))
            best = cell;
    }
    return best;
}

/* Fills the row from a file of bench; the last device is that of the rank, the first its host. */
static void read_bench(const struct red_result *result, bool judges, struct red_each_row *row) {
    const struct red_run *run = &result->run;
    size_t counts[RED_STATES_N] = {0};
    for (size_t i = 0; i < run->cells_n; i++)
        counts[run->cells[i].state]++;
    counts[RED_STATE_BUILD_FAILED] = 0; /* one of ours decides nothing (cli/cmd_bench.c) */
    row->wall_s = run->wall_s;
    row->roof_bytes_per_s = run->devices_n > 0 ? run->devices[run->devices_n - 1].roof_bytes_per_s : 0;
    const struct red_cell *best = best_cell(run);
    if (best != NULL)
        snprintf(row->answer, sizeof row->answer, "%.40s %.2f us at %.20s", best->at.strategy->name,
                 1e6 * best->time.median, red_size_text(best->at.n).text);
    if (judges)
        judge(counts, row);
}

/* Fills the row from a file of verify. */
static void read_verify(const struct red_verify_file *file, bool judges, struct red_each_row *row) {
    size_t counts[RED_STATES_N] = {0}, all = 0;
    for (size_t d = 0; d < file->result.run.devices_n; d++)
        for (size_t s = 0; s < file->devices[d].strategies_n; s++)
            for (int state = 0; state < RED_STATES_N; state++)
                counts[state] += (size_t)file->devices[d].strategies[s].counts[state];
    for (int state = 0; state < RED_STATES_N; state++)
        all += state != RED_STATE_PENDING && state != RED_STATE_UNSUPPORTED ? counts[state] : 0;
    row->wall_s = file->result.run.wall_s;
    snprintf(row->answer, sizeof row->answer, "%zu right, %zu wrong, %zu other", counts[RED_STATE_PASS],
             counts[RED_STATE_WRONG], all - counts[RED_STATE_PASS] - counts[RED_STATE_WRONG]);
    if (judges)
        judge(counts, row);
}

/* Fills the row from what devices --format json writes: the host, and one device. */
static enum red_status read_devices(const char *path, const char *text, size_t text_n,
                                    struct red_each_row *row, struct red_error *error) {
    struct red_reader reader = {.path = path, .error = error};
    struct red_run_device device = {.roof_bytes = 0};
    json_t *array = red_reader_root(&reader, "list of devices", text, text_n);
    size_t behave = 0, partly = 0, unknown = 0;
    red_fields_read(&reader, json_array_get(array, json_array_size(array) - 1), red_device_fields, &device);
    json_decref(array);
    for (size_t i = 0; i < device.found_n; i++) {
        behave += device.found[i].behaves == RED_YES;
        partly += device.found[i].behaves == RED_PARTLY;
        unknown += device.found[i].behaves == RED_UNKNOWN;
    }
    row->roof_bytes_per_s = device.roof_bytes_per_s;
    if (device.found_n > 0)
        snprintf(row->answer, sizeof row->answer, "%zu of %zu capabilities", behave, device.found_n);
    if (partly > 0)
        red_text_add(row->answer, sizeof row->answer, ", %zu partly", partly);
    if (unknown > 0)
        red_text_add(row->answer, sizeof row->answer, ", %zu not known", unknown);
    red_run_device_clear(&device);
    return reader.status;
}

enum red_status red_each_file_read(const char *verb, const char *path, const char *text, size_t text_n,
                                   bool judges, struct red_each_row *row, char command[512],
                                   struct red_error *error) {
    enum red_status status = RED_OK;
    command[0] = '\0';
    if (strcmp(verb, "devices") == 0) {
        status = read_devices(path, text, text_n, row, error);
    } else if (strcmp(verb, "verify") == 0) {
        struct red_verify_file checks;
        status = red_verify_file_read(path, text, text_n, &checks, error);
        if (status == RED_OK) {
            read_verify(&checks, judges, row);
            red_text_add(command, 512, "%s", checks.result.run.command);
            red_verify_file_clear(&checks);
        }
    } else if (strcmp(verb, "bench") == 0) {
        struct red_result result;
        status = red_result_read(path, text, text_n, NULL, &result, error);
        if (status == RED_OK) {
            read_bench(&result, judges, row);
            red_text_add(command, 512, "%s", result.run.command);
            red_result_clear(&result);
        }
    }
    return status;
}
