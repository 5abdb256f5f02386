#define _GNU_SOURCE /* fopencookie */
/* Replaces the allocators of jansson and libxml2, before either is used; has memory streams. What fails for
 * want of memory ends in a message and exit status 4. */
#include "core/memory.h"

#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <libxml/xmlmemory.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/interrupt.h"

/* Global, since allocators of libraries take no context. */
static atomic_ulong failed_n;

/* For what returns no status: charts and pages (report/), tables (console/), JSON (results/json.c). */
void red_memory_note_failure(void) {
    failed_n++;
}

/* The allocators of jansson, then those of libxml2, and the error handler of GSL. */
static void *malloc_counting_failures(size_t bytes) {
    void *made = malloc(bytes);
    if (made == NULL && bytes > 0)
        failed_n++;
    return made;
}

/* libxml2 (2.9.14) frees twice what it could not let grow, so nothing of it may run afterwards. What was
 * measured is in a file by then: pages and exports are made of it. */
static void *xml_memory_or_exit(void *made, size_t bytes) {
    static const char told[] = "clreduce: no memory for a page or an export\n";
    if (made != NULL || bytes == 0)
        return made;
    red_leftovers_kill_and_remove();
    (void)!write(STDERR_FILENO, told, sizeof told - 1);
    _exit(red_exit_status_of(RED_E_MEMORY));
}

static void *xml_malloc(size_t bytes) {
    return xml_memory_or_exit(malloc(bytes), bytes);
}

static void *xml_realloc(void *old, size_t bytes) {
    return xml_memory_or_exit(realloc(old, bytes), bytes);
}

static char *xml_strdup(const char *text) {
    size_t bytes = strlen(text) + 1;
    return memcpy(xml_malloc(bytes), text, bytes);
}

/* Counts a lack of memory. Any other error of GSL is a fault of this program, and ends it. */
static void gsl_handle_error(const char *reason, const char *file, int line, int code) {
    if (code == GSL_ENOMEM) {
        failed_n++;
        return;
    }
    fprintf(stderr, "clreduce: GSL: %s (%s:%d)\n", reason, file, line);
    abort();
}

void red_memory_handle_failures(void) {
    json_set_alloc_funcs(malloc_counting_failures, free);
    xmlMemSetup(free, xml_malloc, xml_realloc, xml_strdup);
    gsl_set_error_handler(gsl_handle_error);
}

/* results/json.c tells by it "no memory" from a file that is no JSON. */
unsigned long red_memory_failed_n(void) {
    return failed_n;
}

/* Asked before a file takes its name (core/file.c), of pages, questions to workers, and when a verb ends. */
enum red_status red_memory_check(struct red_error *error) {
    return failed_n > 0 ? red_fail(error, RED_E_MEMORY, "no memory for all of it") : RED_OK;
}

/* The limit of data (model/geometry.c), and of a worker's programs in verify (verify/verify.c). */
double red_memory_available_bytes(void) {
    char line[256];
    double kib = INFINITY;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kib * 1024;
}

bool red_grow(void *array, size_t n, size_t more, size_t element_bytes) {
    const size_t n_max = SIZE_MAX / 2 / element_bytes;
    if (n > n_max || more > n_max - n)
        return false;
    size_t room = 1;
    while (room < n + more)
        room *= 2;
    if (n > room / 2)
        return true;
    void *grown;
    memcpy(&grown, array, sizeof grown); /* a pointer of any type */
    grown = realloc(grown, room * element_bytes);
    if (grown == NULL)
        return false;
    memcpy(array, &grown, sizeof grown);
    return true;
}

struct memory_text {
    char **text;
    size_t *bytes;
};

/* What is printed to a stream of red_memstream_open comes here. */
static ssize_t memstream_write(void *cookie, const char *from, size_t n) {
    struct memory_text *memory = cookie;
    if (!RED_GROW(*memory->text, *memory->bytes + 1, n))
        return 0; /* which the stream remembers as an error */
    memcpy(*memory->text + *memory->bytes, from, n);
    *memory->bytes += n;
    (*memory->text)[*memory->bytes] = '\0';
    return (ssize_t)n;
}

/* Frees the cookie; its text stays. */
static int memstream_free_cookie(void *cookie) {
    free(cookie);
    return 0;
}

/* For program texts (model/catalogue.c), what emit writes, commands in a report, and --export markdown. */
FILE *red_memstream_open(char **text, size_t *bytes) {
    struct memory_text *memory = malloc(sizeof *memory);
    *text = calloc(1, 1); /* what is empty is a text, too */
    *bytes = 0;
    if (memory != NULL)
        *memory = (struct memory_text){.text = text, .bytes = bytes};
    FILE *stream =
        memory != NULL && *text != NULL
            ? fopencookie(memory, "w",
                          (cookie_io_functions_t){.write = memstream_write, .close = memstream_free_cookie})
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
