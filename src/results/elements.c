#include "results/elements.h"

#include <string.h>

#include "core/text.h"

enum { FLAGS = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK };

static const char *space_skip(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* One value; *at goes behind it. */
static json_t *value_parse(const char **at, const char *end) {
    json_error_t found;
    json_t *value = json_loadb(*at, (size_t)(end - *at), FLAGS, &found);
    *at += value != NULL ? found.position : 0;
    return value;
}

static const char *string_skip(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at;
}

/* Finds an array's end, and counts; what is between is judged when it is read. */
static bool array_skip(const char **at, const char *end, struct red_elements *array) {
    size_t depth = 0;
    array->at = *at + 1;
    array->n = 1;
    for (const char *next = *at; next < end; next++) {
        if (*next == '"')
            next = string_skip(next, end);
        else if (*next == '[' || *next == '{')
            depth++;
        else if (*next == ',')
            array->n += depth == 1;
        else if ((*next == ']' || *next == '}') && --depth == 0) {
            array->end = next;
            *at = next + 1;
            return *next == ']';
        }
    }
    return false;
}

static struct red_elements *array_find(struct red_elements *arrays, size_t arrays_n, const char *name) {
    for (size_t i = 0; i < arrays_n; i++)
        if (strcmp(arrays[i].name, name) == 0)
            return &arrays[i];
    return NULL;
}

/* "name": value, of the object or an array. */
static bool member_take(const char **at, const char *end, json_t *root, struct red_elements *arrays,
                        size_t arrays_n) {
    json_t *key = value_parse(at, end);
    const char *name = json_string_value(key);
    struct red_elements *array = name ? array_find(arrays, arrays_n, name) : NULL;
    bool taken = false;
    *at = space_skip(*at, end);
    bool follows = name != NULL && *at < end && **at == ':';
    *at = space_skip(*at + follows, end);
    bool is_new = follows && json_object_get(root, name) == NULL && (array == NULL || array->at == NULL);
    if (is_new && array != NULL && *at < end && **at == '[')
        taken = array_skip(at, end, array);
    else if (is_new)
        taken = json_object_set_new(root, name, value_parse(at, end)) == 0;
    json_decref(key);
    return taken;
}

/* NULL for all that is not as it must be. */
static json_t *split(const char *text, size_t text_n, struct red_elements *arrays, size_t arrays_n) {
    const char *end = text + text_n, *at = space_skip(text + red_text_mark(text, text_n), end);
    json_t *root = at < end && *at == '{' ? json_object() : NULL;
    if (root == NULL)
        return NULL;
    at = space_skip(at + 1, end);
    bool good = true, more = at < end && *at != '}';
    while (more) {
        good = at < end && *at == '"' && member_take(&at, end, root, arrays, arrays_n);
        at = space_skip(at, end);
        more = good && at < end && *at == ',';
        at = space_skip(at + more, end);
    }
    if (good && at < end && *at == '}' && space_skip(at + 1, end) == end)
        return root;
    json_decref(root);
    return NULL;
}

/* What is wrong, in the words of a parser that has seen it all. The whole tree; NULL with the reader's
 * status. */
static json_t *whole(struct red_reader *reader, const char *what, const char *text, size_t text_n) {
    json_t *root = red_reader_root(reader, what, text, text_n);
    if (!json_is_object(root))
        return root;
    json_decref(root);
    reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory to read %.200s", reader->path);
    return NULL;
}

json_t *red_elements_split(struct red_reader *reader, const char *what, const char *text, size_t text_n,
                           struct red_elements *arrays, size_t arrays_n) {
    for (size_t i = 0; i < arrays_n; i++)
        arrays[i] =
            (struct red_elements){.name = arrays[i].name, .what = what, .text = text, .text_n = text_n};
    json_t *root = split(text, text_n, arrays, arrays_n);
    return root != NULL ? root : whole(reader, what, text, text_n);
}

json_t *red_elements_next(struct red_elements *array, struct red_reader *reader) {
    const char *at = array->at ? space_skip(array->at, array->end) : array->end;
    if (reader->status != RED_OK || (at == array->end && !array->goes_on))
        return NULL;
    json_t *element = value_parse(&at, array->end);
    at = space_skip(at, array->end);
    array->goes_on = at < array->end && *at == ',';
    array->at = at + array->goes_on;
    if (element != NULL && (array->goes_on || at == array->end))
        return element;
    json_decref(element);
    json_t *root = whole(reader, array->what, array->text, array->text_n);
    if (root != NULL) /* no object, which an array is not of */
        reader->status = red_fail(reader->error, RED_E_INPUT, "%.200s changes", reader->path);
    json_decref(root);
    return NULL;
}
