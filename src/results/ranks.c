#define _GNU_SOURCE /* memmem */
/* Writes the file of bench --ranks, and reads it for report; finds rows that belong together. X_json writes
 * an X of the file, X_read reads one; the first fault of a file ends the verb that reads it. */
#include "results/ranks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "results/json.h"

/* Version 1 has samples in seconds; it is read, too. */
enum { SCHEMA_VERSION = 2, RANKS_MAX = 65536, ROWS_MAX = 100000, SAMPLES_MAX = 100000, MEMBERS_MAX = 64 };

static const char schema_name[] = "clreduce-ranks";

#define NAME_OF(id, name, ...)                 name,
#define STRATEGY_OF(id, name, strategy, ...)   strategy,
#define COLLECTIVE_OF(id, name, s, collective) collective,
const char *const red_ranks_kind_names[RED_RANKS_KINDS_N] = {RED_RANKS_ROWS(NAME_OF)};
static const bool has_strategy[RED_RANKS_KINDS_N] = {RED_RANKS_ROWS(STRATEGY_OF)};
static const bool has_collective[RED_RANKS_KINDS_N] = {RED_RANKS_ROWS(COLLECTIVE_OF)};
const char *const red_part_names[RED_PARTS_N] = {"total", "device", "imbalance", "collective"};

bool red_ranks_kind_has_strategy(enum red_ranks_kind kind) {
    return has_strategy[kind];
}

bool red_ranks_kind_has_own_strategy(enum red_ranks_kind kind) {
    return has_strategy[kind] && kind != RED_RANKS_PEER;
}

bool red_ranks_kind_has_collective(enum red_ranks_kind kind) {
    return has_collective[kind];
}

void red_ranks_row_clear(struct red_ranks_row *row) {
    for (size_t part = 0; part < RED_PARTS_N; part++)
        free(row->samples_s[part]);
    *row = (struct red_ranks_row){.n = 0};
}

void red_ranks_run_clear(struct red_ranks_run *run) {
    for (size_t r = 0; r < run->rows_n; r++)
        red_ranks_row_clear(&run->rows[r]);
    free(run->rows);
    free(run->ranks);
    free(run->peers);
    *run = (struct red_ranks_run){.rows = NULL};
}

/* Seen as "no answer" in place of a state, and in the exit status of bench --ranks. */
bool red_ranks_row_has_no_answer(const struct red_ranks_row *row) {
    const struct red_op *op = red_op_find(row->op);
    const struct red_dtype *dtype = red_dtype_find(row->type);
    return row->n == 0 && red_ranks_kind_has_strategy(row->kind) && op != NULL && dtype != NULL &&
           red_op_check_n(op, dtype, 0, NULL) != RED_OK;
}

enum red_status red_ranks_row_find_medians(struct red_ranks_row *row, struct red_error *error) {
    enum red_status status = RED_OK;
    if (row->state == RED_STATE_PASS && row->samples_n == 0)
        row->state = RED_STATE_PENDING;
    for (size_t part = 0; part < RED_PARTS_N && row->samples_n > 0 && status == RED_OK; part++) {
        struct red_statistics found = {.n = 0};
        if (row->samples_s[part] != NULL)
            status = red_statistics_find(row->samples_s[part], row->samples_n, &found, error);
        row->medians_s[part] = found.median;
        if (part == RED_PART_TOTAL)
            row->time = found;
    }
    return status;
}

double red_ranks_row_time_s(const struct red_ranks_row *row) {
    return row != NULL && row->samples_n > 0 ? row->time.median : INFINITY;
}

/* ---- rows that belong together ------------------------------------------------------------------------- */

/* Whether both rows are of one operation and type; a row of kind BARE is of any. */
static bool has_same_op_and_type(const struct red_ranks_row *a, const struct red_ranks_row *b) {
    return a->kind == RED_RANKS_BARE || b->kind == RED_RANKS_BARE ||
           (strcmp(a->op, b->op) == 0 && strcmp(a->type, b->type) == 0);
}

/* Whether the row is of a kind that reads an array. */
static bool has_array(const struct red_ranks_row *row) {
    return row->kind != RED_RANKS_BARE && row->kind != RED_RANKS_ALONE;
}

