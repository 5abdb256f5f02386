#define _GNU_SOURCE /* fopencookie */
#include "core/memstream.h"

#include <stdlib.h>
#include <string.h>

struct memory {
    char **text;
    size_t *bytes, room;
};

static ssize_t take(void *cookie, const char *from, size_t n) {
    struct memory *memory = cookie;
    if (*memory->bytes + n + 1 > memory->room) {
        size_t room = 2 * (*memory->bytes + n + 1);
        char *grown = realloc(*memory->text, room);
        if (grown == NULL)
            return 0; /* which the stream remembers as an error */
        *memory->text = grown;
        memory->room = room;
    }
    memcpy(*memory->text + *memory->bytes, from, n);
    *memory->bytes += n;
    (*memory->text)[*memory->bytes] = '\0';
    return (ssize_t)n;
}

static int forget(void *cookie) {
    free(cookie);
    return 0;
}

FILE *red_memstream_open(char **text, size_t *bytes) {
    struct memory *memory = malloc(sizeof *memory);
    *text = calloc(1, 1); /* what is empty is a text, too */
    *bytes = 0;
    if (memory != NULL)
        *memory = (struct memory){.text = text, .bytes = bytes, .room = *text ? 1 : 0};
    FILE *stream = memory != NULL && *text != NULL
                       ? fopencookie(memory, "w", (cookie_io_functions_t){.write = take, .close = forget})
                       : NULL;
    if (stream != NULL)
        return stream;
    free(memory);
    free(*text);
    *text = NULL;
    return NULL;
}

bool red_memstream_close(FILE *stream, char **text) {
    bool whole = fflush(stream) == 0 && !ferror(stream);
    whole = fclose(stream) == 0 && whole;
    if (!whole) {
        free(*text);
        *text = NULL;
    }
    return whole;
}
