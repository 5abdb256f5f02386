/* The verb `reproduce`: opens the session and has src/reproduce find a check that fails. */
#include "cli/options.h"
#include "reproduce/reproduce.h"

/* Opens the session that the selection names, and reproduces `check`, or the first check that fails. */
static enum red_status open_and_reproduce(const struct red_options *options,
                                          const struct red_selection *selection,
                                          const struct red_verify_check *check, struct red_error *error) {
    static const struct red_session_defaults defaults = {.kernels_alone = true};
    static struct red_session session;
    const struct red_reproduce_options asked = {
        .keep_n = options->keep_n, .overwrite = options->emit.overwrite, .folder = options->output.path};
    enum red_status status = red_session_open(selection, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    status = session.devices_n > 0 && session.strategies_n > 0
                 ? red_reproduce_session(&session, check, &asked, stdout, error)
                 : red_fail(error, RED_E_NO_DEVICE,
                            "reproduce checks kernels on OpenCL devices; see clreduce devices");
    red_session_close(&session);
    return status;
}

/* For `reproduce FILE`: chooses a check of the file, and narrows the selection to it. */
static enum red_status reproduce_from_file(const struct red_options *options, struct red_error *error) {
    struct red_selection selection = options->selection;
    struct red_verify_file file;
    enum red_status status =
        options->files_n > 1
            ? red_fail(error, RED_E_INPUT, "reproduce takes one file of clreduce verify --output")
            : red_verify_file_load(options->files[0], &file, error);
    if (status != RED_OK)
        return status;
    const struct red_verify_check *check = red_reproduce_choose_check(&file, &selection, &selection.device);
    if (check == NULL) {
        status =
            red_fail(error, RED_E_UNDECIDED, "%.300s has no such check that is not right", options->files[0]);
    } else {
        selection.strategy = check->strategy;
        selection.op = check->op;
        selection.type = check->type;
        if (check->kernel != NULL && selection.kernels_n == 0)
            selection.kernels[selection.kernels_n++] = check->kernel;
        status = open_and_reproduce(options, &selection, check, error);
    }
    red_verify_file_clear(&file);
    return status;
}

/* Called by run_verb in main.c with the command line; its status becomes the exit status. */
static enum red_status run_reproduce(const struct red_options *options, struct red_error *error) {
    struct red_selection selection = options->selection;
    enum red_status status = RED_OK;
    if (options->files_n > 0)
        return reproduce_from_file(options, error);
    if (selection.strategy == NULL && selection.kernels_n == 0)
        return red_fail(
            error, RED_E_INPUT,
            "reproduce wants a file of clreduce verify --output, --strategy NAME, or --kernel FILE");
    if (selection.n.n == 0)
        status = red_sizes_parse("--n", "70,2503,2^17+1", &selection.n, error);
    if (status == RED_OK)
        status = open_and_reproduce(options, &selection, NULL, error);
    if (options->selection.n.n == 0)
        red_sizes_clear(&selection.n);
    return status;
}

const struct red_verb red_verb_reproduce = {
    .name = "reproduce",
    .summary = "writes a check that fails as a program that needs OpenCL alone",
    .options = RED_SELECTION_OPTIONS | RED_LAUNCH_OPTIONS | RED_BIT(N) | RED_BIT(KERNEL) | RED_BIT(SEED) |
               RED_BIT(PATIENCE) | RED_BIT(OUTPUT) | RED_BIT(OVERWRITE) | RED_BIT(KEEP_N),
    .takes_files = true,
    .documentation =
        "Takes the first check of a file of verify --output that is wrong, crashed, timed-out, build-failed "
        "or failed; without a file makes the checks of verify for what is chosen until one fails, by "
        "default with n = 70, 2503 and 2^17 + 1. Looks for the smallest n at which it still fails, and "
        "writes a folder (--output) for the developers of the driver: the kernel without macros, a host "
        "program of at most 150 lines that needs OpenCL alone and exits with 1 while the bug is there, and "
        "a text.\v"
        "Example: clreduce reproduce verified.json --output for-the-driver\n"
        "Example: clreduce reproduce --device rusticl --strategy serial --op sum --type i32\n"
        "Example: clreduce reproduce --device pocl --kernel mine.cl --n 1000 --keep-n",
    .run = run_reproduce,
};
