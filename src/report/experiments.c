/* The chapter "Experiments" of a page on files of bench --experiments: each question with the tables that
 * answer it, on all devices. report/report.c writes it behind "In short". */
#include <string.h>

#include "console/experiment_table.h"
#include "report/report_private.h"
#include "results/loaded.h"

/* Whether another device of the files has the same id. */
static bool is_id_shared(const struct red_report *report, const struct red_run_device *device) {
    size_t n = 0;
    for (size_t r = 0; r < report->loaded->results_n; r++) {
        const struct red_run *run = &report->loaded->results[r].run;
        for (size_t d = 0; d < run->devices_n && red_run_has_experiments(run); d++)
            n += strcmp(run->devices[d].info.id, device->info.id) == 0;
    }
    return n > 1;
}

/* Lists the devices of all files with experiments, as many as have room; the host where a file has it alone.
 * The letter of the file stands before what is another's name, too. */
static size_t list_sources(const struct red_report *report,
                           struct red_experiment_source sources[RED_SOURCES_MAX]) {
    size_t n = 0;
    for (size_t r = 0; r < report->loaded->results_n; r++) {
        const struct red_run *run = &report->loaded->results[r].run;
        if (!red_run_has_experiments(run))
            continue;
        for (size_t d = run->devices_n > 1 ? 1 : 0; d < run->devices_n && n < RED_SOURCES_MAX; d++, n++) {
            const bool is_shared = is_id_shared(report, &run->devices[d]);
            sources[n] = (struct red_experiment_source){.run = run, .device = d};
            snprintf(sources[n].label, sizeof sources[n].label, "%.40s%.32s",
                     is_shared ? red_report_letter(report, r, " ").text : "", run->devices[d].info.id);
        }
    }
    return n;
}

void red_experiments_write_chapter(const struct red_report *report, struct red_page *page) {
    struct red_experiment_source sources[RED_SOURCES_MAX];
    const size_t sources_n = list_sources(report, sources);
    if (sources_n == 0)
        return;
    red_page_begin_chapter(page, "experiments", "Experiments");
    for (size_t e = 0; e < red_experiments_n; e++) {
        const struct red_experiment *experiment = &red_experiments[e];
        struct red_table *table;
        char title[256], id[32], heading[160];
        for (unsigned i = 0;
             red_experiment_table_make(sources, sources_n, experiment, i, &table, title, sizeof title); i++) {
            snprintf(id, sizeof id, "experiment-%s", experiment->letter);
            snprintf(heading, sizeof heading, "%s) %s", experiment->letter, experiment->question);
            if (i == 0)
                page->format->heading(page, id, heading);
            red_page_put_and_destroy_table(page, title, table);
        }
    }
    red_page_end_chapter(page);
}
