/* A stored run as the run that it was, by question: what reports and advice are made of. */
#ifndef CLREDUCE_RESULTS_RECALL_H
#define CLREDUCE_RESULTS_RECALL_H

#include "model/catalogue.h"
#include "results/past.h"

/* All cells of one operation, type and shape (segments of any number and length are one shape). */
struct red_question {
    const struct red_op *op;
    const struct red_dtype *dtype;
    struct red_shape shape; /* kind and text only */
    struct red_run run;     /* its cells in the file's order; devices, cells and samples are the recall's */
};

struct red_recall {
    struct red_past past;
    struct red_run_device *devices; /* owned, as in the past; without their capabilities */
    struct red_cell *cells;         /* owned, by question; their samples are the past's */
    struct red_question *questions; /* owned; in the order in which the file first asks them */
    size_t questions_n;
    struct red_strategy **strangers; /* owned: strategies that the catalogue lacks, names only */
    size_t strangers_n;
    size_t left_out_n; /* cells of operations and types that this program does not know */
};

/* Reads the result file. Strategies are those of the catalogue, which must live longer, or strangers.
 * Release with red_recall_clear. Errors: as red_past_load. */
enum red_status red_recall_load(const char *path, const struct red_catalogue *catalogue,
                                struct red_recall *recall, struct red_error *error);
void red_recall_clear(struct red_recall *recall);

#endif
