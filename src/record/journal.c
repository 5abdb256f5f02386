#define _GNU_SOURCE /* O_CLOEXEC, flock */
#include "record/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_BYTES_MAX = 1 << 20 };

struct red_journal {
    int fd;
    bool failed;
    char path[RED_PATH_BYTES];
};

/* ---- reading ---------------------------------------------------------------------------------------------
 */

/* The first member of the header that the journal has otherwise; NULL if they are the same. */
static const char *difference(const json_t *header, const json_t *found) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)header, key, value) {
        if (!json_equal(value, json_object_get(found, key)))
            return key;
    }
    return NULL;
}

/* Reads whole lines up to the first that is broken, and gives how many bytes they have. */
static long read_lines(FILE *stream, json_t *lines) {
    char *line = malloc(LINE_BYTES_MAX);
    long good = 0;
    while (line != NULL && fgets(line, LINE_BYTES_MAX, stream) != NULL && strchr(line, '\n') != NULL) {
        json_t *read = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        if (!json_is_object(read)) {
            json_decref(read);
            break;
        }
        json_array_append_new(lines, read);
        good = ftell(stream);
    }
    free(line);
    return good;
}

static enum red_status take_up(struct red_journal *journal, const json_t *header, json_t *lines,
                               struct red_error *error) {
    int copy = dup(journal->fd);
    FILE *stream = copy >= 0 ? fdopen(copy, "r") : NULL;
    if (stream == NULL)
        return red_fail(error, RED_E_INPUT, "cannot read %s: %s", journal->path, strerror(errno));
    long good = read_lines(stream, lines);
    fclose(stream);
    const json_t *found = json_array_get(lines, 0);
    const char *differs = found ? difference(header, found) : NULL;
    const char *there = json_string_value(json_object_get(found, differs ? differs : ""));
    if (differs != NULL)
        return red_fail(
            error, RED_E_INPUT,
            "%s is of another run: its %s was '%.200s', not '%.200s'; repeat that command, or leave "
            "out --resume to begin anew",
            journal->path, differs, there ? there : "", json_string_value(json_object_get(header, differs)));
    if (found != NULL)
        json_array_remove(lines, 0);
    return ftruncate(journal->fd, good) == 0
               ? RED_OK
               : red_fail(error, RED_E_INPUT, "cannot write %s: %s", journal->path, strerror(errno));
}

/* ---- opening ---------------------------------------------------------------------------------------------
 */

static bool is_for_files(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && strncmp(path, "/dev/", 5) != 0 &&
           (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

static enum red_status open_locked(struct red_journal *journal, struct red_error *error) {
    journal->fd = open(journal->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (journal->fd < 0)
        return red_fail(error, RED_E_INPUT, "cannot write %s: %s", journal->path, strerror(errno));
    return flock(journal->fd, LOCK_EX | LOCK_NB) == 0
               ? RED_OK
               : red_fail(error, RED_E_INPUT, "another run is writing %s", journal->path);
}

enum red_status red_journal_open(const char *result_path, json_t *header, bool resume,
                                 struct red_journal **journal, json_t **lines, struct red_error *error) {
    struct red_journal *made = NULL;
    enum red_status status = RED_OK;
    *journal = NULL;
    *lines = json_array();
    if (!is_for_files(result_path))
        goto cleanup;
    made = calloc(1, sizeof *made);
    if (made == NULL || *lines == NULL || header == NULL) {
        status = red_fail(error, RED_E_MEMORY, "no memory for a journal");
        goto cleanup;
    }
    made->fd = -1;
    if ((size_t)snprintf(made->path, sizeof made->path, "%s.journal", result_path) >= sizeof made->path)
        status = red_fail(error, RED_E_INPUT, "the path of the result file is too long");
    if (status == RED_OK)
        status = open_locked(made, error);
    if (status == RED_OK && resume)
        status = take_up(made, header, *lines, error);
    else if (status == RED_OK && ftruncate(made->fd, 0) != 0)
        status = red_fail(error, RED_E_INPUT, "cannot write %s: %s", made->path, strerror(errno));
    if (status != RED_OK)
        goto cleanup;
    if (lseek(made->fd, 0, SEEK_END) == 0)
        red_journal_add(made, json_incref(header));
    *journal = made;
    made = NULL;

cleanup:
    json_decref(header);
    red_journal_close(made, true);
    return status;
}

void red_journal_add(struct red_journal *journal, json_t *line) {
    char *text = journal != NULL && !journal->failed && line != NULL ? json_dumps(line, JSON_COMPACT) : NULL;
    size_t length = text ? strlen(text) : 0;
    json_decref(line);
    if (text == NULL)
        return;
    text[length] = '\n'; /* one write, so that a line is there as a whole or cut, never mixed */
    if (write(journal->fd, text, length + 1) != (ssize_t)length + 1) {
        journal->failed = true;
        fprintf(stderr, "cannot write %s: %s; this run cannot be resumed\n", journal->path, strerror(errno));
    }
    free(text);
}

void red_journal_close(struct red_journal *journal, bool keep) {
    if (journal == NULL)
        return;
    if ((!keep || journal->failed) && journal->fd >= 0)
        unlink(journal->path);
    if (journal->fd >= 0)
        close(journal->fd);
    free(journal);
}
