/* Makes cases; refuses arrays above nine tenths of the free host memory. Parses --shape. Chooses group size,
 * groups and lanes as far as --wg, --groups and --lanes leave them open. Limits were measured; each
 * comment names the measurement. */
#include "model/geometry.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/numbers.h"
#include "core/text.h"
#include "model/bins.h"
#include "model/case.h"
#include "model/computed.h"
#include "model/primitive.h"

/* ---- cases --------------------------------------------------------------------------------------------- */

struct red_data_spec red_data_spec_make(const struct red_op *op, const struct red_dtype *dtype,
                                        struct red_data_kind data_kind, uint64_t n, uint64_t seed) {
    return (struct red_data_spec){.op = op,
                                  .dtype = dtype,
                                  .data_kind = data_kind,
                                  .n = n,
                                  .segments_n = 1,
                                  .bins_n = red_primitives[op->primitive].bins_n,
                                  .seed = seed};
}

/* For verify, bench (its roof, too), duel, once, and the roof of `devices`; asked of a worker. */
struct red_case red_case_make(const struct red_data_spec *data, const struct red_strategy *strategy,
                              const struct red_tuning *tuning) {
    static const struct red_tuning by_default = {.group_size = 0};
    return (struct red_case){.data = *data,
                             .strategy = strategy,
                             .n = data->n,
                             .tuning = tuning != NULL ? *tuning : by_default,
                             .arrays_n = 1,
                             .reductions = 1};
}

/* By this and the next a worker finds what it has kept (worker/server_cases.c); the user sees no trace. */
bool red_data_is_same(const struct red_data_spec *a, const struct red_data_spec *b) {
    return a->op == b->op && a->dtype == b->dtype && a->data_kind.pattern == b->data_kind.pattern &&
           a->data_kind.part == b->data_kind.part && a->n == b->n && a->segments_n == b->segments_n &&
           a->bins_n == b->bins_n && a->making == b->making && a->seed == b->seed &&
           a->whole_n == b->whole_n && a->first == b->first;
}

bool red_case_is_same_prepared(const struct red_case *a, const struct red_case *b) {
    return red_data_is_same(&a->data, &b->data) && a->strategy == b->strategy && a->form == b->form &&
           a->n == b->n && red_tuning_compare(&a->tuning, &b->tuning) == 0 && a->arrays_n == b->arrays_n &&
           a->reductions == b->reductions && a->prefixes_n == b->prefixes_n;
}

/* A tenth stays free: a machine that swaps measures nothing, and one without swap kills processes. Also the
 * limit of run/session.c. */
double red_data_room_bytes(void) {
    return 0.9 * red_memory_available_bytes();
}

/* `n` of --n, by that of --shape; run/session.c adds up all that a run holds at once. */
double red_data_bytes(const struct red_dtype *dtype, const struct red_op *op, uint64_t n) {
    return (double)n * (double)dtype->size_bytes * op->arrays;
}

/* Asked before a run (run/session.c), whose error ends the verb, and by a worker (worker/prepared.c). */
enum red_status red_data_check_room(const struct red_dtype *dtype, const struct red_op *op, uint64_t n,
                                    struct red_error *error) {
    double room = red_data_room_bytes(), needed = red_data_bytes(dtype, op, n);
    return needed <= room ? RED_OK
                          : red_fail(error, RED_E_MEMORY,
                                     "--n %" PRIu64
                                     " of %s needs %.1f GiB of host memory; the largest possible n is %.0f",
                                     n, dtype->name, needed / (1 << 30),
                                     floor(room / (double)dtype->size_bytes / op->arrays));
}

const char *const red_shape_names[RED_SHAPES_N] = {[RED_SHAPE_ARRAY] = "array",
                                                   [RED_SHAPE_SEGMENTS] = "segments",
                                                   [RED_SHAPE_ITERATE] = "iterate",
                                                   [RED_SHAPE_COMPUTED] = "computed",
                                                   [RED_SHAPE_CHANGED] = "changed"};

