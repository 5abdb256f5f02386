/* What `duel` prints: the sides, the table of verdicts and the counts, or the table as CSV or JSON; and its
 * exit status; and the files of --export. cli/cmd_duel.c hands in the duel, which has just been measured, or
 * was read from a file (--replay). */
#include "gate/duel.h"

#include <stdio.h>
#include <stdlib.h>

#include "console/console_table.h"
#include "console/table.h"
#include "core/memory.h"
#include "core/text.h"
#include "export/export.h"

enum { TEXT_BYTES = 96 };

/* ---- words --------------------------------------------------------------------------------------------- */

/* The state of the first side that did not pass, for which the cell was not measured, with its reason. False,
 * and nothing is written, if both passed. */
static bool unmeasured_side_format(const struct red_duel_cell *cell, char *text, size_t text_bytes) {
    for (int who = 0; who < RED_WHO_N; who++)
        if (cell->state[who] != RED_STATE_PASS && cell->reason[who][0] != '\0') {
            snprintf(text, text_bytes, "%s %s: %.400s", red_who_names[who], red_state_name(cell->state[who]),
                     cell->reason[who]);
            return true;
        }
    return false;
}

/* Writes what would have confirmed a difference that was not confirmed, or what may narrow an interval that
 * is too wide; for other codes their words, and how many rounds were dropped. `change` is the
 * ratio in words. */
static void undecided_or_untrusted_format(const struct red_duel_cell *cell, const char *change, char *text,
                                          size_t text_bytes) {
    const struct red_finding *finding = &cell->finding;
    /* The interval is of 95 %, of this cell alone; a confirmation is of 99 %, over all cells and looks. */
    bool lies_beyond =
        finding->ratio > 1 ? finding->low > 1 + cell->margin : finding->high < 1 / (1 + cell->margin);
    if (finding->code == RED_CODE_NOT_CONFIRMED)
        snprintf(text, text_bytes,
                 "%s in all %zu launches of stage 2, which is not confirmed%s: p = %.2g against %g %%, and "
                 "%.2g or "
                 "less confirms; fewer cells, a quieter machine, or --profile full where it was fast, may "
                 "confirm it",
                 change, finding->pairs_n, lies_beyond ? ", though the interval lies beyond the margin" : "",
                 finding->p, 100 * cell->margin, finding->level);
    else if (finding->code == RED_CODE_PAIRS)
        snprintf(
            text, text_bytes,
            "%s in all %zu launches of stage 1, not within %g %%: a larger margin, a quieter machine, or "
            "--profile full where it was fast, decides",
            change, finding->pairs_n, 200 * cell->margin);
    else if (finding->code == RED_CODE_BUDGET && finding->ratio > 0)
        snprintf(text, text_bytes,
                 finding->nominated
                     ? "%s in %.3g s; the cell's %.3g s and what other cells left are used up: "
                       "a larger budget in --policy may decide"
                     : "%s in %.3g s; the half of the cell's %.3g s that stage 1 may take is "
                       "used up: a larger budget in --policy may decide",
                 change, cell->spent_s, cell->budget_s);
    else
        snprintf(text, text_bytes, "%s; %zu of %zu rounds dropped", red_verdict_code_words(finding->code),
                 finding->blocks_n - finding->dropped_n[RED_DROP_NONE], finding->blocks_n);
}

/* Writes all of the reason but a quarantine. */
static void reason_without_quarantine_format(const struct red_duel_cell *cell, char *text,
                                             size_t text_bytes) {
    const struct red_finding *finding = &cell->finding;
    enum red_duel_verdict verdict = red_verdict_of_code(finding->code);
    char change[TEXT_BYTES]; /* "+5.2 % (+4.1 to +6.3 %)": by how much the head's time differs */
    snprintf(change, sizeof change, "%+.1f %% (%+.1f to %+.1f %%)", 100 * (finding->ratio - 1),
             100 * (finding->low - 1), 100 * (finding->high - 1));
    if (unmeasured_side_format(cell, text, text_bytes))
        return;
    if (verdict == RED_SLOWER || verdict == RED_FASTER)
        snprintf(text, text_bytes, "%s in %zu launches of stage 2; p = %.2g against %g %%, of %.2g allowed",
                 change, finding->pairs_n, finding->p, 100 * cell->margin, finding->level);
    else if (verdict == RED_SAME)
        snprintf(text, text_bytes, "%s, within %g %%", change, 200 * cell->margin);
    else
        undecided_or_untrusted_format(cell, change, text, text_bytes);
}

