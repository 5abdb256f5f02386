/* The verb `duel`: measures two builds, kernels or drivers, base and head, in turns, and prints a verdict on
 * each cell. Here are a duel's data (plan, cells with every sample, findings), its run, its file, its
 * verdicts, which follow from these data alone, its two sides, and what is printed.
 *
 * Base and head are measured alternately. A block is some batches of calls of each side, with reference
 * workloads before, between and after; some blocks are measured between two re-layouts, which move all data
 * to other memory; a process pair is one fresh process of each side with a few re-layouts. The file and what
 * is printed say round, epoch and launch for block, re-layout and process pair. */
#ifndef CLREDUCE_GATE_DUEL_H
#define CLREDUCE_GATE_DUEL_H

#include <stdio.h>

#include "core/file.h"
#include "core/interrupt.h"
#include "model/catalogue.h"
#include "results/run.h"
#include "run/session.h"
#include "worker/client.h"

enum red_who { RED_BASE, RED_HEAD, RED_WHO_N };
extern const char *const red_who_names[RED_WHO_N];

/* Reference workloads, which depend on neither side: a spin loop, a sweep over memory, and on a GPU a chain
 * of dependent steps. Where one takes another time than a moment ago, the machine has changed. */
enum red_reference_workload { RED_WORKLOAD_SPIN, RED_WORKLOAD_SWEEP, RED_WORKLOAD_CHAIN, RED_WORKLOADS_N };

/* Workloads are timed in three slots: 0 before the first side, 1 between the sides, 2 after the second. */
enum { RED_WORKLOAD_TIMES_N = 3, RED_BLOCK_BATCHES_MAX = 8 };

/* Why a block does not count, for either side. */
enum red_drop {
    RED_DROP_NONE,
    RED_DROP_WORKLOADS, /* a workload changed by more than the plan allows */
    RED_DROP_CLOCK,     /* a worker's readings do not lie between this program's */
    RED_DROP_SUSPENDED, /* the system slept */
    RED_DROPS_N
};
extern const char *const red_drop_names[RED_DROPS_N];

struct red_block {
    enum red_who first;                                  /* which side was measured first */
    unsigned batches_n;                                  /* as many as the plan has */
    uint64_t batch_ns[RED_WHO_N][RED_BLOCK_BATCHES_MAX]; /* all batches; the first one, after the switch, does
                                                            not count */
    uint64_t workload_ns[RED_WORKLOADS_N][RED_WORKLOAD_TIMES_N]; /* by slot; 0: not timed */
    enum red_drop drop;                                          /* CLOCK, SUSPENDED: found while measuring */
};

/* What one process pair measured of one cell. */
struct red_process_pair {
    unsigned stage;           /* 1 or 2 */
    unsigned number;          /* of the pair, from 0 over the whole duel; on every device the same */
    enum red_who first;       /* which side's process was started first */
    struct red_block *blocks; /* owned */
    size_t blocks_n;
};

enum red_duel_verdict {
    RED_UNTRUSTED,
    RED_SLOWER,
    RED_UNDECIDED,
    RED_FASTER,
    RED_SAME,
    RED_WRONG,
    RED_BROKEN,
    RED_FAILED,
    RED_VERDICTS_N
};
extern const char *const red_verdict_names[RED_VERDICTS_N];

/* Why a verdict is what it is.
 * X(identifier, code, verdict, for people) */
