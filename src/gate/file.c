/* The file of `duel` (--output, --replay; results/duel.schema.json): written with every sample, and read
 * back with every value checked, so that a damaged file is an error message. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "gate/duel.h"
#include "results/json.h"

/* ---- tables -------------------------------------------------------------------------------------------- */

#define DEVICE(key, kind, member) RED_FIELD(struct red_device_info, key, kind, member)
static const struct red_field device_fields[] = {{DEVICE("id", NAME, id)},
                                                 {DEVICE("name", TEXT, name)},
                                                 {DEVICE("platform", TEXT, platform)},
                                                 {DEVICE("driver", TEXT, driver)},
                                                 {.key = NULL}};

#define SIDE(key, member) RED_FIELD(struct red_duel_side_record, key, TEXT, member)
static const struct red_field side_fields[] = {{SIDE("program", program)},
                                               {SIDE("version", version)},
                                               {SIDE("kernel", kernel)},
                                               {SIDE("environment", environment)},
                                               {.key = NULL}};

static const struct red_field geometry_fields[] = {
    {RED_FIELD(struct red_geometry, "group_size", WHOLE, group_size)},
    {RED_FIELD(struct red_geometry, "groups", WHOLE, groups_n)},
    {.key = NULL}};

/* Of one side of a cell. */
#define CELL_SIDE(key, kind, member) RED_FIELD(struct red_duel_cell, key, kind, member)
#define CELL_SIDE_FIELDS(who)                                                                                \
    {                                                                                                        \
        {CELL_SIDE("strategy", NAME, strategy[who])}, {CELL_SIDE("state", STATE, state[who])},               \
            {CELL_SIDE("reason", TEXT, reason[who])}, {CELL_SIDE("call_s", POSITIVE, call_s[who])},          \
            {CELL_SIDE("geometry", OBJECT, geometry[who]), .members = geometry_fields}, {.key = NULL},       \
    }
static const struct red_field cell_side_fields[RED_WHO_N][6] = {
    [RED_BASE] = CELL_SIDE_FIELDS(RED_BASE), [RED_HEAD] = CELL_SIDE_FIELDS(RED_HEAD)};

/* ---- writing: samples ---------------------------------------------------------------------------------- */

static json_t *times_json(const uint64_t *times_ns, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, red_json_integer(times_ns[i]));
    return array;
}

static json_t *block_json(const struct red_duel_plan *plan, const struct red_block *block) {
    json_t *object = json_pack("{s:s}", "first", red_who_names[block->first]);
    char key[32];
    for (int who = 0; who < RED_WHO_N; who++) {
        snprintf(key, sizeof key, "%s_ns", red_who_names[who]);
        json_object_set_new(object, key, times_json(block->batch_ns[who], plan->batches_n));
    }
    for (size_t c = 0; c < RED_WORKLOADS_N; c++) {
        static const uint64_t none[RED_WORKLOAD_TIMES_N];
        if (c == RED_WORKLOAD_CHAIN && memcmp(block->workload_ns[c], none, sizeof none) == 0)
            continue;
        snprintf(key, sizeof key, "%s_ns", red_reference_workload_names[c]);
        json_object_set_new(object, key, times_json(block->workload_ns[c], RED_WORKLOAD_TIMES_N));
    }
    if (block->drop != RED_DROP_NONE)
        json_object_set_new(object, "drop", json_string(red_drop_names[block->drop]));
    return object;
}

static json_t *pairs_json(const struct red_duel_plan *plan, const struct red_duel_cell *cell) {
    json_t *array = json_array();
    for (size_t i = 0; i < cell->pairs_n; i++) {
        const struct red_process_pair *pair = &cell->pairs[i];
        json_t *blocks = json_array();
        for (size_t r = 0; r < pair->blocks_n; r++)
            json_array_append_new(blocks, block_json(plan, &pair->blocks[r]));
        json_array_append_new(array, json_pack("{s:i, s:i, s:s, s:o}", "stage", (int)pair->stage, "launch",
                                               (int)pair->number, "first", red_who_names[pair->first],
                                               "rounds", blocks));
    }
    return array;
}

/* ---- writing: cells ------------------------------------------------------------------------------------ */

