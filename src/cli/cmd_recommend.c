/* The verb `recommend`: which strategy to use for which n. */
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "core/file.h"
#include "core/select.h"
#include "core/words.h"
#include "recommend/recommend.h"

static enum red_status load(const struct red_options *options, struct red_recommendation *all,
                            struct red_error *error) {
    enum red_status status = red_catalogue_create(&all->catalogue, error);
    for (size_t k = 0; k < options->selection.kernels_n && status == RED_OK; k++)
        status = red_catalogue_add_file(all->catalogue, options->selection.kernels[k], false, error);
    all->recalls = calloc(RED_RESULT_FILES_MAX, sizeof *all->recalls);
    if (status == RED_OK && all->recalls == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for result files");
    while (all->recalls_n < options->files_n && status == RED_OK) {
        status = red_recall_load(options->files[all->recalls_n], all->catalogue,
                                 &all->recalls[all->recalls_n], error);
        all->recalls_n += status == RED_OK;
    }
    return status;
}

/* ---- what is asked ---------------------------------------------------------------------------------------
 */

static bool is_wanted(const struct red_selection *wanted, const struct red_recommendation *all, size_t r,
                      size_t d, const struct red_question *question) {
    const struct red_past_device *device = &all->recalls[r].past.devices[d];
    return !device->is_host && (wanted->device == NULL || red_select_matches(wanted->device, device->id)) &&
           (wanted->op == NULL || red_select_matches(wanted->op, question->op->name)) &&
           (wanted->type == NULL || red_select_matches(wanted->type, question->dtype->name));
}

/* Later files add to the advice of the first one that has the device and the question. */
static bool is_first(const struct red_recommendation *all, size_t r, size_t d,
                     const struct red_question *question) {
    for (size_t before = 0; before < r; before++)
        if (red_recall_same_device(&all->recalls[before], &all->recalls[r], d) >= 0 &&
            red_recall_question(&all->recalls[before], question) != NULL)
            return false;
    return true;
}

static enum red_status add_advice(struct red_recommendation *all, size_t r, size_t d,
                                  const struct red_question *question, struct red_error *error) {
    struct red_curves curves;
    struct red_advice *grown = realloc(all->advice, (all->advice_n + 1) * sizeof *grown);
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for advice");
    all->advice = grown;
    enum red_status status =
        red_curves_make(all->recalls, all->recalls_n, r, d, question, &all->filter, &curves, error);
    if (status == RED_OK)
        status = red_advice_make(&curves, all->seed, &all->advice[all->advice_n], error);
    all->advice_n += status == RED_OK;
    return status;
}

static enum red_status advise(const struct red_selection *wanted, struct red_recommendation *all,
                              struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t r = 0; r < all->recalls_n; r++) {
        const struct red_recall *recall = &all->recalls[r];
        for (size_t d = 0; d < recall->past.devices_n; d++)
            for (size_t q = 0; q < recall->questions_n && status == RED_OK; q++)
                if (is_wanted(wanted, all, r, d, &recall->questions[q]) &&
                    is_first(all, r, d, &recall->questions[q]))
                    status = add_advice(all, r, d, &recall->questions[q], error);
    }
    if (status == RED_OK && all->advice_n == 0)
        status = red_fail(
            error, RED_E_INPUT,
            "the files have no device, operation and type that is asked for; clreduce report shows what "
            "they have");
    return status;
}

/* ---- the answer ------------------------------------------------------------------------------------------
 */

typedef enum red_status tell(const struct red_recommendation *all, FILE *out, struct red_error *error);
static tell *const tellers[RED_FORMATS_N] = {[RED_FORMAT_TABLE] = red_recommendation_show,
                                             [RED_FORMAT_JSON] = red_recommendation_json,
                                             [RED_FORMAT_HEADER] = red_recommendation_header};

static enum red_status write(const struct red_options *options, const struct red_recommendation *all,
                             struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(options->output.path ? options->output.path : "-", &file, error);
    if (status != RED_OK)
        return status;
    status = tellers[options->output.format](all, file.stream, error);
    if (status != RED_OK) {
        red_file_abandon(&file);
        return status;
    }
    status = red_file_commit(&file, error);
    if (status == RED_OK && options->output.path != NULL && strcmp(options->output.path, "-") != 0)
        red_named_print(stdout, "recommendation: ", options->output.path);
    return status;
}

static enum red_status check_files(const struct red_options *options, struct red_error *error) {
    return options->files_n > 0 ? RED_OK
                                : red_fail(error, RED_E_INPUT,
                                           "recommend RESULT.json... wants result files of clreduce bench "
                                           "--output; see clreduce recommend "
                                           "--help");
}

static enum red_status run(const struct red_options *options, struct red_error *error) {
    struct red_recommendation all = {
        .seed = options->selection.seed,
        .filter = {.strategy = options->selection.strategy, .portable = options->portable}};
    enum red_status status = check_files(options, error);
    if (status == RED_OK)
        status = load(options, &all, error);
    if (status == RED_OK)
        status = advise(&options->selection, &all, error);
    if (status == RED_OK)
        status = write(options, &all, error);
    for (size_t i = 0; i < all.advice_n; i++)
        red_advice_clear(&all.advice[i]);
    free(all.advice);
    for (size_t i = 0; i < all.recalls_n; i++)
        red_recall_clear(&all.recalls[i]);
    free(all.recalls);
    red_catalogue_destroy(all.catalogue);
    return status;
}

const struct red_verb red_verb_recommend = {
    .name = "recommend",
    .summary = "says which strategy to use for which n, from result files",
    .options =
        RED_SELECTION_OPTIONS | RED_OUTPUT_OPTIONS | RED_BIT(KERNEL) | RED_BIT(SEED) | RED_BIT(PORTABLE),
    .formats = "table,json,h",
    .takes_files = true,
    .ends_at_once = true,
    .documentation =
        "Says for each device, operation and type of result files (bench --output) which strategy to use "
        "for "
        "which n: in bands, as few and as wide as the times allow; ties within 2 % go to the simpler "
        "strategy. h is a "
        "C "
        "header with the rules and a lookup. Several runs of one command know more than one.\v"
        "Example: clreduce recommend results/cpu-2-cores.json\n"
        "Example: clreduce recommend monday.json tuesday.json --device intel --format h --output rules.h\n"
        "Example: clreduce recommend result.json --portable --format json",
    .run = run,
};
