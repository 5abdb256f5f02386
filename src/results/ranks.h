/* One array over many ranks (bench --ranks, or another program's beside it): what was measured, by whom, and
 * the file of it (results/ranks.schema.json). The room ranks fills it, report and the table on the screen
 * show it. */
#ifndef CLREDUCE_RESULTS_RANKS_H
#define CLREDUCE_RESULTS_RANKS_H

#include <jansson.h>
#include <stdio.h>

#include "results/run.h"

/* ---- who measured -------------------------------------------------------------------------------------- */

/* A rank: one MPI process with one device and its piece of the array. */
struct red_rank {
    char host[64];
    unsigned node; /* the first rank of its host has number 0, the first of the next host 1, ... */
    char device[32], device_name[128], driver[128]; /* device: its id, or "host" */
    unsigned cores_n;                               /* that the process may use */
    double roof_bytes_per_s;                        /* all ranks reading at the same time; 0: not measured */
};

/* ---- what was measured --------------------------------------------------------------------------------- */

/* name in the file, whether a strategy is run, whether a collective is. */
#define RED_RANKS_ROWS(X)                                                                                    \
    X(STRATEGY, "strategy", true, true) /* a kernel on each rank's device, and a collective */               \
    X(HOST, "host", true, true)         /* OpenMP's loop in each rank, and a collective */                   \
    X(PEER, "peer", true, true)         /* another program's reduction over the same ranks */                \
    X(ROOF, "roof", false, false)       /* every rank reads its piece, and nothing is combined */            \
    X(ALONE, "alone", false, true)      /* a collective over values that are there */                        \
    X(BARE, "bare", false, false)       /* MPI_Reduce of 8 bytes */
enum red_ranks_kind {
#define RED_RANKS_ROW_ENUM(id, ...) RED_RANKS_##id,
    RED_RANKS_ROWS(RED_RANKS_ROW_ENUM)
#undef RED_RANKS_ROW_ENUM
        RED_RANKS_KINDS_N
};
extern const char *const red_ranks_kind_names[RED_RANKS_KINDS_N];
bool red_ranks_kind_has_strategy(enum red_ranks_kind kind);
bool red_ranks_kind_has_own_strategy(enum red_ranks_kind kind); /* and no other program's */
bool red_ranks_kind_has_collective(enum red_ranks_kind kind);

/* The parts of a call's time, which add up to it. All times begin as the barrier ends; on one node with its
 * first rank, on several with rank 0, whose clock measures, or with each rank, whose longest time counts
 * where all of them get the value. */
enum red_ranks_part {
    RED_PART_TOTAL,      /* until the value stands on rank 0, of an allreduce on the last rank */
    RED_PART_DEVICE,     /* the ranks' own reductions: their mean */
    RED_PART_IMBALANCE,  /* the longest of these less their mean */
    RED_PART_COLLECTIVE, /* the rest */
    RED_PARTS_N
};
extern const char *const red_part_names[RED_PARTS_N]; /* "total" */

/* Each data set that a row is verified with leaves an answer. */
enum { RED_RANKS_ANSWERS_MAX = 18 };

struct red_ranks_row {
    enum red_ranks_kind kind;
    char strategy[64], collective[32]; /* empty where the kind has none */
    char op[16], type[8];
    uint64_t n;       /* elements of the whole array; 0 of kind BARE and ALONE */
    unsigned ranks_n; /* the first so many ranks */
    bool weak;        /* n grows with the ranks */
    enum red_state state;
    char reason[512];
    unsigned checks_n;                       /* data sets that it was verified with */
    uint64_t answers[RED_RANKS_ANSWERS_MAX]; /* the right ones that rank 0 got, in the order of the data sets,
                                                the timed one last: a result's bits, of places the index */
    size_t answers_n;                        /* 0 of rows that are not verified, and in older files */
    double *samples_s[RED_PARTS_N]; /* owned; per call, one per batch; but for the total NULL where a part
                                       was not measured */
    size_t samples_n;               /* 0 unless the state is pass */
    uint64_t calls_per_sample;
    struct red_statistics time;    /* of samples_s[RED_PART_TOTAL], if samples_n > 0 */
    double medians_s[RED_PARTS_N]; /* of each part */
};

/* Another program's file whose rows stand beside a run's. */
struct red_ranks_peer {
    char path[256], command[512];
    char driver[128]; /* of its first rank: what it was built with */
};

struct red_ranks_run {
    char path[256];   /* that it was read from; cut. Empty otherwise */
    char version[32]; /* of the program that made it; empty: this one */
    char started[32], command[512];
    char mpi[160];        /* the library */
    struct red_host host; /* of rank 0 */
    uint64_t seed;
    char split[8]; /* "equal" or "roof" */
    double time_per_cell_s, wall_s;
    struct red_rank *ranks; /* owned */
    size_t ranks_n;
    struct red_ranks_row *rows; /* owned, in the order in which they are shown */
    size_t rows_n;
    struct red_ranks_peer *peers; /* owned; whose rows stand behind the run's own */
    size_t peers_n;
    size_t own_rows_n; /* if peers_n > 0 */
};

void red_ranks_row_clear(struct red_ranks_row *row);
void red_ranks_run_clear(struct red_ranks_run *run);

/* Computes `time` and `medians_s` from the samples; a row that passed and has none is pending. Errors:
 * RED_E_MEMORY. */
enum red_status red_ranks_row_find_medians(struct red_ranks_row *row, struct red_error *error);

/* Whether there is no answer that a strategy could give: of no elements, the mean, an extreme or its place.
 * Such a row is `unsupported`, with that as its reason, and nothing is wrong with it. */
bool red_ranks_row_has_no_answer(const struct red_ranks_row *row);

