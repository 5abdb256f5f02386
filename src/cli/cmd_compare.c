#define _POSIX_C_SOURCE 200809L /* access */
/* The verb `compare`: prints what differs between two stored runs, or with --drivers between devices; it
 * never calls anything slower, which only `duel` can tell. */
#include <stdlib.h>
#include <unistd.h>

#include "cli/options.h"
#include "compare/two_runs.h"
#include "core/file.h"

/* Both are called by red_file_write, with where --output leads, for --format table. */
static enum red_status write_drivers_table(const void *comparison, FILE *out, struct red_error *error) {
    return red_drivers_show(comparison, out, error);
}

static enum red_status write_stored_table(const void *two_runs, FILE *out, struct red_error *error) {
    return red_two_runs_show(two_runs, out, error);
}

/* ---- devices, drivers, machines ------------------------------------------------------------------------ */

/* Which of the files that the user named is the first of `verify`; their number where none is. */
static size_t first_file_of_verify(const struct red_options *options) {
    size_t f = 0;
    while (f < options->files_n && !red_verify_file_is_there(options->files[f]))
        f++;
    return f;
}

/* Loads files of `verify`, of which number `first` is one: all must be such. Only of a file that cannot be
 * loaded is asked what it is. */
static enum red_status load_files_of_verify(const struct red_options *options, size_t first,
                                            struct red_comparison *comparison, struct red_error *error) {
    const char *const *files = options->files;
    enum red_status status = RED_OK;
    for (size_t f = 0; f < options->files_n && status == RED_OK; f++) {
        status = red_verify_file_load(files[f], &comparison->files[f], error);
        comparison->files_n += status == RED_OK;
        if (status == RED_E_INPUT && access(files[f], R_OK) == 0 && !red_verify_file_is_there(files[f]))
            return red_fail(
                error, RED_E_INPUT,
                "%.200s is a file of verify, and %.200s is none: compare --drivers takes results of "
                "bench or files of verify, not both",
                files[first], files[f]);
    }
    return status;
}

/* For --drivers: loads the files and writes their devices side by side, as table, JSON or CSV. */
static enum red_status compare_drivers(const struct red_options *options, struct red_error *error) {
    if (red_options_check_has_files(options, "compare --drivers FILE...: names", error) != RED_OK)
        return RED_E_INPUT;
    struct red_comparison *comparison = calloc(1, sizeof *comparison);
    if (comparison == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    comparison->output = &options->output;
    const size_t first = first_file_of_verify(options);
    enum red_status status =
        first < options->files_n
            ? load_files_of_verify(options, first, comparison, error)
            : red_options_load_results(options, NULL, comparison->results, &comparison->results_n, error);
    if (status == RED_OK)
        status = red_comparison_make_device_sides(comparison, error);
    if (status == RED_OK)
        status = options->output.format == RED_FORMAT_TABLE
                     ? red_file_write(options->output.path, write_drivers_table, comparison, error)
                     : red_drivers_write(comparison, error);
    red_comparison_clear(comparison);
    free(comparison);
    return status;
}

/* ---- two stored runs ----------------------------------------------------------------------------------- */

/* For BASE.json HEAD.json: loads both and writes what differs; what it finds is an error only with
 * --fail-above. */
static enum red_status compare_stored(const struct red_options *options, struct red_error *error) {
    if (options->files_n != 2)
        return red_fail(error, RED_E_INPUT,
                        "compare BASE.json HEAD.json wants two result files of clreduce bench --output, not "
                        "%zu; compare --drivers takes one or more; see clreduce compare --help",
                        options->files_n);
    const size_t checks = first_file_of_verify(options);
    if (checks < options->files_n)
        return red_fail(error, RED_E_INPUT,
                        "%.200s is a file of verify, without times; compare --drivers lines up those",
                        options->files[checks]);
    enum red_status status = red_across_check_words(options->compare.across, error);
    if (status != RED_OK)
        return status;
    struct red_two_runs *stored = calloc(1, sizeof *stored);
    if (stored == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    stored->comparison.output = &options->output;
    status = red_options_load_results(options, NULL, stored->comparison.results,
                                      &stored->comparison.results_n, error);
    if (status == RED_OK)
        status = red_comparison_check_comparable(&stored->comparison, options->compare.across, error);
    if (status == RED_OK)
        status = red_two_runs_line_up(stored, error);
    if (status == RED_OK)
        status = options->output.format == RED_FORMAT_TABLE
                     ? red_file_write(options->output.path, write_stored_table, stored, error)
                     : red_two_runs_write(stored, error);
    if (status == RED_OK && options->compare.fail_above > 0)
        status = red_two_runs_check_head(stored, options->compare.fail_above, error);
    red_two_runs_clear(stored);
    free(stored);
    return status;
}

/* Called by run_verb in main.c with the command line; its status becomes the exit status. */
static enum red_status run_compare(const struct red_options *options, struct red_error *error) {
    return options->compare.drivers ? compare_drivers(options, error) : compare_stored(options, error);
}

const struct red_verb red_verb_compare = {
    .name = "compare",
    .summary = "says what differs between two stored runs, or lines up devices, drivers and machines",
    .options = RED_OUTPUT_OPTIONS,
    .modes = (const struct red_mode[]){{RED_OPTION_DRIVERS, 0},
                                       {RED_MODE_ALWAYS, RED_BIT(ACROSS) | RED_BIT(FAIL_ABOVE)}},
    .takes_files = true,
    .ends_at_once = true,
    .documentation =
        "BASE.json HEAD.json: lines up the same cells of two stored runs (bench --output). It tells what "
        "ended otherwise, what is missing and what is new, and whose times differ by more than their "
        "intervals. Each interval is of one process, and medians of two processes of the same program differ "
        "by 5 to 16 %, so it calls nothing slower, and its exit status is 0 whatever it finds, unless "
        "--fail-above is given. It refuses two runs of different machines, devices, drivers, versions or "
        "settings unless --across names what may differ.\n"
        "--drivers FILE...: lines up the devices of result files: what they can do differently, what is "
        "right here and wrong there, and how long they take. Times of one run are compared, with their "
        "interval; of different machines they are only shown. Of files of verify --output it lines up "
        "how the checks of each strategy ended, and which are not right on one of them.\v"
        "Example: clreduce compare base.json head.json\n"
        "Example: clreduce compare --across driver,device old-driver.json new-driver.json --format csv\n"
        "Example: clreduce compare --drivers pocl.json intel.json\n"
        "Example: clreduce compare --drivers checks-pocl.json checks-intel.json\n"
        "Example: clreduce compare --drivers results/cpu-2-cores.json --format csv --output drivers.csv",
    .run = run_compare,
};
