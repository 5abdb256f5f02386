/* Where a verb writes what it has found, and in which form. */
#ifndef CLREDUCE_CORE_OUTPUT_H
#define CLREDUCE_CORE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* The forms of --format, of which each verb offers some. */
enum red_format {
    RED_FORMAT_TABLE,
    RED_FORMAT_JSON,
    RED_FORMAT_CSV,
    RED_FORMAT_HTML,
    RED_FORMAT_MARKDOWN,
    RED_FORMAT_TERM,
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
