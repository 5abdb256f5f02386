/* A section of the page, and the sources of the series in its charts. */
#ifndef CLREDUCE_REPORT_SECTION_H
#define CLREDUCE_REPORT_SECTION_H

#include "console/table_view.h"
#include "model/catalogue.h"
#include "results/cub.h"
#include "results/result.h"

/* What a page is made of. */
struct red_report {
    const struct red_result *results;
    size_t results_n;
    const struct red_cub *cubs; /* CUB's times: each beside the run of its device that began nearest */
    size_t cubs_n;
    const struct red_catalogue *catalogue;
    const char *op, *type; /* lists of names or globs: which queries are shown in full; NULL: all */
};

/* "A": of several files each has a letter; "" of a single one. */
void red_report_file_letter(const struct red_report *report, size_t file, char *text, size_t text_bytes);

enum { RED_SOURCES_MAX = 32, RED_CHOSEN_MAX = 10 };

/* One device of one result file, and its cells of one query. */
struct red_series_source {
    char label[80]; /* "intel"; of several files "A intel" */
    const struct red_result *result;
    struct red_table_view view;
};

/* A strategy that charts show, alike in all of them. */
struct red_chosen {
    const struct red_strategy *strategy;
    unsigned colour; /* the same for a 2.x strategy and the one that it replaces */
    bool dashed;     /* of 2.x */
};

/* One operation, type and shape, of all devices of all files that have it. */
struct red_section {
    const struct red_query *query;     /* of one of the files */
    const struct red_report *report;   /* borrowed */
    struct red_series_source *sources; /* owned */
    size_t sources_n;
    struct red_chosen chosen[RED_CHOSEN_MAX];
    size_t chosen_n, strategies_n; /* of so many that were timed */
};

/* Makes the section of the query, as every result has it. Release with red_section_clear. Errors:
 * RED_E_MEMORY; RED_E_INPUT for more than RED_SOURCES_MAX devices. */
enum red_status red_section_make(struct red_section *section, const struct red_query *query,
                                 const struct red_report *report, struct red_error *error);
void red_section_clear(struct red_section *section);

#endif
