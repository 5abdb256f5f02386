/* The queries of a loaded run: its cells by operation, type and shape. A report has a section for each,
 * recommend an answer. results/result.c makes them when a file is read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "results/result.h"

/* What a cell is of; all cells that this program cannot place are of one query without an operation. */
static struct red_query cell_query(const struct red_cell *cell) {
    struct red_query query = {.shape = red_at_shape(&cell->at)};
    if (red_op_find(cell->at.op->name) == NULL || red_dtype_find(cell->at.dtype->name) == NULL)
        return (struct red_query){.run = {.seed = 0}};
    query.at = red_at_projection(&cell->at, RED_AT_QUERY);
    snprintf(query.at.shape, sizeof query.at.shape, "%.63s", query.shape.text);
    if (cell->at.data[0] != '\0')
        snprintf(query.at.data, sizeof query.at.data, RED_DATA_SLOWEST);
    return query;
}

static bool is_same_query(const struct red_query *a, const struct red_query *b) {
    return red_at_is_same(&a->at, &b->at, RED_AT_QUERY);
}

bool red_query_is_of_slowest(const struct red_query *query) {
    return query->at.data[0] != '\0';
}

/* Makes the queries with their numbers of cells, and writes the index of each cell's query. Errors:
 * RED_E_MEMORY. */
static enum red_status find_queries(const struct red_run *run, struct red_query **queries, size_t *queries_n,
                                    size_t *query_of, struct red_error *error) {
    for (size_t i = 0; i < run->cells_n; i++) {
        size_t q = 0;
        if (i > 0 && red_at_is_same(&run->cells[i - 1].at, &run->cells[i].at, RED_AT_QUERY)) {
            q = query_of[i - 1];
        } else {
            const struct red_query query = cell_query(&run->cells[i]);
            while (q < *queries_n && !is_same_query(&(*queries)[q], &query))
                q++;
            if (q == *queries_n && !RED_GROW(*queries, q, 1))
                return red_fail(error, RED_E_MEMORY, "no memory for a query");
            if (q == *queries_n)
                (*queries)[(*queries_n)++] = query;
        }
        query_of[i] = q;
        (*queries)[q].run.cells_n++;
    }
    return RED_OK;
}

/* Moves the run's cells so that those of each query stand together, and points the queries' runs at them. */
static enum red_status order_by_query(struct red_run *run, struct red_query *queries, size_t queries_n,
                                      const size_t *of, struct red_error *error) {
    struct red_cell *sorted = calloc(run->cells_n + 1, sizeof *sorted), *next = sorted;
    if (sorted == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu cells", run->cells_n);
    for (size_t q = 0; q < queries_n; q++) {
        const size_t cells_n = queries[q].run.cells_n;
        queries[q].run = *run;
        queries[q].run.ordered = NULL;
        queries[q].run.cells = next;
        queries[q].run.cells_n = 0; /* as many as are there by now */
        next += cells_n;
    }
    for (size_t i = 0; i < run->cells_n; i++) {
        struct red_run *to = &queries[of[i]].run;
        to->cells[to->cells_n++] = run->cells[i];
    }
    free(run->cells);
    run->cells = sorted;
    return RED_OK;
}

/* Gives a query of slowest data the slowest of its own cells and those of uniform data. */
static enum red_status choose_slowest(const struct red_result *result, struct red_query *query,
                                      struct red_error *error) {
    struct red_query uniform = *query;
    uniform.at.data[0] = '\0';
    const struct red_query *beside = red_result_find_query(result, &uniform);
    query->slowest =
        red_cells_slowest(beside != NULL ? &beside->run : NULL, &query->run, &query->run.cells_n);
    query->run.cells = query->slowest;
    return query->slowest != NULL ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for slowest cells");
}

enum red_status red_queries_make(struct red_result *result, struct red_error *error) {
    struct red_run *run = &result->run;
    size_t *of = calloc(run->cells_n + 1, sizeof *of), queries_n = 0;
    enum red_status status = of ? find_queries(run, &result->queries, &queries_n, of, error)
                                : red_fail(error, RED_E_MEMORY, "no memory for %zu cells", run->cells_n);
    if (status == RED_OK)
        status = order_by_query(run, result->queries, queries_n, of, error);
    free(of);
    for (size_t q = 0; q < queries_n && status == RED_OK; q++) {
        struct red_query *query = &result->queries[result->queries_n];
        *query = result->queries[q];
        query->run.shape = &query->shape;
        if (query->at.op == NULL) {
            result->left_out_n = query->run.cells_n;
            continue;
        }
        result->queries_n++;
    }
    for (size_t q = 0; q < result->queries_n && status == RED_OK; q++) {
        struct red_query *query = &result->queries[q];
        if (red_query_is_of_slowest(query))
            status = choose_slowest(result, query, error);
        red_run_make_index(&query->run);
    }
    return status;
}

/* Frees the queries, which point at the run's cells. */
void red_queries_clear(struct red_result *result) {
    for (size_t q = 0; q < result->queries_n; q++) {
        free(result->queries[q].run.ordered);
        free(result->queries[q].slowest);
    }
    free(result->queries);
    result->queries = NULL;
    result->queries_n = result->left_out_n = 0;
}

/* ---- asking --------------------------------------------------------------------------------------------
 * To join the files of one device and to choose their cells. */

const struct red_query *red_result_find_query(const struct red_result *result,
                                              const struct red_query *query) {
    for (size_t q = 0; q < result->queries_n; q++)
        if (is_same_query(&result->queries[q], query))
            return &result->queries[q];
    return NULL;
}

/* For recommend, and for "What to use" of a report. */
bool red_result_has_slowest(const struct red_result *result, const struct red_query *query) {
    struct red_query slowest = *query;
    snprintf(slowest.at.data, sizeof slowest.at.data, RED_DATA_SLOWEST);
    return !red_query_is_of_slowest(query) && red_result_find_query(result, &slowest) != NULL;
}

long red_result_find_device(const struct red_result *result, const struct red_result *other,
                            size_t others_device) {
    const struct red_device_info *wanted = &other->run.devices[others_device].info;
    if (strcmp(result->machine, other->machine) != 0)
        return -1;
    for (size_t d = 0; d < result->run.devices_n; d++) {
        const struct red_device_info *found = &result->run.devices[d].info;
        if (strcmp(found->id, wanted->id) == 0 && red_device_info_is_same_model(found, wanted))
            return (long)d;
    }
    return -1;
}

/* For headings of report and recommend. */
struct red_short_text red_query_title(const struct red_query *query) {
    return red_at_title(&query->at, RED_AT_QUERY);
}
