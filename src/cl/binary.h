/* Binaries of programs, kept in a folder from process to process. Included by this room only. */
#ifndef CLREDUCE_CL_BINARY_H
#define CLREDUCE_CL_BINARY_H

#include "cl/device.h"

struct _cl_program;

/* The program of this text and these options from its binary, ready to run; NULL where there is none, or the
 * driver does not take it. Release with clReleaseProgram. */
struct _cl_program *red_binary_load(struct red_device *device, const char *text, const char *options);

/* Keeps the binary of a program. What fails is as if nothing had been kept. */
void red_binary_save(struct red_device *device, const char *text, const char *options,
                     struct _cl_program *program);

#endif
