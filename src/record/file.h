/* Files that are whole or not there. */
#ifndef CLREDUCE_RECORD_FILE_H
#define CLREDUCE_RECORD_FILE_H

#include <stdio.h>

#include "model/status.h"

struct red_file {
    FILE *stream;
    const char *path; /* borrowed */
    char temporary[4096];
};

/* Opens `path` for writing: a temporary file in the same folder, or the standard output for "-".
 * Errors: RED_E_INPUT naming the path and the reason. */
enum red_status red_file_open(const char *path, struct red_file *file, struct red_error *error);

/* Flushes to the disk and gives the file its name; on any failure, a full disk included, removes it.
 * Errors: RED_E_INPUT. */
enum red_status red_file_commit(struct red_file *file, struct red_error *error);

/* Gives up: removes the temporary file. Does nothing after a commit. */
void red_file_abandon(struct red_file *file);

/* Whether the path could be written, found out before long work. Errors: RED_E_INPUT. */
enum red_status red_file_check_writable(const char *path, struct red_error *error);

#endif
