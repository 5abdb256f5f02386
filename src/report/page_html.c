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

static bool can_write(const struct red_page *page) {
    const struct html *html = page->own;
    return page->status == RED_OK && html->writer != NULL;
}

static void fail_without_memory(struct red_page *page) {
    red_page_fail(page, red_fail(page->error, RED_E_MEMORY, "no memory for the page"));
}

/* ---- elements ------------------------------------------------------------------------------------------ */

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

static void put_element(xmlTextWriter *writer, const char *name, const char *class, const char *text) {
    begin_element(writer, name, class);
    xmlTextWriterWriteString(writer, BAD_CAST text);
    end_element(writer);
}

/* Writes a heading h2 or h3 to which links of the page lead. */
static void put_heading(xmlTextWriter *writer, const char *name, const char *id, const char *title) {
    begin_element(writer, name, NULL);
    put_attribute(writer, "id", id);
    xmlTextWriterWriteString(writer, BAD_CAST title);
    end_element(writer);
}

/* Begins a part that scrolls by itself, also by keyboard, as it may be wider than the screen. */
static void region_begin(xmlTextWriter *writer, const char *class, const char *label) {
    begin_element(writer, "div", class);
    put_attribute(writer, "role", "region");
    put_attribute(writer, "tabindex", "0");
    put_attribute(writer, "aria-label", label);
}

/* ---- chapters ------------------------------------------------------------------------------------------ */

static void html_chapter_begin(struct red_page *page, const char *id, const char *title) {
    struct html *html = page->own;
    if (page->status != RED_OK)
        return;
    html->chapter = xmlBufferCreate();
    html->writer = html->chapter ? xmlNewTextWriterMemory(html->chapter, 0) : NULL;
    if (html->writer == NULL) {
        fail_without_memory(page);
        return;
    }
    snprintf(html->open.id, sizeof html->open.id, "%s", id);
    snprintf(html->open.title, sizeof html->open.title, "%s", title);
    begin_element(html->writer, "section", NULL);
    put_attribute(html->writer, "aria-labelledby", id);
    put_heading(html->writer, "h2", id, title);
}

/* Adds the chapter to the page, or leaves it out if the page would be too long. */
static void html_chapter_end(struct red_page *page) {
    struct html *html = page->own;
    if (html->writer == NULL)
        return;
    end_element(html->writer);
    xmlTextWriterFlush(html->writer);
    xmlFreeTextWriter(html->writer);
    html->writer = NULL;
    int length = xmlBufferLength(html->chapter);
    int most = page->may_leave_out ? OPTIONAL_BYTES_MAX : PAGE_BYTES_MAX;
    bool fits = xmlBufferLength(html->body) + length <= most && html->entries_n < ENTRIES_MAX;
    if (fits && xmlBufferAdd(html->body, xmlBufferContent(html->chapter), length) != 0)
        fail_without_memory(page);
    if (fits)
        html->entries[html->entries_n++] = html->open;
    page->left_out_n += !fits;
    xmlBufferFree(html->chapter);
    html->chapter = NULL;
}

/* ---- parts --------------------------------------------------------------------------------------------- */

static void html_heading(struct red_page *page, const char *id, const char *title) {
    struct html *html = page->own;
    if (can_write(page))
        put_heading(html->writer, "h3", id, title);
}

static void html_text(struct red_page *page, const char *text) {
    struct html *html = page->own;
    if (can_write(page))
        put_element(html->writer, "p", NULL, text);
}

static void html_code(struct red_page *page, const char *text) {
    struct html *html = page->own;
    if (!can_write(page))
        return;
    region_begin(html->writer, "code", "Commands");
    begin_element(html->writer, "pre", NULL);
    put_element(html->writer, "code", NULL, text);
    end_element(html->writer);
    end_element(html->writer);
}

static void put_row(xmlTextWriter *writer, const struct red_table *table, size_t row, size_t first,
                    size_t last) {
    begin_element(writer, "tr", NULL);
    begin_element(writer, "th", NULL);
    put_attribute(writer, "scope", "row");
    xmlTextWriterWriteString(writer, BAD_CAST red_table_value(table, row, 0));
    end_element(writer);
    for (size_t c = first; c < last; c++)
        put_element(writer, "td", red_table_column(table, c)->right ? "n" : NULL,
                    red_table_value(table, row, c));
    end_element(writer);
}

/* Writes the first column and as many others as a sheet of paper takes. */
static void put_table_block(xmlTextWriter *writer, const struct red_table *table, const char *caption,
                            size_t first, size_t last, bool is_seen) {
    begin_element(writer, "table", NULL);
    put_element(writer, "caption", is_seen ? NULL : "unseen", caption);
    begin_element(writer, "thead", NULL);
    begin_element(writer, "tr", NULL);
    for (size_t c = 0; c < last; c++) {
        if (c > 0 && c < first)
            continue;
        begin_element(writer, "th", red_table_column(table, c)->right ? "n" : NULL);
        put_attribute(writer, "scope", "col");
        xmlTextWriterWriteString(writer, BAD_CAST red_table_column(table, c)->name);
        end_element(writer);
    }
    end_element(writer);
    end_element(writer);
    begin_element(writer, "tbody", NULL);
    for (size_t r = 0; r < red_table_rows_n(table); r++)
        put_row(writer, table, r, first, last);
    end_element(writer);
    end_element(writer);
}

