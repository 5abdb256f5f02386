/* The verb `reproduce`: opens the session and has src/reproduce find a check that fails. */
#include <string.h>

#include "cli/options.h"
#include "reproduce/reproduce.h"
#include "verify/verify.h"

static const struct red_session_defaults defaults = {.kernels_alone = true};
static const struct red_selection any = {.device = NULL}; /* selects every check of a file */

/* Opens the session that the selection names, which has the check, and reproduces it. */
static enum red_status open_and_reproduce(const struct red_options *options,
                                          const struct red_selection *selection,
                                          const struct red_verify_check *check, struct red_error *error) {
    static struct red_session session;
    const struct red_reproduce_options asked = {
        .keep_n = options->keep_n, .overwrite = options->emit.overwrite, .folder = options->output.path};
    enum red_status status = red_session_open(selection, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    status = session.devices_n > 0 && session.strategies_n > 0
                 ? red_reproduce_session(&session, check, &asked, stdout, error)
                 : red_fail(error, RED_E_NO_DEVICE, "the check's device or kernel is not here");
    red_session_close(&session);
    return status;
}

/* Narrows the selection to the check that red_reproduce_choose_check has given. */
static enum red_status reproduce_check(const struct red_options *options, const char *device,
                                       const struct red_verify_check *check, struct red_error *error) {
    const struct red_op *op = red_op_find(check->at.op->name);
    struct red_selection selection = options->selection;
    selection.primitive = op != NULL ? op->primitive : selection.primitive;
    selection.bins_n = check->at.bins_n;
    selection.device = device;
    selection.strategy = check->at.strategy->name;
    selection.op = check->at.op->name;
    selection.type = check->at.dtype->name;
    if (check->kernel != NULL && selection.kernels_n == 0)
        return red_fail(
            error, RED_E_INPUT,
            "the check is of the kernel %.1000s, which the file names and nobody has looked at: add "
            "--kernel FILE to run it",
            check->kernel);
    return open_and_reproduce(options, &selection, check, error);
}

/* For `reproduce FILE`. */
static enum red_status reproduce_from_file(const struct red_options *options, struct red_error *error) {
    struct red_verify_file file;
    if (options->files_n > 1)
        return red_fail(error, RED_E_INPUT, "reproduce takes one file of clreduce verify --output");
    enum red_status status = red_verify_file_load(options->files[0], &file, error);
    if (status != RED_OK)
        return status;
    const char *device = NULL;
    const struct red_verify_check *check = red_reproduce_choose_check(&file, &options->selection, &device);
    if (check != NULL)
        status = reproduce_check(options, device, check, error);
    else if (red_reproduce_choose_check(&file, &any, &device) == NULL)
        status =
            red_fail(error, RED_E_UNDECIDED, "%.300s has no check that failed: there is nothing to reproduce",
                     options->files[0]);
    else
        status =
            red_fail(error, RED_E_UNDECIDED, "%.300s has no such check that is not right", options->files[0]);
    red_verify_file_clear(&file);
    return status;
}

/* A check that fails, with what it points to: it is of a session that is closed. */
struct failing {
    struct red_verify_file file;
    struct red_strategy strategy;
    struct red_verify_check check;
    const char *device; /* NULL: none has failed */
};

/* Makes the checks of `verify` until one fails. Errors: those of red_verify_session, as RED_E_WRONG where one
 * has failed; RED_E_UNDECIDED where none does. */
static enum red_status find_failing_check(const struct red_options *options, struct failing *found,
                                          struct red_error *error) {
    static struct red_session session;
    const struct red_verify_options asked = {.found = &found->file};
    enum red_status status = red_session_open(&options->selection, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    status = session.devices_n > 0 && session.strategies_n > 0
                 ? red_verify_session(&session, &asked, NULL, RED_VERIFY_SHARE_S, stdout, error)
                 : red_fail(error, RED_E_NO_DEVICE,
                            "reproduce checks kernels on OpenCL devices; see clreduce devices");
    const struct red_verify_check *check = red_reproduce_choose_check(&found->file, &any, &found->device);
    if (check != NULL) {
        found->check = *check;
        found->strategy = *check->at.strategy;
        found->check.at.strategy = &found->strategy;
    }
    red_session_close(&session);
    if (status == RED_OK)
        return red_fail(error, RED_E_UNDECIDED,
                        "there is nothing to reproduce: all checks of these are right; choose other "
                        "--strategy, --op, --type, --n, --wg or --seed");
    return status;
}

static enum red_status run_reproduce(const struct red_options *options, struct red_error *error) {
    if (options->output.path != NULL && strcmp(options->output.path, "-") == 0)
        return red_fail(error, RED_E_INPUT,
                        "reproduce writes several files: --output names their folder, not -");
    if (options->files_n > 0)
        return reproduce_from_file(options, error);
    if (options->selection.strategy == NULL && options->selection.kernels_n == 0)
        return red_fail(error, RED_E_INPUT,
                        "reproduce wants a file of clreduce verify --output, --strategy NAME ('*': every "
                        "one), or --kernel FILE");
    struct failing found = {.device = NULL};
    enum red_status status = find_failing_check(options, &found, error);
    if (found.device != NULL && status != RED_E_INTERRUPTED)
        status = reproduce_check(options, found.device, &found.check, error);
    red_verify_file_clear(&found.file);
    return status;
}

const struct red_verb red_verb_reproduce = {
    .name = "reproduce",
    .summary = "writes a check that fails as a program that needs OpenCL alone",
    .options = RED_SELECTION_OPTIONS | RED_LAUNCH_OPTIONS | RED_BIT(N) | RED_BIT(KERNEL) | RED_BIT(SEED) |
               RED_BIT(PATIENCE) | RED_BIT(OUTPUT) | RED_BIT(OVERWRITE) | RED_BIT(KEEP_N) |
               RED_BIT(DESPITE_PROBES),
    .files = "[FILE]",
    .documentation =
        "Takes the first check of a file of verify --output that is wrong, crashed, timed-out, failed or "
        "build-failed; without a file makes the checks of verify for what is chosen until one fails. Looks "
        "for the smallest n at which it still fails, and writes a folder (--output) for the developers of "
        "the driver: the kernel with all that it needs, a host program of at most 150 lines that needs "
        "OpenCL alone and exits with 1 while the bug is there, and a text.\v"
        "Example: clreduce reproduce verified.json --output for-the-driver\n"
        "Example: clreduce reproduce --device rusticl --strategy serial --op sum --type i32\n"
        "Example: clreduce reproduce --device pocl --kernel mine.cl --n 1000 --keep-n\n"
        "Example: clreduce reproduce --device pocl --primitive scan --kernel my_scan.cl",
    .run = run_reproduce,
};
