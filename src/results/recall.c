#include "results/recall.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- strategies, operations, types -----------------------------------------------------------------------
 */

/* Strangers stand in the order of their names, of which the beginning is kept. */
static int stranger_compare(const struct red_strategy *stranger, const char *name) {
    return strncmp(stranger->name, name, sizeof stranger->name - 1);
}

/* The catalogue's strategy, or a stranger; NULL without memory. */
static const struct red_strategy *strategy_find(struct red_recall *recall,
                                                const struct red_catalogue *catalogue, const char *name) {
    const struct red_strategy *known = red_catalogue_find(catalogue, name);
    if (known != NULL)
        return known;
    size_t at = 0, high = recall->strangers_n;
    while (at < high) {
        size_t middle = at + (high - at) / 2;
        if (stranger_compare(recall->strangers[middle], name) < 0)
            at = middle + 1;
        else
            high = middle;
    }
    if (at < recall->strangers_n && stranger_compare(recall->strangers[at], name) == 0)
        return recall->strangers[at];
    struct red_strategy **grown =
        realloc(recall->strangers, (recall->strangers_n + 1) * sizeof *recall->strangers);
    struct red_strategy *stranger = grown ? calloc(1, sizeof *stranger) : NULL;
    recall->strangers = grown ? grown : recall->strangers;
    if (stranger == NULL)
        return NULL;
    stranger->standard = RED_STANDARD_CL12;
    snprintf(stranger->name, sizeof stranger->name, "%.*s", (int)sizeof stranger->name - 1, name);
    memmove(&grown[at + 1], &grown[at], (recall->strangers_n - at) * sizeof *grown);
    recall->strangers_n++;
    return grown[at] = stranger;
}

static enum red_shape_kind shape_kind(const char *text) {
    int kind = RED_SHAPES_N - 1;
    while (kind > RED_SHAPE_ARRAY && strncmp(text, red_shape_names[kind], strlen(red_shape_names[kind])) != 0)
        kind--;
    return (enum red_shape_kind)kind;
}

/* "segments:1024x16" and "segments:64x256" are one shape, "iterate:10" and "iterate:100" two. */
static struct red_shape shape_of(const char *text) {
    struct red_shape shape = {.kind = shape_kind(text), .calls_n = 1};
    snprintf(shape.text, sizeof shape.text, "%s",
             shape.kind == RED_SHAPE_ITERATE ? text : red_shape_names[shape.kind]);
    return shape;
}

/* ---- questions -------------------------------------------------------------------------------------------
 */

enum { LEFT_OUT = -1 };

/* The index of the cell's question, made if it is new; LEFT_OUT if this program knows no such operation or
 * type. Errors: RED_E_MEMORY. */
static enum red_status question_find(struct red_recall *recall, const struct red_past_cell *cell, long *found,
                                     struct red_error *error) {
    const struct red_op *op = red_op_find(cell->op);
    const struct red_dtype *dtype = red_dtype_find(cell->type);
    *found = LEFT_OUT;
    if (op == NULL || dtype == NULL)
        return RED_OK;
    const struct red_shape shape = shape_of(cell->shape);
    size_t q = 0;
    for (; q < recall->questions_n; q++) {
        const struct red_question *question = &recall->questions[q];
        if (question->op == op && question->dtype == dtype && strcmp(question->shape.text, shape.text) == 0)
            break;
    }
    if (q == recall->questions_n) {
        struct red_question *grown = realloc(recall->questions, (q + 1) * sizeof *grown);
        if (grown == NULL)
            return red_fail(error, RED_E_MEMORY, "no memory for a question");
        recall->questions = grown;
        recall->questions[recall->questions_n++] =
            (struct red_question){.op = op, .dtype = dtype, .shape = shape};
    }
    *found = (long)q;
    return RED_OK;
}

static void cell_fill(struct red_cell *cell, const struct red_past_cell *past,
                      const struct red_strategy *strategy, const struct red_question *question) {
    *cell = (struct red_cell){
        .device = past->device,
        .strategy = strategy,
        .op = question->op,
        .dtype = question->dtype,
        .n = past->n,
        .segments_n = past->segments_n,
        .asked = past->asked,
        .tuning = past->in_use,
        .geometry = {.group_size = past->in_use.group_size,
                     .groups_n = past->in_use.groups_n,
                     .width = past->in_use.width,
                     .loads = past->in_use.loads},
        .state = past->state,
        .projected_s = past->projected_s,
        .samples_s = past->samples_s,
        .samples_n = past->samples_n,
        .time = {.n = past->samples_n, .median = past->median_s, .low = past->low_s, .high = past->high_s},
        .device_s = past->device_s,
        .back_to_back_s = past->back_to_back_s,
        .checks_n = past->is_checked,
        .error = past->error,
        .bound = past->bound,
        .absolute = past->absolute,
        .same_bits = past->same_bits};
    snprintf(cell->standard, sizeof cell->standard, "%s", past->standard);
    snprintf(cell->reason, sizeof cell->reason, "%s", past->reason);
}

/* Files of older programs do not tell what was asked for; then what was in use stands for it, if a cell has
 * several geometries: otherwise the lines of a table would fall together. */
