/* Writes the page of a report: chapters with headings, texts, tables and charts, as HTML (`report --format
 * html` and `bench --report`: one file that needs nothing else, no script, no network) or as Markdown
 * (--format md, for a pull request or a log: figures stand in tables). red_report_write makes the page, of
 * the files named to `report`; it is written to --output. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "report/report_private.h"

extern const char red_report_style[]; /* style.css, embedded when the program is built */

/* A line of a table has so many characters beside a picture and on paper, the space between columns
 * included. */
enum { BESIDE_CHARACTERS = 82, PAPER_CHARACTERS = 160 };

/* ---- chapters --------------------------------------------------------------------------------------------
 * red_report_write makes the page; report.c and method.c write each chapter between begin and end. */

enum red_status red_page_allocate_buffers(struct red_page *page) {
    page->body = xmlBufferCreate();
    page->chapter = xmlBufferCreate();
    page->out = page->chapter ? xmlNewTextWriterMemory(page->chapter, 0) : NULL;
    return page->body != NULL && page->out != NULL
               ? RED_OK
               : red_fail(page->error, RED_E_MEMORY, "no memory for the page");
}

void red_page_begin_chapter(struct red_page *page, const char *id, const char *title) {
    struct red_page_entry *entry = &page->entries[page->entries_n];
    snprintf(entry->id, sizeof entry->id, "%s", id);
    snprintf(entry->title, sizeof entry->title, "%s", title);
    page->format->begin_chapter(page, id, title);
}

void red_page_end_chapter(struct red_page *page) {
    const struct red_page_format *format = page->format;
    format->end(page);
    xmlTextWriterFlush(page->out);
    const int most = page->may_leave_out ? format->optional_bytes_max : format->page_bytes_max;
    const bool fits = xmlBufferLength(page->body) + xmlBufferLength(page->chapter) <= most &&
                      page->entries_n < RED_PAGE_CHAPTERS_MAX;
    if (fits &&
        xmlBufferAdd(page->body, xmlBufferContent(page->chapter), xmlBufferLength(page->chapter)) != 0)
        red_memory_note_failure();
    page->entries_n += fits;
    page->left_out_n += !fits;
    xmlBufferEmpty(page->chapter);
}

void red_page_put_and_destroy_table(struct red_page *page, const char *caption, struct red_table *table) {
    if (red_table_rows_n(table) > 0)
        page->format->table(page, caption, table);
    red_table_destroy(table);
}

enum red_status red_page_write_and_clear(struct red_page *page, FILE *out) {
    if (page->status == RED_OK)
        page->status = red_memory_check(page->error);
    if (page->status == RED_OK) {
        page->format->whole(page);
        xmlTextWriterFlush(page->out);
        fwrite(xmlBufferContent(page->chapter), 1, (size_t)xmlBufferLength(page->chapter), out);
    }
    xmlFreeTextWriter(page->out);
    xmlBufferFree(page->chapter);
    xmlBufferFree(page->body);
    return page->status;
}

enum red_status red_page_write_chapters(const char *title, const struct red_page_chapter *chapters,
                                        size_t chapters_n, const struct red_page_format *format, FILE *out,
                                        struct red_error *error) {
    struct red_page page = {.format = format, .error = error};
    snprintf(page.title, sizeof page.title, "%s", title);
    page.status = red_page_allocate_buffers(&page);
    for (size_t i = 0; i < chapters_n && page.status == RED_OK; i++) {
        char id[32];
        snprintf(id, sizeof id, "chapter-%zu", i + 1);
        red_page_begin_chapter(&page, id, chapters[i].title);
        format->text(&page, chapters[i].text);
        format->table(&page, chapters[i].title, chapters[i].table);
        red_page_end_chapter(&page);
    }
    return red_page_write_and_clear(&page, out);
}

/* Writes markup as it is. */
static void put_raw(struct red_page *page, const char *text) {
    xmlTextWriterWriteRaw(page->out, BAD_CAST text);
}

/* Writes the chapters where they belong in the whole page. */
static void put_chapters(struct red_page *page) {
    xmlTextWriterWriteRawLen(page->out, xmlBufferContent(page->body), xmlBufferLength(page->body));
}

/* ---- HTML: elements ------------------------------------------------------------------------------------ */

static void begin_element(xmlTextWriter *writer, const char *element, const char *class) {
    xmlTextWriterStartElement(writer, BAD_CAST element);
    if (class != NULL)
        xmlTextWriterWriteAttribute(writer, BAD_CAST "class", BAD_CAST class);
}