enum { PREFERENCE_MAX = 4 };

/* How well a timed row answers what is looked for, if it does: 1 to PREFERENCE_MAX; 0: it does not. */
static unsigned preference(const struct red_ranks_row *found, const struct red_ranks_row *wanted) {
    if (found->samples_n == 0 || found->kind != wanted->kind || found->ranks_n != wanted->ranks_n ||
        !has_same_op_and_type(found, wanted) || (has_array(found) && found->n != wanted->n))
        return 0;
    const bool same = !has_collective[found->kind] || strcmp(found->collective, wanted->collective) == 0;
    if (found->kind == RED_RANKS_ALONE && !same)
        return 0;
    return 1 + (same ? 2U : 0U) + (found->weak == wanted->weak ? 1U : 0U);
}

/* The i-th row of the run by its distance from a row: what belongs to one is likely to be near. */
static const struct red_ranks_row *nearby_row(const struct red_ranks_run *run,
                                              const struct red_ranks_row *row, size_t i) {
    const size_t from = row >= run->rows && row < run->rows + run->rows_n ? (size_t)(row - run->rows) : 0,
                 above = run->rows_n - 1 - from, both = from < above ? from : above;
    if (i <= 2 * both)
        return &run->rows[i % 2 == 1 ? from - (i + 1) / 2 : from + i / 2];
    return &run->rows[from > above ? from - (i - both) : from + (i - both)];
}

/* For the efficiency, the share of the roof, and the table of collectives. */
const struct red_ranks_row *red_ranks_row_beside(const struct red_ranks_run *run,
                                                 const struct red_ranks_row *row, enum red_ranks_kind kind) {
    struct red_ranks_row wanted = *row;
    const struct red_ranks_row *best = NULL;
    unsigned most = 0;
    wanted.kind = kind;
    for (size_t i = 0; i < run->rows_n && most < PREFERENCE_MAX; i++) {
        const struct red_ranks_row *near = nearby_row(run, row, i);
        const unsigned found = preference(near, &wanted);
        if (found > most) {
            best = near;
            most = found;
        }
    }
    return best;
}

/* Whether the row is one of the scaling's. */
static bool has_row(const struct red_scaling *scaling, const struct red_ranks_row *row) {
    const uint64_t n = row->weak ? row->n / row->ranks_n : row->n;
    return has_array(row) && n == scaling->n && (row->weak == scaling->weak || row->ranks_n == 1) &&
           strcmp(row->op, scaling->op) == 0 && strcmp(row->type, scaling->type) == 0;
}

/* Whether both rows stand in one line of a table. */
static bool has_same_line(const struct red_ranks_row *a, const struct red_ranks_row *b) {
    return a->kind == b->kind && strcmp(a->strategy, b->strategy) == 0 &&
           strcmp(a->collective, b->collective) == 0;
}

/* The scaling that the row itself says, whose rows may be anywhere. */
static struct red_scaling scaling_of(const struct red_ranks_run *run, const struct red_ranks_row *row) {
    return (struct red_scaling){.run = run,
                                .op = row->op,
                                .type = row->type,
                                .weak = row->weak,
                                .n = row->weak ? row->n / row->ranks_n : row->n,
                                .end = run->rows_n};
}

const struct red_ranks_row *red_ranks_row_of_one(const struct red_ranks_run *run,
                                                 const struct red_ranks_row *row) {
    const struct red_scaling scaling = scaling_of(run, row);
    const struct red_ranks_row *other = NULL;
    if (row->weak && row->n % row->ranks_n != 0)
        return NULL;
    for (size_t i = 0; i < run->rows_n; i++) {
        const struct red_ranks_row *near = nearby_row(run, row, i);
        if (near->ranks_n != 1 || near->samples_n == 0 || !has_same_line(near, row) ||
            !has_row(&scaling, near))
            continue;
        if (near->weak == row->weak)
            return near;
        other = near;
    }
    return other;
}