bool red_shape_has_segments(const struct red_shape *shape) {
    return shape->kind == RED_SHAPE_SEGMENTS || shape->kind == RED_SHAPE_COMPUTED;
}

bool red_shape_repeats(const struct red_shape *shape) {
    return shape->kind == RED_SHAPE_ITERATE || shape->kind == RED_SHAPE_CHANGED;
}

/* Fills the error for a --shape that is not valid, with what is. */
static enum red_status fail_shape(const char *text, struct red_error *error) {
    return red_fail(
        error, RED_E_INPUT,
        "--shape: '%s' is not valid; expected array, segments:1048576x160 (how many x how long; "
        "several with commas, each of another length), computed:1048576x160 (the same, computed by the "
        "kernel; 2 or more, up to %d long), iterate:100 or changed:100 (how often, up to %d)",
        text, RED_COMPUTED_N_MAX, RED_ITERATIONS_MAX);
}

/* One number of --shape, as in segments:1048576x160, in the syntax of --n; 0 for anything else. */
static uint64_t read_shape_number(const char *text, size_t length) {
    char copy[64];
    struct red_sizes sizes = {.n = 0};
    uint64_t value = 0;
    if (length == 0 || length >= sizeof copy)
        return 0;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (red_sizes_parse("--shape", copy, &sizes, NULL) == RED_OK && sizes.n == 1)
        value = sizes.values[0];
    red_sizes_clear(&sizes);
    return value;
}

/* Inserts so many segments of one length into --shape, ascending in length; false for a length that is there
 * already, or too many of them. */
static bool insert_segments(struct red_shape *shape, uint64_t segments_n, uint64_t segment_n) {
    size_t at = shape->rows_n;
    if (at == RED_SHAPE_ROWS_MAX)
        return false;
    for (; at > 0 && shape->rows[at - 1].n >= segment_n; at--) {
        if (shape->rows[at - 1].n == segment_n)
            return false;
        shape->rows[at] = shape->rows[at - 1];
    }
    shape->rows[at].segments_n = segments_n;
    shape->rows[at].n = segment_n;
    shape->rows_n++;
    return true;
}

/* Reads "1048576x160,...", what follows "segments:" or "computed:" in --shape, into rows; false for any other
 * text. */
static bool read_segments(const char *at, struct red_shape *shape) {
    for (;; at++) {
        size_t length = strcspn(at, ","), many = strcspn(at, "x,");
        uint64_t segments_n = read_shape_number(at, many);
        uint64_t n = many < length ? read_shape_number(at + many + 1, length - many - 1) : 0;
        if (segments_n == 0 || n == 0 || segments_n > UINT64_MAX / 16 / n ||
            (shape->kind == RED_SHAPE_COMPUTED && (segments_n < 2 || n > RED_COMPUTED_N_MAX)) ||
            !insert_segments(shape, segments_n, n))
            return false;
        at += length;
        if (*at == '\0')
            return true;
    }
}

enum red_status red_shape_parse(const char *text, struct red_shape *shape, struct red_error *error) {
    *shape = (struct red_shape){.kind = RED_SHAPE_ARRAY, .calls_n = 1};
    if (strlen(text) >= sizeof shape->text)
        return fail_shape(text, error);
    strcpy(shape->text, text);
    if (strcmp(text, "array") == 0)
        return RED_OK;
    const size_t name_n = strcspn(text, ":");
    const char *rest = text + name_n + 1;
    int kind = RED_SHAPES_N - 1;
    while (kind > RED_SHAPE_ARRAY && (strlen(red_shape_names[kind]) != name_n || text[name_n] == '\0' ||
                                      strncmp(text, red_shape_names[kind], name_n) != 0))
        kind--;
    shape->kind = (enum red_shape_kind)kind;
    if (red_shape_has_segments(shape))
        return read_segments(rest, shape) ? RED_OK : fail_shape(text, error);
    const uint64_t calls_n = red_shape_repeats(shape) ? read_shape_number(rest, strlen(rest)) : 0;
    if (calls_n == 0 || calls_n > RED_ITERATIONS_MAX)
        return fail_shape(text, error);
    shape->calls_n = (unsigned)calls_n;
    return RED_OK;
}