/* Writes an end tag even if the element is empty: HTML has no "<td/>". */
static void end_element(xmlTextWriter *writer) {
    xmlTextWriterFullEndElement(writer);
}

static void put_attribute(xmlTextWriter *writer, const char *name, const char *value) {
    xmlTextWriterWriteAttribute(writer, BAD_CAST name, BAD_CAST value);
}

static void put_element(xmlTextWriter *writer, const char *element, const char *class, const char *text) {
    begin_element(writer, element, class);
    xmlTextWriterWriteString(writer, BAD_CAST text);
    end_element(writer);
}

/* Writes an element with an attribute: a heading, to whose id links of the page lead, or the cell of a table
 * that heads a column or a row. */
static void put_head(xmlTextWriter *writer, const char *element, const char *class, const char *attribute,
                     const char *value, const char *text) {
    begin_element(writer, element, class);
    put_attribute(writer, attribute, value);
    xmlTextWriterWriteString(writer, BAD_CAST text);
    end_element(writer);
}

/* Begins a part that scrolls by itself, also by keyboard, as it may be wider than the screen. */
static void begin_region(xmlTextWriter *writer, const char *class, const char *label) {
    begin_element(writer, "div", class);
    put_attribute(writer, "role", "region");
    put_attribute(writer, "tabindex", "0");
    put_attribute(writer, "aria-label", label);
}

/* ---- HTML: parts -----------------------------------------------------------------------------------------
 * Called through red_page_html by report.c and method.c, which write the chapters. */

static void html_begin_chapter(struct red_page *page, const char *id, const char *title) {
    begin_element(page->out, "section", NULL);
    put_attribute(page->out, "aria-labelledby", id);
    put_head(page->out, "h2", NULL, "id", id, title);
}

static void html_begin_side_by_side(struct red_page *page) {
    begin_element(page->out, "div", "side");
}

static void html_begin_block(struct red_page *page) {
    begin_element(page->out, "div", NULL);
}

static void html_end(struct red_page *page) {
    end_element(page->out);
}

static void html_heading(struct red_page *page, const char *id, const char *title) {
    put_head(page->out, "h3", NULL, "id", id, title);
}

static void html_text(struct red_page *page, const char *text) {
    put_element(page->out, "p", NULL, text);
}

static void html_list(struct red_page *page, const char *const *texts, size_t n) {
    if (n == 0)
        return;
    begin_element(page->out, "ul", NULL);
    for (size_t i = 0; i < n; i++)
        put_element(page->out, "li", NULL, texts[i]);
    end_element(page->out);
}

static void html_code(struct red_page *page, const char *text) {
    begin_region(page->out, "code", "Commands");
    begin_element(page->out, "pre", NULL);
    put_element(page->out, "code", NULL, text);
    end_element(page->out);
    end_element(page->out);
}

/* Writes a row of a block: its first column, and those from first to before end. */
static void put_row(xmlTextWriter *writer, const struct red_table *table, size_t row, size_t first,
                    size_t end) {
    begin_element(writer, "tr", NULL);
    put_head(writer, "th", NULL, "scope", "row", red_table_value(table, row, 0));
    for (size_t c = first; c < end; c++)
        put_element(writer, "td", red_table_column(table, c)->right ? "n" : NULL,
                    red_table_value(table, row, c));
    end_element(writer);
}

/* Writes a table of the first column and those from first to before end. */
static void put_table_block(xmlTextWriter *writer, const struct red_table *table, const char *caption,
                            size_t first, size_t end, bool is_caption_seen) {
    begin_region(writer, "table", caption);
    begin_element(writer, "table", NULL);
    put_element(writer, "caption", is_caption_seen ? NULL : "unseen", caption);
    begin_element(writer, "thead", NULL);
    begin_element(writer, "tr", NULL);
    for (size_t c = 0; c < end; c++) {
        const struct red_column *column = red_table_column(table, c);
        if (c == 0 || c >= first)
            put_head(writer, "th", column->right ? "n" : NULL, "scope", "col", column->name);
    }
    end_element(writer);
    end_element(writer);
    begin_element(writer, "tbody", NULL);
    for (size_t r = 0; r < red_table_rows_n(table); r++)
        put_row(writer, table, r, first, end);
    end_element(writer);
    end_element(writer);
    end_element(writer);
}

