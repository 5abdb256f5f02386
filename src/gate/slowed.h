/* A kernel that is slower by a known amount: a strategy's own text with a loop in front, whose steps wait for
 * each other and which no compiler can leave out. */
#ifndef CLREDUCE_GATE_SLOWED_H
#define CLREDUCE_GATE_SLOWED_H

#include <stdint.h>

#include "model/strategy.h"

/* Writes the kernel file of a strategy of the catalogue, under its own name, with so many steps in the first
 * work-item of every group, and another number of them for arrays of slowed_n elements. Errors: RED_E_INPUT
 * if there is no such kernel, or the file cannot be written; RED_E_MEMORY. */
enum red_status red_slowed_write(const char *strategy, uint32_t steps, uint64_t slowed_n,
                                 uint32_t slowed_steps, const char *path, struct red_error *error);

#endif
