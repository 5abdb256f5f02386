/* A duel: two live sides, base and head, measured in turns over a set of cells, and everything that its
 * verdicts follow from. They can be found again from this alone (gate/judge.h).
 *
 * A turn is some batches of calls of one side; a round one turn of each, with controls around them; an epoch
 * some rounds on the same memory; a launch some epochs of two fresh processes. */
#ifndef CLREDUCE_GATE_DUEL_H
#define CLREDUCE_GATE_DUEL_H

#include "results/run.h"

enum red_who { RED_BASE, RED_HEAD, RED_WHO_N };
extern const char *const red_who_names[RED_WHO_N];

/* What does not depend on either side, measured by this program itself beside the turns: a fixed spin, a
 * sweep over memory, and on a GPU a chain of dependent steps. */
enum red_control { RED_CONTROL_SPIN, RED_CONTROL_SWEEP, RED_CONTROL_CHAIN, RED_CONTROLS_N };
extern const char *const red_control_names[RED_CONTROLS_N];

/* Controls are taken before, between and after the turns. */
enum { RED_CONTROL_TIMES_N = 3, RED_BLOCK_BATCHES_MAX = 8 };

/* What a round is dropped for, on both sides. */
#define RED_DROPS(X)                                                                                         \
    X(NONE, "")                                                                                              \
    X(CONTROLS, "controls-moved") /* by more than the plan allows */                                         \
    X(CLOCK, "clock")             /* the readings of a side do not fit between those of this program */      \
    X(SUSPENDED, "suspended")     /* the system slept */

enum red_drop {
#define RED_DROP_ENUM(id, name) RED_DROP_##id,
    RED_DROPS(RED_DROP_ENUM)
#undef RED_DROP_ENUM
        RED_DROPS_N
};
extern const char *const red_drop_names[RED_DROPS_N];

struct red_block {
    enum red_who first; /* whose turn came first */
    uint64_t batch_ns[RED_WHO_N]
                     [RED_BLOCK_BATCHES_MAX]; /* of each batch, the first one after the switch, too */
    uint64_t control_ns[RED_CONTROLS_N][RED_CONTROL_TIMES_N]; /* 0: not taken */
    enum red_drop drop;                                       /* CLOCK, SUSPENDED: seen while measuring */
};

/* The rounds of one cell in one launch. */
struct red_series {
    unsigned stage;           /* 1 or 2 */
    unsigned launch;          /* counted from 0 over the whole duel */
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
    X(LAUNCHES, "launches-spent", UNDECIDED, "the interval is still too wide after all planned launches")    \
    X(BUDGET, "budget", UNDECIDED, "the budget was spent before there were launches enough to decide")       \
    X(INTERRUPTED, "interrupted", UNDECIDED, "the duel was interrupted")                                     \
    X(FEW_LAUNCHES, "few-launches", UNTRUSTED, "too few launches had enough good rounds")                    \
    X(CONTROLS, "controls-moved", UNTRUSTED, "the controls, which are neither side's, moved in most rounds") \
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

/* What is found of a cell (red_duel_judge). Ratios are times of the head over times of the base. */
struct red_finding {
    enum red_code code;
    unsigned stage;          /* whose samples the figures are of */
    double ratio, low, high; /* trimmed geometric mean over launches, with its 95 % interval; 0: none */
    double p;     /* one-sided, against the margin on the side of the ratio; of a nominated cell in stage 2 */
    double level; /* that p had to reach, after Holm's correction; 0: it was not nominated */
    bool nominated;
    double time_s[RED_WHO_N];                /* per call: medians of the turns' shortest batches */
    size_t launches_n;                       /* with enough good rounds, of that stage */
    size_t blocks_n, dropped_n[RED_DROPS_N]; /* of all stages */
};

struct red_duel_cell {
    size_t device;                /* index of the pair of devices */
    char strategy[RED_WHO_N][64]; /* the same, but where two kernels are compared */
    const struct red_op *op;
    const struct red_dtype *dtype;
    uint64_t n;
    struct red_tuning asked; /* of the geometry; 0: left to the default */
    char name[256]; /* "pocl.0/tree/sum/f32/n:4096"; "/wg:128" and such before n where it was asked for */
    enum red_state state[RED_WHO_N]; /* RED_STATE_PASS where it is measured */
    char reason[RED_WHO_N][512];     /* why it is not */
    struct red_geometry geometry[RED_WHO_N];
    uint64_t calls;                    /* of a batch */
    double margin, budget_s;           /* of the policy, as are: */
    bool required;                     /* it must be decided */
    char quarantine[160], until[16];   /* why, and how long, it does not count; empty: it counts */
    double call_s[RED_WHO_N], spent_s; /* about; what measuring it took so far */
    struct red_series *series;         /* owned; in the order of launches */
    size_t series_n;
    struct red_finding finding;
};

/* How a duel is fought. All that verdicts depend on besides the samples. */
struct red_duel_plan {
    unsigned launches_n, launches_max;    /* of stage 1: at first; for cells that are still undecided then */
    unsigned looks_n;                     /* at the samples of stage 2 */
    unsigned look_launches_n;             /* launches up to the first look, and between looks */
    unsigned layouts_n, blocks_n;         /* of a launch; of an epoch */
    unsigned batches_n;                   /* of a turn; the first of which is dropped */
    double batch_s;                       /* about */
    double nominate;                      /* 0.01: stage 1 nominates what is slower by more */
    double nominate_level;                /* one-sided error of that */
    double trim;                          /* share of a cell's launches left out at either end: 0.2 */
    double alpha;                         /* chance of any false SLOWER in the whole duel, at most */
    double control_shift[RED_CONTROLS_N]; /* controls that differ by more within a round drop it: 0.05 */
};

enum { RED_DUEL_DEVICES_MAX = 16 };
struct red_duel_side_record {
    char program[256], version[32], kernel[256],
        environment[512]; /* as they were given; the last are empty where there is none */
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
    size_t devices_n;            /* pairs */
    unsigned launches_n;         /* made so far */
    struct red_duel_cell *cells; /* owned */
    size_t cells_n;
};

/* Appends a series, whose rounds the cell owns from then on. Errors: RED_E_MEMORY. */
enum red_status red_duel_add_series(struct red_duel_cell *cell, const struct red_series *series,
                                    struct red_error *error);
enum red_status red_series_add(struct red_series *series, const struct red_block *block,
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
