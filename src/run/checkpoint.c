/* The run fingerprint and the journal of `bench`, its --ranks and `verify`, and what `bench` writes into it
 * (verify/verify.c: what `verify` writes). With --resume the user sees how many cells are there already. */
#include "run/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/interrupt.h"
#include "core/random.h"
#include "core/text.h"
#include "model/catalogue.h"
#include "run/run_private.h"
#include "worker/protocol.h"

/* Both digests go into `work` of the fingerprint, here and in verify/verify.c; one that differs refuses
 * --resume. */
uint64_t red_digest_text(uint64_t digest, const char *text) {
    return red_hash_add(red_hash_text(digest, text), '\n');
}

/* The text that a driver compiles; nothing for the host's strategy. */
static uint64_t digest_kernel(uint64_t digest, const struct red_strategy *strategy,
                              const struct red_dtype *dtype, const struct red_op *op) {
    char hash[RED_SOURCE_HASH_BYTES];
    if (strategy->text == NULL || red_source_hash(strategy, dtype, op, hash, NULL) != RED_OK)
        return digest;
    return red_digest_text(digest, hash);
}

/* The digest, gone on with over the values of --n, --wg or --groups. */
static uint64_t digest_sizes(uint64_t digest, const struct red_sizes *sizes) {
    char text[32];
    for (size_t i = 0; i < sizes->n; i++) {
        snprintf(text, sizeof text, "%" PRIu64, sizes->values[i]);
        digest = red_digest_text(digest, text);
    }
    return red_digest_text(digest, "");
}

uint64_t red_digest_session(uint64_t digest, const struct red_session *session) {
    const struct red_selection *selection = session->selection;
    char text[32];
    digest = digest_sizes(digest, &selection->n);
    digest = digest_sizes(digest, &selection->wg);
    digest = digest_sizes(digest, &selection->groups);
    snprintf(text, sizeof text, "%u bins", selection->bins_n);
    digest = red_digest_text(digest, text);
    for (size_t i = 0; i < selection->lanes_n; i++) {
        snprintf(text, sizeof text, "%ux%u", selection->lanes[i].width, selection->lanes[i].loads);
        digest = red_digest_text(digest, text);
    }
    for (size_t s = 0; s < session->strategies_n; s++) {
        digest = red_digest_text(digest, session->strategies[s]->name);
        for (size_t o = 0; o < session->ops_n; o++) {
            digest = red_digest_text(digest, session->ops[o]->name);
            for (size_t t = 0; t < session->types_n; t++) {
                digest = red_digest_text(digest, session->types[t]->name);
                if (red_strategy_check_type_and_op(session->strategies[s], session->types[t], session->ops[o],
                                                   NULL) == RED_OK)
                    digest =
                        digest_kernel(digest, session->strategies[s], session->types[t], session->ops[o]);
            }
        }
    }
    return digest;
}

/* Makes the first line of the journal, the run fingerprint; a journal with another one is refused. NULL
 * without memory. */
static json_t *fingerprint_json(const struct red_session *session,
                                const struct red_fingerprint *fingerprint) {
    char journal[32], devices[4096] = "";
    size_t used = 0;
    snprintf(journal, sizeof journal, "clreduce %s", fingerprint->verb);
    for (size_t d = 0; fingerprint->devices == NULL && d < session->devices_n && used < sizeof devices; d++) {
        const struct red_device_info *info = red_client_info(session->devices[d]);
        used += (size_t)snprintf(devices + used, sizeof devices - used, "%s%s: %s, driver %s",
                                 d > 0 ? "; " : "", info->id, info->name, info->driver);
    }
    return json_pack("{s:s, s:s, s:o, s:s*, s:s, s:s, s:o}", "journal", journal, "version", CLREDUCE_VERSION,
                     "devices",
                     red_json_any_text(fingerprint->devices != NULL ? fingerprint->devices : devices),
                     "choices", fingerprint->choices, "work", fingerprint->work, "settings",
                     fingerprint->settings, "command", red_json_any_text(session->selection->command));
}

/* Called below for bench, by verify/verify.c and by ranks/resume.c. Its error ends the verb: "FILE is of
 * another run". */
