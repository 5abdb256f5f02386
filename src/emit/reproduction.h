/* Writes what a driver's developer can be sent of a check that fails: the kernel, a host program that needs
 * OpenCL alone, and what they are about. For the verb `reproduce` (reproduce/reproduce.h). */
#ifndef CLREDUCE_EMIT_REPRODUCTION_H
#define CLREDUCE_EMIT_REPRODUCTION_H

#include "core/file.h"
#include "model/device_info.h"
#include "model/geometry.h"
#include "model/input.h"

struct red_reproduction {
    const struct red_strategy *strategy;
    const struct red_input *input; /* the data, with operation and type */
    const struct red_device_info *info;
    struct red_geometry geometry;
    uint64_t n, segments_n; /* elements of a reduction, reductions side by side */
    const char *standard;   /* of OpenCL C: "CL1.2" */
    bool poison_local;      /* it fails only in the program whose local memory starts poisoned */
    enum red_status fault;  /* RED_E_WRONG, RED_E_CRASHED, RED_E_TIMED_OUT, RED_E_BUILD or RED_E_DEVICE */
    unsigned patience_s;    /* after so many seconds the host takes it for a hang */
    uint64_t segment;       /* the reduction that is judged */
    /* Its answer: the right one, and the least and the greatest that pass. */
    struct red_value right, low, high;
    const char *right_text, *evidence, *command, *checks;
    bool is_users; /* the kernel is none of ours, and nor is its licence */
};

/* Whether a host program can be written for it at all; RED_E_UNSUPPORTED with what keeps it from that. */
enum red_status red_reproduction_check(const struct red_strategy *strategy, struct red_error *error);

/* Writes reproduce.cl, reproduce.c, README.txt and, where the data is not made by a few lines of C,
 * reproduce.data into the folder, which is made if it is not there. Errors: RED_E_INPUT where one of the
 * first three is there and `overwrite` is false, or cannot be written; those of red_reproduction_check;
 * RED_E_MEMORY.
 */
enum red_status red_reproduction_write(const struct red_reproduction *reproduction, const char *folder,
                                       bool overwrite, struct red_error *error);

#endif
