/* Launch geometry: how many work-items run, from a strategy's span, the device and n. --wg, --groups and
 * --lanes fix parts of it; cl/plan.c, run/, verify/ and emit/ ask for it. */
#ifndef CLREDUCE_MODEL_GEOMETRY_H
#define CLREDUCE_MODEL_GEOMETRY_H

#include <stdint.h>

#include "core/select.h"
#include "model/strategy.h"
#include "model/types.h"

/* ---- shapes ----------------------------------------------------------------------------------------------
 * What one call reduces: --shape. */

enum red_shape_kind {
    RED_SHAPE_ARRAY,    /* one array to one value */
    RED_SHAPE_SEGMENTS, /* many arrays of one length, side by side in memory, to one value each */
    RED_SHAPE_ITERATE,  /* one array to one value, again and again; the array is another one at every call */
    RED_SHAPE_COMPUTED, /* segments whose elements each kernel computes: no array holds them */
    RED_SHAPE_CHANGED,  /* as iterate; before each reduction a launch stores other elements in the same array
                         */
    RED_SHAPES_N
};

enum { RED_SHAPE_ROWS_MAX = 64, RED_ITERATIONS_MAX = 1000000 };

struct red_shape {
    enum red_shape_kind kind;
    struct {
        uint64_t segments_n, n; /* n: elements of one segment */
    } rows[RED_SHAPE_ROWS_MAX]; /* of segments and computed; ascending in n, which differs from row to row */
    size_t rows_n;
    unsigned calls_n; /* of iterate and changed: how many reductions; otherwise 1 */
    char text[160];   /* as it was given: "segments:1048576x160" */
};

extern const char *const red_shape_names[RED_SHAPES_N];

/* Whether many reductions stand side by side, whose lengths the shape says; whether a call is many, one after
 * the other. */
bool red_shape_has_segments(const struct red_shape *shape);
bool red_shape_repeats(const struct red_shape *shape);

/* Reads "array", "segments:1048576x160", several as in "segments:2^20x16,2^10x16384", or "iterate:100", and
 * "computed:..." as segments, of at most RED_COMPUTED_N_MAX elements, "changed:..." as iterate. Errors:
 * RED_E_INPUT with what was expected. */
enum red_status red_shape_parse(const char *text, struct red_shape *shape, struct red_error *error);

/* How many reductions of n elements stand side by side: 1 but for segments. */
uint64_t red_shape_segments_n(const struct red_shape *shape, uint64_t n);

/* ---- geometry ------------------------------------------------------------------------------------------ */

/* What of a device decides the geometry. */
struct red_geometry_limits {
    unsigned compute_units; /* at least 1 */
    bool is_cpu;
    size_t group_size_max; /* at least 1; smallest of the device's and the kernel's limits */
};

/* What can be chosen of a geometry; 0 leaves it to the default for this strategy, device and n. */
struct red_tuning {
    size_t group_size;     /* L, work-items per work-group */
    uint64_t groups_n;     /* G, spans stride and chunk only */
    unsigned width, loads; /* elements per vector and vectors in flight; both or neither, and only of a
                              strategy whose manifest says so (struct red_strategy) */
};

struct red_geometry {
    size_t group_size; /* L */
    uint64_t groups_n; /* G, work-groups of the first launch, at least 1 */
    uint64_t item_n;   /* k: no work-item takes more elements. An upper bound: of a vector kernel it
                          is known how many lanes it has, not how wide its vectors are */
    unsigned lanes, width, loads; /* as in struct red_strategy */
};

/* What would have to be asked for to get this geometry where all of it can be chosen. */
struct red_tuning red_geometry_tuning(const struct red_geometry *geometry);

/* 0 if they are the same; otherwise below or above 0, an order for sorting. */
int red_tuning_compare(const struct red_tuning *a, const struct red_tuning *b);

/* Writes what of a geometry is chosen, each in its words, and nothing of what is 0. Words are formats with
 * one %s, or NULL for what is not told: RED_TUNING_SHORT makes ":64:g8:16x4". */