/* The most characters that a column needs: of numbers whole values, of texts their longest word. */
static size_t column_width(const struct red_table *table, size_t column) {
    size_t most = 4; /* headings are wrapped, too */
    for (size_t r = 0; r < red_table_rows_n(table); r++) {
        const char *text = red_table_value(table, r, column);
        const bool is_number = red_table_column(table, column)->right;
        for (size_t n = 0; *text != '\0'; text += n + (text[n] == ' ')) {
            n = is_number ? strlen(text) : strcspn(text, " ");
            most = n > most ? n : most;
        }
    }
    return most;
}

/* The index behind the last column of the block that begins at `first`: at least one, as many as fit. */
static size_t block_end(const struct red_table *table, size_t first, size_t characters) {
    const size_t columns_n = red_table_columns_n(table);
    size_t end = first, used = column_width(table, 0);
    while (end < columns_n && (end == first || used + 2 + column_width(table, end) <= characters))
        used += 2 + column_width(table, end++);
    return end;
}

/* Writes a table in blocks of as many columns as fit beside a picture. Below a chart the caption is the
 * chart's, and not seen twice. */
static void put_table(xmlTextWriter *writer, const char *caption, const struct red_table *table,
                      bool is_caption_seen) {
    const size_t columns_n = red_table_columns_n(table);
    size_t first = 1, end;
    do {
        end = block_end(table, first, is_caption_seen ? PAPER_CHARACTERS : BESIDE_CHARACTERS);
        put_table_block(writer, table, caption, first, end, is_caption_seen);
        first = end;
    } while (first < columns_n);
}

static void html_table(struct red_page *page, const char *caption, const struct red_table *table) {
    put_table(page->out, caption, table, true);
}

/* Writes a chart as a figure: the drawing, which has the title, with its description, and beside or below
 * them the table. */
static void html_chart(struct red_page *page, const struct red_chart *chart) {
    xmlTextWriter *out = page->out;
    xmlBuffer *drawing = red_svg_draw(chart, 1, false);
    if (drawing == NULL)
        return;
    /* The figures are worth more than the drawing of them. */
    const int length =
        xmlBufferLength(page->body) + xmlBufferLength(page->chapter) + xmlBufferLength(drawing);
    begin_element(out, "figure", NULL);
    begin_element(out, "div", "picture");
    if (length <= page->format->figures_bytes_max) {
        xmlTextWriterWriteRawLen(out, xmlBufferContent(drawing), xmlBufferLength(drawing));
    } else {
        put_element(out, "h4", NULL, chart->title);
        put_element(out, "p", "note",
                    "The picture is left out, since the page would become too long: choose fewer operations "
                    "and types.");
    }
    put_element(out, "p", "note", chart->description);
    end_element(out);
    if (red_table_rows_n(chart->table) > 0) {
        begin_element(out, "div", NULL);
        put_table(out, chart->title, chart->table, false);
        end_element(out);
    }
    end_element(out);
    xmlTextWriterFlush(out);
    xmlBufferFree(drawing);
}

/* ---- HTML: the page ------------------------------------------------------------------------------------ */

static void html_whole(struct red_page *page) {
    put_raw(page, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
                  "<meta name=\"color-scheme\" content=\"light dark\"/>"
                  "<meta name=\"generator\" content=\"clreduce " CLREDUCE_VERSION "\"/>");
    put_element(page->out, "title", NULL, page->title);
    /* An icon, or the browser asks for /favicon.ico. */
    put_raw(page, "<link rel=\"icon\" href=\"data:,\"/><style>");
    red_svg_write_themes(page->out);
    put_raw(page, red_report_style);
    put_raw(page, "</style></head><body><header>");
    put_element(page->out, "h1", NULL, page->title);
    put_raw(page, "<nav aria-label=\"Contents\"><ul>");
    for (size_t i = 0; i < page->entries_n; i++) {
        begin_element(page->out, "li", NULL);
        begin_element(page->out, "a", NULL);
        xmlTextWriterWriteFormatAttribute(page->out, BAD_CAST "href", "#%s", page->entries[i].id);
        xmlTextWriterWriteString(page->out, BAD_CAST page->entries[i].title);
        end_element(page->out);
        end_element(page->out);
    }
    put_raw(page, "</ul></nav></header><main>");
    put_chapters(page);
    put_raw(page, "</main>");
    put_element(page->out, "footer", NULL, "Made by clreduce " CLREDUCE_VERSION);
    put_raw(page, "</body></html>\n");
}

/* The page stays below 2 MB, head and contents included. The last chapters are always in it; there are no
 * more drawings once it has figures_bytes_max. */