#define RED_CODES(X)                                                                                         \
    X(CONFIRMED_SLOWER, "confirmed-slower", SLOWER, "slower, in two independent stages")                     \
    X(CONFIRMED_FASTER, "confirmed-faster", FASTER, "faster, in two independent stages")                     \
    X(WITHIN, "within", SAME, "the interval lies within twice the margin")                                   \
    X(NOT_CONFIRMED, "not-confirmed", UNDECIDED, "stage 1 saw a difference that stage 2 did not confirm")    \
    X(PAIRS, "launches-spent", UNDECIDED, "the interval is still too wide after all planned launches")       \
    X(BUDGET, "budget", UNDECIDED, "the budget was used up before enough launches were made to decide")      \
    X(INTERRUPTED, "interrupted", UNDECIDED, "the duel was interrupted")                                     \
    X(FEW_PAIRS, "few-launches", UNTRUSTED, "too few launches had enough good rounds")                       \
    X(WORKLOADS, "controls-moved", UNTRUSTED,                                                                \
      "the controls, which are neither side's, moved in most rounds")                                        \
    X(CLOCK, "clock", UNTRUSTED, "the sides' clock readings do not fit this program's")                      \
    X(SUSPENDED, "suspended", UNTRUSTED, "the system was suspended again and again")                         \
    X(UNSTEADY, "unsteady", UNTRUSTED, "the ratio changes within launches")                                  \
    X(DRIFT, "drift", UNTRUSTED, "the ratio changes from one launch on")                                     \
    X(WRONG, "wrong", WRONG, "a result was wrong")                                                           \
    X(BUILD_FAILED, "build-failed", BROKEN, "a kernel does not build")                                       \
    X(FAILED, "failed", FAILED, "an OpenCL call failed")                                                     \
    X(CRASHED, "crashed", FAILED, "a driver ended its process")                                              \
    X(TIMED_OUT, "timed-out", FAILED, "no answer")                                                           \
    X(MISSING, "missing", UNTRUSTED, "the base has this cell, the head has not")                             \
    X(NEW, "new", UNDECIDED, "the head has this cell, the base has not")                                     \
    X(NOT_RUN, "not-run", UNDECIDED, "it can run on neither side, or takes too long")

enum red_verdict_code {
#define RED_CODE_ENUM(id, ...) RED_CODE_##id,
    RED_CODES(RED_CODE_ENUM)
#undef RED_CODE_ENUM
        RED_CODES_N
};
const char *red_verdict_code_name(enum red_verdict_code code);
/* The reason in words; `duel` prints it where the verdict has no figures of its own (gate/print.c). */
const char *red_verdict_code_words(enum red_verdict_code code);
enum red_duel_verdict red_verdict_of_code(enum red_verdict_code code);

/* The verdict on a cell with its figures (red_duel_judge). Ratios are the head's times by the base's. */
struct red_finding {
    enum red_verdict_code code;
    unsigned stage;          /* whose samples the figures are of */
    double ratio, low, high; /* trimmed geometric mean over process pairs, with its 95 % interval; 0: none */
    double p;     /* one-sided, against the margin in the ratio's direction; of stage 2 of a nominated cell */
    double level; /* what p must not exceed, after Holm's correction; 0: not nominated */
    bool nominated;
    double time_s[RED_WHO_N];                /* per call: median of the blocks' shortest batches */
    size_t pairs_n;                          /* of that stage, with enough good blocks */
    size_t blocks_n, dropped_n[RED_DROPS_N]; /* of all stages */
};

struct red_duel_cell {
    struct red_at at;                /* its strategy is in `strategy` */
    size_t device;                   /* index of the matched devices */
    char strategy[RED_WHO_N][64];    /* two names only where two kernels are compared */
    char name[RED_AT_NAME_BYTES];    /* by red_at_name: "pocl.0/tree/sum/f32/n:4096" */
    enum red_state state[RED_WHO_N]; /* RED_STATE_PASS where it is measured */
    char reason[RED_WHO_N][512];     /* why it is not */
    struct red_geometry geometry[RED_WHO_N];
    uint64_t calls;                    /* of a batch */
    double margin, budget_s;           /* of the policy, as are the next three */
    bool required;                     /* UNDECIDED or UNTRUSTED fails the duel */
    char quarantine[160], until[16];   /* why and how long it does not count; empty: it counts */
    double call_s[RED_WHO_N], spent_s; /* of a call, about; time spent on the cell so far */
    struct red_process_pair *pairs;    /* owned; in the order in which they ran */
    size_t pairs_n;
    struct red_finding finding;
};

