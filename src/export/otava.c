#define _POSIX_C_SOURCE 200809L /* strdup */
/* --export otava: adds a row to a CSV history for Apache Otava, which export/export.c has read. The file is
 * rewritten, but its rows stay as they are: a new column adds an empty field to each. The cells are those of
 * a bench or a duel. */
#include <stdlib.h>
#include <string.h>

#include "export/suite.h"

/* Columns that are no cells: those that a history begins with, and one that Otava reads in its own way. */
static const char *const fixed[] = {"time", "version", "machine", "branch"};
enum { FIXED_N = 3, NOT_CELLS_N = sizeof fixed / sizeof fixed[0] };

/* ---- reading (RFC 4180) ----------------------------------------------------------------------------------
 * The old text of the history; what is wrong in it is an error of --export. */

/* The end of the field that begins here: a comma, a line end or the end of the text, outside of quotes. NULL
 * where a quote is not closed. */
static const char *field_end(const char *at) {
    bool quoted = false;
    for (; *at != '\0' && (quoted || (*at != ',' && *at != '\n' && strncmp(at, "\r\n", 2) != 0)); at++)
        quoted ^= *at == '"';
    return quoted ? NULL : at;
}

/* The text of a field without its quotes. Release with free; NULL without memory. */
static char *field_text(const char *at, const char *end) {
    char *text = malloc((size_t)(end - at) + 1), *to = text;
    bool quoted = at < end && *at == '"';
    if (text == NULL)
        return NULL;
    for (at += quoted; at < end; at++) {
        if (quoted && *at == '"' && (at + 1 == end || *++at != '"'))
            break;
        *to++ = *at;
    }
    *to = '\0';
    return text;
}

struct otava_columns {
    char **names; /* owned, as is each */
    size_t n;
};

static void columns_clear(struct otava_columns *columns) {
    for (size_t i = 0; i < columns->n; i++)
        free(columns->names[i]);
    free(columns->names);
}

/* Appends a name that malloc made, which is the columns' then or freed. Errors: RED_E_MEMORY, or for NULL. */
static enum red_status add_column(struct otava_columns *columns, char *owned_name, struct red_error *error) {
    char **grown = realloc(columns->names, (columns->n + 1) * sizeof *grown);
    columns->names = grown ? grown : columns->names;
    if (grown == NULL || owned_name == NULL) {
        free(owned_name);
        return red_fail(error, RED_E_MEMORY, "no memory for the columns of a history");
    }
    columns->names[columns->n++] = owned_name;
    return RED_OK;
}

/* Fields of the row that begins here; *end: its line end, or the end of the text. 0 where a quote is open. */
static size_t count_row_fields(const char *at, const char **end) {
    size_t n = 1;
    for (*end = field_end(at); *end != NULL && **end == ','; n++)
        *end = field_end(*end + 1);
    return *end ? n : 0;
}

/* Where the next row begins, behind the line end of this one. */
static const char *row_after(const char *end) {
    end += *end == '\r';
    return end + (*end == '\n');
}

/* Fails at the first row that makes the text no table: all have as many fields as the heading. */
static enum red_status check_rows(const char *history, size_t columns_n, struct red_error *error) {
    const char *at = history, *end;
    for (size_t row = 1; *at != '\0'; at = row_after(end), row++) {
        size_t n = count_row_fields(at, &end);
        if (n == 0)
            return red_fail(error, RED_E_INPUT, "a quote in row %zu of the history is not closed", row);
        if (n != columns_n)
            return red_fail(error, RED_E_INPUT, "row %zu of the history has %zu fields instead of %zu", row,
                            n, columns_n);
    }
    return RED_OK;
}

/* Yields the columns of what is there, or those that a new history begins with. Fails for what is no history,
 * down to its last row. */
static enum red_status read_and_check_columns(const char *history, struct otava_columns *columns,
                                              struct red_error *error) {
    enum red_status status = RED_OK;
    if (history == NULL || history[0] == '\0') {
        for (size_t i = 0; i < FIXED_N && status == RED_OK; i++)
            status = add_column(columns, strdup(fixed[i]), error);
        return status;
    }
    const char *at = history, *end = field_end(at);
    for (; end != NULL && status == RED_OK; at = end + 1, end = field_end(at)) {
        status = add_column(columns, field_text(at, end), error);
        if (*end != ',')
            break;
    }
    for (size_t i = 0; i < FIXED_N && status == RED_OK; i++)
        if (i >= columns->n || strcmp(columns->names[i], fixed[i]) != 0)
            status = red_fail(error, RED_E_INPUT,
                              "the file is no history: its first columns are not %s, %s and %s", fixed[0],
                              fixed[1], fixed[2]);
    return status == RED_OK ? check_rows(history, columns->n, error) : status;
}

/* ---- the run beside the history ------------------------------------------------------------------------ */

static const struct red_export_cell *find_cell(const struct red_export *export, const char *name) {
    for (size_t i = 0; i < export->cells_n; i++)
        if (strcmp(export->cells[i].name, name) == 0)
            return &export->cells[i];
    return NULL;
}