/* For each n of --n, or of --shape: bench, `once`, the check of memory; key `segments` of a cell. */
uint64_t red_shape_segments_n(const struct red_shape *shape, uint64_t n) {
    for (size_t i = 0; i < shape->rows_n; i++)
        if (shape->rows[i].n == n)
            return shape->rows[i].segments_n;
    return 1;
}

/* ---- geometry ---------------------------------------------------------------------------------------------
 * `strategy` and `tuning` are of a case, `limits` of its device. The user sees the result as `geometry` of a
 * cell in JSON, a refusal as the reason of an `unsupported` cell. */

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high) {
    return value < low ? low : value > high ? high : value;
}

/* Of a cell that was read from a file: compare shows and compares it. */
struct red_tuning red_geometry_tuning(const struct red_geometry *geometry) {
    return (struct red_tuning){.group_size = geometry->group_size,
                               .groups_n = geometry->groups_n,
                               .width = geometry->width,
                               .loads = geometry->loads};
}

/* Matches and sorts cells by what was asked: compare, recommend, results, verify. */
int red_tuning_compare(const struct red_tuning *a, const struct red_tuning *b) {
    const uint64_t of_a[] = {a->group_size, a->groups_n, a->width, a->loads};
    const uint64_t of_b[] = {b->group_size, b->groups_n, b->width, b->loads};
    int order = 0;
    for (size_t i = 0; i < sizeof of_a / sizeof of_a[0] && order == 0; i++)
        order = (of_a[i] > of_b[i]) - (of_a[i] < of_b[i]);
    return order;
}

/* Seen behind a strategy's name in tables, as tree:64:g8:16x4, in the commands that verify prints, and
 * elsewhere. */
void red_tuning_format(const struct red_tuning *tuning, struct red_tuning_words words, char *text,
                       size_t text_bytes) {
    char group_size[24] = "", groups[24] = "", lanes[24] = "";
    if (tuning->group_size > 0)
        snprintf(group_size, sizeof group_size, "%zu", tuning->group_size);
    if (tuning->groups_n > 0)
        snprintf(groups, sizeof groups, "%llu", (unsigned long long)tuning->groups_n);
    if (tuning->width > 0)
        snprintf(lanes, sizeof lanes, "%ux%u", tuning->width, tuning->loads);
    const char *const values[] = {group_size, groups, lanes}, *const formats[] = {words.group_size,
                                                                                  words.groups, words.lanes};
    text[0] = '\0';
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (formats[i] != NULL && values[i][0] != '\0')
            red_text_add(text, text_bytes, formats[i], values[i]);
}

/* By this and the next verify leaves out what cannot be chosen; check_tuning has the reason. */
bool red_geometry_takes_groups(const struct red_strategy *strategy) {
    return !red_strategy_finish_has(strategy, RED_FINISH_ONE_GROUP) &&
           (strategy->span == RED_STRATEGY_STRIDE || strategy->span == RED_STRATEGY_CHUNK);
}

bool red_geometry_takes_group_size(const struct red_strategy *strategy) {
    return strategy->span != RED_STRATEGY_ONE;
}

/* On a CPU the items of a group are turns of a loop, and the first thing a larger group buys is a longer
 * tree: at n = 2^14 a stride of groups of 256 took 3 times what groups of 32 take. With fewer than 16 a
 * driver has no items left to make vectors of (grid_stride: 7 times slower with 1). */
