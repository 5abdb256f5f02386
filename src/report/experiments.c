/* The chapter "Experiments" of a page on files of bench --experiments: each question with the tables that
 * answer it, for every device. report/report.c writes it behind "In short". */
#include "console/experiment_table.h"
#include "report/private.h"
#include "results/loaded.h"

/* Writes the tables of one experiment for all devices of all files. */
static void write_experiment(const struct red_report *report, struct red_page *page,
                             const struct red_experiment *experiment) {
    bool is_asked = false;
    for (size_t r = 0; r < report->loaded->results_n; r++) {
        const struct red_run *run = &report->loaded->results[r].run;
        for (size_t device = run->devices_n > 1 ? 1 : 0; device < run->devices_n; device++) {
            struct red_table *table;
            char title[256], id[32], caption[384], heading[160];
            for (unsigned i = 0;
                 red_experiment_table_make(run, device, experiment, i, &table, title, sizeof title); i++) {
                snprintf(id, sizeof id, "experiment-%s", experiment->letter);
                snprintf(heading, sizeof heading, "%s) %s", experiment->letter, experiment->question);
                if (!is_asked)
                    page->format->heading(page, id, heading);
                is_asked = true;
                snprintf(caption, sizeof caption, "%s%s", red_report_letter(report, r, " ").text, title);
                red_page_put_and_destroy_table(page, caption, table);
            }
        }
    }
}

void red_experiments_write_chapter(const struct red_report *report, struct red_page *page) {
    bool any = false;
    for (size_t r = 0; r < report->loaded->results_n; r++)
        any = any || red_run_has_experiments(&report->loaded->results[r].run);
    if (!any)
        return;
    red_page_begin_chapter(page, "experiments", "Experiments");
    for (size_t e = 0; e < red_experiments_n; e++)
        write_experiment(report, page, &red_experiments[e]);
    red_page_end_chapter(page);
}
