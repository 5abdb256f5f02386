#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "bench/interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "model/status.h"
#include "record/leftover.h"

/* A signal handler reaches nothing but globals. */
static volatile sig_atomic_t interrupted, ends_at_once;

static void remember(int signal_number) {
    static const char told[] = "clreduce: interrupted\n";
    (void)signal_number;
    if (interrupted || ends_at_once) {
        red_leftovers_remove();
        (void)!write(STDERR_FILENO, told, sizeof told - 1);
        _exit(red_status_exit(RED_E_INTERRUPTED));
    }
    interrupted = 1;
}

void red_interrupt_watch(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void red_interrupt_at_once(bool at_once) {
    ends_at_once = at_once;
}

bool red_interrupted(void) {
    return interrupted != 0;
}
