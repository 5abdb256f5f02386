/* The pictures of a report: from a device's times to charts and the figures beside them. */
#ifndef CLREDUCE_REPORT_PICTURES_H
#define CLREDUCE_REPORT_PICTURES_H

#include "console/table.h"
#include "report/chart.h"
#include "report/subject.h"

struct red_picture {
    struct red_chart chart;
    struct red_table *table; /* owned */
    struct red_column columns[RED_TABLE_COLUMNS_MAX];
    char names[RED_TABLE_COLUMNS_MAX][80];
    size_t columns_n;
};

/* Fills a picture of the subject, which is one of the stage's; leaves it empty (red_chart_is_empty) where
 * there is nothing to show. Some kinds have several pictures: part 0, 1, ... until one is empty. Errors:
 * RED_E_MEMORY. */
typedef enum red_status red_picture_make(const struct red_stage *stage, const struct red_subject *subject,
                                         size_t part, struct red_picture *picture, struct red_error *error);

red_picture_make red_picture_pairs, red_picture_times, red_picture_bandwidth, red_picture_speedup,
    red_picture_group_sizes, red_picture_errors, red_picture_winners, red_picture_heat, red_picture_parts;

/* CUB's times beside those of the fastest strategy: part 0 times, 1 ratios. */
red_picture_make red_picture_cub;

/* CUB's times that are set beside this subject: of its device and type, if no other subject's run began
 * nearer to them; NULL if there are none. In a sentence, "" without them. */
const struct red_cub *red_subject_cub(const struct red_stage *stage, const struct red_subject *subject);
void red_cub_sentence(const struct red_stage *stage, const struct red_subject *subject, char *text,
                      size_t text_bytes);

/* Of all devices in one picture: the fastest time of each against n; `subject` is not looked at. Empty for
 * fewer than two. */
red_picture_make red_picture_devices;

void red_picture_clear(struct red_picture *picture);

/* ---- for the makers --------------------------------------------------------------------------------------
 */

/* Titles a chart "intel: title". */
void red_picture_name(struct red_picture *picture, const struct red_subject *subject, const char *title);

/* Appends a column; what has no room is dropped. */
void red_picture_column(struct red_picture *picture, const char *name, bool right);

/* Makes the table of the columns that were named. Errors: RED_E_MEMORY. */
enum red_status red_picture_table(struct red_picture *picture, struct red_error *error);

/* Appends a column for each n of the view; of more than there is room for the largest ones. Returns the index
 * of the first. */
size_t red_picture_sizes(struct red_picture *picture, const struct red_table_view *view);

/* Whether the times of two geometries or more were asked for, which group sizes these were, ascending, and
 * the fastest cell that has one (`strategy` NULL: of any). */
size_t red_group_sizes(const struct red_table_view *view, size_t *sizes, size_t max);
const struct red_cell *red_group_fastest(const struct red_table_view *view,
                                         const struct red_strategy *strategy, size_t group_size, uint64_t n);

#endif
