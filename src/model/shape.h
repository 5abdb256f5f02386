/* Shapes of a benchmark: what one call reduces. */
#ifndef CLREDUCE_MODEL_SHAPE_H
#define CLREDUCE_MODEL_SHAPE_H

#include <stdint.h>

#include "core/sizes.h"

enum red_shape_kind {
    RED_SHAPE_ARRAY,    /* one array to one value */
    RED_SHAPE_SEGMENTS, /* many arrays of one length, side by side in memory, to one value each */
    RED_SHAPE_ITERATE,  /* one array to one value, again and again; the array is another one at every call */
    RED_SHAPES_N
};

enum { RED_SHAPE_ROWS_MAX = 64, RED_ITERATIONS_MAX = 1000000 };

struct red_shape {
    enum red_shape_kind kind;
    struct {
        uint64_t segments_n, n; /* n: elements of one segment */
    } rows[RED_SHAPE_ROWS_MAX]; /* of segments; ascending in n, which differs from row to row */
    size_t rows_n;
    unsigned calls_n; /* of iterate: how many reductions; otherwise 1 */
    char text[160];   /* as it was given: "segments:1048576x160" */
};

extern const char *const red_shape_names[RED_SHAPES_N];

/* Reads "array", "segments:1048576x160", several as in "segments:2^20x16,2^10x16384", or "iterate:100".
 * Errors: RED_E_INPUT with what was expected. */
enum red_status red_shape_parse(const char *text, struct red_shape *shape, struct red_error *error);

/* How many reductions of n elements stand side by side: 1 but for segments. */
uint64_t red_shape_segments(const struct red_shape *shape, uint64_t n);

#endif
