/* What the files of src/verify share. `verify` makes a test plan of a device's parameter space, runs it
 * (verify of a device), keeps outcomes for --resume, and counts and prints them (tally). What the user chose
 * is in the session, which cli/cmd_verify.c opens, and in its selection. */
#ifndef CLREDUCE_VERIFY_PRIVATE_H
#define CLREDUCE_VERIFY_PRIVATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/file.h"
#include "core/status.h"
#include "oracle/truth.h"
#include "results/run.h"
#include "results/verify_file.h"
#include "run/estimate.h"
#include "run/session.h"
#include "verify/covering_array.h"
#include "verify/patterns.h"
#include "verify/verify.h"

/* ---- parameter space -------------------------------------------------------------------------------------
 * The levels of each factor that a check can be made of on one device. */

/* What makes a check. The first four are a program, and compiling takes longer than running. */
enum red_factor {
    RED_FACTOR_STRATEGY,
    RED_FACTOR_TYPE,
    RED_FACTOR_OP,
    RED_FACTOR_GROUP_SIZE,
    RED_PROGRAM_FACTORS,
    RED_FACTOR_SIZE = RED_PROGRAM_FACTORS,
    RED_FACTOR_DATA,
    RED_CHECK_FACTORS
};

/* The levels of RED_FACTOR_DATA; of reductions so many, of scans these, too, of histograms all. Each part is
 * a level of its own: together they hold every element once as a 1. */
enum {
    RED_DATA_WEIGHTS,
    RED_DATA_PART_0,
    RED_DATA_PART_1,
    RED_DATA_GREATEST,
    RED_DATA_LEAST,
    RED_DATA_CLOSE_ABOVE,
    RED_DATA_CLOSE_BELOW,
    RED_DATA_SCALED_UP,
    RED_DATA_SCALED_DOWN,
    RED_DATA_BOUNDED,
    RED_DATA_NANS = RED_DATA_BOUNDED + 5,
    RED_DATA_REDUCTIONS_N = RED_DATA_NANS + 6,
    RED_DATA_WALK = RED_DATA_REDUCTIONS_N,
    RED_DATA_ISLANDS,
    RED_DATA_RISING,
    RED_DATA_FALLING,
    RED_DATA_SAW,
    RED_DATA_SCANS_N,
    RED_DATA_EDGES = RED_DATA_SCANS_N,
    RED_DATA_ONE_BIN,
    RED_DATA_HALF,
    RED_DATA_ZIPF,
    RED_DATA_SORTED,
    RED_DATA_ENDS,
    RED_DATA_PERIOD,
    RED_DATA_LEVELS_N
};
extern const struct red_data_kind red_data_levels[RED_DATA_LEVELS_N];

/* So many strategies, or fewer, are checked without regard to what their code shares. */
enum { RED_STRATEGIES_FEW = 4 };

/* One check, as red_space_check_of_row makes it of a row of levels. */
struct red_check {
    const struct red_strategy *strategy;
    const struct red_dtype *dtype;
    const struct red_op *op;
    uint64_t n, segments_n;
    unsigned bins_n;          /* of a histogram; otherwise 0 */
    struct red_tuning tuning; /* its group size is never 0 */
    struct red_data_kind data_kind;
    unsigned prefixes_n; /* as in struct red_case */
    bool repeats;        /* the row before is the same check: two points of the grid fell together */
    bool is_extra; /* beside the covering choice: its n and data are no levels, and it counts for no pair */
    bool reached;  /* it ended right or wrong */
    bool refused;  /* it ended as unsupported: the device or the strategy has no such level */
    bool is_of_levels; /* it is made before the strategy's pairs: red_levels_choose_checks */
    double stress_s;   /* it is a stress of so many seconds, behind the plan; 0: a check of the plan */
    unsigned char levels[RED_FACTORS_MAX];
};

/* Programs that check data at the largest n, each row in one program. Of many strategies each gets one of the
 * last two data, by the seed, where either shows what the other does: from first_twin on. With float_turn
 * strategies take the float types in turn, in the program that has special values, too. */
enum { RED_ROWS_PER_PROGRAM = 3, RED_PROGRAM_KINDS_N = 3, RED_NO_TURN = 255 };
struct red_program_kind {
    size_t n, first_twin; /* n: there are none */
    unsigned char data[RED_ROWS_PER_PROGRAM], float_turn;
};

