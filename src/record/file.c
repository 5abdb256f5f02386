#define _POSIX_C_SOURCE 200809L /* mkstemp, fsync, fchmod */
#include "record/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum red_status cannot_write(const char *path, int reason, struct red_error *error) {
    return red_fail(error, RED_E_INPUT, "cannot write %s: %s; choose another --output", path,
                    strerror(reason));
}

static bool is_stdout(const char *path) {
    return strcmp(path, "-") == 0;
}

/* Devices and pipes cannot be replaced by a rename; they are written to directly. */
static bool is_special(const char *path) {
    struct stat seen;
    return stat(path, &seen) == 0 && !S_ISREG(seen.st_mode) && !S_ISDIR(seen.st_mode);
}

enum red_status red_file_open(const char *path, struct red_file *file, struct red_error *error) {
    *file = (struct red_file){.path = path};
    struct stat seen;
    if (is_stdout(path)) {
        file->stream = stdout;
        return RED_OK;
    }
    if (is_special(path)) {
        file->stream = fopen(path, "w");
        return file->stream ? RED_OK : cannot_write(path, errno, error);
    }
    if (stat(path, &seen) == 0 && S_ISDIR(seen.st_mode))
        return cannot_write(path, EISDIR, error);
    if (snprintf(file->temporary, sizeof file->temporary, "%s.XXXXXX", path) >= (int)sizeof file->temporary) {
        file->temporary[0] = '\0';
        return cannot_write(path, ENAMETOOLONG, error);
    }
    int descriptor = mkstemp(file->temporary);
    if (descriptor < 0) {
        file->temporary[0] = '\0';
        return cannot_write(path, errno, error);
    }
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(descriptor, 0666 & ~mask);
    file->stream = fdopen(descriptor, "w");
    if (file->stream != NULL)
        return RED_OK;
    int reason = errno;
    close(descriptor);
    red_file_abandon(file);
    return cannot_write(path, reason, error);
}

enum red_status red_file_commit(struct red_file *file, struct red_error *error) {
    errno = 0;
    bool failed = fflush(file->stream) != 0 || ferror(file->stream);
    int reason = errno ? errno : EIO;
    if (is_stdout(file->path)) {
        file->stream = NULL;
        return failed ? cannot_write("the standard output", reason, error) : RED_OK;
    }
    /* Pipes and devices have nothing to synchronise. */
    if (!failed && fsync(fileno(file->stream)) != 0 && errno != EINVAL && errno != EROFS) {
        failed = true;
        reason = errno;
    }
    if (fclose(file->stream) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    file->stream = NULL;
    if (!failed && file->temporary[0] != '\0' && rename(file->temporary, file->path) != 0) {
        failed = true;
        reason = errno;
    }
    if (!failed) {
        file->temporary[0] = '\0';
        return RED_OK;
    }
    red_file_abandon(file);
    return cannot_write(file->path, reason, error);
}

void red_file_abandon(struct red_file *file) {
    if (file->stream != NULL && file->stream != stdout)
        fclose(file->stream);
    file->stream = NULL;
    if (file->temporary[0] != '\0')
        remove(file->temporary);
    file->temporary[0] = '\0';
}

enum red_status red_file_check_writable(const char *path, struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(path, &file, error);
    if (status == RED_OK)
        red_file_abandon(&file);
    return status;
}
