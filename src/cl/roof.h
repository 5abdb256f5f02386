/* The roof: how fast this device can read at all, of a scan copy. A roof is a case of bench and of `devices`
 * (worker/prepared.c). */
#ifndef CLREDUCE_CL_ROOF_H
#define CLREDUCE_CL_ROOF_H

#include <stddef.h>

#include "cl/device.h"
#include "cl/resident.h"

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

#endif