/* Below a chart the caption is the chart's, and not seen twice. */
static void put_table(xmlTextWriter *writer, const char *caption, const struct red_table *table,
                      bool is_seen) {
    size_t columns_n = red_table_columns_n(table), first = 1;
    do {
        size_t last = first + COLUMNS_PER_BLOCK < columns_n ? first + COLUMNS_PER_BLOCK : columns_n;
        region_begin(writer, "table", caption);
        put_table_block(writer, table, caption, first, last, is_seen);
        end_element(writer);
        first = last;
    } while (first < columns_n);
}

static void html_table(struct red_page *page, const char *caption, const struct red_table *table) {
    struct html *html = page->own;
    if (can_write(page) && red_table_rows_n(table) > 0)
        put_table(html->writer, caption, table, true);
}

static void html_side_by_side(struct red_page *page, bool begins) {
    struct html *html = page->own;
    if (!can_write(page))
        return;
    if (begins)
        begin_element(html->writer, "div", "side");
    else
        end_element(html->writer);
}

static void html_chart(struct red_page *page, const struct red_chart *chart) {
    struct html *html = page->own;
    if (!can_write(page))
        return;
    xmlBuffer *drawing = red_svg_draw(chart, false);
    if (drawing == NULL) {
        fail_without_memory(page);
        return;
    }
    /* The figures are worth more than the drawing of them. */
    const int length =
        xmlBufferLength(html->body) + xmlBufferLength(html->chapter) + xmlBufferLength(drawing);
    begin_element(html->writer, "figure", NULL);
    put_element(html->writer, "figcaption", NULL, chart->title);
    if (length <= DRAWINGS_BYTES_MAX) {
        region_begin(html->writer, "picture", chart->title);
        xmlTextWriterWriteRawLen(html->writer, xmlBufferContent(drawing), xmlBufferLength(drawing));
        end_element(html->writer);
    } else {
        put_element(
            html->writer, "p", "note",
            "The picture is left out, since the page would become too long: choose fewer operations and "
            "types.");
    }
    put_element(html->writer, "p", "note", chart->description);
    if (chart->table != NULL && red_table_rows_n(chart->table) > 0)
        put_table(html->writer, chart->title, chart->table, false);
    end_element(html->writer);
    xmlTextWriterFlush(html->writer);
    xmlBufferFree(drawing);
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static void put_meta(xmlTextWriter *writer, const char *name, const char *content) {
    xmlTextWriterStartElement(writer, BAD_CAST "meta");
    put_attribute(writer, "name", name);
    put_attribute(writer, "content", content);
    xmlTextWriterEndElement(writer);
}

static void put_head(xmlTextWriter *writer, const char *title) {
    begin_element(writer, "head", NULL);
    xmlTextWriterStartElement(writer, BAD_CAST "meta");
    put_attribute(writer, "charset", "utf-8");
    xmlTextWriterEndElement(writer);
    put_meta(writer, "viewport", "width=device-width, initial-scale=1");
    put_meta(writer, "color-scheme", "light dark");
    put_meta(writer, "generator", "clreduce " CLREDUCE_VERSION);
    put_element(writer, "title", NULL, title);
    xmlTextWriterStartElement(writer, BAD_CAST "link"); /* or the browser asks for /favicon.ico */
    put_attribute(writer, "rel", "icon");
    put_attribute(writer, "href", "data:,");
    xmlTextWriterEndElement(writer);
    begin_element(writer, "style", NULL);
    red_svg_theme(writer, ":root");
    xmlTextWriterWriteRaw(writer, BAD_CAST red_report_style);
    end_element(writer);
    end_element(writer);
}

static void put_contents(xmlTextWriter *writer, const struct html *html) {
    begin_element(writer, "nav", NULL);
    put_attribute(writer, "aria-label", "Contents");
    begin_element(writer, "ul", NULL);
    for (size_t i = 0; i < html->entries_n; i++) {
        char link[100];
        snprintf(link, sizeof link, "#%s", html->entries[i].id);
        begin_element(writer, "li", NULL);
        begin_element(writer, "a", NULL);
        put_attribute(writer, "href", link);
        xmlTextWriterWriteString(writer, BAD_CAST html->entries[i].title);
        end_element(writer);
        end_element(writer);
    }
    end_element(writer);
    end_element(writer);
}

static void put_page(xmlTextWriter *writer, const struct red_page *page, const struct html *html) {
    xmlTextWriterWriteRaw(writer, BAD_CAST "<!DOCTYPE html>\n");
    begin_element(writer, "html", NULL);
    put_attribute(writer, "lang", "en");
    put_head(writer, page->title);
    begin_element(writer, "body", NULL);
    begin_element(writer, "header", NULL);
    put_element(writer, "h1", NULL, page->title);
    put_contents(writer, html);
    end_element(writer);
    begin_element(writer, "main", NULL);
    xmlTextWriterWriteRawLen(writer, xmlBufferContent(html->body), xmlBufferLength(html->body));
    end_element(writer);
    put_element(writer, "footer", NULL, "Made by clreduce " CLREDUCE_VERSION);
    end_element(writer);
    end_element(writer);
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
                                              .chapter = html_chapter_begin,
                                              .chapter_end = html_chapter_end,
                                              .heading = html_heading,
                                              .text = html_text,
                                              .code = html_code,
                                              .table = html_table,
                                              .side_by_side = html_side_by_side,
                                              .chart = html_chart,
                                              .finish = html_finish};
