#include "bench/row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/shim.h"

enum { BATCHES_MAX = 18, BATCHES_MIN = 6, CLOCK_STEPS_MIN = 1000 };

void red_row_plan(struct red_row *row, double call_s, double budget_s, double clock_step_s) {
    row->call_s = call_s;
    double batch_s = fmax(CLOCK_STEPS_MIN * clock_step_s, budget_s / BATCHES_MAX);
    row->calls = call_s < batch_s ? (uint64_t)(batch_s / call_s) : 1;
    double batches = budget_s / (call_s * (double)row->calls);
    row->batches = batches >= BATCHES_MAX   ? BATCHES_MAX
                   : batches <= BATCHES_MIN ? BATCHES_MIN
                                            : (unsigned)batches;
    row->batches = (row->batches + RED_ROUNDS_N - 1) / RED_ROUNDS_N * RED_ROUNDS_N;
}

double red_row_batch_s(const struct red_row *row) {
    return row->call_s * (double)(row->calls + red_gbench_untimed(row->calls));
}

bool red_row_is_live(const struct red_row *row) {
    return row->cell == NULL ? row->batches > 0 : row->cell->state == RED_STATE_PASS;
}

enum red_status red_row_make_room(struct red_row *row, struct red_error *error) {
    row->samples_room = row->batches;
    row->real_s = calloc(row->samples_room + 1, sizeof *row->real_s);
    row->cpu_s = calloc(row->samples_room + 1, sizeof *row->cpu_s);
    return row->real_s != NULL && row->cpu_s != NULL ? RED_OK
                                                     : red_fail(error, RED_E_MEMORY, "no memory for samples");
}

void red_row_clear(struct red_row *row) {
    free(row->real_s);
    free(row->cpu_s);
    *row = (struct red_row){.cell = NULL};
}

/* "wg:256", and what else the user asked for. What tuning finds may differ from run to run, and a name must
 * not: rows of two runs are compared by it. */
static void choice_print(const struct red_cell *cell, char *text, size_t text_bytes) {
    const struct red_tuning *asked = &cell->asked;
    char group_size[24] = "tuned", groups[32] = "", lanes[32] = "";
    if (!cell->tuned)
        snprintf(group_size, sizeof group_size, "%zu", cell->geometry.group_size);
    if (asked->groups_n > 0)
        snprintf(groups, sizeof groups, "/groups:%llu", (unsigned long long)asked->groups_n);
    if (asked->width > 0)
        snprintf(lanes, sizeof lanes, "/lanes:%ux%u", asked->width, asked->loads);
    snprintf(text, text_bytes, "wg:%s%s%s", group_size, groups, lanes);
}

void red_row_print(const struct red_run *run, const struct red_row *row, char *name, size_t name_bytes) {
    const char *device = run->devices[row->device].info.id;
    const struct red_cell *cell = row->cell;
    char choice[80];
    if (cell == NULL) {
        snprintf(name, name_bytes, "%s/roof/%llu_bytes/form:%u", device,
                 (unsigned long long)(row->job.data.n * row->job.data.segments_n *
                                      row->job.data.dtype->size_bytes),
                 row->job.form);
        return;
    }
    choice_print(cell, choice, sizeof choice);
    snprintf(name, name_bytes, "%s/%s/%s/%s/%s/n:%llu", device, cell->strategy->name, cell->op->name,
             cell->dtype->name, choice, (unsigned long long)cell->n);
}
