/* Everything seen in one run: what bench fills, the result file holds and every reader of it asks. One struct
 * for a run that is being made and for one that was read back (results/result.h). */
#ifndef CLREDUCE_RESULTS_RUN_H
#define CLREDUCE_RESULTS_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "model/axes.h"
#include "model/capability.h"
#include "model/case.h"
#include "model/device_info.h"
#include "model/geometry.h"
#include "model/input.h"
#include "stats/statistics.h"

/* ---- the host ------------------------------------------------------------------------------------------ */

enum { RED_SETTINGS_MAX = 32 };

struct red_host {
    char name[128], processor[128], system[256], compiler[128];
    unsigned cores_n; /* that this process may use */
    double memory_gib;
    double load;     /* of the last minute */
    bool kept_awake; /* only in files of earlier versions: an option kept processors from sleeping */
    struct red_setting {
        char name[48], value[192];
    } environment[RED_SETTINGS_MAX]; /* from outside, that change how drivers and OpenMP work */
    size_t environment_n;
};

/* Describes this machine and its load now. bench and duel record it before they measure;
 * devices prints the processor. */
void red_host_find(struct red_host *host);

/* "vm, AMD EPYC, 24 GiB": which machine a file was made on, of whatever verb. Files are joined, and what was
 * wrong bans, where these words are the same. */
void red_host_machine_format(const struct red_host *host, char *text, size_t text_bytes);

/* "AMD EPYC, 2 cores": what times depend on, for files of --export: without the machine's name, which some
 * runs draw anew. */
void red_host_processor_format(const struct red_host *host, char *text, size_t text_bytes);

/* All data caches of the processors together, in bytes; 0 if that is not known. By it
 * red_run_mark_implausible finds times that no memory allows (`implausible`). */
double red_host_all_caches_bytes(void);

/* ---- states of cells -------------------------------------------------------------------------------------
 * How a cell ended; the table, files and exports show the names. */

#define RED_STATES(X)                                                                                        \
    X(PENDING, "pending") /* not reached: the run ended before */                                            \
    X(PASS, "pass")                                                                                          \
    X(WRONG, "wrong")                                                                                        \
    X(BUILD_FAILED, "build-failed")                                                                          \
    X(UNSUPPORTED, "unsupported")                                                                            \
    X(OVER_BUDGET, "over-budget")                                                                            \
    X(FAILED, "failed")       /* an OpenCL call returned an error */                                         \
    X(CRASHED, "crashed")     /* the driver ended its process */                                             \
    X(TIMED_OUT, "timed-out") /* no answer within the time limit */                                          \
    X(KNOWN_BUG, "known-bug")                                                                                \
    X(IMPLAUSIBLE, "implausible") /* right, and faster than memory can be read */

enum red_state {
#define RED_STATE_ENUM(id, name) RED_STATE_##id,
    RED_STATES(RED_STATE_ENUM)
#undef RED_STATE_ENUM
        RED_STATES_N
};

const char *red_state_name(enum red_state state);

/* The state of that name; RED_STATE_PENDING for any other, and for NULL. */
enum red_state red_state_find(const char *name);

/* The state that a failed check or plan puts a cell in. */
enum red_state red_state_of(enum red_status status);

/* Every state, the worst first: a wrong result, what else went wrong, known bugs, right results, what was not
 * run. It is the only order of states: of what several cells, geometries or checks in different states are
 * told by, and of the exit status (those that give one stand as red_status_is_worse orders these). */
extern const enum red_state red_states_worst_first[RED_STATES_N];

/* Whether a stands before b there; no state is worse than itself. */
bool red_state_is_worse(enum red_state a, enum red_state b);

/* Whether the driver, or the kernel, did what it must not: a wrong result, a crash. */
bool red_state_is_fault(enum red_state state);

/* The status that a cell in that state gives the whole run; RED_OK unless something went wrong. */
enum red_status red_state_status(enum red_state state);

/* Of the states in which there are cells the one that decides a run's status, which is the worst.
 * RED_STATE_PASS if nothing went wrong. */
enum red_state red_state_deciding_exit(const size_t counts[RED_STATES_N]);

/* ---- one array over many ranks ---------------------------------------------------------------------------
 * What bench --ranks, or another program's run over ranks, has beside what every run has. */

/* A rank: one MPI process with one device and its piece of the array. */
struct red_rank {
    char host[64];
    unsigned node; /* the first rank of its host has number 0, the first of the next host 1, ... */
    char device[32], device_name[128], driver[128]; /* device: its id, or "host" */
    unsigned cores_n;                               /* that the process may use */
    double roof_bytes_per_s;                        /* all ranks reading at the same time; 0: not measured */
};

