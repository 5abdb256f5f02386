/* Field tables: one table lists the members of a struct under their keys in JSON; by it the struct is written
 * as an object and read from one. */
#ifndef CLREDUCE_RESULTS_FIELDS_H
#define CLREDUCE_RESULTS_FIELDS_H

#include <jansson.h>
#include <stddef.h>

#include "results/reader.h"

/* What may lack may be null, too: then the member stays as it was, which is zero. Whole numbers are unsigned,
 * size_t or uint64_t. */
enum red_field_kind {
    RED_FIELD_TEXT,   /* char[]; empty is null. Of what is read, what can be printed, cut to the room there is
                       */
    RED_FIELD_NAME,   /* the same; must be there */
    RED_FIELD_WHOLE,  /* must be there */
    RED_FIELD_COUNT,  /* a whole number; may lack */
    RED_FIELD_CHOSEN, /* a whole number from 1 to max; 0 is null: the default */
    RED_FIELD_NUMBER, /* double; may lack */
    RED_FIELD_AMOUNT, /* from 0; may lack */
    RED_FIELD_POSITIVE, /* 0 is null */
    RED_FIELD_ERROR,    /* from 0; infinite is null */
    RED_FIELD_FLAG,     /* bool; may lack */
    RED_FIELD_STATE,    /* enum red_state; must be there */
    RED_FIELD_ANSWER,   /* enum red_answer; must be there */
    RED_FIELD_OBJECT, /* members with a table of their own; must be there unless it has .known or .may_lack */
    RED_FIELD_OWN     /* by .write and .read */
};

struct red_field {
    const char *key; /* NULL ends a table */
    enum red_field_kind kind;
    size_t offset, bytes;                 /* of the member within the struct */
    const struct red_field *members;      /* of an object; their offsets are from the member on */
    bool (*known)(const void *record);    /* where this is false of the struct null is written; NULL: never */
    uint64_t max;                         /* 0: any */
    bool may_lack;                        /* older files do not have the object */
    json_t *(*write)(const void *member); /* NULL: no memory */
    void (*read)(struct red_reader *reader, const json_t *from, const char *key, void *member);
};

/* The member's place; what else there is to say follows. */
#define RED_FIELD(type, json_key, field_kind, member)                                                        \
    .key = (json_key), .kind = RED_FIELD_##field_kind, .offset = offsetof(type, member),                     \
    .bytes = sizeof((type *)0)->member

/* Puts the members into an object. False without memory. */
bool red_fields_put(json_t *object, const struct red_field *fields, const void *record);

/* The struct as an object; NULL without memory. */
json_t *red_fields_json(const struct red_field *fields, const void *record);

/* Reads the members of an object; the first one that is not as it must be is the reader's error. */
void red_fields_read(struct red_reader *reader, const json_t *from, const struct red_field *fields,
                     void *record);

/* ---- the tables (tables.c) -------------------------------------------------------------------------------
 */

/* Of struct red_tuning, struct red_host. */
extern const struct red_field red_tuning_fields[], red_host_fields[];

/* Of struct red_run, without its arrays. */
extern const struct red_field red_run_fields[];

/* Of struct red_run_device: those of each, and what a device of OpenCL has beyond the host. */
extern const struct red_field red_device_fields[], red_opencl_fields[];

/* Of struct red_cell and struct red_accuracy, behind what they are of: device, strategy, operation, type. */
extern const struct red_field red_cell_fields[], red_accuracy_fields[];

/* The settings from outside as JSON, keys sorted, for comparing them as text; the caller frees it. NULL
 * without memory. */
char *red_host_settings(const struct red_host *host);

#endif
