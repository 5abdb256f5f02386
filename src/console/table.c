#define _GNU_SOURCE /* strdup, vasprintf */
/* Prints tables of text on the screen, turned or not, and writes them as CSV or JSON (of devices, strategies,
 * verify, compare, recommend and duel). A report fills tables by red_table_put, and writes their values into
 * its page (report/page.c). */
#include "console/table.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "results/json.h"

/* Width of a column of a turned table, at the least: few columns share the screen's width. */
enum { TURNED_WRAP = 20 };

struct red_table {
    struct red_column columns[RED_TABLE_COLUMNS_MAX];
    size_t columns_n, values_n;
    char **values; /* row by row */
};

/* For names that come from files, devices or the user. */
void red_table_add_column(struct red_table *table, const char *name, bool right, unsigned wrap) {
    if (table == NULL || table->columns_n == RED_TABLE_COLUMNS_MAX)
        return;
    struct red_column *column = &table->columns[table->columns_n++];
    *column = (struct red_column){.right = right, .wrap = wrap};
    snprintf(column->name, sizeof column->name, "%s", name);
}

void red_table_add_columns(struct red_table *table, const char *columns) {
    while (table != NULL && columns[0] != '\0') {
        const size_t bytes = strcspn(columns, "|");
        const char *wrap = memchr(columns, '@', bytes);
        char name[sizeof table->columns[0].name];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(columns, "|>@!"), columns);
        red_table_add_column(table, name, memchr(columns, '>', bytes) != NULL,
                             wrap != NULL ? (unsigned)strtoul(wrap + 1, NULL, 10) : 0);
        table->columns[table->columns_n - 1].below = columns[bytes - 1] == '!';
        columns += bytes + (columns[bytes] == '|');
    }
}

struct red_table *red_table_create(const char *columns) {
    struct red_table *table = calloc(1, sizeof *table);
    if (table == NULL)
        red_memory_note_failure();
    red_table_add_columns(table, columns);
    return table;
}

void red_table_destroy(struct red_table *table) {
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->values_n; i++)
        free(table->values[i]);
    free(table->values);
    free(table);
}

/* Appends a text that malloc made, which is the table's then or freed; it loses its control characters. False
 * without memory or a text. */
static bool append_owned(struct red_table *table, char *text) {
    if (text == NULL || !RED_GROW(table->values, table->values_n, 1)) {
        free(text);
        return false;
    }
    red_text_replace_control(text); /* what comes from a file or a driver moves no cursor */
    table->values[table->values_n++] = text;
    return true;
}

void red_table_put(struct red_table *table, const char *format, ...) {
    va_list values;
    char *text = NULL;
    va_start(values, format);
    if (table == NULL || vasprintf(&text, format, values) < 0 || !append_owned(table, text))
        red_memory_note_failure();
    va_end(values);
}

void red_table_put_texts(struct red_table *table, const char *const *texts, size_t n) {
    for (size_t i = 0; i < n; i++)
        red_table_put(table, "%s", texts[i]);
}

/* page.c asks these four, to write a table into a report; compare asks whether there are rows. */
size_t red_table_rows_n(const struct red_table *table) {
    return table != NULL ? table->values_n / table->columns_n : 0;
}

size_t red_table_columns_n(const struct red_table *table) {
    return table != NULL ? table->columns_n : 0;
}

const struct red_column *red_table_column(const struct red_table *table, size_t column) {
    return &table->columns[column];
}

const char *red_table_value(const struct red_table *table, size_t row, size_t column) {
    return table->values[row * table->columns_n + column];
}

/* Bytes of the piece that fits into `width` characters, broken after a blank or comma if there is one. */
static size_t piece_bytes(const char *text, size_t width) {
    if (width == 0 || red_text_width(text) <= width)
        return strlen(text);
    size_t most = red_text_prefix_bytes(text, width);
    for (size_t at = most; at > most / 3; at--)
        if (text[at - 1] == ' ' || text[at - 1] == ',')
            return at;
    return most;
}

/* Characters of the widest value or the heading, at most where the column wraps. */
static size_t column_width(const struct red_table *table, size_t c) {
    size_t width = red_text_width(table->columns[c].name);
    for (size_t r = 0; r < red_table_rows_n(table); r++) {
        size_t length = red_text_width(red_table_value(table, r, c));
        width = length > width ? length : width;
    }
    size_t wrap = table->columns[c].wrap;
    return wrap > 0 && width > wrap ? wrap : width;
}

/* Writes a value in its column. Blanks wait in *pending_blanks until something follows them, so that no line
 * ends in one. */
static void write_padded(FILE *out, size_t *pending_blanks, const char *text, size_t bytes, size_t width,
                         bool right) {
    char piece[512];
    while (bytes > 0 && text[bytes - 1] == ' ')
        bytes--;
    snprintf(piece, sizeof piece, "%.*s", (int)bytes, text);
    size_t length = red_text_width(piece), fill = width > length ? width - length : 0;
    *pending_blanks += right ? fill : 0;
    if (length > 0) {
        fprintf(out, "%*s%s", (int)*pending_blanks, "", piece);
        *pending_blanks = 0;
    }
    *pending_blanks += right ? 0 : fill;
}