enum { RED_RANKS_MAX = 65536 };

/* How the array is cut: in proportion to the ranks' roofs, or into equal pieces. */
enum red_run_split { RED_RUN_SPLIT_ROOF, RED_RUN_SPLIT_EQUAL, RED_RUN_SPLITS_N };
extern const char *const red_run_split_names[RED_RUN_SPLITS_N];

struct red_over_ranks {
    char mpi[160]; /* the library; "": unknown */
    enum red_run_split split;
    struct red_rank *ranks; /* owned */
    size_t ranks_n;         /* 0: no run over ranks */
};

/* What a cell is of. Those from ROOF on stand beside the others (red_run.beside): they have no strategy. */
#define RED_CELL_KINDS(X)                                                                                    \
    X(OWN, "own")     /* a strategy */                                                                       \
    X(PEER, "peer")   /* another program's, which is never advised */                                        \
    X(ROOF, "roof")   /* every rank reads its piece, and nothing is combined */                              \
    X(ALONE, "alone") /* a collective over values that are there */                                          \
    X(BARE, "bare")   /* MPI_Reduce of 8 bytes */
enum red_cell_kind {
#define RED_CELL_KIND_ENUM(id, name) RED_CELL_##id,
    RED_CELL_KINDS(RED_CELL_KIND_ENUM)
#undef RED_CELL_KIND_ENUM
        RED_CELL_KINDS_N
};
extern const char *const red_cell_kind_names[RED_CELL_KINDS_N];

/* The parts of a call's time over ranks, which add up to it. All times begin as the barrier ends; on one node
 * with its first rank, on several with rank 0, whose clock measures, or with each rank, whose longest time
 * counts where all of them get the value. */
enum red_time_part {
    RED_PART_TOTAL,      /* until the value stands on rank 0, of an allreduce on the last rank */
    RED_PART_DEVICE,     /* the ranks' own reductions: their mean */
    RED_PART_IMBALANCE,  /* the longest of these less their mean */
    RED_PART_COLLECTIVE, /* the rest */
    RED_PARTS_N
};

/* Each data set that a cell over ranks is verified with leaves an answer. */
enum { RED_ANSWERS_MAX = 18 };

/* ---- cells and runs ------------------------------------------------------------------------------------ */

/* What was asked for at one place, and what became of it. */
struct red_cell {
    struct red_at at; /* its device is borrowed from the run's */
    enum red_cell_kind kind;
    size_t device;       /* index into red_run.devices */
    uint64_t segments_n; /* reductions side by side */
    char experiment[2];  /* letter of model/experiments.h; empty: of the command line */
    size_t part;         /* of bench (run/bench.h); of a run that was read 0 */
    /* A copy, which stands for cells of several data (red_cells_slowest); the one of uniform data, or NULL.
     */
    bool is_slowest;
    const struct red_cell *uniform;
    struct red_geometry geometry;
    char standard[8]; /* of OpenCL C, "CL1.2"; empty on the host */
    enum red_state state;
    /* What a `known-bug` would be otherwise; RED_STATE_PENDING: it was not run. */
    enum red_state known_bug;
    char reason[512];   /* why it is not `pass`, evidence of a wrong result included */
    double call_s;      /* shortest call seen before timing; 0 if it was never called */
    double projected_s; /* expected time of one call, from smaller n; 0 if none was made */
    double *samples_s;  /* time to answer per call, one per batch; owned */
    double *cpu_s;      /* of these, of the measuring process's main thread; owned */
    size_t samples_n;
    uint64_t calls_per_sample;
    struct red_statistics time;       /* of samples_s, if samples_n > 0 */
    double device_s;                  /* device time; 0 if unknown */
    struct red_launch_times launches; /* of a call that has several, if they are known */
    char device_time_note[128];       /* why it is unknown */
    char unchecked[256];              /* levels at which its kernel, of --kernel, was never checked; or "" */
    bool banned;                      /* its strategy has a wrong result, a crash or a hang on this device, or
                                         such levels (results/bans.h): nobody calls it the fastest */
    bool untried;                     /* in this state for what happened to others: a resumed run tries it */
    bool settled;                     /* device time and what follows are known, or known not to be */
    double back_to_back_s;            /* per call of many, one enqueued behind the other; 0 if unknown */
    unsigned checks_n;                /* data sets it was verified with */
    double error, bound, absolute;    /* of the timed data */
    bool same_bits;
    double *parts_s[RED_PARTS_N]; /* owned: over ranks, of each sample the parts but for the total; NULL: not
                                     measured */
    double part_medians_s[RED_PARTS_N]; /* 0 where they were not measured */
    uint64_t *answers; /* owned: over ranks the right ones that rank 0 got, in the order of the data sets, the
                          timed one last: a result's bits, of places the index */
    size_t answers_n;
};

