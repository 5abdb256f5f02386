/* Reads the files that the user named to recommend, emit, report or compare, and tells them apart by what
 * they say of themselves. The first fault of a file ends the verb. */
#include "results/loaded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/random.h"
#include "core/text.h"
#include "model/primitive.h"

enum { FILE_BYTES_MAX = 512 << 20 };

/* Reads the file at the path behind those that are there, and hashes its text; of CUB's times 0. */
static enum red_status load_one(const char *path, const struct red_catalogue *catalogue, bool with_cubs,
                                struct red_loaded_files *loaded, uint64_t *hash, struct red_error *error) {
    char *text = NULL;
    size_t n = 0;
    enum red_status status = red_file_read(path, "result file", FILE_BYTES_MAX, &text, &n, error);
    const bool is_cub = status == RED_OK && with_cubs && red_cub_is_text_of(text);
    if (status == RED_OK && !is_cub)
        *hash = red_hash_text(red_hash_add(RED_HASH, n), text);
    if (is_cub) {
        status = red_cub_read(path, text, n, &loaded->cubs[loaded->cubs_n], error);
        loaded->cubs_n += status == RED_OK;
    } else if (status == RED_OK && red_verify_file_is_text_of(text, n)) {
        status = red_verify_file_read(path, text, n, &loaded->checks[loaded->checks_n], error);
        loaded->checks_n += status == RED_OK;
    } else if (status == RED_OK && with_cubs && red_ranks_run_is_text_of(text, n)) {
        status = red_ranks_run_read(path, text, n, &loaded->ranks[loaded->ranks_n], error);
        loaded->ranks_n += status == RED_OK;
    } else if (status == RED_OK) {
        status = red_ranks_run_refuse_text(path, text, n, "a result file of clreduce bench --output", error);
        if (status == RED_OK)
            status = red_result_read(path, text, n, catalogue, &loaded->results[loaded->results_n], error);
        loaded->results_n += status == RED_OK;
    }
    free(text);
    return status;
}

/* Called by compare (cli), and below. */
enum red_status red_loaded_files_load(const char *const *paths, size_t n,
                                      const struct red_catalogue *catalogue, bool with_cubs,
                                      struct red_loaded_files *loaded, struct red_error *error) {
    *loaded = (struct red_loaded_files){.results = calloc(n + 1, sizeof *loaded->results),
                                        .checks = calloc(n + 1, sizeof *loaded->checks),
                                        .cubs = calloc(n + 1, sizeof *loaded->cubs),
                                        .ranks = calloc(n + 1, sizeof *loaded->ranks),
                                        .hashes = calloc(n + 1, sizeof *loaded->hashes)};
    enum red_status status = loaded->results != NULL && loaded->checks != NULL && loaded->cubs != NULL &&
                                     loaded->ranks != NULL && loaded->hashes != NULL
                                 ? RED_OK
                                 : red_fail(error, RED_E_MEMORY, "no memory for %zu files", n);
    for (size_t i = 0; i < n && status == RED_OK; i++)
        status = load_one(paths[i], catalogue, with_cubs, loaded, &loaded->hashes[i], error);
    return status;
}

void red_loaded_files_clear(struct red_loaded_files *loaded) {
    for (size_t i = 0; i < loaded->results_n; i++)
        red_result_clear(&loaded->results[i]);
    for (size_t i = 0; i < loaded->checks_n; i++)
        red_verify_file_clear(&loaded->checks[i]);
    for (size_t i = 0; i < loaded->cubs_n; i++)
        red_cub_clear(&loaded->cubs[i]);
    for (size_t i = 0; i < loaded->ranks_n; i++)
        red_ranks_run_clear(&loaded->ranks[i]);
    free(loaded->results);
    free(loaded->checks);
    free(loaded->cubs);
    free(loaded->ranks);
    free(loaded->hashes);
    *loaded = (struct red_loaded_files){.results_n = 0};
}