double red_ranks_row_efficiency(const struct red_ranks_run *run, const struct red_ranks_row *row) {
    const struct red_ranks_row *one = red_ranks_row_of_one(run, row);
    if (row->samples_n == 0 || one == NULL)
        return 0;
    return one->time.median / (row->time.median * (row->weak ? 1 : row->ranks_n));
}

double red_ranks_row_roof_share(const struct red_ranks_run *run, const struct red_ranks_row *row) {
    const struct red_ranks_row *roof = red_ranks_row_beside(run, row, RED_RANKS_ROOF);
    const double share = row->samples_n > 0 && roof != NULL ? roof->time.median / row->time.median : 0;
    return share < RED_ROOF_SHARE_IMPOSSIBLE ? share : 0;
}

/* Whether a row before this one is of the same scaling, by what both say themselves: most often the one
 * before. */
static bool is_known_scaling(const struct red_ranks_run *run, size_t at) {
    const struct red_scaling scaling = scaling_of(run, &run->rows[at]);
    for (size_t i = at; i > 0; i--)
        if (run->rows[i - 1].weak == scaling.weak && has_row(&scaling, &run->rows[i - 1]))
            return true;
    return false;
}

bool red_scaling_next(const struct red_ranks_run *run, size_t *at, struct red_scaling *scaling) {
    while (*at < run->rows_n && (!has_array(&run->rows[*at]) || is_known_scaling(run, *at)))
        ++*at;
    if (*at == run->rows_n)
        return false;
    *scaling = scaling_of(run, &run->rows[(*at)++]);
    while (!has_row(scaling, &run->rows[scaling->first]))
        scaling->first++;
    while (!has_row(scaling, &run->rows[scaling->end - 1]))
        scaling->end--;
    return true;
}

unsigned red_scaling_ranks_n_above(const struct red_scaling *scaling, unsigned ranks_n) {
    unsigned least = 0;
    for (size_t i = scaling->first; i < scaling->end; i++) {
        const struct red_ranks_row *row = &scaling->run->rows[i];
        if (row->ranks_n > ranks_n && (least == 0 || row->ranks_n < least) && has_row(scaling, row))
            least = row->ranks_n;
    }
    return least;
}

unsigned red_scaling_most_ranks_n(const struct red_scaling *scaling) {
    unsigned own = 0, peers = 0;
    for (size_t i = scaling->first; i < scaling->end; i++) {
        const struct red_ranks_row *row = &scaling->run->rows[i];
        unsigned *most = row->kind == RED_RANKS_PEER ? &peers : &own;
        if (row->ranks_n > *most && has_row(scaling, row))
            *most = row->ranks_n;
    }
    return own > 0 ? own : peers;
}

const struct red_ranks_row *red_scaling_next_line(const struct red_scaling *scaling, size_t *at) {
    const struct red_ranks_row *rows = scaling->run->rows;
    while (scaling->first + *at < scaling->end) {
        const size_t i = scaling->first + (*at)++;
        bool is_known = !has_row(scaling, &rows[i]);
        for (size_t k = scaling->first; k < i && !is_known; k++)
            is_known = has_row(scaling, &rows[k]) && has_same_line(&rows[k], &rows[i]);
        if (!is_known)
            return &rows[i];
    }
    return NULL;
}

const struct red_ranks_row *red_scaling_row(const struct red_scaling *scaling,
                                            const struct red_ranks_row *line, unsigned ranks_n) {
    const struct red_ranks_row *other = NULL;
    for (size_t i = scaling->first; i < scaling->end; i++) {
        const struct red_ranks_row *row = &scaling->run->rows[i];
        if (row->ranks_n != ranks_n || !has_row(scaling, row) || !has_same_line(row, line))
            continue;
        if (row->weak == scaling->weak)
            return row;
        other = other != NULL ? other : row;
    }
    return other;
}

const struct red_ranks_row *red_scaling_fastest(const struct red_scaling *scaling, enum red_ranks_kind kind,
                                                unsigned ranks_n) {
    const struct red_ranks_row *best = NULL;
    for (size_t i = scaling->first; i < scaling->end; i++) {
        const struct red_ranks_row *row = &scaling->run->rows[i];
        if (row->kind == kind && row->ranks_n == ranks_n && row->samples_n > 0 && has_row(scaling, row) &&
            (best == NULL || row->time.median < best->time.median))
            best = row;
    }
    return best;
}

