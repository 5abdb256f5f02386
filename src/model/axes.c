/* The table of axes, and what is made by it: the order of results, their names, the values of columns. */
#include "model/axes.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/select.h"
#include "model/input.h"
#include "model/primitive.h"

/* ---- what a row of the table cannot say ---------------------------------------------------------------- */

static const char *device_of(const struct red_at *at) {
    return at->device;
}

static const char *strategy_of(const struct red_at *at) {
    return at->strategy != NULL ? at->strategy->name : NULL;
}

static const char *op_of(const struct red_at *at) {
    return at->op != NULL ? at->op->name : NULL;
}

static const char *type_of(const struct red_at *at) {
    return at->dtype != NULL ? at->dtype->name : NULL;
}

/* Operations of one primitive stand together. */
static int compare_ops(const struct red_at *a, const struct red_at *b) {
    const int primitive_a = a->op != NULL ? (int)a->op->primitive : 0;
    const int primitive_b = b->op != NULL ? (int)b->op->primitive : 0;
    return primitive_a != primitive_b ? primitive_a - primitive_b
                                      : strcmp(a->op != NULL ? op_of(a) : "", b->op != NULL ? op_of(b) : "");
}

static int compare_asked(const struct red_at *a, const struct red_at *b) {
    return red_tuning_compare(&a->asked, &b->asked);
}

bool red_at_has_data(const struct red_at *at) {
    return at->data[0] != '\0' || (at->op != NULL && red_primitives[at->op->primitive].timed_data[0] != NULL);
}

/* A blank where there are no data to choose from. */
static void data_words(const struct red_at *at, char *text, size_t text_bytes) {
    const bool is_uniform = at->data[0] == '\0' && red_at_has_data(at);
    snprintf(text, text_bytes, "%s", is_uniform ? red_pattern_name(RED_PATTERN_UNIFORM) : at->data);
}

/* A blank where there are no ranks. */
static void scaling_words(const struct red_at *at, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "%s", at->scaling[0] == '\0' && at->ranks_n > 0 ? "strong" : at->scaling);
}

static void asked_words(const struct red_at *at, char *text, size_t text_bytes) {
    red_tuning_format(&at->asked, RED_TUNING_SHORT, text, text_bytes);
}

/* "/wg:64/groups:8/lanes:16x4". */
static void name_asked(const struct red_at *at, char *text, size_t text_bytes) {
    red_tuning_format(&at->asked, (struct red_tuning_words){"/wg:%s", "/groups:%s", "/lanes:%s"}, text,
                      text_bytes);
}

/* "/segments:30": how long each is, is n. */
static void name_shape(const struct red_at *at, char *text, size_t text_bytes) {
    if (at->shape[0] != '\0' && strcmp(at->shape, red_shape_names[RED_SHAPE_ARRAY]) != 0)
        snprintf(text, text_bytes, "/%.*s", (int)strcspn(at->shape, "x"), at->shape);
}

/* ---- the table ----------------------------------------------------------------------------------------- */

typedef void axis_writer(const struct red_at *at, char *text, size_t text_bytes);

/* An axis is a text or a number of struct red_at, or what its functions say. */
static const struct axis {
    const char *key, *usual; /* the word for no text; NULL: none */
    size_t offset, bytes;    /* of the member */
    bool is_number;
    bool is_plain;                                /* a name has its value without the key */
    bool is_always;                               /* of a number: 0 is a value like others */
    const char *(*text)(const struct red_at *at); /* of a member that is no text itself; NULL counts as "" */
    int (*compare)(const struct red_at *a, const struct red_at *b);
    axis_writer *words, *name; /* the value of a column; its part of a name, or nothing */
} axes[RED_AXES_N] = {
#define MEMBER(member) .offset = offsetof(struct red_at, member), .bytes = sizeof((struct red_at *)0)->member
#define NUMBER(member) MEMBER(member), .is_number = true
    [RED_AXIS_DEVICE] = {"device", MEMBER(device), .text = device_of, .is_plain = true},
    [RED_AXIS_STRATEGY] = {"strategy", MEMBER(strategy), .text = strategy_of, .is_plain = true},
    [RED_AXIS_OP] = {"op", MEMBER(op), .text = op_of, .compare = compare_ops, .is_plain = true},
    [RED_AXIS_TYPE] = {"type", MEMBER(dtype), .text = type_of, .is_plain = true},
    [RED_AXIS_SHAPE] = {"shape", "array", MEMBER(shape), .name = name_shape},
    [RED_AXIS_BINS] = {"bins", NUMBER(bins_n)},
    [RED_AXIS_DATA] = {"data", MEMBER(data), .words = data_words},
    [RED_AXIS_ASKED] = {"asked", MEMBER(asked), .compare = compare_asked, .words = asked_words,
                        .name = name_asked},
    [RED_AXIS_RANKS] = {"ranks", NUMBER(ranks_n)},
    [RED_AXIS_COLLECTIVE] = {"collective", MEMBER(collective), .is_plain = true},
    [RED_AXIS_SCALING] = {"scaling", MEMBER(scaling), .is_plain = true, .words = scaling_words},
    [RED_AXIS_N] = {"n", NUMBER(n), .is_always = true},
};

