#include "model/catalogue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/select.h"
#include "core/text.h"

enum { FILE_BYTES_MAX = 1 << 20 };

struct red_catalogue {
    size_t rows_n;
    struct red_strategy rows[RED_STRATEGIES_MAX];
    char *owned[RED_STRATEGIES_MAX]; /* text and path of an added row, in one block */
};

static const struct red_strategy host_row = {
    .name = RED_HOST_STRATEGY,
    .idea = "OpenMP parallel simd loop on the host: the reference every device is compared with",
    .source = "OpenMP 5.0 sections 2.9.3 and 2.19.5",
    .standard = RED_STANDARD_HOST,
    .span = RED_STRATEGY_CHUNK,
    .group = RED_STRATEGY_SERIAL,
    .finish = RED_STRATEGY_HOST,
    .lanes = 1,
    .types = ~0u,
    .ops = ~0u,
    .promises = RED_PROMISES_ALL,
};

const struct red_embedded *red_embedded_find(const char *file_name) {
    for (size_t i = 0; i < red_embedded_n; i++) {
        const char *slash = strrchr(red_embedded[i].path, '/');
        if (strcmp(slash ? slash + 1 : red_embedded[i].path, file_name) == 0)
            return &red_embedded[i];
    }
    return NULL;
}

enum red_status red_catalogue_create(struct red_catalogue **catalogue, struct red_error *error) {
    struct red_catalogue *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the catalogue");
    made->rows[made->rows_n++] = host_row;
    for (size_t i = 0; i < red_embedded_n; i++) {
        if (strncmp(red_embedded[i].text, "//@", 3) != 0)
            continue; /* the prelude, the roof and what strategies share */
        /* The build has checked the number and the manifests (src/model/embed.c). */
        enum red_status status = red_manifest_parse(red_embedded[i].path, red_embedded[i].text,
                                                    &made->rows[made->rows_n++], error);
        if (status != RED_OK) {
            red_catalogue_destroy(made);
            return status;
        }
    }
    *catalogue = made;
    return RED_OK;
}

void red_catalogue_destroy(struct red_catalogue *catalogue) {
    if (catalogue == NULL)
        return;
    for (size_t i = 0; i < catalogue->rows_n; i++)
        free(catalogue->owned[i]);
    free(catalogue);
}

/* One block: the file's text, NUL, its path, NUL. */
static enum red_status file_read(const char *path, char **block, size_t *text_n, struct red_error *error) {
    size_t path_n = strlen(path) + 1;
    char *made = malloc((size_t)FILE_BYTES_MAX + 2 + path_n);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to read %s", path);
    FILE *file = fopen(path, "rb");
    *text_n = file ? fread(made, 1, (size_t)FILE_BYTES_MAX + 1, file) : 0;
    bool failed = file == NULL || ferror(file);
    int reason = errno;
    if (file != NULL)
        fclose(file);
    enum red_status status = RED_OK;
    if (failed)
        status = red_fail(error, RED_E_INPUT, "cannot read the kernel file %s: %s", path, strerror(reason));
    else if (*text_n == 0 || *text_n > FILE_BYTES_MAX || memchr(made, '\0', *text_n) != NULL)
        status = red_fail(error, RED_E_INPUT, "%s is no kernel file: expected text of 1 byte to 1 MiB", path);
    if (status != RED_OK) {
        free(made);
        return status;
    }
    made[*text_n] = '\0';
    memcpy(made + *text_n + 1, path, path_n);
    *block = made;
    return RED_OK;
}

/* What a 2.x strategy is compared with must be there, and be a 1.x one. */
static enum red_status check_counterpart(const struct red_catalogue *catalogue,
                                         const struct red_strategy *row, struct red_error *error) {
    const char *names[RED_STRATEGIES_MAX];
    size_t n = 0;
    struct red_error found;
    if (row->counterpart[0] == '\0')
        return RED_OK;
    for (size_t i = 0; i < catalogue->rows_n; i++) {
        if (catalogue->rows[i].standard != RED_STANDARD_CL12)
            continue;
        if (strcmp(catalogue->rows[i].name, row->counterpart) == 0)
            return RED_OK;
        names[n++] = catalogue->rows[i].name;
    }
    red_select_refuse("1.x strategy", row->counterpart, names, n, &found);
    return red_fail(error, RED_E_INPUT, "%s: counterpart: %.3000s", row->path, found.text);
}

enum red_status red_catalogue_add_file(struct red_catalogue *catalogue, const char *path, bool replaces,
                                       struct red_error *error) {
    if (catalogue->rows_n == RED_STRATEGIES_MAX)
        return red_fail(error, RED_E_INPUT, "%s: the catalogue holds at most %d strategies", path,
                        RED_STRATEGIES_MAX);
    /* It stands in what is compiled, so that a compiler's messages name it. */
    if (red_text_has_control(path))
        return red_fail(
            error, RED_E_INPUT,
            "'%s' is no path of a kernel file: expected one without line breaks and other control "
            "characters",
            path);
    char *block = NULL;
    size_t text_n = 0;
    enum red_status status = file_read(path, &block, &text_n, error);
    if (status != RED_OK)
        return status;
    struct red_strategy row;
    status = red_manifest_parse(block + text_n + 1, block, &row, error);
    if (status == RED_OK)
        status = check_counterpart(catalogue, &row, error);
    const struct red_strategy *taken = status == RED_OK ? red_catalogue_find(catalogue, row.name) : NULL;
    bool is_added = taken != NULL && red_catalogue_is_added(catalogue, taken);
    if (taken != NULL && (!replaces || taken->text == NULL || is_added))
        status = red_fail(error, RED_E_INPUT,
                          "%s: the name '%s' is taken by %s; its line '//@ name:' must give another one",
                          path, row.name, is_added ? taken->path : "a strategy of this program");
    if (status != RED_OK) {
        free(block);
        return status;
    }
    size_t at = taken ? (size_t)(taken - catalogue->rows) : catalogue->rows_n++;
    free(catalogue->owned[at]);
    catalogue->owned[at] = block;
    catalogue->rows[at] = row;
    return RED_OK;
}

size_t red_catalogue_n(const struct red_catalogue *catalogue) {
    return catalogue->rows_n;
}

const struct red_strategy *red_catalogue_get(const struct red_catalogue *catalogue, size_t i) {
    return &catalogue->rows[i];
}

const struct red_strategy *red_catalogue_find(const struct red_catalogue *catalogue, const char *name) {
    for (size_t i = 0; i < catalogue->rows_n; i++)
        if (strcmp(catalogue->rows[i].name, name) == 0)
            return &catalogue->rows[i];
    return NULL;
}

bool red_catalogue_is_added(const struct red_catalogue *catalogue, const struct red_strategy *strategy) {
    return catalogue->owned[strategy - catalogue->rows] != NULL;
}