/* Called by the table of parts (console/ranks_table.c). */
enum red_ranks_bits red_scaling_bits(const struct red_scaling *scaling, const struct red_ranks_row *line) {
    const struct red_ranks_row *first = NULL;
    enum red_ranks_bits bits = RED_BITS_UNKNOWN;
    for (size_t i = scaling->first; i < scaling->end && !scaling->weak; i++) {
        const struct red_ranks_row *row = &scaling->run->rows[i];
        if (row->answers_n == 0 || !has_row(scaling, row) || !has_same_line(row, line))
            continue;
        first = first != NULL ? first : row;
        if (row->answers_n != first->answers_n)
            return RED_BITS_UNKNOWN;
        if (memcmp(row->answers, first->answers, row->answers_n * sizeof row->answers[0]) != 0)
            bits = RED_BITS_DIFFER;
        else if (row->ranks_n != first->ranks_n && bits == RED_BITS_UNKNOWN)
            bits = RED_BITS_SAME;
    }
    return bits;
}

/* Orders times, for qsort. */
static int by_time(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double red_scaling_time_of_fastest(const struct red_scaling *scaling, unsigned ranks_n, size_t lines_n) {
    double *times_s = calloc(scaling->end - scaling->first, sizeof *times_s), found_s = INFINITY;
    const struct red_ranks_row *line;
    size_t n = 0;
    if (times_s == NULL) {
        red_memory_note_failure();
        return 0;
    }
    for (size_t at = 0; (line = red_scaling_next_line(scaling, &at)) != NULL;)
        if (red_ranks_kind_has_own_strategy(line->kind))
            times_s[n++] = red_ranks_row_time_s(red_scaling_row(scaling, line, ranks_n));
    qsort(times_s, n, sizeof *times_s, by_time);
    if (n > lines_n && lines_n > 0)
        found_s = times_s[lines_n - 1];
    free(times_s);
    return found_s;
}

/* ---- the file's members -------------------------------------------------------------------------------- */

#define RANK(key, kind, member) RED_FIELD(struct red_rank, key, kind, member)

static const struct red_field rank_fields[] = {{RANK("host", NAME, host)},
                                               {RANK("node", WHOLE, node)},
                                               {RANK("device", NAME, device)},
                                               {RANK("device_name", TEXT, device_name)},
                                               {RANK("driver", TEXT, driver)},
                                               {RANK("cores", COUNT, cores_n)},
                                               {RANK("roof_bytes_per_s", POSITIVE, roof_bytes_per_s)},
                                               {.key = NULL}};

static json_t *kind_json(const void *member) {
    return json_string(red_ranks_kind_names[*(const enum red_ranks_kind *)member]);
}

static void kind_read(struct red_reader *reader, const json_t *from, const char *key, void *member) {
    *(enum red_ranks_kind *)member =
        (enum red_ranks_kind)red_take_word(reader, from, key, red_ranks_kind_names, RED_RANKS_KINDS_N);
}

/* One part's samples of a row; null where the part was not measured. */
static json_t *part_json(const struct red_ranks_row *row, size_t part) {
    const double *samples_s = row->samples_s[part];
    json_t *array = samples_s != NULL ? json_array() : json_null();
    for (size_t i = 0; samples_s != NULL && i < row->samples_n; i++)
        json_array_append_new(array, red_json_real(samples_s[i]));
    return array;
}

/* An array for each part; null where the row was not timed. */
static json_t *samples_json(const void *row_record) {
    const struct red_ranks_row *row = row_record;
    json_t *object = row->samples_n > 0 ? json_object() : json_null();
    for (size_t part = 0; part < RED_PARTS_N && row->samples_n > 0; part++)
        json_object_set_new(object, red_part_names[part], part_json(row, part));
    return object;
}

/* Reads one part's samples, as many as the row has; of a total that no clock can have measured is refused, so
 * that ratios of times stay finite. */
static void part_read(struct red_reader *reader, const json_t *from, size_t part, struct red_ranks_row *row) {
    const char *key = red_part_names[part];
    double *samples_s = row->samples_s[part] = calloc(row->samples_n, sizeof *samples_s);
    if (samples_s == NULL) {
        red_reader_fail_memory(reader);
        return;
    }
    if (red_json_numbers_n(json_object_get(from, key)) != row->samples_n)
        red_reader_refuse(reader, key, "as many numbers as the total has");
    else
        red_take_numbers(reader, from, key, part == RED_PART_TOTAL ? 1e-12 : -1e9, 1e9, samples_s,
                         row->samples_n);
}

/* The reader is within the object meanwhile. */
static void samples_read(struct red_reader *reader, const json_t *from, const char *key, void *row_record) {
    struct red_ranks_row *row = row_record;
    char outside[sizeof reader->where];
    if (json_is_null(json_object_get(from, key)))
        return;
    const json_t *object = red_take_container(reader, from, key, JSON_OBJECT, MEMBERS_MAX);
    const json_t *total = json_object_get(object, red_part_names[RED_PART_TOTAL]);
    memcpy(outside, reader->where, sizeof outside);
    snprintf(reader->where, sizeof reader->where, "%.60s%s%.30s", outside, outside[0] ? "." : "", key);
    row->samples_n = red_json_numbers_n(total);
    if (row->samples_n == 0 || row->samples_n > SAMPLES_MAX) {
        row->samples_n = 0;
        red_reader_refuse(reader, red_part_names[RED_PART_TOTAL], "an array of one or more");
    }
    for (size_t part = 0; part < RED_PARTS_N && reader->status == RED_OK; part++) {
        const json_t *array = json_object_get(object, red_part_names[part]);
        if (array != NULL && !json_is_null(array))
            part_read(reader, object, part, row);
    }
    memcpy(reader->where, outside, sizeof outside);
}

static bool has_answers(const void *row_record) {
    return ((const struct red_ranks_row *)row_record)->answers_n > 0;
}

static json_t *answers_json(const void *row_record) {
    const struct red_ranks_row *row = row_record;
    json_t *array = json_array();
    for (size_t i = 0; i < row->answers_n; i++) {
        char digits[17];
        snprintf(digits, sizeof digits, "%" PRIx64, row->answers[i]);
        json_array_append_new(array, json_string(digits));
    }
    return array;
}

static void answers_read(struct red_reader *reader, const json_t *from, const char *key, void *row_record) {
    struct red_ranks_row *row = row_record;
    const json_t *array = red_take_container(reader, from, key, JSON_ARRAY, RED_RANKS_ANSWERS_MAX);
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *digits = json_string_value(json_array_get(array, i));
        const size_t digits_n = digits != NULL ? strspn(digits, "0123456789abcdef") : 0;
        if (digits_n < 1 || digits_n > 16 || digits[digits_n] != '\0' || (digits_n > 1 && digits[0] == '0')) {
            red_reader_refuse(reader, key, "up to 16 hexadecimal digits without leading zeros each");
            return;
        }
        row->answers[row->answers_n++] = strtoull(digits, NULL, 16);
    }
}

