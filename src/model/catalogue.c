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
    bool is_added[RED_STRATEGIES_MAX]; /* the row came from a file at run time */
    size_t blocks_n;
    char *blocks[RED_STRATEGIES_MAX]; /* text and path of a file that was added */
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

/* "tree.cl" and "lib/words.cl" are the ends of paths, from a folder's name on. */
static bool is_named(const struct red_embedded *embedded, const char *file_name) {
    size_t path_n = strlen(embedded->path), n = strlen(file_name);
    return n < path_n && embedded->path[path_n - n - 1] == '/' &&
           strcmp(embedded->path + path_n - n, file_name) == 0;
}

const struct red_embedded *red_embedded_find(const char *file_name) {
    for (size_t i = 0; i < red_embedded_n; i++)
        if (is_named(&red_embedded[i], file_name))
            return &red_embedded[i];
    return NULL;
}

bool red_embedded_is_shared(const struct red_embedded *embedded) {
    return strstr(embedded->path, "/lib/") != NULL;
}

bool red_embedded_find_variant(const char *name, struct red_strategy *variant) {
    struct red_family family;
    for (size_t i = 0; i < red_embedded_n; i++) {
        if (red_embedded_is_shared(&red_embedded[i]) ||
            red_manifest_read(red_embedded[i].path, red_embedded[i].text, &family, NULL) != RED_OK)
            continue;
        for (size_t k = 1; k < family.n; k++)
            if (strcmp(family.rows[k].name, name) == 0) {
                *variant = family.rows[k];
                return true;
            }
    }
    return false;
}

/* By standard, then by name. */
static int compare_rows(const void *left, const void *right) {
    const struct red_strategy *a = left, *b = right;
    if (a->standard != b->standard)
        return a->standard < b->standard ? -1 : 1;
    return strcmp(a->name, b->name);
}

enum red_status red_catalogue_create(struct red_catalogue **catalogue, struct red_error *error) {
    struct red_catalogue *made = calloc(1, sizeof *made);
    struct red_family family;
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the catalogue");
    made->rows[made->rows_n++] = host_row;
    for (size_t i = 0; i < red_embedded_n; i++) {
        if (red_embedded_is_shared(&red_embedded[i]))
            continue;
        /* The build has checked the number and the manifests (src/model/embed.c). */
        enum red_status status =
            red_manifest_read(red_embedded[i].path, red_embedded[i].text, &family, error);
        if (status != RED_OK) {
            red_catalogue_destroy(made);
            return status;
        }
        for (size_t k = 0; k < family.n; k++)
            made->rows[made->rows_n++] = family.rows[k];
    }
    qsort(made->rows, made->rows_n, sizeof made->rows[0], compare_rows);
    *catalogue = made;
    return RED_OK;
}

void red_catalogue_destroy(struct red_catalogue *catalogue) {
    if (catalogue == NULL)
        return;
    for (size_t i = 0; i < catalogue->blocks_n; i++)
        free(catalogue->blocks[i]);
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

/* What a 2.x strategy is compared with must be there, or be its file's own, and be a 1.x one. */
static enum red_status check_counterpart(const struct red_catalogue *catalogue,
                                         const struct red_strategy *own, const struct red_strategy *row,
                                         struct red_error *error) {
    const char *names[RED_STRATEGIES_MAX];
    size_t n = 0;
    struct red_error found;
    if (row->counterpart[0] == '\0' ||
        (own->standard == RED_STANDARD_CL12 && strcmp(own->name, row->counterpart) == 0))
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

/* A file's own strategy takes a free place, or with `replaces` that of a built-in one of its name. */
static enum red_status place_own(const struct red_catalogue *catalogue, const struct red_strategy *own,
                                 bool replaces, size_t *at, struct red_error *error) {
    const struct red_strategy *taken = red_catalogue_find(catalogue, own->name);
    bool is_added = taken != NULL && red_catalogue_is_added(catalogue, taken);
    if (taken != NULL && (!replaces || taken->text == NULL || is_added))
        return red_fail(error, RED_E_INPUT,
                        "%s: the name '%s' is taken by %s; its line '//@ name:' must give another one",
                        own->path, own->name, is_added ? taken->path : "a strategy of this program");
    *at = taken ? (size_t)(taken - catalogue->rows) : catalogue->rows_n;
    return RED_OK;
}

/* Puts in the file's own strategy and, of its variants, those whose names are free: a copy of one of our
 * kernels under a new name still has the lines of ours. */
static enum red_status add_family(struct red_catalogue *catalogue, const struct red_family *family,
                                  bool replaces, struct red_error *error) {
    const struct red_strategy *own = &family->rows[0];
    size_t at = 0;
    enum red_status status = RED_OK;
    if (catalogue->rows_n + family->n > RED_STRATEGIES_MAX)
        status = red_fail(error, RED_E_INPUT, "%s: the catalogue holds at most %d strategies", own->path,
                          RED_STRATEGIES_MAX);
    for (size_t i = 0; i < family->n && status == RED_OK; i++)
        status = check_counterpart(catalogue, own, &family->rows[i], error);
    if (status == RED_OK)
        status = place_own(catalogue, own, replaces, &at, error);
    for (size_t i = 0; i < family->n && status == RED_OK; i++) {
        if (i > 0 && red_catalogue_find(catalogue, family->rows[i].name) != NULL)
            continue;
        at = i == 0 ? at : catalogue->rows_n;
        catalogue->rows_n += at == catalogue->rows_n;
        catalogue->rows[at] = family->rows[i];
        catalogue->is_added[at] = true;
    }
    return status;
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
    struct red_family family;
    status = red_manifest_read(block + text_n + 1, block, &family, error);
    if (status == RED_OK)
        status = add_family(catalogue, &family, replaces, error);
    if (status == RED_OK)
        catalogue->blocks[catalogue->blocks_n++] = block;
    else
        free(block);
    return status;
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
    return catalogue->is_added[strategy - catalogue->rows];
}
