/* A small table for the screen, or the same as CSV or JSON. The report reads it by the functions below and
 * writes it into its page. */
#ifndef CLREDUCE_CONSOLE_TABLE_H
#define CLREDUCE_CONSOLE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/file.h"
#include "core/status.h"

enum { RED_TABLE_COLUMNS_MAX = 80 };

struct red_table;

struct red_column {
    const char *name; /* heading, and key in JSON */
    bool right;       /* aligned right: numbers, which are numbers in JSON, too */
    unsigned wrap;    /* on the screen, wrap the text at this many characters; 0: never */
    bool below;       /* on the screen, a line of its own under the row if not empty; the last column only */
};

/* Makes an empty table; `columns` is borrowed. NULL without memory (which is noted: red_memory_note_failure),
 * or above RED_TABLE_COLUMNS_MAX. */
struct red_table *red_table_create(const struct red_column *columns, size_t columns_n);
void red_table_destroy(struct red_table *table);

/* Appends a row of `columns_n` strings, which are copied. Errors: RED_E_MEMORY. */
enum red_status red_table_add(struct red_table *table, const char *const *values, struct red_error *error);

/* Appends a value behind the last one, and so row by row. Where there is no memory for it, or for the table
 * (NULL), that is noted (red_memory_note_failure): no file is completed then. */
__attribute__((format(printf, 2, 3))) void red_table_put(struct red_table *table, const char *format, ...);

/* Complete rows; 0 of NULL. */
size_t red_table_rows_n(const struct red_table *table);
size_t red_table_columns_n(const struct red_table *table);
const struct red_column *red_table_column(const struct red_table *table, size_t column);
const char *red_table_value(const struct red_table *table, size_t row, size_t column);

/* Prints the table for the screen, with its heading. */
void red_table_print(const struct red_table *table, FILE *out);

/* Writes the table to `path` ("-" or NULL: standard output). Errors: RED_E_INPUT if it cannot be written. */
enum red_status red_table_write(const struct red_table *table, enum red_format format, const char *path,
                                struct red_error *error);

/* Writes the table for the screen with rows and columns exchanged: a line per property, a column per row, as
 * many at a time as fit. */
enum red_status red_table_write_turned(const struct red_table *table, const char *path,
                                       struct red_error *error);

#endif
