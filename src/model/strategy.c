/* Reads manifests (`//@` lines) for the build and for --kernel, checks strategies against each other, and
 * finds what a strategy needs for a type and an operation. Errors name file and line. */
#include "model/strategy.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/bins.h"
#include "model/primitive.h"

#define RED_NAME(id, name) [RED_STRATEGY_##id] = name,
const char *const red_span_names[RED_SPANS_N] = {RED_SPANS(RED_NAME)};
const char *const red_group_names[RED_GROUPS_N] = {RED_GROUPS(RED_NAME)};
const char *const red_bound_names[RED_BOUNDS_N] = {RED_BOUNDS(RED_NAME)};
const char *const red_order_names[RED_ORDERS_N] = {RED_ORDERS(RED_NAME)};
#define RED_FINISH_NAME(id, name, spans, wants, chain, burden, traits) #name,
#define RED_FINISH_ROW(id, name, spans, wants, chain, burden, traits)                                        \
    {spans, wants, RED_CHAIN_##chain, burden, traits},
const char *const red_finish_names[RED_FINISHES_N] = {RED_FINISHES(RED_FINISH_NAME)};
const struct red_finish red_finish_rows[RED_FINISHES_N] = {RED_FINISHES(RED_FINISH_ROW)};
#undef RED_NAME
#define RED_NAME(id, name) [RED_NEED_INDEX_##id] = name,
const char *const red_need_names[RED_NEEDS_N] = {RED_NEEDS(RED_NAME)};
#undef RED_NAME

const char *const red_promise_names[RED_PROMISES_N] = {[RED_PROMISE_NAN] = "nan",
                                                       [RED_PROMISE_INFINITY] = "infinity",
                                                       [RED_PROMISE_ZERO] = "zero",
                                                       [RED_PROMISE_DENORMAL] = "denormal"};

/* Column `for` of `strategies`. */
const char *red_strategy_standard_name(enum red_strategy_standard standard) {
    static const char *const names[] = {
        [RED_STANDARD_HOST] = "host", [RED_STANDARD_CL12] = "1.2", [RED_STANDARD_CL20] = "2.0"};
    return names[standard];
}

static bool is_power_of_two_up_to(unsigned value, unsigned max) {
    return value > 0 && value <= max && (value & (value - 1)) == 0;
}

/* `text` is of --lanes or a manifest; each reader has its own message. */
bool red_lanes_read(const char *text, unsigned *width, unsigned *loads) {
    unsigned wide, many;
    int used = 0;
    bool plain = text[strspn(text, "0123456789x")] == '\0'; /* %u would take blanks and a sign, too */
    if (!plain || sscanf(text, "%2ux%1u%n", &wide, &many, &used) != 2 || text[used] != '\0' ||
        !is_power_of_two_up_to(wide, 16) || !is_power_of_two_up_to(many, 8))
        return false;
    *width = wide;
    *loads = many;
    return true;
}

/* The words of the next two: names with commas, or "nothing". */
static void names_of_bits_format(const char *const *names, unsigned names_n, red_set bits, char *text,
                                 size_t text_size_bytes) {
    text[0] = '\0';
    for (unsigned i = 0; i < names_n; i++)
        if (bits >> i & 1)
            red_text_add(text, text_size_bytes, "%s%s", text[0] ? ", " : "", names[i]);
    if (bits == 0)
        snprintf(text, text_size_bytes, "nothing");
}

/* Columns `needs` of strategies and recommend, names in `devices`, key `capabilities` and reasons of
 * `unsupported`. */
void red_needs_format(red_set needs, char *text, size_t text_size_bytes) {
    names_of_bits_format(red_need_names, RED_NEEDS_N, needs, text, text_size_bytes);
}

/* Column `special` of `strategies`. */
void red_promises_format(red_set promises, char *text, size_t text_size_bytes) {
    if (promises == RED_PROMISES_ALL)
        snprintf(text, text_size_bytes, "all");
    else
        names_of_bits_format(red_promise_names, RED_PROMISES_N, promises, text, text_size_bytes);
}

/* By this run/session.c takes strategies for --shape; one that does not fit, and was named, is an error. */
bool red_strategy_is_segmented(const struct red_strategy *strategy) {
    return strategy->span == RED_STRATEGY_SEGMENT || strategy->span == RED_STRATEGY_COLUMN;
}

/* verify then expects no right NaN of this strategy (verify/special_values.c). */
bool red_strategy_takes_driver_extremes(const struct red_strategy *strategy, const struct red_op *op,
                                        const struct red_dtype *dtype) {
    return dtype->is_float && op->role == RED_ROLE_ORDER &&
           (strategy->group == RED_STRATEGY_BUILT_IN || strategy->group == RED_STRATEGY_SUB_GROUP ||
            (strategy->needs & RED_NEED(FLOAT_ATOMICS32)));
}

/* Asked where a finish decides: the geometry, what is `unsupported`, notes of tables, advice of recommend. */
bool red_strategy_finish_has(const struct red_strategy *strategy, unsigned traits) {
    return (red_finish_rows[strategy->finish].traits & traits) != 0;
}

/* verify/stress.c asks it. */
bool red_strategy_orders_groups(const struct red_strategy *strategy) {
    return red_strategy_finish_has(strategy, RED_FINISH_ORDERS) && strategy->span != RED_STRATEGY_ONE;
}

/* Whether the finish sums without rounding: verify then accepts no other error, and sums of pieces may
 * be added. */
bool red_strategy_is_exact(const struct red_strategy *strategy) {
    return red_strategy_finish_has(strategy, RED_FINISH_EXACT);
}

/* The state of a plan and of what emit writes has room for them. */
bool red_strategy_groups_have_words(const struct red_strategy *strategy) {
    return (strategy->finish == RED_STRATEGY_LAST_GROUP || strategy->finish == RED_STRATEGY_POLLED) &&
           (strategy->needs & (RED_NEED(WORD_PUBLICATION) | RED_NEED(XCHG64))) != 0;
}

/* The rows of one need stand in the order by which the two functions below find its form: all as these. */
_Static_assert(RED_NEED(CAS64) == RED_NEED(CAS32) << 1, "the form of 64 bits is the next row");
_Static_assert(RED_NEED(SCANS64) == RED_NEED(SCANS32) << 1 && RED_NEED(SCANS_F32) == RED_NEED(SCANS32) << 2 &&
                   RED_NEED(SCANS_F64) == RED_NEED(SCANS32) << 3,
               "64 bits, floats and doubles are the next three rows");

/* The needs, with those of a group's built-ins in the form of the accumulator, of some operations those of an
 * extension. Built-ins of one kind of it
 * say nothing about those of another: integers of 64 bits, floats and doubles are the next three rows of
 * RED_NEEDS. */
static red_set replace_group_needs(red_set needs, const struct red_accumulator *accumulator,
                                   const struct red_op *op) {
    static const red_set of_32_bits[] = {RED_NEED(COLLECTIVES32),
                                         RED_NEED(UNIFORM32),
                                         RED_NEED(SCANS32),
                                         RED_NEED(EXCLUSIVE_SCANS32),
                                         RED_NEED(SUB_GROUPS32),
                                         RED_NEED(SUB_GROUP_SCANS32),
                                         RED_NEED(SUB_GROUP_EXCLUSIVE_SCANS32),
                                         RED_NEED(SHUFFLE32)};
    if ((needs & RED_NEED(COLLECTIVES32)) && red_op_is_of_extension(op))
        needs = (needs & ~RED_NEED(COLLECTIVES32)) | RED_NEED(UNIFORM32);
    const unsigned kind = (accumulator->is_float ? 2u : 0u) + (accumulator->word_bits == 64 ? 1u : 0u);
    for (size_t i = 0; i < sizeof of_32_bits / sizeof of_32_bits[0]; i++)
        if (needs & of_32_bits[i])
            needs = (needs & ~of_32_bits[i]) | of_32_bits[i] << kind;
    return needs;
}

/* What a case's device must have (model/capability.c), and `needs` of recommend and its JSON. */
red_set red_strategy_needs_for(const struct red_strategy *strategy, const struct red_dtype *dtype,
                               const struct red_op *op) {
    /* Atomics on a counter stay 32 bits wide: only an atomic finish has them on the accumulator. The wide
     * form is the next row of RED_NEEDS. */
    static const struct {
        red_set narrow;
        bool on_counters;
    } widths[] = {{RED_NEED(CAS32), false},
                  {RED_NEED(XCHG32), false},
                  {RED_NEED(FLOAT_ATOMICS32), false},
                  {RED_NEED(ATOMIC32), true},
                  {RED_NEED(C11_DEVICE32), true}};
    red_set needs = strategy->needs | dtype->needs;
    bool is_wide = red_op_accumulator(op, dtype)->word_bits == 64;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (is_wide && (needs & widths[i].narrow) &&
            (red_strategy_finish_has(strategy, RED_FINISH_ATOMIC) || !widths[i].on_counters))
            needs = (needs & ~widths[i].narrow) | widths[i].narrow << 1;
    return replace_group_needs(needs, red_op_accumulator(op, dtype), op);
}

/* The reason of an `unsupported` cell of bench, verify and duel, or the error of emit. */
enum red_status red_strategy_check_type_and_op(const struct red_strategy *strategy,
                                               const struct red_dtype *dtype, const struct red_op *op,
                                               struct red_error *error) {
    if (!(strategy->types & (1u << (dtype - red_dtypes))))
        return red_fail(error, RED_E_UNSUPPORTED, "%s has no %s form", strategy->name, dtype->name);
    if (!(strategy->ops & (1u << (op - red_ops))))
        return red_fail(error, RED_E_UNSUPPORTED, "%s cannot do %s", strategy->name, op->name);
    bool has_built_in = strategy->group == RED_STRATEGY_BUILT_IN || strategy->group == RED_STRATEGY_SUB_GROUP;
    bool has_atomic =
        red_strategy_finish_has(strategy, RED_FINISH_ATOMIC) || (strategy->needs & RED_NEED(CAS32));
    const red_set other_built_ins =
        strategy->needs & (RED_NEED(SCANS32) | RED_NEED(EXCLUSIVE_SCANS32) | RED_NEED(SUB_GROUPS32) |
                           RED_NEED(SUB_GROUP_SCANS32) | RED_NEED(SUB_GROUP_EXCLUSIVE_SCANS32));
    if (!red_op_has_type(op, dtype))
        return red_fail(error, RED_E_UNSUPPORTED, "floats have no %s", op->name);
    if (op->suffix[0] == '\0' && (other_built_ins != 0 || (strategy->needs & RED_NEED(COLLECTIVES32))))
        return red_fail(error, RED_E_UNSUPPORTED, "OpenCL has no built-in for %s", op->name);
    if (other_built_ins != 0 && red_op_is_of_extension(op))
        return red_fail(error, RED_E_UNSUPPORTED,
                        "of the built-ins for %s clreduce has work_group_reduce_%s alone", op->name,
                        op->suffix);
    if (has_built_in && red_op_built_in_suffix(op, dtype)[0] == '\0')
        return red_fail(error, RED_E_UNSUPPORTED, "OpenCL has no built-in for %s of %s, a value and an index",
                        op->name, dtype->name);
    const bool has_integer_atomic =
        (strategy->needs & RED_NEED(ATOMIC32)) && red_strategy_finish_has(strategy, RED_FINISH_ATOMIC);
    if (has_integer_atomic && !op->has_atomic)
        return red_fail(error, RED_E_UNSUPPORTED, "OpenCL has no atomic for %s", op->name);
    if (has_integer_atomic && red_op_accumulator(op, dtype)->is_float)
        return red_fail(error, RED_E_UNSUPPORTED, "OpenCL has atomic_%s for integers only", op->suffix);
    if ((strategy->needs & RED_NEED(FLOAT_ATOMICS32)) && !red_op_accumulator(op, dtype)->is_float)
        return red_fail(error, RED_E_UNSUPPORTED, "integers have atomics of their own");
    if (red_strategy_is_exact(strategy) && (!dtype->is_float || op->does != RED_ADDS))
        return red_fail(error, RED_E_UNSUPPORTED, "finish %s rounds sums of floats, not %s of %s",
                        red_finish_names[strategy->finish], op->name, dtype->name);
    if (red_strategy_is_exact(strategy) && dtype->bits == 64 && op->term != RED_TERM_ELEMENT)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s of %s adds products of 4,196 bits' range; finish %s holds sums of 2,240",
                        op->name, dtype->name, red_finish_names[strategy->finish]);
    if (red_strategy_finish_has(strategy, RED_FINISH_FLAG) && red_op_accumulator(op, dtype)->word_bits == 0)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s of %s is a value and an index: there is no room for the flag beside them",
                        op->name, dtype->name);
    if (has_atomic && red_op_accumulator(op, dtype)->word_bits == 0)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "OpenCL has no 128-bit atomic for %s of %s, a value and an index", op->name,
                        dtype->name);
    return RED_OK;
}

