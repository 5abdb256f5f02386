/* What goes between a worker and the program that asks it: JSON objects, so that a worker that a driver has
 * broken is an error message and nothing worse. Both ends write and read a struct by one field table
 * (red_fields_json, red_protocol_read), files (results/json.h) and checkpoints (run/checkpoint.c) by the
 * same. */
#ifndef CLREDUCE_WORKER_PROTOCOL_H
#define CLREDUCE_WORKER_PROTOCOL_H

#include <jansson.h>

#include "model/case.h"
#include "model/catalogue.h"
#include "results/json.h"

/* What both sides must agree on, for they need not be of the same build (gate/duel.h): one more whenever
 * a question, or the form of an answer, that two builds may exchange has changed. */
enum { RED_PROTOCOL_VERSION = 5 };

/* Reads an object of the other side by its table. False where a member is not as it must be; those before it
 * are set then. */
bool red_protocol_read(const json_t *from, const struct red_field *fields, void *to);

/* A case as JSON, by the names of its operation, type and strategy, which are looked up in the catalogue.
 * Errors: RED_E_INPUT. */
json_t *red_protocol_case(const struct red_case *spec);
enum red_status red_protocol_read_case(const json_t *from, const struct red_catalogue *catalogue,
                                       struct red_case *spec, struct red_error *error);

/* They are the tables of struct red_capability, red_verification, red_stress and red_ready (worker/client.h);
 * those of red_geometry, red_tuning, red_device_info and red_evidence are of results/json.h. */
extern const struct red_field red_protocol_capability_fields[], red_protocol_verification_fields[],
    red_protocol_stress_fields[], red_protocol_ready_fields[];

/* Times in seconds: of one call, and of a fixed chain (a double each); of a batch (struct red_gbench_time);
 * of several batches or runs (struct red_samples). */
extern const struct red_field red_protocol_call_fields[], red_protocol_took_fields[],
    red_protocol_batch_fields[], red_protocol_times_fields[];

/* Of struct red_profile. */
extern const struct red_field red_protocol_profile_fields[];

/* The stamps of struct red_batches, whose n both sides know: gate/loop.c makes the time of a batch from each
 * two neighbours. */
extern const struct red_field red_protocol_batches_fields[];

/* RED_CLOCK_SAMPLES_N of struct red_clock_sample for the event-clock check. */
extern const struct red_field red_protocol_clock_samples_fields[];

#endif
