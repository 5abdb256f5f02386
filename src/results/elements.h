/* Large arrays of a JSON file, read element by element: a whole file as a tree takes 20 times its size. */
#ifndef CLREDUCE_RESULTS_ELEMENTS_H
#define CLREDUCE_RESULTS_ELEMENTS_H

#include "results/reader.h"

/* An array that is a member of a file's object, as text. */
struct red_elements {
    const char *name;
    const char *at, *end; /* what is not read yet, of the file's text; NULL: the file has no such array */
    size_t n;             /* elements that it has at most */
    bool goes_on;         /* there was a comma */
    const char *what, *text;
    size_t text_n; /* of the whole file, which must stay */
};

/* Parses a file as red_reader_root does, but for the arrays that are named: those are found, and left
 * out of the object. NULL, with the reader's status, where the file is no JSON as far as that was read. */
json_t *red_elements_split(struct red_reader *reader, const char *what, const char *text, size_t text_n,
                           struct red_elements *arrays, size_t arrays_n);

/* The next element; the caller releases it. NULL at the end, or with the reader's status. */
json_t *red_elements_next(struct red_elements *array, struct red_reader *reader);

#endif
