#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "gate/duel_file.h"
#include "results/json.h"
#include "results/tables.h"

/* ---- samples ---------------------------------------------------------------------------------------------
 */

static json_t *times_json(const uint64_t *times_ns, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, red_json_integer(times_ns[i]));
    return array;
}

static json_t *round_json(const struct red_duel_plan *plan, const struct red_round *round) {
    json_t *object = json_pack("{s:s}", "first", red_who_names[round->first]);
    char key[32];
    for (int who = 0; who < RED_WHO_N; who++) {
        snprintf(key, sizeof key, "%s_ns", red_who_names[who]);
        json_object_set_new(object, key, times_json(round->batch_ns[who], plan->batches_n));
    }
    for (size_t c = 0; c < RED_CONTROLS_N; c++) {
        static const uint64_t none[RED_CONTROL_TIMES_N];
        if (c == RED_CONTROL_CHAIN && memcmp(round->control_ns[c], none, sizeof none) == 0)
            continue;
        snprintf(key, sizeof key, "%s_ns", red_control_names[c]);
        json_object_set_new(object, key, times_json(round->control_ns[c], RED_CONTROL_TIMES_N));
    }
    if (round->drop != RED_DROP_NONE)
        json_object_set_new(object, "drop", json_string(red_drop_names[round->drop]));
    return object;
}

static json_t *series_json(const struct red_duel_plan *plan, const struct red_duel_cell *cell) {
    json_t *array = json_array();
    for (size_t i = 0; i < cell->series_n; i++) {
        const struct red_series *series = &cell->series[i];
        json_t *rounds = json_array();
        for (size_t r = 0; r < series->rounds_n; r++)
            json_array_append_new(rounds, round_json(plan, &series->rounds[r]));
        json_array_append_new(array, json_pack("{s:i, s:i, s:s, s:o}", "stage", (int)series->stage, "launch",
                                               (int)series->launch, "first", red_who_names[series->first],
                                               "rounds", rounds));
    }
    return array;
}

/* ---- cells -----------------------------------------------------------------------------------------------
 */

static json_t *finding_json(const struct red_finding *finding) {
    json_t *dropped = json_object();
    for (size_t drop = RED_DROP_NONE + 1; drop < RED_DROPS_N; drop++)
        if (finding->dropped_n[drop] > 0)
            json_object_set_new(dropped, red_drop_names[drop], red_json_integer(finding->dropped_n[drop]));
    return json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o}", "verdict",
                     red_verdict_names[red_code_verdict(finding->code)], "code", red_code_name(finding->code),
                     "stage", (int)finding->stage, "base_s", red_json_positive(finding->time_s[RED_BASE]),
                     "head_s", red_json_positive(finding->time_s[RED_HEAD]), "ratio",
                     red_json_positive(finding->ratio), "low", red_json_positive(finding->low), "high",
                     red_json_positive(finding->high), "nominated", (int)finding->nominated, "p",
                     finding->level > 0 ? red_json_real(finding->p) : json_null(), "level",
                     red_json_positive(finding->level), "launches", red_json_integer(finding->launches_n),
                     "rounds", red_json_integer(finding->rounds_n), "dropped", dropped);
}

static json_t *geometry_json(const struct red_geometry *geometry) {
    return json_pack("{s:o, s:o}", "group_size", red_json_integer(geometry->group_size), "groups",
                     red_json_integer(geometry->groups_n));
}

static json_t *cell_side_json(const struct red_duel_cell *cell, enum red_who who) {
    return json_pack("{s:s, s:s, s:o, s:o, s:o}", "strategy", cell->strategy[who], "state",
                     red_state_name(cell->state[who]), "reason", red_json_text(cell->reason[who]), "call_s",
                     red_json_positive(cell->call_s[who]), "geometry", geometry_json(&cell->geometry[who]));
}

static json_t *cell_json(const struct red_duel *duel, const struct red_duel_cell *cell) {
    return json_pack("{s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o}",
                     "name", red_json_text(cell->name), "device", red_json_integer(cell->device), "op",
                     cell->op->name, "type", cell->dtype->name, "n", red_json_integer(cell->n), "asked",
                     red_fields_json(red_tuning_fields, &cell->asked), "base", cell_side_json(cell, RED_BASE),
                     "head", cell_side_json(cell, RED_HEAD), "calls_per_batch", red_json_integer(cell->calls),
                     "margin", red_json_real(cell->margin), "budget_s", red_json_real(cell->budget_s),
                     "required", (int)cell->required, "quarantine", red_json_text(cell->quarantine), "until",
                     red_json_text(cell->until), "spent_s", red_json_real(cell->spent_s), "finding",
                     finding_json(&cell->finding), "launches", series_json(&duel->plan, cell));
}

static json_t *shifts_json(const struct red_duel_plan *plan) {
    json_t *object = json_object();
    for (size_t c = 0; c < RED_CONTROLS_N; c++)
        json_object_set_new(object, red_control_names[c], red_json_real(plan->control_shift[c]));
    return object;
}

/* ---- the file --------------------------------------------------------------------------------------------
 */

static json_t *plan_json(const struct red_duel_plan *plan) {
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "launches",
                     (int)plan->launches_n, "launches_max", (int)plan->launches_max, "looks",
                     (int)plan->looks_n, "launches_per_look", (int)plan->look_launches_n, "epochs",
                     (int)plan->epochs_n, "rounds", (int)plan->rounds_n, "batches", (int)plan->batches_n,
                     "batch_s", red_json_real(plan->batch_s), "nominate", red_json_real(plan->nominate),
                     "nominate_level", red_json_real(plan->nominate_level), "trim", red_json_real(plan->trim),
                     "alpha", red_json_real(plan->alpha), "control_shift", shifts_json(plan));
}

static json_t *side_json(const struct red_duel *duel, const struct red_duel_side *side) {
    json_t *devices = json_array();
    for (size_t d = 0; d < duel->devices_n; d++) {
        const struct red_device_info *info = &side->devices[d];
        json_array_append_new(devices,
                              json_pack("{s:o, s:o, s:o, s:o}", "id", red_json_text(info->id), "name",
                                        red_json_text(info->name), "platform", red_json_text(info->platform),
                                        "driver", red_json_text(info->driver)));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "program", red_json_text(side->program), "version",
                     red_json_text(side->version), "kernel", red_json_text(side->kernel), "environment",
                     red_json_text(side->environment), "devices", devices);
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

/* One line for each member and each cell: it can be read, searched and compared line by line, and is not a
 * line for each of 100,000 numbers. False if there is no memory. */
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
        return red_file_commit(&file, error); /* which knows why writing failed */
    red_file_abandon(&file);
    return red_fail(error, RED_E_MEMORY, "no memory to write %s", path);
}
