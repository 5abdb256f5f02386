#include "cli/options.h"
#include "results/journal.h"
#include "verify/numerics.h"
#include "verify/show_data.h"
#include "verify/verify.h"

static enum red_status check_resume(const struct red_options *options, struct red_error *error) {
    return !options->output.resume || options->output.path != NULL
               ? RED_OK
               : red_fail(error, RED_E_INPUT, "--resume needs --output: the journal lies beside that file");
}

enum red_status red_cmd_verify(const struct red_options *options, struct red_error *error) {
    bool numerics = options->verify.special || options->verify.accuracy;
    const struct red_session_defaults defaults = {.types = numerics ? "f32" : NULL,
                                                  .ops = options->verify.special ? "sum,min,max,argmin"
                                                         : numerics              ? "sum"
                                                                                 : NULL,
                                                  .kernel_option =
                                                      options->verify.accuracy ? "accuracy" : NULL,
                                                  .kernels_alone = true};
    struct red_session session;
    enum red_status status = check_resume(options, error);
    if (status == RED_OK && options->output.path != NULL)
        status = red_journal_check_writable(options->output.path, error);
    if (status == RED_OK)
        status = red_session_open(&options->selection, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    status = red_session_check_memory(&session, false, error);
    if (status != RED_OK)
        ; /* told below */
    else if (session.devices_n == 0)
        status = red_fail(error, RED_E_NO_DEVICE, "verify checks OpenCL devices; 'host' has none");
    else if (session.strategies_n == 0)
        status = red_fail(error, RED_E_INPUT,
                          "--strategy '%s' names no kernel: verify checks those; openmp is what they are "
                          "compared with",
                          options->selection.strategy);
    else if (options->verify.show_data != NULL)
        status = red_show_data(&session, options->verify.show_data, &options->output, error);
    else if (numerics)
        status = red_numerics_show(&session,
                                   options->verify.special ? RED_NUMERICS_SPECIAL : RED_NUMERICS_ACCURACY,
                                   &options->output, error);
    else if (options->verify.soak_s > 0)
        status = red_verify_soak(&session, &options->verify, &options->output,
                                 options->output.format == RED_FORMAT_TABLE ? stdout : stderr, error);
    else
        status = red_verify_session(&session, &options->verify, &options->output, RED_VERIFY_SHARE_S,
                                    options->output.format == RED_FORMAT_TABLE ? stdout : stderr, error);
    red_session_close(&session);
    return status;
}
