/* A duel: its plan, its cells with every sample, and its verdicts, which follow from these alone
 * (gate/judge.h).
 *
 * Base and head are measured alternately. A block is some batches of calls of each side, with reference
 * workloads before, between and after; some blocks are measured between two re-layouts, which move all data
 * to other memory; a process pair is one fresh process of each side with a few re-layouts. The file and what
 * is printed say round, epoch and launch for block, re-layout and process pair. */
#ifndef CLREDUCE_GATE_DUEL_H
#define CLREDUCE_GATE_DUEL_H

#include "results/run.h"

enum red_who { RED_BASE, RED_HEAD, RED_WHO_N };
extern const char *const red_who_names[RED_WHO_N];

/* Reference workloads, which depend on neither side: a spin loop, a sweep over memory, and on a GPU a chain
 * of dependent steps. Where one takes another time than a moment ago, the machine has changed. */
enum red_reference_workload { RED_WORKLOAD_SPIN, RED_WORKLOAD_SWEEP, RED_WORKLOAD_CHAIN, RED_WORKLOADS_N };
extern const char *const red_reference_workload_names[RED_WORKLOADS_N];

/* Workloads are timed before, between and after the sides. */
enum { RED_WORKLOAD_TIMES_N = 3, RED_BLOCK_BATCHES_MAX = 8 };

/* Why a block does not count, for either side. X(identifier, name in files) */
#define RED_DROPS(X)                                                                                         \
    X(NONE, "")                                                                                              \
    X(WORKLOADS, "controls-moved") /* a workload, by more than the plan allows */                            \
    X(CLOCK, "clock")              /* a worker's readings do not lie between this program's */               \
    X(SUSPENDED, "suspended")      /* the system slept */

enum red_drop {
#define RED_DROP_ENUM(id, name) RED_DROP_##id,
    RED_DROPS(RED_DROP_ENUM)
#undef RED_DROP_ENUM
        RED_DROPS_N
};
extern const char *const red_drop_names[RED_DROPS_N];

struct red_block {
    enum red_who first;                                  /* which side was measured first */
    uint64_t batch_ns[RED_WHO_N][RED_BLOCK_BATCHES_MAX]; /* all batches; the first one, after the switch, does
                                                            not count */
    uint64_t workload_ns[RED_WORKLOADS_N][RED_WORKLOAD_TIMES_N]; /* 0: not timed */
    enum red_drop drop;                                          /* CLOCK, SUSPENDED: found while measuring */
};

/* What one process pair measured of one cell. */
struct red_process_pair {
    unsigned stage;           /* 1 or 2 */
    unsigned number;          /* of the pair, from 0 over the whole duel */
    enum red_who first;       /* which side's process was started first */
    struct red_block *blocks; /* owned */
    size_t blocks_n, room;
};

