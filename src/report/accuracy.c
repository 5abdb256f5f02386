/* What strategies make of data that is hard to add, of runs that looked (bench --accuracy). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"
#include "report/section.h"

enum { DATA_MAX = 16, TEXT_BYTES = 32 };

static bool is_of(const struct red_accuracy *found, const struct red_series_source *source) {
    const struct red_view *view = &source->view;
    return found->state == RED_STATE_PASS && found->device == view->device && found->op == view->op &&
           found->dtype == view->dtype;
}

/* The kinds of data that the source has errors for, in the file's order. */
static size_t data_find(const struct red_series_source *source, const char *data[DATA_MAX]) {
    const struct red_run *run = &source->result->run;
    size_t n = 0;
    for (size_t i = 0; i < run->accuracies_n && n < DATA_MAX; i++) {
        bool is_new = is_of(&run->accuracies[i], source);
        for (size_t k = 0; k < n && is_new; k++)
            is_new = strcmp(data[k], run->accuracies[i].data) != 0;
        if (is_new)
            data[n++] = run->accuracies[i].data;
    }
    return n;
}

static const struct red_accuracy *find(const struct red_series_source *source,
                                       const struct red_strategy *strategy, const char *data) {
    const struct red_run *run = &source->result->run;
    for (size_t i = 0; i < run->accuracies_n; i++)
        if (is_of(&run->accuracies[i], source) && run->accuracies[i].strategy == strategy &&
            strcmp(run->accuracies[i].data, data) == 0)
            return &run->accuracies[i];
    return NULL;
}

static enum red_status add_strategy(struct red_table *table, const struct red_series_source *source,
                                    const struct red_strategy *strategy, const char *const *data,
                                    size_t data_n, struct red_error *error) {
    char texts[DATA_MAX + 1][TEXT_BYTES];
    const char *values[DATA_MAX + 2] = {strategy->name};
    double share = 0;
    for (size_t k = 0; k < data_n; k++) {
        const struct red_accuracy *found = find(source, strategy, data[k]);
        snprintf(texts[k], TEXT_BYTES, found ? "%.2g" : "", found ? found->error_in_units : 0);
        share = found && isfinite(found->share_of_bound) ? fmax(share, found->share_of_bound) : share;
        values[1 + k] = texts[k];
    }
    snprintf(texts[data_n], TEXT_BYTES, "%.2g %%", 100 * share);
    values[1 + data_n] = texts[data_n];
    return red_table_add(table, values, error);
}

static void show(struct red_page *page, const struct red_series_source *source, const char *const *data,
                 size_t data_n) {
    const struct red_run *run = &source->result->run;
    struct red_column columns[DATA_MAX + 2] = {{.name = "strategy"}};
    char caption[160];
    for (size_t k = 0; k < data_n; k++)
        columns[1 + k] = (struct red_column){.name = data[k], .right = true};
    columns[1 + data_n] = (struct red_column){.name = "of bound, at most", .right = true};
    struct red_table *table = red_table_create(columns, data_n + 2);
    if (table == NULL)
        red_page_fail(page, red_fail(page->error, RED_E_MEMORY, "no memory for a table"));
    const struct red_strategy *last = NULL;
    for (size_t i = 0; i < run->accuracies_n && page->status == RED_OK; i++) {
        const struct red_accuracy *found = &run->accuracies[i];
        if (!is_of(found, source) || found->strategy == last)
            continue;
        last = found->strategy;
        red_page_fail(page, add_strategy(table, source, last, data, data_n, page->error));
    }
    snprintf(caption, sizeof caption, "%s: error on data that is hard to add", source->label);
    if (page->status == RED_OK)
        page->format->table(page, caption, table);
    red_table_destroy(table);
}

bool red_report_accuracy(struct red_page *page, const struct red_series_source *source, bool begun) {
    const char *data[DATA_MAX];
    const size_t data_n = data_find(source, data);
    if (data_n == 0)
        return begun;
    if (!begun)
        page->format->text(
            page, "Errors on data that is hard to add: ones that are more than a float can count, sums "
                  "that nearly cancel (condition: the sum of all |terms| by the sum), terms of very "
                  "different size. In units of what a single rounding may cost, u times the sum of all "
                  "|terms|, and as the largest share of the strategy's own bound.");
    show(page, source, data, data_n);
    return true;
}
