#include "bench/table.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "record/file.h"

struct red_table {
    const struct red_column *columns;
    size_t columns_n, rows_n;
    char **values; /* rows_n * columns_n */
};

struct red_table *red_table_create(const struct red_column *columns, size_t columns_n) {
    struct red_table *table = calloc(1, sizeof *table);
    if (table != NULL)
        *table = (struct red_table){.columns = columns, .columns_n = columns_n};
    return table;
}

void red_table_destroy(struct red_table *table) {
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->rows_n * table->columns_n; i++)
        free(table->values[i]);
    free(table->values);
    free(table);
}

enum red_status red_table_add(struct red_table *table, const char *const *values, struct red_error *error) {
    size_t used = table->rows_n * table->columns_n;
    char **grown = realloc(table->values, (used + table->columns_n) * sizeof *grown);
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a table");
    table->values = grown;
    for (size_t c = 0; c < table->columns_n; c++) {
        size_t bytes = strlen(values[c]) + 1;
        grown[used + c] = malloc(bytes);
        if (grown[used + c] == NULL) {
            while (c-- > 0)
                free(grown[used + c]);
            return red_fail(error, RED_E_MEMORY, "no memory for a table");
        }
        memcpy(grown[used + c], values[c], bytes);
    }
    table->rows_n++;
    return RED_OK;
}

/* Length of the piece that fits into `width`, broken after a blank or comma if there is one. */
static size_t piece_length(const char *text, size_t width) {
    size_t length = strlen(text);
    if (width == 0 || length <= width)
        return length;
    for (size_t at = width; at > width / 3; at--)
        if (text[at - 1] == ' ' || text[at - 1] == ',')
            return at;
    return width;
}

static size_t column_width(const struct red_table *table, size_t c) {
    size_t width = strlen(table->columns[c].name);
    for (size_t r = 0; r < table->rows_n; r++) {
        size_t length = strlen(table->values[r * table->columns_n + c]);
        width = length > width ? length : width;
    }
    size_t wrap = table->columns[c].wrap;
    return wrap > 0 && width > wrap ? wrap : width;
}

/* One row over as many lines as its wrapped columns need. */
static void write_row(FILE *out, const struct red_table *table, const size_t *widths,
                      const char *const *values) {
    const char *rest[RED_TABLE_COLUMNS_MAX];
    for (size_t c = 0; c < table->columns_n; c++)
        rest[c] = values[c];
    for (bool more = true; more;) {
        char line[1024] = "";
        size_t used = 0;
        more = false;
        for (size_t c = 0; c < table->columns_n && used < sizeof line; c++) {
            size_t length = piece_length(rest[c], table->columns[c].wrap);
            int width = (int)widths[c];
            used += (size_t)snprintf(line + used, sizeof line - used, "%*.*s%s",
                                     table->columns[c].right ? width : -width, (int)length, rest[c],
                                     c + 1 < table->columns_n ? "  " : "");
            rest[c] += length;
            more = more || *rest[c] != '\0';
        }
        for (size_t end = strlen(line); end > 0 && line[end - 1] == ' '; end--)
            line[end - 1] = '\0';
        fprintf(out, "%s\n", line);
    }
}

static void write_screen(FILE *out, const struct red_table *table) {
    size_t widths[RED_TABLE_COLUMNS_MAX];
    const char *names[RED_TABLE_COLUMNS_MAX];
    for (size_t c = 0; c < table->columns_n; c++) {
        widths[c] = column_width(table, c);
        names[c] = table->columns[c].name;
    }
    write_row(out, table, widths, names);
    for (size_t r = 0; r < table->rows_n; r++)
        write_row(out, table, widths, (const char *const *)&table->values[r * table->columns_n]);
}

static void write_csv_value(FILE *out, const char *value) {
    if (strpbrk(value, ",\"\n") == NULL) {
        fputs(value, out);
        return;
    }
    fputc('"', out);
    for (; *value != '\0'; value++)
        fprintf(out, *value == '"' ? "\"\"" : "%c", *value);
    fputc('"', out);
}

static void write_csv(FILE *out, const struct red_table *table) {
    for (size_t c = 0; c < table->columns_n; c++) {
        write_csv_value(out, table->columns[c].name);
        fputc(c + 1 < table->columns_n ? ',' : '\n', out);
    }
    for (size_t i = 0; i < table->rows_n * table->columns_n; i++) {
        write_csv_value(out, table->values[i]);
        fputc((i + 1) % table->columns_n ? ',' : '\n', out);
    }
}

static void write_json(FILE *out, const struct red_table *table) {
    json_t *rows = json_array();
    for (size_t r = 0; r < table->rows_n; r++) {
        json_t *row = json_object();
        for (size_t c = 0; c < table->columns_n; c++)
            json_object_set_new(row, table->columns[c].name,
                                json_string(table->values[r * table->columns_n + c]));
        json_array_append_new(rows, row);
    }
    (void)json_dumpf(rows, out, JSON_INDENT(1));
    fputc('\n', out);
    json_decref(rows);
}

enum red_status red_table_write(const struct red_table *table, enum red_format format, const char *path,
                                struct red_error *error) {
    static void (*const writers[RED_FORMATS_N])(FILE *, const struct red_table *) = {
        [RED_FORMAT_TABLE] = write_screen, [RED_FORMAT_JSON] = write_json, [RED_FORMAT_CSV] = write_csv};
    struct red_file file;
    enum red_status status = red_file_open(path ? path : "-", &file, error);
    if (status != RED_OK)
        return status;
    writers[format](file.stream, table);
    return red_file_commit(&file, error);
}

enum red_status red_table_write_turned(const struct red_table *table, const char *path,
                                       struct red_error *error) {
    struct red_column columns[RED_TABLE_COLUMNS_MAX] = {{table->columns[0].name, false, 0}};
    size_t columns_n = 1;
    for (; columns_n <= table->rows_n && columns_n < RED_TABLE_COLUMNS_MAX; columns_n++)
        columns[columns_n] =
            (struct red_column){table->values[(columns_n - 1) * table->columns_n], false, 26};
    struct red_table *turned = red_table_create(columns, columns_n);
    if (turned == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a table");
    enum red_status status = RED_OK;
    for (size_t c = 1; c < table->columns_n && status == RED_OK; c++) {
        const char *values[RED_TABLE_COLUMNS_MAX] = {table->columns[c].name};
        for (size_t r = 1; r < columns_n; r++)
            values[r] = table->values[(r - 1) * table->columns_n + c];
        status = red_table_add(turned, values, error);
    }
    if (status == RED_OK)
        status = red_table_write(turned, RED_FORMAT_TABLE, path, error);
    red_table_destroy(turned);
    return status;
}
