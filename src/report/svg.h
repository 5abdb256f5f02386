/* A picture that gnuplot has drawn, made fit to stand in a page. */
#ifndef CLREDUCE_REPORT_SVG_H
#define CLREDUCE_REPORT_SVG_H

#include "report/chart.h"

/* Makes of a whole SVG document an element: with the chart's title and description for people who do not see
 * it, ids that no other picture has, colours that follow the page's theme (variables of palette.h), and
 * nothing in it that is not seen. The caller frees it. Errors: RED_E_INPUT if it is no SVG; RED_E_MEMORY. */
enum red_status red_svg_inline(const char *document, const struct red_chart *chart, char **element,
                               struct red_error *error);

/* The same as a file of its own, with a style sheet for both themes. */
enum red_status red_svg_alone(const char *document, const struct red_chart *chart, char **file,
                              struct red_error *error);

#endif
