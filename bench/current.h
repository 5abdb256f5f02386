/* What the program is doing just now, for the last words of a run that a driver or a kernel brings down. */
#ifndef CLREDUCE_BENCH_CURRENT_H
#define CLREDUCE_BENCH_CURRENT_H

#include <stdint.h>

/* From here on a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) prints what was going on and ends the
 * program with exit status 5, and so does a call that takes longer than its limit. Call once. */
void red_current_watch(void);

/* Begins something that must end within limit_s seconds: "verifying tree ...", as printf. */
void red_current_begin(unsigned limit_s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void red_current_end(void);

/* How long a driver may take over n elements, its compiler included, before it counts as hung: 2 minutes, 1 s
 * more for every 2^20 elements, and ten times what the calls are expected (or, by the budget, allowed) to
 * take. */
unsigned red_patience_s(uint64_t n, double expected_s);

#endif
