/* The page of `report --format html` and `bench --report`: one file that needs nothing else, no script, no
 * network. */
#include <stdlib.h>

#include "report/private.h"

extern const char red_report_style[]; /* style.css, embedded when the program is built */

/* The page stays below 2 MB, head and contents included. The last chapters are always in it; to leave room
 * for figures, no more drawings are added above DRAWINGS_BYTES_MAX. */
enum {
    PAGE_BYTES_MAX = 1900000,
    OPTIONAL_BYTES_MAX = 1700000,
    DRAWINGS_BYTES_MAX = 1300000,
    ENTRIES_MAX = 512,
    COLUMNS_PER_BLOCK = 12
};

struct entry {
    char id[96], title[160];
};

struct html {
    xmlBuffer *body, *chapter;
    xmlTextWriter *writer; /* into the chapter */
    struct entry entries[ENTRIES_MAX];
    size_t entries_n;
    struct entry open; /* the chapter that is being written */
};

static bool is_writing(const struct red_page *page) {
    const struct html *html = page->own;
    return page->status == RED_OK && html->writer != NULL;
}

static void no_memory(struct red_page *page) {
    red_page_fail(page, red_fail(page->error, RED_E_MEMORY, "no memory for the page"));
}

/* ---- elements ------------------------------------------------------------------------------------------ */

static void begin(xmlTextWriter *writer, const char *element, const char *class) {
    xmlTextWriterStartElement(writer, BAD_CAST element);
    if (class != NULL)
        xmlTextWriterWriteAttribute(writer, BAD_CAST "class", BAD_CAST class);
}

/* Writes an end tag even if the element is empty: HTML has no "<td/>". */
static void end(xmlTextWriter *writer) {
    xmlTextWriterFullEndElement(writer);
}

static void attribute(xmlTextWriter *writer, const char *name, const char *value) {
    xmlTextWriterWriteAttribute(writer, BAD_CAST name, BAD_CAST value);
}

static void element(xmlTextWriter *writer, const char *name, const char *class, const char *text) {
    begin(writer, name, class);
    xmlTextWriterWriteString(writer, BAD_CAST text);
    end(writer);
}

static void titled(xmlTextWriter *writer, const char *name, const char *id, const char *title) {
    begin(writer, name, NULL);
    attribute(writer, "id", id);
    xmlTextWriterWriteString(writer, BAD_CAST title);
    end(writer);
}

/* Begins a part that scrolls by itself, also by keyboard, as it may be wider than the screen. */
static void region_begin(xmlTextWriter *writer, const char *class, const char *label) {
    begin(writer, "div", class);
    attribute(writer, "role", "region");
    attribute(writer, "tabindex", "0");
    attribute(writer, "aria-label", label);
}

/* ---- chapters ------------------------------------------------------------------------------------------ */

static void html_chapter(struct red_page *page, const char *id, const char *title) {
    struct html *html = page->own;
    if (page->status != RED_OK)
        return;
    html->chapter = xmlBufferCreate();
    html->writer = html->chapter ? xmlNewTextWriterMemory(html->chapter, 0) : NULL;
    if (html->writer == NULL) {
        no_memory(page);
        return;
    }
    snprintf(html->open.id, sizeof html->open.id, "%s", id);
    snprintf(html->open.title, sizeof html->open.title, "%s", title);
    begin(html->writer, "section", NULL);
    attribute(html->writer, "aria-labelledby", id);
    titled(html->writer, "h2", id, title);
}

static void html_chapter_end(struct red_page *page) {
    struct html *html = page->own;
    if (html->writer == NULL)
        return;
    end(html->writer);
    xmlTextWriterFlush(html->writer);
    xmlFreeTextWriter(html->writer);
    html->writer = NULL;
    int length = xmlBufferLength(html->chapter);
    int most = page->may_leave_out ? OPTIONAL_BYTES_MAX : PAGE_BYTES_MAX;
    bool fits = xmlBufferLength(html->body) + length <= most && html->entries_n < ENTRIES_MAX;
    if (fits && xmlBufferAdd(html->body, xmlBufferContent(html->chapter), length) != 0)
        no_memory(page);
    if (fits)
        html->entries[html->entries_n++] = html->open;
    page->left_out_n += !fits;
    xmlBufferFree(html->chapter);
    html->chapter = NULL;
}

/* ---- parts --------------------------------------------------------------------------------------------- */

