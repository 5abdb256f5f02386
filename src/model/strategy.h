/* A strategy: one way to compute a primitive, and a row of `strategies`. It is a kernel file whose head, the
 * manifest, says how work flows through the three parts of any reduction: how elements reach work-items
 * (span), how a work-group combines its items (group), and who turns partial results into one value (finish).
 */
#ifndef CLREDUCE_MODEL_STRATEGY_H
#define CLREDUCE_MODEL_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "model/finish.h"
#include "model/types.h"

#define RED_SPANS(X)                                                                                         \
    X(ONE, "one")         /* a single work-item takes everything */                                          \
    X(EACH, "each")       /* one element per work-item */                                                    \
    X(STRIDE, "stride")   /* persistent groups walk the array in strides of the whole NDRange */             \
    X(CHUNK, "chunk")     /* one contiguous piece per work-item */                                           \
    X(SEGMENT, "segment") /* many arrays side by side; a group, sub-group or item takes one of them */       \
    X(COLUMN, "column")   /* the same for arrays that lie interleaved: the columns of a matrix */

#define RED_GROUPS(X)                                                                                        \
    X(NONE, "none")           /* items do not meet: each hands on its own value */                           \
    X(TREE, "tree")           /* pairwise in local memory, ceil(log2 L) steps */                             \
    X(PAIR, "pair")           /* two items have a segment, and one adds the other's value: one step */       \
    X(SERIAL, "serial")       /* one item adds the others' values, L - 1 steps */                            \
    X(SUB_GROUP, "sub_group") /* within sub-groups, then across them in local memory */                      \
    X(BUILT_IN, "built_in")   /* work_group_reduce_<op>, order unspecified */

/* Special values that a strategy promises to reduce as exact arithmetic does (what data of each kind are
 * stands in model/input.h): names of a manifest's key `special`, which promises all unless it is there.
 *   nan       a sum with a NaN is a NaN; extremes pass over NaNs of either sign at any place
 *   infinity  a sum with one infinity is that, with both a NaN; an extreme may be an infinity
 *   zero      -0 and +0 are equal; of a place the first of them counts
 *   denormal  is no zero, where the driver keeps denormals at all */
enum { RED_PROMISE_NAN, RED_PROMISE_INFINITY, RED_PROMISE_ZERO, RED_PROMISE_DENORMAL, RED_PROMISES_N };
enum { RED_PROMISES_ALL = (1 << RED_PROMISES_N) - 1 };

/* By which error bound a strategy's sums of floats are judged (oracle/truth.h): a manifest's key `bound`,
 * which is `chain` unless it is there. A finish that is exact (red_strategy_is_exact) has a bound of its own.
 */
#define RED_BOUNDS(X)                                                                                        \
    X(CHAIN, "chain")             /* each addition may round */                                              \
    X(COMPENSATED, "compensated") /* groups keep what their additions round off, and add it in the end */
/* In which order its floats are added: a manifest's key `order`. `fixed` claims that n and the geometry alone
 * decide it, so that results have the same bits at every call: what does not, is wrong. */
#define RED_ORDERS(X)                                                                                        \
    X(ORDER_BY_FINISH, "by_finish") /* as span, finish and needs make it (recommend/advice.h) */             \
    X(ORDER_FIXED, "fixed")
extern const char *const red_promise_names[RED_PROMISES_N];

#define RED_STRATEGY_ENUM(id, name) RED_STRATEGY_##id,
enum red_span { RED_SPANS(RED_STRATEGY_ENUM) RED_SPANS_N };
enum red_group { RED_GROUPS(RED_STRATEGY_ENUM) RED_GROUPS_N };
enum red_bound_claim { RED_BOUNDS(RED_STRATEGY_ENUM) RED_BOUNDS_N };
enum red_order_claim { RED_ORDERS(RED_STRATEGY_ENUM) RED_ORDERS_N };
#undef RED_STRATEGY_ENUM

/* The OpenCL standard a strategy is written for; HOST are the rows of the host, which have no kernel. */
enum red_strategy_standard { RED_STANDARD_HOST, RED_STANDARD_CL12, RED_STANDARD_CL20 };

struct red_strategy {
    enum red_primitive primitive; /* what it computes; the host's row computes all of them */
    char name[32];
    char idea[160];
    char source[160];
    char counterpart[32]; /* the 1.x strategy that this 2.x strategy replaces; empty for 1.x */
    enum red_strategy_standard standard;
    enum red_span span;
    enum red_group group;
    enum red_finish_kind finish;
    unsigned lanes; /* independent accumulators of one work-item, vector lanes counted */
    unsigned
        width; /* elements per vector, or 0: how the lanes are made is the kernel's own business. With a */
    unsigned
        loads;     /* width, lanes = width x loads, the vectors in flight: defaults of RED_WIDTH, RED_LOADS */
    red_set needs; /* bits by enum red_need_index; CAS32 stands for the accumulator's own width */
    red_set types; /* bit i: red_dtypes[i] */
    red_set ops;   /* bit i: red_ops[i], of its primitive */
    red_set promises; /* bits RED_PROMISE_... */
    enum red_bound_claim bound;
    enum red_order_claim order;
    unsigned bins_max; /* of a histogram: the most bins that it takes */
    char macros[128];  /* of a variant: the lines that define its macros, which stand before the text */
    const char *path;  /* borrowed: where the text came from; NULL for the host's row */
    const char *text;  /* borrowed: the whole file; NULL for the host's row */
};