/* How a duel is measured and judged: all that verdicts depend on besides the samples. */
struct red_duel_plan {
    unsigned pairs_n, pairs_max;  /* process pairs of stage 1: for all cells; for cells without a verdict */
    unsigned looks_n;             /* at the samples of stage 2 */
    unsigned look_pairs_n;        /* pairs before the first look, and between looks */
    unsigned layouts_n, blocks_n; /* of a process pair; of a layout */
    unsigned batches_n;           /* of a side in a block; the first one does not count */
    double batch_s;               /* how long a batch is to take */
    double nominate;              /* 0.01: stage 1 nominates what is slower by more */
    double nominate_level;        /* one-sided error of that */
    double trim;                  /* share of a cell's pairs that is left out at either end: 0.2 */
    double alpha;                 /* largest chance of any false SLOWER in the whole duel */
    double workload_shift[RED_WORKLOADS_N]; /* a larger change within a block drops it: 0.05 */
};

enum { RED_DUEL_DEVICES_MAX = 16 };

/* What is recorded of a side: options as given, empty where there was none. */
struct red_duel_side_record {
    char program[256], version[32], kernel[256], environment[512];
    struct red_device_info devices[RED_DUEL_DEVICES_MAX];
};

struct red_duel {
    char started[32], command[512]; /* UTC */
    struct red_host host;
    uint64_t seed;
    double wall_s;
    bool interrupted;
    struct red_duel_plan plan;
    struct red_duel_side_record sides[RED_WHO_N];
    size_t devices_n;            /* of each side; they are matched by index */
    unsigned pairs_n;            /* process pairs that have run; one on each device counts once */
    struct red_duel_cell *cells; /* owned */
    size_t cells_n;
    /* At how many n results were checked, and were to be: those of cells, of the head others, too; of each
     * strategy, operation, type and geometry. 0 of a file that does not tell. */
    size_t checked_n[RED_WHO_N], to_check_n[RED_WHO_N];
};

/* Appends what a process pair measured; its blocks then belong to the cell. Errors: RED_E_MEMORY. */
enum red_status red_duel_cell_add_pair(struct red_duel_cell *cell, const struct red_process_pair *pair,
                                       struct red_error *error);
/* Appends a block. False without memory. */
bool red_process_pair_add_block(struct red_process_pair *pair, const struct red_block *block);

void red_duel_clear(struct red_duel *duel);

/* ---- a duel from its options to its verdicts ----------------------------------------------------------- */

struct red_selection;
struct red_duel_options;

/* Measures both sides and finds the verdicts. Prints to stderr what of the policy is in force, and what of it
 * has no effect. Release *duel with red_duel_clear in any case. Errors: RED_E_INPUT, RED_E_NO_DEVICE,
 * RED_E_MEMORY; RED_E_INTERRUPTED where nothing was measured yet. */
enum red_status red_duel_run(const struct red_selection *given, const struct red_duel_options *options,
                             struct red_duel *duel, struct red_error *error);

/* ---- its file --------------------------------------------------------------------------------------------
 * One JSON with every sample and what follows from them (results/duel.schema.json, version 1; file.c). */

/* Writes it to `path`, "-" for the standard output, by way of a temporary file. Errors: RED_E_INPUT,
 * RED_E_MEMORY. */
enum red_status red_duel_write(const struct red_duel *duel, const char *path, struct red_error *error);

/* Reads one of 256 MiB at most. Every value is checked: what makes no sense is an error.
 * Findings, which follow from the samples, are left to red_duel_judge. Release with red_duel_clear. Errors:
 * RED_E_INPUT naming the file and the member; RED_E_MEMORY. */
enum red_status red_duel_load(const char *path, struct red_duel *duel, struct red_error *error);

/* The same from text_n bytes; `path` is for messages. */
enum red_status red_duel_read(const char *path, const char *text, size_t text_n, struct red_duel *duel,
                              struct red_error *error);