static void html_heading(struct red_page *page, const char *id, const char *title) {
    struct html *html = page->own;
    if (is_writing(page))
        titled(html->writer, "h3", id, title);
}

static void html_text(struct red_page *page, const char *text) {
    struct html *html = page->own;
    if (is_writing(page))
        element(html->writer, "p", NULL, text);
}

static void html_code(struct red_page *page, const char *text) {
    struct html *html = page->own;
    if (!is_writing(page))
        return;
    region_begin(html->writer, "code", "Commands");
    begin(html->writer, "pre", NULL);
    element(html->writer, "code", NULL, text);
    end(html->writer);
    end(html->writer);
}

static void put_row(xmlTextWriter *writer, const struct red_table *table, size_t row, size_t first,
                    size_t last) {
    begin(writer, "tr", NULL);
    begin(writer, "th", NULL);
    attribute(writer, "scope", "row");
    xmlTextWriterWriteString(writer, BAD_CAST red_table_value(table, row, 0));
    end(writer);
    for (size_t c = first; c < last; c++)
        element(writer, "td", red_table_column(table, c)->right ? "n" : NULL, red_table_value(table, row, c));
    end(writer);
}

/* Writes the first column and as many others as a sheet of paper takes. */
static void put_block(xmlTextWriter *writer, const struct red_table *table, const char *caption, size_t first,
                      size_t last, bool is_seen) {
    begin(writer, "table", NULL);
    element(writer, "caption", is_seen ? NULL : "unseen", caption);
    begin(writer, "thead", NULL);
    begin(writer, "tr", NULL);
    for (size_t c = 0; c < last; c++) {
        if (c > 0 && c < first)
            continue;
        begin(writer, "th", red_table_column(table, c)->right ? "n" : NULL);
        attribute(writer, "scope", "col");
        xmlTextWriterWriteString(writer, BAD_CAST red_table_column(table, c)->name);
        end(writer);
    }
    end(writer);
    end(writer);
    begin(writer, "tbody", NULL);
    for (size_t r = 0; r < red_table_rows_n(table); r++)
        put_row(writer, table, r, first, last);
    end(writer);
    end(writer);
}

/* Below a chart the caption is the chart's, and not seen twice. */
static void put_table(xmlTextWriter *writer, const char *caption, const struct red_table *table,
                      bool is_seen) {
    size_t columns_n = red_table_columns_n(table), first = 1;
    do {
        size_t last = first + COLUMNS_PER_BLOCK < columns_n ? first + COLUMNS_PER_BLOCK : columns_n;
        region_begin(writer, "table", caption);
        put_block(writer, table, caption, first, last, is_seen);
        end(writer);
        first = last;
    } while (first < columns_n);
}

static void html_table(struct red_page *page, const char *caption, const struct red_table *table) {
    struct html *html = page->own;
    if (is_writing(page) && red_table_rows_n(table) > 0)
        put_table(html->writer, caption, table, true);
}

static void html_side_by_side(struct red_page *page, bool begins) {
    struct html *html = page->own;
    if (!is_writing(page))
        return;
    if (begins)
        begin(html->writer, "div", "side");
    else
        end(html->writer);
}