/* The names of the tables above, as manifests and tables write them. */
extern const char *const red_span_names[RED_SPANS_N];
extern const char *const red_group_names[RED_GROUPS_N];
extern const char *const red_bound_names[RED_BOUNDS_N];
extern const char *const red_order_names[RED_ORDERS_N];
extern const char *const red_need_names[RED_NEEDS_N];

const char *red_strategy_standard_name(enum red_strategy_standard standard); /* "host", "1.2", "2.0" */

/* Reads "WIDTHxLOADS", such as "16x4": a width of 1, 2, 4, 8 or 16 elements and 1, 2, 4 or 8 loads, what
 * RED_WIDTH and RED_LOADS can be. False, and nothing changed, for any other text. */
bool red_lanes_read(const char *text, unsigned *width, unsigned *loads);

/* Writes the manifest names of the set bits of `needs`, separated by commas; "nothing" for none. */
void red_needs_format(red_set needs, char *text, size_t text_size_bytes);

/* The same for promises: "all", "nan, zero" or "nothing". */
void red_promises_format(red_set promises, char *text, size_t text_size_bytes);

/* Whether the strategy reduces many arrays to one value each (span segment or column), whose partial results
 * are the results. */
bool red_strategy_is_segmented(const struct red_strategy *strategy);

/* Whether its finish has at least one of the traits (model/finish.h), such as that a launch waits between
 * calls. */
bool red_strategy_finish_has(const struct red_strategy *strategy, unsigned traits);

/* Whether groups of one launch read what others of it wrote, so that its answer stands on the order in which
 * the driver lets them see each other's stores: `verify --stress` is for these. One item needs no order. */
bool red_strategy_orders_groups(const struct red_strategy *strategy);

/* Whether it is an exact strategy, which sums floats without rounding, but for one of the answer: the same
 * bits in any geometry, and of any parts of an array whose exact sums are added (red_plan_exact_sum). */
bool red_strategy_is_exact(const struct red_strategy *strategy);

/* Whether groups of a reduction agree by words of 64 bits, some of each group (finish last_group or polled,
 * with need word_publication or exchange_64). These stand behind a counter, and that behind the result
 * (RED_COUNTER). */
bool red_strategy_groups_have_words(const struct red_strategy *strategy);

/* Whether the operation is min or max of floats, and the strategy has the driver's built-ins or atomics find
 * it, not the prelude's fmin and fmax: OpenCL does not say what those do with a NaN. Places are compared as
 * integers. */
bool red_strategy_takes_driver_extremes(const struct red_strategy *strategy, const struct red_op *op,
                                        const struct red_dtype *dtype);

/* The capabilities that a strategy needs for one type and operation, as bits (RED_NEED_...): its own and the
 * type's, with atomics and group built-ins in the form of the accumulator. `recommend` prints them as "needs
 * ..."; a device that lacks one makes the cell `unsupported` ("no collectives: ..."). */
red_set red_strategy_needs_for(const struct red_strategy *strategy, const struct red_dtype *dtype,
                               const struct red_op *op);

/* Refuses a type or an operation that the manifest or OpenCL itself does not allow the strategy. Errors:
 * RED_E_UNSUPPORTED with the reason. */
enum red_status red_strategy_check_type_and_op(const struct red_strategy *strategy,
                                               const struct red_dtype *dtype, const struct red_op *op,
                                               struct red_error *error);

/* What a catalogue can hold, the host's row and the user's included; and the name of the host's row. */
enum { RED_STRATEGIES_MAX = 192 };
#define RED_HOST_STRATEGY       "openmp"
#define RED_SEQUENTIAL_STRATEGY "sequential"
enum { RED_HOST_ROWS_N = 2 };

/* The strategy of that name, or NULL. */
const struct red_strategy *red_strategies_find(const struct red_strategy *strategies, size_t n,
                                               const char *name);

/* Checks a set of strategies against each other: names are unique, and a 2.x strategy's counterpart is a 1.x
 * strategy of the set. Errors: RED_E_INPUT as "path:1: ...". */
enum red_status red_strategies_check(const struct red_strategy *strategies, size_t n,
                                     struct red_error *error);

/* The strategies of one kernel file: its own, then its variants. */
enum { RED_FAMILY_MAX = 8 };
struct red_family {
    struct red_strategy rows[RED_FAMILY_MAX];
    size_t n;
};

/* Reads the manifest at the head of `text`: lines `//@ key: value` before the first line of code. Each line
 * `//@ variant: NAME MACRO=value ...` begins another strategy of the same text, compiled with these macros;
 * the lines below it give what it has other than the file's own strategy.
 *   path      names the text in errors
 *   text      the whole kernel file; borrowed by the rows, as is path
 * A strategy with a `counterpart` is a 2.x one. Errors: RED_E_INPUT as "path:line: ..." for an unknown,
 * repeated, malformed or missing key. */
enum red_status red_manifest_read(const char *path, const char *text, struct red_family *family,
                                  struct red_error *error);

#endif
