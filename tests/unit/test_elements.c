/* Reading a file's large arrays element by element comes to what reading it as one tree does. */
#include "tests/unit/testing.h"

#include "results/json.h"

enum { ARRAYS_N = 2 };

/* The tree, put together again; NULL with the error. */
static json_t *read_apart(const char *text, struct red_error *error) {
    struct red_large_array arrays[ARRAYS_N] = {{.name = "cells"}, {.name = "more"}};
    struct red_reader reader = {.path = "x", .error = error};
    json_t *root = red_reader_root_but_arrays(&reader, "file", text, strlen(text), arrays, ARRAYS_N),
           *element;
    for (size_t i = 0; root != NULL && i < ARRAYS_N; i++) {
        json_t *array = json_array();
        size_t most = arrays[i].n;
        bool is_there = arrays[i].at != NULL;
        while ((element = red_large_array_next(&arrays[i], &reader)) != NULL)
            json_array_append_new(array, element);
        assert_true(json_array_size(array) <= most);
        if (is_there)
            json_object_set(root, arrays[i].name, array);
        json_decref(array);
    }
    if (reader.status == RED_OK)
        return root;
    json_decref(root);
    return NULL;
}

/* The same tree, or the same error. */
static void assert_same(const char *text) {
    struct red_error apart = {.text = ""}, whole = {.text = ""};
    struct red_reader reader = {.path = "x", .error = &whole};
    json_t *expected = red_reader_root(&reader, "file", text, strlen(text)), *got = read_apart(text, &apart);
    if ((expected == NULL) != (got == NULL) || strcmp(apart.text, whole.text) != 0)
        fail_msg("'%s' for '%s' in: %s", apart.text, whole.text, text);
    if (expected != NULL && !json_equal(expected, got))
        fail_msg("another tree of: %s", text);
    json_decref(expected);
    json_decref(got);
}

static const char *const texts[] = {
    "{}",
    " { } \n",
    "{\"cells\": []}",
    "{\"cells\": [1]}",
    "{\"cells\": [ 1 , {\"a\": [1, \"]\\\"},{\"]}, \"x\\\\\", -1.5e-3, null, true ] , \"b\": 2}",
    "{\"b\": {\"cells\": [1, 2]}, \"more\": [[], [[]], {}], \"cells\": [[1, 2], [3]]}",
    "{\"cells\": 3, \"more\": {\"a\": 1}}",
    "{\"a\": \"{\\\"cells\\\": [\", \"cells\": [\"\\u00e9\", \"é\", \"\"]}",
    "[]",
    "[1, 2]",
    "",
    " ",
    "{",
    "}",
    "{\"cells\"}",
    "{\"cells\": }",
    "{\"cells\": [}",
    "{\"cells\": [1}",
    "{\"cells\": [1,]}",
    "{\"cells\": [,1]}",
    "{\"cells\": [1 2]}",
    "{\"cells\": [1]]}",
    "{\"cells\": [1]} x",
    "{\"cells\": [1],}",
    "{\"cells\": [1] \"a\": 2}",
    "{\"cells\": [1], \"cells\": [2]}",
    "{\"cells\": [{\"a\": 1, \"a\": 2}]}",
    "{\"cells\": [\"\xff\"]}",
    "{\"a\": 1, \"a\": 2}",
    "{\"cells\": [1, 2\n, x]}",
    "{1: 2}",
    "{\"cells\": [\"\\",
};

static void a_file_is_the_same_in_parts(void **state) {
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_same(texts[i]);
}

/* One byte put in, taken away or changed, often at a place that matters. */
static void spoilt_files_are_refused_alike(void **state) {
    static const char bytes[] = "{}[],:\"\\ 1ea\n\xc3";
    char text[256];
    srand(7);
    for (unsigned turn = 0; turn < 20000; turn++) {
        snprintf(text, sizeof text - 8, "%s", texts[(unsigned)rand() % 8]);
        for (int changes = 1 + rand() % 2; changes > 0; changes--) {
            size_t n = strlen(text), at = (size_t)rand() % (n + 1);
            int kind = rand() % 3;
            if (kind == 0)
                memmove(text + at + 1, text + at, n + 1 - at);
            if (kind == 1 && at < n)
                memmove(text + at, text + at + 1, n - at);
            else if (at < n || kind == 0)
                text[at] = bytes[(unsigned)rand() % (sizeof bytes - 1)];
        }
        assert_same(text);
    }
}