struct red_tuning_words {
    const char *group_size, *groups, *lanes;
};
#define RED_TUNING_SHORT ((struct red_tuning_words){":%s", ":g%s", ":%s"})
void red_tuning_format(const struct red_tuning *tuning, struct red_tuning_words words, char *text,
                       size_t text_bytes);

/* Whether the number of groups can be chosen: of spans stride and chunk. */
bool red_geometry_takes_groups(const struct red_strategy *strategy);

/* Whether the group size can be chosen: not of span one, where a single work-item works. */
bool red_geometry_takes_group_size(const struct red_strategy *strategy);

/* The most groups that can be asked for. */
enum { RED_GROUPS_MAX = 1 << 20 };

/* The group size a strategy gets when the user gives none (of span stride on a GPU: for few elements): 1
 * where items do not share local memory on purpose (span one; span chunk on a CPU), 32 for span stride on a
 * CPU, 64 for segments, otherwise 256; or the device's limit if that is smaller. */
size_t red_geometry_default_group_size(const struct red_strategy *strategy,
                                       const struct red_geometry_limits *limits);

/* Chooses the geometry for n elements.
 *   one     one item, which takes all
 *   each    an item takes one element, or as many as the strategy has lanes v: ceil(n / (L v)) groups
 *   stride  as many groups as keep the device busy, fewer for small n: 4 per compute unit on a CPU; elsewhere
 *           one alone up to 16 elements per item, then size and number follow from the elements and from
 *           what all groups wait for; items take turns by vectors, and one by one by what is left behind
 *           the last vector
 *   chunk   on a CPU one group per compute unit, fewer below 2^15 elements each, up to 16 per unit while
 *           each has 2^17; elsewhere 4 per unit, fewer below 2^13 elements per item; pieces are whole blocks
 *           of 64 elements, or of the strategy's lanes if these are more
 *   segment, column   of `segments_n` arrays of n elements each: with group none an item takes one, otherwise
 *           a group does; sub-groups take turns, as many as there are in one group for every 4 arrays
 * With finish persistent stride and chunk have one group, whatever n; 1024 items with stride on a GPU. Lanes
 * that are left to the host are the manifest's; on a CPU, where the accumulator is a vector's lane, vectors
 * are of 16. What `tuning` chooses is taken as it is: a number of groups is not lowered for small n. Errors:
 * RED_E_UNSUPPORTED with the reason where the strategy cannot run with this choice, or not reduce so many
 * arrays. */
enum red_status red_geometry_choose_segments(const struct red_strategy *strategy, const struct red_op *op,
                                             const struct red_dtype *dtype,
                                             const struct red_geometry_limits *limits,
                                             const struct red_tuning *tuning, uint64_t n, uint64_t segments_n,
                                             struct red_geometry *geometry, struct red_error *error);

/* The same for one array. */
enum red_status red_geometry_choose(const struct red_strategy *strategy, const struct red_op *op,
                                    const struct red_dtype *dtype, const struct red_geometry_limits *limits,
                                    const struct red_tuning *tuning, uint64_t n,
                                    struct red_geometry *geometry, struct red_error *error);

/* Groups of the second launch of finish joined_copies, which share the counts (RED_JOIN_N of
 * kernels_cl12/lib/bins.cl says how). */
uint64_t red_geometry_joining_groups_n(size_t group_size, uint64_t counts_n);

/* In `out` in front of what groups have words by (RED_COUNTER of kernels_cl12/lib/elements.cl). */
enum { RED_RESULT_BYTES = 16 };

/* Bytes of the state by which groups agree within one launch, where it is not one counter: 4 words, and
 * then 8 for each tile of a scan of n elements whose groups wait for each other (finish single_pass, but of
 * span one, which has one group), for each of the bins_n + 1 counts of finish one_launch_counts, in whole
 * sixteens, or for each group of a reduction whose groups have words, with RED_RESULT_BYTES for its result in
 * front. 0 of all others: they have a counter, if they need one.
 * docs/scan.md, docs/histogram.md and docs/kernels.md promise it to kernels. */
size_t red_geometry_state_bytes(const struct red_strategy *strategy, const struct red_geometry *geometry,
                                uint64_t n, unsigned bins_n);

#endif
