/* The field tables of result files: each member that a file has, once. Files of duels take those of a host
 * and of a geometry. */
#ifndef CLREDUCE_RESULTS_TABLES_H
#define CLREDUCE_RESULTS_TABLES_H

#include "results/fields.h"

/* Of struct red_tuning, struct red_host. */
extern const struct red_field red_tuning_fields[], red_host_fields[];

/* Of struct red_run, without its arrays. */
extern const struct red_field red_run_fields[];

/* Of struct red_run_device: those of each, and what a device of OpenCL has beyond the host. */
extern const struct red_field red_device_fields[], red_opencl_fields[];

/* Of struct red_cell and struct red_accuracy, behind what they are of: device, strategy, operation, type. */
extern const struct red_field red_cell_fields[], red_accuracy_fields[];

/* The settings from outside as JSON, keys sorted, for comparing them as text; the caller frees it. NULL
 * without memory. */
char *red_host_settings(const struct red_host *host);

#endif
