#define _POSIX_C_SOURCE 200809L /* sigaction, alarm */
#include "bench/current.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A signal handler reaches nothing but globals. */
static char current[256] = "starting";
static int out_fd = STDERR_FILENO;

/* In a handler only write() is safe: stdio may be what broke. */
static void say(const char *text) {
    if (write(out_fd, text, strlen(text)) < 0)
        return;
}

static void end_by(int signal_number) {
    static const struct {
        int number;
        const char *text;
    } ends[] = {
        {SIGSEGV, "a driver or a kernel reached outside its memory (SIGSEGV)"},
        {SIGBUS, "a driver or a kernel reached outside its memory (SIGBUS)"},
        {SIGFPE, "a driver or a kernel divided by zero (SIGFPE)"},
        {SIGILL, "a driver ran an instruction that this processor lacks (SIGILL)"},
        {SIGABRT, "a driver gave up (SIGABRT)"},
        {SIGALRM, "no answer within the time limit"},
    };
    say("\nclreduce: ");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends[i].number == signal_number)
            say(ends[i].text);
    say(" while ");
    say(current);
    say("\n");
    _exit(5);
}

void red_current_watch(void) {
    static const int numbers[] = {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction action;
    /* While a compiler works, standard error leads elsewhere. */
    int copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    out_fd = copy >= 0 ? copy : STDERR_FILENO;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_by;
    size_t n = sizeof numbers / sizeof numbers[0];
#ifdef __SANITIZE_ADDRESS__
    n = 2; /* the sanitizer's own report of a crash tells more */
#endif
    for (size_t i = 0; i < n; i++)
        sigaction(numbers[i], &action, NULL);
}

void red_current_begin(unsigned limit_s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(current, sizeof current, format, arguments);
    va_end(arguments);
    alarm(limit_s);
}

unsigned red_patience_s(uint64_t n, double expected_s) {
    return 120 + (unsigned)(n >> 20) + (unsigned)fmin(10 * expected_s, 1e6);
}

void red_current_end(void) {
    alarm(0);
    snprintf(current, sizeof current, "working on no cell");
}