static void settle_asked(struct red_cell *cell, const struct red_past_cell *past, bool several) {
    if (!past->tells_asked && several)
        cell->asked = (struct red_tuning){.group_size = past->in_use.group_size,
                                          .groups_n = 0,
                                          .width = past->in_use.width,
                                          .loads = past->in_use.loads};
}

static bool has_several_geometries(const struct red_past *past, const struct red_past_cell *cell) {
    const struct red_past_cell *next = cell + 1;
    return next < past->cells + past->cells_n && next->n == cell->n && next->device == cell->device &&
           strcmp(next->strategy, cell->strategy) == 0 && strcmp(next->op, cell->op) == 0 &&
           strcmp(next->type, cell->type) == 0;
}

static void run_fill(struct red_question *question, const struct red_recall *recall) {
    const struct red_past *past = &recall->past;
    struct red_run *run = &question->run;
    run->devices = recall->devices;
    run->devices_n = past->devices_n;
    run->shape = &question->shape;
    run->seed = past->seed;
    run->time_per_cell_s = past->time_per_cell_s;
    snprintf(run->started, sizeof run->started, "%s", past->started);
}

/* Deals the cells out to their questions, which then hold one stretch of them each. */
static enum red_status deal(struct red_recall *recall, const struct red_catalogue *catalogue, const long *of,
                            struct red_error *error) {
    const struct red_past *past = &recall->past;
    size_t used = 0;
    bool several = false;
    for (size_t i = 0; i < past->cells_n; i++)
        several = several || has_several_geometries(past, &past->cells[i]);
    for (size_t q = 0; q < recall->questions_n; q++) {
        struct red_question *question = &recall->questions[q];
        question->run.cells = &recall->cells[used];
        for (size_t i = 0; i < past->cells_n; i++) {
            if (of[i] != (long)q)
                continue;
            const struct red_strategy *strategy = strategy_find(recall, catalogue, past->cells[i].strategy);
            if (strategy == NULL)
                return red_fail(error, RED_E_MEMORY, "no memory for a strategy");
            struct red_cell *cell = &recall->cells[used++];
            cell_fill(cell, &past->cells[i], strategy, question);
            settle_asked(cell, &past->cells[i], several);
        }
        question->run.cells_n = (size_t)(&recall->cells[used] - question->run.cells);
        run_fill(question, recall);
        red_run_order(&question->run);
    }
    return RED_OK;
}

/* ---- the run ---------------------------------------------------------------------------------------------
 */

static void device_fill(struct red_run_device *device, const struct red_past_device *past) {
    struct red_device_info *info = &device->info;
    *device =
        (struct red_run_device){.is_host = past->is_host,
                                .roof_bytes_per_s = past->roof_bytes_per_s,
                                .event_floor_s = past->event_floor_s,
                                .ruler = {.checked = past->events_checked, .trusted = past->events_trusted}};
    snprintf(info->id, sizeof info->id, "%s", past->id);
    snprintf(info->name, sizeof info->name, "%s", past->name);
    snprintf(info->platform, sizeof info->platform, "%s", past->platform);
    snprintf(info->version, sizeof info->version, "%s", past->version);
    snprintf(info->driver, sizeof info->driver, "%s", past->driver);
    info->shape.compute_units = (unsigned)past->compute_units;
    info->shape.is_cpu = past->is_cpu;
    info->shape.group_size_max = (size_t)past->group_size_max;
}

enum red_status red_recall_load(const char *path, const struct red_catalogue *catalogue,
                                struct red_recall *recall, struct red_error *error) {
    *recall = (struct red_recall){.questions_n = 0};
    enum red_status status = red_past_load(path, &recall->past, error);
    if (status != RED_OK)
        return status;
    const struct red_past *past = &recall->past;
    recall->devices = calloc(past->devices_n + 1, sizeof *recall->devices);
    recall->cells = calloc(past->cells_n + 1, sizeof *recall->cells);
    long *of = calloc(past->cells_n + 1, sizeof *of);
    if (recall->devices == NULL || recall->cells == NULL || of == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for %.200s", path);
    for (size_t d = 0; d < past->devices_n && status == RED_OK; d++)
        device_fill(&recall->devices[d], &past->devices[d]);
    for (size_t i = 0; i < past->cells_n && status == RED_OK; i++) {
        status = question_find(recall, &past->cells[i], &of[i], error);
        recall->left_out_n += of[i] == LEFT_OUT;
    }
    if (status == RED_OK)
        status = deal(recall, catalogue, of, error);
    free(of);
    if (status != RED_OK)
        red_recall_clear(recall);
    return status;
}

void red_recall_clear(struct red_recall *recall) {
    red_past_clear(&recall->past);
    for (size_t i = 0; i < recall->strangers_n; i++)
        free(recall->strangers[i]);
    free(recall->strangers);
    free(recall->devices);
    free(recall->cells);
    for (size_t q = 0; q < recall->questions_n; q++)
        free(recall->questions[q].run.ordered);
    free(recall->questions);
    *recall = (struct red_recall){.questions_n = 0};
}