enum red_status red_checkpoint_open(const struct red_session *session,
                                    const struct red_fingerprint *fingerprint, const char *result_path,
                                    red_journal_take *take, void *context, struct red_journal **journal,
                                    struct red_error *error) {
    return red_journal_open(result_path, fingerprint_json(session, fingerprint), take, context, journal,
                            error);
}

/* For --resume of bench (print_restored) and verify (verify/verify.c). */
void red_checkpoint_print_found(const char *found, const char *result_path) {
    if (found != NULL)
        fprintf(stderr, "resuming: %s are there\n", found);
    else
        red_text_print(stderr, "nothing to resume beside %s: begins anew\n", result_path);
}

/* A line of bench (below), or an outcome of verify; an error ends the run as an interrupt does. */
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
    char name[RED_AT_NAME_BYTES];
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        red_at_name(&cell->at, RED_AT_ALL, name, sizeof name);
        digest = red_digest_text(digest, cell->experiment);
        digest = red_digest_text(digest, name);
        digest = digest_kernel(digest, cell->at.strategy, cell->at.dtype, cell->at.op);
    }
    snprintf(fingerprint.work, sizeof fingerprint.work, "%zu cells, digest %016" PRIx64, run->cells_n,
             digest);
    snprintf(fingerprint.settings, sizeof fingerprint.settings,
             "seed %" PRIu64
             ", %g s per cell, %g s of other data, data sets %u, %zu known bugs, %.60s, %u threads",
             run->seed, run->time_per_cell_s, bench->session->selection->time_per_other_s,
             bench->session->selection->data_sets, bench->session->known_failures.n, run->host.name,
             run->devices[0].info.shape.compute_units);
    return fingerprint;
}

/* ---- lines ---------------------------------------------------------------------------------------------
 * A line is about one cell: its state after it was prepared, a sample, or what was found out last. */

#define CELL(key, kind, member)                                                                              \
    { RED_FIELD(struct red_cell, key, kind, member) }
static const struct red_field cell_fields[] = {
    CELL("state", STATE, state),
    {RED_FIELD(struct red_cell, "known_bug", STATE, known_bug), .may_lack = true},
    CELL("reason", TEXT, reason),
    {RED_FIELD(struct red_cell, "geometry", OBJECT, geometry), .members = red_geometry_fields},
    CELL("standard", TEXT, standard),
    CELL("call_s", REAL, call_s),
    CELL("projected_s", REAL, projected_s),
    CELL("checks", BITS, checks_n),
    CELL("error", REAL, error),
    CELL("bound", REAL, bound),
    CELL("absolute", REAL, absolute),
    CELL("same_bits", FLAG, same_bits),
    {.key = NULL},
};

/* How the measurement of the cell is made. */
static const struct red_field measurement_fields[] = {
    {RED_FIELD(struct red_measurement, "row_call_s", REAL, call_s)},
    {RED_FIELD(struct red_measurement, "calls", FROM_ONE, calls), .max = INT64_MAX},
    {RED_FIELD(struct red_measurement, "batches", FROM_ONE, batches), .max = 1000},
    {.key = NULL},
};

/* A sample: seconds of the call, and of the processor. */
struct sample {
    double s[2];
};
static const struct red_field sample_fields[] = {
    {RED_FIELD(struct sample, "s", REALS, s), RED_ELEMENTS(struct sample, s)}, {.key = NULL}};

/* A cell's index, by which a line names it. The user sees no line, but what --resume makes of it. */
static json_int_t cell_index(const struct red_bench *bench, const struct red_cell *cell) {
    return cell - bench->run.cells;
}

/* By run/bench.c when a cell is prepared, and by run/measure.c when it is given up. */
void red_bench_checkpoint_cell(struct red_bench *bench, const struct red_cell *cell,
                               const struct red_measurement *measurement) {
    if (bench->journal == NULL || cell->untried)
        return;
    json_t *line = red_fields_add(json_pack("{s:I}", "cell", cell_index(bench, cell)), cell_fields, cell);
    red_checkpoint_add(bench->journal,
                       measurement != NULL ? red_fields_add(line, measurement_fields, measurement) : line);
}

