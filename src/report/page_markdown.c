/* The page of `report --format md`, for a pull request or a log: its figures stand in tables. */
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
};

/* What GitHub takes as a comment, 65536 characters, less the last chapters. */
enum { COMMENT_BYTES_MAX = 48000, FIGURES_BYTES_MAX = 36000 };

/* Where the page is written: to the chapter that is open, or behind all. */
static FILE *stream_of(const struct red_page *page) {
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

static void fail_without_memory(struct red_page *page) {
    red_page_fail(page, red_fail(page->error, RED_E_MEMORY, "no memory for the page"));
}

static enum red_status markdown_create(struct red_page *page, struct red_error *error) {
    struct text *text = calloc(1, sizeof *text);
    page->own = text;
    return text != NULL && stream_open(&text->all) ? RED_OK
                                                   : red_fail(error, RED_E_MEMORY, "no memory for the page");
}

/* Writes the page to `out` unless it has failed; frees the format's own data. */
static enum red_status write_and_free(struct red_page *page, FILE *out, struct red_error *error) {
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

static void open_chapter_stream(struct red_page *page) {
    struct text *text = page->own;
    if (page->status == RED_OK && !stream_open(&text->chapter))
        fail_without_memory(page);
}

static void markdown_chapter_end(struct red_page *page) {
    struct text *text = page->own;
    if (text->chapter.out == NULL)
        return;
    bool whole = stream_close(&text->chapter);
    fflush(text->all.out);
    bool fits = !page->may_leave_out || text->all.n + text->chapter.n <= COMMENT_BYTES_MAX;
    if (!whole)
        fail_without_memory(page);
    else if (fits)
        fwrite(text->chapter.text, 1, text->chapter.n, text->all.out);
    page->left_out_n += !fits;
    stream_clear(&text->chapter);
}

/* Does nothing: Markdown has no columns. */
static void markdown_side_by_side(struct red_page *page, bool begins) {
    (void)page;
    (void)begins;
}

/* Puts a backslash before each character that Markdown would read as markup. */
static void put_markdown_text(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_{}[]<>#|~&", *text) != NULL)
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void markdown_chapter_begin(struct red_page *page, const char *id, const char *title) {
    (void)id;
    open_chapter_stream(page);
    fputs("\n## ", stream_of(page));
    put_markdown_text(stream_of(page), title);
    fputc('\n', stream_of(page));
}

static void markdown_heading(struct red_page *page, const char *id, const char *title) {
    (void)id;
    fputs("\n### ", stream_of(page));
    put_markdown_text(stream_of(page), title);
    fputc('\n', stream_of(page));
}

static void markdown_text(struct red_page *page, const char *text) {
    fputc('\n', stream_of(page));
    put_markdown_text(stream_of(page), text);
    fputc('\n', stream_of(page));
}

static void markdown_code(struct red_page *page, const char *text) {
    fprintf(stream_of(page), "\n```sh\n%s\n```\n", text);
}

static void markdown_table(struct red_page *page, const char *caption, const struct red_table *table) {
    FILE *out = stream_of(page);
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

/* Writes the table of a chart's figures instead of a drawing, which a pull request cannot show, if there is
 * room. */
static void markdown_chart(struct red_page *page, const struct red_chart *chart) {
    struct text *text = page->own;
    fflush(stream_of(page));
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
    return write_and_free(page, out, error);
}

const struct red_page_format red_page_markdown = {.name = "md",
                                                  .create = markdown_create,
                                                  .chapter = markdown_chapter_begin,
                                                  .chapter_end = markdown_chapter_end,
                                                  .heading = markdown_heading,
                                                  .text = markdown_text,
                                                  .code = markdown_code,
                                                  .table = markdown_table,
                                                  .side_by_side = markdown_side_by_side,
                                                  .chart = markdown_chart,
                                                  .finish = markdown_finish};
