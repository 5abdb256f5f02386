#include "export/run_suite.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

void red_asked_print(const struct red_tuning *asked, char text[RED_ASKED_BYTES]) {
    red_tuning_print(asked, (struct red_tuning_words){"/wg:%s", "/groups:%s", "/lanes:%s"}, text,
                     RED_ASKED_BYTES);
}

void red_cell_name_print(const struct red_run *run, const struct red_cell *cell, char *name) {
    struct red_tuning asked = cell->asked;
    char text[RED_ASKED_BYTES];
    enum red_shape_kind kind = run->shape ? run->shape->kind : RED_SHAPE_ARRAY;
    name[0] = '\0';
    red_text_add(name, RED_CELL_NAME_BYTES, "%s/%s/%s/%s", run->devices[cell->device].info.id,
                 cell->strategy->name, cell->op->name, cell->dtype->name);
    if (kind == RED_SHAPE_SEGMENTS)
        red_text_add(name, RED_CELL_NAME_BYTES, "/segments:%llu", (unsigned long long)cell->segments_n);
    if (kind == RED_SHAPE_ITERATE)
        red_text_add(name, RED_CELL_NAME_BYTES, "/iterate:%u", run->shape->calls_n);
    if (cell->tuned) {
        red_text_add(name, RED_CELL_NAME_BYTES, "/wg:tuned");
        asked.group_size = 0;
    }
    red_asked_print(&asked, text);
    red_text_add(name, RED_CELL_NAME_BYTES, "%s", text);
    red_text_add(name, RED_CELL_NAME_BYTES, "/n:%llu", (unsigned long long)cell->n);
}

static struct red_export_cell export_cell(const struct red_run *run, const struct red_cell *cell,
                                          const char *name) {
    unsigned reductions = run->shape ? run->shape->calls_n : 1;
    struct red_export_cell made = {.name = name,
                                   .device = run->devices[cell->device].info.id,
                                   .strategy = cell->strategy->name,
                                   .op = cell->op->name,
                                   .type = cell->dtype->name,
                                   .n = cell->n,
                                   .state = cell->state,
                                   .reason = cell->reason,
                                   .calls_per_sample = cell->calls_per_sample * reductions};
    if (cell->samples_n > 0) {
        made.samples_s = cell->samples_s;
        made.cpu_s = cell->cpu_s;
        made.samples_n = cell->samples_n;
        made.time_s = cell->time.median;
        made.low_s = cell->time.low;
        made.high_s = cell->time.high;
    }
    return made;
}

enum red_status red_run_export_make(const struct red_run *run, struct red_run_export *made,
                                    struct red_error *error) {
    *made = (struct red_run_export){.cells = calloc(run->cells_n + 1, sizeof *made->cells),
                                    .names = calloc(run->cells_n + 1, sizeof *made->names)};
    if (made->cells == NULL || made->names == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to export %zu cells", run->cells_n);
    snprintf(made->machine, sizeof made->machine, "%s, %u cores", run->host.processor, run->host.cores_n);
    for (size_t i = 0; i < run->cells_n; i++) {
        red_cell_name_print(run, &run->cells[i], made->names[i]);
        made->cells[i] = export_cell(run, &run->cells[i], made->names[i]);
    }
    made->export = (struct red_export){.title = "clreduce bench",
                                       .command = run->command,
                                       .started = run->started,
                                       .machine = made->machine,
                                       .version = CLREDUCE_VERSION,
                                       .cells = made->cells,
                                       .cells_n = run->cells_n};
    return RED_OK;
}

void red_run_export_clear(struct red_run_export *made) {
    free(made->cells);
    free(made->names);
    *made = (struct red_run_export){.cells = NULL};
}
