#define _GNU_SOURCE /* O_CLOEXEC, flock */
/* Writes the journal beside --output, reads it for --resume. Its lines and its header are made by
 * run/checkpoint.c (bench) and verify/verify.c (verify). The user sees errors, and what a resumed run leaves
 * out. */
#include "results/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/text.h"

enum { LINE_BYTES_MAX = 1 << 20 };

/* Between two waits for the disk: what a machine that goes down may cost. */
static const double SYNC_S = 5;

struct red_journal {
    int fd;
    bool failed;
    bool ours;       /* locked, and of this run */
    size_t lines_n;  /* behind the header */
    double synced_s; /* when the system was last made to write it to the disk */
    char path[RED_PATH_BYTES];
};

/* ---- reading ------------------------------------------------------------------------------------------- */

/* The first member of the header that the journal has otherwise; NULL if they are the same. */
static const char *find_different_member(const json_t *header, const json_t *found) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)header, key, value) {
        if (strcmp(key, "command") != 0 && !json_equal(value, json_object_get(found, key)))
            return key;
    }
    return NULL;
}

/* The next line, an object; NULL at the end, or where it is broken. The caller releases it. `buffer` has
 * LINE_BYTES_MAX bytes. */
static json_t *read_line(FILE *stream, char *buffer) {
    json_t *line = NULL;
    if (fgets(buffer, LINE_BYTES_MAX, stream) != NULL && strchr(buffer, '\n') != NULL)
        line = json_loads(buffer, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(line))
        return line;
    json_decref(line);
    return NULL;
}

/* Fails where the journal's header is not this run's; the user is told how to repeat that other run. */
static enum red_status refuse_other_run(const struct red_journal *journal, const json_t *header,
                                        const json_t *found, struct red_error *error) {
    const char *differs = find_different_member(header, found);
    if (differs == NULL)
        return RED_OK;
    const char *there = json_string_value(json_object_get(found, differs));
    const char *command = json_string_value(json_object_get(found, "command"));
    return red_fail(error, RED_E_INPUT,
                    "%s is of another run (%s: '%.200s' there, '%.200s' here); leave out --resume to begin "
                    "anew, or repeat with --resume: %.600s",
                    journal->path, differs, there ? there : "",
                    json_string_value(json_object_get(header, differs)), command ? command : "that command");
}

