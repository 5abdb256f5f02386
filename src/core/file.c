#define _XOPEN_SOURCE 700 /* realpath, mkstemp, fsync, fchmod, fchown */
/* Writes every file of --output and --export by way of a temporary file beside it; tells before long work
 * whether a path can be written; reads whole files. */
#include "core/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/interrupt.h"
#include "core/memory.h"

/* Fills the error for the errno `reason`, 0: not known. EINTR: a signal ended the wait for a pipe's reader.
 */
static enum red_status fail_writing(const char *path, int reason, struct red_error *error) {
    if (reason == EINTR)
        return red_fail(error, RED_E_INTERRUPTED, "interrupted while waiting for who reads %s", path);
    return red_fail(error, reason == EPIPE ? RED_E_PIPE : RED_E_INPUT,
                    "cannot write %s: %s; choose another file", path,
                    reason ? strerror(reason) : "is the disk full?");
}

/* ---- what a path is ------------------------------------------------------------------------------------ */

enum kind { KIND_STDOUT, KIND_DIRECT, KIND_EXISTING, KIND_NEW };

/* The file that the path leads to. */
struct path_target {
    enum kind kind;
    char target[RED_PATH_BYTES];
    struct stat seen; /* of an existing one */
};

/* False if the path is too long. */
static bool copy_path(const char *text, char to[RED_PATH_BYTES]) {
    return snprintf(to, RED_PATH_BYTES, "%s", text) < RED_PATH_BYTES;
}

/* Finds the file that an output path leads to; 0, or the errno that says why it cannot be written. Devices
 * and pipes cannot be replaced by a rename; below /dev/ nothing may be (/dev/stdout leads to a file at
 * times). */
