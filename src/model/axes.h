/* What tells two results apart: the device, what was computed there, and how. One table (axes.c) says of each
 * axis its key, its values' order and its place in a name; cells, accuracies, queries and cells of a duel
 * have a struct red_at, and whatever sorts, joins, names or fingerprints results asks here with the axes that
 * count for it. A new axis is a member of red_at and a row of that table. */
#ifndef CLREDUCE_MODEL_AXES_H
#define CLREDUCE_MODEL_AXES_H

#include "core/text.h"
#include "model/geometry.h"
#include "model/strategy.h"
#include "model/types.h"

/* Where a result stands. A text that is "" and a number that is 0 are the axis' usual value. All that is a
 * pointer is borrowed, and may be NULL where the axis does not count. */
struct red_at {
    const char *device; /* its id */
    const struct red_strategy *strategy;
    const struct red_op *op;
    const struct red_dtype *dtype;
    char shape[64];          /* as red_at_set_shape writes it: "array", "segments:1048576x160" */
    unsigned bins_n;         /* of a histogram; otherwise 0 */
    char data[64];           /* name of a pattern, of a check as --show-data takes it; "": uniform */
    struct red_tuning asked; /* by the user, of the geometry; 0: the default */
    unsigned ranks_n;        /* over which one array is spread; 0: over none */
    char collective[32];     /* that combines what the ranks found; a name */
    char scaling[8];         /* "weak": n grows with the ranks; "": strong, or over none */
    uint64_t n;              /* of one reduction; over ranks of the whole array */
};

/* In the order of columns and names. */
enum red_axis {
    RED_AXIS_DEVICE,
    RED_AXIS_STRATEGY,
    RED_AXIS_OP,
    RED_AXIS_TYPE,
    RED_AXIS_SHAPE,
    RED_AXIS_BINS,
    RED_AXIS_DATA,
    RED_AXIS_ASKED,
    RED_AXIS_RANKS,
    RED_AXIS_COLLECTIVE,
    RED_AXIS_SCALING,
    RED_AXIS_N,
    RED_AXES_N
};

/* A set of axes is the sum of some of these. */
#define RED_AT(axis) (1u << RED_AXIS_##axis)

/* All; what is computed, of which a result file has a query; what a line of a table is of: its cells differ
 * in n, and with it in the shape, whose numbers of segments are those of one n. Kinds of shapes share no
 * table. */
#define RED_AT_ALL ((1u << RED_AXES_N) - 1)
#define RED_AT_QUERY                                                                                         \
    (RED_AT(OP) | RED_AT(TYPE) | RED_AT(SHAPE) | RED_AT(BINS) | RED_AT(DATA) | RED_AT(RANKS) |               \
     RED_AT(SCALING))
#define RED_AT_LINE (RED_AT_ALL & ~(RED_AT(N) | RED_AT(SHAPE)))

/* What a table on the screen, or a chart, is of, within a run of one shape and a query of its data. */
#define RED_AT_TABLE (RED_AT(OP) | RED_AT(TYPE) | RED_AT(BINS))

/* What results of one device have no use for: it is "" in each of them. */
#define RED_AT_OVER_RANKS (RED_AT(RANKS) | RED_AT(COLLECTIVE) | RED_AT(SCALING))

/* What `scaling` has where n grows with the ranks. */
#define RED_SCALING_WEAK "weak"

/* The axis' key, as in files and columns: "bins". */
const char *red_axis_key(enum red_axis axis);

/* Its value, "256"; "" where there is none. A usual value is a word, "uniform", "array". */
struct red_short_text red_axis_text(const struct red_at *at, enum red_axis axis);

/* Whether there are data to choose from: a blank in red_axis_text stands for none. */
bool red_at_has_data(const struct red_at *at);

/* Whether its values are numbers, as in JSON. */
bool red_axis_is_number(enum red_axis axis);

/* The same place on these axes alone: all others have their usual value, or none. */
struct red_at red_at_projection(const struct red_at *at, unsigned axes);

/* An order of results by these axes: by device, then by what was computed (operations by primitive), then by
 * the others in their order, numbers as numbers. 0: they are the same. */
int red_at_compare(const struct red_at *a, const struct red_at *b, unsigned axes);

/* In which of these axes they differ: 0 where they are the same. */
unsigned red_at_difference(const struct red_at *a, const struct red_at *b, unsigned axes);
bool red_at_is_same(const struct red_at *a, const struct red_at *b, unsigned axes);

/* Whether lists of names or globs, as --strategy, --op and --type give them, choose it; NULL: all are chosen.
 */
bool red_at_is_chosen(const struct red_at *at, const char *strategies, const char *ops, const char *types);

/* "pocl.0/tree/sum/f32/n:4096", "pocl/segment_item/max/i32/segments:30/wg:64/n:7": what is usual is left out.
 * Names stand in files of --export, in policies and in histories, so that they must not change. What does not
 * fit is cut. */
enum { RED_AT_NAME_BYTES = 256 };
void red_at_name(const struct red_at *at, unsigned axes, char *text, size_t text_bytes);

/* "count of u32 in 7 bins with slowest data", "sum of f32 over 4 ranks, weak scaling": for headings and
 * sentences, the operation and the type, and what of these axes is not usual. */
struct red_short_text red_at_title(const struct red_at *at, unsigned axes);

/* The shape's kind: an unknown one counts as an array. And the shape with its text, of one that repeats
 * "iterate:100"; segments of any number and length are one, "segments". */
enum red_shape_kind red_at_shape_kind(const struct red_at *at);
struct red_shape red_at_shape(const struct red_at *at);

/* Writes the shape with its numbers: "array", "segments:1048576x160", "iterate:100"; shape NULL: one array.
 */
void red_at_set_shape(struct red_at *at, const struct red_shape *shape, uint64_t segments_n,
                      uint64_t segment_n);

#endif
