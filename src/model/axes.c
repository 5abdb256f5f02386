/* The table of axes, and what is made by it: the order of results, their names, the values of columns. */
#include "model/axes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/input.h"

/* ---- values of each axis --------------------------------------------------------------------------------
 */

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

/* Nothing said, too, is one array. */
static const char *shape_of(const struct red_at *at) {
    return at->shape[0] != '\0' ? at->shape : red_shape_names[RED_SHAPE_ARRAY];
}

static const char *data_of(const struct red_at *at) {
    return at->data;
}

static uint64_t primitive_of(const struct red_at *at) {
    return at->op != NULL ? (uint64_t)at->op->primitive : 0;
}

static uint64_t bins_of(const struct red_at *at) {
    return at->bins_n;
}

static uint64_t n_of(const struct red_at *at) {
    return at->n;
}

static int compare_asked(const struct red_at *a, const struct red_at *b) {
    return red_tuning_compare(&a->asked, &b->asked);
}

/* ---- words and parts of names ---------------------------------------------------------------------------
 */

/* Other primitives than histograms have no data to choose from. */
static void data_words(const struct red_at *at, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "%s",
             at->data[0] != '\0' || at->bins_n == 0 ? at->data : red_pattern_name(RED_PATTERN_UNIFORM));
}

static void asked_words(const struct red_at *at, char *text, size_t text_bytes) {
    red_tuning_format(&at->asked, RED_TUNING_SHORT, text, text_bytes);
}

/* "/segments:30": how long each is, is n. */
static void name_shape(const struct red_at *at, char *text, size_t text_bytes) {
    const char *shape = shape_of(at);
    if (strcmp(shape, red_shape_names[RED_SHAPE_ARRAY]) != 0)
        snprintf(text, text_bytes, "/%.*s", (int)strcspn(shape, "x"), shape);
}

/* A blank where there are none. */
static void bins_words(const struct red_at *at, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "%.0u", at->bins_n);
}

static void name_bins(const struct red_at *at, char *text, size_t text_bytes) {
    if (at->bins_n > 0)
        snprintf(text, text_bytes, "/bins:%u", at->bins_n);
}

/* "/data:one-bin": names have no blanks. */
static void name_data(const struct red_at *at, char *text, size_t text_bytes) {
    if (at->data[0] != '\0')
        snprintf(text, text_bytes, "/data:%s", at->data);
    for (char *blank = text; (blank = strchr(blank, ' ')) != NULL;)
        *blank = '-';
}

static void name_asked(const struct red_at *at, char *text, size_t text_bytes) {
    red_tuning_format(&at->asked, (struct red_tuning_words){"/wg:%s", "/groups:%s", "/lanes:%s"}, text,
                      text_bytes);
}

static void name_n(const struct red_at *at, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "/n:%" PRIu64, at->n);
}

/* ---- the table ------------------------------------------------------------------------------------------
 */

typedef void axis_writer(const struct red_at *at, char *text, size_t text_bytes);

static const struct axis {
    const char *key;
    uint64_t (*number)(const struct red_at *at);                    /* by which the axis is ordered, */
    const char *(*text)(const struct red_at *at);                   /* and then by this; NULL counts as "" */
    int (*compare)(const struct red_at *a, const struct red_at *b); /* in the place of both */
    axis_writer *words; /* the value of a column; NULL: the text, or else the number */
    axis_writer *name;  /* its part of a name, or none where it is usual; NULL: the text alone */
} axes[RED_AXES_N] = {
    [RED_AXIS_DEVICE] = {"device", .text = device_of},
    [RED_AXIS_STRATEGY] = {"strategy", .text = strategy_of},
    [RED_AXIS_OP] = {"op", .number = primitive_of, .text = op_of},
    [RED_AXIS_TYPE] = {"type", .text = type_of},
    [RED_AXIS_SHAPE] = {"shape", .text = shape_of, .name = name_shape},
    [RED_AXIS_BINS] = {"bins", .number = bins_of, .words = bins_words, .name = name_bins},
    [RED_AXIS_DATA] = {"data", .text = data_of, .words = data_words, .name = name_data},
    [RED_AXIS_ASKED] = {"asked", .compare = compare_asked, .words = asked_words, .name = name_asked},
    [RED_AXIS_N] = {"n", .number = n_of, .name = name_n},
};

static const char *text_of(const struct axis *axis, const struct red_at *at) {
    const char *text = axis->text != NULL ? axis->text(at) : NULL;
    return text != NULL ? text : "";
}

const char *red_axis_key(enum red_axis axis) {
    return axes[axis].key;
}

struct red_short_text red_axis_text(const struct red_at *at, enum red_axis which) {
    const struct axis *axis = &axes[which];
    struct red_short_text made = {.text = ""};
    if (axis->words != NULL)
        axis->words(at, made.text, sizeof made.text);
    else if (axis->text != NULL)
        snprintf(made.text, sizeof made.text, "%s", text_of(axis, at));
    else
        snprintf(made.text, sizeof made.text, "%" PRIu64, axis->number(at));
    return made;
}

/* ---- orders and names -----------------------------------------------------------------------------------
 */

static int axis_compare(const struct axis *axis, const struct red_at *a, const struct red_at *b) {
    if (axis->compare != NULL)
        return axis->compare(a, b);
    const uint64_t number_a = axis->number != NULL ? axis->number(a) : 0;
    const uint64_t number_b = axis->number != NULL ? axis->number(b) : 0;
    const int order = (number_a > number_b) - (number_a < number_b);
    return order ? order : strcmp(text_of(axis, a), text_of(axis, b));
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

bool red_at_is_same(const struct red_at *a, const struct red_at *b, unsigned of) {
    return compare_in_order(a, b, of) == 0;
}

void red_at_name(const struct red_at *at, unsigned of, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (int axis = 0; axis < RED_AXES_N; axis++) {
        char part[RED_AT_NAME_BYTES] = "";
        if (!(of >> axis & 1))
            continue;
        if (axes[axis].name != NULL)
            axes[axis].name(at, part, sizeof part);
        else
            snprintf(part, sizeof part, "/%s", text_of(&axes[axis], at));
        red_text_add(text, text_bytes, "%s", text[0] == '\0' && part[0] == '/' ? part + 1 : part);
    }
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
