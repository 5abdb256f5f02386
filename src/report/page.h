/* A page that is written from top to bottom, in one of several formats. */
#ifndef CLREDUCE_REPORT_PAGE_H
#define CLREDUCE_REPORT_PAGE_H

#include <stdio.h>

#include "report/chart.h"

struct red_page;

/* One format: how each part is written. All but `create` and `finish` do nothing after an error, which is the
 * page's. */
struct red_page_format {
    const char *name;
    enum red_status (*create)(struct red_page *page, struct red_error *error); /* Errors: RED_E_MEMORY */
    /* A chapter is whole or not in the page: what would make it longer than the format allows is left out,
     * drawings of charts first. */
    void (*chapter)(struct red_page *page, const char *id, const char *title);
    void (*chapter_end)(struct red_page *page);
    void (*heading)(struct red_page *page, const char *id, const char *title); /* within a chapter */
    void (*text)(struct red_page *page, const char *text);
    void (*code)(struct red_page *page, const char *text);
    void (*table)(struct red_page *page, const char *caption, const struct red_table *table);
    /* Figures between these stand side by side where there is room. */
    void (*side_by_side)(struct red_page *page, bool begin);
    /* The chart, and the table of the figures that it shows. */
    void (*chart)(struct red_page *page, const struct red_chart *chart);
    /* Writes the page; releases it in any case. */
    enum red_status (*finish)(struct red_page *page, FILE *out, struct red_error *error);
};

struct red_page {
    const struct red_page_format *format;
    char title[256];
    unsigned charts_n;
    bool may_leave_out; /* the chapter that is being written */
    size_t left_out_n;  /* chapters that would have made it too long */
    enum red_status status;
    struct red_error *error;
    void *own; /* the format's */
};

extern const struct red_page_format red_page_html, red_page_markdown, red_page_screen;

/* Keeps the first error. */
static inline void red_page_fail(struct red_page *page, enum red_status status) {
    if (page->status == RED_OK)
        page->status = status;
}

#endif
