/* style.css, embedded when the program is built. */
#ifndef CLREDUCE_REPORT_STYLE_H
#define CLREDUCE_REPORT_STYLE_H

extern const char red_report_style[];

#endif