/* The median of the row's time; infinite where it has none, and of NULL. */
double red_ranks_row_time_s(const struct red_ranks_row *row);

/* The row of this kind for the same operation, type, n per scaling and number of ranks; NULL if it was not
 * timed. Of kind ROOF what all ranks together need to read the array: the sum of the roofs. */
const struct red_ranks_row *red_ranks_row_beside(const struct red_ranks_run *run,
                                                 const struct red_ranks_row *row, enum red_ranks_kind kind);

/* The same row with one rank: of strong scaling of the same n, of weak scaling of n by the number of ranks.
 * NULL if it was not timed. */
const struct red_ranks_row *red_ranks_row_of_one(const struct red_ranks_run *run,
                                                 const struct red_ranks_row *row);

/* Efficiency against one rank: strong t(1) / (R t(R)), weak t(1) / t(R); share of the roof: t(roof) / t. 0
 * where one of the times is missing; a share that cannot be (RED_ROOF_SHARE_IMPOSSIBLE) is 0, too. */
double red_ranks_row_efficiency(const struct red_ranks_run *run, const struct red_ranks_row *row);
double red_ranks_row_roof_share(const struct red_ranks_run *run, const struct red_ranks_row *row);

/* ---- another program beside it (ranks_peers.c) --------------------------------------------------------- */

/* Whether the file has another program's rows alone: of kinds PEER, at least one, and ALONE. */
bool red_ranks_run_is_of_peer(const struct red_ranks_run *run);

/* Whether such a file belongs beside the run: its ranks have the devices of the run's first ones, by name. */
bool red_ranks_run_fits_peer(const struct red_ranks_run *run, const struct red_ranks_run *peer);

/* Sets its rows beside the run's, and clears it. The same row of two such files becomes one, with the samples
 * of both. Errors: RED_E_MEMORY; the caller clears both in any case. */
enum red_status red_ranks_run_take_peer(struct red_ranks_run *run, struct red_ranks_run *peer,
                                        struct red_error *error);

/* ---- what is shown together ----------------------------------------------------------------------------
 * Functions of the table on the screen and of the report. */

/* Rows of one operation and type whose whole array (strong), or whose piece of each rank (weak), has n
 * elements. With one rank both are the same. */
struct red_scaling {
    const struct red_ranks_run *run; /* borrowed, as the names */
    const char *op, *type;
    bool weak;
    uint64_t n;
    size_t first, end; /* all its rows are among these of the run */
};

/* Finds the next scaling of the run, each once; *at begins with 0. False behind the last one. */
bool red_scaling_next(const struct red_ranks_run *run, size_t *at, struct red_scaling *scaling);

/* The least number of ranks above this one with which the scaling has a row; 0: there is none. */
unsigned red_scaling_ranks_n_above(const struct red_scaling *scaling, unsigned ranks_n);

/* The greatest number of ranks of the run's own rows; of another program's where there are no others. */
unsigned red_scaling_most_ranks_n(const struct red_scaling *scaling);

/* The first row of each line of a table, one after the other: rows of a line have the same kind, strategy and
 * collective. *at begins with 0. NULL behind the last one. */
const struct red_ranks_row *red_scaling_next_line(const struct red_scaling *scaling, size_t *at);

/* The line's row with so many ranks; NULL if there is none. */
const struct red_ranks_row *red_scaling_row(const struct red_scaling *scaling,
                                            const struct red_ranks_row *line, unsigned ranks_n);

/* The time on this many ranks that no more than lines_n lines with a strategy of our own undercut, so that
 * those that take as long or less are the fastest; infinite where there are no more lines. Without memory 0.
 */
double red_scaling_time_of_fastest(const struct red_scaling *scaling, unsigned ranks_n, size_t lines_n);

/* The row of this kind that takes the least time on this many ranks; NULL if none was timed. */
const struct red_ranks_row *red_scaling_fastest(const struct red_scaling *scaling, enum red_ranks_kind kind,
                                                unsigned ranks_n);

/* Whether all numbers of ranks with which the scaling has the line gave the same bits in every data set.
 * Unknown where fewer than two of them have answers or some have more answers than others, and of weak
 * scaling, where each number of ranks has an array of its own. */
enum red_ranks_bits { RED_BITS_UNKNOWN, RED_BITS_SAME, RED_BITS_DIFFER };
enum red_ranks_bits red_scaling_bits(const struct red_scaling *scaling, const struct red_ranks_row *line);

/* ---- the file ------------------------------------------------------------------------------------------ */

/* Writes the run as JSON by way of a temporary file beside `path`. "-" is the standard output. Errors:
 * RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_ranks_run_write(const struct red_ranks_run *run, const char *path,
                                    struct red_error *error);

/* A row as the file has it, and read back from that; for a journal of rows (ranks/resume.c). NULL without
 * memory. False where it is no row of so many ranks or fewer: nothing is kept then. */
json_t *red_ranks_row_json(const struct red_ranks_row *row);
bool red_ranks_row_read(const json_t *from, size_t ranks_n, struct red_ranks_row *row);

/* What such a file says of itself. */
struct red_file_kind;
extern const struct red_file_kind red_ranks_kind;

/* Reads a file from its n bytes. What is read has its medians. Release with red_ranks_run_clear. Errors:
 * RED_E_INPUT naming the member that is not what it must be; RED_E_MEMORY. */
enum red_status red_ranks_run_read(const char *path, const char *text, size_t n, struct red_ranks_run *run,
                                   struct red_error *error);

/* For verbs that have no use for such a file: RED_E_INPUT, naming it and what shows it; RED_OK for any other
 * text. `wanted` is what the verb reads: "a result file of clreduce bench --output". */
enum red_status red_ranks_run_refuse_text(const char *path, const char *text, size_t n, const char *wanted,
                                          struct red_error *error);

#endif