/* ---- its verdicts ----------------------------------------------------------------------------------------
 * The verdicts of a duel, from its samples (judge.c). Statistics are GSL's.
 *
 * A block is dropped, for both sides, where a reference workload took more than 1 + plan.workload_shift times
 * its shortest time (0: it was not timed), or where the worker's clock or a suspension made it invalid while
 * measuring.
 *
 * A process pair has one ratio: the median, over its good blocks, of log(shortest batch of head / shortest
 * batch of base); the first batch after a switch of sides does not count. With fewer than 5 good blocks a
 * pair does not count. Processes have a bias of their own, so pairs are the sample: intervals and tests are
 * Student's t over pairs, never over blocks (Kalibera and Jones, Rigorous benchmarking in reasonable time,
 * 2013). Now and then a process is a third slower for all of its life, on either side, so the share plan.trim
 * of the pairs is left out at either end (stats/statistics.h).
 *
 * Stage 1 nominates cells whose one-sided limit lies beyond plan.nominate. Stage 2 measures nominated cells
 * again, in process pairs of its own, and only its samples confirm: a cell is SLOWER if the hypothesis
 * "slower by the margin at most" is rejected after Holm's correction over all nominated cells (Holm, A simple
 * sequentially rejective multiple test procedure, 1979) and, since there are several looks, at alpha / looks
 * each (Bonferroni; rejections stay: Ye, Li, Liu and Yao, A group sequential Holm procedure, 2013). So the
 * chance of any false SLOWER in a whole duel is at most alpha, however many cells there are. FASTER is tested
 * in the same way, as a family of its own. The k-th look sees the first k times plan.look_pairs_n pairs that
 * count.
 *
 * SAME: the 95 % interval of the ratio, of 3 pairs or more, lies within twice the margin on either side, in
 * stage 1, or for a nominated cell at a look of stage 2, which then ends.
 *
 * Some verdicts come before all that. WRONG, BROKEN and FAILED: the state of a side is so. UNTRUSTED: the
 * head lacks the cell, or more than half of all blocks were dropped (the code names what dropped most of
 * them). And UNTRUSTED when no more pairs are wanted and the ratio changes by more than the margin, with p <
 * 0.001 (two-sided, 3 pairs or more each): UNSTEADY  from the earlier to the later half of a pair's good
 * blocks, over the pairs of the stage that decides DRIFT     from the pairs before some point to those after
 * it, of that stage or of all; each possible point has its share of the 0.001 (Bonferroni; Welch's t, with
 * the degrees of freedom of the smaller sample) */

/* Why a block does not count; RED_DROP_NONE if it does. */
enum red_drop red_block_drop_reason(const struct red_duel_plan *plan, const struct red_block *block);

/* What a process pair says of a cell. */
struct red_process_pair_ratio {
    double log_ratio; /* of head to base; negative is faster */
    double shift;     /* of the later half of its good blocks against the earlier half */
    size_t good_n;    /* blocks that count */
};

/* False if too few of its blocks count, or without memory. */
bool red_process_pair_ratio_of(const struct red_duel_plan *plan, const struct red_process_pair *pair,
                               struct red_process_pair_ratio *found);

/* How long a call of one side takes in a process pair, in seconds: the median over all its blocks, also those
 * that do not count, of the shortest batches. A sample of --export; what duel prints is in the finding. False
 * if there are no blocks, or no memory. */
bool red_process_pair_export_time(const struct red_duel_plan *plan, const struct red_process_pair *pair,
                                  enum red_who who, uint64_t calls_per_batch, double *time_s);

/* Judges all cells by all samples: fills the finding of each, and next[] (cells_n of them, or NULL): in which
 * stage it needs another process pair, budgets aside. Stage 2 must not begin before no cell needs stage 1 any
 * more, since Holm's correction is over all nominated cells. Errors: RED_E_MEMORY. */
enum red_next { RED_NEXT_NONE, RED_NEXT_STAGE_1, RED_NEXT_STAGE_2 };
enum red_status red_duel_judge(struct red_duel *duel, enum red_next *next, struct red_error *error);

