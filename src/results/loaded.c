/* Reads the files that the user named to recommend, emit, report or compare, and tells them apart by what
 * they say of themselves. The first fault of a file ends the verb. */
#include "results/loaded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/text.h"
#include "model/primitive.h"
#include "results/fleet_file.h"
#include "results/json.h"

enum { FILE_BYTES_MAX = 512 << 20, UNMATCHED_MAX = 16 };

/* ---- reading -------------------------------------------------------------------------------------------
 * A path of the command line is a file or a folder of files, and a file holds one run or, as a fleet file,
 * many; what in a folder or a fleet file is nothing that the verb asks for is left out. */

/* What is read now, for red_loaded_files_load and all below. */
struct loading {
    const struct red_catalogue *catalogue;
    bool for_report;
    struct red_loaded_files *loaded;
    FILE *out;
    struct red_error *error;
};

/* The files of one folder, or the runs of one fleet file, and which of them are left out. */
struct left_out {
    size_t n, all_n;
    char *names; /* owned: "a.json, b.json"; NULL: none */
};

/* What a text says of itself. */
enum text_kind { OF_FLEET, OF_BENCH, OF_VERIFY, OF_OTHERS };
static const struct red_file_kind *const kinds[OF_OTHERS] = {
    [OF_FLEET] = &red_fleet_kind, [OF_BENCH] = &red_result_kind, [OF_VERIFY] = &red_verify_file_kind};

/* A text that is parsed, and has a byte 0 behind it. */
struct text {
    const char *path, *text;
    size_t n;
    enum text_kind kind;
    struct red_parsed parsed;
};

/* Parses the text, and finds what it is of. Nobody reads what is of others once more, so that it is parsed
 * whole: one of our files that was cut, or has a wrong byte, may say nothing of itself. Release with
 * red_parsed_close. Errors: RED_E_INPUT for what is no JSON; RED_E_MEMORY. */
static enum red_status text_parse(struct text *text, struct red_error *error) {
    struct red_reader *reader = &text->parsed.reader;
    json_t *element;
    if (red_parsed_open(text->path, "result file", text->text, text->n, kinds, OF_OTHERS, &text->parsed,
                        error) != RED_OK)
        return reader->status;
    text->kind = OF_FLEET;
    while (text->kind < OF_OTHERS && !red_parsed_is(&text->parsed, kinds[text->kind]))
        text->kind++;
    for (size_t i = 0; i < reader->arrays_n && text->kind == OF_OTHERS; i++)
        while (reader->arrays[i].at != NULL &&
               (element = red_large_array_next(&reader->arrays[i], reader)) != NULL)
            json_decref(element);
    return reader->status;
}

/* Keeps the hash of a run's text, and its path, for check_different. */
static enum red_status add_text(struct loading *loading, const char *path, const char *text, size_t n) {
    struct red_loaded_files *loaded = loading->loaded;
    if (!RED_GROW(loaded->texts, loaded->texts_n, 1))
        return red_fail(loading->error, RED_E_MEMORY, "no memory for %zu files", loaded->texts_n);
    struct red_loaded_text *added = &loaded->texts[loaded->texts_n++];
    *added = (struct red_loaded_text){.hash = red_hash_text(red_hash_add(RED_HASH, n), text)};
    snprintf(added->path, sizeof added->path, "%s", path);
    return RED_OK;
}

/* Reads one run from its text, and adds it to those that are loaded. */
static enum red_status load_run(struct loading *loading, struct text *text) {
    const enum text_kind kind = text->kind;
    struct red_loaded_files *loaded = loading->loaded;
    enum red_status status = RED_OK;
    if (!RED_GROW(loaded->results, loaded->results_n, 1) || !RED_GROW(loaded->checks, loaded->checks_n, 1) ||
        !RED_GROW(loaded->ranks, loaded->ranks_n, 1))
        return red_fail(loading->error, RED_E_MEMORY, "no memory for %zu files", loaded->texts_n);
    status = add_text(loading, text->path, text->text, text->n);
    if (status == RED_OK && kind == OF_VERIFY) {
        status = red_verify_file_take(&text->parsed, &loaded->checks[loaded->checks_n]);
        loaded->checks_n += status == RED_OK;
    } else if (status == RED_OK) {
        struct red_result *result = &loaded->results[loaded->results_n];
        status = red_result_take(&text->parsed, loading->catalogue, result);
        if (status == RED_OK && result->run.over_ranks.ranks_n > 0 && loading->for_report)
            loaded->ranks[loaded->ranks_n++] = (struct red_loaded_ranks){.result = *result};
        else
            loaded->results_n += status == RED_OK;
    }
    return status;
}

