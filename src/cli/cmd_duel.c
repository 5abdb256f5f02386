/* The verb `duel`: base against head, live. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "core/file.h"
#include "export/export.h"
#include "gate/duel.h"
#include "gate/judge.h"
#include "gate/print.h"

/* The verdicts follow from the samples once more. */
static enum red_status replay(const struct red_duel_options *options, struct red_duel *duel,
                              struct red_error *error) {
    enum red_status status = red_duel_load(options->replay, duel, error);
    for (size_t c = 0; c < duel->cells_n && status == RED_OK; c++)
        duel->cells[c].required = duel->cells[c].required || options->required;
    return status == RED_OK ? red_duel_judge(duel, NULL, error) : status;
}

/* An hour of measuring must not end in a file that cannot be written. */
static enum red_status check_outputs(const struct red_options *options, struct red_error *error) {
    enum red_status status = RED_OK;
    if (options->output.path != NULL)
        status = red_file_check_writable(options->output.path, error);
    return status == RED_OK ? red_exports_check(options->output.exports, options->output.exports_n, error)
                            : status;
}

/* What there is, is written and shown, whatever it says. */
static enum red_status write_outputs(const struct red_options *options, const struct red_duel *duel,
                                     struct red_error *error) {
    enum red_status status = RED_OK;
    bool to_screen = options->output.path != NULL && strcmp(options->output.path, "-") == 0;
    FILE *screen = to_screen || red_exports_take_screen(options->output.exports, options->output.exports_n)
                       ? stderr
                       : stdout;
    if (options->output.path != NULL)
        status = red_duel_write(duel, options->output.path, error);
    if (status == RED_OK && options->output.format == RED_FORMAT_TABLE)
        status = red_duel_show(duel, screen, error);
    else if (status == RED_OK)
        status = red_duel_show_cells(duel, options->output.format, error);
    return status == RED_OK ? red_duel_export(duel, &options->output, error) : status;
}

enum red_status red_cmd_duel(const struct red_options *given, struct red_error *error) {
    struct red_selection selection;
    struct red_duel *duel = calloc(1, sizeof *duel);
    enum red_status status = duel ? red_duel_complete(&given->selection, &given->duel, &selection, error)
                                  : red_fail(error, RED_E_MEMORY, "no memory for a duel");
    if (status == RED_OK)
        status = check_outputs(given, error);
    if (status == RED_OK)
        status = given->duel.replay ? replay(&given->duel, duel, error)
                                    : red_duel_fight(&selection, &given->duel, duel, error);
    if (status == RED_OK)
        status = write_outputs(given, duel, error);
    if (status == RED_OK)
        status = red_duel_verdict(duel, error);
    if (status == RED_OK && duel->interrupted)
        status = red_fail(error, RED_E_INTERRUPTED, "interrupted; what there is was shown");
    if (duel != NULL)
        red_duel_clear(duel);
    free(duel);
    if (given->selection.n.n == 0 && duel != NULL)
        red_sizes_clear(&selection.n);
    return status;
}
