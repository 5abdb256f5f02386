/* The file of `duel` (--output, --replay; results/duel.schema.json): written with every sample, and read
 * back with every value checked, so that a damaged file is an error message ("a.json: cells[3].n: expected
 * ..."), by the table at its end. cli/cmd_duel.c hands in the duel, as it was measured or replayed, and the
 * path of --replay. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "gate/duel.h"
#include "model/bins.h"
#include "results/json.h"

enum {
    FILE_BYTES_MAX = 256 << 20,
    MEMBERS_MAX = 64,
    CELLS_MAX = 100000,
    PAIRS_MAX = 1000,
    BLOCKS_MAX = 100000,
    LOOKS_MAX = 1000,
    COUNT_MAX = 100000,
    DIGITS = 17
};

/* ---- samples ------------------------------------------------------------------------------------------- */

static bool has_chain(const void *block_record) {
    static const uint64_t none[RED_WORKLOAD_TIMES_N];
    return memcmp(((const struct red_block *)block_record)->workload_ns[RED_WORKLOAD_CHAIN], none,
                  sizeof none) != 0;
}

#define BLOCK(key, kind, member) RED_FIELD(struct red_block, key, kind, member)
#define WORKLOAD(key, workload)                                                                              \
    BLOCK(key, WHOLES, workload_ns[RED_WORKLOAD_##workload]),                                                \
        RED_ELEMENTS(struct red_block, workload_ns[RED_WORKLOAD_##workload])
static const struct red_field block_fields[] = {
    {BLOCK("first", NAMED, first), RED_NAMES(red_who_names)},
    {BLOCK("base_ns", WHOLES, batch_ns[RED_BASE]), RED_ELEMENTS(struct red_block, batch_ns[RED_BASE]),
     RED_COUNT(struct red_block, batches_n)},
    {BLOCK("head_ns", WHOLES, batch_ns[RED_HEAD]), RED_ELEMENTS(struct red_block, batch_ns[RED_HEAD]),
     RED_COUNT(struct red_block, batches_n), .of.as_many = "as many as the base has"},
    {WORKLOAD("spin_ns", SPIN)},
    {WORKLOAD("sweep_ns", SWEEP)},
    {WORKLOAD("chain_ns", CHAIN), .known = has_chain, .may_lack = true},
    {BLOCK("drop", NAMED, drop), RED_NAMES(red_drop_names), RED_IF_SET(struct red_block, drop),
     .may_lack = true},
    {.key = NULL}};

/* One of the "rounds" of a pair; `reading` is the duel, whose plan has been read. */
static void block_read(struct red_reader *reader, json_t *from, void *pair_record, size_t i) {
    struct red_process_pair *pair = pair_record;
    const struct red_duel *duel = reader->reading;
    red_fields_read(reader, from, block_fields, &pair->blocks[i]);
    if (pair->blocks[i].batches_n != duel->plan.batches_n)
        red_reader_refuse(reader, "base_ns", "as many whole numbers from 0 as the plan has batches");
}

#define PAIR(key, kind, member) RED_FIELD(struct red_process_pair, key, kind, member)
static const struct red_field pair_fields[] = {{PAIR("stage", FROM_ONE, stage), .max = 2},
                                               {PAIR("launch", WHOLE, number)},
                                               {PAIR("first", NAMED, first), RED_NAMES(red_who_names)},
                                               {PAIR("rounds", LIST, blocks), .members = block_fields,
                                                .max = BLOCKS_MAX, RED_OWNED(struct red_process_pair, blocks),
                                                RED_COUNT(struct red_process_pair, blocks_n),
                                                .of.read = block_read},
                                               {.key = NULL}};

/* ---- cells --------------------------------------------------------------------------------------------- */

/* A field of one side of a cell. */
#define CELL_SIDE(key, kind, member) RED_FIELD(struct red_duel_cell, key, kind, member)
#define CELL_SIDE_FIELDS(who)                                                                                \
    {                                                                                                        \
        {CELL_SIDE("strategy", NAME, strategy[who])}, {CELL_SIDE("state", STATE, state[who])},               \
            {CELL_SIDE("reason", TEXT, reason[who])}, {CELL_SIDE("call_s", POSITIVE, call_s[who])},          \
            {CELL_SIDE("geometry", OBJECT, geometry[who]), .members = red_geometry_fields,                   \
             .only = "group_size groups"},                                                                   \
            {.key = NULL},                                                                                   \
    }
static const struct red_field cell_side_fields[RED_WHO_N][6] = {
    [RED_BASE] = CELL_SIDE_FIELDS(RED_BASE), [RED_HEAD] = CELL_SIDE_FIELDS(RED_HEAD)};

/* The verdict and its figures: for the reader of the file only, --replay judges anew. */
static json_t *finding_json(const void *member) {
    const struct red_finding *finding = member;
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

#define CELL(key, kind, member) RED_FIELD(struct red_duel_cell, key, kind, member)
#define CELL_SIDE_OF(json_key, who)                                                                          \
    .key = (json_key), .kind = RED_FIELD_OBJECT, .members = cell_side_fields[who], .max = MEMBERS_MAX
static const struct red_field cell_fields[] = {
    {CELL("name", NAME, name)},
    {CELL("device", WHOLE, device)},
    {CELL("", WITHIN, at), .members = red_at_fields, .only = "op type n bins asked"},
    {CELL_SIDE_OF("base", RED_BASE)},
    {CELL_SIDE_OF("head", RED_HEAD)},
    {CELL("calls_per_batch", WHOLE, calls)},
    {CELL("margin", ABOVE_ZERO, margin), .most = 1},
    {CELL("budget_s", FROM_ZERO, budget_s)},
    {CELL("required", FLAG, required)},
    {CELL("quarantine", TEXT, quarantine)},
    {CELL("until", TEXT, until)},
    {CELL("spent_s", FROM_ZERO, spent_s)},
    {CELL("finding", OWN, finding), .may_lack = true, .write = finding_json},
    {CELL("launches", LIST, pairs), .members = pair_fields, .max = PAIRS_MAX,
     RED_OWNED(struct red_duel_cell, pairs), RED_COUNT(struct red_duel_cell, pairs_n)},
    {.key = NULL}};

static void cell_read(struct red_reader *reader, json_t *from, void *duel_record, size_t i) {
    struct red_duel *duel = duel_record;
    red_fields_read(reader, from, cell_fields, &duel->cells[i]);
    if (duel->cells[i].device >= duel->devices_n)
        red_reader_refuse(reader, "device", "the index of one of the devices");
}

/* ---- the file ------------------------------------------------------------------------------------------ */

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

/* What is recorded of a side, as members of the duel, which has as many devices on either side. */
#define DUEL(key, kind, member) RED_FIELD(struct red_duel, key, kind, member)
#define SIDE_FIELDS(who, expected)                                                                           \
    {                                                                                                        \
        {DUEL("program", TEXT, sides[who].program)}, {DUEL("version", TEXT, sides[who].version)},            \
            {DUEL("kernel", TEXT, sides[who].kernel)}, {DUEL("environment", TEXT, sides[who].environment)},  \
            {DUEL("devices", LIST, sides[who].devices), .members = red_device_info_fields,                   \
             .only = "id name platform driver",         RED_ELEMENTS(struct red_duel, sides[who].devices),   \
             RED_COUNT(struct red_duel, devices_n),     .of.as_many = (expected)},                           \
            {.key = NULL},                                                                                   \
    }
static const struct red_field side_fields[RED_WHO_N][6] = {
    [RED_BASE] = SIDE_FIELDS(RED_BASE, NULL), [RED_HEAD] = SIDE_FIELDS(RED_HEAD, "as many as the base has")};

#define CHECKED(key, member, who)                                                                            \
    DUEL(key, COUNT, member[who]), RED_IF_SET(struct red_duel, to_check_n[who]), .may_lack = true
static const struct red_field duel_fields[] = {
    {DUEL("started", TEXT, started)},
    {DUEL("command", TEXT, command)},
    {DUEL("seed", WHOLE, seed)},
    {DUEL("wall_s", FROM_ZERO, wall_s)},
    {DUEL("interrupted", FLAG, interrupted)},
    {CHECKED("base_n_checked", checked_n, RED_BASE)},
    {CHECKED("base_n_to_check", to_check_n, RED_BASE)},
    {CHECKED("head_n_checked", checked_n, RED_HEAD)},
    {CHECKED("head_n_to_check", to_check_n, RED_HEAD)},
    {DUEL("host", OBJECT, host), .members = red_host_fields},
    {DUEL("plan", OBJECT, plan), .members = plan_fields, .max = MEMBERS_MAX},
    {.key = "base", .kind = RED_FIELD_OBJECT, .members = side_fields[RED_BASE], .max = MEMBERS_MAX},
    {.key = "head", .kind = RED_FIELD_OBJECT, .members = side_fields[RED_HEAD], .max = MEMBERS_MAX},
    {DUEL("cells", LIST, cells), .members = cell_fields, .max = CELLS_MAX, RED_OWNED(struct red_duel, cells),
     RED_COUNT(struct red_duel, cells_n), .of.lines = true, .of.read = cell_read},
    {.key = NULL}};

static const struct red_file_kind duel_file = {.what = "file of a duel",
                                               .name_key = "file",
                                               .name = "clreduce duel",
                                               .name_words = "a file of clreduce duel --output",
                                               .version_key = "schema",
                                               .version = 1,
                                               .program_key = "version",
                                               .fields = duel_fields,
                                               .arrays = {"cells"},
                                               .digits = DIGITS,
                                               .end = "\n]"};

/* A red_file_writer, for --output. */
static enum red_status duel_print(const void *duel, FILE *out, struct red_error *error) {
    return red_file_kind_print(&duel_file, duel, out, error);
}

enum red_status red_duel_write(const struct red_duel *duel, const char *path, struct red_error *error) {
    return red_file_write(path, duel_print, duel, error);
}

/* Only red_duel_load and tests call it. */
enum red_status red_duel_read(const char *path, const char *text, size_t text_n, struct red_duel *duel,
                              struct red_error *error) {
    *duel = (struct red_duel){.cells_n = 0};
    const enum red_status status = red_file_kind_read(&duel_file, path, text, text_n, duel, duel, error);
    if (status != RED_OK)
        red_duel_clear(duel);
    return status;
}

/* For --replay. */
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
