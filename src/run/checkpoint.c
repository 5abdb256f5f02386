/* The run fingerprint and the journal of `bench` and `verify`, and what `bench` writes into it
 * (verify/tally.c: what `verify` writes). With --resume the user sees how many cells are there already. */
#include "run/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/interrupt.h"
#include "core/random.h"
#include "core/text.h"
#include "model/catalogue.h"
#include "run/private.h"
#include "worker/protocol.h"

uint64_t red_digest_text(uint64_t digest, const char *text) {
    return red_hash_add(red_hash_text(digest, text), '\n');
}

uint64_t red_digest_kernel(uint64_t digest, const struct red_strategy *strategy,
                           const struct red_dtype *dtype, const struct red_op *op) {
    char hash[RED_SOURCE_HASH_BYTES];
    if (strategy->text == NULL || red_source_hash(strategy, dtype, op, hash, NULL) != RED_OK)
        return digest;
    return red_digest_text(digest, hash);
}

/* Makes the first line of the journal, the run fingerprint; a journal with another one is refused. NULL
 * without memory. */
static json_t *fingerprint_json(const struct red_session *session,
                                const struct red_fingerprint *fingerprint) {
    char journal[32], devices[4096] = "";
    size_t used = 0;
    snprintf(journal, sizeof journal, "clreduce %s", fingerprint->verb);
    for (size_t d = 0; d < session->devices_n && used < sizeof devices; d++) {
        const struct red_device_info *info = red_client_info(session->devices[d]);
        used += (size_t)snprintf(devices + used, sizeof devices - used, "%s%s: %s, driver %s",
                                 d > 0 ? "; " : "", info->id, info->name, info->driver);
    }
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:o}", "journal", journal, "version", CLREDUCE_VERSION,
                     "devices", red_json_message(devices), "work", fingerprint->work, "settings",
                     fingerprint->settings, "command", red_json_message(session->selection->command));
}

enum red_status red_checkpoint_open(const struct red_session *session,
                                    const struct red_fingerprint *fingerprint, const char *result_path,
                                    red_journal_take *take, void *context, struct red_journal **journal,
                                    struct red_error *error) {
    return red_journal_open(result_path, fingerprint_json(session, fingerprint), take, context, journal,
                            error);
}

void red_checkpoint_print_found(const char *found, const char *result_path) {
    if (found != NULL)
        fprintf(stderr, "resuming: %s are there\n", found);
    else
        red_text_print(stderr, "nothing to resume beside %s: begins anew\n", result_path);
}

void red_checkpoint_add(struct red_journal *journal, json_t *line) {
    struct red_error error = {.text = ""};
    if (red_journal_add(journal, line, &error) != RED_OK)
        red_interrupt_because_of(&error);
}

/* ---- which run of bench it is ----------------------------------------------------------------------------
 * From here on: what `bench` writes into its checkpoint, and how --resume restores cells and samples. */

/* All that decides what the cells are, their kernels' texts included. */
static struct red_fingerprint bench_fingerprint(const struct red_bench *bench) {
    const struct red_run *run = &bench->run;
    uint64_t digest = RED_HASH;
    struct red_fingerprint fingerprint = {.verb = "bench"};
    char line[256];
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        snprintf(line, sizeof line, "%zu %s %s %s %" PRIu64 " %" PRIu64 " %zu %" PRIu64 " %ux%u",
                 cell->device, cell->strategy->name, cell->op->name, cell->dtype->name, cell->n,
                 cell->segments_n, cell->tuning.group_size, cell->tuning.groups_n, cell->tuning.width,
                 cell->tuning.loads);
        digest = red_digest_text(digest, line);
        digest = red_digest_kernel(digest, cell->strategy, cell->dtype, cell->op);
    }
    snprintf(fingerprint.work, sizeof fingerprint.work, "%zu cells, digest %016" PRIx64, run->cells_n,
             digest);
    snprintf(fingerprint.settings, sizeof fingerprint.settings,
             "seed %" PRIu64 ", %g s per cell, data sets %u, calls %u, %s, %zu known bugs, %.60s, %u threads",
             run->seed, run->time_per_cell_s, bench->session->selection->data_sets, run->shape->calls_n,
             run->host.kept_awake ? "kept awake" : "not kept awake", bench->session->known_failures.n,
             run->host.name, run->devices[0].info.shape.compute_units);
    return fingerprint;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static json_t *cell_index_json(const struct red_bench *bench, const struct red_cell *cell) {
    return json_integer((json_int_t)(cell - bench->run.cells));
}

