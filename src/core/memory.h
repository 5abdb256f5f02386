/* Arrays that grow. Sees to failed allocations of libraries: counts those of jansson and GSL, and ends the
 * program at one of libxml2. Writers ask red_memory_check, and write no incomplete file. */
#ifndef CLREDUCE_CORE_MEMORY_H
#define CLREDUCE_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

/* From now on allocations of jansson are watched, GSL ends nothing for want of memory, and the first one of
 * libxml2 that fails ends the program with a message. To be called before any of them is used. */
void red_memory_handle_failures(void);

/* Notes an allocation of our own that failed where there is no status to return: where a part of a JSON text
 * is made or read, or a part of a table or a page is made. */
void red_memory_note_failure(void);

/* How many allocations have failed so far: where jansson could not make something, this may be the cause. */
unsigned long red_memory_failed_n(void);

/* RED_E_MEMORY from the first allocation on that has failed in a library, or was noted. */
enum red_status red_memory_check(struct red_error *error);

/* Memory that can be taken without swapping (Linux: MemAvailable), in bytes; infinity if it is not known. */
double red_memory_available_bytes(void);

/* ---- growing arrays ------------------------------------------------------------------------------------ */

/* Makes room for `more` elements behind the n of an array, which may move; false without memory, and the
 * array stays. Its room follows from n: none, or any, for 0, and otherwise the least power of two that is not
 * below it; so all its memory is from here, or of that size. What is added is not zeroed. Released with
 * free. */
#define RED_GROW(array, n, more) red_grow(&(array), n, more, sizeof *(array))

/* For RED_GROW: `array` is the address of a pointer to the first element. */
bool red_grow(void *array, size_t n, size_t more, size_t element_bytes);

/* ---- memory streams --------------------------------------------------------------------------------------
 * Text written to memory as to a file. glibc's open_memstream (2.36) loses what it has no room for, and says
 * so nowhere: neither ferror nor fclose fail. */

/* A stream whose text is at *text, with a byte 0 behind its *bytes, after every fflush, and after
 * red_memstream_close. NULL without memory. Both pointers must stay until then. */
FILE *red_memstream_open(char **text, size_t *bytes);

/* Closes the stream. Whether all that was written is in *text, which is released with free; otherwise it is
 * NULL. */
bool red_memstream_close(FILE *stream, char **text);

#endif