/* Counts what a folder or a fleet file holds and is left out, and adds its name. */
static enum red_status leave_out(struct left_out *left, const char *name, struct red_error *error) {
    const size_t used = left->names != NULL ? strlen(left->names) : 0, room = used + strlen(name) + 3;
    char *grown = realloc(left->names, room);
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the names of files that are left out");
    snprintf(grown + used, room - used, "%s%s", left->n > 0 ? ", " : "", name);
    red_text_replace_control(grown + used);
    left->names = grown;
    left->n++;
    return RED_OK;
}

/* Tells in one line what is left out of a folder or a fleet file; that nothing else is in it is an error. */
static enum red_status check_and_print_left_out(const struct left_out *left, const struct loading *loading,
                                                const char *path, const char *what) {
    if (left->n == left->all_n)
        return red_fail(
            loading->error, RED_E_INPUT,
            "%.200s has nothing to read: none of its %zu %s was written by clreduce bench --output "
            "or verify --output%s%.400s; name what these wrote",
            path, left->all_n, what, left->n > 0 ? ": " : "", left->n > 0 ? left->names : "");
    if (left->n > 0) {
        red_text_print(loading->out,
                       "%s: left out %zu of %zu %s, which have neither times of clreduce nor checks: ", path,
                       left->n, left->all_n, what);
        fprintf(loading->out, "%s\n", left->names);
    }
    return RED_OK;
}

/* Drops the run that was read last, where it is another program's. Whether it was. */
static bool drop_peer(struct red_loaded_files *loaded, size_t results_n) {
    if (loaded->results_n == results_n || !red_run_is_of_peer(&loaded->results[results_n].run))
        return false;
    red_result_clear(&loaded->results[--loaded->results_n]);
    loaded->texts_n--;
    return true;
}

/* Reads what is in a folder or a fleet file (`left` is not NULL), or leaves it out, by that name: of a folder
 * another program's times, too, but for a report, which sets them beside ours. */
static enum red_status load_or_leave_out(struct loading *loading, struct text *text, struct left_out *left,
                                         const char *name, bool in_folder) {
    const size_t results_n = loading->loaded->results_n;
    const bool is_known = text->kind != OF_OTHERS;
    enum red_status status = is_known || left == NULL ? load_run(loading, text) : RED_OK;
    if (status == RED_OK && left != NULL &&
        (!is_known || (in_folder && !loading->for_report && drop_peer(loading->loaded, results_n))))
        status = leave_out(left, name, loading->error);
    return status;
}

/* Reads a run of a fleet file, "fleet.json[0]" and so on, from its text, which it copies. */
static enum red_status load_element(struct loading *loading, const char *path, const char *text, size_t n,
                                    struct left_out *left) {
    char name[RED_PATH_BYTES + 32];
    char *copy = malloc(n + 1);
    if (copy == NULL)
        return red_fail(loading->error, RED_E_MEMORY, "no memory to read %.200s", path);
    memcpy(copy, text, n);
    copy[n] = '\0';
    snprintf(name, sizeof name, "%s[%zu]", path, left->all_n++);
    struct text element = {.path = name, .text = copy, .n = n};
    enum red_status status = text_parse(&element, loading->error);
    if (status == RED_OK && element.kind == OF_FLEET)
        status = red_fail(loading->error, RED_E_INPUT,
                          "%.200s is a fleet file in a fleet file: expected a run", name);
    else if (status == RED_OK)
        status = load_or_leave_out(loading, &element, left, strrchr(name, '['), false);
    red_parsed_close(&element.parsed);
    free(copy);
    return status;
}

