/* `--each` of bench, verify and devices: joins the other ranks of mpirun, has the verb run for each rank's
 * device, and on rank 0 prints the table, writes the fleet file and judges. */
#include "cli/each_rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/over_ranks.h"
#include "console/console_table.h"
#include "console/table.h"
#include "core/text.h"
#include "ranks/each.h"
#include "report/report.h"
#include "results/fleet_file.h"
#include "results/journal.h"

/* ---- the command line of the ranks' runs --------------------------------------------------------------- */

/* What each rank's run gets of its own, or has no use for; the parser has accepted every abbreviation. */
static const struct {
    const char *name;
    bool takes_value;
} own_options[] = {{"--device", true}, {"--output", true}, {"--format", true},
                   {"--report", true}, {"--each", false},  {"--resume", false}};

/* How many words from `word` on, of which the last may be its value, are such an option; 0: another one. */
static size_t own_words_n(const char *word) {
    const char *equals = strchr(word, '=');
    const size_t n = equals != NULL ? (size_t)(equals - word) : strlen(word);
    if (strncmp(word, "-o", 2) == 0)
        return word[2] == '\0' ? 2 : 1;
    for (size_t i = 0; n > 2 && i < sizeof own_options / sizeof own_options[0]; i++)
        if (strncmp(word, own_options[i].name, n) == 0)
            return own_options[i].takes_value && equals == NULL ? 2 : 1;
    return 0;
}

/* The verb and the other words of the command line; NULL without memory. Release with free. */
static const char **words_of_all(const struct red_options *options, size_t *n) {
    const char **words = calloc(options->words_n + 1, sizeof *words);
    *n = 0;
    for (size_t i = 0; words != NULL && i < options->words_n;) {
        const size_t own_n = i > 0 ? own_words_n(options->words[i]) : 0;
        if (own_n == 0)
            words[(*n)++] = options->words[i];
        i += own_n > 0 ? own_n : 1;
    }
    return words;
}

/* ---- judging ------------------------------------------------------------------------------------------- */

/* How a rank has ended, for the table. */
static const char *ended_word(const struct red_each_row *row) {
    static const char *const words[RED_STATUS_N] = {[RED_OK] = "right",
                                                    [RED_E_INPUT] = "refused",
                                                    [RED_E_MEMORY] = "refused",
                                                    [RED_E_WRONG] = "wrong",
                                                    [RED_E_NO_DEVICE] = "nothing to time",
                                                    [RED_E_UNSUPPORTED] = "nothing to time",
                                                    [RED_E_INTERRUPTED] = "interrupted"};
    return row->device[0] == '\0' && row->status != RED_E_INTERRUPTED ? "no device"
           : words[row->status] != NULL                               ? words[row->status]
                                                                      : "failed";
}

/* Whether the rank's device cannot do what was asked for: an answer, where others can. */
static bool is_unable(const struct red_each_row *row) {
    return row->device[0] != '\0' && red_exit_status_of(row->status) == red_exit_status_of(RED_E_NO_DEVICE);
}

/* Whether it has no device, for whatever reason. */
static bool is_lost(const struct red_each_row *row) {
    return row->device[0] == '\0' && row->status != RED_OK && row->status != RED_E_INTERRUPTED;
}

/* The error of the rank that decides the exit status, of all ranks alike. */
static enum red_status check_rows(const struct red_each_found *found, struct red_error *error) {
    struct red_worst worst = {.status = RED_OK};
    size_t unable_n = 0, lost_n = 0;
    for (size_t i = 0; i < found->rows_n; i++) {
        const struct red_each_row *row = &found->rows[i];
        unable_n += is_unable(row);
        lost_n += is_lost(row);
        red_worst_add(&worst, is_lost(row) ? RED_E_NO_DEVICE : is_unable(row) ? RED_OK : row->status, i);
    }
    if (worst.n == 0 && unable_n < found->rows_n)
        return RED_OK;
    const struct red_each_row *told = &found->rows[worst.at];
    enum red_status status = told->status;
    if (is_lost(told) && lost_n < found->rows_n)
        status = RED_E_DEVICE; /* neither a success nor a test that is skipped: it is one that is missing */
    return red_fail(error, status, "rank %zu on %s: %s%s", worst.at, told->host, told->reason,
                    red_and_more_text(worst.n > 0 ? worst.n - 1 : 0).text);
}

