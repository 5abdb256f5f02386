/* What the screen shows of one array over many ranks (bench --ranks), and the words for it, which the report
 * repeats. */
#ifndef CLREDUCE_CONSOLE_RANKS_TABLE_H
#define CLREDUCE_CONSOLE_RANKS_TABLE_H

#include <stdio.h>

#include "console/table.h"
#include "core/text.h"
#include "results/scalings.h"

/* Prints all of a run over ranks: who measured; for each scaling times, efficiencies, shares of the roof and
 * the parts of a call's time; the collectives alone; what did not pass, and why; and a sentence for each
 * operation, type and way of scaling. */
void red_ranks_pivot_print(const struct red_ranks_pivot *pivot, FILE *out);

/* "1.23 ms", of any time, below half a nanosecond "0 us"; "0.97" of a share, "-" of 0, which is unknown; "1
 * rank", "8 ranks". */
struct red_short_text red_time_text(double seconds);
struct red_short_text red_share_text(double share);
struct red_short_text red_ranks_text(unsigned ranks_n);

/* "sum of f32, strong scaling, n = 2^26 in all" or "..., weak scaling, n = 2^26 for each rank". */
struct red_short_text red_scaling_title(const struct red_scaling *scaling);

/* Writes how much faster the most ranks are than one, with the strategy and collective that are the fastest
 * with them, and how long another program takes; where times cannot be compared that; "" where nothing has a
 * time. */
void red_scaling_sentence_format(const struct red_scaling *scaling, char *text, size_t text_bytes);

/* ---- tables --------------------------------------------------------------------------------------------
 * The caller destroys them. */

/* Where the ranks are: a row for each host, device and driver. */
struct red_table *red_ranks_devices_table(const struct red_over_ranks *run);

/* Times, efficiencies and shares of the roof: a row for each strategy and collective, but for more than
 * lines_max only for the fastest on the most ranks; columns for each number of ranks above *ranks_n, which
 * becomes the last one that fits into so many characters. */
struct red_table *red_scaling_times_table(const struct red_scaling *scaling, size_t width, size_t lines_max,
                                          unsigned *ranks_n);

/* The parts of a call's time with so many ranks, of the same lines; of strong scaling of a sum of floats also
 * whether all numbers of ranks gave the same bits, where that is known of a line. */
struct red_table *red_scaling_parts_table(const struct red_scaling *scaling, size_t lines_max,
                                          unsigned ranks_n);

/* Writes what the column `bits` says: "" where there is none. */
void red_scaling_bits_format(const struct red_scaling *scaling, char *text, size_t text_bytes);

/* Writes how many lines are not shown with so many; "" where all are. */
void red_scaling_left_out_format(const struct red_scaling *scaling, size_t lines_max, char *text,
                                 size_t text_bytes);

/* The collectives alone beside MPI_Reduce of 8 bytes: on the most ranks alone where those on all would be too
 * many rows. */
struct red_table *red_ranks_collectives_table(const struct red_ranks_pivot *pivot);

/* What did not pass, a row for all that ended alike, with the reason. */
struct red_table *red_ranks_faults_table(const struct red_ranks_pivot *pivot);

#endif