/* What differs between primitives here. */
struct red_verify_hooks {
    struct red_program_kind programs[RED_PROGRAM_KINDS_N];
    /* Of --special and --accuracy: the operations that are shown where the user chose none, and the n of
     * special values. Which primitives have these options says model/primitive.c. */
    const char *numerics_ops[RED_NUMERICS_KINDS_N];
    uint64_t special_n;
    const char *answers;      /* of --show-data, what they are */
    size_t data_levels_n;     /* of red_data_levels, from the first on */
    unsigned char plain_data; /* of these the one that comes with every type and operation */
    bool uniform_is_weights;  /* uniform integers that are added show nothing that weights do not */
    bool may_be_idle;         /* without elements there is nothing to launch */
    /* Under stress: the data, the size of the first groups, and how many elements at most. */
    enum red_pattern stressed_data;
    size_t stressed_group_size;
    uint64_t stressed_n;
};
extern const struct red_verify_hooks red_verify_hooks[RED_PRIMITIVES_N];

/* The levels of every factor on one device; red_test_plan_make makes one for each list. */
struct red_parameter_space {
    struct red_session *session;
    struct red_client *device;
    const struct red_device_info *info;
    struct red_tuning tunings[RED_LEVELS_MAX]; /* each with a group size: that factor */
    size_t tunings_n;
    size_t more_n;                       /* behind them, further group sizes */
    bool own_lanes;                      /* nobody asked for lanes: a level says which, and fixed ones stay */
    unsigned char lanes[RED_LEVELS_MAX]; /* an enum lanes of parameter_space.c */
    struct red_size_point sizes[RED_LEVELS_MAX];
    size_t sizes_n;
    bool runs[RED_CHOICE_MAX][32][32];    /* strategy, type, operation */
    bool in_part[RED_CHOICE_MAX][32][32]; /* of these: not with every group size */
    size_t in_session[RED_CHOICE_MAX];    /* which of the session's strategies run at all */
    size_t strategies_n;
    size_t levels_n[RED_FACTORS_MAX]; /* of each factor */
};

/* What cannot run. */
struct red_refusals {
    size_t n[RED_CHOICE_MAX]; /* per strategy: combinations of type and operation */
    struct red_refusal {
        const struct red_strategy *strategy;
        char reason[224];
    } * reasons; /* owned; those of a strategy stand together, each once */
    size_t reasons_n;
};

/* k + seed: the turn of the k-th strategy, level or the like. Modulo the number of alternatives it is the one
 * to take. */
uint64_t red_space_shifted_by_seed(const struct red_parameter_space *space, uint64_t k);

/* Whether each strategy takes some of the further group sizes instead of its levels' own, by turns: of many
 * strategies, where neither --wg nor --all say which sizes are meant. Few strategies take all. */
bool red_space_group_sizes_take_turns(const struct red_parameter_space *space);

/* Fills `space`, all zeros before, with the levels of the session's device d, and adds to `refusals` what of
 * the strategies cannot run there. Errors: RED_E_INPUT. */
enum red_status red_space_fill(struct red_session *session, size_t d, struct red_parameter_space *space,
                               struct red_refusals *refusals, struct red_error *error);

/* The check that has these levels. */
struct red_check red_space_check_of_row(const struct red_parameter_space *space, const unsigned char *row);

/* Whether a check can run. A check that does not fit is left out, and no line on the screen says so.
 *   data_fits      its data suit n, type and operation, and special values the strategy's promises
 *   geometry_fits  the device has a geometry for it; unless the user gave --n or --all, with no more groups
 *                  than a check has time for */
bool red_space_data_fits(const struct red_parameter_space *space, const struct red_check *check);
bool red_space_geometry_fits(const struct red_parameter_space *space, const struct red_check *check);

/* All of this of the check that has these levels, and whether the driver runs it with groups of this size;
 * `context` is a red_parameter_space. The function `valid` of a red_covering_spec. */
bool red_space_admits(const void *context, const unsigned char row[RED_FACTORS_MAX]);

/* The numbers of bins that the strategy is checked with where groups have this size: --bins, otherwise those
 * of ten numbers that it takes; of other primitives one 0. How many: at least 1. */
