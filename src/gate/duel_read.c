#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "gate/duel_file.h"
#include "results/tables.h"

enum {
    FILE_BYTES_MAX = 256 << 20,
    MEMBERS_MAX = 64,
    CELLS_MAX = 100000,
    LAUNCHES_MAX = 1000,
    ROUNDS_MAX = 100000,
    LOOKS_MAX = 1000,
    COUNT_MAX = 100000
};
static const double TRIM_MAX = 0.25; /* half of the launches are left */

static void out_of_memory(struct red_reader *reader) {
    reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory for %.200s", reader->path);
}

static uint64_t whole_read(struct red_reader *reader, const json_t *from, const char *key, uint64_t max) {
    uint64_t number = red_take_whole(reader, from, key);
    if (number > max)
        red_reader_refuse(reader, key, "a smaller number");
    return number;
}

/* A text that is not empty. */
static void name_read(struct red_reader *reader, const json_t *from, const char *key, char *text,
                      size_t text_bytes) {
    red_take_text(reader, from, key, false, text, text_bytes);
    if (text[0] == '\0')
        red_reader_refuse(reader, key, "a text");
}

/* ---- samples ---------------------------------------------------------------------------------------------
 */

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

static void round_read(struct red_reader *reader, const struct red_duel_plan *plan, const json_t *from,
                       struct red_round *round) {
    *round = (struct red_round){
        .first = (enum red_who)red_take_word(reader, from, "first", red_who_names, RED_WHO_N)};
    for (int who = 0; who < RED_WHO_N; who++)
        times_read(reader, from, red_who_names[who], plan->batches_n, round->batch_ns[who]);
    times_read(reader, from, red_control_names[RED_CONTROL_SPIN], RED_CONTROL_TIMES_N,
               round->control_ns[RED_CONTROL_SPIN]);
    times_read(reader, from, red_control_names[RED_CONTROL_SWEEP], RED_CONTROL_TIMES_N,
               round->control_ns[RED_CONTROL_SWEEP]);
    if (json_object_get(from, "chain_ns") != NULL)
        times_read(reader, from, red_control_names[RED_CONTROL_CHAIN], RED_CONTROL_TIMES_N,
                   round->control_ns[RED_CONTROL_CHAIN]);
    if (json_object_get(from, "drop") != NULL)
        round->drop = (enum red_drop)red_take_word(reader, from, "drop", red_drop_names, RED_DROPS_N);
}

static void series_read(struct red_reader *reader, const struct red_duel_plan *plan, const json_t *from,
                        struct red_duel_cell *cell) {
    struct red_series series = {
        .stage = (unsigned)red_take_chosen(reader, from, "stage", 2),
        .launch = (unsigned)whole_read(reader, from, "launch", UINT_MAX),
        .first = (enum red_who)red_take_word(reader, from, "first", red_who_names, RED_WHO_N)};
    const json_t *rounds = red_take_kind(reader, from, "rounds", JSON_ARRAY, ROUNDS_MAX);
    if (series.stage == 0)
        red_reader_refuse(reader, "stage", "1 or 2");
    for (size_t r = 0; reader->status == RED_OK && r < json_array_size(rounds); r++) {
        struct red_round round;
        round_read(reader, plan, json_array_get(rounds, r), &round);
        if (reader->status == RED_OK && red_series_add(&series, &round, NULL) != RED_OK)
            out_of_memory(reader);
    }
    if (reader->status == RED_OK && red_duel_add_series(cell, &series, NULL) != RED_OK)
        out_of_memory(reader);
    if (reader->status != RED_OK)
        free(series.rounds);
}

/* ---- cells -----------------------------------------------------------------------------------------------
 */