size_t red_geometry_default_group_size(const struct red_strategy *strategy,
                                       const struct red_geometry_limits *limits) {
    static const struct {
        size_t on_cpu, elsewhere;
    } sizes[RED_SPANS_N] = {
        [RED_STRATEGY_EACH] = {256, 256},  [RED_STRATEGY_STRIDE] = {32, 256}, [RED_STRATEGY_CHUNK] = {1, 256},
        [RED_STRATEGY_SEGMENT] = {64, 64}, [RED_STRATEGY_COLUMN] = {64, 64},
    };
    size_t size = limits->is_cpu ? sizes[strategy->span].on_cpu : sizes[strategy->span].elsewhere;
    if (!red_geometry_takes_group_size(strategy))
        return 1;
    return (size_t)clamp(size, 1, limits->group_size_max);
}

/* How many work-items share the elements where the user chooses nothing: groups of this size, at most so many
 * per compute unit. */
struct default_spread {
    size_t group_size;
    unsigned per_unit_max; /* groups */
};

/* Whether a GPU has so many elements for each compute unit that the memory alone sets the time; of
 * histograms, which count while they wait for the memory, so many bytes. */
static bool is_far(const struct red_geometry_limits *limits, uint64_t n) {
    return n >> 18 >= limits->compute_units;
}

/* What a GPU gets of histograms. H200, local_copies_last, 132 groups of 1024, 132 of 512, 264 of 512: u8,
 * n = 2^24 9.4 us, 8.3, 8.7; n = 2^26 22.6, 22.5, 21.5; u32, n = 2^22 8.0, 7.5, 8.1; n = 2^27 124.4, 122.9,
 * 122.4. With two loads in flight two groups of 1024 have registers: local_copies_arrivals, u32, n = 2^26,
 * calls back to back 63.6 us, with eight in groups of 512 64.3. Without atomics items have a copy each, of
 * 256 bins 31 in 32 KB. */
static struct default_spread spread_of_counts(const struct red_strategy *strategy, const struct red_op *op,
                                              const struct red_dtype *dtype,
                                              const struct red_geometry_limits *limits, uint64_t n) {
    (void)op;
    const size_t group_size = strategy->needs & RED_NEED(XCHG64) ? 1024 : 512;
    return strategy->needs & RED_NEED(ATOMIC32)
               ? (struct default_spread){group_size, is_far(limits, n * dtype->size_bytes) ? 2 : 1}
               : (struct default_spread){32, 6};
}

static bool host_folds(const struct red_strategy *strategy) {
    return strategy->finish == RED_STRATEGY_HOST || strategy->finish == RED_STRATEGY_SVM;
}

/* What it gets of others. */
static struct default_spread spread_of_terms(const struct red_strategy *strategy, const struct red_op *op,
                                             const struct red_dtype *dtype,
                                             const struct red_geometry_limits *limits, uint64_t n) {
    /* A group leaves up to 68 words, which somebody adds up. superaccumulator_polled, n = 2^28: f32 264
     * groups of 512 280 us, 528 of 256 308 us; f64 132 of 512 898 us, 132 of 256 1003 us. */
    if (red_strategy_is_exact(strategy))
        return (struct default_spread){512, dtype->size_bytes == 8 ? 1 : 2};
    /* All are waited for, in their first round: last_ticket, f32, 264 groups of 512, 528 of 256, 2048 of
     * 1024: n = 2^23 10.9 us, 11.5, -; n = 2^24 21.8, 22.1, -; n = 2^26 67.2, -, 71.5; n = 2^28 244, -, 246.
     */
    if (strategy->needs & RED_NEED(WORD_PUBLICATION))
        return (struct default_spread){512, 2};
    /* With two vectors in flight: arrivals, i32, by events on an idle device, groups of 512, of 256, of 256
     * with four vectors: n = 2^16 5.9 us, 6.3, 6.5; n = 2^20 6.8, 6.9, 6.9; n = 2^24 22.2, 22.5, 22.8. */
    if (strategy->needs & RED_NEED(XCHG64))
        return is_far(limits, n) ? (struct default_spread){1024, 16} : (struct default_spread){512, 4};
    /* All wait for each other: cmpxchg_group, f32, n = 2^24: 264 groups 77 us, 2112 groups 1147 us. */
    if (strategy->needs & RED_NEED(CAS32))
        return (struct default_spread){is_far(limits, n) ? 1024 : 256, 2};
    /* H100, argmin, f16, n = 2^24: 2048 groups 18.6 us, 528 15.4. */
    if (dtype->size_bytes < 4 && strategy->width > 0)
        return (struct default_spread){256, 4};
    /* More to compute: argmin, f32, n = 2^27 on an H100: 2112 groups of 256 185 us, 8448 of 1024 192 us. */
    if (op->role == RED_ROLE_PLACE || dtype->size_bytes < 4)
        return (struct default_spread){256, 16};
    /* f64, sum, n = 2^28: 8448 groups of 512 482 us, 2112 of 256 675 us. */
    if (dtype->size_bytes == 8)
        return (struct default_spread){512, 64};
    /* f32, sum, n = 2^29: 8448 groups of 1024 474 us, 2112 of 256 478 us; n = 2^24: 528 of 256 19.9 us,
     * 2112 20.3. Where the host folds what groups leave, 8192 of them cost 5 us, and gain 2 at n = 2^28. */
    return is_far(limits, n) ? (struct default_spread){1024, host_folds(strategy) ? 16 : 64}
                             : (struct default_spread){256, 4};
}

