#define _POSIX_C_SOURCE 200809L /* fstat, scandir */
/* Files of the command line: no output may overwrite an input (an error before anything is done), and `bench`
 * writes its outputs. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options.h"
#include "core/file.h"
#include "core/text.h"
#include "export/export.h"
#include "export/suite.h"
#include "report/report.h"
#include "results/journal.h"
#include "results/result.h"

enum { INPUTS_MAX = RED_KERNEL_FILES_MAX + 16 }; /* beside result files */

/* ---- result files ----------------------------------------------------------------------------------------
 * Those that the command line names to report, recommend, compare or emit. */

enum red_status red_options_check_has_files(const struct red_options *options, const char *usage,
                                            struct red_error *error) {
    return options->files_n > 0
               ? RED_OK
               : red_fail(error, RED_E_INPUT,
                          "%s result files of clreduce bench --output; see clreduce %.*s --help", usage,
                          (int)strcspn(usage, " "), usage);
}

/* ---- what the options name -------------------------------------------------------------------------------
 * The files that are judged below; errors name the option of each. */

enum { OUTPUTS_MAX = RED_EXPORTS_MAX + 8 };

struct named_file {
    const char *option, *path; /* borrowed; the option's name, or words for it: "the result file" */
};

/* The files of one command line. */
struct command_files {
    struct named_file inputs[INPUTS_MAX], outputs[OUTPUTS_MAX];
    size_t inputs_n, outputs_n;
    const char *const *results; /* result files: inputs, too */
    size_t results_n;
    const char *folder; /* whose *.expect are inputs, too; NULL: none */
    char journal[RED_PATH_BYTES + 16];
};

/* Both leave out a path that is NULL. */
static void add_input(struct command_files *files, const char *option, const char *path) {
    if (path != NULL)
        files->inputs[files->inputs_n++] = (struct named_file){option, path};
}

static void add_output(struct command_files *files, const char *option, const char *path) {
    if (path != NULL)
        files->outputs[files->outputs_n++] = (struct named_file){option, path};
}

/* Lists the files that the command line reads, under the names of their options. */
static void collect_inputs(const struct red_options *o, struct command_files *files) {
    files->results = o->files;
    files->results_n = o->files_n;
    for (size_t i = 0; i < o->selection.kernels_n; i++)
        add_input(files, "--kernel", o->selection.kernels[i]);
    add_input(files, "--expect", o->selection.expect);
    add_input(files, "--policy", o->duel.policy);
    add_input(files, "--replay", o->duel.replay);
    add_input(files, "--base", o->duel.side_program[0]);
    add_input(files, "--head", o->duel.side_program[1]);
    add_input(files, "--base-kernel", o->duel.side_kernel[0]);
    add_input(files, "--head-kernel", o->duel.side_kernel[1]);
    add_input(files, "the program itself", "/proc/self/exe");
    files->folder = o->selection.expect;
}

/* Lists the files that the command line writes, the journal among them. */
static void collect_outputs(const struct red_options *o, struct command_files *files) {
    add_output(files, "--output", o->output.path);
    if (o->output.path == NULL && o->output.exports_n > 0 && o->output.format != RED_FORMAT_TABLE)
        add_output(files, "--format", "-");
    add_output(files, "--report", o->bench.report);
    for (size_t i = 0; i < o->output.exports_n; i++) {
        const char *equals = strchr(o->output.exports[i], '=');
        add_output(files, "--export", equals ? equals + 1 : NULL);
    }
    if (o->output.path != NULL && red_journal_path(o->output.path, files->journal, sizeof files->journal))
        add_output(files, "the journal of --output", files->journal);
}

/* ---- judging ---------------------------------------------------------------------------------------------
 * What it finds is an error, in one line, before the verb does anything. */

static enum red_status fail_same(const struct named_file *output, const struct named_file *other,
                                 const char *why, struct red_error *error) {
    return red_fail(error, RED_E_INPUT, "%s '%.200s' and %s '%.200s' are the same file: %s; choose another",
                    output->option, output->path, other->option, other->path, why);
}

static enum red_status check_is_not_input(const struct named_file *output, const struct named_file *input,
                                          struct red_error *error) {
    return red_file_is_same(output->path, input->path)
               ? fail_same(output, input, "what is read would be replaced", error)
               : RED_OK;
}

