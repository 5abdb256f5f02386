/* Objects made and released, by kind. */
#ifndef CLREDUCE_TESTS_COUNTS_H
#define CLREDUCE_TESTS_COUNTS_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>

void counts_install(cl_icd_dispatch *table);

/* Appends a line, "pid command queue 2 2 ...": kind, made or retained, released. Nothing without a path. */
void counts_write(const char *path);

#endif