void red_bench_checkpoint_cell(struct red_bench *bench, const struct red_cell *cell,
                               const struct red_measurement *row) {
    if (bench->journal == NULL || cell->untried)
        return;
    json_t *line = json_pack(
        "{s:o, s:s, s:o, s:o, s:s, s:o, s:o, s:i, s:o, s:o, s:o, s:b}", "cell", cell_index_json(bench, cell),
        "state", red_state_name(cell->state), "reason", red_json_message(cell->reason), "geometry",
        red_protocol_geometry(&cell->geometry), "standard", cell->standard, "call_s",
        red_json_any_real(cell->call_s), "projected_s", red_json_any_real(cell->projected_s), "checks",
        (int)cell->checks_n, "error", red_json_any_real(cell->error), "bound", red_json_any_real(cell->bound),
        "absolute", red_json_any_real(cell->absolute), "same_bits", (int)cell->same_bits);
    if (row != NULL) {
        json_object_set_new(line, "row_call_s", red_json_any_real(row->call_s));
        json_object_set_new(line, "calls", json_integer((json_int_t)row->calls));
        json_object_set_new(line, "batches", json_integer(row->batches));
    }
    red_checkpoint_add(bench->journal, line);
}

void red_bench_checkpoint_sample(struct red_bench *bench, const struct red_measurement *row) {
    size_t last = row->samples_n - 1;
    if (bench->journal != NULL && row->cell != NULL)
        red_checkpoint_add(bench->journal,
                           json_pack("{s:o, s:o}", "sample", cell_index_json(bench, row->cell), "s",
                                     red_protocol_reals((double[]){row->real_s[last], row->cpu_s[last]}, 2)));
}

