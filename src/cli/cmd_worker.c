/* The verb `worker`, for the program itself alone: answers what another clreduce asks of a driver. */
#include "cli/options.h"
#include "worker/server.h"

static enum red_status run(const struct red_options *options, struct red_error *error) {
    return red_worker_serve(options->selection.kernels, options->selection.kernels_n, error);
}

const struct red_verb red_verb_worker = {
    .name = "worker",
    .options = RED_BIT(KERNEL),
    .documentation = "Works with one device's driver, apart; clreduce starts this itself.",
    .run = run,
};
