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

enum { INCLUDES_MAX = 4 }; /* one inside the other */

/* Copies the text; the line `#include "name.cl"` becomes the text of that kernel, after which lines count
 * from the including file's again. */
static enum red_status write_kernel(FILE *out, const char *path, const char *text, int depth,
                                    struct red_error *error) {
    enum red_status status = RED_OK;
    unsigned line = 1;
    write_line_mark(out, line, path);
    for (const char *at = text; *at != '\0' && status == RED_OK; line++) {
        size_t length = strcspn(at, "\n");
        char name[64];
        if (sscanf(at, "#include \"%63[^\"\n]\"", name) == 1) {
            const struct red_embedded *found = red_embedded_find(name);
            if (found == NULL)
                return red_fail(error, RED_E_INPUT, "%s: #include \"%s\" names no kernel of the catalogue",
                                path, name);
            if (depth == INCLUDES_MAX)
                return red_fail(error, RED_E_INPUT, "%s: #include \"%s\" is nested too deeply", path, name);
            status = write_kernel(out, found->path, found->text, depth + 1, error);
            write_line_mark(out, line + 1, path);
        } else {
            fwrite(at, 1, length, out);
            fputc('\n', out);
        }
        at += length + (at[length] == '\n');
    }
    return status;
}

/* The kernel's own text, includes resolved (release with free). */
static enum red_status kernel_text(const struct red_strategy *strategy, char **text,
                                   struct red_error *error) {
    size_t size;
    FILE *out = red_memstream_open(text, &size);
    if (out == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
    enum red_status status = write_kernel(out, strategy->path, strategy->text, 0, error);
    if (!red_memstream_close(out, text) && status == RED_OK)
        status = red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
    return status;
}

enum red_status red_source_text(const struct red_variant *variant, char **text, struct red_error *error) {
    size_t size;
    char *kernel = NULL, *made = NULL;
    enum red_status status = kernel_text(variant->strategy, &kernel, error);
    FILE *out = status == RED_OK ? red_memstream_open(&made, &size) : NULL;
    if (out == NULL) {
        free(kernel);
        return status == RED_OK ? red_fail(error, RED_E_MEMORY, "no memory for a kernel's text") : status;
    }
    write_choice(out, variant);
    /* Without local memory both forms are one text, compiled once. */
    if (variant->poison_local &&
        (strstr(kernel, "RED_LOCAL") != NULL || strstr(kernel, "RED_POISON") != NULL))
        fprintf(out, "#define RED_POISON 0x%02x\n",
                red_op_poison_accumulator(variant->op, variant->dtype, false));
    const struct red_embedded *prelude = red_embedded_find("prelude.cl");
    write_line_mark(out, 1, prelude->path);
    fputs(prelude->text, out);
    fputs(kernel, out);
    free(kernel);
    if (!red_memstream_close(out, &made))
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
    *text = made;
    return RED_OK;
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
