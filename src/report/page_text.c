/* The pages of `report --format md`, for a pull request, and --format term, for a log, where letters stand
 * for points. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "report/private.h"

struct stream {
    char *text;
    size_t n;
    FILE *out;
};

struct text {
    struct stream all, chapter; /* the one that is being written */
    size_t bytes_max;           /* 0: as long as it gets */
};

static FILE *out_of(const struct red_page *page) {
    const struct text *text = page->own;
    return text->chapter.out ? text->chapter.out : text->all.out;
}

static bool stream_open(struct stream *stream) {
    stream->out = red_memstream_open(&stream->text, &stream->n);
    return stream->out != NULL;
}

/* False without memory for all of it. */
static bool stream_close(struct stream *stream) {
    bool whole = stream->out != NULL && red_memstream_close(stream->out, &stream->text);
    stream->out = NULL;
    return whole;
}

static void stream_clear(struct stream *stream) {
    stream_close(stream);
    free(stream->text);
    *stream = (struct stream){.n = 0};
}

static void no_memory(struct red_page *page) {
    red_page_fail(page, red_fail(page->error, RED_E_MEMORY, "no memory for the page"));
}

static enum red_status text_create(struct red_page *page, struct red_error *error) {
    struct text *text = calloc(1, sizeof *text);
    page->own = text;
    return text != NULL && stream_open(&text->all) ? RED_OK
                                                   : red_fail(error, RED_E_MEMORY, "no memory for the page");
}

static enum red_status text_finish(struct red_page *page, FILE *out, struct red_error *error) {
    struct text *text = page->own;
    enum red_status status = page->status;
    if (text != NULL && !stream_close(&text->all) && status == RED_OK)
        status = red_fail(error, RED_E_MEMORY, "no memory for the page");
    if (status == RED_OK && text != NULL)
        fwrite(text->all.text, 1, text->all.n, out);
    if (text != NULL) {
        stream_clear(&text->chapter);
        stream_clear(&text->all);
    }
    free(text);
    page->own = NULL;
    return status;
}

static void text_chapter_begin(struct red_page *page) {
    struct text *text = page->own;
    if (page->status == RED_OK && !stream_open(&text->chapter))
        no_memory(page);
}

static void text_chapter_end(struct red_page *page) {
    struct text *text = page->own;
    if (text->chapter.out == NULL)
        return;
    bool whole = stream_close(&text->chapter);
    fflush(text->all.out);
    bool fits =
        text->bytes_max == 0 || !page->may_leave_out || text->all.n + text->chapter.n <= text->bytes_max;
    if (!whole)
        no_memory(page);
    else if (fits)
        fwrite(text->chapter.text, 1, text->chapter.n, text->all.out);
    page->left_out_n += !fits;
    stream_clear(&text->chapter);
}

static void text_side_by_side(struct red_page *page, bool begins) {
    (void)page;
    (void)begins;
}

/* ---- Markdown ------------------------------------------------------------------------------------------ */

