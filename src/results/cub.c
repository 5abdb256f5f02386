/* Reads the files of bench/cuda/cub.cu, which `report` takes beside result files; a fault of one ends
 * `report`. Seen as the charts "beside CUB" and their tables and sentence (report/charts_pairs.c), and as a
 * row among the runs (report/method.c). */
#include "results/cub.h"

#include <float.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/json.h"

enum { CELLS_MAX = 10000, FIGURES_MAX = 64, SAMPLES_MAX = 100000 };

const struct red_file_kind red_cub_kind = {
    .what = "file of CUB's times", .name_key = "schema", .name = "clreduce-cub 1", .arrays = {"cells"}};

/* ---- operations ---------------------------------------------------------------------------------------- */

static const struct red_cub_op ops[] = {
    {"sum",
     2,
     {{"answer_memcpy", "CUB, cudaMemcpy", "CUB and cudaMemcpy"},
      {"answer_mapped", "CUB, mapped result", "CUB with a mapped result"}},
     "CUB's answer comes to the host by cudaMemcpy, or to mapped memory on which the host spins."},
    {"inclusive_sum",
     1,
     {{"answer", "CUB", "CUB"}},
     "CUB's answer stays on the device, which has finished it when the time ends, as ours does."},
    {"count",
     1,
     {{"answer", "CUB", "CUB"}},
     "CUB's counts stay on the device, which has finished them when the time ends, as ours do; it has none "
     "of what is out of range."},
};