/* What a GPU gets for span stride. All figures: H200 with 132 units, calls back to back. */
static struct default_spread gpu_stride_default_spread(const struct red_strategy *strategy,
                                                       const struct red_op *op, const struct red_dtype *dtype,
                                                       const struct red_geometry_limits *limits, uint64_t n) {
    static struct default_spread (*const spreads[RED_PRIMITIVES_N])(
        const struct red_strategy *, const struct red_op *, const struct red_dtype *,
        const struct red_geometry_limits *, uint64_t) = {[RED_PRIMITIVE_HISTOGRAM] = spread_of_counts};
    if (red_strategy_finish_has(strategy, RED_FINISH_ONE_GROUP))
        return (struct default_spread){1024, 1};
    return (spreads[op->primitive] != NULL ? spreads[op->primitive] : spread_of_terms)(strategy, op, dtype,
                                                                                       limits, n);
}

/* The group size, and groups per compute unit, where the user chooses none. */
static struct default_spread find_default_spread(const struct red_strategy *strategy, const struct red_op *op,
                                                 const struct red_dtype *dtype,
                                                 const struct red_geometry_limits *limits, uint64_t n) {
    if (limits->is_cpu || strategy->span != RED_STRATEGY_STRIDE) {
        bool has_pieces = limits->is_cpu && strategy->span == RED_STRATEGY_CHUNK;
        return (struct default_spread){red_geometry_default_group_size(strategy, limits),
                                       has_pieces ? 16 : 4};
    }
    struct default_spread spread = gpu_stride_default_spread(strategy, op, dtype, limits, n);
    spread.group_size = (size_t)clamp(spread.group_size, 1, limits->group_size_max);
    return spread;
}

/* At most so many groups per compute unit; fewer while a group would have less than group_n_min elements. */
static uint64_t busy_groups(const struct red_geometry_limits *limits, unsigned per_unit_max,
                            uint64_t group_n_min, uint64_t n) {
    return clamp(red_ceil_div(n, group_n_min), 1, (uint64_t)limits->compute_units * per_unit_max);
}

/* A CPU adds so many elements in about the time it takes to wake a sleeping worker. */
static const uint64_t WAKING_N = 1 << 15;

/* Of a GPU: one group alone as long as no item gets more than 16 elements, as many as it has in flight (H200,
 * f32, n = 2^12: last_group_wide takes 0.6 us less with 1 group than with 4). Then one group per compute
 * unit as long as every item gets a vector of 4, and more only while every item gets 32 elements: partial
 * results cost more than items gain (n = 2^22: 9.2 us with 512 groups, 11.4 with 2112). */