/* ---- its sides -------------------------------------------------------------------------------------------
 * A side is base or head: a program, perhaps of another build, its environment, its kernel file and its
 * devices, each with a worker process. */

enum { RED_ENVIRONMENT_MAX = 16 };

/* Options that only `duel` has. Arrays of two: base, head; NULL where the option is not given. */
struct red_duel_options {
    const char *side_program[2], *side_kernel[2], *side_device[2];
    const char *environment[2][RED_ENVIRONMENT_MAX]; /* NAME=VALUE */
    size_t environment_n[2];
    const char *profile, *policy;
    const char *replay; /* duel file to judge again */
    bool required;      /* --require: UNDECIDED and UNTRUSTED fail */
};

struct red_duel_side {
    char path[4096];          /* of its program */
    char version[32];         /* as the program prints it */
    const char *arguments[5]; /* to start a worker with */
    char **environment;       /* owned; NULL: inherited */
    struct red_client_program program;
    struct red_scratch binaries;       /* compiled kernels of drivers that cache none */
    struct red_catalogue *catalogue;   /* owned; this program's strategies and the kernel file */
    const struct red_strategy *kernel; /* of the kernel file; NULL: none was given */
    json_t *strategies;                /* owned; names that its program listed */
    struct red_device_info infos[RED_CLIENTS_MAX];
    size_t infos_n;
    struct red_client *clients[RED_DUEL_DEVICES_MAX]; /* owned; in the order of matched devices */
    size_t clients_n;
};

/* Finds the program, the kernel file and the devices of a side. Release with _close. Errors: RED_E_INPUT for
 * a path that is not a program, a program that is not clreduce or speaks another protocol
 * (RED_PROTOCOL_VERSION), and an invalid kernel file; RED_E_NO_DEVICE; those of red_client_list_devices. */
enum red_status red_duel_side_open(const struct red_selection *selection,
                                   const struct red_duel_options *options, enum red_who who,
                                   struct red_duel_side *side, struct red_error *error);
void red_duel_side_close(struct red_duel_side *side);

/* Matches the selected devices of base and head by their ids, or with --base-device or --head-device in their
 * order, and makes a client for each. Errors: RED_E_INPUT where only one side has a device. */
enum red_status red_duel_sides_make_matched_clients(const struct red_selection *selection,
                                                    const struct red_duel_options *options,
                                                    struct red_duel_side sides[RED_WHO_N],
                                                    struct red_error *error);

/* Ends the two worker processes of a device and starts new ones, that of the side `first` before the other.
 * Errors: those of starting a worker, of the side *failed. */
enum red_status red_duel_sides_restart(struct red_duel_side sides[RED_WHO_N], size_t device,
                                       enum red_who first, enum red_who *failed, struct red_error *error);

/* ---- what it prints --------------------------------------------------------------------------------------
 * The table of verdicts, the same as CSV or JSON, the exit status, and the files of --export. */

/* Prints the two sides, a table with a row for each cell, the worst verdict first, and how many there are of
 * each. Errors: RED_E_MEMORY. */
enum red_status red_duel_print(const struct red_duel *duel, FILE *out, struct red_error *error);

/* Prints the table alone, as CSV or JSON, to the standard output. Errors: RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_duel_print_cells(const struct red_duel *duel, enum red_format format,
                                     struct red_error *error);

/* The exit status of the duel: of the worst cell (wrong, crashed, timed out, failed, slower, undecided, in
 * this order), whose first one the message names. RED_E_NO_DEVICE where nothing was measured and nobody
 * interrupted. */
enum red_status red_duel_exit_status(const struct red_duel *duel, struct red_error *error);

/* Its files for other programs: the head's times, and the verdicts. Writes all that --export asks for.
 * Errors: those of red_exports_write. */
enum red_status red_duel_export(const struct red_duel *duel, const struct red_output *output,
                                struct red_error *error);

#endif
