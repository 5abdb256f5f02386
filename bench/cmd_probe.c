#define _POSIX_C_SOURCE 200809L /* STDIN_FILENO */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bench/session.h"
#include "device/prober.h"

/* The program starts itself with this verb to ask a driver what it can do (device/prober.h). */
enum red_status red_cmd_probe(const struct red_options *given, struct red_error *error) {
    static const struct red_session_defaults defaults = {.types = NULL};
    struct red_options options = *given;
    struct red_session session;
    options.probe_program = NULL;     /* this is the child, */
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* and nobody waits for it when the parent is gone */
    enum red_status status = red_session_open(&options, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    for (size_t d = 0; d < session.devices_n; d++)
        red_prober_serve(session.devices[d], STDIN_FILENO);
    red_session_close(&session);
    return RED_OK;
}