/* For red_catalogue_find and the check below. */
const struct red_strategy *red_strategies_find(const struct red_strategy *strategies, size_t n,
                                               const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(strategies[i].name, name) == 0)
            return &strategies[i];
    return NULL;
}

/* The build alone calls it (model/embed.c); --kernel is checked by model/catalogue.c. */
enum red_status red_strategies_check(const struct red_strategy *strategies, size_t n,
                                     struct red_error *error) {
    for (size_t i = 0; i < n; i++) {
        const struct red_strategy *strategy = &strategies[i];
        const struct red_strategy *same = red_strategies_find(strategies, i, strategy->name);
        if (same != NULL)
            return red_fail(error, RED_E_INPUT, "%s:1: the name '%s' is taken by %s", strategy->path,
                            strategy->name, same->path ? same->path : "the host's row");
        if (strategy->counterpart[0] == '\0')
            continue;
        const struct red_strategy *earlier = red_strategies_find(strategies, n, strategy->counterpart);
        if (earlier == NULL || earlier->standard != RED_STANDARD_CL12)
            return red_fail(error, RED_E_INPUT, "%s:1: counterpart: '%s' is no 1.x strategy", strategy->path,
                            strategy->counterpart);
    }
    return RED_OK;
}

/* ---- manifests --------------------------------------------------------------------------------------------
 * `line` is a `//@` line of a kernel file: of those that the build embeds (model/embed.c), read again by the
 * program, or of --kernel (model/catalogue.c). `strategies` shows what was read. */

