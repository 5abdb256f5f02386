#define _GNU_SOURCE /* FNM_CASEFOLD: globs that ignore letter case */
#include "core/select.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* Copies the next pattern of a comma-separated list; false at the end. */
static bool next_pattern(const char **list, char *pattern, size_t pattern_size_bytes) {
    if (**list == '\0')
        return false;
    size_t length = strcspn(*list, ",");
    snprintf(pattern, pattern_size_bytes, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

bool red_select_matches(const char *list, const char *name) {
    char pattern[RED_SELECT_PATTERN_BYTES];
    if (list == NULL)
        return true;
    while (next_pattern(&list, pattern, sizeof pattern))
        if (fnmatch(pattern, name, FNM_CASEFOLD) == 0)
            return true;
    return false;
}

static size_t smallest(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein's edit distance (1966), over the first 63 characters. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[64], b_n = strnlen(b, 63);
    for (size_t j = 0; j <= b_n; j++)
        row[j] = j;
    for (size_t i = 0; i < 63 && a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b_n; j++) {
            size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = smallest(replaced, row[j] + 1, row[j + 1] + 1);
        }
    }
    return row[b_n];
}

enum red_status red_select_refuse(const char *what, const char *pattern, const char *const *names,
                                  size_t names_n, struct red_error *error) {
    size_t nearest = 0;
    char all[1024] = "";
    for (size_t i = 0, used = 0; i < names_n && used < sizeof all; i++) {
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
        if (edit_distance(pattern, names[i]) < edit_distance(pattern, names[nearest]))
            nearest = i;
    }
    /* A name that shares less than half of its letters is no help. */
    bool is_near = names_n > 0 && 2 * edit_distance(pattern, names[nearest]) <= strlen(pattern);
    if (is_near)
        return red_fail(error, RED_E_INPUT, "unknown %s '%s'; did you mean '%s'? Valid: %s", what, pattern,
                        names[nearest], all);
    return red_fail(error, RED_E_INPUT, "unknown %s '%s'; valid: %s", what, pattern, all);
}

enum red_status red_select_check(const char *what, const char *list, const char *const *names, size_t names_n,
                                 struct red_error *error) {
    char pattern[RED_SELECT_PATTERN_BYTES];
    if (list != NULL && *list == '\0')
        return red_select_refuse(what, "", names, names_n, error);
    while (list != NULL && next_pattern(&list, pattern, sizeof pattern)) {
        bool found = false;
        for (size_t i = 0; i < names_n && !found; i++)
            found = red_select_matches(pattern, names[i]);
        if (!found)
            return red_select_refuse(what, pattern, names, names_n, error);
    }
    return RED_OK;
}