/* Fails where all files are of verify or CUB's. */
static enum red_status check_times(const struct red_loaded_files *loaded, struct red_error *error) {
    if (loaded->results_n > 0 || (loaded->ranks_n > 0 && loaded->checks_n + loaded->cubs_n == 0))
        return RED_OK;
    return loaded->checks_n > 0
               ? red_fail(error, RED_E_INPUT,
                          "%.200s is a file of verify, which says what is wrong but has no times: name a "
                          "result file of clreduce bench --output of the same device, too; clreduce compare "
                          "--drivers shows files of verify alone",
                          loaded->checks[0].result.path)
               : red_fail(error, RED_E_INPUT,
                          "%.200s has CUB's times alone; a report sets them beside a result file of clreduce "
                          "bench --output",
                          loaded->cubs_n > 0 ? loaded->cubs[0].path : "");
}

/* Fails where two of the paths lead to the same text: red_loaded_files_load_with_times calls it. */
static enum red_status check_different(const struct red_loaded_files *loaded, const char *const *paths,
                                       size_t n, struct red_error *error) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (loaded->hashes[i] != 0 && loaded->hashes[i] == loaded->hashes[k])
                return red_fail(error, RED_E_INPUT,
                                "%.200s and %.200s are the same file, which would count twice: name it once",
                                paths[k], paths[i]);
    return RED_OK;
}

/* Whether a result file has this device of a file of verify. */
static bool has_device(const struct red_loaded_files *loaded, const struct red_result *of, size_t device) {
    for (size_t r = 0; r < loaded->results_n; r++)
        if (red_result_find_device(&loaded->results[r], of, device) >= 0)
            return true;
    return false;
}

/* Prints which devices of files of verify no result file has. */
static void print_unmatched(const struct red_loaded_files *loaded, FILE *out) {
    for (size_t c = 0; c < loaded->checks_n; c++) {
        const struct red_result *of = &loaded->checks[c].result;
        for (size_t d = 0; d < of->run.devices_n; d++)
            if (!has_device(loaded, of, d))
                red_text_print(out,
                               "%s: no result file has its device %s (%s, driver %s, on %s): what was wrong "
                               "there bans nothing here\n",
                               of->path, of->run.devices[d].info.id, of->run.devices[d].info.name,
                               of->run.devices[d].info.driver, of->machine);
    }
}

/* Called by recommend and emit (cli), and by report (report/report.c), with the standard error. */
enum red_status red_loaded_files_load_with_times(const char *const *paths, size_t n,
                                                 const struct red_catalogue *catalogue, bool with_cubs,
                                                 struct red_loaded_files *loaded, FILE *out,
                                                 struct red_error *error) {
    enum red_status status = red_loaded_files_load(paths, n, catalogue, with_cubs, loaded, error);
    if (status == RED_OK)
        status = check_times(loaded, error);
    if (status == RED_OK)
        status = check_different(loaded, paths, n, error);
    if (status == RED_OK)
        print_unmatched(loaded, out);
    return status;
}

/* Whether the file of verify has checks of the primitive. */
static bool is_verify_file_of(const struct red_verify_file *file, enum red_primitive primitive) {
    struct red_run wanted = {.primitive = ""};
    red_run_set_primitive(&wanted, primitive);
    return strcmp(file->result.run.primitive, wanted.primitive) == 0;
}

/* Also asked by report (report/report.c) for its title, and (report/method.c) for what a time holds. */
bool red_loaded_files_have_primitive(const struct red_loaded_files *loaded, enum red_primitive primitive) {
    for (size_t r = 0; r < loaded->results_n; r++)
        for (size_t q = 0; q < loaded->results[r].queries_n; q++)
            if (loaded->results[r].queries[q].op->primitive == primitive)
                return true;
    return false;
}

