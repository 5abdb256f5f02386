#include "bench/session.h"
enum red_status red_cmd_verify(const struct red_options *options, struct red_error *error) {
    (void)options;
    return red_fail(error, RED_E_INPUT, "not yet");
}
