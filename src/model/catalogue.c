/* Holds all strategies, those of --kernel among them; assembles the program text of one (`strategies
 * --source` prints it); checks the globs over cells in a policy of `duel`. Each verb makes its catalogue
 * (run/session.c, cli/cmd_*.c), as do each side of a duel (gate/side.c) and each worker (worker/server.c). */
#include "model/catalogue.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/select.h"
#include "core/text.h"
#include "model/bins.h"
#include "model/primitive.h"
#include "model/types.h"

enum { FILE_BYTES_MAX = 1 << 20 };

struct red_catalogue {
    size_t rows_n;
    struct red_strategy rows[RED_STRATEGIES_MAX];
    bool is_added[RED_STRATEGIES_MAX]; /* the row came from a file at run time */
    size_t texts_n;
    char *texts_and_paths[RED_STRATEGIES_MAX]; /* one per file that was added */
};

#define HOST_ROW(name_, idea_, source_, span_, group_)                                                       \
    {                                                                                                        \
        .name = name_, .idea = idea_, .source = source_, .standard = RED_STANDARD_HOST, .span = span_,       \
        .group = group_, .finish = RED_STRATEGY_HOST, .lanes = 1, .types = ~0u, .ops = ~0u,                  \
        .promises = RED_PROMISES_ALL                                                                         \
    }
static const struct red_strategy host_rows[RED_HOST_ROWS_N] = {
    HOST_ROW(RED_HOST_STRATEGY,
             "OpenMP parallel simd loop on the host: the reference every device is compared with",
             "OpenMP 5.0 sections 2.9.3 and 2.19.5", RED_STRATEGY_CHUNK, RED_STRATEGY_SERIAL),
    HOST_ROW(RED_SEQUENTIAL_STRATEGY, "the plain loop of one thread on the host, as the compiler makes it",
             "ISO/IEC 9899:2011 section 6.8.5.3", RED_STRATEGY_ONE, RED_STRATEGY_NONE)};

/* "tree.cl" and "lib/words.cl" are the ends of paths, from a folder's or the file's name on. */
static bool is_named(const struct red_embedded *embedded, const char *file_name) {
    size_t path_n = strlen(embedded->path), n = strlen(file_name);
    return n < path_n && embedded->path[path_n - n - 1] == '/' &&
           strcmp(embedded->path + path_n - n, file_name) == 0;
}

/* Whether it is no strategy: what kernels share and programs of the host's, in lib/, and litmus tests. */
static bool is_in_lib(const struct red_embedded *embedded) {
    return strstr(embedded->path, "/lib/") != NULL || strstr(embedded->path, "/litmus/") != NULL;
}

/* For lines #include, and for the host's own programs (cl/probe.c, cl/resident.c, cl/roof.c). */
const struct red_embedded *red_embedded_find(const char *file_name) {
    const struct red_embedded *shared = NULL;
    for (size_t i = 0; i < red_embedded_n; i++) {
        if (!is_named(&red_embedded[i], file_name))
            continue;
        if (!is_in_lib(&red_embedded[i]))
            return &red_embedded[i];
        shared = &red_embedded[i];
    }
    return shared;
}

