/* Text written to memory as to a file. glibc's open_memstream (2.36) loses what it has no room for, and says
 * so nowhere: neither ferror nor fclose fail. */
#ifndef CLREDUCE_CORE_MEMSTREAM_H
#define CLREDUCE_CORE_MEMSTREAM_H

#include <stdbool.h>
#include <stdio.h>

/* A stream whose text is at *text, with a byte 0 behind its *bytes, after every fflush, and after
 * red_memstream_close. NULL without memory. Both pointers must stay until then. */
FILE *red_memstream_open(char **text, size_t *bytes);

/* Closes the stream. Whether all that was written is in *text, which is released with free; otherwise it is
 * NULL. */
bool red_memstream_close(FILE *stream, char **text);

#endif
