/* The device checksum of a data set: it shows whether a kernel wrote to its input. Included by this room
 * only. */
#ifndef CLREDUCE_CL_CHECKSUM_H
#define CLREDUCE_CL_CHECKSUM_H

#include "model/input.h"

struct _cl_kernel;
struct _cl_mem;
struct red_device;

/* What a device needs for it; made at the first use. All NULL before and after. */
struct red_checksum {
    struct _cl_kernel *kernel;
    struct _cl_mem *sums; /* one per group */
    size_t group_size, groups_n;
    bool failed; /* cannot be had on this device */
};

/* Finds what red_input_checksum would say of the arrays in `buffers`, without reading them back: over the bus
 * of a GPU that takes a thousand times as long. False if the device cannot tell. */
bool red_checksum_find(struct red_device *device, const struct red_input *input,
                       struct _cl_mem *const *buffers, uint64_t *sum);

void red_checksum_clear(struct red_checksum *checksum);

#endif