/* Reads the runs of a fleet file. */
static enum red_status load_fleet(struct loading *loading, struct text *text) {
    struct red_reader *reader = &text->parsed.reader;
    struct left_out left = {.n = 0};
    const char *element;
    size_t element_n = 0;
    struct red_large_array *runs = red_fleet_runs(&text->parsed);
    while (reader->status == RED_OK &&
           (element = red_large_array_next_text(runs, reader, &element_n)) != NULL)
        reader->status = load_element(loading, text->path, element, element_n, &left);
    if (reader->status == RED_OK)
        reader->status = check_and_print_left_out(&left, loading, text->path, "runs");
    free(left.names);
    return reader->status;
}

/* Reads the file at the path, which may be in a folder (`left` is not NULL). */
static enum red_status load_file(struct loading *loading, const char *path, struct left_out *left) {
    char *text = NULL;
    size_t n = 0;
    enum red_status status = red_file_read(path, "result file", FILE_BYTES_MAX, &text, &n, loading->error);
    if (status != RED_OK)
        return status;
    struct text file = {.path = path, .text = text, .n = n};
    status = text_parse(&file, loading->error);
    if (left != NULL)
        left->all_n++;
    if (status == RED_OK && file.kind == OF_FLEET)
        status = load_fleet(loading, &file);
    else if (status == RED_OK)
        status = load_or_leave_out(loading, &file, left, left != NULL ? strrchr(path, '/') + 1 : path,
                                   left != NULL);
    red_parsed_close(&file.parsed);
    free(text);
    return status;
}

/* Names the journals of a folder, which hold what was found before a run was interrupted, and are not read.
 */
static enum red_status print_journals(const struct loading *loading, const char *folder) {
    char **paths = NULL;
    size_t n = 0;
    enum red_status status = red_folder_list(folder, ".journal", &paths, &n, loading->error);
    for (size_t i = 0; i < n && status == RED_OK; i++) {
        red_text_print(loading->out,
                       "%s: left out, for its run has not ended; the same command with --resume "
                       "ends it\n",
                       paths[i]);
        free(paths[i]);
    }
    free(paths);
    return status;
}

/* Reads all *.json of a folder, by name. */
static enum red_status load_folder(struct loading *loading, const char *folder) {
    struct left_out left = {.n = 0};
    char **paths;
    size_t n;
    enum red_status status = red_folder_list(folder, ".json", &paths, &n, loading->error);
    if (status != RED_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        if (status == RED_OK)
            status = load_file(loading, paths[i], &left);
        free(paths[i]);
    }
    free(paths);
    if (status == RED_OK)
        status = print_journals(loading, folder);
    if (status == RED_OK)
        status = check_and_print_left_out(&left, loading, folder, "files *.json");
    free(left.names);
    return status;
}

/* Moves another program's file to those beside the run. */
static enum red_status take_peer(struct red_loaded_ranks *of, struct red_result *peer,
                                 struct red_error *error) {
    if (!RED_GROW(of->peers, of->peers_n, 1))
        return red_fail(error, RED_E_MEMORY, "no memory for the times of %.200s", peer->path);
    of->peers[of->peers_n++] = *peer;
    *peer = (struct red_result){.queries_n = 0};
    return RED_OK;
}

static void loaded_ranks_clear(struct red_loaded_ranks *of) {
    red_ranks_pivot_clear(&of->pivot);
    for (size_t p = 0; p < of->peers_n; p++)
        red_result_clear(&of->peers[p]);
    free(of->peers);
    red_result_clear(&of->result);
    *of = (struct red_loaded_ranks){.peers_n = 0};
}

/* Sets files of another program over ranks beside the first run over the same devices, wherever they stand in
 * the command line; one without such a run stays a file of its own. */