static uint64_t gpu_stride_groups(const struct red_geometry_limits *limits, unsigned per_unit_max,
                                  uint64_t group_size, uint64_t n) {
    if (n <= 16 * group_size)
        return 1;
    return red_greater(busy_groups(limits, 1, 4 * group_size, n),
                       busy_groups(limits, per_unit_max, 32 * group_size, n));
}

/* Of a CPU: a piece for every worker that is worth waking, and more while each has so many elements: then who
 * woke late or was disturbed leaves some to the others (2 cores, f32, n = 2^22, by OpenMP's time, median of 5
 * or 6 rounds: chunk on Intel's runtime with 2 groups 1.10, 8 1.11, 16 1.06, 32 1.06; svm_chunk on PoCL 1.11,
 * 1.04, 1.04, 1.06; n = 2^20, either: 2 to 32 groups are within the noise). */
static uint64_t cpu_chunk_groups(const struct red_geometry_limits *limits, unsigned per_unit_max,
                                 uint64_t n) {
    return red_greater(busy_groups(limits, 1, WAKING_N, n), busy_groups(limits, per_unit_max, 1 << 17, n));
}

/* Completes the geometry of one array, whose group size and lanes are chosen; given_groups_n: of
 * groups_of_tuning_or_finish. */
static void complete_array_geometry(enum red_span span, const struct red_geometry_limits *limits,
                                    unsigned per_unit_max, uint64_t given_groups_n, uint64_t n,
                                    struct red_geometry *geometry) {
    const uint64_t group_size = geometry->group_size, lanes = geometry->lanes;
    geometry->groups_n = given_groups_n ? given_groups_n : 1;
    geometry->item_n = n;
    if (span == RED_STRATEGY_EACH) {
        geometry->groups_n = n ? red_ceil_div(n, group_size * lanes) : 1;
        geometry->item_n = red_lesser(n, lanes);
    } else if (span == RED_STRATEGY_STRIDE) {
        if (given_groups_n == 0)
            geometry->groups_n = limits->is_cpu ? busy_groups(limits, per_unit_max, WAKING_N, n)
                                                : gpu_stride_groups(limits, per_unit_max, group_size, n);
        /* Items take whole vectors, and single elements of what is left behind the last one. */
        uint64_t items_n = geometry->groups_n * group_size;
        uint64_t tail_n = n % lanes ? red_ceil_div(lanes - 1, items_n) : 0;
        geometry->item_n = red_lesser(n, lanes * red_ceil_div(n, lanes * items_n) + tail_n);
    } else if (span == RED_STRATEGY_CHUNK) {
        if (given_groups_n == 0)
            geometry->groups_n = limits->is_cpu ? cpu_chunk_groups(limits, per_unit_max, n)
                                                : busy_groups(limits, per_unit_max, group_size << 13, n);
        /* Pieces are whole blocks of 64 elements (kernels_cl12/reduce/chunk.cl), or of `lanes` where a kernel
         * has more. */
        uint64_t block_n = red_greater(64, lanes);
        uint64_t blocks_n = red_ceil_div(red_ceil_div(n, block_n), geometry->groups_n * group_size);
        geometry->item_n = red_lesser(n, block_n * blocks_n);
    }
}

/* The number of groups that --groups asks for, or the finish decides; 0: what suits the span. */
static uint64_t groups_of_tuning_or_finish(const struct red_strategy *strategy,
                                           const struct red_tuning *tuning) {
    return red_strategy_finish_has(strategy, RED_FINISH_ONE_GROUP) ? 1 : tuning->groups_n;
}