/* Writes why the cell has its verdict: "+5.2 % (+4.1 to +6.3 %) in 10 launches of stage 2; ...": the column
 * "why", the message of the exit status, the sentence of an export. */
static void reason_format(const struct red_duel_cell *cell, char *text, size_t text_bytes) {
    reason_without_quarantine_format(cell, text, text_bytes);
    if (cell->quarantine[0] != '\0')
        red_text_add(text, text_bytes, " (quarantined until %s: %s)", cell->until, cell->quarantine);
}

/* ---- the table ----------------------------------------------------------------------------------------- */

/* Adds the row of a cell to the table of verdicts. */
static void add_cell_row(struct red_table *table, const struct red_duel_cell *cell) {
    const struct red_finding *finding = &cell->finding;
    char ratio[TEXT_BYTES] = "", why[800] = "";
    bool is_plain = finding->code == RED_CODE_WITHIN && cell->quarantine[0] == '\0';
    bool has_times = finding->time_s[RED_BASE] > 0 && finding->time_s[RED_HEAD] > 0;
    red_table_put(table, "%s", cell->name);
    for (int who = 0; who < RED_WHO_N; who++)
        red_table_put(table, "%s", has_times ? red_number_text(1e6 * finding->time_s[who]).text : "");
    if (finding->ratio > 0)
        snprintf(ratio, sizeof ratio, "%.3f (%.3f-%.3f)", finding->ratio, finding->low, finding->high);
    if (!is_plain)
        reason_format(cell, why, sizeof why);
    RED_PUT(table, ratio, red_verdict_names[red_verdict_of_code(finding->code)],
            red_verdict_code_name(finding->code), why);
}

/* The table of verdicts; what fails the duel comes first. Release with red_table_destroy. */
static struct red_table *make_table(const struct red_duel *duel) {
    static const enum red_duel_verdict order[RED_VERDICTS_N] = {
        RED_WRONG, RED_BROKEN, RED_FAILED, RED_SLOWER, RED_UNTRUSTED, RED_UNDECIDED, RED_FASTER, RED_SAME};
    struct red_table *table = red_table_create("cell|base us>|head us>|head : base>|verdict|code|why!");
    for (size_t i = 0; i < RED_VERDICTS_N; i++)
        for (size_t c = 0; c < duel->cells_n; c++)
            if (red_verdict_of_code(duel->cells[c].finding.code) == order[i])
                add_cell_row(table, &duel->cells[c]);
    return table;
}