/* What one strategy makes of data that is hard to add, with its default group size. */
struct red_accuracy {
    struct red_at at;      /* its data are those that are hard to add */
    size_t device;         /* index into red_run.devices */
    enum red_state state;  /* RED_STATE_PASS where there is an answer; what follows is its */
    double error, bound;   /* the bound infinite where there is none */
    double absolute;       /* sum of |terms| */
    double error_in_units; /* of u times that, what a single rounding may cost */
    double share_of_bound; /* infinite where there is no bound */
    uint64_t place;        /* of many results, the one that this is the error of */
    bool same_bits;
};

/* What was found of one capability, as a result file tells it: names may be those of another version. */
struct red_run_capability {
    char name[64];
    enum red_answer advertised, builds, behaves; /* the last as by red_capability_told */
    unsigned asked_n, right_n;                   /* of what is asked again and again; 0: of other things */
    char reason[256];
    char words[RED_CAPABILITY_TEXT_BYTES]; /* at which group sizes it behaves: "from 3 on", "any"; empty: they
                                              make no difference, or were not asked */
    struct json_t *group_sizes;            /* owned: all of that, as it stands in the file; or NULL */
};

/* What the judgement of a run's steadiness found of a device (results/steadiness.h). */
struct red_steadiness {
    bool fails;                         /* its times cannot be compared: no factor of them is told as found */
    bool by_others, by_cells, by_speed; /* for this reason, or for several */
    size_t timed_n, unsteady_n;         /* cells */
    double speed_change;                /* slowest by fastest third of the run; 0: too few cells to tell */
};

struct red_run_device {
    bool is_host;
    struct red_device_info info;                 /* of the host: name, id and compute units only */
    const struct red_capabilities *capabilities; /* borrowed; NULL for the host and of a run that was read */
    struct red_run_capability *found;            /* owned: what a file has in their place */
    size_t found_n;
    double roof_bytes_per_s; /* median of the better form; 0 if not measured */
    double roof_bytes;
    double roof_best_bytes_per_s;       /* the fastest batch of either form; 0 if not measured */
    struct red_event_clock event_clock; /* whether its event times can be believed */
    double event_floor_s;               /* device time of an empty kernel; 0 if unknown */
    struct red_steadiness steadiness;   /* by red_run_judge_steadiness */
};

struct red_run {
    char program[32]; /* that made it, with its version; empty: this one */
    char version[32];
    char started[32]; /* UTC */
    char command[512];
    struct red_host host; /* as it was before the run: its load is not the run's own */
    uint64_t seed;
    char primitive[16];            /* what is computed; empty: reduce */
    const struct red_shape *shape; /* borrowed; NULL: one array */
    double time_per_cell_s, clock_step_s, wall_s;
    double load_end;                /* of the last minute of measuring, this run's own with it; 0: unknown */
    double processors_s, others_s;  /* time of all processors while cells were timed, and what other programs
                                       took of it; processors_s 0: unknown */
    struct red_run_device *devices; /* owned */
    size_t devices_n;
    struct red_cell *cells; /* owned */
    size_t cells_n;
    struct red_over_ranks over_ranks;
    struct red_cell *beside; /* owned; of such a run the cells without a strategy */
    size_t beside_n;
    struct red_accuracy *accuracies; /* owned */
    size_t accuracies_n;
    const struct red_cell *
        *ordered; /* owned: by strategy, and all once more by place: red_run_make_index; NULL: none */
};

/* Moves a cell to the end of the run's, or of those beside them. Errors: RED_E_MEMORY, and the cell stays.
 */
enum red_status red_run_add_cell(struct red_run *run, struct red_cell *cell, struct red_error *error);

/* "clreduce 0.1.0": the program that made it. */
struct red_short_text red_run_program_text(const struct red_run *run);

/* Whether the run is another program's: it has cells of kind PEER alone, at least one, and ALONE beside them.
 */
bool red_run_is_of_peer(const struct red_run *run);

/* The index of its first device of that name, which may have another id in each file; or -1. */
long red_run_find_device_of_name(const struct red_run *run, const char *name);

/* The axes that tell its cells apart: those over ranks only of such a run. */
unsigned red_run_axes(const struct red_run *run);

/* The i-th of all its cells: those beside the others stand behind them. */
struct red_cell *red_run_any_cell(const struct red_run *run, size_t i);

