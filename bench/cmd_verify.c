#include "bench/verifying.h"

enum red_status red_cmd_verify(const struct red_options *options, struct red_error *error) {
    static const struct red_session_defaults defaults = {.types = NULL, .ops = NULL, .kernels_alone = true};
    struct red_session session;
    enum red_status status = red_session_open(options, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    if (session.devices_n == 0)
        status = red_fail(error, RED_E_NO_DEVICE, "verify checks OpenCL devices; 'host' has none");
    else
        status =
            red_verify_session(&session, options->format == RED_FORMAT_TABLE ? stdout : stderr, true, error);
    red_session_close(&session);
    return status;
}
