/* A run of `bench` in the form that other programs' files are made of. */
#ifndef CLREDUCE_EXPORT_RUN_SUITE_H
#define CLREDUCE_EXPORT_RUN_SUITE_H

#include "export/suite.h"

enum { RED_CELL_NAME_BYTES = 256, RED_ASKED_BYTES = 96 };

struct red_run_export {
    struct red_export export;
    struct red_export_cell *cells;      /* owned */
    char (*names)[RED_CELL_NAME_BYTES]; /* owned, one per cell */
    char machine[160];
};

/* All cells of the run, which must stay as it is until red_run_export_clear. Its roofs are no cells.
 * Errors: RED_E_MEMORY. */
enum red_status red_run_export_make(const struct red_run *run, struct red_run_export *made,
                                    struct red_error *error);
void red_run_export_clear(struct red_run_export *made);

/* What of a geometry was asked for, as it stands in names of cells: "/wg:64/groups:8/lanes:4x2", or "". */
void red_asked_print(const struct red_tuning *asked, char text[RED_ASKED_BYTES]);

/* A cell's name: "pocl/tree/sum/f32/n:1024", "pocl/segment_item/max/i32/segments:30/wg:64/n:7". It holds
 * what the user asked for and nothing that may differ from run to run, as defaults and what tuning finds do:
 * files of two runs are compared by it. `name` needs RED_CELL_NAME_BYTES. */
void red_cell_name_print(const struct red_run *run, const struct red_cell *cell, char *name);

#endif
