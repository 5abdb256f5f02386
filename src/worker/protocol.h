/* What goes between a worker and the program that asks it: JSON objects, so that a worker that a driver has
 * broken is an error message and nothing worse. Readers leave what they fill as it is where they fail.
 * Checkpoints store geometries in the same form (run/checkpoint.c). */
#ifndef CLREDUCE_WORKER_PROTOCOL_H
#define CLREDUCE_WORKER_PROTOCOL_H

#include <jansson.h>

#include "model/capability.h"
#include "model/case.h"
#include "model/catalogue.h"
#include "model/device_info.h"
#include "results/json.h"

/* What both sides must agree on, for they need not be of the same build (gate/duel.h): one more whenever
 * a question, or the form of an answer, that two builds may exchange has changed. */
enum { RED_PROTOCOL_VERSION = 2 };

json_t *red_protocol_case(const struct red_case *spec);
/* Names are looked up in the catalogue. Errors: RED_E_INPUT. */
enum red_status red_protocol_read_case(const json_t *from, const struct red_catalogue *catalogue,
                                       struct red_case *spec, struct red_error *error);

/* The geometry with which a cell ran: a worker sends it with the cell's first times, a checkpoint keeps it.
 */
json_t *red_protocol_geometry(const struct red_geometry *geometry);
bool red_protocol_read_geometry(const json_t *from, struct red_geometry *geometry);

json_t *red_protocol_verification(const struct red_verification *verification);
bool red_protocol_read_verification(const json_t *from, struct red_verification *verification);

/* What the driver says of a device; worker/icd.c reads it, `devices` shows it. */
json_t *red_protocol_device_info(const struct red_device_info *info);
bool red_protocol_read_device_info(const json_t *from, struct red_device_info *info);

json_t *red_protocol_capability(const struct red_capability *capability);
bool red_protocol_read_capability(const json_t *from, struct red_capability *capability);

/* Clock samples of the event-clock check (red_clock_samples_take). */
json_t *red_protocol_clock_samples(const struct red_clock_sample samples[RED_CLOCK_SAMPLES_N]);
bool red_protocol_read_clock_samples(const json_t *from,
                                     struct red_clock_sample samples[RED_CLOCK_SAMPLES_N]);

/* Readings of the worker's clock, in ns, before the first and after each batch of a duel; exactly n.
 * gate/loop.c makes the time of a batch from each two neighbours. */
json_t *red_protocol_stamps(const uint64_t *stamps_ns, size_t n);
bool red_protocol_read_stamps(const json_t *from, uint64_t *stamps_ns, size_t n);

/* n of them; fewer fill the first ones. */
json_t *red_protocol_reals(const double *values, size_t n);
bool red_protocol_read_reals(const json_t *from, double *values, size_t room, size_t *n);

#endif