/* Fails where a column of the history is no cell of this run. */
static enum red_status refuse_unknown_columns(const struct red_export *export,
                                              const struct otava_columns *columns, struct red_error *error) {
    for (size_t i = FIXED_N; i < columns->n; i++)
        if (find_cell(export, columns->names[i]) == NULL)
            return red_fail(error, RED_E_INPUT,
                            "the history has a column '%s', which is no cell of this run; take another file "
                            "for other cells",
                            columns->names[i]);
    return RED_OK;
}

/* Called through red_export_formats before measuring: export NULL; and again by bench, with its cells,
 * without times. */
enum red_status red_export_check_otava(const struct red_export *export, const char *history,
                                       struct red_error *error) {
    struct otava_columns columns = {.n = 0};
    enum red_status status = read_and_check_columns(history, &columns, error);
    if (status == RED_OK && export != NULL)
        status = refuse_unknown_columns(export, &columns, error);
    columns_clear(&columns);
    return status;
}

/* Fails where a column is no cell of this run or has no time in it, since Otava refuses a history whose row
 * has a hole, and where no cell has a time. */
static enum red_status refuse_incomplete_row(const struct red_export *export,
                                             const struct otava_columns *columns, struct red_error *error) {
    enum red_status status = refuse_unknown_columns(export, columns, error);
    for (size_t i = FIXED_N; i < columns->n && status == RED_OK; i++) {
        const struct red_export_cell *cell = find_cell(export, columns->names[i]);
        if (!red_export_cell_has_trusted_time(cell))
            status = red_fail(error, RED_E_INPUT, "no row was added: no time for its column '%s' (%s: %s)",
                              cell->name, red_export_cell_word(cell), red_export_cell_why(cell));
    }
    if (status == RED_OK && red_export_count(export, red_export_cell_has_trusted_time) == 0)
        status = red_fail(error, RED_E_INPUT, "no row was added: no cell has a time");
    return status;
}

/* Whether the name is one of these. */
static bool is_among(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Adds a column for each timed cell that the history does not know. Fails for a cell that is named as another
 * column. */
static enum red_status add_timed_cell_columns(const struct red_export *export, struct otava_columns *columns,
                                              struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < export->cells_n && status == RED_OK; i++) {
        const struct red_export_cell *cell = &export->cells[i];
        if (is_among(cell->name, fixed, NOT_CELLS_N))
            status = red_fail(error, RED_E_INPUT, "a column of cells cannot be named '%s'", cell->name);
        else if (red_export_cell_has_trusted_time(cell) &&
                 !is_among(cell->name, (const char *const *)columns->names, columns->n))
            status = add_column(columns, strdup(cell->name), error);
    }
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Writes a field, in quotes where it needs them. */
static void put_csv_field(FILE *out, const char *text) {
    if (text[strcspn(text, "\",\r\n")] == '\0' && text[0] != ' ' && text[0] != '\0')
        fputs(text, out);
    else
        red_csv_quoted_print(out, "", text);
}

/* The heading, then the rows as they are, with an empty field for each new column. */
static void put_history(FILE *out, const char *history, const struct otava_columns *columns, size_t known_n) {
    const char *at = history ? history : "", *end, *next;
    for (size_t row = 0; row == 0 || *at != '\0'; at = next, row++) {
        (void)count_row_fields(at, &end);
        next = row_after(end);
        fwrite(at, 1, (size_t)(end - at), out);
        for (size_t i = at == end ? 0 : known_n; row == 0 && i < columns->n; i++) {
            fputs(i > 0 ? "," : "", out);
            put_csv_field(out, columns->names[i]);
        }
        for (size_t i = known_n; row > 0 && i < columns->n; i++)
            fputc(',', out);
        fputs(*end == '\r' ? "\r\n" : "\n", out);
    }
}

/* Writes the run's own row. */
static void put_run_row(FILE *out, const struct red_export *export, const struct otava_columns *columns) {
    const char *const texts[FIXED_N] = {export->started, export->version, export->machine};
    for (size_t i = 0; i < columns->n; i++) {
        fputs(i > 0 ? "," : "", out);
        if (i < FIXED_N)
            put_csv_field(out, texts[i]);
        else
            fprintf(out, "%.9g", 1e9 * find_cell(export, columns->names[i])->time_s);
    }
    fputc('\n', out);
}

enum red_status red_export_write_otava(const struct red_export *export, FILE *out, struct red_error *error) {
    struct otava_columns columns = {.n = 0};
    enum red_status status = read_and_check_columns(export->history, &columns, error);
    size_t known_n = columns.n;
    if (status == RED_OK)
        status = refuse_incomplete_row(export, &columns, error);
    if (status == RED_OK)
        status = add_timed_cell_columns(export, &columns, error);
    if (status == RED_OK) {
        put_history(out, export->history, &columns, known_n);
        put_run_row(out, export, &columns);
    }
    columns_clear(&columns);
    return status;
}