/* One row over as many lines as its wrapped columns need. */
static void write_row(FILE *out, const struct red_table *table, const size_t *widths, bool is_head,
                      const char *const *values) {
    const char *rest[RED_TABLE_COLUMNS_MAX];
    size_t columns_n = table->columns_n - table->columns[table->columns_n - 1].below;
    for (size_t c = 0; c < columns_n; c++)
        rest[c] = values[c];
    for (bool more = true; more;) {
        size_t pending_blanks = 0;
        more = false;
        for (size_t c = 0; c < columns_n; c++) {
            size_t bytes = piece_bytes(rest[c], table->columns[c].wrap);
            write_padded(out, &pending_blanks, rest[c], bytes, widths[c], table->columns[c].right);
            pending_blanks += 2;
            rest[c] += bytes;
            rest[c] += strspn(rest[c], " ");
            more = more || *rest[c] != '\0';
        }
        fputc('\n', out);
    }
    if (columns_n < table->columns_n && !is_head && values[columns_n][0] != '\0')
        red_wrapped_print(out, "    ", values[columns_n]);
}

/* Called for --format table: by red_table_write, or by verbs that print more than a table. */
void red_table_print(const struct red_table *table, FILE *out) {
    size_t widths[RED_TABLE_COLUMNS_MAX];
    const char *names[RED_TABLE_COLUMNS_MAX];
    if (table == NULL)
        return;
    for (size_t c = 0; c < table->columns_n; c++) {
        widths[c] = column_width(table, c);
        names[c] = table->columns[c].name;
    }
    write_row(out, table, widths, true, names);
    for (size_t r = 0; r < red_table_rows_n(table); r++)
        write_row(out, table, widths, false, (const char *const *)&table->values[r * table->columns_n]);
}

void red_table_print_below(const struct red_table *table, const char *title, const char *text_if_none,
                           FILE *out) {
    if (red_table_rows_n(table) > 0) {
        fprintf(out, "\n%s\n", title);
        red_table_print(table, out);
    } else if (text_if_none != NULL) {
        fprintf(out, "\n%s\n", text_if_none);
    }
}

/* The whole table for --format csv. */
static void write_csv(const struct red_table *table, FILE *out) {
    for (size_t c = 0; c < table->columns_n; c++) {
        red_csv_value_print(out, table->columns[c].name);
        fputc(c + 1 < table->columns_n ? ',' : '\n', out);
    }
    for (size_t i = 0; i < table->values_n; i++) {
        red_csv_value_print(out, table->values[i]);
        fputc((i + 1) % table->columns_n ? ',' : '\n', out);
    }
}

/* The value as a number if its column is one of numbers and it can be read as such, otherwise as a text. */
static json_t *json_value(const char *text, bool is_number) {
    char *end = NULL;
    double number = is_number ? strtod(text, &end) : 0;
    if (!is_number || end == text || *end != '\0' || !isfinite(number))
        return red_json_any_text(text);
    return strpbrk(text, ".e") == NULL ? json_integer(strtoll(text, NULL, 10)) : json_real(number);
}

/* The whole table for --format json. What jansson has no memory for is noted, too (core/memory.h). */
static void write_json(const struct red_table *table, FILE *out) {
    json_t *rows = json_array();
    for (size_t r = 0; r < red_table_rows_n(table); r++) {
        json_t *row = json_object();
        for (size_t c = 0; c < table->columns_n; c++)
            json_object_set_new(row, table->columns[c].name,
                                json_value(red_table_value(table, r, c), table->columns[c].right));
        json_array_append_new(rows, row);
    }
    json_dumpf(rows, out, JSON_INDENT(1));
    fputc('\n', out);
    json_decref(rows);
}

/* Called with --format and --output of devices, strategies, verify, compare and duel. */
enum red_status red_table_write(const struct red_table *table, enum red_format format, const char *path,
                                struct red_error *error) {
    static void (*const writers[RED_FORMATS_N])(const struct red_table *table, FILE *out) = {
        [RED_FORMAT_TABLE] = red_table_print, [RED_FORMAT_JSON] = write_json, [RED_FORMAT_CSV] = write_csv};
    struct red_file file;
    enum red_status status =
        table != NULL ? red_file_open(path ? path : "-", &file, error) : red_memory_check(error);
    if (status != RED_OK)
        return status;
    writers[format](table, file.stream);
    return red_file_commit(&file, error); /* which fails where something was noted */
}

/* Writes rows first ... last - 1 as columns of so many characters at most. */
static void write_turned_block(const struct red_table *table, size_t first, size_t last, unsigned wrap,
                               FILE *out) {
    struct red_table *turned = red_table_create(table->columns[0].name);
    for (size_t r = first; r < last; r++)
        red_table_add_column(turned, red_table_value(table, r, 0), false, wrap);
    for (size_t c = 1; c < table->columns_n; c++) {
        red_table_put(turned, "%s", table->columns[c].name);
        for (size_t r = first; r < last; r++)
            red_table_put(turned, "%s", red_table_value(table, r, c));
    }
    red_table_print(turned, out);
    red_table_destroy(turned);
}

enum red_status red_table_write_turned(const struct red_table *table, const char *path,
                                       struct red_error *error) {
    struct red_file file;
    size_t name_width = 0;
    for (size_t c = 0; table != NULL && c < table->columns_n; c++)
        if (red_text_width(table->columns[c].name) > name_width)
            name_width = red_text_width(table->columns[c].name);
    const size_t room = RED_SCREEN_WIDTH - name_width, block = room / (TURNED_WRAP + 2);
    enum red_status status =
        table != NULL ? red_file_open(path ? path : "-", &file, error) : red_memory_check(error);
    if (status != RED_OK)
        return status;
    const size_t rows_n = red_table_rows_n(table);
    const unsigned wrap = rows_n > 0 && rows_n < block ? (unsigned)(room / rows_n - 2) : TURNED_WRAP;
    for (size_t first = 0; first < rows_n; first += block) {
        fputs(first > 0 ? "\n" : "", file.stream);
        write_turned_block(table, first, first + block < rows_n ? first + block : rows_n, wrap, file.stream);
    }
    return red_file_commit(&file, error);
}
