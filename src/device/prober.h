/* Probes run in a child process: a driver that crashes or hangs in one costs an answer, not the run. */
#ifndef CLREDUCE_DEVICE_PROBER_H
#define CLREDUCE_DEVICE_PROBER_H

#include "device/capability.h"

struct red_prober;

/* Who answers for a device. Nothing is started before the first question, and the child ends by itself when
 * no question comes for a while, so that it never disturbs a measurement. Release with _destroy.
 *   program  is started as `program probe --device ID` and must call red_prober_serve; kept by pointer
 *   id       the device's, as in its red_device_info; kept by pointer
 *   limit_s  seconds that one probe may take
 * Errors: RED_E_MEMORY. */
enum red_status red_prober_create(const char *program, const char *id, double limit_s,
                                  struct red_prober **prober, struct red_error *error);
void red_prober_destroy(struct red_prober *prober);

/* Fills the capability but for `advertised`. What the child cannot tell (it crashed, hung, could not be
 * started) does not behave, for that reason. Without a prober (NULL) the probe runs in this process. */
void red_prober_ask(struct red_prober *prober, struct red_device *device, enum red_need_index need,
                    enum red_c_standard standard, struct red_capability *capability);

/* The child's part: answers questions from `channel`, a socket that keeps message boundaries, until it is
 * closed or idle. */
void red_prober_serve(struct red_device *device, int channel);

#endif
