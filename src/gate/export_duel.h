/* A duel in the form that other programs' files are made of: the head's times, and the verdicts. */
#ifndef CLREDUCE_GATE_EXPORT_DUEL_H
#define CLREDUCE_GATE_EXPORT_DUEL_H

#include "cli/options.h"
#include "gate/duel_result.h"

/* Writes all that --export asks for. Errors: those of red_exports_write. */
enum red_status red_duel_export(const struct red_duel *duel, const struct red_options *options,
                                struct red_error *error);

#endif