/* Asked of each cell of a file, and by report/charts_pairs.c of each operation that is shown. */
const struct red_cub_op *red_cub_op_find(const char *name) {
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (strcmp(ops[i].name, name) == 0)
            return &ops[i];
    return NULL;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

/* The samples of one way to the answer, as the time that report sets beside those of OpenCL. */
static void figure_read(struct red_reader *reader, const json_t *from, struct red_statistics *time) {
    const json_t *samples = json_object_get(from, "samples_s");
    const size_t n = red_json_numbers_n(samples);
    double *values = n > 0 ? malloc(n * sizeof *values) : NULL;
    if (n == 0 || n > SAMPLES_MAX)
        red_reader_refuse(reader, "samples_s", "at least one sample");
    else if (values == NULL)
        red_reader_fail_memory(reader);
    else
        red_take_numbers(reader, from, "samples_s", DBL_MIN, DBL_MAX, values, n);
    if (reader->status == RED_OK)
        reader->status = red_statistics_find(values, n, time, reader->error);
    free(values);
}

/* A right cell: its type, its n and the times of all ways to the answer of its operation. */
static void cell_read(struct red_reader *reader, const json_t *from, struct red_cub_cell *cell) {
    const struct red_cub_op *op = cell->op;
    const json_t *figures = red_take_container(reader, from, "figures", JSON_ARRAY, FIGURES_MAX);
    red_take_text(reader, from, "type", false, cell->type, sizeof cell->type);
    red_take_text(reader, from, "data", true, cell->data, sizeof cell->data);
    cell->n = red_take_whole(reader, from, "n");
    for (size_t i = 0; i < json_array_size(figures) && reader->status == RED_OK; i++) {
        const json_t *figure = json_array_get(figures, i);
        const char *name = json_string_value(json_object_get(figure, "name"));
        for (size_t way = 0; way < op->ways_n && name != NULL; way++)
            if (strcmp(name, op->ways[way].figure) == 0)
                figure_read(reader, figure, &cell->time[way]);
    }
    for (size_t way = 0; way < op->ways_n; way++)
        if (cell->time[way].n == 0)
            red_reader_refuse(reader, "figures",
                              op->ways_n > 1 ? "answer_memcpy and answer_mapped" : "answer");
}

/* The operation of a cell: files of before scans name none, and have sums. NULL for what is not compared. */
static const struct red_cub_op *op_read(struct red_reader *reader, const json_t *from) {
    char name[32] = "sum";
    if (json_object_get(from, "op") != NULL)
        red_take_text(reader, from, "op", false, name, sizeof name);
    return reader->status == RED_OK ? red_cub_op_find(name) : NULL;
}

/* All cells whose result was right, of operations that are compared. */
static void right_cells_read(struct red_reader *reader, const json_t *root, struct red_cub *cub) {
    const json_t *cells = red_take_container(reader, root, "cells", JSON_ARRAY, CELLS_MAX);
    if (reader->status != RED_OK)
        return;
    cub->cells = calloc(json_array_size(cells) + 1, sizeof *cub->cells);
    if (cub->cells == NULL)
        red_reader_fail_memory(reader);
    for (size_t i = 0; i < json_array_size(cells) && reader->status == RED_OK; i++) {
        const json_t *cell = json_array_get(cells, i);
        snprintf(reader->where, sizeof reader->where, "cells[%zu]", i);
        const struct red_cub_op *op = op_read(reader, cell);
        if (red_take_flag(reader, cell, "right") && op != NULL) { /* a wrong result has no time */
            cub->cells[cub->cells_n].op = op;
            cell_read(reader, cell, &cub->cells[cub->cells_n++]);
        }
    }
}

/* ---- the file ------------------------------------------------------------------------------------------ */

/* What stands above the cells: when and where they were measured, and the version of CUB. */
static void head_read(struct red_reader *reader, const json_t *root, struct red_cub *cub) {
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (schema == NULL || strcmp(schema, red_cub_kind.name) != 0)
        red_reader_refuse(reader, "schema", "\"clreduce-cub 1\"");
    const json_t *device = red_take_container(reader, root, "device", JSON_OBJECT, FIGURES_MAX);
    if (reader->status != RED_OK)
        return;
    red_take_text(reader, root, "started", false, cub->started, sizeof cub->started);
    red_take_text(reader, root, "command", false, cub->command, sizeof cub->command);
    red_take_text(reader, device, "name", false, cub->device, sizeof cub->device);
    /* CUB's version.cuh: major x 100000 + minor x 100 + subminor. */
    const uint64_t version = red_take_whole(reader, root, "cub_version");
    snprintf(cub->version, sizeof cub->version, "%llu.%llu.%llu", (unsigned long long)(version / 100000),
             (unsigned long long)(version / 100 % 1000), (unsigned long long)(version % 100));
}

enum red_status red_cub_read(const char *path, const char *text, size_t text_n, struct red_cub *cub,
                             struct red_error *error) {
    struct red_reader reader = {.path = path, .error = error};
    *cub = (struct red_cub){.cells_n = 0};
    red_text_copy_printable(path, cub->path, sizeof cub->path);
    json_t *root = red_reader_root(&reader, "file of CUB's times", text, text_n);
    if (root == NULL)
        return reader.status;
    head_read(&reader, root, cub);
    if (reader.status == RED_OK)
        right_cells_read(&reader, root, cub);
    json_decref(root);
    if (reader.status != RED_OK)
        red_cub_clear(cub);
    return reader.status;
}

void red_cub_clear(struct red_cub *cub) {
    free(cub->cells);
    *cub = (struct red_cub){.cells_n = 0};
}

const struct red_cub_cell *red_cub_find(const struct red_cub *cub, const struct red_cub_op *op,
                                        const char *type, uint64_t n, bool is_slowest) {
    const struct red_cub_cell *found = NULL;
    for (size_t i = 0; i < cub->cells_n; i++) {
        const struct red_cub_cell *cell = &cub->cells[i];
        if (cell->n == n && cell->op == op && strcmp(cell->type, type) == 0 &&
            (is_slowest ? found == NULL || cell->time[0].median > found->time[0].median
                        : cell->data[0] == '\0' || strcmp(cell->data, "uniform") == 0))
            found = cell;
    }
    return found;
}
