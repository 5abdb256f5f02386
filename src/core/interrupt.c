#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "core/interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/leftover.h"
#include "core/status.h"

/* A signal handler reaches nothing but globals. */
static volatile sig_atomic_t interrupted, signalled, ends_at_once;
static struct red_error reason;

static void remember(int signal_number) {
    static const char told[] = "clreduce: interrupted\n";
    (void)signal_number;
    if (signalled || ends_at_once) {
        red_leftovers_remove();
        (void)!write(STDERR_FILENO, told, sizeof told - 1);
        _exit(red_status_exit(RED_E_INTERRUPTED));
    }
    signalled = interrupted = 1;
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

void red_interrupt_for(const struct red_error *why) {
    if (reason.text[0] == '\0')
        reason = *why;
    interrupted = 1;
}

const struct red_error *red_interrupt_reason(void) {
    return reason.text[0] != '\0' ? &reason : NULL;
}

bool red_interrupted(void) {
    return interrupted != 0;
}