/* Refuses --wg, --groups, --lanes that strategy or device cannot have: the cell is `unsupported`. */
static enum red_status check_tuning(const struct red_strategy *strategy,
                                    const struct red_geometry_limits *limits, const struct red_tuning *tuning,
                                    const struct red_geometry *geometry, struct red_error *error) {
    if (geometry->group_size > limits->group_size_max)
        return red_fail(error, RED_E_UNSUPPORTED, "group size %zu is over the limit of %zu",
                        geometry->group_size, limits->group_size_max);
    if (!red_geometry_takes_group_size(strategy) && geometry->group_size != 1)
        return red_fail(error, RED_E_UNSUPPORTED, "%s has a single work-item in a group: group size 1 only",
                        strategy->name);
    if (red_strategy_finish_has(strategy, RED_FINISH_PASSES) && geometry->group_size * geometry->lanes < 2)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "a pass with group size 1 leaves as many values as it reads");
    if (tuning->groups_n > 0 && red_strategy_finish_has(strategy, RED_FINISH_ONE_GROUP))
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s has one group: nothing promises that two run at the same time", strategy->name);
    if (tuning->groups_n > 0 && !red_geometry_takes_groups(strategy))
        return red_fail(
            error, RED_E_UNSUPPORTED,
            "%s has span %s: the number of groups follows from n; only spans stride and chunk take one",
            strategy->name, red_span_names[strategy->span]);
    if (tuning->groups_n > RED_GROUPS_MAX)
        return red_fail(error, RED_E_UNSUPPORTED, "%llu groups are over the limit of %d",
                        (unsigned long long)tuning->groups_n, RED_GROUPS_MAX);
    if (tuning->width > 0 && strategy->width == 0)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s has fixed lanes; only a manifest with lanes as WIDTHxLOADS leaves a choice",
                        strategy->name);
    return RED_OK;
}

/* Completes the geometry of many arrays side by side, n elements each. How many sub-groups there are in a
 * group only the device knows: they take turns. The first half of a pair is of whole vectors. */
static void complete_segments_geometry(const struct red_strategy *strategy, uint64_t n, uint64_t segments_n,
                                       struct red_geometry *geometry) {
    const bool is_pair = strategy->group == RED_STRATEGY_PAIR && geometry->group_size > 1;
    uint64_t per_group = strategy->group == RED_STRATEGY_NONE        ? geometry->group_size
                         : is_pair                                   ? geometry->group_size / 2
                         : strategy->group == RED_STRATEGY_SUB_GROUP ? 4
                                                                     : 1;
    bool alone = strategy->group == RED_STRATEGY_NONE || strategy->group == RED_STRATEGY_SUB_GROUP;
    geometry->groups_n = red_ceil_div(segments_n, per_group);
    geometry->item_n = alone     ? n
                       : is_pair ? red_lesser(n, n / 2 + geometry->width)
                                 : red_ceil_div(n, geometry->group_size);
}

/* The width on a CPU, 0 the manifest's; bytes of a vector on a GPU where elements are few: of most, and of
 * primitives that have others. */
static const struct width_rule {
    unsigned cpu_width;
    size_t gpu_bytes;
} width_of_most = {16, 8},
  width_of_counts = {0, 16}, *const widths[RED_PRIMITIVES_N] = {[RED_PRIMITIVE_HISTOGRAM] = &width_of_counts};

/* Vectors of 16 keep what neighbouring items of a CPU read apart by whole cache lines: a grid stride of 4
 * times 4 took 2 to 4 times as long from n = 2^18 on. A pair is no lane. Of a GPU a vector has at least 8
 * bytes, and 16 where there are many elements (H100, sum, u8, n = 2^24: 4x4 13.3 us, 8x4 12.9; n = 2^28: 8x4
 * 105, 16x4 97; f16, n = 2^24: 4x4 14.5, 8x4 17.8; n = 2^28: 199 and 190); of histograms always 16, and on a
 * CPU the manifest's, since each element is an atomic and a longer text takes seconds to compile. */
static unsigned default_width(const struct red_strategy *strategy, const struct red_op *op,
                              const struct red_dtype *dtype, const struct red_geometry_limits *limits,
                              uint64_t n) {
    const struct width_rule rule = *(widths[op->primitive] != NULL ? widths[op->primitive] : &width_of_most);
    if (limits->is_cpu)
        return red_op_accumulator(op, dtype)->word_bits > 0 && rule.cpu_width > 0 ? rule.cpu_width
                                                                                  : strategy->width;
    if (red_strategy_is_exact(strategy)) /* superaccumulator_polled, f32, n = 2^28: 2x8 280 us, 4x4 299 us */
        return strategy->width;
    const size_t vector_bytes = is_far(limits, n) ? 16 : rule.gpu_bytes;
    return (unsigned)red_greater(strategy->width, vector_bytes / dtype->size_bytes);
}