enum red_duel_verdict {
    RED_UNTRUSTED,
    RED_SLOWER,
    RED_UNDECIDED,
    RED_FASTER,
    RED_SAME,
    RED_WRONG,
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
    X(BUDGET, "budget", UNDECIDED, "the budget was spent before there were launches enough to decide")       \
    X(INTERRUPTED, "interrupted", UNDECIDED, "the duel was interrupted")                                     \
    X(FEW_PAIRS, "few-launches", UNTRUSTED, "too few launches had enough good rounds")                       \
    X(WORKLOADS, "controls-moved", UNTRUSTED,                                                                \
      "the controls, which are neither side's, moved in most rounds")                                        \
    X(CLOCK, "clock", UNTRUSTED, "the sides' clock readings do not fit this program's")                      \
    X(SUSPENDED, "suspended", UNTRUSTED, "the system was suspended again and again")                         \
    X(UNSTEADY, "unsteady", UNTRUSTED, "the ratio changes within launches")                                  \
    X(DRIFT, "drift", UNTRUSTED, "the ratio changes from one launch on")                                     \
    X(WRONG, "wrong", WRONG, "a result was wrong")                                                           \
    X(BUILD_FAILED, "build-failed", FAILED, "a kernel does not build")                                       \
    X(FAILED, "failed", FAILED, "an OpenCL call failed")                                                     \
    X(CRASHED, "crashed", FAILED, "a driver ended its process")                                              \
    X(TIMED_OUT, "timed-out", FAILED, "no answer")                                                           \
    X(MISSING, "missing", UNTRUSTED, "the base has this cell, the head has not")                             \
    X(NEW, "new", UNDECIDED, "the head has this cell, the base has not")                                     \
    X(NOT_RUN, "not-run", UNDECIDED, "it can run on neither side, or takes too long")

enum red_code {
#define RED_CODE_ENUM(id, ...) RED_CODE_##id,
    RED_CODES(RED_CODE_ENUM)
#undef RED_CODE_ENUM
        RED_CODES_N
};
const char *red_code_name(enum red_code code);
const char *red_code_words(enum red_code code);
enum red_duel_verdict red_code_verdict(enum red_code code);

/* The verdict on a cell with its figures (red_duel_judge). Ratios are times of the head by times of the base.
 */
struct red_finding {
    enum red_code code;
    unsigned stage;          /* whose samples the figures are of */
    double ratio, low, high; /* trimmed geometric mean over process pairs, with its 95 % interval; 0: none */
    double
        p; /* one-sided, against the margin in the direction of the ratio; of stage 2 of a nominated cell */
    double level; /* what p must not exceed, after Holm's correction; 0: not nominated */
    bool nominated;
    double time_s[RED_WHO_N];                /* per call: median of the blocks' shortest batches */
    size_t pairs_n;                          /* of that stage, with enough good blocks */
    size_t blocks_n, dropped_n[RED_DROPS_N]; /* of all stages */
};

struct red_duel_cell {
    size_t device;                /* index of the matched devices */
    char strategy[RED_WHO_N][64]; /* two names only where two kernels are compared */
    const struct red_op *op;
    const struct red_dtype *dtype;
    uint64_t n;
    struct red_tuning asked; /* of the geometry; 0: the default */
    char name[256]; /* "pocl.0/tree/sum/f32/n:4096"; "/wg:128" and such before n where it was asked for */
    enum red_state state[RED_WHO_N]; /* RED_STATE_PASS where it is measured */
    char reason[RED_WHO_N][512];     /* why it is not */
    struct red_geometry geometry[RED_WHO_N];
    uint64_t calls;                    /* of a batch */
    double margin, budget_s;           /* of the policy, as are the next three */
    bool required;                     /* no verdict fails */
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
    unsigned pairs_n;            /* process pairs that have run */
    struct red_duel_cell *cells; /* owned */
    size_t cells_n;
};

/* Appends what a process pair measured; its blocks then belong to the cell. Errors: RED_E_MEMORY. */
enum red_status red_duel_cell_add_pair(struct red_duel_cell *cell, const struct red_process_pair *pair,
                                       struct red_error *error);
enum red_status red_process_pair_add_block(struct red_process_pair *pair, const struct red_block *block,
                                           struct red_error *error);

void red_duel_clear(struct red_duel *duel);

/* ---- a duel from its options to its verdicts ---- */

struct red_selection;
struct red_duel_options;

/* Measures both sides and finds the verdicts. Prints to stderr what of the policy is in force. Release *duel
 * with red_duel_clear in any case. Errors: RED_E_INPUT, RED_E_NO_DEVICE, RED_E_MEMORY; RED_E_INTERRUPTED
 * where nothing was measured yet. */
enum red_status red_duel_run(const struct red_selection *given, const struct red_duel_options *options,
                             struct red_duel *duel, struct red_error *error);

/* ---- its file (file.c): one JSON with every sample and what follows from them (results/duel.schema.json,
 * version 1) ---- */

/* Writes it to `path`, "-" for the standard output, by way of a temporary file. Errors: RED_E_INPUT,
 * RED_E_MEMORY. */
enum red_status red_duel_write(const struct red_duel *duel, const char *path, struct red_error *error);

/* Reads one of 256 MiB at most. Nothing in it is believed: what there is makes sense, or is an error.
 * Findings, which follow from the samples, are left to red_duel_judge. Release with red_duel_clear. Errors:
 * RED_E_INPUT naming the file and the member; RED_E_MEMORY. */
enum red_status red_duel_load(const char *path, struct red_duel *duel, struct red_error *error);

/* The same from text_n bytes; `path` is for messages. */
enum red_status red_duel_read(const char *path, const char *text, size_t text_n, struct red_duel *duel,
                              struct red_error *error);

#endif
