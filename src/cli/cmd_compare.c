/* The verb `compare`: prints what differs between two stored runs, or with --drivers between devices; it
 * never calls anything slower, which only `duel` can tell. */
#include <stdlib.h>

#include "cli/options.h"
#include "compare/two_runs.h"
#include "core/file.h"

static enum red_status load_files(struct red_comparison *comparison, const struct red_options *options,
                                  struct red_error *error) {
    comparison->output = &options->output;
    for (size_t i = 0; i < options->files_n; i++) {
        enum red_status status = red_result_load(options->files[i], NULL, &comparison->results[i], error);
        if (status != RED_OK)
            return status;
        comparison->results_n++;
    }
    return RED_OK;
}

static enum red_status show_drivers(const void *what, FILE *out, struct red_error *error) {
    return red_drivers_show(what, out, error);
}

static enum red_status show_stored(const void *what, FILE *out, struct red_error *error) {
    return red_two_runs_show(what, out, error);
}

/* Prints to --output or the screen; a file is written whole or not at all. */
static enum red_status print_out(const struct red_options *options, const void *what,
                                 enum red_status (*print)(const void *, FILE *, struct red_error *),
                                 struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(options->output.path ? options->output.path : "-", &file, error);
    if (status != RED_OK)
        return status;
    status = print(what, file.stream, error);
    if (status == RED_OK)
        return red_file_commit(&file, error);
    red_file_abandon(&file);
    return status;
}

/* ---- devices, drivers, machines ------------------------------------------------------------------------ */

static enum red_status compare_drivers(const struct red_options *options, struct red_error *error) {
    if (options->files_n == 0)
        return red_fail(
            error, RED_E_INPUT,
            "compare --drivers FILE...: names result files of clreduce bench --output; see clreduce "
            "compare --help");
    struct red_comparison *comparison = calloc(1, sizeof *comparison);
    if (comparison == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    enum red_status status = load_files(comparison, options, error);
    if (status == RED_OK)
        status = red_comparison_make_device_sides(comparison, error);
    if (status == RED_OK)
        status = options->output.format == RED_FORMAT_TABLE
                     ? print_out(options, comparison, show_drivers, error)
                     : red_drivers_write(comparison, error);
    red_comparison_clear(comparison);
    free(comparison);
    return status;
}

/* ---- two stored runs ----------------------------------------------------------------------------------- */

static enum red_status compare_stored(const struct red_options *options, struct red_error *error) {
    if (options->files_n != 2)
        return red_fail(error, RED_E_INPUT,
                        "compare BASE.json HEAD.json wants two result files of clreduce bench --output, not "
                        "%zu; compare --drivers takes one or more; see clreduce compare --help",
                        options->files_n);
    enum red_status status = red_comparability_check(options->compare.across, error);
    if (status != RED_OK)
        return status;
    struct red_two_runs *stored = calloc(1, sizeof *stored);
    if (stored == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    status = load_files(&stored->comparison, options, error);
    if (status == RED_OK)
        status = red_comparison_check_comparable(&stored->comparison, options->compare.across, error);
    if (status == RED_OK)
        status = red_two_runs_line_up(stored, error);
    if (status == RED_OK)
        status = options->output.format == RED_FORMAT_TABLE ? print_out(options, stored, show_stored, error)
                                                            : red_two_runs_write(stored, error);
    if (status == RED_OK && options->compare.fail_above > 0)
        status = red_two_runs_check_limit(stored, options->compare.fail_above, error);
    red_two_runs_clear(stored);
    free(stored);
    return status;
}

static enum red_status run_compare(const struct red_options *options, struct red_error *error) {
    return options->compare.drivers ? compare_drivers(options, error) : compare_stored(options, error);
}

const struct red_verb red_verb_compare = {
    .name = "compare",
    .summary = "says what differs between two stored runs, or lines up devices, drivers and machines",
    .options = RED_OUTPUT_OPTIONS | RED_BIT(DRIVERS) | RED_BIT(ACROSS) | RED_BIT(FAIL_ABOVE),
    .modes = (const struct red_mode[]){{RED_OPTION_DRIVERS, RED_OUTPUT_OPTIONS | RED_BIT(DRIVERS)},
                                       {RED_MODE_ALWAYS,
                                        RED_OUTPUT_OPTIONS | RED_BIT(ACROSS) | RED_BIT(FAIL_ABOVE)}},
    .takes_files = true,
    .ends_at_once = true,
    .documentation =
        "BASE.json HEAD.json: lines up the same cells of two stored runs (bench --output). It tells what "
        "ended "
        "otherwise, what is missing and what is new, and whose times differ by more than their intervals. "
        "Each interval is of one process, and medians of two processes of the same program differ by 5 to "
        "16 %, so it calls nothing slower, and its exit status is 0 whatever it finds, unless --fail-above "
        "is given. It refuses two runs of different machines, devices, drivers, versions or settings unless "
        "--across names what may differ.\n"
        "--drivers FILE...: lines up the devices of result files: what they can do differently, what is "
        "right "
        "here and wrong there, and how long they take. Times of one run are compared, with their "
        "interval; of different machines they are only shown.\v"
        "Example: clreduce compare base.json head.json\n"
        "Example: clreduce compare --across driver,device old-driver.json new-driver.json --format csv\n"
        "Example: clreduce compare --drivers pocl.json intel.json\n"
        "Example: clreduce compare --drivers results/cpu-2-cores.json --format csv --output drivers.csv",
    .run = run_compare,
};