/* ---- printing and writing ------------------------------------------------------------------------------ */

/* Prints on rank 0 a line per rank. */
static void print_table(const struct red_options *options, const struct red_each_found *found, FILE *out) {
    const char *const verb = options->words[0];
    char columns[128];
    snprintf(columns, sizeof columns, "rank>|host|device|name@30|driver@16|ended|%s%s%s|reason@100!",
             strcmp(verb, "devices") == 0 ? "" : "took s>|", strcmp(verb, "verify") == 0 ? "" : "roof GB/s>|",
             strcmp(verb, "bench") == 0    ? "best at the largest n"
             : strcmp(verb, "verify") == 0 ? "checks"
                                           : "of them behave");
    struct red_table *table = red_table_create(columns);
    for (size_t i = 0; i < found->rows_n; i++) {
        const struct red_each_row *row = &found->rows[i];
        red_table_put(table, "%zu", i);
        RED_PUT(table, row->host, row->device[0] ? row->device : "-", row->device_name, row->driver,
                ended_word(row));
        if (strcmp(verb, "devices") != 0)
            red_table_put(table, row->wall_s > 0 ? "%.1f" : "-", row->wall_s);
        if (strcmp(verb, "verify") != 0)
            red_table_put(table, "%s", red_rate_text(row->roof_bytes_per_s).text);
        RED_PUT(table, row->answer[0] ? row->answer : "-", row->status != RED_OK ? row->reason : "");
    }
    red_table_print(table, out);
    red_table_destroy(table);
}

/* Prints on rank 0 what the table cannot say: who was not run again, who is bound. */
static void print_notes(const struct red_each_found *found, FILE *out) {
    size_t there_n = 0, bound = found->rows_n;
    for (size_t i = found->rows_n; i-- > 0;) {
        there_n += found->rows[i].was_there;
        bound = found->rows[i].cores_n < found->rows[i].cores_all_n ? i : bound;
    }
    if (there_n > 0)
        fprintf(out, "%zu of %zu ranks had ended before, and %s not run again\n", there_n, found->rows_n,
                there_n == 1 ? "was" : "were");
    if (bound < found->rows_n)
        fprintf(
            out,
            "rank %zu may use %u of %u processors of %s, as mpirun binds it; mpirun --bind-to none gives it "
            "all\n",
            bound, found->rows[bound].cores_n, found->rows[bound].cores_all_n, found->rows[bound].host);
}

/* Writes on rank 0 the fleet file of what there is, and the page of --report. */
static enum red_status write_fleet(const struct red_options *options, const struct red_each_found *found,
                                   FILE *screen, struct red_error *error) {
    const char *path = red_outputs_result_path(options);
    const char **texts = calloc(found->rows_n, sizeof *texts);
    size_t *lengths = calloc(found->rows_n, sizeof *lengths), n = 0;
    enum red_status status = texts != NULL && lengths != NULL
                                 ? RED_OK
                                 : red_fail(error, RED_E_MEMORY, "no memory for a fleet file");
    for (size_t i = 0; i < found->rows_n && status == RED_OK; i++)
        if (found->texts[i] != NULL) {
            texts[n] = found->texts[i];
            lengths[n++] = (size_t)found->rows[i].text_n;
        }
    if (status == RED_OK && n > 0 && path != NULL)
        status = red_fleet_write(path, texts, lengths, n, error);
    if (status == RED_OK && n > 0 && path != NULL && screen != NULL)
        red_text_print(screen, "\nfleet file: %s, with the files of %zu of %zu ranks\n", path, n,
                       found->rows_n);
    if (status == RED_OK && path == NULL && screen != NULL)
        fputs("\nNo file was asked for; --output FILE writes one of all ranks.\n", screen);
    if (status == RED_OK && n > 0 && options->bench.report != NULL)
        status = red_report_write_from_files(&path, 1, &(const struct red_report){.op = NULL}, &red_page_html,
                                             options->bench.report, screen, error);
    free(texts);
    free(lengths);
    return status;
}

/* Whether one message is enough, and what is at --output stays: a rank was to go on with another command, or
 * all ranks say the same and have found nothing. */
