/* Reads the large arrays of a file of JSON element by element: a whole file as a tree takes 20 times its
 * size. The lists of files that tables read are such arrays (fields.c); the runs of a fleet file stay text
 * (fleet_file.c). */
#include <string.h>

#include "core/text.h"
#include "results/json.h"

enum { FLAGS = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK };

static const char *skip_space(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* One value; *at goes behind it. */
static json_t *parse_value(const char **at, const char *end) {
    json_error_t found;
    json_t *value = json_loadb(*at, (size_t)(end - *at), FLAGS, &found);
    *at += value != NULL ? found.position : 0;
    return value;
}

/* From the quotation mark that begins a string to the one that ends it. */
static const char *skip_string(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at;
}

/* Finds an array's end, and counts; what is between is judged when it is read. */
static bool skip_array(const char **at, const char *end, struct red_large_array *array) {
    size_t depth = 0;
    array->at = *at + 1;
    array->n = 1;
    for (const char *next = *at; next < end; next++) {
        if (*next == '"')
            next = skip_string(next, end);
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

/* The array of that name; NULL for the name of another member. */
static struct red_large_array *find_array(struct red_large_array *arrays, size_t arrays_n, const char *name) {
    for (size_t i = 0; i < arrays_n; i++)
        if (strcmp(arrays[i].name, name) == 0)
            return &arrays[i];
    return NULL;
}

/* Parses "name": value into the object, but an array of `arrays` is only found. */
static bool parse_member(const char **at, const char *end, json_t *root, struct red_large_array *arrays,
                         size_t arrays_n) {
    json_t *key = parse_value(at, end);
    const char *name = json_string_value(key);
    struct red_large_array *array = name ? find_array(arrays, arrays_n, name) : NULL;
    bool taken = false;
    *at = skip_space(*at, end);
    bool follows = name != NULL && *at < end && **at == ':';
    *at = skip_space(*at + follows, end);
    bool is_new = follows && json_object_get(root, name) == NULL && (array == NULL || array->at == NULL);
    if (is_new && array != NULL && *at < end && **at == '[')
        taken = skip_array(at, end, array);
    else if (is_new)
        taken = json_object_set_new(root, name, parse_value(at, end)) == 0;
    json_decref(key);
    return taken;
}

/* Parses the file's object without the named arrays; NULL for all that is not as it must be. */
static json_t *parse_but_arrays(const char *text, size_t text_n, struct red_large_array *arrays,
                                size_t arrays_n) {
    const char *end = text + text_n, *at = skip_space(text + red_text_bom_bytes(text, text_n), end);
    json_t *root = at < end && *at == '{' ? json_object() : NULL;
    if (root == NULL)
        return NULL;
    at = skip_space(at + 1, end);
    bool good = true, more = at < end && *at != '}';
    while (more) {
        good = at < end && *at == '"' && parse_member(&at, end, root, arrays, arrays_n);
        at = skip_space(at, end);
        more = good && at < end && *at == ',';
        at = skip_space(at + more, end);
    }
    if (good && at < end && *at == '}' && skip_space(at + 1, end) == end)
        return root;
    json_decref(root);
    return NULL;
}

/* Parses the whole text once more after reading by elements has failed, so that the reader gets the parser's
 * error. Gives a value that is no object, which the caller releases; otherwise NULL, with the reader's
 * status. */
static json_t *parse_again_for_error(struct red_reader *reader, const char *what, const char *text,
                                     size_t text_n) {
    json_t *root = red_reader_root(reader, what, text, text_n);
    if (!json_is_object(root))
        return root;
    json_decref(root);
    reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory to read %.200s", reader->path);
    return NULL;
}

json_t *red_reader_root_but_arrays(struct red_reader *reader, const char *what, const char *text,
                                   size_t text_n, struct red_large_array *arrays, size_t arrays_n) {
    for (size_t i = 0; i < arrays_n; i++)
        arrays[i] =
            (struct red_large_array){.name = arrays[i].name, .what = what, .text = text, .text_n = text_n};
    const bool has_nul = text_n > 0 && memchr(text, '\0', text_n) != NULL;
    json_t *root = has_nul ? NULL : parse_but_arrays(text, text_n, arrays, arrays_n);
    return root != NULL ? root : parse_again_for_error(reader, what, text, text_n);
}

json_t *red_large_array_next(struct red_large_array *array, struct red_reader *reader) {
    const char *at = array->at ? skip_space(array->at, array->end) : array->end;
    if (reader->status != RED_OK || (at == array->end && !array->goes_on))
        return NULL;
    json_t *element = parse_value(&at, array->end);
    at = skip_space(at, array->end);
    array->goes_on = at < array->end && *at == ',';
    array->at = at + array->goes_on;
    if (element != NULL && (array->goes_on || at == array->end))
        return element;
    json_decref(element);
    json_t *root = parse_again_for_error(reader, array->what, array->text, array->text_n);
    if (root != NULL) /* no object, which an array is not of */
        reader->status = red_fail(reader->error, RED_E_INPUT, "%.200s changes", reader->path);
    json_decref(root);
    return NULL;
}

/* From the value at *at to where it ends; what it holds is judged when it is read. */
static bool skip_value(const char **at, const char *end) {
    size_t depth = 0;
    for (const char *next = *at; next < end; next++) {
        if (*next == '"')
            next = skip_string(next, end);
        else if (*next == '[' || *next == '{')
            depth++;
        else if (*next == ']' || *next == '}')
            depth -= depth > 0;
        if (depth == 0 && next < end) {
            *at = next + 1;
            return true;
        }
    }
    return false;
}

const char *red_large_array_next_text(struct red_large_array *array, struct red_reader *reader,
                                      size_t *element_n) {
    const char *at = array->at ? skip_space(array->at, array->end) : array->end, *element = at;
    if (reader->status != RED_OK || (at == array->end && !array->goes_on))
        return NULL;
    const bool whole = at < array->end && (*at == '{' || *at == '[') && skip_value(&at, array->end);
    *element_n = (size_t)(at - element);
    at = skip_space(at, array->end);
    array->goes_on = at < array->end && *at == ',';
    array->at = at + array->goes_on;
    if (whole && (array->goes_on || at == array->end))
        return element;
    red_reader_refuse(reader, array->name, "an array of whole files of clreduce");
    return NULL;
}
