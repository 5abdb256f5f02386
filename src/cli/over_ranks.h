/* What of `bench` and `verify` works over the ranks of an mpirun. */
#ifndef CLREDUCE_CLI_OVER_RANKS_H
#define CLREDUCE_CLI_OVER_RANKS_H

#include "cli/options.h"

/* Joins the other ranks of mpirun, which must have the same version, seed and options but for --device; with
 * the patience that was asked for. Leave with red_ranks_leave. Errors: those of red_ranks_join. */
enum red_status red_options_join_ranks(const struct red_options *given, struct red_ranks *ranks,
                                       struct red_error *error);

/* bench --ranks. Errors, on all ranks alike: those of red_ranks_join and red_scaling_measure; RED_E_WRONG and
 * what else a row's state means. */
enum red_status red_bench_over_ranks(const struct red_options *given, struct red_error *error);

/* verify --ranks. Errors, on all ranks alike: those of red_ranks_join and red_ranks_verify. */
enum red_status red_verify_over_ranks(const struct red_options *given, struct red_error *error);

#endif