static enum red_status join_peers(struct red_loaded_files *loaded, struct red_error *error) {
    const size_t all_n = loaded->ranks_n;
    size_t kept_n = 0;
    enum red_status status = RED_OK;
    for (size_t p = 0; p < all_n && status == RED_OK; p++) {
        struct red_loaded_ranks *peer = &loaded->ranks[p], *run = NULL;
        for (size_t r = 0; r < all_n && run == NULL && red_run_is_of_peer(&peer->result.run); r++)
            run = red_ranks_run_fits_peer(&loaded->ranks[r].result.run, &peer->result.run) ? &loaded->ranks[r]
                                                                                           : NULL;
        if (run != NULL)
            status = take_peer(run, &peer->result, error);
    }
    for (size_t r = 0; r < all_n; r++)
        if (loaded->ranks[r].result.run.over_ranks.ranks_n > 0)
            loaded->ranks[kept_n++] = loaded->ranks[r];
    loaded->ranks_n = kept_n;
    for (size_t r = 0; r < kept_n && status == RED_OK; r++) {
        struct red_loaded_ranks *of = &loaded->ranks[r];
        status = red_ranks_pivot_make(&of->result.run, of->peers, of->peers_n, &of->pivot, error);
    }
    return status;
}

enum red_status red_loaded_files_load(const char *const *paths, size_t n,
                                      const struct red_catalogue *catalogue, bool for_report,
                                      struct red_loaded_files *loaded, FILE *out, struct red_error *error) {
    struct loading loading = {catalogue, for_report, loaded, out, error};
    enum red_status status = RED_OK;
    *loaded = (struct red_loaded_files){.results_n = 0};
    for (size_t i = 0; i < n && status == RED_OK; i++)
        status = red_file_is_folder(paths[i]) ? load_folder(&loading, paths[i])
                                              : load_file(&loading, paths[i], NULL);
    return status == RED_OK ? join_peers(loaded, error) : status;
}

void red_loaded_files_clear(struct red_loaded_files *loaded) {
    for (size_t i = 0; i < loaded->results_n; i++)
        red_result_clear(&loaded->results[i]);
    for (size_t i = 0; i < loaded->checks_n; i++)
        red_verify_file_clear(&loaded->checks[i]);
    for (size_t i = 0; i < loaded->peers_n; i++)
        red_result_clear(&loaded->peers[i]);
    for (size_t i = 0; i < loaded->ranks_n; i++)
        loaded_ranks_clear(&loaded->ranks[i]);
    free(loaded->results);
    free(loaded->checks);
    free(loaded->peers);
    free(loaded->ranks);
    free(loaded->texts);
    *loaded = (struct red_loaded_files){.results_n = 0};
}

/* Moves another program's files, which are never advised, out of the results; those over ranks stand with the
 * others over ranks by now where a report is made. */
