/* Chapters of a report that are texts and tables alone. */
#ifndef CLREDUCE_REPORT_METHOD_H
#define CLREDUCE_REPORT_METHOD_H

#include "report/page.h"
#include "report/section.h"

/* Errors on data that is hard to add, of a source whose run has some; explained unless that was `begun`.
 * Returns whether it is now. */
bool red_method_accuracy(struct red_page *page, const struct red_series_source *source, bool begun);

/* What did not run and why, on each device. */
void red_method_failures(const struct red_report *report, struct red_page *page);

/* Machines, devices, settings, what was done, and what limits the conclusions. */
void red_method_conditions(const struct red_report *report, struct red_page *page);

/* The commands that make the files and the page again. */
void red_method_commands(const struct red_report *report, struct red_page *page);

#endif