enum { RED_BINS_LEVELS_N = 10 };
size_t red_space_bins(const struct red_parameter_space *space, const struct red_strategy *strategy,
                      size_t group_size, unsigned fitting[RED_BINS_LEVELS_N]);

/* Which of the ten numbers it is; 0 for any other. */
size_t red_bins_level(unsigned bins_n);

/* How many segments of so many elements a strategy of segments gets; 1 for any other strategy. */
uint64_t red_check_segments_n(const struct red_strategy *strategy, uint64_t segment_n);

/* ---- test plan -------------------------------------------------------------------------------------------
 * The list of checks that `verify` makes on one device. */

struct red_test_plan {
    struct red_check *rows; /* owned */
    size_t n;
    size_t levels_n[RED_FACTORS_MAX];
    size_t bins_n;                /* numbers of bins that tell programs apart; 1 where there is one */
    size_t chapters_n;            /* lists that make up the whole; their programs differ */
    size_t pairs_n, impossible_n; /* of the covering choice; 0 with --all */
    struct red_refusals refusals;
};

/* Makes a list for the session's device d. Without --all:
 *   pairs        a covering choice of all pairs
 *   exact data   for each of its programs all data of the exact tier (red_exact_data_kind), at small n
 *                and at one of several groups
 *   group sizes  the powers of two and their neighbours, and a few multiples of 32, are programs more, or
 *                replace levels of the grid where strategies share them (red_space_group_sizes_take_turns)
 *   bins         few strategies, and kernels of --kernel, have programs for each number of bins that they
 *                take; otherwise programs take turns with these
 *   options      --n and --wg replace the grid; --groups and --lanes, otherwise the default, come with
 *                every group size. Without --wg and --lanes some group sizes come with other lanes than
 *                the default, without --groups small n run with several groups, too. With all of a check
 *                named, as "again:" does, prefixes come with it
 *
 * With --all there is a list for every type and operation, its chapter, of every strategy with two group
 * sizes (the default, and one of the others in turn) at every n:
 *   to 2^12 + 1  with all data
 *   to 2^20 + 1  with one kind of data in turn
 *   beyond       in the chapters of the first operation, the default group size and the exact data
 *   --n, --wg    every such n comes with all data; every such group size is taken always
 *
 * Errors: RED_E_INPUT, RED_E_MEMORY, RED_E_INTERRUPTED. */
enum red_status red_test_plan_make(struct red_session *session, size_t d, size_t chapter,
                                   struct red_test_plan *plan, struct red_error *error);
void red_test_plan_clear(struct red_test_plan *plan);

/* What --all takes, in lines for people. */
extern const char red_test_plan_all_text[];

/* Appends a check; false without memory. */
bool red_test_plan_append(struct red_test_plan *plan, const struct red_check *check);

/* Appends all checks that are made without --all, and sets the plan's numbers of pairs: see
 * verify/covering_plan.c. Errors: RED_E_MEMORY, RED_E_INTERRUPTED. */
enum red_status red_test_plan_append_covering(struct red_parameter_space *space, struct red_test_plan *plan,
                                              struct red_error *error);

/* Whether two checks are about the same data. */
bool red_checks_have_same_data(const struct red_check *a, const struct red_check *b);

/* Counts the pairs of the covering choice that occur in the checks that were reached and launched a kernel,
 * and those that occur in none of these, but in some that launched nothing. Errors: RED_E_MEMORY. */
enum red_status red_test_plan_count_reached_pairs(const struct red_test_plan *plan, size_t *pairs_n,
                                                  size_t *idle_pairs_n, struct red_error *error);

/* Checks that share a program, and so build or fail to build together, share this number. It is below
 * red_test_plan_programs_n_max: combinations of the programs' levels, at least as many as programs. */
size_t red_check_program_number(const struct red_test_plan *plan, const struct red_check *check);
size_t red_test_plan_programs_n_max(const struct red_test_plan *plan);

/* ---- levels ----------------------------------------------------------------------------------------------
 * Which levels of each axis the checks of a strategy have, and which of them were checked at all. */

/* n, type, operation, data, bins, group size, lanes, groups, segments: verify/levels.c. */
enum { RED_LEVEL_AXES_N = 9 };

