#include "model/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memstream.h"
#include "model/catalogue.h"

/* The macros that the prelude lists. The elements of later passes are partial results. */
static void write_choice(FILE *out, const struct red_variant *v) {
    const struct red_accumulator *accumulator = red_op_accumulator(v->op, v->dtype);
    const char *const identities[] = {"0", accumulator->cl_lowest, accumulator->cl_highest};
    const char *built_in = red_op_built_in(v->op, v->dtype);
    bool first = !v->over_partials, is_place = v->op->role == RED_ROLE_PLACE && first;
    fprintf(out, "#define RED_T %s\n#define RED_T_KIND %d\n#define RED_T_BITS %u\n",
            first ? v->dtype->cl_type : accumulator->cl_type, first ? v->dtype->kind : accumulator->kind,
            first ? v->dtype->bits : accumulator->word_bits);
    fprintf(out, "#define RED_A %s\n#define RED_WORD %s\n#define RED_WORD_BITS %u\n#define RED_IS_FLOAT %d\n",
            accumulator->cl_type, accumulator->cl_word, accumulator->word_bits, accumulator->is_float);
    fprintf(out,
            "#define RED_GROUP_SIZE %zu\n#define RED_ARRAYS %u\n#define RED_PASS %u\n#define RED_PLACE %d\n",
            v->group_size, first ? v->op->arrays : 1, v->pass, is_place ? (int)v->op->wants : 0);
    fprintf(out, "#define RED_IDENTITY_ %s\n#define RED_MAP_(x, y) %s\n#define RED_COMBINE_(a, b) %s\n",
            identities[v->op->identity], first && !is_place ? v->op->map : "x", v->op->combine);
    if (red_strategy_is_segmented(v->strategy))
        fputs("#define RED_UNALIGNED\n", out);
    if (v->strategy->width > 0)
        fprintf(out, "#define RED_WIDTH %u\n#define RED_LOADS %u\n", v->width ? v->width : v->strategy->width,
                v->width ? v->loads : v->strategy->loads);
    if (built_in[0] != '\0')
        fprintf(out, "#define RED_NAMED_(before, after) before##%s##after\n", built_in);
}

/* A path may hold quotes and backslashes; in a #line they must be escaped. */
static void write_line_mark(FILE *out, unsigned line, const char *path) {
    fprintf(out, "#line %u \"", line);
    for (const char *at = path; *at != '\0'; at++)
        fprintf(out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    fputs("\"\n", out);
}

enum { INCLUDES_MAX = 4, SHARED_MAX = 32 }; /* one inside the other; files of lib/ in one program */

/* A program text in the making. A file of lib/ is taken in once, wherever else it is named. */
struct composer {
    FILE *out;
    const struct red_embedded *shared[SHARED_MAX];
    size_t shared_n;
};

static bool is_taken(struct composer *composer, const struct red_embedded *embedded) {
    for (size_t i = 0; i < composer->shared_n; i++)
        if (composer->shared[i] == embedded)
            return true;
    if (red_embedded_is_shared(embedded) && composer->shared_n < SHARED_MAX)
        composer->shared[composer->shared_n++] = embedded;
    return false;
}

static enum red_status write_kernel(struct composer *composer, const char *path, const char *text, int depth,
                                    struct red_error *error);

/* In place of `#include "name.cl"` in the file at `path`. */
static enum red_status write_include(struct composer *composer, const char *path, const char *name, int depth,
                                     struct red_error *error) {
    const struct red_embedded *found = red_embedded_find(name);
    struct red_strategy variant;
    char stem[64];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "."), name);
    if (depth == INCLUDES_MAX)
        return red_fail(error, RED_E_INPUT, "%s: #include \"%s\" is nested too deeply", path, name);
    if (found != NULL)
        return is_taken(composer, found) ? RED_OK
                                         : write_kernel(composer, found->path, found->text, depth + 1, error);
    if (!red_embedded_find_variant(stem, &variant))
        return red_fail(error, RED_E_INPUT, "%s: #include \"%s\" names no kernel of the catalogue", path,
                        name);
    fputs(variant.macros, composer->out);
    return write_kernel(composer, variant.path, variant.text, depth + 1, error);
}

/* Copies the text; the line `#include "name.cl"` becomes the text of that kernel, after which lines count
 * from the including file's again. */
static enum red_status write_kernel(struct composer *composer, const char *path, const char *text, int depth,
                                    struct red_error *error) {
    enum red_status status = RED_OK;
    unsigned line = 1;
    write_line_mark(composer->out, line, path);
    for (const char *at = text; *at != '\0' && status == RED_OK; line++) {
        size_t length = strcspn(at, "\n");
        char name[64];
        if (sscanf(at, "#include \"%63[^\"\n]\"", name) == 1) {
            status = write_include(composer, path, name, depth, error);
            write_line_mark(composer->out, line + 1, path);
        } else {
            fwrite(at, 1, length, composer->out);
            fputc('\n', composer->out);
        }
        at += length + (at[length] == '\n');
    }
    return status;
}

/* One file's text behind what is defined before it, includes resolved (release with free). */
static enum red_status compose(struct composer *composer, const char *macros, const char *path,
                               const char *text, char **made, struct red_error *error) {
    size_t size;
    composer->out = red_memstream_open(made, &size);
    if (composer->out == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
    fputs(macros, composer->out);
    enum red_status status = write_kernel(composer, path, text, 0, error);
    if (!red_memstream_close(composer->out, made) && status == RED_OK)
        status = red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
    return status;
}

/* The choices, then what all kernels share, then the kernel. */
static enum red_status join(const struct red_variant *variant, const char *shared, const char *kernel,
                            char **text, struct red_error *error) {
    size_t size;
    FILE *out = red_memstream_open(text, &size);
    if (out == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
    write_choice(out, variant);
    /* Without local memory both forms are one text, compiled once. */
    if (variant->poison_local &&
        (strstr(kernel, "RED_LOCAL") != NULL || strstr(kernel, "RED_POISON") != NULL))
        fprintf(out, "#define RED_POISON 0x%02x\n",
                red_op_poison_accumulator(variant->op, variant->dtype, false));
    fputs(shared, out);
    fputs(kernel, out);
    return red_memstream_close(out, text) ? RED_OK
                                          : red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
}

enum red_status red_source_text(const struct red_variant *variant, char **text, struct red_error *error) {
    const struct red_strategy *strategy = variant->strategy;
    const struct red_embedded *prelude = red_embedded_find("lib/prelude.cl");
    struct composer composer = {.shared_n = 0};
    char *shared = NULL, *kernel = NULL;
    enum red_status status = compose(&composer, "", prelude->path, prelude->text, &shared, error);
    if (status == RED_OK)
        status = compose(&composer, strategy->macros, strategy->path, strategy->text, &kernel, error);
    if (status == RED_OK)
        status = join(variant, shared, kernel, text, error);
    free(shared);
    free(kernel);
    return status;
}

enum red_status red_source_hash(const struct red_strategy *strategy, const struct red_dtype *dtype,
                                const struct red_op *op, char hash[RED_SOURCE_HASH_BYTES],
                                struct red_error *error) {
    struct red_strategy placeless = *strategy;
    placeless.path = strategy->name;
    const struct red_variant variant = {.strategy = &placeless, .dtype = dtype, .op = op, .group_size = 1};
    char *text = NULL;
    enum red_status status = red_source_text(&variant, &text, error);
    if (status != RED_OK)
        return status;
    snprintf(hash, RED_SOURCE_HASH_BYTES, "%016" PRIx64, red_hash_text(RED_HASH, text));
    free(text);
    return RED_OK;
}
