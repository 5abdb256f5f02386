#define _POSIX_C_SOURCE 200809L /* scandir */
#include "cli/overwrite.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "results/journal.h"
#include "results/tuned.h"

/* ---- what the options name -------------------------------------------------------------------------------
 */

enum { INPUTS_MAX = RED_RESULT_FILES_MAX + RED_KERNEL_FILES_MAX + 16 };
enum { OUTPUTS_MAX = RED_EXPORTS_MAX + 8 };

struct named {
    const char *option, *path; /* borrowed */
};

/* The files of one command line. */
struct files {
    struct named inputs[INPUTS_MAX], outputs[OUTPUTS_MAX];
    size_t inputs_n, outputs_n;
    const char *folder; /* whose *.expect are inputs, too; NULL: none */
    char journal[RED_PATH_BYTES + 16], cache[RED_PATH_BYTES];
};

static void add_input(struct files *files, const char *option, const char *path) {
    if (path != NULL)
        files->inputs[files->inputs_n++] = (struct named){option, path};
}

static void add_output(struct files *files, const char *option, const char *path) {
    if (path != NULL)
        files->outputs[files->outputs_n++] = (struct named){option, path};
}

static void list_inputs(const struct red_options *o, struct files *files) {
    for (size_t i = 0; i < o->files_n; i++)
        add_input(files, "the result file", o->files[i]);
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
    if (o->bench.tuned && !o->bench.tune && red_tuned_path(files->cache, NULL) == RED_OK)
        add_input(files, "CLREDUCE_CACHE", files->cache);
    files->folder = o->selection.expect;
}

static void list_outputs(const struct red_options *o, struct files *files) {
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
    if (o->bench.tune && red_tuned_path(files->cache, NULL) == RED_OK)
        add_output(files, "CLREDUCE_CACHE", files->cache);
}

/* ---- judging ---------------------------------------------------------------------------------------------
 */

static enum red_status refuse(const struct named *output, const struct named *other, const char *why,
                              struct red_error *error) {
    return red_fail(error, RED_E_INPUT, "%s '%.200s' and %s '%.200s' are the same file: %s; choose another",
                    output->option, output->path, other->option, other->path, why);
}

static enum red_status check_input(const struct named *output, const struct named *input,
                                   struct red_error *error) {
    return red_file_is_same(output->path, input->path)
               ? refuse(output, input, "what is read would be replaced", error)
               : RED_OK;
}

static int is_register(const struct dirent *entry) {
    return fnmatch("*.expect", entry->d_name, 0) == 0;
}

/* A folder stands for the registers in it. */
static enum red_status check_folder(const struct named *output, const char *folder, struct red_error *error) {
    struct dirent **entries = NULL;
    enum red_status status = RED_OK;
    int n = folder != NULL ? scandir(folder, &entries, is_register, NULL) : 0;
    for (int i = 0; i < n; i++) {
        char path[RED_PATH_BYTES];
        snprintf(path, sizeof path, "%.3800s/%.255s", folder, entries[i]->d_name);
        if (status == RED_OK)
            status = check_input(output, &(struct named){"--expect", path}, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static enum red_status check_output(const struct files *files, const struct named *output,
                                    struct red_error *error) {
    enum red_status status = check_folder(output, files->folder, error);
    for (size_t i = 0; i < files->inputs_n && status == RED_OK; i++)
        status = check_input(output, &files->inputs[i], error);
    return status;
}

enum red_status red_overwrite_check(const struct red_options *options, struct red_error *error) {
    struct files files = {.inputs_n = 0};
    list_inputs(options, &files);
    list_outputs(options, &files);
    /* Where the shell has led it; what a pipe or a terminal takes replaces nothing. */
    struct stat screen;
    enum red_status status = RED_OK;
    if (fstat(STDOUT_FILENO, &screen) == 0 && S_ISREG(screen.st_mode))
        status = check_output(&files, &(const struct named){"the standard output", "/dev/stdout"}, error);
    for (size_t i = 0; i < files.outputs_n && status == RED_OK; i++) {
        status = check_output(&files, &files.outputs[i], error);
        for (size_t k = 0; k < i && status == RED_OK; k++)
            if (red_file_is_same(files.outputs[i].path, files.outputs[k].path))
                status = refuse(&files.outputs[k], &files.outputs[i], "one would replace the other", error);
    }
    return status;
}

enum red_status red_overwrite_check_file(const struct red_options *options, const char *option,
                                         const char *path, struct red_error *error) {
    struct files files = {.inputs_n = 0};
    list_inputs(options, &files);
    return check_output(&files, &(const struct named){option, path}, error);
}
