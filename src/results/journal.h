/* The journal of a run: what has been found out so far, one JSON object per line, each written as soon as it
 * is known. Whatever ends the run, --resume goes on from there. */
#ifndef CLREDUCE_RESULTS_JOURNAL_H
#define CLREDUCE_RESULTS_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>

#include "core/file.h"

struct red_journal;

/* Where the journal of a result file is. False where it has none, or its path is too long. */
bool red_journal_path(const char *result_path, char *path, size_t path_bytes);

/* Takes over a line of a journal that is gone on with. */
typedef void red_journal_take(void *context, const json_t *line);

/* Checks that a result file and its journal could be written (red_file_check_writable), before long work.
 * What is there in the journal's place must be one, or an empty file, and no link of either kind. Errors:
 * RED_E_INPUT. */
enum red_status red_journal_check_writable(const char *result_path, struct red_error *error);

/* Opens the journal that belongs to a result file: its path and ".journal". NULL in *journal, and no error,
 * where the result goes to a device, a pipe or the standard output.
 *   header   an object that says what the run is, of strings; its reference is taken over. Its member
 *            "command" is for messages, and decides nothing
 *   take     goes on with a journal that is there, and gives its lines to `take` in their order; a last line
 *            that was cut is dropped. With NULL a journal that is there is begun anew, which is told on
 *            stderr
 * Release with _close. Errors: RED_E_INPUT for a path that cannot be written, a file there that is no
 * journal, or a link to one, which stay as they are; a journal of another run (what differs is named) or one
 * that another process is writing; RED_E_MEMORY. Where the file system has no locks, that is told on stderr.
 */
enum red_status red_journal_open(const char *result_path, json_t *header, red_journal_take *take,
                                 void *context, struct red_journal **journal, struct red_error *error);

/* Appends a line, whose reference is taken over: it outlives this process at once, and the system after some
 * seconds. Does nothing without a journal (NULL), nor after the first failure: then the journal holds what
 * was added before. Errors: RED_E_INPUT for a disk that is full and the like; RED_E_MEMORY. */
enum red_status red_journal_add(struct red_journal *journal, json_t *line, struct red_error *error);

/* Closes the journal; without `keep` it is deleted: the result file holds all of it. So is one that holds
 * nothing. Returns whether it is there to be gone on with. */
bool red_journal_close(struct red_journal *journal, bool keep);

#endif
