/* The file of `duel` (--output, --replay; results/duel.schema.json): written with every sample, and read
 * back with every value checked, so that a damaged file is an error message ("a.json: cells[3].n: expected
 * ..."). X_json makes an X of the duel, X_read reads one from its JSON; NULL from X_json: no memory.
 * cli/cmd_duel.c hands in the duel, as it was measured or replayed, and the path of --replay. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "gate/duel.h"
#include "model/bins.h"
#include "results/json.h"
#include "results/ranks.h"

enum {
    FILE_BYTES_MAX = 256 << 20,
    MEMBERS_MAX = 64,
    CELLS_MAX = 100000,
    PAIRS_MAX = 1000,
    BLOCKS_MAX = 100000,
    LOOKS_MAX = 1000,
    COUNT_MAX = 100000
};

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

/* A field of one side of a cell. */
#define CELL_SIDE(key, kind, member) RED_FIELD(struct red_duel_cell, key, kind, member)
#define CELL_SIDE_FIELDS(who)                                                                                \
    {                                                                                                        \
        {CELL_SIDE("strategy", NAME, strategy[who])}, {CELL_SIDE("state", STATE, state[who])},               \
            {CELL_SIDE("reason", TEXT, reason[who])}, {CELL_SIDE("call_s", POSITIVE, call_s[who])},          \
            {CELL_SIDE("geometry", OBJECT, geometry[who]), .members = geometry_fields}, {.key = NULL},       \
    }
static const struct red_field cell_side_fields[RED_WHO_N][6] = {
    [RED_BASE] = CELL_SIDE_FIELDS(RED_BASE), [RED_HEAD] = CELL_SIDE_FIELDS(RED_HEAD)};

/* Called through cell_fields: the operation and the type of a cell, by their names; `member` is the cell's
 * pointer to it. */
static json_t *op_json(const void *member) {
    return json_string((*(const struct red_op *const *)member)->name);
}

static void op_read(struct red_reader *reader, const json_t *from, const char *key, void *member) {
    char name[32];
    red_take_text(reader, from, key, false, name, sizeof name);
    if ((*(const struct red_op **)member = red_op_find(name)) == NULL)
        red_reader_refuse(reader, key, "an operation that this program knows");
}

static json_t *type_json(const void *member) {
    return json_string((*(const struct red_dtype *const *)member)->name);
}

static void type_read(struct red_reader *reader, const json_t *from, const char *key, void *member) {
    char name[32];
    red_take_text(reader, from, key, false, name, sizeof name);
    if ((*(const struct red_dtype **)member = red_dtype_find(name)) == NULL)
        red_reader_refuse(reader, key, "a type that this program knows");
}

#define CELL(key, kind, member) RED_FIELD(struct red_duel_cell, key, kind, member)
#define CELL_SIDE_OF(json_key, who)                                                                          \
    .key = (json_key), .kind = RED_FIELD_OBJECT, .members = cell_side_fields[who], .max = MEMBERS_MAX
static const struct red_field cell_fields[] = {
    {CELL("name", NAME, name)},
    {CELL("device", WHOLE, device)},
    {CELL("op", OWN, op), .write = op_json, .read = op_read},
    {CELL("type", OWN, dtype), .write = type_json, .read = type_read},
    {CELL("n", WHOLE, n)},
    {CELL("bins", CHOSEN, bins_n), .max = RED_BINS_MAX, RED_IF_SET(struct red_duel_cell, bins_n),
     .may_lack = true},
    {CELL("asked", OBJECT, asked), .members = red_tuning_fields},
    {CELL_SIDE_OF("base", RED_BASE)},
    {CELL_SIDE_OF("head", RED_HEAD)},
    {CELL("calls_per_batch", WHOLE, calls)},
    {CELL("margin", ABOVE_ZERO, margin), .most = 1},
    {CELL("budget_s", FROM_ZERO, budget_s)},
    {CELL("required", FLAG, required)},
    {CELL("quarantine", TEXT, quarantine)},
    {CELL("until", TEXT, until)},
    {CELL("spent_s", FROM_ZERO, spent_s)},
    {.key = NULL}};