/* The levels of one strategy. */
struct red_levels {
    struct red_axis_levels {
        struct red_level {
            uint64_t number;          /* on its axis */
            bool is_settled;          /* a check that has it was right or wrong, or is a known bug */
            size_t open_n;            /* checks that were planned with it and not refused */
            struct red_check example; /* the first that has it */
        } * rows;                     /* owned */
        size_t n;
    } of[RED_LEVEL_AXES_N];
};

/* Adds the levels of a check that is planned; one that launches nothing (red_check_launches) has none. False
 * without memory. */
bool red_levels_add(struct red_levels *levels, const struct red_check *check);

/* The levels of this check are checked. */
void red_levels_settle(struct red_levels *levels, const struct red_check *check);

/* This check ended as unsupported, with its reason: a level of which all checks do is told, and not left. */
void red_levels_refuse(struct red_levels *levels, const struct red_check *check);
void red_levels_clear(struct red_levels *levels);

/* How many levels there are, and how many of them were never checked. */
size_t red_levels_count(const struct red_levels *levels, size_t *left_n);

/* "n = 17301505, type f64 and 3 more": levels that were never checked, told_max of them by name. */
void red_levels_left_format(const struct red_levels *levels, size_t told_max, char *text, size_t text_bytes);

/* Marks (is_of_levels) few and cheap checks of each of so many strategies that together have all its levels,
 * the largest n with them. A row that repeats the one before is marked as that. False without memory. */
bool red_levels_choose_checks(struct red_check *rows, size_t n, size_t strategies_n);

/* Sorts the rows of a covering choice as they are made, and marks them: of each strategy those of its levels
 * before all others. False without memory. */
bool red_test_plan_sort_covering(struct red_test_plan *plan);

/* Whether any kernel is launched: none is of a scan of no elements, which has no results. */
bool red_check_launches(const struct red_check *check);

/* How many calls of the kernel a check makes: what it may take, and has taken, is reckoned from these. */
unsigned red_check_calls_n(const struct red_check *check);

/* ---- outcomes --------------------------------------------------------------------------------------------
 * What `verify` has found so far, in a journal beside its --output, so that --resume does not ask again. */

/* The outcome of a check. */
struct red_check_outcome {
    enum red_state state;                              /* whatever the register of known bugs says */
    double call_s;                                     /* of the kernel; 0 if there was no answer */
    double check_s;                                    /* of the whole check */
    char text[sizeof((struct red_error *)NULL)->text]; /* why it is not right */
    struct red_evidence evidence;                      /* of a wrong one; otherwise without a fault */
};

struct red_outcomes; /* of verify/verify.c */

/* ---- tally -----------------------------------------------------------------------------------------------
 * How many checks ended how, and what `verify` prints of it. */

struct red_device_checks;

enum { RED_TYPES_MAX = 32 };

/* How the checks of one strategy ended on one device. */
struct red_tally {
    size_t planned_n;                               /* checks */
    size_t left_n;                                  /* of these not found by --resume */
    size_t happened[RED_STATES_N];                  /* what became of them */
    unsigned right_n[RED_TYPES_MAX][RED_TYPES_MAX]; /* of these `pass`, by type and operation */
    size_t idle_n;                       /* of these `pass` none: right, and nothing was launched */
    size_t refused_n;                    /* combinations of type and operation that cannot run at all */
    size_t levels_n, levels_left_n;      /* of all axes; of these never checked */
    char unchecked[RED_UNCHECKED_BYTES]; /* words for those of a strategy that must have none; or "" */
    struct red_call_costs costs;
    double spent_s;          /* by calls, and by checks that came to no end */
    size_t programs_n;       /* so far */
    struct red_facts facts;  /* of what is right and what is wrong */
    size_t worker;           /* that has the strategy in this chapter, from 1 on; 0: none yet */
    uint64_t stress_calls_n; /* of its stress; 0: none was made */
};