static void html_chart(struct red_page *page, const struct red_chart *chart) {
    struct html *html = page->own;
    if (!is_writing(page))
        return;
    xmlBuffer *drawing = red_svg_draw(chart, false);
    if (drawing == NULL) {
        no_memory(page);
        return;
    }
    /* The figures are worth more than the drawing of them. */
    const int length =
        xmlBufferLength(html->body) + xmlBufferLength(html->chapter) + xmlBufferLength(drawing);
    begin(html->writer, "figure", NULL);
    element(html->writer, "figcaption", NULL, chart->title);
    if (length <= DRAWINGS_BYTES_MAX) {
        region_begin(html->writer, "picture", chart->title);
        xmlTextWriterWriteRawLen(html->writer, xmlBufferContent(drawing), xmlBufferLength(drawing));
        end(html->writer);
    } else {
        element(html->writer, "p", "note",
                "The picture is left out, since the page would become too long: choose fewer operations and "
                "types.");
    }
    element(html->writer, "p", "note", chart->description);
    if (chart->table != NULL && red_table_rows_n(chart->table) > 0)
        put_table(html->writer, chart->title, chart->table, false);
    end(html->writer);
    xmlTextWriterFlush(html->writer);
    xmlBufferFree(drawing);
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static void put_meta(xmlTextWriter *writer, const char *name, const char *content) {
    xmlTextWriterStartElement(writer, BAD_CAST "meta");
    attribute(writer, "name", name);
    attribute(writer, "content", content);
    xmlTextWriterEndElement(writer);
}

static void put_head(xmlTextWriter *writer, const char *title) {
    begin(writer, "head", NULL);
    xmlTextWriterStartElement(writer, BAD_CAST "meta");
    attribute(writer, "charset", "utf-8");
    xmlTextWriterEndElement(writer);
    put_meta(writer, "viewport", "width=device-width, initial-scale=1");
    put_meta(writer, "color-scheme", "light dark");
    put_meta(writer, "generator", "clreduce " CLREDUCE_VERSION);
    element(writer, "title", NULL, title);
    xmlTextWriterStartElement(writer, BAD_CAST "link"); /* or the browser asks for /favicon.ico */
    attribute(writer, "rel", "icon");
    attribute(writer, "href", "data:,");
    xmlTextWriterEndElement(writer);
    begin(writer, "style", NULL);
    red_svg_theme(writer, ":root");
    xmlTextWriterWriteRaw(writer, BAD_CAST red_report_style);
    end(writer);
    end(writer);
}

static void put_contents(xmlTextWriter *writer, const struct html *html) {
    begin(writer, "nav", NULL);
    attribute(writer, "aria-label", "Contents");
    begin(writer, "ul", NULL);
    for (size_t i = 0; i < html->entries_n; i++) {
        char link[100];
        snprintf(link, sizeof link, "#%s", html->entries[i].id);
        begin(writer, "li", NULL);
        begin(writer, "a", NULL);
        attribute(writer, "href", link);
        xmlTextWriterWriteString(writer, BAD_CAST html->entries[i].title);
        end(writer);
        end(writer);
    }
    end(writer);
    end(writer);
}

static void put_page(xmlTextWriter *writer, const struct red_page *page, const struct html *html) {
    xmlTextWriterWriteRaw(writer, BAD_CAST "<!DOCTYPE html>\n");
    begin(writer, "html", NULL);
    attribute(writer, "lang", "en");
    put_head(writer, page->title);
    begin(writer, "body", NULL);
    begin(writer, "header", NULL);
    element(writer, "h1", NULL, page->title);
    put_contents(writer, html);
    end(writer);
    begin(writer, "main", NULL);
    xmlTextWriterWriteRawLen(writer, xmlBufferContent(html->body), xmlBufferLength(html->body));
    end(writer);
    element(writer, "footer", NULL, "Made by clreduce " CLREDUCE_VERSION);
    end(writer);
    end(writer);
}

static enum red_status html_create(struct red_page *page, struct red_error *error) {
    struct html *html = calloc(1, sizeof *html);
    page->own = html;
    if (html != NULL)
        html->body = xmlBufferCreate();
    return html != NULL && html->body != NULL ? RED_OK
                                              : red_fail(error, RED_E_MEMORY, "no memory for the page");
}

static enum red_status html_finish(struct red_page *page, FILE *out, struct red_error *error) {
    struct html *html = page->own;
    enum red_status status = page->status;
    xmlBuffer *whole = status == RED_OK ? xmlBufferCreate() : NULL;
    xmlTextWriter *writer = whole ? xmlNewTextWriterMemory(whole, 0) : NULL;
    if (writer != NULL) {
        put_page(writer, page, html);
        xmlTextWriterFlush(writer);
        fwrite(xmlBufferContent(whole), 1, (size_t)xmlBufferLength(whole), out);
        fputc('\n', out);
    } else if (status == RED_OK) {
        status = red_fail(error, RED_E_MEMORY, "no memory for the page");
    }
    if (writer != NULL)
        xmlFreeTextWriter(writer);
    xmlBufferFree(whole);
    if (html != NULL && html->body != NULL)
        xmlBufferFree(html->body);
    free(html);
    page->own = NULL;
    return status;
}

const struct red_page_format red_page_html = {.name = "html",
                                              .create = html_create,
                                              .chapter = html_chapter,
                                              .chapter_end = html_chapter_end,
                                              .heading = html_heading,
                                              .text = html_text,
                                              .code = html_code,
                                              .table = html_table,
                                              .side_by_side = html_side_by_side,
                                              .chart = html_chart,
                                              .finish = html_finish};
