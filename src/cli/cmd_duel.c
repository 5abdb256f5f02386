/* The verb `duel`: measures two sides, or judges a stored duel again (--replay); prints the verdicts, and
 * writes --output and --export. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "core/file.h"
#include "export/export.h"
#include "gate/duel.h"

/* For --replay: loads a stored duel, and judges its samples again; with --require every cell is required. */
static enum red_status load_and_judge_again(const struct red_duel_options *options, struct red_duel *duel,
                                            struct red_error *error) {
    enum red_status status = red_duel_load(options->replay, duel, error);
    for (size_t c = 0; c < duel->cells_n && status == RED_OK; c++)
        duel->cells[c].required = duel->cells[c].required || options->required;
    return status == RED_OK ? red_duel_judge(duel, NULL, error) : status;
}

/* Whether --output and --export can be written; asked before measuring, which may take an hour. */
static enum red_status check_outputs(const struct red_options *options, struct red_error *error) {
    enum red_status status = RED_OK;
    if (options->output.path != NULL)
        status = red_file_check_writable(options->output.path, error);
    return status == RED_OK
               ? red_exports_check_options(options->output.exports, options->output.exports_n, false, error)
               : status;
}

/* Writes the duel to --output, prints the verdicts (on stderr where data goes to the standard output), and
 * writes --export, whatever the verdicts are. */
static enum red_status print_and_write_outputs(const struct red_options *options, const struct red_duel *duel,
                                               struct red_error *error) {
    enum red_status status = RED_OK;
    bool on_stdout = options->output.path != NULL && strcmp(options->output.path, "-") == 0;
    FILE *screen = on_stdout || red_exports_use_stdout(options->output.exports, options->output.exports_n)
                       ? stderr
                       : stdout;
    if (options->output.path != NULL)
        status = red_duel_write(duel, options->output.path, error);
    if (status == RED_OK && options->output.format == RED_FORMAT_TABLE)
        status = red_duel_print(duel, screen, error);
    else if (status == RED_OK)
        status = red_duel_print_cells(duel, options->output.format, error);
    return status == RED_OK ? red_duel_export(duel, &options->output, error) : status;
}

static enum red_status run_duel(const struct red_options *given, struct red_error *error) {
    struct red_duel *duel = calloc(1, sizeof *duel);
    if (duel == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a duel");
    enum red_status status = check_outputs(given, error);
    if (status == RED_OK)
        status = given->duel.replay ? load_and_judge_again(&given->duel, duel, error)
                                    : red_duel_run(&given->selection, &given->duel, duel, error);
    if (status == RED_OK)
        status = print_and_write_outputs(given, duel, error);
    if (status == RED_OK)
        status = red_duel_exit_status(duel, error);
    if (status == RED_OK && duel->interrupted)
        status = red_fail(error, RED_E_INTERRUPTED, "interrupted; what there is was shown");
    red_duel_clear(duel);
    free(duel);
    return status;
}

const struct red_verb red_verb_duel = {
    .name = "duel",
    .summary = "a gate for CI: two builds, kernels, drivers or environments against each other, live",
    .options = RED_OUTPUT_OPTIONS | RED_BIT(EXPORT) | RED_BIT(REQUIRE),
    .modes =
        (const struct red_mode[]){
            {RED_OPTION_REPLAY, 0},
            {RED_MODE_ALWAYS, RED_SELECTION_OPTIONS | RED_LAUNCH_OPTIONS | RED_BIT(N) | RED_BIT(SEED) |
                                  RED_BIT(PATIENCE) | RED_BIT(DATA_SETS) | RED_BIT(BASE) | RED_BIT(HEAD) |
                                  RED_BIT(BASE_KERNEL) | RED_BIT(HEAD_KERNEL) | RED_BIT(BASE_ENV) |
                                  RED_BIT(HEAD_ENV) | RED_BIT(BASE_DEVICE) | RED_BIT(HEAD_DEVICE) |
                                  RED_BIT(PROFILE) | RED_BIT(POLICY)}},
    .documentation =
        "Measures two live sides in turns, each in processes of its own: two builds (--base, --head), two "
        "kernel files, two environments, two drivers. Stage 1 nominates cells, stage 2 measures those again "
        "and confirms; the chance of any false SLOWER in a whole duel is at most 1 %. Verdicts are SLOWER "
        "(by more than the margin, 2 %), FASTER, SAME, UNDECIDED and UNTRUSTED. The exit status is 1 for a "
        "confirmed SLOWER, 2 for a wrong result of the head, 3 where the head lacks a cell or --require "
        "finds no answer, 5 where the head's driver fails. --output keeps every sample, and --replay judges "
        "them again.\v"
        "Example: clreduce duel --base old/clreduce --head build/clreduce --device pocl --output duel.json\n"
        "Example: clreduce duel --strategy chunk --head-kernel mine.cl --n '2^12,2^20'\n"
        "Example: clreduce duel --base-device pocl --head-device intel --strategy chunk,tree\n"
        "Example: clreduce duel --device pocl --head-env POCL_AFFINITY=1 --profile fast\n"
        "Example: clreduce duel --replay duel.json",
    .run = run_duel,
};
