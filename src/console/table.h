/* A small table for the screen, or the same as CSV or JSON. The report reads it by the functions below and
 * writes it into its page. */
#ifndef CLREDUCE_CONSOLE_TABLE_H
#define CLREDUCE_CONSOLE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/file.h"
#include "core/status.h"

enum { RED_TABLE_COLUMNS_MAX = 96 };

struct red_table;

struct red_column {
    char name[96]; /* heading, and key in JSON */
    bool right;    /* aligned right: numbers, which are numbers in JSON, too */
    unsigned wrap; /* on the screen, wrap the text at this many characters; 0: never */
    bool below;    /* on the screen, a line of its own under the row if not empty; the last column only */
};

/* Makes an empty table of these columns, a name each with | between: "strategy|op type|n>|why@60". Behind a
 * name > stands for `right`, @60 for `wrap`, and a last ! for `below`. NULL
 * without memory. Where there is no memory for a table or a value, that is noted (red_memory_note_failure):
 * no file is completed then. The functions that make and write a table take NULL for it. */
struct red_table *red_table_create(const char *columns);
void red_table_destroy(struct red_table *table);

/* Adds columns that are written so, and one whose name is any text; what has no room is left out. */
void red_table_add_columns(struct red_table *table, const char *columns);
void red_table_add_column(struct red_table *table, const char *name, bool right, unsigned wrap);

/* Appends a value behind the last one, and so row by row; RED_PUT several texts. */
__attribute__((format(printf, 2, 3))) void red_table_put(struct red_table *table, const char *format, ...);
void red_table_put_texts(struct red_table *table, const char *const *texts, size_t n);
#define RED_PUT(table, ...)                                                                                  \
    red_table_put_texts((table), (const char *const[]){__VA_ARGS__},                                         \
                        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Complete rows, and columns; 0 of NULL. */
size_t red_table_rows_n(const struct red_table *table);
size_t red_table_columns_n(const struct red_table *table);
const struct red_column *red_table_column(const struct red_table *table, size_t column);
const char *red_table_value(const struct red_table *table, size_t row, size_t column);

/* Prints the table for the screen, with its heading. */
void red_table_print(const struct red_table *table, FILE *out);

/* The same below a blank line and a title; without rows text_if_none instead, or nothing where that is NULL.
 */
void red_table_print_below(const struct red_table *table, const char *title, const char *text_if_none,
                           FILE *out);

/* Writes the table to `path` ("-" or NULL: standard output). Errors: RED_E_INPUT if it cannot be written. */
enum red_status red_table_write(const struct red_table *table, enum red_format format, const char *path,
                                struct red_error *error);

/* Writes the table for the screen with rows and columns exchanged: a line per property, a column per row, as
 * many at a time as fit. */
enum red_status red_table_write_turned(const struct red_table *table, const char *path,
                                       struct red_error *error);

#endif