/* Whether a cell was not reached. */
bool red_run_has_pending(const struct red_run *run);

/* Frees what a cell owns; it is then without samples, parts and answers. */
void red_cell_clear(struct red_cell *cell);

/* The samples of a part, or of the total; NULL where there are none. */
double *red_cell_part_s(const struct red_cell *cell, enum red_time_part part);

/* Computes the medians of parts from their samples; that of the total is the time's. Errors: RED_E_MEMORY. */
enum red_status red_cell_find_part_medians(struct red_cell *cell, struct red_error *error);

/* Computes `time` and the medians of parts from the samples; a cell that passed and has none is pending.
 * Errors: RED_E_MEMORY. */
enum red_status red_cell_find_statistics(struct red_cell *cell, struct red_error *error);

/* Whether there is no answer that a strategy could give: of no elements, the mean, an extreme or its place.
 * Such a cell is `unsupported`, with that as its reason, and nothing is wrong with it. */
bool red_cell_has_no_answer(const struct red_cell *cell);

/* Appends a copy. Errors: RED_E_MEMORY. */
enum red_status red_run_add_accuracy(struct red_run *run, const struct red_accuracy *accuracy,
                                     struct red_error *error);

void red_run_clear(struct red_run *run);

/* Frees what a device owns; it is then without its capabilities. */
void red_run_device_clear(struct red_run_device *device);

/* Says in the run what is computed; of reductions nothing, so that their files are as they were. */
void red_run_set_primitive(struct red_run *run, enum red_primitive primitive);

/* Makes run->ordered, by which red_run_fastest_or_first and red_run_fastest are quick for runs of many cells;
 * the cells stay where they are, and none may be added, moved, renamed or timed afterwards. Without memory
 * the two stay slow. */
void red_run_make_index(struct red_run *run);

/* The cell of this device, strategy and n among those of a table (`of`: axes RED_AT_TABLE); the fastest one
 * if there are several geometries. NULL if none was timed. `strategy` NULL: any that is not banned. */
const struct red_cell *red_run_fastest(const struct red_run *run, size_t device,
                                       const struct red_strategy *strategy, const struct red_at *of,
                                       uint64_t n);

/* The cell of OpenMP on the host, which devices are compared with; NULL if it was not timed. */
const struct red_cell *red_run_openmp(const struct red_run *run, const struct red_at *of, uint64_t n);

/* As red_run_fastest; where no cell was timed the first of the run, which tells why. NULL if none was asked
 * for. */
const struct red_cell *red_run_fastest_or_first(const struct red_run *run, size_t device,
                                                const struct red_strategy *strategy, const struct red_at *of,
                                                uint64_t n);

/* Whether the cell's kernel was never checked at some level: then it has no rank, no factor and no advice. */
bool red_cell_is_incomplete(const struct red_cell *cell);
/* In the place of a factor, and of the state in files of --export. */
#define RED_INCOMPLETE_WORDS "not all levels checked"

/* Whether two cells stand in one line of the table: they are of one experiment and differ in n at most; those
 * that are the slowest of several data in these, too. */
bool red_cell_same_line(const struct red_cell *a, const struct red_cell *b);

/* Copies of the slowest of such cells of both runs (the first may be NULL) as differ in their data alone, in
 * the order of the first of each; what has no time counts as slower, and the worst state most. Samples are
 * borrowed. Release with free. NULL without memory. */
struct red_cell *red_cells_slowest(const struct red_run *first, const struct red_run *second,
                                   size_t *slowest_n);

/* Of a device whose caches hold so many bytes together at least: makes each cell implausible, with its
 * reason, whose array is four times as large and was read more than 1.3 times as fast as the best batch of a
 * roof of so large an array; of a CPU the best of all roofs of this host. A cache keeps a quarter of such an
 * array at most, and the roof's own as well; a busy machine slows a batch, not all of them. The cell loses
 * its times. How many there are. */
size_t red_run_mark_implausible(struct red_run *run, double host_cache_bytes);

/* Bytes that a cell reads until its answer, or its segments' answers, are there; of a scan its results, too,
 * since they are as many. Its operation and type are ones that this program has. */
double red_cell_bytes(const struct red_cell *cell);

/* A share of the roof as large as this cannot be: the time or the roof was disturbed, or one was read from a
 * cache and the other was not. Noise of two medians stays below 1.2. */
#define RED_ROOF_SHARE_IMPOSSIBLE 1.5

/* The rate of a timed cell by the roof of its device; 0 where there is no roof, and where it cannot be. */
double red_cell_roof_share(const struct red_run *run, const struct red_cell *cell);

#endif