static json_t *finding_json(const struct red_finding *finding) {
    json_t *dropped = json_object();
    for (size_t drop = RED_DROP_NONE + 1; drop < RED_DROPS_N; drop++)
        if (finding->dropped_n[drop] > 0)
            json_object_set_new(dropped, red_drop_names[drop], red_json_integer(finding->dropped_n[drop]));
    return json_pack(
        "{s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o}", "verdict",
        red_verdict_names[red_verdict_of_code(finding->code)], "code", red_verdict_code_name(finding->code),
        "stage", (int)finding->stage, "base_s", red_json_positive(finding->time_s[RED_BASE]), "head_s",
        red_json_positive(finding->time_s[RED_HEAD]), "ratio", red_json_positive(finding->ratio), "low",
        red_json_positive(finding->low), "high", red_json_positive(finding->high), "nominated",
        (int)finding->nominated, "p", finding->level > 0 ? red_json_real(finding->p) : json_null(), "level",
        red_json_positive(finding->level), "launches", red_json_integer(finding->pairs_n), "rounds",
        red_json_integer(finding->blocks_n), "dropped", dropped);
}

static json_t *cell_json(const struct red_duel *duel, const struct red_duel_cell *cell) {
    return json_pack("{s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o}",
                     "name", red_json_text(cell->name), "device", red_json_integer(cell->device), "op",
                     cell->op->name, "type", cell->dtype->name, "n", red_json_integer(cell->n), "asked",
                     red_fields_json(red_tuning_fields, &cell->asked), "base",
                     red_fields_json(cell_side_fields[RED_BASE], cell), "head",
                     red_fields_json(cell_side_fields[RED_HEAD], cell), "calls_per_batch",
                     red_json_integer(cell->calls), "margin", red_json_real(cell->margin), "budget_s",
                     red_json_real(cell->budget_s), "required", (int)cell->required, "quarantine",
                     red_json_text(cell->quarantine), "until", red_json_text(cell->until), "spent_s",
                     red_json_real(cell->spent_s), "finding", finding_json(&cell->finding), "launches",
                     pairs_json(&duel->plan, cell));
}

static json_t *shifts_json(const struct red_duel_plan *plan) {
    json_t *object = json_object();
    for (size_t c = 0; c < RED_WORKLOADS_N; c++)
        json_object_set_new(object, red_reference_workload_names[c], red_json_real(plan->workload_shift[c]));
    return object;
}

/* ---- writing: the file --------------------------------------------------------------------------------- */

static json_t *plan_json(const struct red_duel_plan *plan) {
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "launches",
                     (int)plan->pairs_n, "launches_max", (int)plan->pairs_max, "looks", (int)plan->looks_n,
                     "launches_per_look", (int)plan->look_pairs_n, "epochs", (int)plan->layouts_n, "rounds",
                     (int)plan->blocks_n, "batches", (int)plan->batches_n, "batch_s",
                     red_json_real(plan->batch_s), "nominate", red_json_real(plan->nominate),
                     "nominate_level", red_json_real(plan->nominate_level), "trim", red_json_real(plan->trim),
                     "alpha", red_json_real(plan->alpha), "control_shift", shifts_json(plan));
}

static json_t *side_json(const struct red_duel *duel, const struct red_duel_side_record *side) {
    json_t *devices = json_array(), *object = red_fields_json(side_fields, side);
    for (size_t d = 0; d < duel->devices_n; d++)
        json_array_append_new(devices, red_fields_json(device_fields, &side->devices[d]));
    json_object_set_new(object, "devices", devices);
    return object;
}

static json_t *head_json(const struct red_duel *duel) {
    return json_pack("{s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o}", "file", "clreduce duel",
                     "schema", 1, "version", CLREDUCE_VERSION, "started", red_json_text(duel->started),
                     "command", red_json_text(duel->command), "seed", red_json_integer(duel->seed), "wall_s",
                     red_json_real(duel->wall_s), "interrupted", (int)duel->interrupted, "host",
                     red_fields_json(red_host_fields, &duel->host), "plan", plan_json(&duel->plan), "base",
                     side_json(duel, &duel->sides[RED_BASE]), "head",
                     side_json(duel, &duel->sides[RED_HEAD]));
}

/* Writes a line for each member and each cell, so that the file can be read, searched and compared by lines,
 * without a line for each of 100,000 numbers. False without memory. */
static bool write_lines(const struct red_duel *duel, FILE *out) {
    const char *key;
    json_t *value, *head = head_json(duel);
    bool good = head != NULL;
    fputc('{', out);
    json_object_foreach(head, key, value) {
        fprintf(out, "\"%s\": ", key);
        good = good && json_dumpf(value, out, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17)) == 0;
        fputs(",\n", out);
    }
    json_decref(head);
    fputs("\"cells\": [", out);
    for (size_t c = 0; c < duel->cells_n && good; c++) {
        json_t *cell = cell_json(duel, &duel->cells[c]);
        fputs(c > 0 ? ",\n" : "\n", out);
        good = cell != NULL && json_dumpf(cell, out, JSON_COMPACT | JSON_REAL_PRECISION(17)) == 0;
        json_decref(cell);
    }
    fputs("\n]}\n", out);
    return good;
}

