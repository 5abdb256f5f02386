/* A duel in files for other programs (duel --export): the head's times, and the verdicts. */
#include <stdlib.h>

#include "export/export.h"
#include "gate/judge.h"
#include "gate/print.h"

enum { SENTENCE_BYTES = 1024 };

/* The cells of an export, and what they point to. */
struct made {
    struct red_export_cell *cells; /* owned, as are */
    double **samples;              /* and each of these */
    char (*sentences)[SENTENCE_BYTES];
};

static void made_clear(struct made *made, size_t n) {
    for (size_t c = 0; c < n && made->samples != NULL; c++)
        free(made->samples[c]);
    free(made->samples);
    free(made->sentences);
    free(made->cells);
}

/* One sample for each process pair: how long a call of the head takes, in seconds. */
static enum red_status add_times(const struct red_duel *duel, const struct red_duel_cell *cell,
                                 double **samples, struct red_export_cell *to, struct red_error *error) {
    struct red_statistics time;
    *samples = malloc((cell->pairs_n + 1) * sizeof **samples);
    if (*samples == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to export times");
    for (size_t i = 0; i < cell->pairs_n; i++)
        if (red_process_pair_time(&duel->plan, &cell->pairs[i], RED_HEAD, cell->calls,
                                  &(*samples)[to->samples_n]))
            to->samples_n++;
    if (to->samples_n == 0)
        return RED_OK;
    enum red_status status = red_statistics_find(*samples, to->samples_n, &time, error);
    to->samples_s = *samples;
    to->calls_per_sample = cell->calls;
    to->time_s = time.median;
    to->low_s = time.low;
    to->high_s = time.high;
    return status;
}

/* A cell that only the head has is unsupported, not one without a time. */
static enum red_state state_of(const struct red_duel_cell *cell) {
    if (cell->state[RED_HEAD] != RED_STATE_PASS)
        return cell->state[RED_HEAD];
    return cell->state[RED_BASE] == RED_STATE_PASS ? RED_STATE_PASS : RED_STATE_UNSUPPORTED;
}

static void add_verdict(const struct red_duel_cell *cell, const char *sentence, struct red_export_cell *to) {
    const struct red_finding *finding = &cell->finding;
    to->verdict = red_verdict_names[red_code_verdict(finding->code)];
    to->code = red_code_name(finding->code);
    to->sentence = sentence;
    to->ratio = finding->ratio;
    to->ratio_low = finding->low;
    to->ratio_high = finding->high;
    to->fails = red_duel_cell_status(cell) != RED_OK;
}

static enum red_status make(const struct red_duel *duel, struct made *made, struct red_error *error) {
    *made = (struct made){.cells = calloc(duel->cells_n + 1, sizeof *made->cells),
                          .samples = calloc(duel->cells_n + 1, sizeof *made->samples),
                          .sentences = calloc(duel->cells_n + 1, sizeof *made->sentences)};
    if (made->cells == NULL || made->samples == NULL || made->sentences == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to export %zu cells", duel->cells_n);
    enum red_status status = RED_OK;
    for (size_t c = 0; c < duel->cells_n && status == RED_OK; c++) {
        const struct red_duel_cell *cell = &duel->cells[c];
        red_duel_reason_format(cell, made->sentences[c], SENTENCE_BYTES);
        made->cells[c] = (struct red_export_cell){.name = cell->name,
                                                  .device = duel->sides[RED_HEAD].devices[cell->device].id,
                                                  .strategy = cell->strategy[RED_HEAD],
                                                  .op = cell->op->name,
                                                  .type = cell->dtype->name,
                                                  .n = cell->n,
                                                  .state = state_of(cell),
                                                  .reason = made->sentences[c]};
        add_verdict(cell, made->sentences[c], &made->cells[c]);
        if (made->cells[c].state == RED_STATE_PASS)
            status = add_times(duel, cell, &made->samples[c], &made->cells[c], error);
    }
    return status;
}

enum red_status red_duel_export(const struct red_duel *duel, const struct red_output *output,
                                struct red_error *error) {
    struct made made;
    char machine[160];
    if (output->exports_n == 0)
        return RED_OK;
    snprintf(machine, sizeof machine, "%s, %u cores", duel->host.processor, duel->host.cores_n);
    enum red_status status = make(duel, &made, error);
    const struct red_export export = {.title = "clreduce duel",
                                      .command = duel->command,
                                      .started = duel->started,
                                      .machine = machine,
                                      .version = CLREDUCE_VERSION,
                                      .cells = made.cells,
                                      .cells_n = duel->cells_n};
    if (status == RED_OK)
        status = red_exports_write(&export, output->exports, output->exports_n, error);
    made_clear(&made, duel->cells_n);
    return status;
}