#define PLAN(key, kind, member) RED_FIELD(struct red_duel_plan, key, kind, member)
#define SHIFT(key, workload)                                                                                 \
    { PLAN(key, ABOVE_ZERO, workload_shift[RED_WORKLOAD_##workload]), .most = 1000 }
static const struct red_field shift_fields[] = {
    SHIFT("spin", SPIN), SHIFT("sweep", SWEEP), SHIFT("chain", CHAIN), {.key = NULL}};

/* Half of the process pairs are left by the largest trim. */
static const struct red_field plan_fields[] = {
    {PLAN("launches", FROM_ONE, pairs_n), .max = PAIRS_MAX},
    {PLAN("launches_max", FROM_ONE, pairs_max), .max = PAIRS_MAX},
    {PLAN("looks", FROM_ONE, looks_n), .max = LOOKS_MAX},
    {PLAN("launches_per_look", FROM_ONE, look_pairs_n), .max = PAIRS_MAX},
    {PLAN("epochs", FROM_ONE, layouts_n), .max = COUNT_MAX},
    {PLAN("rounds", FROM_ONE, blocks_n), .max = BLOCKS_MAX},
    {PLAN("batches", FROM_ONE, batches_n), .max = RED_BLOCK_BATCHES_MAX},
    {PLAN("batch_s", ABOVE_ZERO, batch_s), .most = 3600},
    {PLAN("nominate", ABOVE_ZERO, nominate), .most = 1},
    {PLAN("nominate_level", ABOVE_ZERO, nominate_level), .most = 0.5},
    {PLAN("trim", FROM_ZERO, trim), .most = 0.25},
    {PLAN("alpha", ABOVE_ZERO, alpha), .most = 0.5},
    {.key = "control_shift", .kind = RED_FIELD_OBJECT, .members = shift_fields, .max = MEMBERS_MAX},
    {.key = NULL}};

#define DUEL(key, kind, member) RED_FIELD(struct red_duel, key, kind, member)
static const struct red_field duel_fields[] = {
    {DUEL("started", TEXT, started)},
    {DUEL("command", TEXT, command)},
    {DUEL("seed", WHOLE, seed)},
    {DUEL("wall_s", FROM_ZERO, wall_s)},
    {DUEL("interrupted", FLAG, interrupted)},
    {DUEL("base_n_checked", COUNT, checked_n[RED_BASE]), RED_IF_SET(struct red_duel, to_check_n[RED_BASE]),
     .may_lack = true},
    {DUEL("base_n_to_check", COUNT, to_check_n[RED_BASE]), RED_IF_SET(struct red_duel, to_check_n[RED_BASE]),
     .may_lack = true},
    {DUEL("head_n_checked", COUNT, checked_n[RED_HEAD]), RED_IF_SET(struct red_duel, to_check_n[RED_HEAD]),
     .may_lack = true},
    {DUEL("head_n_to_check", COUNT, to_check_n[RED_HEAD]), RED_IF_SET(struct red_duel, to_check_n[RED_HEAD]),
     .may_lack = true},
    {DUEL("host", OBJECT, host), .members = red_host_fields},
    {DUEL("plan", OBJECT, plan), .members = plan_fields, .max = MEMBERS_MAX},
    {.key = NULL}};

/* ---- writing: samples ---------------------------------------------------------------------------------- */

/* "base_ns", "spin_ns" and such of a block. */
static json_t *times_json(const uint64_t *times_ns, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, red_json_integer(times_ns[i]));
    return array;
}

/* One of the "rounds". */
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

/* "launches" of a cell. */
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

/* The verdict and its figures: for the reader of the file only, --replay judges anew. */
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

/* One of the "cells". */
static json_t *cell_json(const struct red_duel *duel, const struct red_duel_cell *cell) {
    json_t *object = red_fields_json(cell_fields, cell);
    json_object_set_new(object, "finding", finding_json(&cell->finding));
    json_object_set_new(object, "launches", pairs_json(&duel->plan, cell));
    return object;
}

/* ---- writing: the file --------------------------------------------------------------------------------- */

/* "base" or "head". */
static json_t *side_json(const struct red_duel *duel, const struct red_duel_side_record *side) {
    json_t *devices = json_array(), *object = red_fields_json(side_fields, side);
    for (size_t d = 0; d < duel->devices_n; d++)
        json_array_append_new(devices, red_fields_json(device_fields, &side->devices[d]));
    json_object_set_new(object, "devices", devices);
    return object;
}

/* All members of the file but the cells: the duel's own, and its two sides. */
static json_t *all_but_cells_json(const struct red_duel *duel) {
    json_t *head = red_fields_add(
        json_pack("{s:s, s:i, s:s}", "file", "clreduce duel", "schema", 1, "version", CLREDUCE_VERSION),
        duel_fields, duel);
    for (int who = 0; who < RED_WHO_N; who++)
        json_object_set_new(head, red_who_names[who], side_json(duel, &duel->sides[who]));
    return head;
}

/* Writes a line for each member and each cell, so that the file can be read, searched and compared by lines,
 * without a line for each of 100,000 numbers. False without memory. */
static bool write_duel_lines(const struct red_duel *duel, FILE *out) {
    const char *key;
    json_t *value, *head = all_but_cells_json(duel);
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

/* For --output. */
enum red_status red_duel_write(const struct red_duel *duel, const char *path, struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(path, &file, error);
    if (status != RED_OK)
        return status;
    if (write_duel_lines(duel, file.stream) || ferror(file.stream))
        return red_file_commit(&file, error); /* the error is why writing failed */
    red_file_abandon(&file);
    return red_fail(error, RED_E_MEMORY, "no memory to write %s", path);
}

/* Refuses a name that is there and empty. */
static void refuse_empty(struct red_reader *reader, const char *key, const char *text) {
    if (text[0] == '\0')
        red_reader_refuse(reader, key, "a text");
}

/* ---- reading: samples ---------------------------------------------------------------------------------- */

/* Reads n times of the member "NAME_ns". */
static void times_read(struct red_reader *reader, const json_t *from, const char *name, size_t n,
                       uint64_t *times_ns) {
    char key[32];
    snprintf(key, sizeof key, "%s_ns", name);
    const json_t *times = red_take_container(reader, from, key, JSON_ARRAY, n);
    for (size_t i = 0; times != NULL && i < n; i++) {
        const json_t *time = json_array_get(times, i);
        if (!json_is_integer(time) || json_integer_value(time) < 0)
            red_reader_refuse(reader, key, "as many whole numbers from 0 as the plan has batches, or 3");
        times_ns[i] = (uint64_t)json_integer_value(time);
    }
}

/* Reads one of the "rounds". */
static void block_read(struct red_reader *reader, const struct red_duel_plan *plan, const json_t *from,
                       struct red_block *block) {
    *block = (struct red_block){
        .first = (enum red_who)red_take_word(reader, from, "first", red_who_names, RED_WHO_N)};
    for (int who = 0; who < RED_WHO_N; who++)
        times_read(reader, from, red_who_names[who], plan->batches_n, block->batch_ns[who]);
    for (size_t c = 0; c < RED_WORKLOADS_N; c++)
        if (c != RED_WORKLOAD_CHAIN || json_object_get(from, "chain_ns") != NULL)
            times_read(reader, from, red_reference_workload_names[c], RED_WORKLOAD_TIMES_N,
                       block->workload_ns[c]);
    if (json_object_get(from, "drop") != NULL)
        block->drop = (enum red_drop)red_take_word(reader, from, "drop", red_drop_names, RED_DROPS_N);
}

/* Reads a process pair with its blocks and adds it to the cell. */
static void pair_read(struct red_reader *reader, const struct red_duel_plan *plan, const json_t *from,
                      struct red_duel_cell *cell) {
    const uint64_t number = red_take_whole(reader, from, "launch");
    struct red_process_pair pair = {
        .stage = (unsigned)red_take_chosen(reader, from, "stage", 2),
        .number = (unsigned)number,
        .first = (enum red_who)red_take_word(reader, from, "first", red_who_names, RED_WHO_N)};
    const json_t *blocks = red_take_container(reader, from, "rounds", JSON_ARRAY, BLOCKS_MAX);
    if (number > UINT_MAX)
        red_reader_refuse(reader, "launch", "a smaller number");
    if (pair.stage == 0)
        red_reader_refuse(reader, "stage", "1 or 2");
    for (size_t r = 0; reader->status == RED_OK && r < json_array_size(blocks); r++) {
        struct red_block block;
        block_read(reader, plan, json_array_get(blocks, r), &block);
        if (reader->status == RED_OK && !red_process_pair_add_block(&pair, &block))
            red_reader_fail_memory(reader);
    }
    if (reader->status == RED_OK && red_duel_cell_add_pair(cell, &pair, NULL) != RED_OK)
        red_reader_fail_memory(reader);
    if (reader->status != RED_OK)
        free(pair.blocks);
}

/* ---- reading: cells ------------------------------------------------------------------------------------ */

/* Reads all of a cell but the finding, which red_duel_judge makes anew. */
static void cell_read(struct red_reader *reader, const struct red_duel *duel, const json_t *from,
                      struct red_duel_cell *cell) {
    red_fields_read(reader, from, cell_fields, cell);
    refuse_empty(reader, "name", cell->name);
    for (int who = 0; who < RED_WHO_N; who++)
        refuse_empty(reader, "strategy", cell->strategy[who]);
    if (cell->device >= duel->devices_n)
        red_reader_refuse(reader, "device", "the index of one of the devices");
    const json_t *pairs = red_take_container(reader, from, "launches", JSON_ARRAY, PAIRS_MAX);
    for (size_t i = 0; reader->status == RED_OK && i < json_array_size(pairs); i++)
        pair_read(reader, &duel->plan, json_array_get(pairs, i), cell);
}

/* ---- reading: the file --------------------------------------------------------------------------------- */

/* Reads what is recorded of a side, and how many devices there are. */
static void side_read(struct red_reader *reader, const json_t *root, enum red_who who,
                      struct red_duel *duel) {
    struct red_duel_side_record *side = &duel->sides[who];
    const json_t *from = red_take_container(reader, root, red_who_names[who], JSON_OBJECT, MEMBERS_MAX);
    const json_t *devices =
        from ? red_take_container(reader, from, "devices", JSON_ARRAY, RED_DUEL_DEVICES_MAX) : NULL;
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

/* Checks the schema, and reads what is neither of a side nor of a cell. */
static void duel_fields_read(struct red_reader *reader, const json_t *root, struct red_duel *duel) {
    const char *file = json_string_value(json_object_get(root, "file"));
    if (file == NULL || strcmp(file, "clreduce duel") != 0 ||
        json_integer_value(json_object_get(root, "schema")) != 1)
        red_reader_refuse(reader, "schema", "1: a file of clreduce duel");
    red_fields_read(reader, root, duel_fields, duel);
}

/* Only red_duel_load and tests call it. */
enum red_status red_duel_read(const char *path, const char *text, size_t text_n, struct red_duel *duel,
                              struct red_error *error) {
    struct red_reader reader = {.path = path, .error = error};
    *duel = (struct red_duel){.cells_n = 0};
    json_t *root = red_reader_root(&reader, "file of a duel", text, text_n);
    if (root == NULL)
        return reader.status;
    duel_fields_read(&reader, root, duel);
    for (int who = 0; who < RED_WHO_N; who++)
        side_read(&reader, root, (enum red_who)who, duel);
    const json_t *cells = red_take_container(&reader, root, "cells", JSON_ARRAY, CELLS_MAX);
    duel->cells = calloc(json_array_size(cells) + 1, sizeof *duel->cells);
    if (duel->cells == NULL)
        red_reader_fail_memory(&reader);
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

/* For --replay. */
enum red_status red_duel_load(const char *path, struct red_duel *duel, struct red_error *error) {
    char *text = NULL;
    size_t n = 0;
    *duel = (struct red_duel){.cells_n = 0};
    enum red_status status = red_file_read(path, "file of a duel", FILE_BYTES_MAX, &text, &n, error);
    if (status == RED_OK)
        status = red_ranks_run_refuse_text(path, text, n, "a file of clreduce duel --output", error);
    if (status == RED_OK)
        status = red_duel_read(path, text, n, duel, error);
    free(text);
    return status;
}
