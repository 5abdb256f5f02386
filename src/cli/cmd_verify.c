#define _POSIX_C_SOURCE 200809L /* setenv */
/* The verb `verify`: chooses between checks, --soak, --special, --accuracy and --show-data; src/verify does
 * them. */
#include "cli/options.h"

#include <stdlib.h>

#include "cli/over_ranks.h"

#include "export/export.h"
#include "model/primitive.h"
#include "results/journal.h"
#include "verify/verify.h"

static enum red_status check_resume_has_output(const struct red_options *options, struct red_error *error) {
    return !options->output.resume || options->output.path != NULL
               ? RED_OK
               : red_fail(error, RED_E_INPUT, "--resume needs --output: the journal lies beside that file");
}

/* Opens the session and has one of the checks print and write what it finds. */
static enum red_status run_verify(const struct red_options *options, struct red_error *error) {
    if (options->ranks.ranks)
        return red_verify_over_ranks(options, error);
    const bool numerics = options->verify.special || options->verify.accuracy;
    enum red_status status = red_primitive_check_option(options->selection.primitive, RED_OWN_OPTION_SPECIAL,
                                                        options->verify.special, error);
    if (status == RED_OK)
        status = red_primitive_check_option(options->selection.primitive, RED_OWN_OPTION_ACCURACY,
                                            options->verify.accuracy, error);
    if (status != RED_OK)
        return status;
    const enum red_numerics_kind kind =
        options->verify.special ? RED_NUMERICS_SPECIAL : RED_NUMERICS_ACCURACY;
    const struct red_session_defaults defaults = {
        .types = numerics ? "f32" : NULL,
        .ops = numerics ? red_numerics_ops(kind, options->selection.primitive) : NULL,
        .kernel_option = options->verify.accuracy ? "accuracy" : NULL,
        .kernels_alone = true};
    struct red_session session;
    const struct red_output *output = &options->output;
    FILE *screen =
        output->format == RED_FORMAT_TABLE && !red_exports_use_stdout(output->exports, output->exports_n)
            ? stdout
            : stderr;
    status = check_resume_has_output(options, error);
    if (status == RED_OK)
        status = red_exports_check_options(output->exports, output->exports_n, true, error);
    if (status == RED_OK && output->path != NULL)
        status = red_journal_check_writable(output->path, error);
    /* One worker per processor: OpenMP's threads of one, that wait, are not to spin against another's.
     * Nothing is timed that they would serve. */
    setenv("OMP_WAIT_POLICY", "passive", 0);
    if (status == RED_OK)
        status = red_session_open(&options->selection, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    status = red_session_check_memory(&(const struct red_session *){&session}, 1, false, error);
    if (status != RED_OK)
        ; /* told below */
    else if (session.devices_n == 0)
        status = red_fail(error, RED_E_NO_DEVICE,
                          "verify checks OpenCL devices, and 'host' is none: clreduce devices lists them");
    else if (session.strategies_n == 0)
        status = red_fail(
            error, RED_E_INPUT,
            "--strategy '%s' names no kernel: verify checks those; openmp is what they are compared with",
            options->selection.strategy);
    else if (options->verify.show_data != NULL)
        status = red_data_set_write(&session, options->verify.show_data, output, error);
    else if (numerics)
        status = red_numerics_write(&session, kind, output, error);
    else if (options->verify.soak_s > 0)
        status = red_verify_soak(&session, &options->verify, output, screen, error);
    else
        status = red_verify_session(&session, &options->verify, output, RED_VERIFY_SHARE_S, screen, error);
    red_session_close(&session);
    return status;
}

#define CHECKING_OPTIONS                                                                                     \
    (RED_BIT(BINS) | RED_LAUNCH_OPTIONS | RED_BIT(TIME_PER_CELL) | RED_BIT(EXPECT) | RED_BIT(ALL) |          \
     RED_BIT(FIRST) | RED_BIT(DESPITE_PROBES) | RED_BIT(STRESS))

const struct red_verb red_verb_verify = {
    .name = "verify",
    .summary = "checks every result over awkward sizes, types, group sizes and data",
    .options = RED_BIT(PRIMITIVE) | RED_BIT(DEVICE) | RED_BIT(STRATEGY) | RED_BIT(OP) | RED_BIT(TYPE) |
               RED_OUTPUT_OPTIONS | RED_BIT(N) | RED_BIT(KERNEL) | RED_BIT(SEED) | RED_BIT(PATIENCE),
    .modes =
        (const struct red_mode[]){
            {RED_OPTION_RANKS, RED_BIT(RANK_COUNTS) | RED_BIT(SPLIT) | RED_BIT(COLLECTIVE) | RED_BIT(BUDGET) |
                                   RED_BIT(ALL) | RED_BIT(EXPECT)},
            {RED_OPTION_EACH, CHECKING_OPTIONS | RED_BIT(RESUME)},
            {RED_OPTION_SPECIAL, RED_BIT(BINS) | RED_BIT(TIME_PER_CELL) | RED_BIT(EXPECT)},
            {RED_OPTION_SHOW_DATA, RED_BIT(BINS) | RED_LAUNCH_OPTIONS},
            {RED_OPTION_ACCURACY, RED_BIT(BINS) | RED_BIT(TIME_PER_CELL) | RED_BIT(EXPECT)},
            {RED_OPTION_SOAK, CHECKING_OPTIONS},
            {RED_MODE_ALWAYS, CHECKING_OPTIONS | RED_BIT(RESUME) | RED_BIT(EXPORT)}},
    .documentation =
        "Checks results against an exact sum: a covering choice in which every pair of strategy, type, "
        "operation, group size, n and data occurs; with --all every strategy, type and operation at every n. "
        "--output FILE holds, as JSON, every check that is not right, with what was expected, what came, and "
        "the command that makes it again. Exit status 2 if anything is wrong.\n"
        "--stress SECONDS finds an order between work-groups that a kernel keeps by chance alone: many "
        "calls, "
        "other data in each, beside launches that scatter stores and loads over a buffer.\n"
        "--ranks, under mpirun: checks one array that is spread over the ranks, by each collective, and "
        "prints "
        "what is wrong and the command that makes it again; there is no --output. --each: every rank checks "
        "its own device, and rank 0 writes one file of all.\v"
        "Example: clreduce verify --device pocl --strategy 'tree*' --type f32,f64\n"
        "Example: clreduce verify --stress 10 --strategy 'last_group*' --n 2^16\n"
        "Example: mpirun -n 4 clreduce verify --ranks --seed 7\n"
        "Example: mpirun -n 16 clreduce verify --each --output fleet.json\n"
        "Example: clreduce verify --kernel mine.cl --output checks.json --export "
        "junit=checks.xml\n"
        "Example: clreduce verify --accuracy --strategy 'tree*,compensated,serial' --type f32,f64\n"
        "Example: clreduce verify --special --op sum,max --format csv --output answers.csv\n"
        "Example: clreduce verify --show-data wide --op sum --type f32 --n 100 --format json",
    .run = run_verify,
};
