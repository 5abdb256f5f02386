/* CUB's times on a device, as the program of bench/cuda/cub.cu writes them (results/cub.schema.json):
 * `report` sets them beside those of OpenCL. Every value is checked; the first bad one is the error, with its
 * place in the file. */
#ifndef CLREDUCE_RESULTS_CUB_H
#define CLREDUCE_RESULTS_CUB_H

#include <stdint.h>

#include "stats/statistics.h"

struct json_t;

enum { RED_CUB_WAYS_MAX = 2, RED_CUB_BINS = 256 };

/* One operation that CUB is timed at, and the ways in which its answer comes. */
struct red_cub_op {
    const char *name; /* of the operation */
    size_t ways_n;
    struct {
        const char *figure; /* as the file names its time */
        const char *title, *words;
    } ways[RED_CUB_WAYS_MAX];
    const char *how; /* a sentence: how the answer comes */
};

/* NULL if CUB is not timed at it. */
const struct red_cub_op *red_cub_op_find(const char *name);

/* Times to answer of the operation, right ones only. */
struct red_cub_cell {
    const struct red_cub_op *op;
    char type[8];
    char data[16]; /* of histograms: one of RED_CUB_BINS bins; otherwise empty */
    uint64_t n;
    struct red_statistics time[RED_CUB_WAYS_MAX]; /* s */
};

struct red_cub {
    char path[256], started[32], command[512]; /* started: "2026-11-22T04:52:56Z" */
    char device[128], version[48];             /* "NVIDIA H200", "3.0.1" */
    struct red_cub_cell *cells;                /* owned, in the file's order */
    size_t cells_n;
};

/* What such a file says of itself. */
struct red_file_kind;
extern const struct red_file_kind red_cub_kind;

/* Reads the file from its text_n bytes; `path` is for messages. Release with red_cub_clear. Errors:
 * RED_E_INPUT naming the file and what in it is not as it must be; RED_E_MEMORY. */
enum red_status red_cub_read(const char *path, const char *text, size_t text_n, struct red_cub *cub,
                             struct red_error *error);
void red_cub_clear(struct red_cub *cub);

/* The cell of this operation, type and n, or NULL; where data differ, of uniform data, or the slowest. */
const struct red_cub_cell *red_cub_find(const struct red_cub *cub, const struct red_cub_op *op,
                                        const char *type, uint64_t n, bool is_slowest);

#endif
