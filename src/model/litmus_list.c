/* All litmus tests of this program. */
#include <stdlib.h>
#include <string.h>

#include "model/catalogue.h"
#include "model/litmus.h"

static int compare_by_family(const void *left, const void *right) {
    const struct red_litmus_test *a = left, *b = right;
    if (a->family != b->family)
        return a->family < b->family ? -1 : 1;
    return strcmp(a->path, b->path);
}

enum red_status red_litmus_list(struct red_litmus_test **tests, size_t *tests_n, struct red_error *error) {
    struct red_litmus_test *made = calloc(RED_LITMUS_TESTS_MAX, sizeof *made);
    enum red_status status =
        made != NULL ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the litmus tests");
    size_t n = 0;
    for (size_t i = 0; i < red_embedded_n && status == RED_OK; i++)
        if (strstr(red_embedded[i].path, "/litmus/") != NULL)
            status = n < RED_LITMUS_TESTS_MAX
                         ? red_litmus_read(red_embedded[i].path, red_embedded[i].text, &made[n++], error)
                         : red_fail(error, RED_E_INPUT, "%s: there is room for %d litmus tests",
                                    red_embedded[i].path, RED_LITMUS_TESTS_MAX);
    if (status != RED_OK) {
        free(made);
        return status;
    }
    qsort(made, n, sizeof *made, compare_by_family);
    *tests = made;
    *tests_n = n;
    return RED_OK;
}

const struct red_litmus_test *red_litmus_by_name(const struct red_litmus_test *tests, size_t tests_n,
                                                 const char *name) {
    for (size_t i = 0; i < tests_n && name != NULL; i++)
        if (strcmp(tests[i].name, name) == 0)
            return &tests[i];
    return NULL;
}
