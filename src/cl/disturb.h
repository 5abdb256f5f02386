/* What disturbs memory while a kernel is under stress (worker/stress.c): launches on a queue of their own,
 * one behind the other, that scatter stores and loads over a scratch buffer. An order that a kernel only
 * seems to keep, since nothing else is going on, is seen broken beside them: `verify --stress`. */
#ifndef CLREDUCE_CL_DISTURB_H
#define CLREDUCE_CL_DISTURB_H

#include <stdint.h>

#include "cl/device.h"

struct red_disturber;

/* Makes a scratch buffer of 64 MiB, on a CPU of 4 MiB, all zero, and finds how many accesses an item makes in
 * a launch that takes a moment. Nothing is at work then. Release with _destroy. Errors: RED_E_BUILD,
 * RED_E_MEMORY, RED_E_DEVICE. */
enum red_status red_disturber_create(struct red_device *device, struct red_disturber **disturber,
                                     struct red_error *error);
void red_disturber_destroy(struct red_disturber *disturber);

/* Has a few launches wait or work, and does not wait: to be called between calls of the kernel under stress.
 * *random draws of each over how much of the scratch it goes, what a small cache holds, what a large one
 * does, or what none does; whether it stores, loads, or both in turn; and one group per compute unit, of 256
 * items if it can have so many, or two where the device is no CPU. Errors: RED_E_DEVICE. */
enum red_status red_disturber_keep_on(struct red_disturber *disturber, uint64_t *random,
                                      struct red_error *error);

/* Waits for the end of its launches, and counts the different words that these have stored to, of *words_n;
 * all are zero again then. A disturbance that reaches few of them is none. Errors: RED_E_DEVICE. */
enum red_status red_disturber_stop(struct red_disturber *disturber, uint64_t *stored_n, uint64_t *words_n,
                                   struct red_error *error);

#endif