/* Puts a backslash before each character that Markdown would read as markup. */
static void put_markdown_text(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_{}[]<>#|~&", *text) != NULL)
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* What GitHub takes as a comment, 65536 characters, less the last chapters. */
enum { COMMENT_BYTES_MAX = 48000, FIGURES_BYTES_MAX = 36000 };

static enum red_status markdown_create(struct red_page *page, struct red_error *error) {
    enum red_status status = text_create(page, error);
    struct text *text = page->own;
    if (text != NULL)
        text->bytes_max = COMMENT_BYTES_MAX;
    return status;
}

static void markdown_chapter(struct red_page *page, const char *id, const char *title) {
    (void)id;
    text_chapter_begin(page);
    fputs("\n## ", out_of(page));
    put_markdown_text(out_of(page), title);
    fputc('\n', out_of(page));
}

static void markdown_heading(struct red_page *page, const char *id, const char *title) {
    (void)id;
    fputs("\n### ", out_of(page));
    put_markdown_text(out_of(page), title);
    fputc('\n', out_of(page));
}

static void markdown_text(struct red_page *page, const char *text) {
    fputc('\n', out_of(page));
    put_markdown_text(out_of(page), text);
    fputc('\n', out_of(page));
}

static void markdown_code(struct red_page *page, const char *text) {
    fprintf(out_of(page), "\n```sh\n%s\n```\n", text);
}

static void markdown_table(struct red_page *page, const char *caption, const struct red_table *table) {
    FILE *out = out_of(page);
    if (red_table_rows_n(table) == 0)
        return;
    fputs("\n**", out);
    put_markdown_text(out, caption);
    fputs("**\n\n|", out);
    for (size_t c = 0; c < red_table_columns_n(table); c++) {
        put_markdown_text(out, red_table_column(table, c)->name);
        fputc('|', out);
    }
    fputs("\n|", out);
    for (size_t c = 0; c < red_table_columns_n(table); c++)
        fputs(red_table_column(table, c)->right ? "---:|" : "---|", out);
    for (size_t r = 0; r < red_table_rows_n(table); r++) {
        fputs("\n|", out);
        for (size_t c = 0; c < red_table_columns_n(table); c++) {
            put_markdown_text(out, red_table_value(table, r, c));
            fputc('|', out);
        }
    }
    fputc('\n', out);
}

/* Writes the table of a chart's figures instead of a drawing, which a pull request cannot show, as long as
 * there is room. */
static void markdown_chart(struct red_page *page, const struct red_chart *chart) {
    struct text *text = page->own;
    fflush(out_of(page));
    fflush(text->all.out);
    if (text->all.n + text->chapter.n > FIGURES_BYTES_MAX)
        markdown_text(
            page, "Figures are left out here, since a comment has no room for them; see the page as HTML.");
    else if (chart->table != NULL)
        markdown_table(page, chart->title, chart->table);
}

static enum red_status markdown_finish(struct red_page *page, FILE *out, struct red_error *error) {
    if (page->status == RED_OK) {
        fputs("# ", out);
        put_markdown_text(out, page->title);
        fputc('\n', out);
    }
    return text_finish(page, out, error);
}

const struct red_page_format red_page_markdown = {.name = "md",
                                                  .create = markdown_create,
                                                  .chapter = markdown_chapter,
                                                  .chapter_end = text_chapter_end,
                                                  .heading = markdown_heading,
                                                  .text = markdown_text,
                                                  .code = markdown_code,
                                                  .table = markdown_table,
                                                  .side_by_side = text_side_by_side,
                                                  .chart = markdown_chart,
                                                  .finish = markdown_finish};

/* ---- the screen ---------------------------------------------------------------------------------------- */

static void put_underlined(FILE *out, const char *title, char rule) {
    fprintf(out, "\n%s\n", title);
    for (size_t i = red_text_width(title); i > 0; i--)
        fputc(rule, out);
    fputc('\n', out);
}

static void screen_chapter(struct red_page *page, const char *id, const char *title) {
    (void)id;
    text_chapter_begin(page);
    put_underlined(out_of(page), title, '=');
}

static void screen_heading(struct red_page *page, const char *id, const char *title) {
    (void)id;
    put_underlined(out_of(page), title, '-');
}

static void screen_text(struct red_page *page, const char *text) {
    fputc('\n', out_of(page));
    red_wrapped_print(out_of(page), "", text);
}

static void screen_code(struct red_page *page, const char *text) {
    fprintf(out_of(page), "\n%s\n", text);
}

static void screen_table(struct red_page *page, const char *caption, const struct red_table *table) {
    if (red_table_rows_n(table) == 0)
        return;
    fprintf(out_of(page), "\n%s\n", caption);
    red_table_print(table, out_of(page));
}

enum { PLOT_COLUMNS = 49, PLOT_ROWS = 20, PLOT_LABEL = 8 };

/* The cell of a plot with this share of its cells below it, or left of it. */
static size_t cell_at(double share, size_t cells_n) {
    return (size_t)(share * (double)(cells_n - 1) + 0.5);
}

/* Puts a letter for each series where it has a point; where several have one, the last letter is seen. */
static void fill_plot(char plot[PLOT_ROWS][PLOT_COLUMNS + 1], const struct red_chart *chart,
                      const struct red_scale *x, const struct red_scale *y) {
    for (size_t r = 0; r < PLOT_ROWS; r++)
        snprintf(plot[r], sizeof plot[r], "%*s", PLOT_COLUMNS, "");
    if (chart->mark > 0) /* its name stands in the text */
        memset(plot[cell_at(red_scale_share(y, chart->mark), PLOT_ROWS)], '.', PLOT_COLUMNS);
    for (size_t l = 0; l < chart->series_n; l++)
        for (size_t p = 0; p < chart->series[l].points_n; p++)
            plot[cell_at(red_scale_share(y, chart->series[l].points[p].y), PLOT_ROWS)]
                [cell_at(red_scale_share(x, chart->series[l].points[p].x), PLOT_COLUMNS)] = (char)('A' + l);
}

/* "A tree": the part of the key that stands beside the row. */
static void put_key(FILE *out, const struct red_chart *chart, size_t at) {
    if (at >= chart->series_n || chart->series[at].points_n == 0)
        return;
    const char *name = chart->series[at].name;
    fprintf(out, "  %c ", (char)('A' + at));
    red_plain_print(out, name, red_text_bytes(name, RED_SCREEN_WIDTH - PLOT_COLUMNS - PLOT_LABEL - 8));
}

static void put_size_labels(FILE *out, const struct red_scale *x) {
    size_t used = 0;
    for (size_t i = 0; i < x->ticks.n; i++) {
        const size_t width = strlen(x->ticks.labels[i]),
                     at = PLOT_LABEL + 2 + cell_at(red_scale_share(x, x->ticks.values[i]), PLOT_COLUMNS);
        if (at < used + width / 2)
            continue;
        fprintf(out, "%*s%s", (int)(at - width / 2 - used), "", x->ticks.labels[i]);
        used = at - width / 2 + width;
    }
    fputc('\n', out);
}

static void screen_plot(FILE *out, const struct red_chart *chart) {
    struct red_scale x, y;
    char plot[PLOT_ROWS][PLOT_COLUMNS + 1];
    red_chart_scales(chart, &x, &y);
    fill_plot(plot, chart, &x, &y);
    fprintf(out, "\n%s\n%s\n", chart->title, chart->y_label);
    for (size_t row = PLOT_ROWS; row-- > 0;) {
        const char *label = "";
        for (size_t i = 0; i < y.ticks.n; i++)
            if (cell_at(red_scale_share(&y, y.ticks.values[i]), PLOT_ROWS) == row)
                label = y.ticks.labels[i];
        fprintf(out, "%*s |%s|", PLOT_LABEL, label, plot[row]);
        put_key(out, chart, PLOT_ROWS - 1 - row);
        fputc('\n', out);
    }
    put_size_labels(out, &x);
    fprintf(out, "%*s\n", PLOT_LABEL + PLOT_COLUMNS, chart->x_label);
}

static void screen_chart(struct red_page *page, const struct red_chart *chart) {
    if (chart->kind == RED_CHART_LINES)
        screen_plot(out_of(page), chart);
    if (chart->table != NULL)
        screen_table(page, chart->title, chart->table);
}

static enum red_status screen_finish(struct red_page *page, FILE *out, struct red_error *error) {
    if (page->status == RED_OK)
        fprintf(out, "%s\n", page->title);
    return text_finish(page, out, error);
}

const struct red_page_format red_page_screen = {.name = "term",
                                                .create = text_create,
                                                .chapter = screen_chapter,
                                                .chapter_end = text_chapter_end,
                                                .heading = screen_heading,
                                                .text = screen_text,
                                                .code = screen_code,
                                                .table = screen_table,
                                                .side_by_side = text_side_by_side,
                                                .chart = screen_chart,
                                                .finish = screen_finish};