/* By run/measure.c after each batch, and _settled after device time and back-to-back time. */
void red_bench_checkpoint_sample(struct red_bench *bench, const struct red_measurement *measurement) {
    const size_t last = measurement->samples_n - 1;
    const struct sample sample = {{measurement->real_s[last], measurement->cpu_s[last]}};
    if (bench->journal != NULL && measurement->cell != NULL)
        red_checkpoint_add(bench->journal,
                           red_fields_add(json_pack("{s:I}", "sample", cell_index(bench, measurement->cell)),
                                          sample_fields, &sample));
}

void red_bench_checkpoint_settled(struct red_bench *bench, const struct red_cell *cell) {
    if (bench->journal != NULL)
        red_checkpoint_add(
            bench->journal,
            red_fields_add(json_pack("{s:I}", "settled", cell_index(bench, cell)), red_settled_fields, cell));
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* The cell whose index the line of the journal has under this key; NULL if it has none. */
static struct red_cell *cell_of_line(struct red_bench *bench, const json_t *line, const char *key) {
    const json_t *index = json_object_get(line, key);
    json_int_t i = json_is_integer(index) ? json_integer_value(index) : -1;
    return i >= 0 && i < (json_int_t)bench->run.cells_n ? &bench->run.cells[i] : NULL;
}

/* The measurement of the cell; NULL if it has none. */
static struct red_measurement *find_measurement(struct red_bench *bench, const struct red_cell *cell) {
    for (size_t i = bench->measurements_n; i-- > 0;)
        if (bench->measurements[i].cell == cell)
            return &bench->measurements[i];
    return NULL;
}

/* Adds the same measurement as before, so that samples of both runs are of the same batches. False where the
 * line makes no sense. */
static bool restore_measurement(struct red_bench *bench, struct red_cell *cell, const json_t *line) {
    struct red_measurement measurement = red_measurement_make(bench, cell);
    if (!red_protocol_read(line, measurement_fields, &measurement) || find_measurement(bench, cell) != NULL ||
        red_measurement_make_room(&measurement, NULL) != RED_OK)
        return false;
    bench->measurements[bench->measurements_n++] = measurement;
    return true;
}

/* Takes over the cell's state, adds its measurement, and records its failure with the client. A line that
 * makes no sense leaves the cell as it is: it is done again. */
static void restore_cell(struct red_bench *bench, struct red_cell *cell, const json_t *line) {
    struct red_cell read = *cell;
    if (!red_protocol_read(line, cell_fields, &read) ||
        (read.state == RED_STATE_PASS && !restore_measurement(bench, cell, line)))
        return;
    red_client_record_failure(red_bench_client(bench, cell->device), cell->at.strategy, read.state);
    *cell = read;
}

/* Adds the sample to the measurement of the cell; one that makes no sense is measured again. */
static void restore_sample(struct red_bench *bench, const struct red_cell *cell, const json_t *line) {
    struct red_measurement *measurement = find_measurement(bench, cell);
    struct sample sample;
    if (measurement == NULL || measurement->samples_n >= measurement->batches ||
        !red_protocol_read(line, sample_fields, &sample) || !(sample.s[0] > 0))
        return;
    measurement->real_s[measurement->samples_n] = sample.s[0];
    measurement->cpu_s[measurement->samples_n++] = sample.s[1];
}

/* Takes over device time and back-to-back time. */
static void restore_settled(struct red_cell *cell, const json_t *line) {
    struct red_cell read = *cell;
    read.settled = true;
    if (red_protocol_read(line, red_settled_fields, &read))
        *cell = read;
}

/* Called for each line of the journal that --resume goes on with. context: the struct red_bench. */
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

/* Tells the user what --resume has found. */
static void print_restored(const struct red_bench *bench, const char *result_path) {
    size_t cells_n = 0, samples_n = 0;
    for (size_t i = 0; i < bench->run.cells_n; i++)
        cells_n += bench->run.cells[i].state != RED_STATE_PENDING;
    for (size_t i = 0; i < bench->measurements_n; i++)
        samples_n += bench->measurements[i].samples_n;
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