static void cell_side_read(struct red_reader *reader, const json_t *from, enum red_who who,
                           struct red_duel_cell *cell) {
    const json_t *side = red_take_kind(reader, from, red_who_names[who], JSON_OBJECT, MEMBERS_MAX);
    if (side == NULL)
        return;
    name_read(reader, side, "strategy", cell->strategy[who], sizeof cell->strategy[who]);
    cell->state[who] = red_take_state(reader, side, "state");
    red_take_text(reader, side, "reason", true, cell->reason[who], sizeof cell->reason[who]);
    cell->call_s[who] = red_take_positive(reader, side, "call_s");
    const json_t *geometry = red_take_kind(reader, side, "geometry", JSON_OBJECT, MEMBERS_MAX);
    cell->geometry[who] =
        (struct red_geometry){.group_size = (size_t)red_take_whole(reader, geometry, "group_size"),
                              .groups_n = red_take_whole(reader, geometry, "groups")};
}

static const struct red_field asked_field[] = {
    {RED_FIELD(struct red_duel_cell, "asked", OBJECT, asked), .members = red_tuning_fields, .may_lack = true},
    {.key = NULL}};

static void question_read(struct red_reader *reader, const json_t *from, struct red_duel_cell *cell) {
    char op[32], type[32];
    name_read(reader, from, "name", cell->name, sizeof cell->name);
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
    const json_t *launches = red_take_kind(reader, from, "launches", JSON_ARRAY, LAUNCHES_MAX);
    for (size_t i = 0; reader->status == RED_OK && i < json_array_size(launches); i++)
        series_read(reader, &duel->plan, json_array_get(launches, i), cell);
}

/* ---- the file --------------------------------------------------------------------------------------------
 */

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
    plan->launches_n = count_read(reader, from, "launches", LAUNCHES_MAX);
    plan->launches_max = count_read(reader, from, "launches_max", LAUNCHES_MAX);
    plan->looks_n = count_read(reader, from, "looks", LOOKS_MAX);
    plan->look_launches_n = count_read(reader, from, "launches_per_look", LAUNCHES_MAX);
    plan->epochs_n = count_read(reader, from, "epochs", COUNT_MAX);
    plan->rounds_n = count_read(reader, from, "rounds", ROUNDS_MAX);
    plan->batches_n = count_read(reader, from, "batches", RED_TURN_BATCHES_MAX);
    plan->batch_s = share_read(reader, from, "batch_s", 3600);
    plan->nominate = share_read(reader, from, "nominate", 1);
    plan->nominate_level = share_read(reader, from, "nominate_level", 0.5);
    if (json_object_get(from, "trim") != NULL) /* there are files older than it */
        plan->trim = red_take_amount(reader, from, "trim");
    if (plan->trim > TRIM_MAX)
        red_reader_refuse(reader, "trim", "a share up to 0.25");
    plan->alpha = share_read(reader, from, "alpha", 0.5);
    for (size_t c = 0; c < RED_CONTROLS_N; c++)
        plan->control_shift[c] = share_read(reader, shifts, red_control_names[c], 1000);
}

static void side_read(struct red_reader *reader, const json_t *root, enum red_who who,
                      struct red_duel *duel) {
    struct red_duel_side *side = &duel->sides[who];
    const json_t *from = red_take_kind(reader, root, red_who_names[who], JSON_OBJECT, MEMBERS_MAX);
    const json_t *devices =
        from ? red_take_kind(reader, from, "devices", JSON_ARRAY, RED_DUEL_DEVICES_MAX) : NULL;
    if (devices == NULL)
        return;
    red_take_text(reader, from, "program", true, side->program, sizeof side->program);
    red_take_text(reader, from, "version", true, side->version, sizeof side->version);
    red_take_text(reader, from, "kernel", true, side->kernel, sizeof side->kernel);
    red_take_text(reader, from, "environment", true, side->environment, sizeof side->environment);
    if (who == RED_HEAD && json_array_size(devices) != duel->devices_n)
        red_reader_refuse(reader, "head.devices", "as many as the base has");
    duel->devices_n = json_array_size(devices);
    for (size_t d = 0; d < duel->devices_n; d++) {
        struct red_device_info *info = &side->devices[d];
        const json_t *device = json_array_get(devices, d);
        name_read(reader, device, "id", info->id, sizeof info->id);
        red_take_text(reader, device, "name", true, info->name, sizeof info->name);
        red_take_text(reader, device, "platform", true, info->platform, sizeof info->platform);
        red_take_text(reader, device, "driver", true, info->driver, sizeof info->driver);
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
