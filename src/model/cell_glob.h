/* Globs over names of cells, DEVICE/STRATEGY/OPERATION/TYPE/n:N, such as "pocl.0/tree/sum/f32/n:4096"; where
 * a geometry was asked for, it stands before n: .../f32/wg:64/groups:8/lanes:4x2/n:4096, or some of it. */
#ifndef CLREDUCE_MODEL_CELL_GLOB_H
#define CLREDUCE_MODEL_CELL_GLOB_H

#include "core/status.h"

/* Refuses a comma-separated list of globs, as red_select_matches takes it ('*' and '?' stand for '/', too),
 * of which one could match no name of a cell, whatever devices, strategies and sizes there are. Errors:
 * RED_E_INPUT, with what was expected and, where one is near, a glob that may have been meant. */
enum red_status red_cell_glob_check(const char *globs, struct red_error *error);

#endif
