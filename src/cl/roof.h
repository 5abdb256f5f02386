/* The roof: how fast this device can read at all, of a scan copy. A roof is a case of bench and of `devices`
 * (worker/prepared.c). */
#ifndef CLREDUCE_CL_ROOF_H
#define CLREDUCE_CL_ROOF_H

#include <stddef.h>

#include "cl/device.h"
#include "cl/resident.h"
#include "model/case.h"

/* Two forms of a kernel that only reads, or of a scan only copies: contiguous pieces and a stride. The roof
 * is the faster one. */
enum { RED_ROOF_FORMS_N = 2 };

struct red_roof;

/* Makes form `form` ready over the first array of the resident. Errors: RED_E_BUILD, RED_E_DEVICE,
 * RED_E_MEMORY, RED_E_UNSUPPORTED for a device below OpenCL 1.2; RED_E_WRONG where the kernel does not read
 * or copy everything. */
enum red_status red_roof_create(struct red_resident *resident, unsigned form, struct red_roof **roof,
                                struct red_error *error);
void red_roof_destroy(struct red_roof *roof);

/* Reads, or copies, everything once and waits. Errors: RED_E_DEVICE, RED_E_MEMORY, RED_E_UNSUPPORTED (group
 * size refused). */
enum red_status red_roof_run(struct red_roof *roof, struct red_error *error);

/* How many bytes red_roof_run reads and writes: by its time, the bandwidth. */
uint64_t red_roof_bytes(const struct red_roof *roof);

/* ---- clock samples ---------------------------------------------------------------------------------------
 * Launches of known work, with what the driver's clock and the host's say of them: what event times are
 * judged by (stats/statistics.h). */

/* Takes all RED_CLOCK_SAMPLES_N: finds the longest size, about 5 ms, and launches the sizes in turns,
 * RED_CLOCK_SAMPLE_REPEATS times each. Errors: RED_E_BUILD, RED_E_DEVICE, RED_E_MEMORY; RED_E_UNSUPPORTED
 * where the driver has no event times. */
enum red_status red_clock_sample_set_take(struct red_device *device,
                                          struct red_clock_sample clock_samples[RED_CLOCK_SAMPLES_N],
                                          struct red_error *error);

/* Makes one launch of so many steps, a duel's reference workload that is a chain. Errors: those of
 * red_clock_sample_set_take. */
enum red_status red_clock_sample_take(struct red_device *device, uint32_t steps,
                                      struct red_clock_sample *clock_sample, struct red_error *error);

/* ---- event floor -----------------------------------------------------------------------------------------
 * What event times hold beside the work: the device time of a kernel that does nothing. */

/* Fills times_s with START to END of n launches of an empty kernel of one work-item. A clock of coarse steps
 * may show 0. Errors: RED_E_BUILD, RED_E_DEVICE, RED_E_UNSUPPORTED (no event times), RED_E_MEMORY. */
enum red_status red_event_floor_measure(struct red_device *device, double *times_s, size_t n,
                                        struct red_error *error);

#endif
