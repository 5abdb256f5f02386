/* A duel in the form that other programs' files are made of: the head's times, and the verdicts. */
#ifndef CLREDUCE_BENCH_DUEL_EXPORT_H
#define CLREDUCE_BENCH_DUEL_EXPORT_H

#include "bench/options.h"
#include "record/duel.h"

/* Writes all that --export asks for. Errors: those of red_exports_write. */
enum red_status red_duel_export(const struct red_duel *duel, const struct red_options *options,
                                struct red_error *error);

#endif
