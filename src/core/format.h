/* The forms of --format, of which each verb offers some. */
#ifndef CLREDUCE_CORE_FORMAT_H
#define CLREDUCE_CORE_FORMAT_H

enum red_format {
    RED_FORMAT_TABLE,
    RED_FORMAT_JSON,
    RED_FORMAT_CSV,
    RED_FORMAT_HTML,
    RED_FORMAT_MARKDOWN,
    RED_FORMAT_TERM,
    RED_FORMAT_SVG,
    RED_FORMAT_HEADER,
    RED_FORMAT_MAN,
    RED_FORMAT_BASH,
    RED_FORMATS_N
};

#endif
