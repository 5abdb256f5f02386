#include "model/shape.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const red_shape_names[RED_SHAPES_N] = {
    [RED_SHAPE_ARRAY] = "array", [RED_SHAPE_SEGMENTS] = "segments", [RED_SHAPE_ITERATE] = "iterate"};

static enum red_status shape_wrong(const char *text, struct red_error *error) {
    return red_fail(error, RED_E_INPUT,
                    "--shape: '%s' is not valid; expected array, segments:1048576x160 (how many x how long; "
                    "several with commas, each of another length) or iterate:100 (how often, up to %d)",
                    text, RED_ITERATIONS_MAX);
}

/* One number of the syntax of --n; 0 for anything else, which is no valid count either. */
static uint64_t read_count(const char *text, size_t length) {
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

/* Inserts in ascending order; false for a length that is there already, or too many. */
static bool add_row(struct red_shape *shape, uint64_t segments_n, uint64_t n) {
    size_t at = shape->rows_n;
    if (at == RED_SHAPE_ROWS_MAX)
        return false;
    for (; at > 0 && shape->rows[at - 1].n >= n; at--) {
        if (shape->rows[at - 1].n == n)
            return false;
        shape->rows[at] = shape->rows[at - 1];
    }
    shape->rows[at].segments_n = segments_n;
    shape->rows[at].n = n;
    shape->rows_n++;
    return true;
}

static bool read_segments(const char *at, struct red_shape *shape) {
    for (;; at++) {
        size_t length = strcspn(at, ","), many = strcspn(at, "x,");
        uint64_t segments_n = read_count(at, many);
        uint64_t n = many < length ? read_count(at + many + 1, length - many - 1) : 0;
        if (segments_n == 0 || n == 0 || segments_n > UINT64_MAX / 16 / n || !add_row(shape, segments_n, n))
            return false;
        at += length;
        if (*at == '\0')
            return true;
    }
}

enum red_status red_shape_parse(const char *text, struct red_shape *shape, struct red_error *error) {
    *shape = (struct red_shape){.kind = RED_SHAPE_ARRAY, .calls_n = 1};
    if (strlen(text) >= sizeof shape->text)
        return shape_wrong(text, error);
    strcpy(shape->text, text);
    if (strcmp(text, "array") == 0)
        return RED_OK;
    size_t name_n = strcspn(text, ":");
    const char *rest = text + name_n + (text[name_n] == ':');
    if (strncmp(text, "segments:", 9) == 0 && read_segments(rest, shape)) {
        shape->kind = RED_SHAPE_SEGMENTS;
        return RED_OK;
    }
    uint64_t calls_n = read_count(rest, strlen(rest));
    if (strncmp(text, "iterate:", 8) != 0 || calls_n == 0 || calls_n > RED_ITERATIONS_MAX)
        return shape_wrong(text, error);
    shape->kind = RED_SHAPE_ITERATE;
    shape->calls_n = (unsigned)calls_n;
    return RED_OK;
}

uint64_t red_shape_segments(const struct red_shape *shape, uint64_t n) {
    for (size_t i = 0; i < shape->rows_n; i++)
        if (shape->rows[i].n == n)
            return shape->rows[i].segments_n;
    return 1;
}
