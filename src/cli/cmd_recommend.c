/* The verb `recommend`: reads result files and prints which strategy to use for which n, as text, JSON or a
 * C header. */
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/select.h"
#include "core/text.h"
#include "recommend/advice.h"

/* Makes the catalogue with the kernels of --kernel, then reads the files. */
static enum red_status load_kernels_and_results(const struct red_options *options,
                                                struct red_recommendation *all, struct red_error *error) {
    enum red_status status = red_catalogue_create(&all->catalogue, error);
    for (size_t k = 0; k < options->selection.kernels_n && status == RED_OK; k++)
        status = red_catalogue_add_file(all->catalogue, options->selection.kernels[k], false, error);
    if (status == RED_OK)
        status = red_loaded_files_load_with_times(options->files, options->files_n, all->catalogue, false,
                                                  &all->loaded, stderr, error);
    if (status == RED_OK)
        status = red_loaded_files_keep_primitive(&all->loaded,
                                                 red_selection_given_primitive(&options->selection), error);
    return status;
}

/* ---- what is asked ------------------------------------------------------------------------------------- */

/* Whether --device, --op, --type and --bins choose device d of file r and the query; advice on histograms is
 * by the slowest data where several were timed. */
static bool is_wanted(const struct red_selection *selection, const struct red_recommendation *all, size_t r,
                      size_t d, const struct red_query *query) {
    const struct red_run_device *device = &all->loaded.results[r].run.devices[d];
    return !device->is_host && red_select_matches(selection->device, device->info.id) &&
           red_at_is_chosen(&query->at, NULL, selection->op, selection->type) &&
           (selection->bins_n == 0 || selection->bins_n == query->at.bins_n) &&
           !red_result_has_slowest(&all->loaded.results[r], query);
}

/* Whether no earlier file has the device and the query; later files add to the advice of the first. */
static bool is_in_no_earlier_file(const struct red_recommendation *all, size_t r, size_t d,
                                  const struct red_query *query) {
    for (size_t before = 0; before < r; before++)
        if (red_result_find_device(&all->loaded.results[before], &all->loaded.results[r], d) >= 0 &&
            red_result_find_query(&all->loaded.results[before], query) != NULL)
            return false;
    return true;
}

/* Makes the advice for device d of file r and one of its queries, and appends it. */
static enum red_status make_and_add_advice(struct red_recommendation *all, size_t r, size_t d,
                                           const struct red_query *query, struct red_error *error) {
    struct red_curves curves;
    if (!RED_GROW(all->advice, all->advice_n, 1))
        return red_fail(error, RED_E_MEMORY, "no memory for advice");
    enum red_status status = red_curves_make(&all->loaded, r, d, query, &all->filter, &curves, error);
    if (status == RED_OK)
        status = red_advice_make(&curves, all->seed, &all->advice[all->advice_n], error);
    all->advice_n += status == RED_OK;
    return status;
}

/* Makes the advice for each device and query that is wanted; that there is none is an error, and that a
 * format cannot say it. */
static enum red_status make_all_advice(const struct red_selection *selection, enum red_format format,
                                       struct red_recommendation *all, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t r = 0; r < all->loaded.results_n; r++) {
        const struct red_result *result = &all->loaded.results[r];
        for (size_t d = 0; d < result->run.devices_n; d++)
            for (size_t q = 0; q < result->queries_n && status == RED_OK; q++)
                if (is_wanted(selection, all, r, d, &result->queries[q]) &&
                    is_in_no_earlier_file(all, r, d, &result->queries[q]))
                    status = make_and_add_advice(all, r, d, &result->queries[q], error);
    }
    for (size_t i = 0; i < all->advice_n && status == RED_OK && format == RED_FORMAT_HEADER; i++)
        if (all->advice[i].curves.query->at.ranks_n > 0)
            status = red_fail(error, RED_E_INPUT,
                              "%.200s is over ranks: a C header chooses kernels, and no collectives; use "
                              "--format json, or leave the file out",
                              all->advice[i].curves.result->path);
    if (status == RED_OK && all->advice_n == 0)
        status = red_loaded_files_fail_lacking(&all->loaded,
                                               "no device, operation and type that is asked for", error);
    return status;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

typedef enum red_status put_advice(const struct red_recommendation *all, FILE *out, struct red_error *error);
static put_advice *const writers[RED_FORMATS_N] = {[RED_FORMAT_TABLE] = red_recommendation_show,
                                                   [RED_FORMAT_JSON] = red_recommendation_json_print,
                                                   [RED_FORMAT_HEADER] = red_recommendation_c_header_print};

