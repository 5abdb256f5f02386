#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "bench/interrupt.h"

#include <signal.h>
#include <string.h>

/* A signal handler reaches nothing but globals. */
static volatile sig_atomic_t interrupted;

static void remember(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

void red_interrupt_watch(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool red_interrupted(void) {
    return interrupted != 0;
}