/* For --format csv and json. */
enum red_status red_duel_print_cells(const struct red_duel *duel, enum red_format format,
                                     struct red_error *error) {
    struct red_table *table = make_table(duel);
    enum red_status status = red_table_write(table, format, NULL, error);
    red_table_destroy(table);
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* Prints "head: this program, kernel mine.cl; pocl (driver 3.1)" above the table. */
static void print_side(const struct red_duel *duel, enum red_who who, FILE *out) {
    const struct red_duel_side_record *side = &duel->sides[who];
    red_text_print(out, "%s: %s", red_who_names[who], side->program[0] ? side->program : "this program");
    if (side->kernel[0])
        red_text_print(out, ", kernel %s", side->kernel);
    if (side->environment[0])
        red_text_print(out, ", with %s", side->environment);
    for (size_t d = 0; d < duel->devices_n; d++)
        red_text_print(out, "%s%s (driver %s)", d ? ", " : "; ", side->devices[d].id,
                       side->devices[d].driver);
    fputc('\n', out);
}

/* Prints "4 cells in 8 s: 3 FASTER, 1 SAME" and what SLOWER means below the table. */
static void print_counts_and_alpha(const struct red_duel *duel, FILE *out) {
    size_t counts[RED_VERDICTS_N] = {0};
    for (size_t c = 0; c < duel->cells_n; c++)
        counts[red_verdict_of_code(duel->cells[c].finding.code)]++;
    fprintf(out, "\n%zu cell%s in %.0f s:", duel->cells_n, duel->cells_n == 1 ? "" : "s", duel->wall_s);
    for (int verdict = 0, told = 0; verdict < RED_VERDICTS_N; verdict++)
        if (counts[verdict] > 0)
            fprintf(out, "%s %zu %s", told++ ? "," : "", counts[verdict], red_verdict_names[verdict]);
    if (duel->to_check_n[RED_BASE] + duel->to_check_n[RED_HEAD] > 0)
        fprintf(
            out,
            "\nResults were checked at %zu of %zu n of the base and at %zu of %zu n of the head; clreduce "
            "verify checks more.",
            duel->checked_n[RED_BASE], duel->to_check_n[RED_BASE], duel->checked_n[RED_HEAD],
            duel->to_check_n[RED_HEAD]);
    fprintf(
        out,
        "\nBy design the chance of any false SLOWER in all of it is at most %g %%; SLOWER is by more than "
        "the margin (2 %% unless a policy says otherwise).\n",
        100 * duel->plan.alpha);
}

/* For --format table. */
enum red_status red_duel_print(const struct red_duel *duel, FILE *out, struct red_error *error) {
    struct red_table *table = make_table(duel);
    for (int who = 0; who < RED_WHO_N; who++)
        print_side(duel, (enum red_who)who, out);
    fputc('\n', out);
    red_table_print(table, out);
    print_counts_and_alpha(duel, out);
    red_table_destroy(table);
    return red_memory_check(error);
}

/* ---- the exit status ----------------------------------------------------------------------------------- */

/* What the cell contributes to the exit status: RED_OK, RED_E_SLOWER, the failure of the head, or
 * RED_E_UNDECIDED where the head lacks it, or where it is required and has no verdict. A quarantined cell
 * contributes nothing. Where the base alone fails there is no verdict, and no failure of the head. A required
 * cell fails where it is over budget, but not where neither side can run it. */
static enum red_status exit_status_of_cell(const struct red_duel_cell *cell) {
    enum red_verdict_code code = cell->finding.code;
    enum red_status failure = red_state_status(cell->state[RED_HEAD]);
    if (failure == RED_E_BUILD) /* is a finding about the head here, and no bad usage */
        failure = RED_E_DEVICE;
    if (cell->quarantine[0] != '\0')
        return RED_OK;
    if (failure != RED_OK)
        return failure;
    if (code == RED_CODE_CONFIRMED_SLOWER)
        return RED_E_SLOWER;
    bool open = code != RED_CODE_CONFIRMED_FASTER && code != RED_CODE_WITHIN;
    bool late =
        cell->state[RED_BASE] == RED_STATE_OVER_BUDGET || cell->state[RED_HEAD] == RED_STATE_OVER_BUDGET;
    bool none = code == RED_CODE_NEW || (code == RED_CODE_NOT_RUN && !late);
    return code == RED_CODE_MISSING || (cell->required && open && !none) ? RED_E_UNDECIDED : RED_OK;
}

/* The message stands on stderr when all else is printed and written. */
enum red_status red_duel_exit_status(const struct red_duel *duel, struct red_error *error) {
    bool measured = false;
    struct red_worst worst = {.status = RED_OK};
    for (size_t c = 0; c < duel->cells_n; c++) {
        red_worst_add(&worst, exit_status_of_cell(&duel->cells[c]), c);
        measured = measured || duel->cells[c].pairs_n > 0;
    }
    if (worst.status != RED_OK) {
        const struct red_duel_cell *told = &duel->cells[worst.at];
        char why[600];
        reason_format(told, why, sizeof why);
        return red_fail(error, worst.status, "%s: %s: %s%s",
                        red_verdict_names[red_verdict_of_code(told->finding.code)], told->name, why,
                        red_and_more_text(worst.alike_n - 1).text);
    }
    return measured || duel->interrupted
               ? RED_OK
               : red_fail(error, RED_E_NO_DEVICE, "nothing could be measured; the reasons stand above");
}

/* ---- export ----------------------------------------------------------------------------------------------
 * A duel in files for other programs (duel --export): the times of the head, and the verdicts. */

enum { SENTENCE_BYTES = 1024 };

/* The cells of an export, and what they point to; all owned. */
struct export_cells {
    struct red_export_cell *cells;
    double *samples; /* of all cells, one behind the other */
    char (*sentences)[SENTENCE_BYTES];
};

/* Adds a sample for each process pair of the cell: how long a call of the head takes, in seconds. `samples`
 * has room for them. */
static enum red_status add_head_times(const struct red_duel *duel, const struct red_duel_cell *cell,
                                      double *samples, struct red_export_cell *to, struct red_error *error) {
    struct red_statistics time;
    for (size_t i = 0; i < cell->pairs_n; i++)
        to->samples_n += red_process_pair_export_time(&duel->plan, &cell->pairs[i], RED_HEAD, cell->calls,
                                                      &samples[to->samples_n]);
    if (to->samples_n == 0)
        return RED_OK;
    enum red_status status = red_statistics_find(samples, to->samples_n, &time, error);
    to->samples_s = samples;
    to->calls_per_sample = cell->calls;
    to->time_s = time.median;
    to->low_s = time.low;
    to->high_s = time.high;
    return status;
}

/* Makes a cell of the export of each cell of the duel: the head's times, the verdict and its sentence. */
static enum red_status export_cells_make(const struct red_duel *duel, struct export_cells *export,
                                         struct red_error *error) {
    size_t samples_n = 0;
    for (size_t c = 0; c < duel->cells_n; c++)
        samples_n += duel->cells[c].pairs_n;
    *export = (struct export_cells){.cells = calloc(duel->cells_n + 1, sizeof *export->cells),
                                    .samples = calloc(samples_n + 1, sizeof *export->samples),
                                    .sentences = calloc(duel->cells_n + 1, sizeof *export->sentences)};
    if (export->cells == NULL || export->samples == NULL || export->sentences == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to export %zu cells", duel->cells_n);
    enum red_status status = RED_OK;
    double *samples = export->samples;
    for (size_t c = 0; c < duel->cells_n && status == RED_OK; c++) {
        const struct red_duel_cell *cell = &duel->cells[c];
        const struct red_finding *finding = &cell->finding;
        enum red_state state = cell->state[RED_HEAD];
        if (state == RED_STATE_PASS && cell->state[RED_BASE] != RED_STATE_PASS)
            state = RED_STATE_UNSUPPORTED; /* the base lacks it, so it was not timed */
        reason_format(cell, export->sentences[c], SENTENCE_BYTES);
        export->cells[c] =
            (struct red_export_cell){.name = cell->name,
                                     .device = duel->sides[RED_HEAD].devices[cell->device].id,
                                     .strategy = cell->strategy[RED_HEAD],
                                     .op = cell->at.op->name,
                                     .type = cell->at.dtype->name,
                                     .n = cell->at.n,
                                     .state = state,
                                     .reason = export->sentences[c],
                                     .verdict = red_verdict_names[red_verdict_of_code(finding->code)],
                                     .code = red_verdict_code_name(finding->code),
                                     .sentence = export->sentences[c],
                                     .ratio = finding->ratio,
                                     .ratio_low = finding->low,
                                     .ratio_high = finding->high,
                                     .fails = exit_status_of_cell(cell) != RED_OK};
        if (export->cells[c].state == RED_STATE_PASS)
            status = add_head_times(duel, cell, samples, &export->cells[c], error);
        samples += cell->pairs_n;
    }
    return status;
}

/* src/export makes the files. */
enum red_status red_duel_export(const struct red_duel *duel, const struct red_output *output,
                                struct red_error *error) {
    struct export_cells made;
    char machine[160];
    if (output->exports_n == 0)
        return RED_OK;
    red_host_processor_format(&duel->host, machine, sizeof machine);
    enum red_status status = export_cells_make(duel, &made, error);
    const struct red_export export = {.title = "clreduce duel",
                                      .command = duel->command,
                                      .started = duel->started,
                                      .machine = machine,
                                      .version = CLREDUCE_VERSION,
                                      .cells = made.cells,
                                      .cells_n = duel->cells_n};
    if (status == RED_OK)
        status = red_exports_write(&export, output->exports, output->exports_n, error);
    free(made.cells);
    free(made.samples);
    free(made.sentences);
    return status;
}