struct manifest_line {
    const char *path;
    int number;
    const char *key, *value;
};

/* Fills the error for a wrong value in a manifest: "path:line: key: ..."; the build or --kernel shows it. */
static enum red_status fail_value(const struct manifest_line *line, const char *expected,
                                  struct red_error *error) {
    return red_fail(error, RED_E_INPUT, "%s:%d: %s: '%s' is not valid; expected %s", line->path, line->number,
                    line->key, line->value, expected);
}

/* One "//@ key: value": how its value is read, and where in the strategy it goes. */
struct manifest_key {
    const char *name;
    enum red_status (*read)(const struct manifest_line *line, const struct manifest_key *key, void *place,
                            struct red_error *error);
    size_t at, bytes; /* of a member of struct red_strategy */
    const char *const *names;
    unsigned names_n;         /* the value is one of these, or a list of some */
    const char *every, *none; /* in the place of a list; NULL: there is no word for that */
};

/* Sets *index to the place of the value in the key's table of names. */
static enum red_status find_choice(const struct manifest_line *line, const struct manifest_key *key,
                                   unsigned *index, struct red_error *error) {
    for (*index = 0; *index < key->names_n; ++*index)
        if (strcmp(key->names[*index], line->value) == 0)
            return RED_OK;
    char expected[2048] = "one of";
    for (unsigned i = 0; i < key->names_n; i++)
        red_text_add(expected, sizeof expected, "%s %s", i ? "," : "", key->names[i]);
    if (key->every != NULL)
        red_text_add(expected, sizeof expected, ", %s", key->every);
    if (key->none != NULL)
        red_text_add(expected, sizeof expected, ", %s", key->none);
    return fail_value(line, expected, error);
}

