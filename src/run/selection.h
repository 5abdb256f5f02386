/* What the user chose to work with: devices, strategies, operations, types, sizes and launches. */
#ifndef CLREDUCE_RUN_SELECTION_H
#define CLREDUCE_RUN_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "core/sizes.h"
#include "model/geometry.h"
#include "model/shape.h"

enum { RED_KERNEL_FILES_MAX = 16, RED_LANES_MAX = 20, RED_DATA_SETS_MAX = 17 };

struct red_selection {
    const char *device, *strategy, *op, *type; /* lists of names or globs; NULL: the verb's default */
    struct red_sizes n, wg, groups;            /* empty: the verb's default */
    struct red_tuning lanes[RED_LANES_MAX];    /* width and loads only */
    size_t lanes_n;
    struct red_shape shape;
    const char *kernels[RED_KERNEL_FILES_MAX]; /* files of the user's */
    size_t kernels_n;
    const char *expect; /* file or folder with known bugs; NULL: none */
    uint64_t seed;
    double time_per_cell_s; /* 0: the verb's default */
    double patience_s;      /* that a driver may take for one question; 0: the default */
    unsigned data_sets;     /* exact ones that a cell is checked with; 0: the verb's default */
    bool all;
    char command[512]; /* the whole command line, for the record */
};

/* The combinations of --wg, --groups and --lanes, at least one; what was not given is 0. */
size_t red_selection_tunings_n(const struct red_selection *selection);
struct red_tuning red_selection_tuning(const struct red_selection *selection, size_t i);

/* For verbs that take one size where others take lists: whether --wg and --n, if they are given, are one
 * each, and a group holds a work-item. Errors: RED_E_INPUT. */
enum red_status red_selection_check_single(const struct red_selection *selection, struct red_error *error);

#endif
