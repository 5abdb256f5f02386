/* Reads manifests (`//@` lines) for the build and for --kernel, checks strategies against each other, and
 * finds what a strategy needs for a type and an operation. Errors name file and line. */
#include "model/strategy.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

#define RED_NAME(id, name) [RED_STRATEGY_##id] = name,
const char *const red_span_names[RED_SPANS_N] = {RED_SPANS(RED_NAME)};
const char *const red_group_names[RED_GROUPS_N] = {RED_GROUPS(RED_NAME)};
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

static void print_names_of_bits(const char *const *names, unsigned names_n, uint64_t bits, char *text,
                                size_t text_size_bytes) {
    size_t used = (size_t)snprintf(text, text_size_bytes, "%s", bits == 0 ? "nothing" : "");
    for (unsigned i = 0; i < names_n && used < text_size_bytes; i++)
        if (bits >> i & 1)
            used += (size_t)snprintf(text + used, text_size_bytes - used, "%s%s", used ? ", " : "", names[i]);
}

void red_needs_format(uint64_t needs, char *text, size_t text_size_bytes) {
    print_names_of_bits(red_need_names, RED_NEEDS_N, needs, text, text_size_bytes);
}

void red_promises_format(uint64_t promises, char *text, size_t text_size_bytes) {
    if (promises == RED_PROMISES_ALL)
        snprintf(text, text_size_bytes, "all");
    else
        print_names_of_bits(red_promise_names, RED_PROMISES_N, promises, text, text_size_bytes);
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

bool red_strategy_finish_has(const struct red_strategy *strategy, unsigned traits) {
    return (red_finish_rows[strategy->finish].traits & traits) != 0;
}

/* A group's built-ins of one kind of accumulator say nothing about those of another. */
static uint64_t replace_group_needs(uint64_t needs, const struct red_accumulator *accumulator) {
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
    /* Atomics on a counter stay 32 bits wide: only an atomic finish has them on the accumulator. */
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
            (red_strategy_finish_has(strategy, RED_FINISH_ATOMIC) || !widths[i].on_counters))
            needs = (needs & ~widths[i].narrow) | widths[i].wide;
    return replace_group_needs(needs, red_op_accumulator(op, dtype));
}

enum red_status red_strategy_admits(const struct red_strategy *strategy, const struct red_dtype *dtype,
                                    const struct red_op *op, struct red_error *error) {
    if (!(strategy->types & (1u << (dtype - red_dtypes))))
        return red_fail(error, RED_E_UNSUPPORTED, "%s has no %s form", strategy->name, dtype->name);
    if (!(strategy->ops & (1u << (op - red_ops))))
        return red_fail(error, RED_E_UNSUPPORTED, "%s cannot do %s", strategy->name, op->name);
    bool has_built_in = strategy->group == RED_STRATEGY_BUILT_IN || strategy->group == RED_STRATEGY_SUB_GROUP;
    bool has_atomic =
        red_strategy_finish_has(strategy, RED_FINISH_ATOMIC) || (strategy->needs & RED_NEED_CAS32);
    if (has_built_in && red_op_built_in_suffix(op, dtype)[0] == '\0')
        return red_fail(error, RED_E_UNSUPPORTED, "OpenCL has no built-in for %s of %s, a value and an index",
                        op->name, dtype->name);
    if ((strategy->needs & RED_NEED_ATOMIC32) && red_strategy_finish_has(strategy, RED_FINISH_ATOMIC) &&
        red_op_accumulator(op, dtype)->is_float)
        return red_fail(error, RED_E_UNSUPPORTED, "OpenCL has atomic_%s for integers only", op->suffix);
    if ((strategy->needs & RED_NEED_FLOAT_ATOMICS32) && !red_op_accumulator(op, dtype)->is_float)
        return red_fail(error, RED_E_UNSUPPORTED, "integers have atomics of their own");
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

static const struct red_strategy *find_strategy(const struct red_strategy *strategies, size_t n,
                                                const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(strategies[i].name, name) == 0)
            return &strategies[i];
    return NULL;
}

