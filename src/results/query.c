/* Queries: a loaded run's cells by operation, type and shape. A report has a chapter for each, a
 * recommendation an answer. */
#include "results/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "segments:1024x16" and "segments:64x256" are one shape, "iterate:10" and "iterate:100" two. */
static struct red_shape shape_of(const char *text) {
    int kind = RED_SHAPES_N - 1;
    while (kind > RED_SHAPE_ARRAY && strncmp(text, red_shape_names[kind], strlen(red_shape_names[kind])) != 0)
        kind--;
    struct red_shape shape = {.kind = (enum red_shape_kind)kind, .calls_n = 1};
    snprintf(shape.text, sizeof shape.text, "%s", kind == RED_SHAPE_ITERATE ? text : red_shape_names[kind]);
    return shape;
}

/* What a cell is of; all cells that this program cannot place are of one query without an operation. */
static struct red_query query_of(const struct red_cell *cell) {
    const bool known = red_op_find(cell->op->name) != NULL && red_dtype_find(cell->dtype->name) != NULL;
    return known ? (struct red_query){.op = cell->op, .dtype = cell->dtype, .shape = shape_of(cell->shape)}
                 : (struct red_query){.op = NULL};
}

bool red_query_is_same(const struct red_query *a, const struct red_query *b) {
    return a->op == b->op && a->dtype == b->dtype && strcmp(a->shape.text, b->shape.text) == 0;
}

void red_query_title(const struct red_query *query, char *text, size_t text_bytes) {
    bool plain = query->shape.kind == RED_SHAPE_ARRAY;
    snprintf(text, text_bytes, "%s of %s%s%s", query->op->name, query->dtype->name, plain ? "" : ", shape ",
             plain ? "" : query->shape.text);
}

static bool is_alike(const struct red_cell *a, const struct red_cell *b) {
    return a->op == b->op && a->dtype == b->dtype && strcmp(a->shape, b->shape) == 0;
}

/* The index of each cell's query, which is made if it is new. Errors: RED_E_MEMORY. */
static enum red_status find_all(const struct red_run *run, struct red_query **queries, size_t *queries_n,
                                size_t *of, struct red_error *error) {
    for (size_t i = 0; i < run->cells_n; i++) {
        size_t q = 0;
        if (i > 0 && is_alike(&run->cells[i - 1], &run->cells[i])) {
            q = of[i - 1];
        } else {
            const struct red_query query = query_of(&run->cells[i]);
            while (q < *queries_n && !red_query_is_same(&(*queries)[q], &query))
                q++;
            struct red_query *grown = q < *queries_n ? *queries : realloc(*queries, (q + 1) * sizeof *grown);
            if (grown == NULL)
                return red_fail(error, RED_E_MEMORY, "no memory for a query");
            *queries = grown;
            if (q == *queries_n)
                grown[(*queries_n)++] = query;
        }
        of[i] = q;
        (*queries)[q].run.cells_n++;
    }
    return RED_OK;
}

/* Deals the cells out to their queries, which then hold one stretch of them each. */
static enum red_status deal(struct red_run *run, struct red_query *queries, size_t queries_n,
                            const size_t *of, struct red_error *error) {
    struct red_cell *dealt = calloc(run->cells_n + 1, sizeof *dealt), *next = dealt;
    if (dealt == NULL)
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
    run->cells = dealt;
    return RED_OK;
}

enum red_status red_queries_make(struct red_run *run, struct red_query **queries, size_t *queries_n,
                                 size_t *left_out_n, struct red_error *error) {
    size_t *of = calloc(run->cells_n + 1, sizeof *of), kept_n = 0;
    *queries = NULL;
    *queries_n = *left_out_n = 0;
    enum red_status status = of ? find_all(run, queries, queries_n, of, error)
                                : red_fail(error, RED_E_MEMORY, "no memory for %zu cells", run->cells_n);
    if (status == RED_OK)
        status = deal(run, *queries, *queries_n, of, error);
    free(of);
    for (size_t q = 0; q < *queries_n && status == RED_OK; q++) {
        struct red_query *query = &(*queries)[kept_n];
        *query = (*queries)[q];
        query->run.shape = &query->shape;
        if (query->op == NULL) {
            *left_out_n = query->run.cells_n;
            continue;
        }
        red_run_order(&query->run);
        kept_n++;
    }
    *queries_n = status == RED_OK ? kept_n : 0;
    return status;
}

void red_queries_clear(struct red_query *queries, size_t queries_n) {
    for (size_t q = 0; q < queries_n; q++)
        free(queries[q].run.ordered);
    free(queries);
}
