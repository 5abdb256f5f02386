/* The table of probes: for each need what the driver says, and a kernel that finds out. Included by this room
 * only. */
#ifndef CLREDUCE_CL_PROBES_H
#define CLREDUCE_CL_PROBES_H

#include "cl/device.h"

/* Every probe but those of a group's built-ins (cl/group_probe.h) adds up `in`: one sum per group in
 * out[group], or the sum of all in out[0]; a wide one in the 64 bits of out[0] and out[1]. These start above
 * 2^32 with a full lower half: the sum carries into the upper one, and the first guess is right in the lower
 * half only. */
enum red_probe_result {
    RED_PROBE_PER_GROUP,
    RED_PROBE_TOTAL,
    RED_PROBE_TOTAL_WIDE,
    RED_PROBE_TOTAL_FLOAT, /* of the lowest bytes of `in`, as a float in out[0] */
    RED_PROBE_TOTAL_DOUBLE /* the same as a double in out[0] and out[1] */
};

/* How the kernel is launched, where that is what is probed. */
enum red_probe_way {
    RED_PROBE_PLAIN,
    RED_PROBE_SVM,            /* `out` is shared virtual memory, read without a read command */
    RED_PROBE_SVM_FINE,       /* and without being mapped */
    RED_PROBE_SVM_POLLED,     /* and before the kernel has ended, as soon as it has set the flag, word 2 */
    RED_PROBE_HOST_POLLED,    /* the same in a buffer that lies in the host's memory */
    RED_PROBE_SVM_SYSTEM,     /* as SVM_POLLED, and `in` is an array that OpenCL was never told of */
    RED_PROBE_DEVICE_QUEUE,   /* there is a default on-device queue */
    RED_PROBE_RAGGED,         /* the last group is smaller than the others */
    RED_PROBE_PIPE,           /* through a pipe to the kernel `drain`, one item */
    RED_PROBE_COMMAND_BUFFER, /* recorded, then replayed twice */
};

struct red_probe_kernel {
    enum red_probe_result result;
    enum red_probe_way way;
    const char *text; /* has a kernel named `probe` */
};

extern const struct red_probe_kernel red_probe_kernels[RED_NEEDS_N];

#endif