#define ROW(key, kind, member) RED_FIELD(struct red_ranks_row, key, kind, member)

static const struct red_field row_fields[] = {
    {.key = "kind",
     .kind = RED_FIELD_OWN,
     .offset = offsetof(struct red_ranks_row, kind),
     .write = kind_json,
     .read = kind_read},
    {ROW("strategy", TEXT, strategy)},
    {ROW("collective", TEXT, collective)},
    {ROW("op", TEXT, op)},
    {ROW("type", TEXT, type)},
    {ROW("n", WHOLE, n)},
    {ROW("ranks", FROM_ONE, ranks_n), .max = RANKS_MAX},
    {ROW("weak", FLAG, weak)},
    {ROW("state", STATE, state)},
    {ROW("reason", TEXT, reason)},
    {ROW("data_sets", COUNT, checks_n)},
    {.key = "answers",
     .kind = RED_FIELD_OWN,
     .may_lack = true,
     .known = has_answers,
     .write = answers_json,
     .read = answers_read},
    {ROW("calls_per_sample", COUNT, calls_per_sample)},
    {.key = "samples_s", .kind = RED_FIELD_OWN, .write = samples_json, .read = samples_read},
    {.key = NULL}};

/* Refuses what the row's members do not say together. */
static void check_row(struct red_reader *reader, size_t ranks_n, const struct red_ranks_row *row) {
    if ((row->strategy[0] != '\0') != has_strategy[row->kind])
        red_reader_refuse(reader, "strategy", "a name where the kind has one, otherwise null");
    if ((row->collective[0] != '\0') != has_collective[row->kind])
        red_reader_refuse(reader, "collective", "a name where the kind has one, otherwise null");
    if (has_array(row) && (row->op[0] == '\0' || row->type[0] == '\0'))
        red_reader_refuse(reader, row->op[0] == '\0' ? "op" : "type", "a name");
    if (row->ranks_n > ranks_n)
        red_reader_refuse(reader, "ranks", "as many as the file has, or fewer");
    if ((row->samples_n > 0) != (row->state == RED_STATE_PASS))
        red_reader_refuse(reader, "samples_s", "times where the state is pass, and nowhere else");
}

