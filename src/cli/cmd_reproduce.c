/* The verb `reproduce`: opens the session and has src/reproduce find a check that fails. */
#include "cli/options.h"
#include "reproduce/reproduce.h"

/* Called by run_verb in main.c with the command line; its status becomes the exit status. */
static enum red_status run_reproduce(const struct red_options *options, struct red_error *error) {
    static const struct red_session_defaults defaults = {.kernels_alone = true};
    static struct red_session session;
    struct red_selection selection = options->selection;
    const struct red_reproduce_options asked = {
        .keep_n = options->keep_n, .overwrite = options->emit.overwrite, .folder = options->output.path};
    if (selection.strategy == NULL && selection.kernels_n == 0)
        return red_fail(error, RED_E_INPUT, "reproduce wants --strategy NAME, or --kernel FILE");
    enum red_status status = RED_OK;
    if (selection.n.n == 0)
        status = red_sizes_parse("--n", "70,2503,2^17+1", &selection.n, error);
    if (status == RED_OK)
        status = red_session_open(&selection, &defaults, &session, error);
    if (status == RED_OK) {
        status = session.devices_n > 0 && session.strategies_n > 0
                     ? red_reproduce_session(&session, &asked, stdout, error)
                     : red_fail(error, RED_E_NO_DEVICE,
                                "reproduce checks kernels on OpenCL devices; see clreduce devices");
        red_session_close(&session);
    }
    if (options->selection.n.n == 0)
        red_sizes_clear(&selection.n);
    return status;
}

const struct red_verb red_verb_reproduce = {
    .name = "reproduce",
    .summary = "writes a check that fails as a program that needs OpenCL alone",
    .options = RED_SELECTION_OPTIONS | RED_LAUNCH_OPTIONS | RED_BIT(N) | RED_BIT(KERNEL) | RED_BIT(SEED) |
               RED_BIT(PATIENCE) | RED_BIT(OUTPUT) | RED_BIT(OVERWRITE) | RED_BIT(KEEP_N),
    .documentation =
        "Makes the checks of verify for what is chosen, in order, until one fails; looks for the "
        "smallest n at which it still does (by default it begins with 70, 2503 and 2^17 + 1), and writes a "
        "folder that can be "
        "sent to the driver's developers: the kernel without macros, a host program of at most 150 lines "
        "that "
        "needs OpenCL alone and exits with 1 while the bug is there, and a text. A crash, a hang or a "
        "failed build are written, too. --output is the folder.\v"
        "Example: clreduce reproduce --device rusticl --strategy serial --op sum --type i32\n"
        "Example: clreduce reproduce --device pocl --kernel mine.cl --n 1000 --keep-n",
    .run = run_reproduce,
};