/* One run of `verify`, or a round of --soak: red_verify_session makes it. */
struct red_verify {
    struct red_session *session;
    const struct red_verify_options *options;
    const struct red_output *output; /* of the table; NULL: none is written */
    FILE *out;                       /* for people */
    struct red_outcomes *outcomes;   /* NULL: none is kept */
    double limit_s;                  /* of one check */
    double share_s; /* for the calls of a strategy; infinite where the user set a limit, or wants all */
    double start_s;
    size_t announced_n; /* devices whose checks have been counted */
    struct red_tally tallies[RED_DEVICES_MAX][RED_CHOICE_MAX];
    size_t totals[RED_STATES_N];
    size_t idle_n;                        /* right, and nothing was launched; beside `totals` */
    struct red_error first[RED_STATES_N]; /* the first line of each state */
    size_t unchecked_n;           /* strategies that were named, or are of --kernel, and lack levels */
    struct red_error unchecked;   /* the first of them */
    struct red_verify_file *file; /* every check that is not right; NULL: nobody asked for them */
    bool lost_checks;             /* there was no memory for some of these */
    size_t absent_n;              /* strategies that cannot run, though nobody expects that */
    struct red_error absent;      /* the first of them */
};

/* The user has had enough, or with --first something was wrong. */
bool red_verify_is_over(const struct red_verify *verify);

/* The tally of the check's strategy on the device. */
struct red_tally *red_tally_of(const struct red_device_checks *checks, const struct red_check *check);

/* The worker that is asked to make the check. */
struct red_client *red_client_of_check(const struct red_device_checks *checks, const struct red_check *check);

/* The case that the check makes, of data from the seed. */
struct red_case red_case_of_check(const struct red_check *check, uint64_t seed);

/* Counts a check that ended in the state, and reports the first few of each as they happen. The evidence is
 * NULL where no answer came. */
void red_tally_add_and_print(struct red_device_checks *checks, const struct red_check *check,
                             enum red_state state, const char *text, const struct red_evidence *evidence);

/* Counts what cannot run at all, once for each combination of type and operation. Where the register lists
 * what the driver lacks, prints which strategies among them it does not expect ("absent: ..."). */
void red_tally_add_refused_and_print_absent(struct red_device_checks *checks);

/* Releases what the tallies of all devices hold. */
void red_tallies_clear(struct red_verify *verify);

/* Prints what was covered, and what cannot run. Errors: RED_E_MEMORY. */
enum red_status red_coverage_print(const struct red_device_checks *checks, struct red_error *error);

/* Prints the closing line. Errors: RED_E_WRONG, RED_E_BUILD, RED_E_CRASHED, RED_E_TIMED_OUT or RED_E_DEVICE
 * with the first of its kind; RED_E_NO_DEVICE where nothing could be checked. */
enum red_status red_tally_print_and_find_status(const struct red_verify *verify, struct red_error *error);

/* ---- every check that is not right -----------------------------------------------------------------------
 * The file of --format json and the report of --export junit (verify/tally.c): what the screen cuts. */

/* Begins the file: which run it is, on which host and devices. Errors: RED_E_MEMORY. */
enum red_status red_evidence_begin(struct red_verify *verify, struct red_error *error);
void red_evidence_end(struct red_verify *verify);

/* Keeps why the device cannot run what of its strategies. */
void red_evidence_add_refusals(struct red_device_checks *checks);

/* Writes the file, and each report of --export. Errors: RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_evidence_write(struct red_verify *verify, struct red_error *error);

/* ---- verify of a device ----------------------------------------------------------------------------------
 * Runs the checks of one device, and knows which are under way. */

/* What is known of one program. */
struct red_program_state {
    bool numbered, seen; /* it has `at`; it is counted in new_programs_n */
    char *log;           /* owned: why it does not build; NULL: nothing says so */
    size_t first_row;    /* of those that --resume has not found; SIZE_MAX: it has found all */
    size_t at;           /* its number among those of its strategy */
    bool timed;          /* before its turn */
    struct red_call_cost cost;
};

/* A check that was made before its turn, in the first chapter. */
enum { RED_EARLY_N = 16 };
struct red_early_check {
    size_t row;
    struct red_check_outcome outcome; /* pending: the user has interrupted it */
};

/* A CPU's driver compiles with one thread, and compiling is most of the work: so many workers share it. */
enum { RED_WORKERS_MAX = 4 };

