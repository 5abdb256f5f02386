/* Programs: compiled once per device, text and standard, then kept, failures too. Included by this room only.
 */
#ifndef CLREDUCE_CL_PROGRAM_H
#define CLREDUCE_CL_PROGRAM_H

#include "cl/device.h"
#include "model/capability.h"
#include <stddef.h>

struct _cl_kernel;
struct red_device;

/* A chain of programs, newest first. */
struct red_programs {
    struct red_program *first;
    uint64_t built_n;   /* so far, those that are gone among them */
    char binaries[512]; /* folder for what the driver does not keep; empty: none */
};

/* Gives a new kernel object of the program with this text, which is built if it is not there yet. `name` is
 * what messages call it. Release the kernel with clReleaseKernel. Errors: RED_E_BUILD with the log, or if the
 * program has no kernel of that name; RED_E_UNSUPPORTED where the driver does not know the standard or has no
 * compiler; RED_E_DEVICE, RED_E_MEMORY. */
enum red_status red_program_kernel(struct red_device *device, const char *name, const char *text,
                                   enum red_c_standard standard, const char *kernel_name,
                                   struct _cl_kernel **kernel, struct red_error *error);
void red_programs_clear(struct red_programs *programs);

/* Binaries of programs, kept in a folder from process to process. Included by this room only. */

struct _cl_program;

/* The program of this text and these options from its binary, ready to run; NULL where there is none, or the
 * driver does not take it. Release with clReleaseProgram. */
struct _cl_program *red_binary_load(struct red_device *device, const char *text, const char *options);

/* Keeps the binary of a program. What fails is as if nothing had been kept. */
void red_binary_save(struct red_device *device, const char *text, const char *options,
                     struct _cl_program *program);

/* A compiler's log, cut to what helps. No OpenCL. */

/* Copies the log without blanks at its end. One that does not fit begins with its first line that holds
 * "error" (in any letter case; warnings before it are left out); "..." stands where something was cut. */
void red_log_excerpt(const char *log, char *text, size_t text_bytes);

#endif