/* What red_file_write is to write, and how. */
struct recommendation_output {
    const struct red_recommendation *all;
    put_advice *put;
};

static enum red_status write_recommendation(const void *output, FILE *out, struct red_error *error) {
    const struct recommendation_output *answer = output;
    return answer->put(answer->all, out, error);
}

/* Writes the advice, as --format says, to --output or the standard output; then prints the path of a file. */
static enum red_status write_and_print_path(const struct red_options *options,
                                            const struct red_recommendation *all, struct red_error *error) {
    const char *path = options->output.path;
    enum red_status status =
        red_file_write(path, write_recommendation,
                       &(const struct recommendation_output){all, writers[options->output.format]}, error);
    if (status == RED_OK && path != NULL && strcmp(path, "-") != 0)
        red_text_print(stdout, "recommendation: %s\n", path);
    return status;
}

/* RED_E_UNDECIDED where an advice was asked for and times do not allow one: the answer says why. */
static enum red_status check_all_steady(const struct red_recommendation *all, struct red_error *error) {
    size_t incomparable_n = 0;
    for (size_t i = 0; i < all->advice_n; i++)
        incomparable_n += all->advice[i].curves.incomparable != NULL && all->advice[i].bands_n > 0;
    return incomparable_n == 0 ? RED_OK
                               : red_fail(error, RED_E_UNDECIDED,
                                          "no advice in %zu of %zu cases: their times cannot be compared",
                                          incomparable_n, all->advice_n);
}

static enum red_status run_recommend(const struct red_options *options, struct red_error *error) {
    struct red_recommendation all = {
        .seed = options->selection.seed,
        .filter = {.strategy = options->selection.strategy, .portable = options->portable}};
    if (options->selection.n.n > 0)
        all.n = options->selection.n.values;
    enum red_status status = red_selection_check_single_sizes(&options->selection, error);
    if (status == RED_OK && all.n != NULL && options->output.format != RED_FORMAT_TABLE)
        status = red_fail(error, RED_E_INPUT, "--n has no effect with --format %s, which tells of all n",
                          options->output.format == RED_FORMAT_JSON ? "json" : "h");
    if (status == RED_OK)
        status = red_options_check_has_files(options, "recommend RESULT.json... wants", error);
    if (status == RED_OK)
        status = load_kernels_and_results(options, &all, error);
    if (status == RED_OK)
        status = make_all_advice(&options->selection, options->output.format, &all, error);
    if (status == RED_OK)
        status = write_and_print_path(options, &all, error);
    if (status == RED_OK)
        status = check_all_steady(&all, error);
    for (size_t i = 0; i < all.advice_n; i++)
        red_advice_clear(&all.advice[i]);
    free(all.advice);
    red_loaded_files_clear(&all.loaded);
    red_catalogue_destroy(all.catalogue);
    return status;
}

const struct red_verb red_verb_recommend = {
    .name = "recommend",
    .summary = "says which strategy to use for which n, from result files",
    .options = RED_SELECTION_OPTIONS | RED_OUTPUT_OPTIONS | RED_BIT(KERNEL) | RED_BIT(SEED) |
               RED_BIT(PORTABLE) | RED_BIT(N),
    .formats = RED_FORMAT_BIT(TABLE) | RED_FORMAT_BIT(JSON) | RED_FORMAT_BIT(HEADER),
    .files = "FILE...",
    .ends_at_once = true,
    .documentation =
        "Says for each device, operation and type of result files (bench --output) which strategy to use for "
        "which n: in bands, as few and as wide as the times allow; ties within 2 % go to the simpler "
        "strategy. h is a C header with the rules and a lookup. Several runs of one command know more than "
        "one; a folder stands for all *.json in it but another program's times, which are never advised. "
        "A strategy that was wrong, crashed or hung on the device, whatever it "
        "computed, is named first "
        "and not recommended, unless --strategy names it. Files of verify --output may stand beside result "
        "files: what was wrong in them counts as well. --n says what to use for one n.\v"
        "Example: clreduce recommend results/cpu-2-cores.json\n"
        "Example: clreduce recommend results/cpu-2-cores.json --device intel --n 20000\n"
        "Example: clreduce recommend monday.json tuesday.json --device intel --format h --output rules.h\n"
        "Example: clreduce recommend result.json checks.json\n"
        "Example: clreduce recommend scans.json reductions.json --primitive scan\n"
        "Example: clreduce recommend result.json --portable --format json",
    .run = run_recommend,
};