enum red_status red_duel_write(const struct red_duel *duel, const char *path, struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(path, &file, error);
    if (status != RED_OK)
        return status;
    if (write_lines(duel, file.stream) || ferror(file.stream))
        return red_file_commit(&file, error); /* the error is why writing failed */
    red_file_abandon(&file);
    return red_fail(error, RED_E_MEMORY, "no memory to write %s", path);
}

enum {
    FILE_BYTES_MAX = 256 << 20,
    MEMBERS_MAX = 64,
    CELLS_MAX = 100000,
    PAIRS_MAX = 1000,
    BLOCKS_MAX = 100000,
    LOOKS_MAX = 1000,
    COUNT_MAX = 100000
};
static const double TRIM_MAX = 0.25; /* half of the process pairs are left */

static void out_of_memory(struct red_reader *reader) {
    reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory for %.200s", reader->path);
}

static uint64_t whole_read(struct red_reader *reader, const json_t *from, const char *key, uint64_t max) {
    uint64_t number = red_take_whole(reader, from, key);
    if (number > max)
        red_reader_refuse(reader, key, "a smaller number");
    return number;
}

static void refuse_empty(struct red_reader *reader, const char *key, const char *text) {
    if (text[0] == '\0')
        red_reader_refuse(reader, key, "a text");
}

/* ---- reading: samples ---------------------------------------------------------------------------------- */

static void times_read(struct red_reader *reader, const json_t *from, const char *name, size_t n,
                       uint64_t *times_ns) {
    char key[32];
    snprintf(key, sizeof key, "%s_ns", name);
    const json_t *times = red_take_kind(reader, from, key, JSON_ARRAY, n);
    for (size_t i = 0; times != NULL && i < n; i++) {
        const json_t *time = json_array_get(times, i);
        if (!json_is_integer(time) || json_integer_value(time) < 0)
            red_reader_refuse(reader, key, "as many whole numbers from 0 as the plan has batches, or 3");
        times_ns[i] = (uint64_t)json_integer_value(time);
    }
}

static void block_read(struct red_reader *reader, const struct red_duel_plan *plan, const json_t *from,
                       struct red_block *block) {
    *block = (struct red_block){
        .first = (enum red_who)red_take_word(reader, from, "first", red_who_names, RED_WHO_N)};
    for (int who = 0; who < RED_WHO_N; who++)
        times_read(reader, from, red_who_names[who], plan->batches_n, block->batch_ns[who]);
    times_read(reader, from, red_reference_workload_names[RED_WORKLOAD_SPIN], RED_WORKLOAD_TIMES_N,
               block->workload_ns[RED_WORKLOAD_SPIN]);
    times_read(reader, from, red_reference_workload_names[RED_WORKLOAD_SWEEP], RED_WORKLOAD_TIMES_N,
               block->workload_ns[RED_WORKLOAD_SWEEP]);
    if (json_object_get(from, "chain_ns") != NULL)
        times_read(reader, from, red_reference_workload_names[RED_WORKLOAD_CHAIN], RED_WORKLOAD_TIMES_N,
                   block->workload_ns[RED_WORKLOAD_CHAIN]);
    if (json_object_get(from, "drop") != NULL)
        block->drop = (enum red_drop)red_take_word(reader, from, "drop", red_drop_names, RED_DROPS_N);
}

static void pair_read(struct red_reader *reader, const struct red_duel_plan *plan, const json_t *from,
                      struct red_duel_cell *cell) {
    struct red_process_pair pair = {
        .stage = (unsigned)red_take_chosen(reader, from, "stage", 2),
        .number = (unsigned)whole_read(reader, from, "launch", UINT_MAX),
        .first = (enum red_who)red_take_word(reader, from, "first", red_who_names, RED_WHO_N)};
    const json_t *blocks = red_take_kind(reader, from, "rounds", JSON_ARRAY, BLOCKS_MAX);
    if (pair.stage == 0)
        red_reader_refuse(reader, "stage", "1 or 2");
    for (size_t r = 0; reader->status == RED_OK && r < json_array_size(blocks); r++) {
        struct red_block block;
        block_read(reader, plan, json_array_get(blocks, r), &block);
        if (reader->status == RED_OK && red_process_pair_add_block(&pair, &block, NULL) != RED_OK)
            out_of_memory(reader);
    }
    if (reader->status == RED_OK && red_duel_cell_add_pair(cell, &pair, NULL) != RED_OK)
        out_of_memory(reader);
    if (reader->status != RED_OK)
        free(pair.blocks);
}