/* Finds an embedded strategy that is a variant in a file of another name, for an #include of it. */
static bool find_embedded_variant(const char *name, struct red_strategy *variant) {
    struct red_family family;
    for (size_t i = 0; i < red_embedded_n; i++) {
        if (is_in_lib(&red_embedded[i]) ||
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

/* The order of `strategies`: by standard, then by name. */
static int compare_by_standard_and_name(const void *left, const void *right) {
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
    memcpy(made->rows, host_rows, sizeof host_rows);
    made->rows_n = RED_HOST_ROWS_N;
    for (size_t i = 0; i < red_embedded_n; i++) {
        if (is_in_lib(&red_embedded[i]))
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
    qsort(made->rows, made->rows_n, sizeof made->rows[0], compare_by_standard_and_name);
    *catalogue = made;
    return RED_OK;
}

void red_catalogue_destroy(struct red_catalogue *catalogue) {
    if (catalogue == NULL)
        return;
    for (size_t i = 0; i < catalogue->texts_n; i++)
        free(catalogue->texts_and_paths[i]);
    free(catalogue);
}

/* Reads the kernel file of --kernel into one piece of memory: the file's text, NUL, its path, NUL. */
static enum red_status read_text_and_path(const char *path, char **text_and_path, size_t *text_n,
                                          struct red_error *error) {
    const size_t path_n = strlen(path) + 1;
    char *text = NULL, *made = NULL;
    enum red_status status =
        red_file_read(path, "kernel file", (size_t)FILE_BYTES_MAX + 1, &text, text_n, error);
    if (status != RED_OK)
        return status;
    if (*text_n == 0 || memchr(text, '\0', *text_n) != NULL)
        status = red_fail(error, RED_E_INPUT, "%s is no kernel file: expected text of 1 byte to 1 MiB", path);
    else if ((made = realloc(text, *text_n + 1 + path_n)) == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory to read %s", path);
    if (status != RED_OK) {
        free(text);
        return status;
    }
    memcpy(made + *text_n + 1, path, path_n);
    *text_and_path = made;
    return RED_OK;
}

/* Refuses a 2.x strategy whose counterpart is no 1.x one of the catalogue, nor `own`, the first of the same
 * file. */
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
    red_select_fail_unknown("1.x strategy", row->counterpart, names, n, &found);
    return red_fail(error, RED_E_INPUT, "%s: counterpart: %.3000s", row->path, found.text);
}

/* The place of a file's own strategy, its first: behind all others, or with `replaces` that of a built-in one
 * of its name. Refuses any other name that is taken. */
static enum red_status find_own_place(const struct red_catalogue *catalogue, const struct red_strategy *own,
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
        status = find_own_place(catalogue, own, replaces, &at, error);
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

/* Whether the path names an open descriptor of this process; in a worker the same path means another file. */
static bool is_path_of_descriptor(const char *path) {
    return strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", strlen("/dev/fd/")) == 0 ||
           strncmp(path, "/proc/", strlen("/proc/")) == 0;
}

/* `path` is of --kernel, or a duel side's kernel; a worker gets those of the program that starts it. */
enum red_status red_catalogue_add_file(struct red_catalogue *catalogue, const char *path, bool replaces,
                                       struct red_error *error) {
    /* It stands in what is compiled, so that a compiler's messages name it. */
    if (red_text_has_control(path))
        return red_fail(
            error, RED_E_INPUT,
            "'%s' is no path of a kernel file: expected one without line breaks and other control characters",
            path);
    if (is_path_of_descriptor(path))
        return red_fail(
            error, RED_E_INPUT,
            "cannot read the kernel %s: the processes that build it open it by its name, and this one "
            "means another file there; write it to a file, and name that",
            path);
    char *text_and_path = NULL;
    size_t text_n = 0;
    enum red_status status = read_text_and_path(path, &text_and_path, &text_n, error);
    if (status != RED_OK)
        return status;
    struct red_family family;
    status = red_manifest_read(text_and_path + text_n + 1, text_and_path, &family, error);
    if (status == RED_OK)
        status = add_family(catalogue, &family, replaces, error);
    if (status == RED_OK)
        catalogue->texts_and_paths[catalogue->texts_n++] = text_and_path;
    else
        free(text_and_path);
    return status;
}

/* By this and the next the rows of `strategies` and the candidates of --strategy are listed. */
size_t red_catalogue_n(const struct red_catalogue *catalogue) {
    return catalogue->rows_n;
}

const struct red_strategy *red_catalogue_get(const struct red_catalogue *catalogue, size_t i) {
    return &catalogue->rows[i];
}

/* `name` is of --strategy, a result file or a question to a worker. */
const struct red_strategy *red_catalogue_find(const struct red_catalogue *catalogue, const char *name) {
    return red_strategies_find(catalogue->rows, catalogue->rows_n, name);
}

/* bench and verify treat a strategy of --kernel apart, and the summary speaks of it (console/summary.c). */
bool red_catalogue_is_added(const struct red_catalogue *catalogue, const struct red_strategy *strategy) {
    return catalogue->is_added[strategy - catalogue->rows];
}

/* The first strategy of a file at run time, which stands before its variants; NULL: there is none. */
static const struct red_strategy *first_added(const struct red_catalogue *catalogue,
                                              enum red_primitive primitive) {
    for (size_t i = 0; i < catalogue->rows_n; i++)
        if (catalogue->is_added[i] && catalogue->rows[i].primitive == primitive)
            return &catalogue->rows[i];
    return NULL;
}

/* For bench, once and duel: of a kernel for u32 alone they measure u32. */
void red_catalogue_adapt_defaults(const struct red_catalogue *catalogue, enum red_primitive primitive,
                                  const char **type, const char **op) {
    const struct red_strategy *own = first_added(catalogue, primitive);
    const struct red_dtype *dtype = *type != NULL ? red_dtype_find(*type) : NULL;
    const struct red_op *operation = *op != NULL ? red_op_find(*op) : NULL;
    if (own != NULL && dtype != NULL && !(own->types >> (dtype - red_dtypes) & 1))
        *type = red_dtypes[__builtin_ctzll((unsigned long long)own->types)].name;
    if (own != NULL && operation != NULL && !(own->ops >> (operation - red_ops) & 1))
        *op = red_ops[__builtin_ctzll((unsigned long long)own->ops)].name;
}

/* ---- program text -----------------------------------------------------------------------------------------
 * `build` is of a launch of a plan (cl/finish.c), where the driver compiles the text; of `strategies
 * --source`, which prints it; or of emit (emit/compose.c), which writes its parts. */

/* Writes what primitives have beside them that leave a result for each element: the type of results, and
 * whether a scan is exclusive. Of the groups' sums, over which finish two_levels runs
 * the same text, it is. */
static void write_result_macros(FILE *out, const struct red_build_spec *build) {
    const struct red_accumulator *accumulator = red_op_accumulator(build->op, build->dtype);
    const struct red_dtype *result = red_op_result_dtype(build->op, build->dtype);
    const bool first = !build->over_partials;
    fprintf(out,
            "#define RED_SCAN 1\n#define RED_EXCLUSIVE %d\n#define RED_OVER_CARRIES %d\n#define RED_R %s\n"
            "#define RED_R_KIND %d\n#define RED_R_BITS %u\n",
            build->op->exclusive || !first, !first, first ? result->cl_type : accumulator->cl_type,
            first ? result->kind : accumulator->kind, first ? result->bits : accumulator->word_bits);
}

static void write_bin_macros(FILE *out, const struct red_build_spec *build) {
    red_bins_write_macros(out, build->dtype,
                          build->bins_n ? build->bins_n : red_primitives[build->op->primitive].bins_n);
}

static void write_no_macros(FILE *out, const struct red_build_spec *build) {
    (void)out, (void)build;
}

/* What a primitive has beside the macros of all; NULL: a result for each element. */
static void (*const write_own_macros[RED_PRIMITIVES_N])(FILE *out, const struct red_build_spec *build) = {
    [RED_PRIMITIVE_REDUCE] = write_no_macros, [RED_PRIMITIVE_HISTOGRAM] = write_bin_macros};

/* Writes the macros that the prelude lists; in later passes elements are partial results. */
static void write_build_macros(FILE *out, const struct red_build_spec *build) {
    const struct red_accumulator *accumulator = red_op_accumulator(build->op, build->dtype);
    const char *built_in = red_op_built_in_suffix(build->op, build->dtype);
    const int picked = !red_op_picks(build->op) ? 0 : build->op->does == RED_PICKS_LEAST ? 1 : 2;
    bool first = !build->over_partials, is_place = build->op->role == RED_ROLE_PLACE && first;
    fprintf(out, "#define RED_T %s\n#define RED_T_KIND %d\n#define RED_T_BITS %u\n",
            first ? build->dtype->cl_type : accumulator->cl_type,
            first ? build->dtype->kind : accumulator->kind,
            first ? build->dtype->bits : accumulator->word_bits);
    fprintf(out, "#define RED_A %s\n#define RED_WORD %s\n#define RED_WORD_BITS %u\n#define RED_IS_FLOAT %d\n",
            accumulator->cl_type, accumulator->cl_word, accumulator->word_bits, accumulator->is_float);
    fprintf(out, "#define RED_HAS_ATOMIC %d\n",
            build->op->has_atomic && !accumulator->is_float && accumulator->word_bits > 0);
    fprintf(out,
            "#define RED_GROUP_SIZE %zu\n#define RED_ARRAYS %u\n#define RED_PASS %u\n#define RED_PLACE %d\n"
            "#define RED_EXTREME %d\n",
            build->group_size, first ? build->op->arrays : 1, build->pass, is_place ? picked : 0,
            build->op->role == RED_ROLE_ORDER ? picked : 0);
    fprintf(out, "#define RED_IDENTITY_ %s\n#define RED_MAP_(x, y) %s\n#define RED_COMBINE_(a, b) %s\n",
            red_op_identity_text(build->op, accumulator->cl_lowest, accumulator->cl_highest),
            first && !is_place ? build->op->map : "x", build->op->combine);
    if (build->is_computed && first)
        fputs("#define RED_COMPUTED 1\n", out);
    (write_own_macros[build->op->primitive] != NULL ? write_own_macros[build->op->primitive]
                                                    : write_result_macros)(out, build);
    if (red_strategy_is_segmented(build->strategy))
        fputs("#define RED_UNALIGNED\n", out);
    if (build->strategy->width > 0)
        fprintf(out, "#define RED_WIDTH %u\n#define RED_LOADS %u\n",
                build->width ? build->width : build->strategy->width,
                build->width ? build->loads : build->strategy->loads);
    if (built_in[0] != '\0')
        fprintf(out, "#define RED_NAMED_(before, after) before##%s##after\n", built_in);
}

/* A path may hold quotes and backslashes; in a #line they must be escaped. */
static void write_line_directive(FILE *out, unsigned line, const char *path) {
    fprintf(out, "#line %u \"", line);
    for (const char *at = path; *at != '\0'; at++)
        fprintf(out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    fputs("\"\n", out);
}

enum { INCLUDES_MAX = 4, SHARED_MAX = 32 }; /* one inside the other; files of lib/ in one program */

/* A program text in the making. A file of lib/ is taken in once, wherever else it is named. */
struct program_composer {
    FILE *out;
    const struct red_embedded *shared[SHARED_MAX];
    size_t shared_n;
};

/* Whether the file of lib/ is in the text already; if not, notes that it is now. False of a kernel. */
static bool test_and_note_included(struct program_composer *composer, const struct red_embedded *embedded) {
    for (size_t i = 0; i < composer->shared_n; i++)
        if (composer->shared[i] == embedded)
            return true;
    if (is_in_lib(embedded) && composer->shared_n < SHARED_MAX)
        composer->shared[composer->shared_n++] = embedded;
    return false;
}

static enum red_status write_text_with_includes(struct program_composer *composer, const char *path,
                                                const char *text, int depth, struct red_error *error);

/* Writes the kernel, or the file of lib/ unless the text has it, in place of `#include "name.cl"` in the file
 * at `path`. */
static enum red_status write_include(struct program_composer *composer, const char *path, const char *name,
                                     int depth, struct red_error *error) {
    const struct red_embedded *found = red_embedded_find(name);
    struct red_strategy variant;
    char stem[64];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "."), name);
    if (depth == INCLUDES_MAX)
        return red_fail(error, RED_E_INPUT, "%s: #include \"%s\" is nested too deeply", path, name);
    if (found != NULL)
        return test_and_note_included(composer, found)
                   ? RED_OK
                   : write_text_with_includes(composer, found->path, found->text, depth + 1, error);
    if (!find_embedded_variant(stem, &variant))
        return red_fail(error, RED_E_INPUT,
                        "%s: #include \"%s\" names no kernel of the catalogue; a file of yours cannot "
                        "be included: put its text into this one",
                        path, name);
    fputs(variant.macros, composer->out);
    return write_text_with_includes(composer, variant.path, variant.text, depth + 1, error);
}

/* Copies the text; the line `#include "name.cl"` becomes the text of that kernel, after which lines count
 * from the including file's again. */
static enum red_status write_text_with_includes(struct program_composer *composer, const char *path,
                                                const char *text, int depth, struct red_error *error) {
    enum red_status status = RED_OK;
    unsigned line = 1;
    write_line_directive(composer->out, line, path);
    for (const char *at = text; *at != '\0' && status == RED_OK; line++) {
        size_t length = strcspn(at, "\n");
        char name[64];
        if (sscanf(at, "#include \"%63[^\"\n]\"", name) == 1) {
            status = write_include(composer, path, name, depth, error);
            write_line_directive(composer->out, line + 1, path);
        } else {
            fwrite(at, 1, length, composer->out);
            fputc('\n', composer->out);
        }
        at += length + (at[length] == '\n');
    }
    return status;
}

/* One file's text behind what is defined before it, includes resolved (release with free). */
static enum red_status compose_file(struct program_composer *composer, const char *macros, const char *path,
                                    const char *text, char **made, struct red_error *error) {
    size_t size;
    composer->out = red_memstream_open(made, &size);
    if (composer->out == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
    fputs(macros, composer->out);
    enum red_status status = write_text_with_includes(composer, path, text, 0, error);
    if (!red_memstream_close(composer->out, made) && status == RED_OK)
        status = red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
    return status;
}

/* Joins the macros of the choices, the poison of local memory, the shared text and the kernel. */
static enum red_status join_program(const struct red_build_spec *build, const char *shared,
                                    const char *kernel, char **text, struct red_error *error) {
    size_t size;
    FILE *out = red_memstream_open(text, &size);
    if (out == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
    write_build_macros(out, build);
    /* Without local memory both forms are one text, compiled once. */
    if (build->poison_local && (strstr(kernel, "RED_LOCAL") != NULL || strstr(kernel, "RED_POISON") != NULL))
        fprintf(out, "#define RED_POISON 0x%02x\n",
                red_op_accumulator_poison_byte(build->op, build->dtype, false));
    fputs(shared, out);
    fputs(kernel, out);
    return red_memstream_close(out, text) ? RED_OK
                                          : red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
}

enum red_status red_source_text(const struct red_build_spec *build, char **text, struct red_error *error) {
    const struct red_strategy *strategy = build->strategy;
    const struct red_embedded *prelude = red_embedded_find("lib/prelude.cl");
    struct program_composer composer = {.shared_n = 0};
    char *shared = NULL, *kernel = NULL;
    const struct red_embedded *store = strategy->finish == RED_STRATEGY_STORED && !build->over_partials
                                           ? red_embedded_find("lib/store_terms.cl")
                                           : NULL;
    enum red_status status = compose_file(&composer, "", prelude->path, prelude->text, &shared, error);
    if (status == RED_OK && store != NULL)
        status = compose_file(&composer, "", store->path, store->text, &kernel, error);
    else if (status == RED_OK)
        status = compose_file(&composer, strategy->macros, strategy->path, strategy->text, &kernel, error);
    if (status == RED_OK)
        status = join_program(build, shared, kernel, text, error);
    free(shared);
    free(kernel);
    return status;
}

/* Tells whether a checkpoint (run/checkpoint.c, for --resume) is of the same kernel. */
enum red_status red_source_hash(const struct red_strategy *strategy, const struct red_dtype *dtype,
                                const struct red_op *op, char hash[RED_SOURCE_HASH_BYTES],
                                struct red_error *error) {
    struct red_strategy placeless = *strategy;
    placeless.path = strategy->name;
    struct red_build_spec build = {.strategy = &placeless, .dtype = dtype, .op = op, .group_size = 1};
    const int texts_n = strategy->finish == RED_STRATEGY_STORED ? 2 : 1;
    uint64_t sum = RED_HASH;
    enum red_status status = RED_OK;
    for (int i = 0; i < texts_n && status == RED_OK; i++) {
        char *text = NULL;
        build.over_partials = i > 0;
        status = red_source_text(&build, &text, error);
        sum = status == RED_OK ? red_hash_text(sum, text) : sum;
        free(text);
    }
    snprintf(hash, RED_SOURCE_HASH_BYTES, "%016" PRIx64, sum);
    return status;
}

/* ---- globs over cells -------------------------------------------------------------------------------------
 * `glob` is of a section's head in a policy of `duel` (gate/policy.c), which tells an error with its line. */

enum { GLOB_BYTES = RED_SELECT_PATTERN_BYTES, FORM_BYTES = 96, FIELDS_N = 5 };

/* In a form of names: one character other than '/', any number of them; one digit, any number of them. */
#define ONE    "\1"
#define ANY    "\2"
#define DIGIT  "\3"
#define DIGITS "\4"
static const char size_form[] = "n:" DIGIT DIGITS;

/* What stands before n in the name of a cell whose geometry was asked for. */
static const char *const asked_forms[] = {"wg:" DIGIT DIGITS "/", "groups:" DIGIT DIGITS "/",
                                          "lanes:" DIGIT DIGITS "x" DIGIT DIGITS "/"};
enum { ASKED_N = 1 << sizeof asked_forms / sizeof asked_forms[0] };

/* Whether this place of a form is for any number of characters, or none. */
static bool is_repeated_form(char name_form) {
    return name_form == ANY[0] || name_form == DIGITS[0];
}

/* Whether some character matches both, one of the glob and one of the form. */
static bool characters_meet(char glob, char name_form) {
    if (glob == '?')
        return true;
    if (name_form == ONE[0] || name_form == ANY[0])
        return glob != '/';
    if (name_form == DIGIT[0] || name_form == DIGITS[0])
        return isdigit((unsigned char)glob) != 0;
    return tolower((unsigned char)glob) == tolower((unsigned char)name_form);
}

/* Whether there is a name that has the form and matches the glob. A glob and a form are two patterns, and
 * what both match is looked for from their ends: row[j] says whether there is something for the glob from i
 * on and the form from j on, after[j] the same from i + 1 on. */
static bool patterns_meet(const char *glob, const char *name_form) {
    bool row[FORM_BYTES + 1] = {false}, after[FORM_BYTES + 1];
    size_t form_n = strlen(name_form);
    for (size_t i = strlen(glob) + 1; i-- > 0;) {
        memcpy(after, row, sizeof row);
        for (size_t j = form_n + 1; j-- > 0;) {
            bool wild = glob[i] == '*', any = is_repeated_form(name_form[j]), ends = name_form[j] == '\0';
            bool passes_form =
                (wild || any) && !ends && row[j + 1]; /* the glob's '*' holds it, or it is empty */
            bool passes_both = !wild && !ends && glob[i] != '\0' && characters_meet(glob[i], name_form[j]) &&
                               after[any ? j : j + 1];
            row[j] = (glob[i] == '\0' && ends) || passes_form || passes_both || (wild && after[j]);
        }
    }
    return row[0];
}

/* Whether the glob matches a name of this operation and type, with the parts of a geometry that `asked` has
 * bits for. */
static bool glob_meets_name(const char *glob, const char *op, const char *type, unsigned asked) {
    char name_form[FORM_BYTES];
    snprintf(name_form, sizeof name_form, ONE ANY "/" ONE ANY "/%s/%s/%s%s%s%s", op, type,
             asked & 1 ? asked_forms[0] : "", asked & 2 ? asked_forms[1] : "",
             asked & 4 ? asked_forms[2] : "", size_form);
    return patterns_meet(glob, name_form);
}

/* Whether there is a name of a cell, of any device, strategy and n, that the glob matches. */
static bool glob_can_match_cell(const char *glob) {
    for (unsigned asked = 0; asked < ASKED_N; asked++)
        for (size_t i = 0; glob_meets_name(glob, ONE ANY, ONE ANY, asked) && i < red_ops_n; i++)
            for (size_t j = 0; j < red_dtypes_n; j++)
                if (glob_meets_name(glob, red_ops[i].name, red_dtypes[j].name, asked))
                    return true;
    return false;
}

/* Refuses an unknown operation, type or n in a glob with as many fields as a name; takes any other glob. */
static enum red_status check_glob_op_type_n(const char *glob, struct red_error *error) {
    char fields[FIELDS_N][GLOB_BYTES];
    for (size_t i = 0; i < FIELDS_N; i++) {
        size_t length = strcspn(glob, "/");
        snprintf(fields[i], sizeof fields[i], "%.*s", (int)length, glob);
        if ((glob[length] == '\0') != (i == FIELDS_N - 1))
            return RED_OK;
        glob += length + 1;
    }
    enum red_status status = red_select_check("operation", fields[2], red_op_names, red_ops_n, error);
    if (status == RED_OK)
        status = red_select_check("type", fields[3], red_dtype_names, red_dtypes_n, error);
    if (status == RED_OK && !patterns_meet(fields[4], size_form))
        return red_fail(error, RED_E_INPUT,
                        "'%s' is no size; expected n: and a number without sign or power, such as n:1048576, "
                        "or a glob of such",
                        fields[4]);
    return status;
}

/* Fills the error for a glob of a policy that matches no cell; suggests the glob with the rest of a name
 * before or behind it, which is what users leave out. */
static enum red_status fail_unmatched_glob(const char *glob, struct red_error *error) {
    static const struct { const char *before, *behind; } rests[] = {{"*/", "/*"}, {"", "/*"}, {"*/", ""}};
    static const char names[] = "DEVICE/STRATEGY/OPERATION/TYPE/n:N, such as pocl.0/tree/sum/f32/n:4096";
    for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++) {
        char meant[GLOB_BYTES + 4];
        snprintf(meant, sizeof meant, "%s%s%s", rests[i].before, glob, rests[i].behind);
        if (glob_can_match_cell(meant))
            return red_fail(error, RED_E_INPUT, "'%s' can match no cell; did you mean '%s'? Names are %s",
                            glob, meant, names);
    }
    return red_fail(error, RED_E_INPUT, "'%s' can match no cell; names are %s", glob, names);
}

/* Refuses a glob of a policy (`duel`) that can match no name of a cell. */
static enum red_status check_one_glob(const char *glob, struct red_error *error) {
    for (const char *at = glob; *at != '\0'; at++)
        if (!isgraph((unsigned char)*at) || strchr("[]\\", *at) != NULL)
            return red_fail(error, RED_E_INPUT,
                            "'%s' is no glob over names of cells, which have no blanks and are in ASCII; '*' "
                            "and '?' stand for what may differ, '[' and '\\' for nothing",
                            glob);
    if (glob_can_match_cell(glob))
        return RED_OK;
    enum red_status status = check_glob_op_type_n(glob, error);
    return status == RED_OK ? fail_unmatched_glob(glob, error) : status;
}

enum red_status red_cell_globs_check(const char *globs, struct red_error *error) {
    for (;; globs++) {
        char glob[GLOB_BYTES];
        size_t length = strcspn(globs, ",");
        if (length >= sizeof glob)
            return red_fail(error, RED_E_INPUT,
                            "'%.40s...' is longer than %zu bytes; expected a shorter glob", globs,
                            sizeof glob - 1);
        snprintf(glob, sizeof glob, "%.*s", (int)length, globs);
        if (check_one_glob(glob, error) != RED_OK)
            return RED_E_INPUT;
        globs += length;
        if (*globs == '\0')
            return RED_OK;
    }
}
