/* rewrite FILE...: writes each result file again as clreduce writes it: another program's, too, with the
 * medians that follow from its samples. For tests/tools/lean. Exit status: 0; 1 with a reason. */
#include <stdio.h>
#include <stdlib.h>

#include "core/file.h"
#include "results/result.h"

static enum red_status rewrite(const char *path, struct red_catalogue *catalogue, struct red_error *error) {
    struct red_result result;
    char *text = NULL;
    size_t n = 0;
    enum red_status status = red_file_read(path, "result file", 1 << 28, &text, &n, error);
    if (status == RED_OK)
        status = red_result_read(path, text, n, catalogue, &result, error);
    free(text);
    if (status != RED_OK)
        return status;
    status = red_result_write_json(&result.run, path, error);
    red_result_clear(&result);
    return status;
}

int main(int count, char **arguments) {
    struct red_catalogue *catalogue = NULL;
    struct red_error error = {.text = ""};
    enum red_status status = red_catalogue_create(&catalogue, &error);
    for (int i = 1; i < count && status == RED_OK; i++)
        status = rewrite(arguments[i], catalogue, &error);
    if (status != RED_OK)
        fprintf(stderr, "rewrite: %s\n", error.text);
    red_catalogue_destroy(catalogue);
    return status != RED_OK;
}
