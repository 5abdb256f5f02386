/* The verb `compare`: prints what differs between two stored runs, or with --drivers between devices; it
 * never calls anything slower, which only `duel` can tell. */
#include <stdlib.h>

#include "cli/options.h"
#include "compare/two_runs.h"
#include "core/file.h"
#include "model/primitive.h"

/* ---- devices, drivers, machines ------------------------------------------------------------------------ */

/* Refuses files of both kinds: they have nothing that could stand side by side. */
static enum red_status check_one_kind(const struct red_loaded_files *loaded, struct red_error *error) {
    return loaded->results_n == 0 || loaded->checks_n == 0
               ? RED_OK
               : red_fail(
                     error, RED_E_INPUT,
                     "%.200s is a file of verify, and %.200s is none: compare --drivers takes results of "
                     "bench or files of verify, not both",
                     loaded->checks[0].result.path, loaded->results[0].path);
}

/* For --drivers: loads the files and writes their devices side by side, as table, JSON or CSV. */
static enum red_status compare_drivers(const struct red_options *options, struct red_error *error) {
    if (red_options_check_has_files(options, "compare --drivers FILE...: names", error) != RED_OK)
        return RED_E_INPUT;
    struct red_comparison *comparison = calloc(1, sizeof *comparison);
    if (comparison == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    comparison->output = &options->output;
    struct red_loaded_files *loaded = &comparison->loaded;
    enum red_status status =
        red_loaded_files_load(options->files, options->files_n, NULL, false, loaded, stderr, error);
    if (status == RED_OK)
        status = red_loaded_files_keep_primitive(loaded, red_selection_given_primitive(&options->selection),
                                                 error);
    if (status == RED_OK)
        status = check_one_kind(loaded, error);
    if (status == RED_OK)
        status = red_comparison_make_device_sides(comparison, error);
    if (status == RED_OK)
        status = options->output.format == RED_FORMAT_TABLE
                     ? red_file_write(options->output.path, red_drivers_show, comparison, error)
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
    enum red_status status = red_across_check_words(options->compare.across, error);
    if (status != RED_OK)
        return status;
    struct red_two_runs *stored = calloc(1, sizeof *stored);
    if (stored == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    stored->comparison.output = &options->output;
    struct red_loaded_files *loaded = &stored->comparison.loaded;
    status = red_loaded_files_load(options->files, options->files_n, NULL, false, loaded, stderr, error);
    if (status == RED_OK && loaded->checks_n > 0)
        status = red_fail(error, RED_E_INPUT,
                          "%.200s is a file of verify, without times; compare --drivers lines up those",
                          loaded->checks[0].result.path);
    if (status == RED_OK && loaded->results_n != 2)
        status =
            red_fail(error, RED_E_INPUT,
                     "compare BASE.json HEAD.json wants two runs, and %.200s and %.200s hold %zu; compare "
                     "--drivers sets many side by side",
                     options->files[0], options->files[1], loaded->results_n);
    if (status == RED_OK)
        status = red_loaded_files_keep_primitive(loaded, red_selection_given_primitive(&options->selection),
                                                 error);
    if (status == RED_OK && loaded->results_n < 2)
        status = red_fail(error, RED_E_INPUT, "only %.200s has %s: there is nothing to compare them with",
                          loaded->results[0].path, red_primitives[options->selection.primitive].nouns);
    if (status == RED_OK)
        status = red_comparison_check_comparable(&stored->comparison, options->compare.across, error);
    if (status == RED_OK)
        status = red_two_runs_line_up(stored, error);
    if (status == RED_OK)
        status = options->output.format == RED_FORMAT_TABLE
                     ? red_file_write(options->output.path, red_two_runs_show, stored, error)
                     : red_two_runs_write(stored, error);
    if (status == RED_OK && options->compare.fail_above > 0)
        status = red_two_runs_check_head(stored, options->compare.fail_above, error);
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
    .options = RED_OUTPUT_OPTIONS | RED_BIT(PRIMITIVE),
    .modes = (const struct red_mode[]){{RED_OPTION_DRIVERS, 0},
                                       {RED_MODE_ALWAYS, RED_BIT(ACROSS) | RED_BIT(FAIL_ABOVE)}},
    .files = "FILE...",
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
        "how the checks of each strategy ended, and which are not right on one of them. A folder stands for "
        "all *.json in it but another program's times, which are compared where they are named, and a fleet "
        "file for the runs that it holds. Of many devices there are several "
        "tables, "
        "in each of which the first device, A, stands beside others.\v"
        "Example: clreduce compare base.json head.json\n"
        "Example: clreduce compare --across driver,device old-driver.json new-driver.json --format csv\n"
        "Example: clreduce compare --drivers pocl.json intel.json\n"
        "Example: clreduce compare --drivers checks-pocl.json checks-intel.json\n"
        "Example: clreduce compare --drivers reductions.json scans.json --primitive scan\n"
        "Example: clreduce compare --drivers results-of-many-hosts/\n"
        "Example: clreduce compare --drivers results/cpu-2-cores.json --format csv --output drivers.csv",
    .run = run_compare,
};