enum red_status red_strategies_check(const struct red_strategy *strategies, size_t n,
                                     struct red_error *error) {
    for (size_t i = 0; i < n; i++) {
        const struct red_strategy *strategy = &strategies[i];
        const struct red_strategy *same = find_strategy(strategies, i, strategy->name);
        if (same != NULL)
            return red_fail(error, RED_E_INPUT, "%s:1: the name '%s' is taken by %s", strategy->path,
                            strategy->name, same->path ? same->path : "the host's row");
        if (strategy->counterpart[0] == '\0')
            continue;
        const struct red_strategy *earlier = find_strategy(strategies, n, strategy->counterpart);
        if (earlier == NULL || earlier->standard != RED_STANDARD_CL12)
            return red_fail(error, RED_E_INPUT, "%s:1: counterpart: '%s' is no 1.x strategy", strategy->path,
                            strategy->counterpart);
    }
    return RED_OK;
}

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

static void print_one_of(const char *const *names, unsigned names_n, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "one of");
    for (unsigned i = 0; i < names_n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s %s", i ? "," : "", names[i]);
}

/* Sets *index to the place of the value in a table of names. */
static enum red_status read_choice(const struct manifest_line *line, const char *const *names,
                                   unsigned names_n, unsigned *index, struct red_error *error) {
    for (*index = 0; *index < names_n; ++*index)
        if (strcmp(names[*index], line->value) == 0)
            return RED_OK;
    char expected[256];
    print_one_of(names, names_n, expected, sizeof expected);
    return fail_value(line, expected, error);
}

/* Sets one bit for each name of a comma-separated list; `every` names all of them, `none` nothing. */
static enum red_status read_set(const struct manifest_line *line, const char *const *names, unsigned names_n,
                                const char *every, const char *none, uint64_t *bits,
                                struct red_error *error) {
    *bits = 0;
    if (every != NULL && strcmp(line->value, every) == 0)
        *bits = (UINT64_C(1) << names_n) - 1;
    if (*bits != 0 || (none != NULL && strcmp(line->value, none) == 0))
        return RED_OK;
    char word[64];
    const char *rest = line->value;
    for (int used = 0; sscanf(rest, " %63[^, ]%n", word, &used) == 1; rest += strspn(rest, ", ")) {
        struct manifest_line single = *line;
        single.value = word;
        unsigned index;
        enum red_status status = read_choice(&single, names, names_n, &index, error);
        if (status != RED_OK)
            return status;
        *bits |= UINT64_C(1) << index;
        rest += used;
    }
    return *bits ? RED_OK : fail_value(line, "a comma-separated list of names", error);
}

static enum red_status read_text(const struct manifest_line *line, char *text, size_t text_size_bytes,
                                 struct red_error *error) {
    size_t length = strlen(line->value);
    char expected[64];
    snprintf(expected, sizeof expected, "at most %zu characters", text_size_bytes - 1);
    if (length == 0 || length >= text_size_bytes)
        return fail_value(line, length ? expected : "a text", error);
    if (red_text_has_control(line->value))
        return fail_value(line, "a text without control characters", error);
    memcpy(text, line->value, length + 1);
    return RED_OK;
}