/* The axis' text, its usual word where it has none. */
static const char *text_of(const struct axis *axis, const struct red_at *at) {
    const char *text = axis->text != NULL ? axis->text(at) : (const char *)at + axis->offset;
    return text != NULL && text[0] != '\0' ? text : axis->usual != NULL ? axis->usual : "";
}

static uint64_t number_of(const struct axis *axis, const struct red_at *at) {
    const void *member = (const char *)at + axis->offset;
    return axis->bytes == sizeof(uint64_t) ? *(const uint64_t *)member : *(const unsigned *)member;
}

const char *red_axis_key(enum red_axis axis) {
    return axes[axis].key;
}

bool red_axis_is_number(enum red_axis axis) {
    return axes[axis].is_number;
}

struct red_at red_at_projection(const struct red_at *at, unsigned of) {
    struct red_at made = {.device = NULL};
    for (int axis = 0; axis < RED_AXES_N; axis++)
        if (of >> axis & 1)
            memcpy((char *)&made + axes[axis].offset, (const char *)at + axes[axis].offset, axes[axis].bytes);
    return made;
}

/* The text, or the number unless it is 0 and that is no value. */
static struct red_short_text value_of(const struct axis *axis, const struct red_at *at) {
    struct red_short_text made = {.text = ""};
    if (!axis->is_number)
        snprintf(made.text, sizeof made.text, "%s", text_of(axis, at));
    else if (axis->is_always || number_of(axis, at) > 0)
        snprintf(made.text, sizeof made.text, "%" PRIu64, number_of(axis, at));
    return made;
}

struct red_short_text red_axis_text(const struct red_at *at, enum red_axis which) {
    struct red_short_text made = {.text = ""};
    if (axes[which].words == NULL)
        return value_of(&axes[which], at);
    axes[which].words(at, made.text, sizeof made.text);
    return made;
}

/* ---- orders and names ---------------------------------------------------------------------------------- */

static int axis_compare(const struct axis *axis, const struct red_at *a, const struct red_at *b) {
    if (axis->compare != NULL)
        return axis->compare(a, b);
    if (!axis->is_number) {
        const char *text_a = text_of(axis, a), *text_b = text_of(axis, b);
        return text_a == text_b ? 0 : strcmp(text_a, text_b); /* of one run most are one text */
    }
    const uint64_t number_a = number_of(axis, a), number_b = number_of(axis, b);
    return (number_a > number_b) - (number_a < number_b);
}

static int compare_in_order(const struct red_at *a, const struct red_at *b, unsigned of) {
    int order = 0;
    for (int axis = 0; axis < RED_AXES_N && order == 0; axis++)
        if (of >> axis & 1)
            order = axis_compare(&axes[axis], a, b);
    return order;
}

/* Strategies that compute the same stand together: rows are there to compare these. */
int red_at_compare(const struct red_at *a, const struct red_at *b, unsigned of) {
    int order = compare_in_order(a, b, of & RED_AT(DEVICE));
    order = order ? order : compare_in_order(a, b, of & RED_AT_QUERY);
    return order ? order : compare_in_order(a, b, of & ~(RED_AT(DEVICE) | RED_AT_QUERY));
}