/* The place is an enum, an unsigned number. This and the readers below stand in the rows of `keys`. */
static enum red_status read_choice(const struct manifest_line *line, const struct manifest_key *key,
                                   void *place, struct red_error *error) {
    return find_choice(line, key, place, error);
}

/* Sets one bit for each name of a comma-separated list. */
static enum red_status read_set(const struct manifest_line *line, const struct manifest_key *key, void *place,
                                struct red_error *error) {
    red_set *bits = place;
    *bits = key->every != NULL && strcmp(line->value, key->every) == 0 ? RED_SET(key->names_n) - 1 : 0;
    if (*bits != 0 || (key->none != NULL && strcmp(line->value, key->none) == 0))
        return RED_OK;
    char word[64];
    const char *rest = line->value;
    for (int used = 0; sscanf(rest, " %63[^, ]%n", word, &used) == 1; rest += strspn(rest, ", ")) {
        struct manifest_line single = *line;
        single.value = word;
        unsigned index;
        enum red_status status = find_choice(&single, key, &index, error);
        if (status != RED_OK)
            return status;
        *bits |= RED_SET(index);
        rest += used;
    }
    return *bits ? RED_OK : fail_value(line, "a comma-separated list of names", error);
}

/* As read_set, and "floats" and "integers" for all of these. */
static enum red_status read_types(const struct manifest_line *line, const struct manifest_key *key,
                                  void *place, struct red_error *error) {
    red_set by_kind[2] = {0, 0};
    for (size_t i = 0; i < red_dtypes_n; i++)
        by_kind[red_dtypes[i].is_float] |= RED_SET(i);
    const bool is_floats = strcmp(line->value, "floats") == 0;
    if (!is_floats && strcmp(line->value, "integers") != 0)
        return read_set(line, key, place, error);
    *(red_set *)place = by_kind[is_floats];
    return RED_OK;
}

