/* Cells over ranks by the number of ranks: scalings, their lines, efficiency against one rank, and another
 * program's cells beside them. The table on the screen (console/ranks_table.h) and the report show it. */
#ifndef CLREDUCE_RESULTS_SCALINGS_H
#define CLREDUCE_RESULTS_SCALINGS_H

#include "results/result.h"

/* The cells of a run over ranks, and those that stand beside them, in the order in which they are shown; and,
 * behind them, other programs'. */
struct red_ranks_pivot {
    const struct red_run *run;     /* borrowed, as all cells but `joined` */
    const struct red_cell **cells; /* owned */
    size_t cells_n, own_n;         /* own_n: of the run itself */
    const struct red_cell **by_at; /* owned: the same, by kind and axes */
    struct red_cell *joined;       /* owned: the same cell of several files of another program as one */
    size_t joined_n;
};

/* Makes the pivot of a run, and sets the cells of peers_n files of another program beside it; the same cell
 * of two such files becomes one, with the samples of both. Release with _clear, in any case. Errors:
 * RED_E_MEMORY. */
enum red_status red_ranks_pivot_make(const struct red_run *run, const struct red_result *peers,
                                     size_t peers_n, struct red_ranks_pivot *pivot, struct red_error *error);
void red_ranks_pivot_clear(struct red_ranks_pivot *pivot);

/* Whether another program's run belongs beside this one, which is ours: its ranks have the devices of our
 * first ones, by name. */
bool red_ranks_run_fits_peer(const struct red_run *run, const struct red_run *peer);

/* ---- cells that belong together ------------------------------------------------------------------------ */

/* The median of the cell's time; infinite where it has none, and of NULL. */
double red_ranks_cell_time_s(const struct red_cell *cell);

/* MPI_Reduce of 8 bytes over as many ranks; NULL if it was not timed. */
const struct red_cell *red_ranks_bare_beside(const struct red_ranks_pivot *pivot,
                                             const struct red_cell *cell);

/* The same cell with one rank: of strong scaling of the same n, of weak scaling of n by the number of ranks.
 * NULL if it was not timed. */
const struct red_cell *red_ranks_cell_of_one(const struct red_ranks_pivot *pivot,
                                             const struct red_cell *cell);

/* Efficiency against one rank: strong t(1) / (R t(R)), weak t(1) / t(R); share of the roof: t(roof) / t, by
 * what the same ranks need to read the same array. 0 where one of the times is missing; a share that cannot
 * be (RED_ROOF_SHARE_IMPOSSIBLE) is 0, too. */
double red_ranks_efficiency(const struct red_ranks_pivot *pivot, const struct red_cell *cell);
double red_ranks_roof_share(const struct red_ranks_pivot *pivot, const struct red_cell *cell);

/* ---- what is shown together ---------------------------------------------------------------------------- */

/* Cells of one operation and type whose whole array (strong), or whose piece of each rank (weak), has n
 * elements. With one rank both are the same. */
struct red_scaling {
    const struct red_ranks_pivot *pivot; /* borrowed */
    struct red_at at;                    /* axes RED_AT_TABLE; what is a pointer is borrowed */
    bool weak;
    uint64_t n;
    size_t first, end; /* all its cells are among these of the pivot */
};

/* Finds the next scaling, each once; *at begins with 0. False behind the last one. */
bool red_scaling_next(const struct red_ranks_pivot *pivot, size_t *at, struct red_scaling *scaling);

/* Whether there is no larger n of the same operation, type and way of scaling. */
bool red_scaling_is_largest(const struct red_scaling *scaling);

/* The least number of ranks above this one with which the scaling has a cell; 0: there is none. */
unsigned red_scaling_ranks_n_above(const struct red_scaling *scaling, unsigned ranks_n);

/* The greatest number of ranks of the run's own cells; of another program's where there are no others. */
unsigned red_scaling_most_ranks_n(const struct red_scaling *scaling);

/* The first cell of each line of a table, one after the other: cells of a line have the same kind, strategy
 * and collective. *at begins with 0. NULL behind the last one. */
const struct red_cell *red_scaling_next_line(const struct red_scaling *scaling, size_t *at);

/* The line's cell with so many ranks; NULL if there is none. */
const struct red_cell *red_scaling_cell(const struct red_scaling *scaling, const struct red_cell *line,
                                        unsigned ranks_n);

/* The time on this many ranks that no more than lines_n lines with a strategy of our own undercut, so that
 * those that take as long or less are the fastest; infinite where there are no more lines. Without memory 0.
 */
double red_scaling_time_of_fastest(const struct red_scaling *scaling, unsigned ranks_n, size_t lines_n);

/* The cell of a strategy on the ranks' devices, not banned, that takes the least time on this many ranks, and
 * another program's; NULL if none was timed. */
const struct red_cell *red_scaling_fastest(const struct red_scaling *scaling, unsigned ranks_n);
const struct red_cell *red_scaling_fastest_peer(const struct red_scaling *scaling, unsigned ranks_n);

/* Whether all numbers of ranks with which the scaling has the line gave the same bits in every data set.
 * Unknown where fewer than two of them have answers or some have more answers than others, and of weak
 * scaling, where each number of ranks has an array of its own. */
enum red_ranks_bits { RED_BITS_UNKNOWN, RED_BITS_SAME, RED_BITS_DIFFER };
enum red_ranks_bits red_scaling_bits(const struct red_scaling *scaling, const struct red_cell *line);

#endif