unsigned red_at_difference(const struct red_at *a, const struct red_at *b, unsigned of) {
    unsigned differ = 0;
    for (int axis = 0; axis < RED_AXES_N; axis++)
        if (of >> axis & 1 && axis_compare(&axes[axis], a, b) != 0)
            differ |= 1U << axis;
    return differ;
}

bool red_at_is_same(const struct red_at *a, const struct red_at *b, unsigned of) {
    return compare_in_order(a, b, of) == 0;
}

bool red_at_is_chosen(const struct red_at *at, const char *strategies, const char *ops, const char *types) {
    return (strategies == NULL || red_select_matches(strategies, at->strategy->name)) &&
           (ops == NULL || red_select_matches(ops, at->op->name)) &&
           (types == NULL || red_select_matches(types, at->dtype->name));
}

/* The axis' part of a name: "/tree", "/bins:7", or nothing where it is usual. Names have no blanks. */
static void name_axis(const struct axis *axis, const struct red_at *at, char *part, size_t part_bytes) {
    const struct red_short_text value = value_of(axis, at);
    part[0] = '\0';
    if (axis->name != NULL) {
        axis->name(at, part, part_bytes);
        return;
    }
    if (value.text[0] != '\0')
        snprintf(part, part_bytes, "/%s%s%s", axis->is_plain ? "" : axis->key, axis->is_plain ? "" : ":",
                 value.text);
    for (char *blank = part; (blank = strchr(blank, ' ')) != NULL;)
        *blank = '-';
}

void red_at_name(const struct red_at *at, unsigned of, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (int axis = 0; axis < RED_AXES_N; axis++) {
        char part[RED_AT_NAME_BYTES] = "";
        if (of >> axis & 1)
            name_axis(&axes[axis], at, part, sizeof part);
        red_text_add(text, text_bytes, "%s", text[0] == '\0' && part[0] == '/' ? part + 1 : part);
    }
}

struct red_short_text red_at_title(const struct red_at *at, unsigned of) {
    const struct red_short_text shape = red_axis_text(at, RED_AXIS_SHAPE);
    struct red_short_text made = {.text = ""};
    red_text_add(made.text, sizeof made.text, "%s of %s", at->op->name, at->dtype->name);
    if (of & RED_AT(BINS) && at->bins_n > 0)
        red_text_add(made.text, sizeof made.text, " in %u bins", at->bins_n);
    if (of & RED_AT(DATA) && at->data[0] != '\0')
        red_text_add(made.text, sizeof made.text, " with %s data", at->data);
    if (of & RED_AT(SHAPE) && strcmp(shape.text, red_shape_names[RED_SHAPE_ARRAY]) != 0)
        red_text_add(made.text, sizeof made.text, ", shape %s", shape.text);
    if (of & RED_AT(RANKS) && at->ranks_n > 0)
        red_text_add(made.text, sizeof made.text, " over %u rank%s, %s scaling", at->ranks_n,
                     at->ranks_n > 1 ? "s" : "", red_axis_text(at, RED_AXIS_SCALING).text);
    return made;
}

enum red_shape_kind red_at_shape_kind(const struct red_at *at) {
    int kind = RED_SHAPES_N - 1;
    while (kind > RED_SHAPE_ARRAY &&
           strncmp(at->shape, red_shape_names[kind], strlen(red_shape_names[kind])) != 0)
        kind--;
    return (enum red_shape_kind)kind;
}

struct red_shape red_at_shape(const struct red_at *at) {
    struct red_shape shape = {.kind = red_at_shape_kind(at), .calls_n = 1};
    snprintf(shape.text, sizeof shape.text, "%s",
             red_shape_repeats(&shape) ? at->shape : red_shape_names[shape.kind]);
    return shape;
}

void red_at_set_shape(struct red_at *at, const struct red_shape *shape, uint64_t segments_n,
                      uint64_t segment_n) {
    const char *name = red_shape_names[shape != NULL ? shape->kind : RED_SHAPE_ARRAY];
    snprintf(at->shape, sizeof at->shape, "%s", name);
    if (shape != NULL && red_shape_has_segments(shape))
        red_text_add(at->shape, sizeof at->shape, ":%" PRIu64 "x%" PRIu64, segments_n, segment_n);
    else if (shape != NULL && red_shape_repeats(shape))
        red_text_add(at->shape, sizeof at->shape, ":%u", shape->calls_n);
}