static enum red_status set_peers_apart(struct red_loaded_files *loaded, struct red_error *error) {
    size_t results_n = 0;
    loaded->peers = calloc(loaded->results_n + 1, sizeof *loaded->peers);
    if (loaded->peers == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu files", loaded->results_n);
    for (size_t r = 0; r < loaded->results_n; r++) {
        const struct red_result *result = &loaded->results[r];
        if (red_run_is_of_peer(&result->run))
            loaded->peers[loaded->peers_n++] = *result;
        else
            loaded->results[results_n++] = *result;
    }
    loaded->results_n = results_n;
    return RED_OK;
}

/* Prints which files are another program's, where no report sets them beside ours. */
static void print_peers(const struct red_loaded_files *loaded, FILE *out) {
    for (size_t p = 0; p < loaded->peers_n; p++)
        red_text_print(out,
                       "%s: left out, for its times are another program's (%s), which are never advised\n",
                       loaded->peers[p].path, red_run_program_text(&loaded->peers[p].run).text);
}

/* Fails where all files are of verify or another program's, or these stand beside ranks alone. */
static enum red_status check_times(const struct red_loaded_files *loaded, struct red_error *error) {
    if (loaded->results_n > 0 || (loaded->ranks_n > 0 && loaded->peers_n == 0))
        return RED_OK;
    return loaded->checks_n > 0 && loaded->ranks_n == 0
               ? red_fail(error, RED_E_INPUT,
                          "%.200s is a file of verify, which says what is wrong but has no times: name a "
                          "result file of clreduce bench --output of the same device, too; clreduce compare "
                          "--drivers shows files of verify alone",
                          loaded->checks[0].result.path)
               : red_fail(
                     error, RED_E_INPUT,
                     "%.200s has another program's times alone, which a report sets beside ours and "
                     "nothing advises: name a result file of clreduce bench --output of the same device, "
                     "too; clreduce compare takes it as it is",
                     loaded->peers_n > 0 ? loaded->peers[0].path : "");
}

/* For qsort: by hash, then by place in the command line. */
static int by_hash(const void *left, const void *right) {
    const struct red_loaded_text *const *a = left, *const *b = right;
    return (*a)->hash != (*b)->hash ? ((*a)->hash > (*b)->hash ? 1 : -1) : (*a > *b) - (*a < *b);
}

/* Fails where two runs are the same text: red_loaded_files_load_with_times calls it. */
static enum red_status check_different(const struct red_loaded_files *loaded, struct red_error *error) {
    const struct red_loaded_text **sorted = calloc(loaded->texts_n + 1, sizeof *sorted);
    enum red_status status =
        sorted != NULL ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for %zu files", loaded->texts_n);
    for (size_t i = 0; i < loaded->texts_n && sorted != NULL; i++)
        sorted[i] = &loaded->texts[i];
    if (sorted != NULL)
        qsort(sorted, loaded->texts_n, sizeof *sorted, by_hash);
    for (size_t i = 1; i < loaded->texts_n && status == RED_OK; i++)
        if (sorted[i - 1]->hash == sorted[i]->hash)
            status = red_fail(error, RED_E_INPUT,
                              "%.200s and %.200s are the same file, which would count twice: name it once",
                              sorted[i - 1]->path, sorted[i]->path);
    free(sorted);
    return status;
}

/* Whether a result file has this device of a file of verify. */
static bool has_device(const struct red_loaded_files *loaded, const struct red_result *of, size_t device) {
    for (size_t r = 0; r < loaded->results_n; r++)
        if (red_result_find_device(&loaded->results[r], of, device) >= 0)
            return true;
    for (size_t r = 0; r < loaded->ranks_n; r++)
        if (red_result_find_device(&loaded->ranks[r].result, of, device) >= 0)
            return true;
    return false;
}

/* Prints which devices of files of verify no result file has, the first few, and how many more. */
static void print_unmatched(const struct red_loaded_files *loaded, FILE *out) {
    size_t n = 0;
    for (size_t c = 0; c < loaded->checks_n; c++) {
        const struct red_result *of = &loaded->checks[c].result;
        for (size_t d = 0; d < of->run.devices_n; d++) {
            if (has_device(loaded, of, d) || ++n > UNMATCHED_MAX)
                continue;
            red_text_print(out,
                           "%s: no result file has its device %s (%s, driver %s, on %s): what was wrong "
                           "there bans nothing here\n",
                           of->path, of->run.devices[d].info.id, of->run.devices[d].info.name,
                           of->run.devices[d].info.driver, of->machine);
        }
    }
    if (n > UNMATCHED_MAX)
        fprintf(out, "nor has one %zu other devices of files of verify\n", n - UNMATCHED_MAX);
}

enum red_status red_loaded_files_load_with_times(const char *const *paths, size_t n,
                                                 const struct red_catalogue *catalogue, bool for_report,
                                                 struct red_loaded_files *loaded, FILE *out,
                                                 struct red_error *error) {
    enum red_status status = red_loaded_files_load(paths, n, catalogue, for_report, loaded, out, error);
    if (status == RED_OK)
        status = set_peers_apart(loaded, error);
    if (status == RED_OK)
        status = check_times(loaded, error);
    if (status == RED_OK)
        status = check_different(loaded, error);
    if (status == RED_OK && !for_report)
        print_peers(loaded, out);
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

bool red_loaded_files_have_primitive(const struct red_loaded_files *loaded, enum red_primitive primitive) {
    for (size_t r = 0; r < loaded->results_n; r++)
        for (size_t q = 0; q < loaded->results[r].queries_n; q++)
            if (loaded->results[r].queries[q].at.op->primitive == primitive)
                return true;
    return false;
}

/* What is known of a rank's device. */
static struct red_device_info info_of_rank(const struct red_rank *rank) {
    struct red_device_info info = {.id = ""};
    snprintf(info.id, sizeof info.id, "%s", rank->device);
    snprintf(info.name, sizeof info.name, "%s", rank->device_name);
    return info;
}

/* Appends a device to those that --device may choose, unless one with its id and name is there. */
static void add_distinct_info(struct red_device_info *infos, size_t *n, const struct red_device_info *info) {
    for (size_t i = 0; i < *n; i++)
        if (strcmp(infos[i].id, info->id) == 0 && strcmp(infos[i].name, info->name) == 0)
            return;
    infos[(*n)++] = *info;
}

/* Finds the devices of all result files and ranks, each once; owned by the caller. NULL without memory. */
static struct red_device_info *list_distinct_infos(const struct red_loaded_files *loaded, size_t *n) {
    size_t most = 1;
    for (size_t r = 0; r < loaded->results_n; r++)
        most += loaded->results[r].run.devices_n;
    for (size_t r = 0; r < loaded->ranks_n; r++)
        most += loaded->ranks[r].result.run.over_ranks.ranks_n;
    struct red_device_info *infos = calloc(most, sizeof *infos);
    *n = 0;
    for (size_t r = 0; r < loaded->results_n && infos != NULL; r++)
        for (size_t d = 0; d < loaded->results[r].run.devices_n; d++)
            if (!loaded->results[r].run.devices[d].is_host)
                add_distinct_info(infos, n, &loaded->results[r].run.devices[d].info);
    for (size_t r = 0; r < loaded->ranks_n && infos != NULL; r++)
        for (size_t i = 0; i < loaded->ranks[r].result.run.over_ranks.ranks_n; i++) {
            const struct red_device_info info =
                info_of_rank(&loaded->ranks[r].result.run.over_ranks.ranks[i]);
            add_distinct_info(infos, n, &info);
        }
    return infos;
}

/* Whether --device chooses, of the devices of all files, that of one of the ranks. */
static bool has_rank_on(const struct red_over_ranks *run, const struct red_device_info *infos, size_t infos_n,
                        const char *patterns) {
    bool has = false;
    for (size_t i = 0; i < run->ranks_n && !has; i++) {
        const struct red_device_info info = info_of_rank(&run->ranks[i]);
        has = red_device_info_is_selected(infos, infos_n, &info, patterns);
    }
    return has;
}

/* Whether a result file has a device of the other program's run, by name. */
static bool has_device_of_peer(const struct red_loaded_files *loaded, const struct red_run *peer) {
    for (size_t r = 0; r < loaded->results_n; r++)
        for (size_t d = 0; d < loaded->results[r].run.devices_n; d++)
            if (red_run_find_device_of_name(peer, loaded->results[r].run.devices[d].info.name) >= 0)
                return true;
    return false;
}

enum red_status red_loaded_files_keep_devices(struct red_loaded_files *loaded, const char *patterns,
                                              struct red_error *error) {
    size_t infos_n = 0, results_n = 0, ranks_n = 0, peers_n = 0;
    if (patterns == NULL)
        return RED_OK;
    struct red_device_info *infos = list_distinct_infos(loaded, &infos_n);
    enum red_status status = infos == NULL
                                 ? red_fail(error, RED_E_MEMORY, "no memory for the devices of the files")
                                 : red_device_info_check_patterns(infos, infos_n, patterns, false, error);
    for (size_t r = 0; r < loaded->results_n && status == RED_OK; r++)
        status = red_result_keep_devices(&loaded->results[r], infos, infos_n, patterns, error);
    if (status != RED_OK) {
        free(infos);
        return status;
    }
    for (size_t r = 0; r < loaded->results_n; r++) {
        struct red_result *result = &loaded->results[r];
        bool has_any = false;
        for (size_t d = 0; d < result->run.devices_n; d++)
            has_any = has_any || !result->run.devices[d].is_host;
        if (has_any)
            loaded->results[results_n++] = *result;
        else
            red_result_clear(result);
    }
    for (size_t r = 0; r < loaded->ranks_n; r++) {
        if (has_rank_on(&loaded->ranks[r].result.run.over_ranks, infos, infos_n, patterns)) {
            loaded->ranks[ranks_n] = loaded->ranks[r];
            loaded->ranks[ranks_n].pivot.run = &loaded->ranks[ranks_n].result.run;
            ranks_n++;
        } else {
            loaded_ranks_clear(&loaded->ranks[r]);
        }
    }
    free(infos);
    loaded->results_n = results_n;
    loaded->ranks_n = ranks_n;
    for (size_t p = 0; p < loaded->peers_n; p++) {
        if (has_device_of_peer(loaded, &loaded->peers[p].run))
            loaded->peers[peers_n++] = loaded->peers[p];
        else
            red_result_clear(&loaded->peers[p]);
    }
    loaded->peers_n = peers_n;
    return RED_OK;
}

/* Drops the cells of another primitive, and results that have none then; after an error the rest stay as
 * they are. */
static enum red_status keep_cells_of(struct red_result *results, size_t *n, enum red_primitive primitive,
                                     struct red_error *error) {
    size_t kept_n = 0;
    enum red_status status = RED_OK;
    for (size_t r = 0; r < *n; r++) {
        if (status == RED_OK)
            status = red_result_keep_primitive(&results[r], primitive, error);
        if (results[r].run.cells_n > 0)
            results[kept_n++] = results[r];
        else
            red_result_clear(&results[r]);
    }
    *n = kept_n;
    return status;
}

enum red_status red_loaded_files_keep_primitive(struct red_loaded_files *loaded,
                                                const enum red_primitive *primitive,
                                                struct red_error *error) {
    size_t checks_n = 0;
    if (primitive == NULL)
        return RED_OK;
    const bool are_of_ranks =
        red_primitive_check_option(*primitive, RED_OWN_OPTION_RANKS, true, NULL) == RED_OK;
    bool has_any =
        red_loaded_files_have_primitive(loaded, *primitive) || (loaded->ranks_n > 0 && are_of_ranks);
    for (size_t c = 0; c < loaded->checks_n; c++)
        has_any = has_any || is_verify_file_of(&loaded->checks[c], *primitive);
    if (!has_any) {
        char asked[64];
        snprintf(asked, sizeof asked, "no %s", red_primitives[*primitive].nouns);
        if (loaded->results_n == 0)
            return red_fail(error, RED_E_INPUT, "%.200s has %s of another primitive than %s",
                            loaded->ranks_n > 0 ? loaded->ranks[0].result.path
                                                : loaded->checks[0].result.path,
                            loaded->ranks_n > 0 ? "times" : "checks", red_primitive_names[*primitive]);
        return red_loaded_files_fail_lacking(loaded, asked, error);
    }
    enum red_status status = keep_cells_of(loaded->results, &loaded->results_n, *primitive, error);
    if (status == RED_OK)
        status = keep_cells_of(loaded->peers, &loaded->peers_n, *primitive, error);
    for (size_t c = 0; c < loaded->checks_n; c++)
        if (is_verify_file_of(&loaded->checks[c], *primitive))
            loaded->checks[checks_n++] = loaded->checks[c];
        else
            red_verify_file_clear(&loaded->checks[c]);
    while (loaded->ranks_n > 0 && !are_of_ranks)
        loaded_ranks_clear(&loaded->ranks[--loaded->ranks_n]);
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
        for (size_t at = 0; red_scaling_next(&loaded->ranks[r].pivot, &at, &scaling);) {
            char title[32];
            snprintf(title, sizeof title, "%.15s of %.7s", scaling.at.op->name, scaling.at.dtype->name);
            add_once(text, text_bytes, title);
        }
    }
}

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
