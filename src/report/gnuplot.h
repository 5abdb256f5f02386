/* Pictures are drawn by gnuplot, a process of its own for each. */
#ifndef CLREDUCE_REPORT_GNUPLOT_H
#define CLREDUCE_REPORT_GNUPLOT_H

#include "report/chart.h"

enum red_terminal {
    RED_TERMINAL_SVG,  /* colours of the light theme (palette.h); not yet fit to stand in a page (svg.h) */
    RED_TERMINAL_DUMB, /* letters, 100 columns wide; lines only */
    RED_TERMINALS_N
};

/* Draws the chart into a text that the caller frees. Errors: RED_E_UNSUPPORTED if there is no gnuplot to be
 * run; RED_E_INPUT with its message if it fails; RED_E_MEMORY. */
enum red_status red_gnuplot_draw(const struct red_chart *chart, enum red_terminal terminal, char **drawn,
                                 struct red_error *error);

#endif
