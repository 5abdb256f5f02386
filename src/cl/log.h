/* A compiler's log, cut to what helps. No OpenCL. */
#ifndef CLREDUCE_CL_LOG_H
#define CLREDUCE_CL_LOG_H

#include <stddef.h>

/* Copies the log without blanks at its end. One that does not fit begins with its first line that holds
 * "error" (in any letter case; warnings before it are left out); "..." stands where something was cut. */
void red_log_excerpt(const char *log, char *text, size_t text_bytes);

#endif
