/* The charts of a report, made from a device's times, each with the table of its figures. */
#ifndef CLREDUCE_REPORT_CHARTS_H
#define CLREDUCE_REPORT_CHARTS_H

#include "report/chart.h"
#include "report/section.h"

/* Fills a chart of the source, which is one of the section's; leaves it empty (red_chart_is_empty) where
 * there is nothing to show. Some kinds have several charts: part 0, 1, ... until one is empty. Errors:
 * RED_E_MEMORY. */
typedef enum red_status red_chart_maker(const struct red_section *section,
                                        const struct red_series_source *source, size_t part,
                                        struct red_chart *chart, struct red_error *error);

red_chart_maker red_chart_pairs, red_chart_times, red_chart_bandwidth, red_chart_speedup,
    red_chart_group_sizes, red_chart_errors, red_chart_winners, red_chart_heat, red_chart_parts;

/* CUB's times beside those of the fastest strategy: part 0 times, 1 ratios. */
red_chart_maker red_chart_cub;

/* CUB's times that are set beside this source: of its device and type, if no other source's run began
 * nearer to them; NULL if there are none. In a sentence, "" without them. */
const struct red_cub *red_source_cub(const struct red_section *section,
                                     const struct red_series_source *source);
void red_cub_sentence(const struct red_section *section, const struct red_series_source *source, char *text,
                      size_t text_bytes);

/* Of all devices in one chart: the fastest time of each against n; `source` is not looked at. Empty for
 * fewer than two. */
red_chart_maker red_chart_devices;

/* ---- for the makers --------------------------------------------------------------------------------------
 */

/* Titles a chart "intel: title". */
void red_chart_name(struct red_chart *chart, const struct red_series_source *source, const char *title);

/* Appends a column for each n of the view; of more than there is room for the largest ones. Returns the index
 * of the first. */
size_t red_chart_add_size_columns(struct red_chart *chart, const struct red_table_view *view);

/* Whether the times of two geometries or more were asked for, which group sizes these were, ascending, and
 * the fastest cell that has one (`strategy` NULL: of any). */
size_t red_group_sizes(const struct red_table_view *view, size_t *sizes, size_t max);
const struct red_cell *red_group_fastest(const struct red_table_view *view,
                                         const struct red_strategy *strategy, size_t group_size, uint64_t n);

#endif
