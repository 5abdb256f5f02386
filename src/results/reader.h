/* Reading JSON that nobody vouches for: each member is what it must be, or the first that is not is the
 * error, and reading goes on harmlessly. */
#ifndef CLREDUCE_RESULTS_READER_H
#define CLREDUCE_RESULTS_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "results/run.h"

/* Where the reader is, and the first thing that was not as it must be. */
struct red_reader {
    const char *path;
    char where[96]; /* "cells[3]" */
    enum red_status status;
    struct red_error *error;
};

/* Parses a whole file, which is to be `what` ("result file"). NULL, with the reader's status, where it is no
 * JSON. Release with json_decref. */
json_t *red_reader_root(struct red_reader *reader, const char *what, const char *text, size_t text_n);

/* "a.json: cells[3].n: expected a whole number from 0"; only the first one counts. */
void red_reader_refuse(struct red_reader *reader, const char *key, const char *expected);

/* Copies what can be printed, in UTF-8, cut to the room there is. */
void red_text_copy(const char *from, char *text, size_t text_bytes);

/* A text, or "" where null is allowed. */
void red_take_text(struct red_reader *reader, const json_t *from, const char *key, bool may_lack, char *text,
                   size_t text_bytes);

/* A whole number from 0. */
uint64_t red_take_whole(struct red_reader *reader, const json_t *from, const char *key);

/* A whole number from 1 to max, or 0 where it is null or missing. */
uint64_t red_take_chosen(struct red_reader *reader, const json_t *from, const char *key, uint64_t max);

/* A number above 0, or 0 where it is null or missing. */
double red_take_positive(struct red_reader *reader, const json_t *from, const char *key);

/* A number from 0. */
double red_take_amount(struct red_reader *reader, const json_t *from, const char *key);

bool red_take_flag(struct red_reader *reader, const json_t *from, const char *key);

/* An array or an object of at most max entries; NULL where it is none. */
const json_t *red_take_kind(struct red_reader *reader, const json_t *from, const char *key, json_type type,
                            size_t max);

/* The index of one of the names; 0 where it is none of them. */
size_t red_take_word(struct red_reader *reader, const json_t *from, const char *key, const char *const *names,
                     size_t names_n);

enum red_state red_take_state(struct red_reader *reader, const json_t *from, const char *key);

#endif