void red_bench_checkpoint_settled(struct red_bench *bench, const struct red_cell *cell) {
    if (bench->journal != NULL)
        red_checkpoint_add(bench->journal,
                           json_pack("{s:o, s:o, s:o, s:o}", "settled", cell_index_json(bench, cell),
                                     "device_s", red_json_any_real(cell->device_s), "note",
                                     red_json_message(cell->device_time_note), "back_to_back_s",
                                     red_json_any_real(cell->back_to_back_s)));
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* The cell whose index the line of the journal has under this key; NULL if it has none. */
static struct red_cell *cell_of_line(struct red_bench *bench, const json_t *line, const char *key) {
    const json_t *index = json_object_get(line, key);
    json_int_t i = json_is_integer(index) ? json_integer_value(index) : -1;
    return i >= 0 && i < (json_int_t)bench->run.cells_n ? &bench->run.cells[i] : NULL;
}

/* The row that is measured of the cell; NULL if it has none. */
static struct red_measurement *measurement_of(struct red_bench *bench, const struct red_cell *cell) {
    for (size_t i = bench->rows_n; i-- > 0;)
        if (bench->rows[i].cell == cell)
            return &bench->rows[i];
    return NULL;
}

static bool read_real(const json_t *line, const char *key, double *value) {
    return red_json_read_any_real(json_object_get(line, key), value);
}

static void copy_text_of_line(const json_t *line, const char *key, char *text, size_t text_bytes) {
    const char *found = json_string_value(json_object_get(line, key));
    snprintf(text, text_bytes, "%s", found ? found : "");
}

/* Adds the same row as before, so that samples of both runs are of the same batches. */
static bool restore_measurement(struct red_bench *bench, struct red_cell *cell, const json_t *line) {
    struct red_measurement row = red_bench_measurement(bench, cell);
    json_int_t calls = json_integer_value(json_object_get(line, "calls"));
    json_int_t batches = json_integer_value(json_object_get(line, "batches"));
    if (calls < 1 || batches < 1 || batches > 1000 || !read_real(line, "row_call_s", &row.call_s))
        return false;
    row.calls = (uint64_t)calls;
    row.batches = (unsigned)batches;
    if (measurement_of(bench, cell) != NULL || red_measurement_make_room(&row, NULL) != RED_OK)
        return false;
    bench->rows[bench->rows_n++] = row;
    return true;
}

/* A line that makes no sense leaves the cell as it is: it is done again. */
static void restore_cell(struct red_bench *bench, struct red_cell *cell, const json_t *line) {
    struct red_cell read = *cell;
    read.state = red_state_find(json_string_value(json_object_get(line, "state")));
    read.checks_n = (unsigned)json_integer_value(json_object_get(line, "checks"));
    read.same_bits = json_is_true(json_object_get(line, "same_bits"));
    copy_text_of_line(line, "reason", read.reason, sizeof read.reason);
    copy_text_of_line(line, "standard", read.standard, sizeof read.standard);
    if (!red_protocol_read_geometry(json_object_get(line, "geometry"), &read.geometry) ||
        !read_real(line, "call_s", &read.call_s) || !read_real(line, "projected_s", &read.projected_s) ||
        !read_real(line, "error", &read.error) || !read_real(line, "bound", &read.bound) ||
        !read_real(line, "absolute", &read.absolute))
        return;
    if (read.state == RED_STATE_PASS && !restore_measurement(bench, cell, line))
        return;
    red_client_record_failure(red_bench_client(bench, cell->device), cell->strategy, read.state);
    *cell = read;
}

static void restore_sample(struct red_bench *bench, const struct red_cell *cell, const json_t *line) {
    struct red_measurement *row = measurement_of(bench, cell);
    double s[2];
    size_t n;
    if (row == NULL || row->samples_n >= row->samples_room ||
        !red_protocol_read_reals(json_object_get(line, "s"), s, 2, &n) || n != 2 || !(s[0] > 0))
        return;
    row->real_s[row->samples_n] = s[0];
    row->cpu_s[row->samples_n++] = s[1];
}

static void restore_settled(struct red_cell *cell, const json_t *line) {
    double device_s, back_to_back_s;
    if (!read_real(line, "device_s", &device_s) || !read_real(line, "back_to_back_s", &back_to_back_s))
        return;
    cell->device_s = device_s;
    cell->back_to_back_s = back_to_back_s;
    cell->settled = true;
    copy_text_of_line(line, "note", cell->device_time_note, sizeof cell->device_time_note);
}

/* Called for each line of the journal that --resume goes on with. */
static void restore_line(void *context, const json_t *line) {
    struct red_bench *bench = context;
    struct red_cell *cell;
    if ((cell = cell_of_line(bench, line, "cell")) != NULL)
        restore_cell(bench, cell, line);
    else if ((cell = cell_of_line(bench, line, "sample")) != NULL)
        restore_sample(bench, cell, line);
    else if ((cell = cell_of_line(bench, line, "settled")) != NULL)
        restore_settled(cell, line);
}

static void print_restored(const struct red_bench *bench, const char *result_path) {
    size_t cells_n = 0, samples_n = 0;
    for (size_t i = 0; i < bench->run.cells_n; i++)
        cells_n += bench->run.cells[i].state != RED_STATE_PENDING;
    for (size_t i = 0; i < bench->rows_n; i++)
        samples_n += bench->rows[i].samples_n;
    char found[80];
    snprintf(found, sizeof found, "%zu of %zu cells and %zu samples", cells_n, bench->run.cells_n, samples_n);
    red_checkpoint_print_found(cells_n > 0 ? found : NULL, result_path);
}

enum red_status red_bench_checkpoint_open(struct red_bench *bench, const char *result_path,
                                          struct red_error *error) {
    bool resume = bench->resume;
    const struct red_fingerprint fingerprint = bench_fingerprint(bench);
    enum red_status status = red_checkpoint_open(bench->session, &fingerprint, result_path,
                                                 resume ? restore_line : NULL, bench, &bench->journal, error);
    if (status == RED_OK && resume)
        print_restored(bench, result_path);
    return status;
}
