/* Sleeping processors. A driver's threads sleep between calls and are woken in each, and so are the
 * processors under them: on virtual machines that can take longer than the reduction. */
#ifndef CLREDUCE_CORE_AWAKE_H
#define CLREDUCE_CORE_AWAKE_H

#include "core/status.h"

/* Keeps all processors awake until red_awake_end, or until the program ends: idle ones wait in a loop instead
 * of being halted. *held is a handle for red_awake_end, -1 after an error. Source: Linux kernel
 * documentation, "PM Quality Of Service Interface" (/dev/cpu_dma_latency), which reaches idle processors
 * through their cpuidle driver. Errors: RED_E_INPUT where the system has no such interface or driver, or not
 * for this user. */
enum red_status red_awake_begin(int *held, struct red_error *error);

/* -1 is a handle of nothing. */
void red_awake_end(int held);

#endif