/* Sets lanes, width, loads. */
static void choose_lanes(const struct red_strategy *strategy, const struct red_tuning *tuning, unsigned width,
                         struct red_geometry *geometry) {
    geometry->lanes = strategy->lanes;
    if (strategy->width == 0)
        return;
    geometry->width = tuning->width ? tuning->width : width;
    geometry->loads = tuning->loads ? tuning->loads : strategy->loads;
    geometry->lanes = geometry->width * geometry->loads;
}

/* For plans (cl/plan.c), cells of bench (run/bench.c) and checks of verify (verify/parameter_space.c). */
enum red_status red_geometry_choose_segments(const struct red_strategy *strategy, const struct red_op *op,
                                             const struct red_dtype *dtype,
                                             const struct red_geometry_limits *limits,
                                             const struct red_tuning *tuning, uint64_t n, uint64_t segments_n,
                                             struct red_geometry *geometry, struct red_error *error) {
    const struct default_spread spread = find_default_spread(strategy, op, dtype, limits, n);
    const uint64_t groups_n = groups_of_tuning_or_finish(strategy, tuning);
    *geometry =
        (struct red_geometry){.group_size = tuning->group_size ? tuning->group_size : spread.group_size};
    choose_lanes(strategy, tuning, default_width(strategy, op, dtype, limits, n), geometry);
    enum red_status status = check_tuning(strategy, limits, tuning, geometry, error);
    if (status != RED_OK)
        return status;
    if (segments_n > 1 && !red_strategy_is_segmented(strategy))
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s reduces one array; segments need span segment or column", strategy->name);
    if (red_strategy_is_segmented(strategy))
        complete_segments_geometry(strategy, n, segments_n, geometry);
    else
        complete_array_geometry(strategy->span, limits, spread.per_unit_max, groups_n, n, geometry);
    return RED_OK;
}

/* For what has one array: emit, and parts of verify. */
enum red_status red_geometry_choose(const struct red_strategy *strategy, const struct red_op *op,
                                    const struct red_dtype *dtype, const struct red_geometry_limits *limits,
                                    const struct red_tuning *tuning, uint64_t n,
                                    struct red_geometry *geometry, struct red_error *error) {
    return red_geometry_choose_segments(strategy, op, dtype, limits, tuning, n, 1, geometry, error);
}

/* A group adds up 64 counts at least. */
uint64_t red_geometry_joining_groups_n(size_t group_size, uint64_t counts_n) {
    return counts_n / red_greater(group_size, 64) + 1;
}

size_t red_geometry_state_bytes(const struct red_strategy *strategy, const struct red_geometry *geometry,
                                uint64_t n, unsigned bins_n) {
    enum { WORDS = 4, PLACE_WORDS = 8 };
    if (strategy->finish == RED_STRATEGY_ONE_LAUNCH_COUNTS)
        return (WORDS + PLACE_WORDS * red_ceil_div((uint64_t)bins_n + 1, 16) * 16) * sizeof(uint32_t);
    if (red_strategy_groups_have_words(strategy))
        return RED_RESULT_BYTES + (WORDS + PLACE_WORDS * (size_t)geometry->groups_n) * sizeof(uint32_t);
    if (strategy->finish != RED_STRATEGY_SINGLE_PASS)
        return 0;
    const uint64_t tile_n = geometry->group_size * geometry->lanes;
    const size_t tiles_n = strategy->span == RED_STRATEGY_ONE ? 0 : (size_t)red_ceil_div(n, tile_n);
    return (WORDS + PLACE_WORDS * tiles_n) * sizeof(uint32_t);
}