/* Checks a folder of --expect: each register in it counts as an input. */
static enum red_status check_is_no_register(const struct named_file *output, const char *folder,
                                            struct red_error *error) {
    struct dirent **entries = NULL;
    enum red_status status = RED_OK;
    int n = folder != NULL ? scandir(folder, &entries, red_known_failures_is_file, NULL) : 0;
    for (int i = 0; i < n; i++) {
        char path[RED_PATH_BYTES];
        snprintf(path, sizeof path, "%.3800s/%.255s", folder, entries[i]->d_name);
        if (status == RED_OK)
            status = check_is_not_input(output, &(struct named_file){"--expect", path}, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* Checks a result file, or all of a folder of these. */
static enum red_status check_is_no_result(const struct named_file *output, const char *path,
                                          struct red_error *error) {
    char **paths = NULL;
    size_t n = 0;
    if (!red_file_is_folder(path))
        return check_is_not_input(output, &(struct named_file){"the result file", path}, error);
    enum red_status status = red_folder_list(path, ".json", &paths, &n, error);
    for (size_t i = 0; i < n; i++) {
        if (status == RED_OK)
            status = check_is_not_input(output, &(struct named_file){"the result file", paths[i]}, error);
        free(paths[i]);
    }
    free(paths);
    return status;
}

/* Error if the output is the same file as an input, or as a register in the --expect folder. */
static enum red_status check_replaces_no_input(const struct command_files *files,
                                               const struct named_file *output, struct red_error *error) {
    enum red_status status = check_is_no_register(output, files->folder, error);
    for (size_t i = 0; i < files->results_n && status == RED_OK; i++)
        status = check_is_no_result(output, files->results[i], error);
    for (size_t i = 0; i < files->inputs_n && status == RED_OK; i++)
        status = check_is_not_input(output, &files->inputs[i], error);
    return status;
}

enum red_status red_options_check_distinct_files(const struct red_options *options, struct red_error *error) {
    struct command_files files = {.inputs_n = 0};
    collect_inputs(options, &files);
    collect_outputs(options, &files);
    /* Where the shell has led it; what a pipe or a terminal takes replaces nothing. */
    struct stat screen;
    enum red_status status = RED_OK;
    if (fstat(STDOUT_FILENO, &screen) == 0 && S_ISREG(screen.st_mode))
        status = check_replaces_no_input(
            &files, &(const struct named_file){"the standard output", "/dev/stdout"}, error);
    for (size_t i = 0; i < files.outputs_n && status == RED_OK; i++) {
        status = check_replaces_no_input(&files, &files.outputs[i], error);
        for (size_t k = 0; k < i && status == RED_OK; k++)
            if (red_file_is_same(files.outputs[i].path, files.outputs[k].path))
                status =
                    fail_same(&files.outputs[k], &files.outputs[i], "one would replace the other", error);
    }
    return status;
}

enum red_status red_check_emitted_file_is_no_input(const struct red_options *options, const char *option,
                                                   const char *path, struct red_error *error) {
    struct command_files files = {.inputs_n = 0};
    collect_inputs(options, &files);
    return check_replaces_no_input(&files, &(const struct named_file){option, path}, error);
}

/* ---- outputs of bench ------------------------------------------------------------------------------------
 * cmd_bench.c calls these, with its command line; the user sees the result file, the table, --report and
 * --export. */

const char *red_outputs_result_path(const struct red_options *options) {
    return options->output.path                         ? options->output.path
           : options->output.format == RED_FORMAT_TABLE ? NULL
                                                        : "-";
}

FILE *red_outputs_screen(const struct red_options *options) {
    const char *data = red_outputs_result_path(options);
    if (data != NULL && strcmp(data, "-") == 0)
        return NULL;
    return red_exports_use_stdout(options->output.exports, options->output.exports_n) ? stderr : stdout;
}

/* Refuses --report without a result file, of which the page is made, and a page that cannot be written. */
static enum red_status check_report(const struct red_options *options, struct red_error *error) {
    if (options->output.path == NULL || !red_file_would_be_regular(options->output.path) ||
        options->output.format == RED_FORMAT_CSV)
        return red_fail(
            error, RED_E_INPUT,
            "--report makes a page of the result file; add --output FILE, and leave out --format csv");
    return red_file_check_writable(options->bench.report, error);
}

enum red_status red_outputs_check(const struct red_options *options, struct red_error *error) {
    enum red_status status = RED_OK;
    if (options->output.path != NULL)
        status = red_journal_check_writable(options->output.path, error);
    if (status == RED_OK && options->bench.report != NULL)
        status = check_report(options, error);
    if (status != RED_OK)
        return status;
    return red_exports_check_options(options->output.exports, options->output.exports_n, false, error);
}

/* What is done with the run in the form for other programs. */
typedef enum red_status export_use(const struct red_export *export, const char *const *kinds_and_paths,
                                   size_t n, struct red_error *error);

/* With --export makes the run's form for other programs, and calls `use` once with it and all values of
 * --export; otherwise it does nothing. */
static enum red_status make_and_use_export(const struct red_options *options, const struct red_run *run,
                                           export_use *use, struct red_error *error) {
    struct red_run_export made;
    if (options->output.exports_n == 0)
        return RED_OK;
    enum red_status status = red_run_export_make(run, &made, error);
    if (status == RED_OK)
        status = use(&made.export, options->output.exports, options->output.exports_n, error);
    red_run_export_clear(&made);
    return status;
}

enum red_status red_outputs_write(const struct red_options *options, const struct red_run *run,
                                  red_outputs_printer *print, const void *context, struct red_error *error) {
    struct red_error unwritten = {.text = ""};
    bool csv = options->output.format == RED_FORMAT_CSV;
    const char *data = red_outputs_result_path(options);
    FILE *screen = red_outputs_screen(options);
    enum red_status status = RED_OK;
    if (data != NULL)
        status = (csv ? red_result_write_csv : red_result_write_json)(run, data, error);
    if (screen != NULL) {
        print(context, screen);
        if (data != NULL && status == RED_OK)
            red_text_print(screen, "\nresult file: %s\n", data);
        else if (data == NULL)
            fputs("\nNo result file was asked for; --output FILE writes one.\n", screen);
    }
    if (options->bench.report != NULL && status == RED_OK)
        status = red_report_write_from_files(&data, 1, &(const struct red_report){.op = NULL}, &red_page_html,
                                             options->bench.report, screen, error);
    enum red_status exported = make_and_use_export(options, run, red_exports_write, &unwritten);
    return red_verb_status_find(status, RED_OK, NULL, exported, unwritten.text, error);
}

/* An export_use: fails where a cell has no time though it should (red_export_refuse_lost_cells). */
static enum red_status check_cells_have_times(const struct red_export *export,
                                              const char *const *kinds_and_paths, size_t n,
                                              struct red_error *error) {
    (void)kinds_and_paths;
    (void)n;
    return red_export_refuse_lost_cells(export, error);
}

enum red_status red_outputs_check_export_times(const struct red_options *options, const struct red_run *run,
                                               struct red_error *error) {
    return make_and_use_export(options, run, check_cells_have_times, error);
}