static enum red_status read_text(const struct manifest_line *line, const struct manifest_key *key,
                                 void *place, struct red_error *error) {
    size_t length = strlen(line->value);
    char expected[64];
    snprintf(expected, sizeof expected, "at most %zu characters", key->bytes - 1);
    if (length == 0 || length >= key->bytes)
        return fail_value(line, length ? expected : "a text", error);
    if (red_text_has_control(line->value))
        return fail_value(line, "a text without control characters", error);
    memcpy(place, line->value, length + 1);
    return RED_OK;
}

static enum red_status read_name(const struct manifest_line *line, const struct manifest_key *key,
                                 void *place, struct red_error *error) {
    if (line->value[strspn(line->value, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0')
        return fail_value(line, "lower-case letters, digits and underscores", error);
    return read_text(line, key, place, error);
}

/* The place is the whole strategy. */
static enum red_status read_lanes(const struct manifest_line *line, const struct manifest_key *key,
                                  void *place, struct red_error *error) {
    struct red_strategy *strategy = place;
    (void)key;
    if (red_lanes_read(line->value, &strategy->width, &strategy->loads)) {
        strategy->lanes = strategy->width * strategy->loads;
        return RED_OK;
    }
    size_t digits_n = strspn(line->value, "0123456789"); /* %u would take a sign, too */
    if (digits_n == 0 || digits_n > 5 || line->value[digits_n] != '\0' ||
        sscanf(line->value, "%u", &strategy->lanes) != 1 || strategy->lanes == 0)
        return fail_value(line, "a number from 1 to 99999, or WIDTHxLOADS such as 16x4", error);
    return RED_OK;
}

static enum red_status read_bins(const struct manifest_line *line, const struct manifest_key *key,
                                 void *place, struct red_error *error) {
    unsigned *bins_max = place;
    (void)key;
    if (line->value[strspn(line->value, "0123456789")] != '\0' || strlen(line->value) > 5 ||
        sscanf(line->value, "%u", bins_max) != 1 || *bins_max == 0 || *bins_max > RED_BINS_MAX)
        return fail_value(line, "a number from 1 to 65536, the most bins that it takes", error);
    return RED_OK;
}

#define AT(member) offsetof(struct red_strategy, member), sizeof((struct red_strategy *)0)->member
static const struct manifest_key keys[] = {
    {"name", read_name, AT(name), .names = NULL},
    {"idea", read_text, AT(idea), .names = NULL},
    {"span", read_choice, AT(span), red_span_names, RED_SPANS_N, .every = NULL},
    {"lanes", read_lanes, .at = 0},
    {"group", read_choice, AT(group), red_group_names, RED_GROUPS_N, .every = NULL},
    {"finish", read_choice, AT(finish), red_finish_names, RED_FINISHES_N, .every = NULL},
    {"needs", read_set, AT(needs), red_need_names, RED_NEEDS_N, .none = "nothing"},
    {"types", read_types, AT(types), red_dtype_names, RED_DTYPES_N, .every = "all"},
    {"ops", read_set, AT(ops), red_op_names, RED_OPS_N, .every = "all"},
    {"source", read_text, AT(source), .names = NULL},
    {"counterpart", read_name, AT(counterpart), .names = NULL},
    {"special", read_set, AT(promises), red_promise_names, RED_PROMISES_N, "all", "nothing"},
    {"variant", .read = NULL}, /* begin_variant takes it */
    {"primitive", read_choice, AT(primitive), red_primitive_names, RED_PRIMITIVES_N, .every = NULL},
    {"bins", read_bins, AT(bins_max), .names = NULL},
    {"bound", read_choice, AT(bound), red_bound_names, RED_BOUNDS_N, .every = NULL},
    {"order", read_choice, AT(order), red_order_names, RED_ORDERS_N, .every = NULL},
};
/* The first ones must be given. */
enum { KEY_NAME = 0, KEYS_NEEDED_N = 10, KEY_VARIANT = 12, KEYS_N = sizeof keys / sizeof keys[0] };
_Static_assert(sizeof(enum red_span) == sizeof(unsigned), "read_choice sets an enum as an unsigned number");

/* Splits "//@ key: value" in place; false if the line has another form. */
static bool split_line(char *text, struct manifest_line *line) {
    char *key = text + 3 + strspn(text + 3, " \t");
    char *colon = strchr(key, ':');
    if (colon == NULL)
        return false;
    *colon = '\0';
    char *value = colon + 1 + strspn(colon + 1, " \t");
    for (size_t length = strlen(value); length > 0 && strchr(" \t\r", value[length - 1]); length--)
        value[length - 1] = '\0';
    line->key = key;
    line->value = value;
    return true;
}

/* What has been read of a file: its strategies so far, and the keys that the last of them has had. */
struct manifest {
    const char *path;
    struct red_family *family;
    unsigned seen;
};

/* Finds the row of `keys` for the word before the colon. */
static enum red_status find_manifest_key(const struct manifest_line *line, unsigned *key,
                                         struct red_error *error) {
    const char *names[KEYS_N];
    for (size_t i = 0; i < KEYS_N; i++)
        names[i] = keys[i].name;
    struct manifest_line as_value = *line;
    as_value.key = "manifest key";
    as_value.value = line->key;
    const struct manifest_key any = {.names = names, .names_n = KEYS_N, .every = NULL};
    return find_choice(&as_value, &any, key, error);
}

/* Refuses a manifest whose span, group and finish cannot go together. */
static enum red_status check_span_group_finish(const struct red_strategy *strategy, int line_number,
                                               struct red_error *error) {
    const struct red_finish *finish = &red_finish_rows[strategy->finish];
    if (finish->spans != 0 && !(finish->spans & 1u << strategy->span))
        return red_fail(error, RED_E_INPUT, "%s:%d: finish '%s' needs %s", strategy->path, line_number,
                        red_finish_names[strategy->finish], finish->wants);
    if (finish->traits >> RED_FINISH_PRIMITIVE_BIT != strategy->primitive)
        return red_fail(error, RED_E_INPUT, "%s:%d: finish '%s' is none of primitive '%s'", strategy->path,
                        line_number, red_finish_names[strategy->finish],
                        red_primitive_names[strategy->primitive]);
    bool is_segmented = red_strategy_is_segmented(strategy);
    if (is_segmented && strategy->finish != RED_STRATEGY_HOST && strategy->finish != RED_STRATEGY_STORED)
        return red_fail(
            error, RED_E_INPUT,
            "%s:%d: span '%s' needs finish 'host' or 'stored': what is left of a segment is its result",
            strategy->path, line_number, red_span_names[strategy->span]);
    if (!(finish->traits & RED_FINISH_ITEMS) && strategy->group == RED_STRATEGY_NONE &&
        strategy->span != RED_STRATEGY_ONE && !is_segmented)
        return red_fail(error, RED_E_INPUT,
                        "%s:%d: group 'none' needs finish 'atomic' or span 'one', 'segment' or 'column': out "
                        "has one value per group",
                        strategy->path, line_number);
    return RED_OK;
}

/* Refuses a claim that cannot be judged: red_bound_chain_of_data must know which elements each group adds. */
static enum red_status check_bound(const struct red_strategy *strategy, int line_number,
                                   struct red_error *error) {
    const bool can_be_judged =
        strategy->primitive == RED_PRIMITIVE_REDUCE && strategy->span == RED_STRATEGY_STRIDE &&
        strategy->group != RED_STRATEGY_NONE && strategy->lanes == 1 && !red_strategy_is_exact(strategy);
    if (strategy->bound != RED_STRATEGY_COMPENSATED || can_be_judged)
        return RED_OK;
    return red_fail(error, RED_E_INPUT,
                    "%s:%d: bound 'compensated' is judged by the sum of each group: it needs span 'stride', "
                    "lanes 1, a group other than 'none', and a finish other than 'words' and 'polled_words', "
                    "which are exact",
                    strategy->path, line_number);
}

/* Leaves of `ops: all` and of types those of the strategy's primitive; refuses a list of others. */
static enum red_status keep_ops_and_types_of_primitive(struct red_strategy *strategy, int line_number,
                                                       struct red_error *error) {
    static const red_set all = RED_SET(RED_OPS_N) - 1;
    const uint64_t own = red_primitive_ops(strategy->primitive);
    if (strategy->ops != all && (strategy->ops & ~own) != 0)
        return red_fail(error, RED_E_INPUT, "%s:%d: ops: not all of these are operations of primitive '%s'",
                        strategy->path, line_number, red_primitive_names[strategy->primitive]);
    strategy->ops &= own;
    strategy->types &= red_primitive_types(strategy->primitive);
    return strategy->types != 0
               ? RED_OK
               : red_fail(error, RED_E_INPUT, "%s:%d: types: primitive '%s' has none of these",
                          strategy->path, line_number, red_primitive_names[strategy->primitive]);
}

/* Refuses a kernel whose local memory, an argument, would not be poisoned while it is checked; what it
 * includes is not read here. */
static enum red_status check_local_argument(const struct red_strategy *strategy, int line_number,
                                            struct red_error *error) {
    const bool is_named =
        strstr(strategy->text, "RED_LOCAL_GIVEN") != NULL || strstr(strategy->text, "#include") != NULL;
    return is_named || !(strategy->needs & RED_NEED(LOCAL_ARGUMENT))
               ? RED_OK
               : red_fail(error, RED_E_INPUT,
                          "%s:%d: a kernel that needs local_argument names it by RED_LOCAL_GIVEN(scratch), "
                          "which also poisons it while the kernel is checked",
                          strategy->path, line_number);
}

/* Behind the last line of the strategy that was begun last: refuses it where a key is missing or parts do not
 * go together, and sets its standard. A variant has what it does not give from the file's own strategy. */
static enum red_status complete_strategy(const struct manifest *manifest, int line_number,
                                         struct red_error *error) {
    struct red_strategy *strategy = &manifest->family->rows[manifest->family->n - 1];
    for (unsigned key = 0; key < KEYS_NEEDED_N && manifest->family->n == 1; key++)
        if (!(manifest->seen & (1u << key)))
            return red_fail(
                error, RED_E_INPUT,
                "%s:%d: the manifest lacks '%s'; a kernel file begins with lines '//@ key: value'",
                manifest->path, line_number, keys[key].name);
    strategy->standard = strategy->counterpart[0] != '\0' ? RED_STANDARD_CL20 : RED_STANDARD_CL12;
    enum red_status status = keep_ops_and_types_of_primitive(strategy, line_number, error);
    if (status == RED_OK)
        status = check_span_group_finish(strategy, line_number, error);
    if (status == RED_OK)
        status = check_local_argument(strategy, line_number, error);
    return status == RED_OK ? check_bound(strategy, line_number, error) : status;
}

/* Appends `#define MACRO value` to the variant's macros, for one "MACRO=value" of its manifest line, which
 * errors name. */
static enum red_status append_define(const struct manifest_line *line, const char *assignment,
                                     struct red_strategy *variant, struct red_error *error) {
    const size_t name_n = strspn(assignment, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
                 used = strlen(variant->macros), room = sizeof variant->macros - used;
    if (name_n == 0 || assignment[name_n] != '=' || (*assignment >= '0' && *assignment <= '9') ||
        strncmp(assignment, "RED_", 4) == 0)
        return fail_value(line, "a name, then macros such as IN_TURNS=1, whose names do not begin with RED_",
                          error);
    if (snprintf(variant->macros + used, room, "#define %.*s %s\n", (int)name_n, assignment,
                 assignment + name_n + 1) >= (int)room)
        return fail_value(line, "less text in macros", error);
    return RED_OK;
}

/* "variant: NAME MACRO=value ...": another strategy of the same text, which begins as the file's own. The one
 * before it is complete then. */
static enum red_status begin_variant(struct manifest *manifest, const struct manifest_line *line,
                                     struct red_error *error) {
    struct red_family *family = manifest->family;
    enum red_status status = complete_strategy(manifest, line->number, error);
    if (status == RED_OK && family->n == RED_FAMILY_MAX)
        status = red_fail(error, RED_E_INPUT, "%s:%d: a file holds at most %d strategies", line->path,
                          line->number, RED_FAMILY_MAX);
    if (status != RED_OK)
        return status;
    struct red_strategy *variant = &family->rows[family->n++];
    *variant = family->rows[0];
    manifest->seen = 1u << KEY_NAME;
    char words[512];
    snprintf(words, sizeof words, "%s", line->value);
    char *rest = words + strcspn(words, " \t");
    if (*rest != '\0')
        *rest++ = '\0';
    struct manifest_line name = *line;
    name.value = words;
    status = read_name(&name, &keys[KEY_NAME], variant->name, error);
    while (status == RED_OK && *(rest += strspn(rest, " \t")) != '\0') {
        char *macro = rest;
        rest += strcspn(rest, " \t");
        if (*rest != '\0')
            *rest++ = '\0';
        status = append_define(line, macro, variant, error);
    }
    return status;
}

/* Reads one //@ line into the last strategy of the file, or begins a variant. */
static enum red_status read_manifest_line(struct manifest *manifest, struct manifest_line *line, char *text,
                                          struct red_error *error) {
    if (!split_line(text, line))
        return red_fail(error, RED_E_INPUT, "%s:%d: a manifest line has the form '//@ key: value'",
                        line->path, line->number);
    unsigned key;
    enum red_status status = find_manifest_key(line, &key, error);
    if (status != RED_OK)
        return status;
    if (key == KEY_VARIANT)
        return begin_variant(manifest, line, error);
    if (manifest->seen & (1u << key))
        return red_fail(error, RED_E_INPUT, "%s:%d: '%s' is given twice", line->path, line->number,
                        line->key);
    manifest->seen |= 1u << key;
    struct red_strategy *strategy = &manifest->family->rows[manifest->family->n - 1];
    return keys[key].read(line, &keys[key], (char *)strategy + keys[key].at, error);
}

/* `path` and `text` are of a file that the build embeds or has embedded, or of --kernel. */
enum red_status red_manifest_read(const char *path, const char *text, struct red_family *family,
                                  struct red_error *error) {
    *family = (struct red_family){
        .rows = {{.path = path, .text = text, .promises = RED_PROMISES_ALL, .bins_max = RED_BINS_MAX}},
        .n = 1};
    struct manifest manifest = {.path = path, .family = family};
    struct manifest_line line = {.path = path, .number = 0};
    if (red_text_bom_bytes(text, strlen(text)) > 0)
        return red_fail(error, RED_E_INPUT,
                        "%s:1: the file begins with a byte order mark, which no compiler of kernels takes; "
                        "save it without one",
                        path);
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        line.number++;
        if (length > 2 && strncmp(at, "//@", 3) == 0) {
            char copy[512];
            if (length >= sizeof copy)
                return red_fail(error, RED_E_INPUT, "%s:%d: the line is longer than %zu characters", path,
                                line.number, sizeof copy - 1);
            memcpy(copy, at, length);
            copy[length] = '\0';
            enum red_status status = read_manifest_line(&manifest, &line, copy, error);
            if (status != RED_OK)
                return status;
        } else if (length > 0 && strncmp(at, "//", 2) != 0) {
            break;
        }
        at += length + (at[length] == '\n');
    }
    return complete_strategy(&manifest, line.number, error);
}