json_t *red_ranks_row_json(const struct red_ranks_row *row) {
    return red_fields_json(row_fields, row);
}

bool red_ranks_row_read(const json_t *from, size_t ranks_n, struct red_ranks_row *row) {
    struct red_error error;
    struct red_reader reader = {.path = "", .error = &error};
    *row = (struct red_ranks_row){.n = 0};
    red_fields_read(&reader, from, row_fields, row);
    check_row(&reader, ranks_n, row);
    if (reader.status == RED_OK)
        reader.status = red_ranks_row_find_medians(row, &error);
    if (reader.status != RED_OK)
        red_ranks_row_clear(row);
    return reader.status == RED_OK;
}

#define RUN(key, kind, member) RED_FIELD(struct red_ranks_run, key, kind, member)

static const struct red_field run_fields[] = {{RUN("command", TEXT, command)},
                                              {RUN("started", TEXT, started)},
                                              {RUN("seed", COUNT, seed)},
                                              {RUN("time_per_cell_s", AMOUNT, time_per_cell_s)},
                                              {RUN("wall_s", AMOUNT, wall_s)},
                                              {RUN("mpi", TEXT, mpi)},
                                              {RUN("split", NAME, split)},
                                              {RUN("host", OBJECT, host), .members = red_host_fields},
                                              {.key = NULL}};

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Puts an array of n structs of so many bytes each, by their table. False without memory. */
static bool put_array(json_t *root, const char *key, const struct red_field *fields, const void *first,
                      size_t n, size_t bytes) {
    json_t *array = json_array();
    bool whole = true;
    for (size_t i = 0; i < n && whole; i++)
        whole =
            json_array_append_new(
                array, red_json_pack_numbers(red_fields_json(fields, (const char *)first + i * bytes))) == 0;
    return json_object_set_new(root, key, array) == 0 && whole;
}