/* Called by report, compare and recommend with --primitive. */
enum red_status red_loaded_files_keep_primitive(struct red_loaded_files *loaded,
                                                const enum red_primitive *primitive,
                                                struct red_error *error) {
    size_t results_n = 0, checks_n = 0;
    enum red_status status = RED_OK;
    if (primitive == NULL)
        return RED_OK;
    bool has_any = red_loaded_files_have_primitive(loaded, *primitive) ||
                   (loaded->ranks_n > 0 && *primitive == RED_PRIMITIVE_REDUCE);
    for (size_t c = 0; c < loaded->checks_n; c++)
        has_any = has_any || is_verify_file_of(&loaded->checks[c], *primitive);
    if (!has_any) {
        char asked[64];
        snprintf(asked, sizeof asked, "no %s", red_primitives[*primitive].nouns);
        if (loaded->results_n == 0)
            return red_fail(error, RED_E_INPUT, "%.200s has %s of another primitive than %s",
                            loaded->ranks_n > 0 ? loaded->ranks[0].path : loaded->checks[0].result.path,
                            loaded->ranks_n > 0 ? "times" : "checks", red_primitives[*primitive].name);
        return red_loaded_files_fail_lacking(loaded, asked, error);
    }
    for (size_t r = 0; r < loaded->results_n; r++) {
        if (status == RED_OK)
            status = red_result_keep_primitive(&loaded->results[r], *primitive, error);
        if (loaded->results[r].run.cells_n > 0)
            loaded->results[results_n++] = loaded->results[r];
        else
            red_result_clear(&loaded->results[r]);
    }
    for (size_t c = 0; c < loaded->checks_n; c++)
        if (is_verify_file_of(&loaded->checks[c], *primitive))
            loaded->checks[checks_n++] = loaded->checks[c];
        else
            red_verify_file_clear(&loaded->checks[c]);
    while (loaded->ranks_n > 0 && *primitive != RED_PRIMITIVE_REDUCE) /* what ranks are timed with */
        red_ranks_run_clear(&loaded->ranks[--loaded->ranks_n]);
    loaded->results_n = results_n;
    loaded->checks_n = checks_n;
    return status;
}

/* Adds the name to those that are there, unless it is one of them. */
static void add_once(char *names, size_t room, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = strstr(names, name); at != NULL; at = strstr(at + 1, name))
        if ((at == names || (at - names >= 2 && strncmp(at - 2, ", ", 2) == 0)) &&
            (at[n] == ',' || at[n] == '\0'))
            return;
    red_text_add(names, room, "%s%s", names[0] ? ", " : "", name);
}

/* Called below, and by report (report/report.c) where --op and --type choose nothing. */
void red_loaded_files_titles_format(const struct red_loaded_files *loaded, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (size_t r = 0; r < loaded->results_n; r++) {
        for (size_t q = 0; q < loaded->results[r].queries_n; q++)
            add_once(text, text_bytes, red_query_title(&loaded->results[r].queries[q]).text);
    }
    for (size_t r = 0; r < loaded->ranks_n; r++) {
        struct red_scaling scaling;
        for (size_t at = 0; red_scaling_next(&loaded->ranks[r], &at, &scaling);) {
            char title[32];
            snprintf(title, sizeof title, "%.15s of %.7s", scaling.op, scaling.type);
            add_once(text, text_bytes, title);
        }
    }
}

/* Called by recommend and emit (cli) where no file has the operation, type and device of the command line. */
enum red_status red_loaded_files_fail_lacking(const struct red_loaded_files *loaded, const char *asked,
                                              struct red_error *error) {
    char titles[256], devices[256] = "";
    red_loaded_files_titles_format(loaded, titles, sizeof titles);
    for (size_t r = 0; r < loaded->results_n; r++) {
        const struct red_run *run = &loaded->results[r].run;
        for (size_t d = 0; d < run->devices_n; d++)
            if (!run->devices[d].is_host)
                add_once(devices, sizeof devices, run->devices[d].info.id);
    }
    return red_fail(error, RED_E_INPUT, "the files have %s; they have %s on %s", asked,
                    titles[0] ? titles : "no cells", devices[0] ? devices : "no device");
}