static bool is_refused(const struct red_each_found *found, bool *keep) {
    bool same = found->rows[0].status != RED_OK;
    *keep = false;
    for (size_t i = 0; i < found->rows_n; i++)
        *keep = *keep || found->rows[i].is_of_another;
    for (size_t i = 0; i < found->rows_n; i++)
        same = same && found->texts[i] == NULL && strcmp(found->rows[i].reason, found->rows[0].reason) == 0;
    return same || *keep;
}

/* On rank 0: prints, writes and judges; *keep: --resume has something to do. */
static enum red_status print_write_and_judge(const struct red_options *options,
                                             const struct red_each_found *found, bool *keep,
                                             struct red_error *error) {
    FILE *screen = red_outputs_screen(options);
    struct red_error unwritten = {.text = ""};
    bool left = false;
    if (is_refused(found, keep))
        return check_rows(found, error);
    if (screen != NULL)
        print_table(options, found, screen);
    const enum red_status written = write_fleet(options, found, screen, &unwritten);
    print_notes(found, screen != NULL ? screen : stderr);
    for (size_t i = 0; i < found->rows_n; i++)
        left = left || (!found->rows[i].is_whole &&
                        (found->rows[i].status != RED_E_INPUT || found->rows[i].device[0] == '\0'));
    *keep = left || written != RED_OK;
    if (*keep && options->output.path != NULL && strcmp(options->words[0], "devices") != 0)
        fprintf(stderr, "the same command with --resume measures what is missing\n");
    return red_verb_status_find(check_rows(found, error), RED_OK, NULL, written, unwritten.text, error);
}

/* ---- the verb ------------------------------------------------------------------------------------------ */

/* Refuses what one file of all ranks cannot be, before anything is run. */
static enum red_status check_outputs(const struct red_options *options, struct red_error *error) {
    const char *path = options->output.path;
    if (options->output.format == RED_FORMAT_CSV)
        return red_fail(error, RED_E_INPUT,
                        "--each writes one file of all ranks, as JSON: leave out --format csv");
    if (options->output.resume && (path == NULL || !red_file_would_be_regular(path)))
        return red_fail(error, RED_E_INPUT,
                        "--resume needs --output FILE: each rank keeps its own file and journal beside that");
    return RED_OK;
}

/* Measures on all ranks; rank 0 writes. */
static enum red_status measure_and_write(const struct red_ranks *ranks, const struct red_options *options,
                                         struct red_error *error) {
    size_t words_n;
    const char **words = words_of_all(options, &words_n);
    const char *path = options->output.path;
    const struct red_each each = {.words = words,
                                  .words_n = words_n,
                                  .selection = &options->selection,
                                  .output = path != NULL && red_file_would_be_regular(path) ? path : NULL,
                                  .resume = options->output.resume};
    struct red_each_found found;
    bool keep = true;
    if (words == NULL)
        ranks->mpi->abort(red_exit_status_of(RED_E_MEMORY));
    enum red_status status = RED_OK;
    red_each_measure(ranks, &each, &found);
    if (ranks->world.rank == 0)
        status = print_write_and_judge(options, &found, &keep, error);
    red_each_end(ranks, &found, keep);
    free(words);
    return status;
}

enum red_status red_verb_run_on_each_rank(const struct red_options *options, struct red_error *error) {
    struct red_ranks ranks = {.mpi = NULL};
    enum red_status status = check_outputs(options, error);
    if (status != RED_OK) { /* all ranks have these options */
        error->told = red_ranks_is_not_first();
        return status;
    }
    status = red_options_join_ranks(options, &ranks, error);
    if (status == RED_OK) /* on each host: a rank's own file is kept beside --output */
        status = red_ranks_agree(&ranks, &ranks.world, red_outputs_check(options, error), error);
    if (status == RED_OK && options->bench.report != NULL && ranks.world.size > RED_REPORT_DEVICES_MAX)
        status = red_fail(error, RED_E_INPUT,
                          "--report shows at most %d devices side by side, and there are %d ranks: leave it "
                          "out; compare --drivers shows the devices of --output FILE",
                          RED_REPORT_DEVICES_MAX, ranks.world.size);
    if (status == RED_OK)
        status = measure_and_write(&ranks, options, error);
    return red_ranks_leave(&ranks, status, error);
}
