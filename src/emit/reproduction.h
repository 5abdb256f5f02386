/* Writes what a driver's developer can be sent of a check that fails: the kernel, a host program that needs
 * OpenCL alone, and what they are about. For the verb `reproduce` (reproduce/reproduce.h). */
#ifndef CLREDUCE_EMIT_REPRODUCTION_H
#define CLREDUCE_EMIT_REPRODUCTION_H

#include "core/file.h"
#include "model/device_info.h"
#include "model/evidence.h"
#include "model/geometry.h"
#include "model/input.h"

/* An element of the first array that gets another value before a call. */
struct red_reproduction_change {
    unsigned call; /* from 1 */
    uint64_t at;
    struct red_value value; /* of the elements' type */
};

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
    bool in_place;          /* results take the place of a copy of the data */
    struct red_evidence evidence; /* of a wrong answer: of which segment or result, which buffer */
    /* Its answer: the right one, and the least and the greatest that pass; of a scan or a histogram those of
     * the result that the evidence names. */
    struct red_value right, low, high;
    const char *right_text, *found, *command, *checks;
    const struct red_reproduction_change *changes; /* or NULL: the data stay as they are */
    size_t changes_n;
    unsigned calls_n; /* with changes only the last one is judged */
    bool needs_file;  /* the data are not as their kind says */
    bool is_users;    /* the kernel is none of ours, and nor is its licence */
};

/* Whether a host program can be written for it at all; RED_E_UNSUPPORTED with what keeps it from that. */
enum red_status red_reproduction_check(const struct red_strategy *strategy, struct red_error *error);

/* Whether the files can be written to the folder, which need not be there. Errors: RED_E_INPUT. */
enum red_status red_reproduction_check_folder(const struct red_strategy *strategy, const char *folder,
                                              bool overwrite, struct red_error *error);

/* Writes reproduce.cl, reproduce.c, README.txt and, where the data is not made by a few lines of C,
 * reproduce.data into the folder, which is made if it is not there. Errors: RED_E_INPUT where one of the
 * four is there and `overwrite` is false, is no file (a link is none), or cannot be written; those of
 * red_reproduction_check; RED_E_MEMORY. */
enum red_status red_reproduction_write(const struct red_reproduction *reproduction, const char *folder,
                                       bool overwrite, struct red_error *error);

#endif