static int resolve_writable_errno(const char *path, struct path_target *place) {
    struct stat link;
    bool there = stat(path, &place->seen) == 0;
    int reason = errno;
    if (!copy_path(path, place->target))
        return ENAMETOOLONG;
    if (there && S_ISDIR(place->seen.st_mode))
        return EISDIR;
    if (strncmp(path, "/dev/", 5) == 0 || (there && !S_ISREG(place->seen.st_mode))) {
        place->kind = KIND_DIRECT;
        return there || reason == ENOENT ? 0 : reason;
    }
    if (!there) {
        place->kind = KIND_NEW;
        if (reason != ENOENT)
            return reason;
        return lstat(path, &link) == 0 ? ENOENT : 0; /* a link that leads nowhere */
    }
    place->kind = KIND_EXISTING;
    if (realpath(path, place->target) == NULL)
        return errno;
    /* Root may write to anything; that its owner made it read-only still means something. */
    if ((place->seen.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0)
        return EACCES;
    return access(place->target, W_OK) == 0 ? 0 : errno;
}

/* Finds where --output, --export or --report leads; an error names the path and why it cannot be written. */
static enum red_status resolve_writable(const char *path, struct path_target *place,
                                        struct red_error *error) {
    *place = (struct path_target){.kind = KIND_STDOUT};
    if (path[0] == '\0')
        return red_fail(error, RED_E_INPUT, "cannot write to a file without a name; give --output FILE");
    if (strcmp(path, "-") == 0)
        return RED_OK;
    int reason = resolve_writable_errno(path, place);
    return reason == 0 ? RED_OK : fail_writing(path, reason, error);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Makes the temporary file, noted as a leftover; 0, or errno. A new file gets the usual mode, one that
 * replaces another its mode and, if that is allowed, its owner. */
static int open_temporary_errno(const struct path_target *place, struct red_file *file) {
    if (snprintf(file->temporary, sizeof file->temporary, "%s.XXXXXX", place->target) >=
        (int)sizeof file->temporary) {
        file->temporary[0] = '\0';
        return ENAMETOOLONG;
    }
    int descriptor = mkstemp(file->temporary);
    if (descriptor < 0) {
        int reason = errno;
        file->temporary[0] = '\0';
        return reason;
    }
    mode_t mask = umask(0), mode = 0666;
    umask(mask);
    if (place->kind == KIND_EXISTING && fchown(descriptor, place->seen.st_uid, place->seen.st_gid) != 0)
        errno = 0; /* then it belongs to the user of this process */
    mode = place->kind == KIND_EXISTING ? place->seen.st_mode & 0777 : mode & ~mask;
    (void)fchmod(descriptor, mode);
    red_leftover_add(file->temporary);
    file->stream = fdopen(descriptor, "w");
    if (file->stream != NULL)
        return 0;
    int reason = errno;
    close(descriptor);
    red_file_abandon(file);
    return reason;
}

/* `path` is of --output, --export or --report, or a file that emit writes; "-" is the standard output. */
enum red_status red_file_open(const char *path, struct red_file *file, struct red_error *error) {
    struct path_target place;
    *file = (struct red_file){.path = path};
    enum red_status status = resolve_writable(path, &place, error);
    if (status != RED_OK)
        return status;
    memcpy(file->target, place.target, sizeof file->target);
    int reason = 0;
    if (place.kind == KIND_STDOUT) {
        file->stream = stdout;
    } else if (place.kind == KIND_DIRECT) {
        file->stream = fopen(path, "w");
        reason = file->stream ? 0 : errno;
    } else {
        reason = open_temporary_errno(&place, file);
    }
    return reason == 0 ? RED_OK : fail_writing(path, reason, error);
}

/* cli/main.c asks it of the standard output at the end, and exits with 4, or 141 where no reader is left. */
int red_stream_flush_errno(FILE *stream) {
    const bool failed_before = ferror(stream) != 0;
    if (failed_before) /* stdio does not keep errno: one more byte to the lost file sets it */
        (void)fputc('\n', stream);
    if (fflush(stream) != 0)
        return errno;
    return failed_before ? -1 : 0;
}

/* Flushes to the disk, and closes the stream unless it is the standard output: 0, errno, or -1 as of
 * red_stream_flush_errno. */
static int file_flush_and_close_errno(struct red_file *file) {
    int reason = red_stream_flush_errno(file->stream);
    if (file->stream == stdout) {
        file->stream = NULL;
        return reason;
    }
    /* Pipes and devices have nothing to synchronise. */
    if (reason == 0 && fsync(fileno(file->stream)) != 0 && errno != EINVAL && errno != EROFS)
        reason = errno;
    if (fclose(file->stream) != 0 && reason == 0)
        reason = errno;
    file->stream = NULL;
    return reason;
}

/* Flushes to the disk and closes for the two below; the file has its name only after red_file_commit, which
 * then needs no more room. */
static enum red_status close_uncommitted(struct red_file *file, struct red_error *error) {
    bool is_screen = file->stream == stdout;
    enum red_status status = red_memory_check(error);
    if (status != RED_OK) { /* an incomplete file would look complete */
        red_file_abandon(file);
        return status;
    }
    int reason = file_flush_and_close_errno(file);
    if (reason == 0)
        return RED_OK;
    red_file_abandon(file);
    return fail_writing(is_screen ? "the standard output" : file->path, reason > 0 ? reason : 0, error);
}

/* Each writer of an --output, --export or --report ends with it: the file is there, or the verb fails. */
enum red_status red_file_commit(struct red_file *file, struct red_error *error) {
    enum red_status status = file->stream != NULL ? close_uncommitted(file, error) : RED_OK;
    if (status != RED_OK || file->temporary[0] == '\0')
        return status;
    if (rename(file->temporary, file->target) != 0) {
        int reason = errno;
        red_file_abandon(file);
        return fail_writing(file->path, reason, error);
    }
    red_leftover_forget(file->temporary);
    file->temporary[0] = '\0';
    return RED_OK;
}

/* Where a writer fails: no file, or the old one, stays. */
void red_file_abandon(struct red_file *file) {
    if (file->stream != NULL && file->stream != stdout)
        fclose(file->stream);
    file->stream = NULL;
    if (file->temporary[0] != '\0') {
        remove(file->temporary);
        red_leftover_forget(file->temporary);
    }
    file->temporary[0] = '\0';
}

/* For the outputs of `strategies`, `recommend`, `compare` and `manual`. */
enum red_status red_file_write(const char *path, red_file_writer *write, const void *what,
                               struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(path ? path : "-", &file, error);
    if (status != RED_OK)
        return status;
    status = write(what, file.stream, error);
    if (status == RED_OK)
        return red_file_commit(&file, error);
    red_file_abandon(&file);
    return status;
}

/* Makes the folder and those above it that are not there, as `mkdir -p` does; 0, or errno. *made_from is the
 * length of the path of the first one that was made, 0 if none was. */
static int folders_make_errno(const char *folder, size_t *made_from) {
    char path[RED_PATH_BYTES];
    *made_from = 0;
    if (folder[0] == '\0' || !copy_path(folder, path))
        return folder[0] == '\0' ? ENOENT : ENAMETOOLONG;
    for (size_t length = 1; length <= strlen(folder); length++) {
        const char next = path[length];
        if (next != '/' && next != '\0')
            continue;
        path[length] = '\0';
        const int reason = mkdir(path, 0777) == 0 ? 0 : errno;
        if (reason == 0)
            *made_from = *made_from > 0 ? *made_from : length;
        else if (!red_file_is_folder(path))
            return reason == EEXIST ? ENOTDIR : reason;
        path[length] = next;
    }
    return 0;
}

/* Removes the folder and those above it, as far as nothing is in them, up to the first that was made. */
static void folders_remove(const char *folder, size_t made_from) {
    char path[RED_PATH_BYTES];
    if (made_from == 0 || !copy_path(folder, path))
        return;
    for (size_t length = strlen(path); length >= made_from; length--) {
        const bool is_end = path[length] == '/' || path[length] == '\0';
        path[length] = is_end ? '\0' : path[length];
        if (is_end)
            rmdir(path);
    }
}

/* For the folders of emit and reproduce. */
enum red_status red_folder_write(const char *folder, const struct red_folder_file *files, size_t n,
                                 struct red_error *error) {
    size_t made_from = 0;
    struct red_file *written = calloc(n, sizeof *written);
    enum red_status status = written ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for files");
    const int reason = status == RED_OK ? folders_make_errno(folder, &made_from) : 0;
    if (reason != 0)
        status = red_fail(error, RED_E_INPUT, "cannot make the folder %.200s: %s; choose another --output",
                          folder, strerror(reason));
    for (size_t i = 0; i < n && status == RED_OK; i++) {
        status = red_file_open(files[i].path, &written[i], error);
        if (status == RED_OK)
            status = files[i].write(files[i].what, written[i].stream, error);
        if (status == RED_OK)
            status = close_uncommitted(&written[i], error);
    }
    for (size_t i = 0; i < n && status == RED_OK; i++)
        status = red_file_commit(&written[i], error);
    for (size_t i = 0; i < n && written != NULL; i++)
        red_file_abandon(&written[i]);
    free(written);
    if (status != RED_OK)
        folders_remove(folder, made_from);
    return status;
}

/* The folder that a path lies in; false if its name is too long. */
static bool folder_of(const char *path, char folder[RED_PATH_BYTES]) {
    if (!copy_path(path, folder))
        return false;
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        strcpy(folder, ".");
    else
        slash[slash == folder] = '\0';
    return true;
}

/* 0, or the errno that says why no file can be made in the folder of the path. The user reads it in "cannot
 * write PATH: ...". */
static int folder_access_errno(const char *path) {
    char folder[RED_PATH_BYTES];
    if (!folder_of(path, folder))
        return ENAMETOOLONG;
    return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

/* Before the work of bench, verify and duel: for --output and its journal, --export and --report. */
enum red_status red_file_check_writable(const char *path, struct red_error *error) {
    struct path_target place;
    struct red_file file;
    enum red_status status = resolve_writable(path, &place, error);
    if (status != RED_OK || place.kind == KIND_STDOUT)
        return status;
    if (place.kind == KIND_DIRECT) {
        int reason = access(path, W_OK) == 0 ? 0 : errno;
        if (reason == ENOENT)
            reason = folder_access_errno(path);
        return reason == 0 ? RED_OK : fail_writing(path, reason, error);
    }
    status = red_file_open(path, &file, error);
    if (status != RED_OK)
        return status;
    /* A full disk can still take an empty file, so write a byte. */
    int reason = fputc('\n', file.stream) != EOF && fflush(file.stream) == 0 ? 0 : errno;
    red_file_abandon(&file);
    return reason == 0 ? RED_OK : fail_writing(path, reason, error);
}

/* Writes the one spelling of each file: links followed, also in the folder of a file that is not there yet.
 * False where there is no such folder. */
static bool make_canonical_path(const char *path, char spelling[RED_PATH_BYTES]) {
    char folder[RED_PATH_BYTES];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (realpath(strcmp(path, "-") == 0 ? "/dev/stdout" : path, spelling) != NULL)
        return true;
    if (!folder_of(path, folder) || realpath(folder, spelling) == NULL)
        return false;
    size_t used = strlen(spelling);
    return snprintf(spelling + used, RED_PATH_BYTES - used, "/%s", name) < (int)(RED_PATH_BYTES - used);
}

/* "-" stands for the standard output. False where there is no such file. */
static bool find_stat(const char *path, struct stat *seen) {
    return (strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, seen) : stat(path, seen)) == 0;
}

/* For two paths of the command line: a file that is written may be no input, and none is written twice
 * (cli/files.c), and for --export to the standard output. */
bool red_file_is_same(const char *a, const char *b) {
    char spellings[2][RED_PATH_BYTES];
    struct stat seen[2];
    if (strcmp(a, b) == 0)
        return true;
    /* Two names of a hard link are one file; a pipe has no path, not even /dev/stdout leads to one. */
    if (find_stat(a, &seen[0]) && find_stat(b, &seen[1]))
        return seen[0].st_dev == seen[1].st_dev && seen[0].st_ino == seen[1].st_ino &&
               !S_ISCHR(seen[0].st_mode);
    return make_canonical_path(a, spellings[0]) && make_canonical_path(b, spellings[1]) &&
           strcmp(spellings[0], spellings[1]) == 0;
}

/* Gets room at first for what a regular file says it holds, later for twice as much; and for a byte 0. Reads
 * nothing; false without memory. */
static bool grow_text_room(FILE *file, size_t max_bytes, char **text, size_t *room) {
    struct stat seen;
    size_t wanted = *room > 0 ? 2 * *room : 1 << 16;
    if (*room == 0 && fstat(fileno(file), &seen) == 0 && S_ISREG(seen.st_mode) && seen.st_size > 0)
        wanted = (uintmax_t)seen.st_size < max_bytes ? (size_t)seen.st_size + 1 : max_bytes;
    wanted = wanted < max_bytes ? wanted : max_bytes;
    char *grown = realloc(*text, wanted + 1);
    if (grown == NULL)
        return false;
    *text = grown;
    *room = wanted;
    return true;
}

/* A result file, policy, duel, kernel or list of known failures; a driver's binary (cl/program.c). Several
 * processes read a kernel, and some files are read twice: of a pipe only one would get the text. */
enum red_status red_file_read(const char *path, const char *what, size_t max_bytes, char **text,
                              size_t *text_n, struct red_error *error) {
    char *made = NULL;
    size_t room = 0;
    struct stat seen;
    *text_n = 0;
    if (stat(path, &seen) == 0 && !S_ISREG(seen.st_mode) && !S_ISDIR(seen.st_mode))
        return red_fail(error, RED_E_INPUT,
                        "cannot read %.200s: it is a pipe or a device, and no file; write what it holds to a "
                        "file, and name that",
                        path);
    FILE *file = fopen(path, "rb");
    enum red_status status = RED_OK;
    if (file == NULL)
        return red_fail(error, errno == ENOMEM ? RED_E_MEMORY : RED_E_INPUT, "cannot read %.200s: %s", path,
                        strerror(errno));
    while (status == RED_OK && *text_n == room && room < max_bytes) {
        if (!grow_text_room(file, max_bytes, &made, &room)) {
            status = red_fail(error, RED_E_MEMORY, "no memory to read %.200s", path);
            break;
        }
        *text_n += fread(made + *text_n, 1, room - *text_n, file);
        if (ferror(file))
            status = red_fail(error, RED_E_INPUT, "cannot read %.200s: %s", path, strerror(errno));
    }
    if (status == RED_OK && *text_n == max_bytes)
        status = red_fail(error, RED_E_INPUT, "%.200s is no %s: it has %zu MiB or more", path, what,
                          max_bytes >> 20);
    fclose(file);
    if (status != RED_OK) {
        free(made);
        return status;
    }
    made[*text_n] = '\0';
    *text = made;
    return RED_OK;
}

/* By --output and --export: whether there can be a journal for --resume, a --report. */
bool red_file_would_be_regular(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && strncmp(path, "/dev/", 5) != 0 &&
           (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

/* By each path that stands where a result file may (results/loaded.c, cli/files.c). */
bool red_file_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* For emit and reproduce, which replace files of their own folder alone. */
const char *red_file_name_of_other(const char *path) {
    struct stat seen;
    if (lstat(path, &seen) != 0 || S_ISREG(seen.st_mode))
        return NULL;
    return S_ISDIR(seen.st_mode) ? "a folder" : S_ISLNK(seen.st_mode) ? "a symbolic link" : "no regular file";
}

/* For qsort, of the paths of a folder: by name, whatever the language of the user. */
static int by_bytes(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The path of the folder's entry, which the caller frees; NULL where its name does not end so, or no memory.
 */
static char *entry_path(const char *folder, const char *name, const char *ending, bool *is_wanted) {
    const size_t name_n = strlen(name), ending_n = strlen(ending), folder_n = strlen(folder);
    *is_wanted = name[0] != '.' && name_n >= ending_n && strcmp(name + name_n - ending_n, ending) == 0;
    char *path = *is_wanted ? malloc(folder_n + name_n + 2) : NULL;
    if (path != NULL)
        snprintf(path, folder_n + name_n + 2, "%s%s%s", folder,
                 folder_n > 0 && folder[folder_n - 1] == '/' ? "" : "/", name);
    return path;
}

/* A folder that the user names in place of result files. */
enum red_status red_folder_list(const char *folder, const char *ending, char ***paths, size_t *n,
                                struct red_error *error) {
    enum red_status status = RED_OK;
    DIR *opened = opendir(folder);
    *paths = NULL;
    *n = 0;
    if (opened == NULL)
        return red_fail(error, RED_E_INPUT, "cannot read the folder %.200s: %s", folder, strerror(errno));
    for (const struct dirent *entry; status == RED_OK && (entry = readdir(opened)) != NULL;) {
        struct stat file;
        bool is_wanted;
        char *path = entry_path(folder, entry->d_name, ending, &is_wanted);
        if (!is_wanted || (path != NULL && stat(path, &file) == 0 && !S_ISREG(file.st_mode))) {
            free(path);
            continue;
        }
        if (path == NULL || !RED_GROW(*paths, *n, 1)) {
            free(path);
            status = red_fail(error, RED_E_MEMORY, "no memory for the files of %.200s", folder);
        } else {
            (*paths)[(*n)++] = path;
        }
    }
    closedir(opened);
    if (*n > 1) /* an empty list is NULL */
        qsort(*paths, *n, sizeof **paths, by_bytes);
    for (size_t i = 0; status != RED_OK && i < *n; i++)
        free((*paths)[i]);
    if (status != RED_OK)
        free(*paths);
    return status;
}
