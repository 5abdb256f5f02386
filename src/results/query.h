/* Queries: a loaded run's cells by what they reduce, as reports, recommendations and emit ask for them. */
#ifndef CLREDUCE_RESULTS_QUERY_H
#define CLREDUCE_RESULTS_QUERY_H

#include "results/run.h"

/* All cells of one operation, type and shape (segments of any number and length are one shape). */
struct red_query {
    const struct red_op *op;
    const struct red_dtype *dtype;
    struct red_shape shape; /* kind and text only */
    struct red_run run;     /* the same run with these cells alone; all but `ordered` is borrowed */
};

/* Orders the run's cells by query, those of each as they stood, and finds the queries. Cells of operations or
 * types that this program does not have are of none; left_out_n is their number. Release with
 * red_queries_clear. Errors: RED_E_MEMORY. */
enum red_status red_queries_make(struct red_run *run, struct red_query **queries, size_t *queries_n,
                                 size_t *left_out_n, struct red_error *error);
void red_queries_clear(struct red_query *queries, size_t queries_n);

/* Whether two are about the same operation, type and shape. */
bool red_query_is_same(const struct red_query *a, const struct red_query *b);

/* "sum of f32", and the shape unless it is one array. */
void red_query_title(const struct red_query *query, char *text, size_t text_bytes);

#endif
