/* What the files of a bout share: gate/loop_prepare.c, gate/loop.c. */
#ifndef CLREDUCE_GATE_LOOP_PRIVATE_H
#define CLREDUCE_GATE_LOOP_PRIVATE_H

#include "gate/loop.h"

/* A launch of fewer rounds is not worth its processes. */
enum { RED_ROUNDS_LEAST = 8 };

struct red_case red_bout_job(const struct red_bout *bout, size_t c, enum red_who who, struct red_probe probe);

/* Verifies the head of a cell that is ready at about 100 other n: few elements, beside whole groups, every
 * remainder modulo 64. Errors: RED_E_WRONG and those of a driver, with the n. */
enum red_status red_bout_beyond(const struct red_bout *bout, size_t c, struct red_error *error);

/* A side of the cell has failed: its state and reason. */
void red_bout_fail(struct red_duel_cell *cell, enum red_who who, const struct red_error *error);

#endif
