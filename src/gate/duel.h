/* A duel from its options to its verdicts. */
#ifndef CLREDUCE_GATE_DUEL_H
#define CLREDUCE_GATE_DUEL_H

#include "gate/duel_result.h"
#include "gate/side.h"

/* Copies the selection, with what the user did not choose. selection->n is a copy's where given->n is empty,
 * and then to be released. Errors: RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_duel_complete(const struct red_selection *given, const struct red_duel_options *options,
                                  struct red_selection *selection, struct red_error *error);

/* Fights a duel of a complete selection, and judges it. What the policy holds that is not by default is told
 * on stderr. Release *duel with red_duel_clear, whatever comes. Errors: RED_E_INPUT, RED_E_NO_DEVICE,
 * RED_E_MEMORY; RED_E_INTERRUPTED where nothing had been measured yet. */
enum red_status red_duel_fight(const struct red_selection *selection, const struct red_duel_options *options,
                               struct red_duel *duel, struct red_error *error);

#endif
