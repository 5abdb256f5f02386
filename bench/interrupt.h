/* Ctrl-C, or SIGTERM: the run ends early, with what there is. */
#ifndef CLREDUCE_BENCH_INTERRUPT_H
#define CLREDUCE_BENCH_INTERRUPT_H

#include <stdbool.h>

/* From now on the first such signal is only remembered; a second one ends the program at once. */
void red_interrupt_watch(void);

bool red_interrupted(void);

#endif