/* The checks of one device, and how far they are: verify_device in verify/verify.c makes it. */
struct red_device_checks {
    struct red_verify *verify;
    size_t d, chapter;
    struct red_client *workers[RED_WORKERS_MAX]; /* the first is the session's */
    size_t workers_n;
    pthread_mutex_t lock; /* of all that is here; free only while a worker is being asked */
    const char *id;
    struct red_test_plan plan; /* of one chapter; so are the programs */
    struct red_program_state *programs;
    size_t checks_n;              /* of all chapters */
    struct red_workload workload; /* the same without what --resume has found */
    /* What of it is made before its turn; the rest; what of the rest is made by now. */
    struct red_workload early_work, left, done;
    struct red_check_rates rates;
    size_t done_n, ran_n;       /* distinct checks so far, and how many of them ended right or wrong */
    double start_s, expected_s; /* of all */
    double announced_s, told_s; /* when that was, on the clock; what the rest takes, as last told */
    struct red_early_check early[RED_EARLY_N];
    size_t early_n;
    size_t new_programs_n;     /* so far */
    struct red_levels *levels; /* owned; of each of the session's strategies, in all chapters */
};

/* The line of --expect that lists the check, and by which it is skipped or judged; NULL if none does. */
struct red_known_failure *red_check_known_failure(const struct red_device_checks *checks,
                                                  const struct red_check *check);

/* ---- special values --------------------------------------------------------------------------------------
 * What a strategy may answer to special values. */

enum red_judgement {
    RED_AS_EXACT, /* what exact arithmetic answers; -0 and +0 are equal */
    RED_DEVIATES, /* allowed, and named */
    RED_IS_WRONG,
    RED_JUDGEMENTS_N
};

extern const char *const red_judgement_names[RED_JUDGEMENTS_N]; /* "exact", "deviates", "wrong" */

/* What judging takes beside the truth and the answer. */
struct red_special {
    enum red_pattern pattern;
    const char *unpromised; /* red_special_unpromised */
};

/* Why a strategy need not make of such data what exact arithmetic does; NULL where it must, and of data that
 * are no special values. It must where its manifest says so, but
 *   NaN        not for an extreme that the driver's built-ins find: OpenCL does not say what they do with it
 *   infinities not for an extreme of which a probe has seen the driver's built-in lose them
 *   denormals  only where the driver claims to keep them (CL_FP_DENORM), for the type of the accumulator.
 *              Halves are loaded as floats without loss, and places are compared as integers: always exact */
const char *red_special_unpromised(const struct red_strategy *strategy, const struct red_op *op,
                                   const struct red_dtype *dtype, enum red_pattern pattern,
                                   const struct red_device_info *info,
                                   const struct red_capabilities *capabilities);

/* Whether there is a special value among the first n elements of the input, whose data are such. */
bool red_special_is_among(const struct red_input *input, uint64_t n);

/* Judges an answer to special values (IEEE 754-2008; fmin and fmax pass over a NaN, OpenCL C 3.0 section
 * 6.15.2). Other than exact is wrong where the exact answer is promised and deviates where it is not. *words
 * says what came instead, and is empty of exact ones. */
enum red_judgement red_special_judge(const struct red_special *special, const struct red_truth *truth,
                                     const struct red_value *got, const char **words);

/* Writes "nan, denormal": the kinds that the strategy does not promise on the session's device d for some of
 * the chosen types and operations. Empty where it promises all. */
void red_special_unpromised_format(const struct red_session *session, size_t d,
                                   const struct red_strategy *strategy, char *text, size_t text_bytes);

/* Writes for people what is not promised, why, of which operations and by which of the strategies; `runs`
 * says which of them the device runs. Nothing where all is. */
void red_special_unpromised_print(const struct red_session *session, size_t d, const bool *runs, FILE *out);

/* ---- stress ----------------------------------------------------------------------------------------------
 * Thousands of calls beside what disturbs memory (verify/stress.c). */

/* What the stress of all strategies of the session's device d is expected to take; 0 where nobody asked. */
double red_stress_expected_s(const struct red_verify *verify, size_t d);

/* Puts the device's strategies under stress whose groups read what others wrote, and of which all checks were
 * right; prints a line for each, and counts it as a check more. The caller holds the lock, which is free
 * while the worker is asked. Does nothing where nobody asked for that. */
void red_stress_device(struct red_device_checks *checks);

#endif