/* ---- reading: cells ------------------------------------------------------------------------------------ */

static void cell_side_read(struct red_reader *reader, const json_t *from, enum red_who who,
                           struct red_duel_cell *cell) {
    const json_t *side = red_take_kind(reader, from, red_who_names[who], JSON_OBJECT, MEMBERS_MAX);
    if (side == NULL)
        return;
    red_fields_read(reader, side, cell_side_fields[who], cell);
    refuse_empty(reader, "strategy", cell->strategy[who]);
}

static const struct red_field asked_field[] = {
    {RED_FIELD(struct red_duel_cell, "asked", OBJECT, asked), .members = red_tuning_fields, .may_lack = true},
    {.key = NULL}};

static void question_read(struct red_reader *reader, const json_t *from, struct red_duel_cell *cell) {
    char op[32], type[32];
    red_take_text(reader, from, "name", false, cell->name, sizeof cell->name);
    refuse_empty(reader, "name", cell->name);
    red_take_text(reader, from, "op", false, op, sizeof op);
    red_take_text(reader, from, "type", false, type, sizeof type);
    cell->op = red_op_find(op);
    cell->dtype = red_dtype_find(type);
    if (cell->op == NULL)
        red_reader_refuse(reader, "op", "an operation that this program knows");
    if (cell->dtype == NULL)
        red_reader_refuse(reader, "type", "a type that this program knows");
    cell->n = red_take_whole(reader, from, "n");
    red_fields_read(reader, from, asked_field, cell);
}

static void cell_read(struct red_reader *reader, const struct red_duel *duel, const json_t *from,
                      struct red_duel_cell *cell) {
    question_read(reader, from, cell);
    cell->device = red_take_whole(reader, from, "device");
    if (cell->device >= duel->devices_n)
        red_reader_refuse(reader, "device", "the index of one of the devices");
    cell->calls = red_take_whole(reader, from, "calls_per_batch");
    cell->margin = red_take_positive(reader, from, "margin");
    if (!(cell->margin > 0 && cell->margin <= 1))
        red_reader_refuse(reader, "margin", "a number above 0, and at most 1");
    cell->budget_s = red_take_amount(reader, from, "budget_s");
    cell->spent_s = red_take_amount(reader, from, "spent_s");
    cell->required = red_take_flag(reader, from, "required");
    red_take_text(reader, from, "quarantine", true, cell->quarantine, sizeof cell->quarantine);
    red_take_text(reader, from, "until", true, cell->until, sizeof cell->until);
    for (int who = 0; who < RED_WHO_N; who++)
        cell_side_read(reader, from, (enum red_who)who, cell);
    const json_t *pairs = red_take_kind(reader, from, "launches", JSON_ARRAY, PAIRS_MAX);
    for (size_t i = 0; reader->status == RED_OK && i < json_array_size(pairs); i++)
        pair_read(reader, &duel->plan, json_array_get(pairs, i), cell);
}

/* ---- reading: the file --------------------------------------------------------------------------------- */

static unsigned count_read(struct red_reader *reader, const json_t *from, const char *key, unsigned max) {
    unsigned count = (unsigned)red_take_chosen(reader, from, key, max);
    if (count == 0)
        red_reader_refuse(reader, key, "a whole number from 1");
    return count;
}

/* A share of one, or a length of time: above 0. */
static double share_read(struct red_reader *reader, const json_t *from, const char *key, double max) {
    double share = red_take_positive(reader, from, key);
    if (!(share > 0 && share <= max))
        red_reader_refuse(reader, key, "a number above 0 that makes sense");
    return share;
}

