/* Writes a strategy as C and OpenCL files that need nothing of clreduce, for the verb `emit`
 * (cli/cmd_emit.c). */
#ifndef CLREDUCE_EMIT_EMIT_H
#define CLREDUCE_EMIT_EMIT_H

#include "core/file.h"
#include "model/geometry.h"
#include "model/types.h"

struct red_emission {
    const struct red_strategy *strategy;
    const struct red_dtype *dtype;
    const struct red_op *op;
    unsigned bins_n;                   /* of a histogram */
    struct red_geometry_limits limits; /* of the device that it is to run on */
    struct red_tuning tuning;          /* 0: the default */
    uint64_t n;          /* where a geometry depends on n, the group size is the one for this n */
    const char *device;  /* its name, for comments */
    const char *warning; /* what the strategy did wrong on that device, as a line of comments; "": nothing */
    const char *name;    /* of files and functions: "reduce_sum_f32" */
    bool is_users;       /* the kernel is none of ours, and nor is its licence */
};

/* Whether the strategy can be written so at all; RED_E_UNSUPPORTED with the reason and what could be instead.
 */
enum red_status red_emit_check(const struct red_emission *emission, struct red_error *error);

/* The paths of NAME.cl, NAME.h, NAME.c, NAME_test.c and CMakeLists.txt in the folder. */
enum { RED_EMIT_FILES_N = 5 };
typedef char red_emit_paths[RED_EMIT_FILES_N][RED_PATH_BYTES];

/* Writes them into `paths`, and nothing else. Errors: RED_E_INPUT if they are too long. */
enum red_status red_emit_paths_format(const char *folder, const char *name, red_emit_paths paths,
                                      struct red_error *error);

/* Refuses to take the place of what is no file, a symbolic link among it, and, but for `overwrite`, of a file
 * that has no "Written by clreduce" in its first lines. Errors: RED_E_INPUT naming it. */
enum red_status red_emit_check_replaceable(red_emit_paths paths, bool overwrite, struct red_error *error);

/* Writes these files into the folder, which is made if it is not there: all of them, or none.
 *   paths   of red_emit_paths_format, for this folder and the emission's name
 * Errors: those of red_emit_check; RED_E_INPUT if they cannot be written; RED_E_MEMORY. */
enum red_status red_emit_write(const struct red_emission *emission, const char *folder, red_emit_paths paths,
                               struct red_error *error);

#endif