static enum red_status read_name(const struct manifest_line *line, char *text, size_t text_size_bytes,
                                 struct red_error *error) {
    if (line->value[strspn(line->value, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0')
        return fail_value(line, "lower-case letters, digits and underscores", error);
    return read_text(line, text, text_size_bytes, error);
}

static enum red_status read_lanes(const struct manifest_line *line, struct red_strategy *strategy,
                                  struct red_error *error) {
    if (red_lanes_read(line->value, &strategy->width, &strategy->loads)) {
        strategy->lanes = strategy->width * strategy->loads;
        return RED_OK;
    }
    size_t digits_n = strspn(line->value, "0123456789"); /* %u would take a sign, too */
    if (digits_n == 0 || digits_n > 4 || line->value[digits_n] != '\0' ||
        sscanf(line->value, "%u", &strategy->lanes) != 1 || strategy->lanes == 0)
        return fail_value(line, "a number from 1 to 9999, or WIDTHxLOADS such as 16x4", error);
    return RED_OK;
}

enum manifest_key {
    KEY_NAME,
    KEY_IDEA,
    KEY_SPAN,
    KEY_LANES,
    KEY_GROUP,
    KEY_FINISH,
    KEY_NEEDS,
    KEY_TYPES,
    KEY_OPS,
    KEY_SOURCE,
    KEYS_NEEDED_N,
    KEY_COUNTERPART = KEYS_NEEDED_N,
    KEY_SPECIAL,
    KEY_VARIANT,
    KEYS_N
};

static const char *const key_names[KEYS_N] = {
    [KEY_NAME] = "name",
    [KEY_IDEA] = "idea",
    [KEY_SPAN] = "span",
    [KEY_LANES] = "lanes",
    [KEY_GROUP] = "group",
    [KEY_FINISH] = "finish",
    [KEY_NEEDS] = "needs",
    [KEY_TYPES] = "types",
    [KEY_OPS] = "ops",
    [KEY_SOURCE] = "source",
    [KEY_COUNTERPART] = "counterpart",
    [KEY_SPECIAL] = "special",
    [KEY_VARIANT] = "variant",
};

static enum red_status read_types(const struct manifest_line *line, uint64_t *types,
                                  struct red_error *error) {
    const char *names[32];
    unsigned by_kind[2] = {0, 0};
    for (size_t i = 0; i < red_dtypes_n; i++) {
        names[i] = red_dtypes[i].name;
        by_kind[red_dtypes[i].is_float] |= 1u << i;
    }
    *types = strcmp(line->value, "integers") == 0 ? by_kind[0]
             : strcmp(line->value, "floats") == 0 ? by_kind[1]
                                                  : 0;
    return *types ? RED_OK : read_set(line, names, (unsigned)red_dtypes_n, "all", NULL, types, error);
}

static enum red_status read_ops(const struct manifest_line *line, uint64_t *ops, struct red_error *error) {
    const char *names[32];
    for (size_t i = 0; i < red_ops_n; i++)
        names[i] = red_ops[i].name;
    return read_set(line, names, (unsigned)red_ops_n, "all", NULL, ops, error);
}

/* Reads the value of one key of a manifest into the strategy. */
static enum red_status read_value(const struct manifest_line *line, unsigned key,
                                  struct red_strategy *strategy, struct red_error *error) {
    unsigned choice = 0;
    enum red_status status = RED_OK;
    switch ((enum manifest_key)key) {
    case KEY_NAME:
        return read_name(line, strategy->name, sizeof strategy->name, error);
    case KEY_IDEA:
        return read_text(line, strategy->idea, sizeof strategy->idea, error);
    case KEY_SOURCE:
        return read_text(line, strategy->source, sizeof strategy->source, error);
    case KEY_COUNTERPART:
        return read_name(line, strategy->counterpart, sizeof strategy->counterpart, error);
    case KEY_LANES:
        return read_lanes(line, strategy, error);
    case KEY_TYPES:
        return read_types(line, &strategy->types, error);
    case KEY_OPS:
        return read_ops(line, &strategy->ops, error);
    case KEY_NEEDS:
        return read_set(line, red_need_names, RED_NEEDS_N, NULL, "nothing", &strategy->needs, error);
    case KEY_SPECIAL:
        return read_set(line, red_promise_names, RED_PROMISES_N, "all", "nothing", &strategy->promises,
                        error);
    case KEY_SPAN:
        status = read_choice(line, red_span_names, RED_SPANS_N, &choice, error);
        strategy->span = (enum red_span)choice;
        return status;
    case KEY_GROUP:
        status = read_choice(line, red_group_names, RED_GROUPS_N, &choice, error);
        strategy->group = (enum red_group)choice;
        return status;
    case KEY_FINISH:
        status = read_choice(line, red_finish_names, RED_FINISHES_N, &choice, error);
        strategy->finish = (enum red_finish_kind)choice;
        return status;
    case KEY_VARIANT: /* begin_variant has taken it */
    case KEYS_N:
        break;
    }
    return RED_OK;
}

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

static enum red_status read_key(const struct manifest_line *line, unsigned *key, struct red_error *error) {
    struct manifest_line as_value = *line;
    as_value.key = "manifest key";
    as_value.value = line->key;
    return read_choice(&as_value, key_names, KEYS_N, key, error);
}

/* Refuses a manifest whose span, group and finish cannot go together. */
static enum red_status check_span_group_finish(const struct red_strategy *strategy, int line_number,
                                               struct red_error *error) {
    const struct red_finish *finish = &red_finish_rows[strategy->finish];
    if ((finish->spans != 0 && !(finish->spans & 1u << strategy->span)) ||
        ((finish->traits & RED_FINISH_LONE_ITEMS) && strategy->group != RED_STRATEGY_NONE))
        return red_fail(error, RED_E_INPUT, "%s:%d: finish '%s' needs %s", strategy->path, line_number,
                        red_finish_names[strategy->finish], finish->wants);
    bool is_segmented = red_strategy_is_segmented(strategy);
    if (is_segmented && strategy->finish != RED_STRATEGY_HOST)
        return red_fail(error, RED_E_INPUT,
                        "%s:%d: span '%s' needs finish 'host': what is left of a segment is its result",
                        strategy->path, line_number, red_span_names[strategy->span]);
    if (!(finish->traits & RED_FINISH_ITEMS) && strategy->group == RED_STRATEGY_NONE &&
        strategy->span != RED_STRATEGY_ONE && !is_segmented)
        return red_fail(error, RED_E_INPUT,
                        "%s:%d: group 'none' needs finish 'atomic' or span 'one', 'segment' or 'column': out "
                        "has one value "
                        "per group",
                        strategy->path, line_number);
    return RED_OK;
}

/* After the last line of a strategy. A variant has what it does not give from the file's own strategy. */
static enum red_status complete_strategy(const struct manifest *manifest, int line_number,
                                         struct red_error *error) {
    struct red_strategy *strategy = &manifest->family->rows[manifest->family->n - 1];
    for (unsigned key = 0; key < KEYS_NEEDED_N && manifest->family->n == 1; key++)
        if (!(manifest->seen & (1u << key)))
            return red_fail(
                error, RED_E_INPUT,
                "%s:%d: the manifest lacks '%s'; a kernel file begins with lines '//@ key: value'",
                manifest->path, line_number, key_names[key]);
    strategy->standard = strategy->counterpart[0] != '\0' ? RED_STANDARD_CL20 : RED_STANDARD_CL12;
    return check_span_group_finish(strategy, line_number, error);
}

/* One "MACRO=value" of a variant, as the line that defines it. */
static enum red_status add_macro(const struct manifest_line *line, const char *macro,
                                 struct red_strategy *variant, struct red_error *error) {
    const size_t name_n = strspn(macro, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
                 used = strlen(variant->macros), room = sizeof variant->macros - used;
    if (name_n == 0 || macro[name_n] != '=' || (*macro >= '0' && *macro <= '9') ||
        strncmp(macro, "RED_", 4) == 0)
        return fail_value(line, "a name, then macros such as IN_TURNS=1, whose names do not begin with RED_",
                          error);
    if (snprintf(variant->macros + used, room, "#define %.*s %s\n", (int)name_n, macro, macro + name_n + 1) >=
        (int)room)
        return fail_value(line, "less text in macros", error);
    return RED_OK;
}

/* "variant: NAME MACRO=value ...": another strategy of the same text, which begins as the file's own. */
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
    status = read_name(&name, variant->name, sizeof variant->name, error);
    while (status == RED_OK && *(rest += strspn(rest, " \t")) != '\0') {
        char *macro = rest;
        rest += strcspn(rest, " \t");
        if (*rest != '\0')
            *rest++ = '\0';
        status = add_macro(line, macro, variant, error);
    }
    return status;
}

static enum red_status read_manifest_line(struct manifest *manifest, struct manifest_line *line, char *text,
                                          struct red_error *error) {
    if (!split_line(text, line))
        return red_fail(error, RED_E_INPUT, "%s:%d: a manifest line has the form '//@ key: value'",
                        line->path, line->number);
    unsigned key;
    enum red_status status = read_key(line, &key, error);
    if (status != RED_OK)
        return status;
    if (key == KEY_VARIANT)
        return begin_variant(manifest, line, error);
    if (manifest->seen & (1u << key))
        return red_fail(error, RED_E_INPUT, "%s:%d: '%s' is given twice", line->path, line->number,
                        line->key);
    manifest->seen |= 1u << key;
    return read_value(line, key, &manifest->family->rows[manifest->family->n - 1], error);
}

enum red_status red_manifest_read(const char *path, const char *text, struct red_family *family,
                                  struct red_error *error) {
    *family =
        (struct red_family){.rows = {{.path = path, .text = text, .promises = RED_PROMISES_ALL}}, .n = 1};
    struct manifest manifest = {.path = path, .family = family};
    struct manifest_line line = {.path = path, .number = 0};
    if (red_text_bom_bytes(text, strlen(text)) > 0)
        return red_fail(
            error, RED_E_INPUT,
            "%s:1: the file begins with a byte order mark, which no compiler of kernels takes; save it "
            "without one",
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