static void plan_read(struct red_reader *reader, const json_t *root, struct red_duel_plan *plan) {
    const json_t *from = red_take_kind(reader, root, "plan", JSON_OBJECT, MEMBERS_MAX);
    const json_t *shifts =
        from ? red_take_kind(reader, from, "control_shift", JSON_OBJECT, MEMBERS_MAX) : NULL;
    if (shifts == NULL)
        return;
    plan->pairs_n = count_read(reader, from, "launches", PAIRS_MAX);
    plan->pairs_max = count_read(reader, from, "launches_max", PAIRS_MAX);
    plan->looks_n = count_read(reader, from, "looks", LOOKS_MAX);
    plan->look_pairs_n = count_read(reader, from, "launches_per_look", PAIRS_MAX);
    plan->layouts_n = count_read(reader, from, "epochs", COUNT_MAX);
    plan->blocks_n = count_read(reader, from, "rounds", BLOCKS_MAX);
    plan->batches_n = count_read(reader, from, "batches", RED_BLOCK_BATCHES_MAX);
    plan->batch_s = share_read(reader, from, "batch_s", 3600);
    plan->nominate = share_read(reader, from, "nominate", 1);
    plan->nominate_level = share_read(reader, from, "nominate_level", 0.5);
    if (json_object_get(from, "trim") != NULL) /* there are files older than it */
        plan->trim = red_take_amount(reader, from, "trim");
    if (plan->trim > TRIM_MAX)
        red_reader_refuse(reader, "trim", "a share up to 0.25");
    plan->alpha = share_read(reader, from, "alpha", 0.5);
    for (size_t c = 0; c < RED_WORKLOADS_N; c++)
        plan->workload_shift[c] = share_read(reader, shifts, red_reference_workload_names[c], 1000);
}

static void side_read(struct red_reader *reader, const json_t *root, enum red_who who,
                      struct red_duel *duel) {
    struct red_duel_side_record *side = &duel->sides[who];
    const json_t *from = red_take_kind(reader, root, red_who_names[who], JSON_OBJECT, MEMBERS_MAX);
    const json_t *devices =
        from ? red_take_kind(reader, from, "devices", JSON_ARRAY, RED_DUEL_DEVICES_MAX) : NULL;
    if (devices == NULL)
        return;
    red_fields_read(reader, from, side_fields, side);
    if (who == RED_HEAD && json_array_size(devices) != duel->devices_n)
        red_reader_refuse(reader, "head.devices", "as many as the base has");
    duel->devices_n = json_array_size(devices);
    for (size_t d = 0; d < duel->devices_n; d++) {
        red_fields_read(reader, json_array_get(devices, d), device_fields, &side->devices[d]);
        refuse_empty(reader, "id", side->devices[d].id);
    }
}

static const struct red_field host_field[] = {
    {RED_FIELD(struct red_duel, "host", OBJECT, host), .members = red_host_fields}, {.key = NULL}};

static void head_read(struct red_reader *reader, const json_t *root, struct red_duel *duel) {
    const char *file = json_string_value(json_object_get(root, "file"));
    if (file == NULL || strcmp(file, "clreduce duel") != 0 ||
        json_integer_value(json_object_get(root, "schema")) != 1)
        red_reader_refuse(reader, "schema", "1: a file of clreduce duel");
    red_take_text(reader, root, "started", true, duel->started, sizeof duel->started);
    red_take_text(reader, root, "command", true, duel->command, sizeof duel->command);
    duel->seed = red_take_whole(reader, root, "seed");
    duel->wall_s = red_take_amount(reader, root, "wall_s");
    duel->interrupted = red_take_flag(reader, root, "interrupted");
    red_fields_read(reader, root, host_field, duel);
}

enum red_status red_duel_read(const char *path, const char *text, size_t text_n, struct red_duel *duel,
                              struct red_error *error) {
    struct red_reader reader = {.path = path, .error = error};
    *duel = (struct red_duel){.cells_n = 0};
    json_t *root = red_reader_root(&reader, "file of a duel", text, text_n);
    if (root == NULL)
        return reader.status;
    head_read(&reader, root, duel);
    plan_read(&reader, root, &duel->plan);
    for (int who = 0; who < RED_WHO_N; who++)
        side_read(&reader, root, (enum red_who)who, duel);
    const json_t *cells = red_take_kind(&reader, root, "cells", JSON_ARRAY, CELLS_MAX);
    duel->cells = calloc(json_array_size(cells) + 1, sizeof *duel->cells);
    if (duel->cells == NULL)
        out_of_memory(&reader);
    while (reader.status == RED_OK && duel->cells_n < json_array_size(cells)) {
        snprintf(reader.where, sizeof reader.where, "cells[%zu]", duel->cells_n);
        struct red_duel_cell *cell = &duel->cells[duel->cells_n];
        cell_read(&reader, duel, json_array_get(cells, duel->cells_n++), cell);
    }
    json_decref(root);
    if (reader.status != RED_OK)
        red_duel_clear(duel);
    return reader.status;
}

enum red_status red_duel_load(const char *path, struct red_duel *duel, struct red_error *error) {
    char *text = NULL;
    size_t n = 0;
    *duel = (struct red_duel){.cells_n = 0};
    enum red_status status = red_file_read(path, "file of a duel", FILE_BYTES_MAX, &text, &n, error);
    if (status == RED_OK)
        status = red_duel_read(path, text, n, duel, error);
    free(text);
    return status;
}