/* For bench --ranks --output. */
enum red_status red_ranks_run_write(const struct red_ranks_run *run, const char *path,
                                    struct red_error *error) {
    const char *version = run->version[0] != '\0' ? run->version : CLREDUCE_VERSION;
    json_t *root = red_fields_add(json_pack("{s:s, s:i, s:o}", "schema", schema_name, "schema_version",
                                            SCHEMA_VERSION, "suite_version", red_json_text(version)),
                                  run_fields, run);
    const bool whole = root != NULL &&
                       put_array(root, "ranks", rank_fields, run->ranks, run->ranks_n, sizeof *run->ranks) &&
                       put_array(root, "rows", row_fields, run->rows, run->rows_n, sizeof *run->rows);
    enum red_status status = whole ? red_json_write(root, path, 9, error)
                                   : red_fail(error, RED_E_MEMORY, "no memory for the file of the ranks");
    json_decref(root);
    return status;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

const struct red_file_kind red_ranks_kind = {
    .what = "file of bench --ranks", .name_key = "schema", .name = schema_name, .arrays = {"rows"}};

/* Whether the member `schema` of a file's object says that it is such a file. */
static bool is_schema(const json_t *schema) {
    const char *name = json_string_value(schema);
    return name != NULL && strcmp(name, schema_name) == 0;
}

/* Most texts do not have the name, and need not be parsed. */
static bool is_text_of_ranks(const char *text, size_t n) {
    if (memmem(text, n, schema_name, sizeof schema_name - 1) == NULL)
        return false;
    struct red_reader reader = {.path = "", .error = NULL};
    struct red_large_array skipped[] = {{.name = "rows"}, {.name = "cells"}, {.name = "devices"}};
    json_t *root = red_reader_root_but_arrays(&reader, "file of bench --ranks", text, n, skipped, 3);
    const bool is_text_of = is_schema(json_object_get(root, "schema"));
    json_decref(root);
    return is_text_of;
}

/* Called by results/loaded.c for all verbs but report, and by those that read files of another kind alone. */
enum red_status red_ranks_run_refuse_text(const char *path, const char *text, size_t n, const char *wanted,
                                          struct red_error *error) {
    if (!is_text_of_ranks(text, n))
        return RED_OK;
    return red_fail(error, RED_E_INPUT,
                    "%.200s is a file of clreduce bench --ranks, which times one array over many ranks: "
                    "clreduce report shows it; expected %s",
                    path, wanted);
}

/* Reads ranks and rows, and computes the rows' medians. */
static void arrays_read(struct red_reader *reader, const json_t *root, struct red_ranks_run *run) {
    const json_t *ranks = red_take_container(reader, root, "ranks", JSON_ARRAY, RANKS_MAX);
    const json_t *rows = red_take_container(reader, root, "rows", JSON_ARRAY, ROWS_MAX);
    if (reader->status != RED_OK)
        return;
    run->ranks = calloc(json_array_size(ranks) + 1, sizeof *run->ranks);
    run->rows = calloc(json_array_size(rows) + 1, sizeof *run->rows);
    if (run->ranks == NULL || run->rows == NULL) {
        red_reader_fail_memory(reader);
        return;
    }
    while (run->ranks_n < json_array_size(ranks) && reader->status == RED_OK) {
        snprintf(reader->where, sizeof reader->where, "ranks[%zu]", run->ranks_n);
        red_fields_read(reader, json_array_get(ranks, run->ranks_n), rank_fields, &run->ranks[run->ranks_n]);
        run->ranks_n++;
    }
    while (run->rows_n < json_array_size(rows) && reader->status == RED_OK) {
        struct red_ranks_row *row = &run->rows[run->rows_n];
        snprintf(reader->where, sizeof reader->where, "rows[%zu]", run->rows_n);
        red_fields_read(reader, json_array_get(rows, run->rows_n++), row_fields, row);
        check_row(reader, run->ranks_n, row);
        if (reader->status == RED_OK)
            reader->status = red_ranks_row_find_medians(row, reader->error);
    }
}

enum red_status red_ranks_run_read(const char *path, const char *text, size_t n, struct red_ranks_run *run,
                                   struct red_error *error) {
    struct red_reader reader = {.path = path, .error = error};
    *run = (struct red_ranks_run){.rows = NULL};
    red_text_copy_printable(path, run->path, sizeof run->path);
    json_t *root = red_reader_root(&reader, "file of bench --ranks", text, n);
    if (root == NULL)
        return reader.status;
    if (!is_schema(json_object_get(root, "schema")))
        red_reader_refuse(&reader, "schema", "\"clreduce-ranks\": a file of clreduce bench --ranks");
    const json_int_t version = json_integer_value(json_object_get(root, "schema_version"));
    if (version < 1 || version > SCHEMA_VERSION)
        red_reader_refuse(&reader, "schema_version", "1 or 2");
    red_take_text(&reader, root, "suite_version", false, run->version, sizeof run->version);
    red_fields_read(&reader, root, run_fields, run);
    if (strcmp(run->split, "equal") != 0 && strcmp(run->split, "roof") != 0)
        red_reader_refuse(&reader, "split", "\"equal\" or \"roof\"");
    arrays_read(&reader, root, run);
    json_decref(root);
    if (reader.status != RED_OK)
        red_ranks_run_clear(run);
    return reader.status;
}
