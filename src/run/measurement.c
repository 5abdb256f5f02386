#include "run/measurement.h"

#include <math.h>
#include <stdlib.h>

#include "bench/shim.h"

enum { BATCHES_MAX = 18, BATCHES_MIN = 6, CLOCK_STEPS_MIN = 1000 };

void red_measurement_plan(struct red_measurement *row, double call_s, double budget_s, double clock_step_s) {
    row->call_s = call_s;
    double batch_s = fmax(CLOCK_STEPS_MIN * clock_step_s, budget_s / BATCHES_MAX);
    row->calls = call_s < batch_s ? (uint64_t)(batch_s / call_s) : 1;
    double batches = budget_s / (call_s * (double)row->calls);
    row->batches = batches >= BATCHES_MAX   ? BATCHES_MAX
                   : batches <= BATCHES_MIN ? BATCHES_MIN
                                            : (unsigned)batches;
    row->batches = (row->batches + RED_BLOCKS_N - 1) / RED_BLOCKS_N * RED_BLOCKS_N;
}

double red_measurement_batch_s(const struct red_measurement *row) {
    return row->call_s * (double)(row->calls + red_gbench_untimed(row->calls));
}

bool red_measurement_is_live(const struct red_measurement *row) {
    return row->cell == NULL ? row->batches > 0 : row->cell->state == RED_STATE_PASS;
}

enum red_status red_measurement_make_room(struct red_measurement *row, struct red_error *error) {
    row->samples_room = row->batches;
    row->real_s = calloc(row->samples_room + 1, sizeof *row->real_s);
    row->cpu_s = calloc(row->samples_room + 1, sizeof *row->cpu_s);
    return row->real_s != NULL && row->cpu_s != NULL ? RED_OK
                                                     : red_fail(error, RED_E_MEMORY, "no memory for samples");
}

void red_measurement_clear(struct red_measurement *row) {
    free(row->real_s);
    free(row->cpu_s);
    *row = (struct red_measurement){.cell = NULL};
}