/* Checks the header, gives the whole lines behind it to `take`, and cuts the file after them. */
static enum red_status read_back_and_cut(struct red_journal *journal, const json_t *header,
                                         red_journal_take *take, void *context, struct red_error *error) {
    int copy = dup(journal->fd);
    FILE *stream = copy >= 0 ? fdopen(copy, "r") : NULL;
    char *text = malloc(LINE_BYTES_MAX);
    enum red_status status = RED_OK;
    json_t *line;
    long good = 0;
    if (stream == NULL)
        status = red_fail(error, RED_E_INPUT, "cannot read %s: %s", journal->path, strerror(errno));
    else if (text == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory to read %s", journal->path);
    while (status == RED_OK && (line = read_line(stream, text)) != NULL) {
        if (good == 0)
            status = refuse_other_run(journal, header, line, error);
        else
            take(context, line);
        journal->lines_n += good > 0;
        json_decref(line);
        good = ftell(stream);
    }
    if (stream != NULL)
        fclose(stream);
    free(text);
    if (status == RED_OK && ftruncate(journal->fd, good) != 0)
        status = red_fail(error, RED_E_INPUT, "cannot write %s: %s", journal->path, strerror(errno));
    return status;
}

/* ---- what is there already ----------------------------------------------------------------------------- */

/* Sets *is_journal if the first line is a header that clreduce has written. Fails where it cannot be read. */
static enum red_status find_whether_journal(const char *path, bool *is_journal, struct red_error *error) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    FILE *stream = fd >= 0 ? fdopen(fd, "r") : NULL;
    char *text = stream != NULL ? malloc(LINE_BYTES_MAX) : NULL;
    enum red_status status = RED_OK;
    *is_journal = false;
    if (stream == NULL)
        status = red_fail(error, RED_E_INPUT, "cannot read %s: %s", path, strerror(errno));
    else if (text == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory to read %s", path);
    if (status == RED_OK) {
        json_t *line = read_line(stream, text);
        const char *of = json_string_value(json_object_get(line, "journal"));
        *is_journal = of != NULL && strncmp(of, "clreduce ", strlen("clreduce ")) == 0;
        json_decref(line);
    }
    free(text);
    if (stream != NULL)
        fclose(stream);
    else if (fd >= 0)
        close(fd);
    return status;
}

/* Refuses a file of that name that is no journal, and a link: it is not to be emptied, nor deleted in the
 * end. A folder is refused when it is opened. */
static enum red_status refuse_if_no_journal(const char *path, struct red_error *error) {
    struct stat seen;
    bool ours = true;
    if (lstat(path, &seen) != 0 || S_ISDIR(seen.st_mode))
        return RED_OK;
    const char *what = S_ISLNK(seen.st_mode)    ? "a symbolic link"
                       : !S_ISREG(seen.st_mode) ? "no regular file"
                       : seen.st_nlink > 1      ? "a file with several names (hard links)"
                                                : NULL;
    enum red_status status =
        what == NULL && seen.st_size > 0 ? find_whether_journal(path, &ours, error) : RED_OK;
    if (what == NULL && !ours)
        what = "no journal: its first line is not that of a run of clreduce";
    return status != RED_OK || what == NULL
               ? status
               : red_fail(error, RED_E_INPUT,
                          "%s is %s; expected the journal of an earlier run, or nothing: choose another "
                          "--output, or move that file away",
                          path, what);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* Whether the path still leads to the open file: the run that had it before may have deleted it since. */
static bool is_still_at_path(const struct red_journal *journal) {
    struct stat open, named;
    return fstat(journal->fd, &open) == 0 && lstat(journal->path, &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/* Opens and locks the file at journal->path, which is made if it is not there. */
static enum red_status open_locked(struct red_journal *journal, struct red_error *error) {
    for (int tries = 0; tries < 10; tries++) {
        journal->fd = open(journal->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (journal->fd < 0)
            return red_fail(error, RED_E_INPUT, "cannot write %s: %s", journal->path, strerror(errno));
        int locked = flock(journal->fd, LOCK_EX | LOCK_NB);
        if (locked != 0 && errno == EWOULDBLOCK)
            return red_fail(error, RED_E_INPUT,
                            "another run is writing %s: wait for it, or choose another --output",
                            journal->path);
        if (locked != 0)
            red_text_print(stderr,
                           "%s cannot be locked (%s): nothing keeps another run from writing it, too\n",
                           journal->path, strerror(errno));
        if (is_still_at_path(journal))
            return refuse_if_no_journal(journal->path, error);
        close(journal->fd);
        journal->fd = -1;
    }
    return red_fail(error, RED_E_INPUT, "%s is deleted again and again", journal->path);
}

/* No other file of the command may lie there. */
bool red_journal_path(const char *result_path, char *path, size_t path_bytes) {
    return red_file_would_be_regular(result_path) &&
           (size_t)snprintf(path, path_bytes, "%s.journal", result_path) < path_bytes;
}

/* For bench (cli/files.c) and verify (cli/cmd_verify.c), with --output. */
enum red_status red_journal_check_writable(const char *result_path, struct red_error *error) {
    char path[RED_PATH_BYTES];
    enum red_status status = red_file_check_writable(result_path, error);
    if (status != RED_OK || !red_journal_path(result_path, path, sizeof path))
        return status;
    status = refuse_if_no_journal(path, error);
    return status == RED_OK ? red_file_check_writable(path, error) : status;
}

enum red_status red_journal_open(const char *result_path, json_t *header, red_journal_take *take,
                                 void *context, struct red_journal **journal, struct red_error *error) {
    struct red_journal *made = NULL;
    enum red_status status = RED_OK;
    *journal = NULL;
    if (!red_file_would_be_regular(result_path))
        goto cleanup;
    made = calloc(1, sizeof *made);
    if (made == NULL || header == NULL) {
        status = red_fail(error, RED_E_MEMORY, "no memory for a journal");
        goto cleanup;
    }
    made->fd = -1;
    if (!red_journal_path(result_path, made->path, sizeof made->path))
        status = red_fail(error, RED_E_INPUT, "the path of the result file is too long");
    if (status == RED_OK)
        status = open_locked(made, error);
    if (status == RED_OK && take != NULL)
        status = read_back_and_cut(made, header, take, context, error);
    else if (status == RED_OK && lseek(made->fd, 0, SEEK_END) > 0)
        red_text_print(stderr, "%s was left by a run that ended early; without --resume it is begun anew\n",
                       made->path);
    if (status == RED_OK && take == NULL && ftruncate(made->fd, 0) != 0)
        status = red_fail(error, RED_E_INPUT, "cannot write %s: %s", made->path, strerror(errno));
    if (status != RED_OK)
        goto cleanup;
    made->ours = true;
    if (lseek(made->fd, 0, SEEK_END) == 0) {
        struct red_error found = {.text = ""};
        status = red_journal_add(made, json_incref(header), &found);
        made->lines_n = 0;
        if (status != RED_OK) {
            status = red_fail(error, status, "%.*s; choose another --output", (int)strcspn(found.text, ";"),
                              found.text);
            goto cleanup;
        }
    }
    *journal = made;
    made = NULL;

cleanup:
    json_decref(header);
    (void)red_journal_close(made, true);
    return status;
}

/* Appends all of the text, or nothing: a line that was cut would hide those after it. 0, or errno. */
static int write_whole(int fd, const char *text, size_t length) {
    off_t begin = lseek(fd, 0, SEEK_END);
    for (size_t done = 0; done < length;) {
        ssize_t written = write(fd, text + done, length - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            int reason = errno;
            (void)!ftruncate(fd, begin);
            return reason;
        }
        done += (size_t)written;
    }
    return 0;
}

/* Makes lines reach the disk, every 5 s at most; where no disk is, nothing is done. 0, or an errno. */
static int sync_if_due(struct red_journal *journal) {
    if (red_clock_s() - journal->synced_s <= SYNC_S)
        return 0;
    journal->synced_s = red_clock_s();
    return fdatasync(journal->fd) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

/* An error ends the run. */
enum red_status red_journal_add(struct red_journal *journal, json_t *line, struct red_error *error) {
    bool writes = journal != NULL && !journal->failed;
    char *text = writes && line != NULL ? json_dumps(line, JSON_COMPACT) : NULL;
    size_t length = text ? strlen(text) : 0;
    json_decref(line);
    if (!writes)
        return RED_OK;
    int reason = ENOMEM;
    if (text != NULL) {
        text[length] = '\n'; /* one write, so that it is never mixed with another's */
        reason = write_whole(journal->fd, text, length + 1);
        journal->lines_n += reason == 0;
    }
    if (reason == 0)
        reason = sync_if_due(journal);
    free(text);
    if (reason == 0)
        return RED_OK;
    journal->failed = true;
    return red_fail(error, reason == ENOMEM ? RED_E_MEMORY : RED_E_INPUT,
                    "cannot write %s: %s; what was found until then stands in it, for --resume",
                    journal->path, strerror(reason));
}

/* bench and verify print "the same command with --resume goes on from here" where the journal is kept. */
bool red_journal_close(struct red_journal *journal, bool keep) {
    if (journal == NULL)
        return false;
    bool kept = keep && (journal->lines_n > 0 || !journal->ours);
    if (!kept && journal->fd >= 0 && is_still_at_path(journal))
        unlink(journal->path);
    if (journal->fd >= 0)
        close(journal->fd);
    free(journal);
    return kept;
}
