#define _GNU_SOURCE /* memfd_create */
#include "cli/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/interrupt.h"
#include "core/text.h"

enum { INPUT_BYTES_MAX = 512 << 20, PIECE_BYTES = 1 << 16, LINKS_MAX = 40 };

static enum red_status cannot(const char *path, int reason, struct red_error *error) {
    if (red_interrupted())
        return red_fail(error, RED_E_INTERRUPTED, "interrupted while waiting for %.200s", path);
    return red_fail(error, RED_E_INPUT, "cannot read %.200s: %s", path, strerror(reason));
}

/* A signal ends waiting: the handler is not one that goes on with the call. */
static ssize_t read_piece(int from, char *piece) {
    ssize_t n;
    do
        n = read(from, piece, PIECE_BYTES);
    while (n < 0 && errno == EINTR && !red_interrupted());
    return n;
}

static enum red_status copy(const char *path, int from, int to, struct red_error *error) {
    size_t bytes = 0;
    char *piece = malloc(PIECE_BYTES);
    ssize_t n = 0;
    enum red_status status = piece ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory to read %.200s", path);
    while (status == RED_OK && (n = read_piece(from, piece)) > 0) {
        bytes += (size_t)n;
        if (bytes >= INPUT_BYTES_MAX)
            status = red_fail(error, RED_E_INPUT, "%.200s has %d MiB or more, if it has an end", path,
                              INPUT_BYTES_MAX >> 20);
        else if (write(to, piece, (size_t)n) != n)
            status = red_fail(error, RED_E_MEMORY, "no memory to keep what %.200s says", path);
    }
    if (status == RED_OK && n < 0)
        status = cannot(path, errno, error);
    free(piece);
    return status;
}

/* Whether the folder is one of this very process's descriptors, of the process or of its thread. */
static bool is_of_descriptors(const char *folder) {
    char own[32];
    int length = snprintf(own, sizeof own, "/proc/%ld/", (long)getpid());
    const char *name = strrchr(folder, '/');
    return strncmp(folder, own, (size_t)length) == 0 && name != NULL && strcmp(name, "/fd") == 0;
}

/* Whether the path names a descriptor of this process, whatever lies behind it: in a worker, whose standard
 * input is its channel, the same path means something else. Links on the way are followed but for the last,
 * which leads to the file itself. */
static bool is_descriptor(const char *path) {
    char at[RED_PATH_BYTES], name[RED_PATH_BYTES], folder[RED_PATH_BYTES] = "";
    bool fits = snprintf(at, sizeof at, "%s", path) < (int)sizeof at;
    for (int links = 0; fits && links < LINKS_MAX; links++) {
        memcpy(name, at, sizeof name);
        if (realpath(dirname(name), folder) == NULL || is_of_descriptors(folder))
            break;
        ssize_t length = readlink(at, name, sizeof name - 1);
        if (length < 0)
            return false;
        name[length] = '\0';
        const bool whole = name[0] == '/';
        fits =
            snprintf(at, sizeof at, "%s%s%s", whole ? "" : folder, whole ? "" : "/", name) < (int)sizeof at;
    }
    return fits && is_of_descriptors(folder);
}

static enum red_status keep(struct red_options *options, const char **path, struct red_error *error) {
    struct stat found;
    /* What is not there is told by who needs it. */
    if (*path == NULL || stat(*path, &found) != 0 || S_ISDIR(found.st_mode) ||
        (S_ISREG(found.st_mode) && !is_descriptor(*path)))
        return RED_OK;
    int from = open(*path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return cannot(*path, errno, error);
    int to = memfd_create("input", MFD_CLOEXEC);
    enum red_status status = to < 0 ? cannot(*path, errno, error) : copy(*path, from, to, error);
    close(from);
    if (status == RED_OK && options->kept == NULL &&
        (options->kept = calloc(RED_INPUTS_MAX, sizeof *options->kept)) == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory to read %.200s", *path);
    if (status != RED_OK) {
        if (to >= 0)
            close(to);
        return status;
    }
    char *kept = options->kept[options->kept_n++];
    snprintf(kept, sizeof *options->kept, "/proc/%ld/fd/%d", (long)getpid(), to);
    red_text_print(stderr, "%s is read once; messages call it %s\n", *path, kept);
    *path = kept;
    return RED_OK;
}

enum red_status red_inputs_keep(struct red_options *o, struct red_error *error) {
    const struct {
        const char **paths;
        size_t n;
    } inputs[] = {{o->selection.kernels, o->selection.kernels_n},
                  {o->files, o->files_n},
                  {o->duel.side_kernel, 2},
                  {&o->selection.expect, 1},
                  {&o->duel.policy, 1},
                  {&o->duel.replay, 1}};
    enum red_status status = RED_OK;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
        for (size_t k = 0; k < inputs[i].n && status == RED_OK; k++)
            status = keep(o, &inputs[i].paths[k], error);
    return status;
}
