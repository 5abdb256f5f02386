#define _POSIX_C_SOURCE 200809L /* getdelim */
/* Build tool: embed OUT.c KERNEL.cl...
 * Writes the kernel files as one C table (model/catalogue.h) and checks every manifest on the way, and all of
 * them against each other, so that a broken one stops the build with its file and line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/litmus.h"
#include "model/primitive.h"
#include "model/strategy.h"

/* The whole file, a text (release with free); NULL if it cannot be read. */
static char *file_read(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    if (file == NULL)
        return NULL;
    if (getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

/* The path from the kernels_cl* folder on. */
static const char *path_from_kernels_folder(const char *path) {
    const char *folder = strstr(path, "kernels_cl");
    for (const char *next = folder; next != NULL; next = strstr(next + 1, "kernels_cl"))
        folder = next;
    return folder ? folder : path;
}

/* Whether the file has no manifest: what lies in a folder lib/ is shared by strategies, or a program of the
 * host's own; what lies in litmus/ is a litmus test. */
static bool is_in_lib(const char *path) {
    const char *below = path_from_kernels_folder(path);
    return strstr(below, "/lib/") != NULL || strstr(below, "/litmus/") != NULL;
}

/* Refuses a litmus test that is not as model/litmus.h has it. */
static enum red_status check_litmus(const char *path, const char *text, struct red_error *error) {
    static struct red_litmus_test test;
    return strstr(path_from_kernels_folder(path), "/litmus/") != NULL
               ? red_litmus_read(path, text, &test, error)
               : RED_OK;
}

/* Refuses a kernel that lies in no primitive's folder, or in that of another than its manifest says; `path`
 * is of the command line. */
static enum red_status check_folder_has_primitive(const char *path, const struct red_family *family,
                                                  struct red_error *error) {
    const char *below = path_from_kernels_folder(path);
    below += strcspn(below, "/") + 1;
    const size_t length = strcspn(below, "/");
    const char *const own = red_primitive_names[family->rows[0].primitive];
    for (size_t i = 0; i < RED_PRIMITIVES_N && below[length] == '/'; i++) {
        const char *const folder = red_primitive_names[i];
        if (strlen(folder) != length || strncmp(below, folder, length) != 0)
            continue;
        if (folder == own)
            return RED_OK;
        return red_fail(error, RED_E_INPUT,
                        "%s:1: a kernel of primitive '%s' lies in the folder %s/; move it to %s/, or write "
                        "'primitive: %s'",
                        path, own, folder, own, folder);
    }
    return red_fail(error, RED_E_INPUT,
                    "%s: a kernel lies in the folder of what it computes; move it to %s/ of kernels_cl12 or "
                    "kernels_cl20",
                    path, own);
}

/* The folder and the manifest must tell the same standard; but a 1.2 text may have a variant for 2.x. */
static enum red_status check_folder_has_standard(const char *path, const struct red_family *family,
                                                 struct red_error *error) {
    bool in_20 = strncmp(path_from_kernels_folder(path), "kernels_cl20", 12) == 0;
    if (in_20 != (family->rows[0].standard == RED_STANDARD_CL20))
        return red_fail(error, RED_E_INPUT, "%s:1: %s", path,
                        in_20 ? "the manifest lacks 'counterpart', the 1.x strategy that this one replaces"
                              : "'counterpart' belongs to OpenCL 2.x kernels, in kernels_cl20");
    return RED_OK;
}

/* Reads the manifests of a file and appends its strategies. */
static enum red_status add_file_strategies(const char *path, const char *text, struct red_strategy *rows,
                                           size_t *rows_n, struct red_error *error) {
    static struct red_family family;
    enum red_status status = red_manifest_read(path, text, &family, error);
    if (status == RED_OK)
        status = check_folder_has_primitive(path, &family, error);
    if (status == RED_OK)
        status = check_folder_has_standard(path, &family, error);
    if (status == RED_OK && *rows_n + family.n > RED_STRATEGIES_MAX)
        status = red_fail(error, RED_E_INPUT, "%s: a catalogue holds at most %d strategies", path,
                          RED_STRATEGIES_MAX);
    for (size_t i = 0; i < family.n && status == RED_OK; i++)
        rows[(*rows_n)++] = family.rows[i];
    return status;
}

static void write_embedded_row(FILE *out, const char *path, const char *text) {
    fprintf(out, "    {\"%s\",\n     \"", path_from_kernels_folder(path));
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\n')
            fputs(at[1] == '\0' ? "\\n" : "\\n\"\n     \"", out);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else
            fputc(*at, out);
    }
    fputs("\"},\n", out);
}

/* Refuses a kernel whose file name an earlier one of the command line has, since `#include "tree.cl"` could
 * mean either. */
static enum red_status check_file_name_is_free(char *const *paths, int i, struct red_error *error) {
    const char *name = strrchr(paths[i], '/');
    for (int k = 0; k < i && name != NULL; k++) {
        const char *other = strrchr(paths[k], '/');
        if (other != NULL && strcmp(name, other) == 0 && !is_in_lib(paths[k]))
            return red_fail(error, RED_E_INPUT, "%s: the file name is taken by %s; rename one of them",
                            paths[i], paths[k]);
    }
    return RED_OK;
}

/* Writes the text of file i and appends its rows; false after a message. */
static bool embed_file(FILE *out, char *const *paths, int i, struct red_strategy *rows, size_t *rows_n) {
    const char *path = paths[i];
    char *text = file_read(path);
    struct red_error error;
    enum red_status status = RED_OK;
    if (text == NULL)
        status = red_fail(&error, RED_E_INPUT, "%s: cannot be read", path);
    else if (!is_in_lib(path))
        status = check_file_name_is_free(paths, i, &error);
    if (status == RED_OK && !is_in_lib(path))
        status = add_file_strategies(path, text, rows, rows_n, &error);
    if (status == RED_OK)
        status = check_litmus(path, text, &error);
    if (status == RED_OK)
        write_embedded_row(out, path, text);
    else
        fprintf(stderr, "error: %s\n", error.text);
    free(text);
    return status == RED_OK;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: embed OUT.c KERNEL.cl...\n");
        return 4;
    }
    FILE *out = fopen(argv[1], "w");
    if (out == NULL) {
        perror(argv[1]);
        return 4;
    }
    fputs("/* Generated by src/model/embed.c. */\n#include \"model/catalogue.h\"\n\n"
          "const struct red_embedded red_embedded[] = {\n",
          out);
    static struct red_strategy rows[RED_STRATEGIES_MAX] = {{.name = RED_HOST_STRATEGY},
                                                           {.name = RED_SEQUENTIAL_STRATEGY}};
    size_t rows_n = RED_HOST_ROWS_N;
    struct red_error error;
    bool right = true;
    for (int i = 2; i < argc; i++)
        right = embed_file(out, argv + 2, i - 2, rows, &rows_n) && right;
    if (right && red_strategies_check(rows, rows_n, &error) != RED_OK) {
        fprintf(stderr, "error: %s\n", error.text);
        right = false;
    }
    fputs("};\nconst size_t red_embedded_n = sizeof red_embedded / sizeof red_embedded[0];\n", out);
    right = fclose(out) == 0 && right;
    if (!right)
        remove(argv[1]);
    return right ? 0 : 4;
}
