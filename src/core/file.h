/* Output files that are complete or absent, and reading of whole files. Errors name path and reason. */
#ifndef CLREDUCE_CORE_FILE_H
#define CLREDUCE_CORE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

enum { RED_PATH_BYTES = 4096 }; /* Linux takes no longer path */

struct red_file {
    FILE *stream;
    const char *path;               /* borrowed: what messages name */
    char target[RED_PATH_BYTES];    /* what it is a name of, symbolic links followed */
    char temporary[RED_PATH_BYTES]; /* empty: written to directly */
};

/* Opens `path` for writing.
 *   a regular file, or none yet   a temporary file in the same folder, which takes the name when it is
 *                                 whole. A symbolic link stays one: the file it leads to is replaced. An
 *                                 existing file keeps its mode; one that is read-only is refused.
 *   devices, pipes, below /dev/   written to directly; there is nothing to replace
 *   "-"                           the standard output
 * Errors: RED_E_INPUT naming the path and the reason; RED_E_INTERRUPTED where a signal ends waiting for who
 * reads a pipe. */
enum red_status red_file_open(const char *path, struct red_file *file, struct red_error *error);

/* Flushes to the disk, closes, and gives the file its name; on any failure, a full disk included, removes it.
 * Errors: RED_E_INPUT. */
enum red_status red_file_commit(struct red_file *file, struct red_error *error);

/* Writes `what` to the stream; *what is of the type that the writer knows. */
typedef enum red_status red_file_writer(const void *what, FILE *out, struct red_error *error);

/* Opens the path (NULL: the standard output), has the writer write to it, and commits, or abandons it where
 * the writer fails. Errors: those of red_file_open, the writer and red_file_commit. */
enum red_status red_file_write(const char *path, red_file_writer *write, const void *what,
                               struct red_error *error);

/* A file of a folder, and what the writer is to write to it. */
struct red_folder_file {
    const char *path; /* borrowed */
    red_file_writer *write;
    const void *what;
};

/* Writes n files into the folder, which is made if it is not there, as are those above it: all of the files,
 * or on any failure, a full disk included, none, and no folder. Errors: those of red_file_write;
 * RED_E_MEMORY. */
enum red_status red_folder_write(const char *folder, const struct red_folder_file *files, size_t n,
                                 struct red_error *error);

/* Flushes the stream, but not to the disk. Whether all that was written to it has arrived: 0, or errno, or -1
 * where something failed before and nothing says why. */
int red_stream_flush_errno(FILE *stream);

/* Gives up: closes the stream and removes the temporary file. Does nothing after a commit. */
void red_file_abandon(struct red_file *file);

/* Whether the path is, or would be, a file: no standard output, no device, no pipe. */
bool red_file_would_be_regular(const char *path);

/* Whether the path could be written, found out before long work, for a file by a temporary one beside it.
 * Nothing that is there is opened or changed: who reads from a pipe is not disturbed. Errors: RED_E_INPUT. */
enum red_status red_file_check_writable(const char *path, struct red_error *error);

/* Reads a whole file of fewer than max_bytes, which is to be `what` ("result file"), with memory for what is
 * there. Release *text with free; a byte 0 follows its text_n. Errors: RED_E_INPUT for a file that cannot be
 * read, or is larger, and for pipes and devices, which are not opened; RED_E_MEMORY. */
enum red_status red_file_read(const char *path, const char *what, size_t max_bytes, char **text,
                              size_t *text_n, struct red_error *error);

/* Lists the files of a folder whose names end so (".json"), hidden ones and pipes left out: paths, by name.
 * Release each and *paths with free. Errors: RED_E_INPUT for a folder that cannot be read; RED_E_MEMORY. */
enum red_status red_folder_list(const char *folder, const char *ending, char ***paths, size_t *n,
                                struct red_error *error);
bool red_file_is_folder(const char *path);

/* What a path names that is no file: "a folder", "a symbolic link" (wherever it leads), "no regular file";
 * NULL for a file, and where nothing is. */
const char *red_file_name_of_other(const char *path);

/* Whether both lead to one file: the same path, one device and inode (links of either kind, a pipe, the
 * standard output), or what would be one. Devices such as /dev/null are no such file. */
bool red_file_is_same(const char *a, const char *b);

/* ---- output of a verb ------------------------------------------------------------------------------------
 * Where a verb writes what it has found, and in which form (--output, --format, --export, --resume). */

/* The forms of --format, of which each verb offers some. */
enum red_format {
    RED_FORMAT_TABLE,
    RED_FORMAT_JSON,
    RED_FORMAT_CSV,
    RED_FORMAT_HTML,
    RED_FORMAT_MARKDOWN,
    RED_FORMAT_SVG,
    RED_FORMAT_HEADER,
    RED_FORMAT_MAN,
    RED_FORMAT_BASH,
    RED_FORMATS_N
};

enum { RED_EXPORTS_MAX = 16 };

struct red_output {
    enum red_format format;
    const char *path;                     /* NULL: the verb's default */
    const char *exports[RED_EXPORTS_MAX]; /* KIND=FILE each (export/export.h) */
    size_t exports_n;
    bool resume; /* goes on with the run that left its journal beside the path */
};

#endif