const struct red_page_format red_page_html = {.page_bytes_max = 1900000,
                                              .optional_bytes_max = 1700000,
                                              .figures_bytes_max = 1300000,
                                              .begin_chapter = html_begin_chapter,
                                              .begin_side_by_side = html_begin_side_by_side,
                                              .begin_block = html_begin_block,
                                              .end = html_end,
                                              .heading = html_heading,
                                              .text = html_text,
                                              .list = html_list,
                                              .code = html_code,
                                              .table = html_table,
                                              .chart = html_chart,
                                              .whole = html_whole};

/* ---- Markdown --------------------------------------------------------------------------------------------
 * Called through red_page_markdown, like the parts of HTML. */

/* Writes a text between two marks, with a backslash before what Markdown would read as markup. */
static void put_markdown(struct red_page *page, const char *before, const char *text, const char *behind) {
    put_raw(page, before);
    while (*text != '\0') {
        const size_t plain_n = strcspn(text, "\\`*_{}[]<>#|~&");
        xmlTextWriterWriteRawLen(page->out, BAD_CAST text, (int)plain_n);
        text += plain_n;
        if (*text == '\0')
            break;
        put_raw(page, (const char[]){'\\', *text++, '\0'});
    }
    put_raw(page, behind);
}

static void markdown_begin_chapter(struct red_page *page, const char *id, const char *title) {
    (void)id;
    put_markdown(page, "\n## ", title, "\n");
}

static void markdown_heading(struct red_page *page, const char *id, const char *title) {
    (void)id;
    put_markdown(page, "\n### ", title, "\n");
}

/* Markdown has no columns, and chapters end where the next one begins. */
static void markdown_nothing(struct red_page *page) {
    (void)page;
}

static void markdown_text(struct red_page *page, const char *text) {
    put_markdown(page, "\n", text, "\n");
}

static void markdown_list(struct red_page *page, const char *const *texts, size_t n) {
    for (size_t i = 0; i < n; i++)
        put_markdown(page, i == 0 ? "\n* " : "* ", texts[i], "\n");
}

static void markdown_code(struct red_page *page, const char *text) {
    put_raw(page, "\n```sh\n");
    put_raw(page, text);
    put_raw(page, "\n```\n");
}

static void markdown_table(struct red_page *page, const char *caption, const struct red_table *table) {
    const size_t columns_n = red_table_columns_n(table);
    put_markdown(page, "\n**", caption, "**\n\n|");
    for (size_t c = 0; c < columns_n; c++)
        put_markdown(page, "", red_table_column(table, c)->name, "|");
    put_raw(page, "\n|");
    for (size_t c = 0; c < columns_n; c++)
        put_raw(page, red_table_column(table, c)->right ? "---:|" : "---|");
    for (size_t r = 0; r < red_table_rows_n(table); r++)
        for (size_t c = 0; c < columns_n; c++)
            put_markdown(page, c == 0 ? "\n|" : "", red_table_value(table, r, c), "|");
    put_raw(page, "\n");
}

/* Writes the table of a chart's figures instead of a drawing, which a pull request cannot show, if there is
 * room. */
static void markdown_chart(struct red_page *page, const struct red_chart *chart) {
    xmlTextWriterFlush(page->out);
    if (xmlBufferLength(page->body) + xmlBufferLength(page->chapter) > page->format->figures_bytes_max)
        markdown_text(
            page, "Figures are left out here, since a comment has no room for them; see the page as HTML.");
    else if (red_table_rows_n(chart->table) > 0)
        markdown_table(page, chart->title, chart->table);
}

static void markdown_whole(struct red_page *page) {
    put_markdown(page, "# ", page->title, "\n");
    put_chapters(page);
}

/* optional_bytes_max is what GitHub takes as a comment, 65536 characters, less the last chapters. */
const struct red_page_format red_page_markdown = {.page_bytes_max = INT_MAX,
                                                  .optional_bytes_max = 48000,
                                                  .figures_bytes_max = 36000,
                                                  .begin_chapter = markdown_begin_chapter,
                                                  .begin_side_by_side = markdown_nothing,
                                                  .begin_block = markdown_nothing,
                                                  .end = markdown_nothing,
                                                  .heading = markdown_heading,
                                                  .text = markdown_text,
                                                  .list = markdown_list,
                                                  .code = markdown_code,
                                                  .table = markdown_table,
                                                  .chart = markdown_chart,
                                                  .whole = markdown_whole};
