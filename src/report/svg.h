/* Charts as SVG, and the colours of either theme as variables of a style sheet. */
#ifndef CLREDUCE_REPORT_SVG_H
#define CLREDUCE_REPORT_SVG_H

#include <libxml/xmlwriter.h>

#include "report/chart.h"

/* Draws the chart as an <svg> element: with its title and description for people who do not see it, with ids
 * that begin with the chart's number, and with the colours of chart.h as variables. `alone`: with a style
 * sheet that sets these, for a file of its own. Release with xmlBufferFree. NULL without memory. */
xmlBuffer *red_svg_draw(const struct red_chart *chart, bool alone);

/* Writes rules that give `selector` the colours as variables, those of the dark theme on dark screens. */
void red_svg_theme(xmlTextWriter *out, const char *selector);

#endif
