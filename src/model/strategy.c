#include "model/strategy.h"

#include <stdio.h>
#include <string.h>

#define RED_NAME(id, name) [RED_STRATEGY_##id] = name,
const char *const red_span_names[RED_SPANS_N] = {RED_SPANS(RED_NAME)};
const char *const red_group_names[RED_GROUPS_N] = {RED_GROUPS(RED_NAME)};
#define RED_FINISH_NAME(id, name, spans, wants, chain, burden, traits) #name,
#define RED_FINISH_ROW(id, name, spans, wants, chain, burden, traits)                                        \
    {spans, wants, RED_CHAIN_##chain, burden, traits},
const char *const red_finish_names[RED_FINISHES_N] = {RED_FINISHES(RED_FINISH_NAME)};
const struct red_finish_row red_finish_rows[RED_FINISHES_N] = {RED_FINISHES(RED_FINISH_ROW)};
#undef RED_NAME
#define RED_NAME(id, name) [RED_NEED_INDEX_##id] = name,
const char *const red_need_names[RED_NEEDS_N] = {RED_NEEDS(RED_NAME)};
#undef RED_NAME

const char *const red_promise_names[RED_PROMISES_N] = {[RED_PROMISE_NAN] = "nan",
                                                       [RED_PROMISE_INFINITY] = "infinity",
                                                       [RED_PROMISE_ZERO] = "zero",
                                                       [RED_PROMISE_DENORMAL] = "denormal"};

const char *red_standard_name(enum red_standard standard) {
    static const char *const names[] = {
        [RED_STANDARD_HOST] = "host", [RED_STANDARD_CL12] = "1.2", [RED_STANDARD_CL20] = "2.0"};
    return names[standard];
}

static bool is_power_of_two(unsigned value, unsigned max) {
    return value > 0 && value <= max && (value & (value - 1)) == 0;
}

bool red_lanes_read(const char *text, unsigned *width, unsigned *loads) {
    unsigned wide, many;
    int used = 0;
    bool plain = text[strspn(text, "0123456789x")] == '\0'; /* %u would take blanks and a sign, too */
    if (!plain || sscanf(text, "%2ux%1u%n", &wide, &many, &used) != 2 || text[used] != '\0' ||
        !is_power_of_two(wide, 16) || !is_power_of_two(many, 8))
        return false;
    *width = wide;
    *loads = many;
    return true;
}

static void names_print(const char *const *names, unsigned names_n, uint64_t bits, char *text,
                        size_t text_size_bytes) {
    size_t used = (size_t)snprintf(text, text_size_bytes, "%s", bits == 0 ? "nothing" : "");
    for (unsigned i = 0; i < names_n && used < text_size_bytes; i++)
        if (bits >> i & 1)
            used += (size_t)snprintf(text + used, text_size_bytes - used, "%s%s", used ? ", " : "", names[i]);
}

void red_needs_print(uint64_t needs, char *text, size_t text_size_bytes) {
    names_print(red_need_names, RED_NEEDS_N, needs, text, text_size_bytes);
}

void red_promises_print(uint64_t promises, char *text, size_t text_size_bytes) {
    if (promises == RED_PROMISES_ALL)
        snprintf(text, text_size_bytes, "all");
    else
        names_print(red_promise_names, RED_PROMISES_N, promises, text, text_size_bytes);
}

bool red_strategy_is_segmented(const struct red_strategy *strategy) {
    return strategy->span == RED_STRATEGY_SEGMENT || strategy->span == RED_STRATEGY_COLUMN;
}

bool red_strategy_has_own_extremes(const struct red_strategy *strategy, const struct red_op *op,
                                   const struct red_dtype *dtype) {
    return dtype->is_float && op->role == RED_ROLE_ORDER &&
           (strategy->group == RED_STRATEGY_BUILT_IN || strategy->group == RED_STRATEGY_SUB_GROUP ||
            (strategy->needs & RED_NEED_FLOAT_ATOMICS32));
}

bool red_strategy_has(const struct red_strategy *strategy, unsigned traits) {
    return (red_finish_rows[strategy->finish].traits & traits) != 0;
}

/* A group's built-ins of one kind of accumulator say nothing about those of another. */
static uint64_t needs_of_group(uint64_t needs, const struct red_accumulator *accumulator) {
    static const struct {
        uint64_t bits_32, bits_64, real_32, real_64;
    } kinds[] = {
        {RED_NEED_COLLECTIVES32, RED_NEED_COLLECTIVES64, RED_NEED_COLLECTIVES_F32, RED_NEED_COLLECTIVES_F64},
        {RED_NEED_SCANS32, RED_NEED_SCANS64, RED_NEED_SCANS_F32, RED_NEED_SCANS_F64},
        {RED_NEED_SUB_GROUPS32, RED_NEED_SUB_GROUPS64, RED_NEED_SUB_GROUPS_F32, RED_NEED_SUB_GROUPS_F64},
        {RED_NEED_SHUFFLE32, RED_NEED_SHUFFLE64, RED_NEED_SHUFFLE_F32, RED_NEED_SHUFFLE_F64}};
    bool is_wide = accumulator->word_bits == 64;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (needs & kinds[i].bits_32)
            needs = (needs & ~kinds[i].bits_32) |
                    (accumulator->is_float ? (is_wide ? kinds[i].real_64 : kinds[i].real_32)
                     : is_wide             ? kinds[i].bits_64
                                           : kinds[i].bits_32);
    return needs;
}

uint64_t red_strategy_needs(const struct red_strategy *strategy, const struct red_dtype *dtype,
                            const struct red_op *op) {
    /* What is done to a counter stays narrow: only an atomic finish does it to the accumulator. */
    static const struct {
        uint64_t narrow, wide;
        bool on_counters;
    } widths[] = {{.narrow = RED_NEED_CAS32, .wide = RED_NEED_CAS64},
                  {.narrow = RED_NEED_XCHG32, .wide = RED_NEED_XCHG64},
                  {.narrow = RED_NEED_FLOAT_ATOMICS32, .wide = RED_NEED_FLOAT_ATOMICS64},
                  {.narrow = RED_NEED_ATOMIC32, .wide = RED_NEED_ATOMIC64, .on_counters = true},
                  {.narrow = RED_NEED_C11_DEVICE32, .wide = RED_NEED_C11_DEVICE64, .on_counters = true}};
    uint64_t needs = strategy->needs | dtype->needs;
    bool is_wide = red_op_accumulator(op, dtype)->word_bits == 64;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (is_wide && (needs & widths[i].narrow) &&
            (red_strategy_has(strategy, RED_FINISH_ATOMIC) || !widths[i].on_counters))
            needs = (needs & ~widths[i].narrow) | widths[i].wide;
    return needs_of_group(needs, red_op_accumulator(op, dtype));
}

enum red_status red_strategy_admits(const struct red_strategy *strategy, const struct red_dtype *dtype,
                                    const struct red_op *op, struct red_error *error) {
    if (!(strategy->types & (1u << (dtype - red_dtypes))))
        return red_fail(error, RED_E_UNSUPPORTED, "%s has no %s form", strategy->name, dtype->name);
    if (!(strategy->ops & (1u << (op - red_ops))))
        return red_fail(error, RED_E_UNSUPPORTED, "%s cannot do %s", strategy->name, op->name);
    bool has_built_in = strategy->group == RED_STRATEGY_BUILT_IN || strategy->group == RED_STRATEGY_SUB_GROUP;
    bool has_atomic = red_strategy_has(strategy, RED_FINISH_ATOMIC) || (strategy->needs & RED_NEED_CAS32);
    if (has_built_in && red_op_built_in(op, dtype)[0] == '\0')
        return red_fail(error, RED_E_UNSUPPORTED, "OpenCL has no built-in for %s of %s, a value and an index",
                        op->name, dtype->name);
    if ((strategy->needs & RED_NEED_ATOMIC32) && red_strategy_has(strategy, RED_FINISH_ATOMIC) &&
        red_op_accumulator(op, dtype)->is_float)
        return red_fail(error, RED_E_UNSUPPORTED, "OpenCL has atomic_%s for integers only", op->suffix);
    if ((strategy->needs & RED_NEED_FLOAT_ATOMICS32) && !red_op_accumulator(op, dtype)->is_float)
        return red_fail(error, RED_E_UNSUPPORTED, "integers have atomics of their own");
    if (red_strategy_has(strategy, RED_FINISH_FLAG) && red_op_accumulator(op, dtype)->word_bits == 0)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s of %s is a value and an index: there is no room for the flag beside them",
                        op->name, dtype->name);
    if (has_atomic && red_op_accumulator(op, dtype)->word_bits == 0)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "OpenCL has no 128-bit atomic for %s of %s, a value and an index", op->name,
                        dtype->name);
    return RED_OK;
}

static const struct red_strategy *find(const struct red_strategy *strategies, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(strategies[i].name, name) == 0)
            return &strategies[i];
    return NULL;
}

enum red_status red_strategies_check(const struct red_strategy *strategies, size_t n,
                                     struct red_error *error) {
    for (size_t i = 0; i < n; i++) {
        const struct red_strategy *strategy = &strategies[i];
        const struct red_strategy *same = find(strategies, i, strategy->name);
        if (same != NULL)
            return red_fail(error, RED_E_INPUT, "%s:1: the name '%s' is taken by %s", strategy->path,
                            strategy->name, same->path ? same->path : "the host's row");
        if (strategy->counterpart[0] == '\0')
            continue;
        const struct red_strategy *earlier = find(strategies, n, strategy->counterpart);
        if (earlier == NULL || earlier->standard != RED_STANDARD_CL12)
            return red_fail(error, RED_E_INPUT, "%s:1: counterpart: '%s' is no 1.x strategy", strategy->path,
                            strategy->counterpart);
    }
    return RED_OK;
}
