/* Writing and checked reading of JSON: for result files, files of duels, journals,
 * and messages between processes (worker/protocol.h). This part makes values: what
 * jansson would refuse is repaired, or null. What there was no memory for is NULL, which jansson's functions
 * hand on. */
#ifndef CLREDUCE_RESULTS_JSON_H
#define CLREDUCE_RESULTS_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "results/run.h"
#include "results/strangers.h"

/* Text that is no UTF-8, such as a path or a reason that was cut, is repaired; an empty one is null. */
json_t *red_json_text(const char *value);

/* A number; null where it is not finite. `positive`: null, too, where it is not above 0. */
json_t *red_json_real(double value);
json_t *red_json_positive(double value);

/* A whole number. Those from 2^63 on, as a driver may tell of its memory, become 2^63 - 1, the largest that
 * jansson has. */
json_t *red_json_integer(uint64_t value);

/* Any number: what is not finite is a string, "inf" for example. */
json_t *red_json_any_real(double value);
bool red_json_read_any_real(const json_t *from, double *value);

/* Text in UTF-8, whatever it was; an empty one, too, stays a text. NULL without memory. */
json_t *red_json_any_text(const char *text);

/* A whole number; null for 0, which is what nobody chose. */
json_t *red_json_chosen(uint64_t value);

/* Writes a file, whole or not at all, or the standard output ("-"), real numbers with so many digits: of an
 * object each member is a line, and each element of an array of objects; an array is indented. Errors:
 * RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_json_write(json_t *json, const char *path, size_t digits, struct red_error *error);

/* What was measured, as files keep it: each real number in the object has 7 digits, and an array of them is
 * {"about": 7.08869e-7, "off": [101, -3]}: their median, and by how many ten-thousandths of it each is off.
 * An object's "median_s" stands for it, if there is one. The object itself is changed, and given back; NULL,
 * and it is released, without memory. red_take_numbers reads both forms. */
json_t *red_json_pack_numbers(json_t *object);

/* Deletes the object's members that are null or false, but for that of this key. */
void red_json_leave_out_unset(json_t *object, const char *kept);

/* ---- reading ---------------------------------------------------------------------------------------------
 * Validating reader for untrusted JSON. It keeps the first type or range error with its path and reads on;
 * callers check the status once at the end, before they use what was read. */

/* Where the reader is, and the first thing that was not as it must be. */
struct red_large_array;
struct red_reader {
    const char *path;
    char where[96]; /* "cells[3]" */
    enum red_status status;
    struct red_error *error;
    bool is_message;     /* of a process of this program: all members are there, and texts stay as they are */
    const void *reading; /* for .read of a field or of a list's elements */
    struct red_strangers *strangers; /* what else names of strategies, operations and types may stand for;
                                        NULL: they are refused */
    /* The object of a file some of whose arrays are read element by element (red_reader_root_but_arrays). */
    const json_t *root;
    struct red_large_array *arrays;
    size_t arrays_n;
};

/* Parses a whole file, which is to be `what` ("result file"). NULL, with the reader's status, where it is no
 * JSON. Release with json_decref. */
json_t *red_reader_root(struct red_reader *reader, const char *what, const char *text, size_t text_n);

/* "a.json: cells[3].n: expected a whole number from 0"; only the first one counts. */
void red_reader_refuse(struct red_reader *reader, const char *key, const char *expected);

/* The reader's error where memory is wanting for what the file holds. */
void red_reader_fail_memory(struct red_reader *reader);

/* Copies a text of a file; blanks stand for what moves a terminal's cursor. Cut to the room there is. */
void red_text_copy_printable(const char *from, char *text, size_t text_bytes);

/* A text, or "" where null is allowed. */
void red_take_text(struct red_reader *reader, const json_t *from, const char *key, bool may_lack, char *text,
                   size_t text_bytes);

/* A whole number from 0. */
uint64_t red_take_whole(struct red_reader *reader, const json_t *from, const char *key);

/* A whole number from 1 to max, or 0 where it is null or missing. */
uint64_t red_take_chosen(struct red_reader *reader, const json_t *from, const char *key, uint64_t max);

bool red_take_flag(struct red_reader *reader, const json_t *from, const char *key);

/* An array or an object, as `type` says, of at most max entries; NULL where it is none, or after any error of
 * the reader. */
const json_t *red_take_container(struct red_reader *reader, const json_t *from, const char *key,
                                 json_type type, size_t max);

/* How many numbers the value is: an array, or what red_json_pack_numbers makes of one; 0 where it is none. */
size_t red_json_numbers_n(const json_t *value);

/* Takes those of a member: n numbers, each from least to most, into numbers. */
void red_take_numbers(struct red_reader *reader, const json_t *from, const char *key, double least,
                      double most, double *numbers, size_t n);

/* The index of one of the names; 0 where it is none of them. */
size_t red_take_word(struct red_reader *reader, const json_t *from, const char *key, const char *const *names,
                     size_t names_n);

/* ---- large arrays ----------------------------------------------------------------------------------------
 * Large arrays of a JSON file, read element by element: a whole file as a tree takes 20 times its size. */

/* An array that is a member of a file's object, as text. */
struct red_large_array {
    const char *name;
    const char *at, *end; /* what is not read yet, of the file's text; NULL: the file has no such array */
    size_t n;             /* elements that it has at most */
    bool goes_on;         /* there was a comma */
    const char *what, *text;
    size_t text_n; /* of the whole file, which must stay */
};

/* Parses a file as red_reader_root does, but for the arrays that are named: those are found, and left
 * out of the object. NULL, with the reader's status, where the file is no JSON as far as that was read. */
json_t *red_reader_root_but_arrays(struct red_reader *reader, const char *what, const char *text,
                                   size_t text_n, struct red_large_array *arrays, size_t arrays_n);

/* The next element; the caller releases it. NULL at the end, or with the reader's status. */
json_t *red_large_array_next(struct red_large_array *array, struct red_reader *reader);

/* The next element, an object or an array, as it stands in the file's text, with its bytes; it is not parsed.
 * NULL at the end, or with the reader's status. */
const char *red_large_array_next_text(struct red_large_array *array, struct red_reader *reader,
                                      size_t *element_n);

/* ---- field tables ----------------------------------------------------------------------------------------
 * One table lists the members of a struct under their keys in JSON; by it the struct is written as an object
 * and read from one. */

/* What may lack may be null, too: the member is zero then. Whole numbers: unsigned, size_t or uint64_t. */
enum red_field_kind {
    RED_FIELD_TEXT,          /* char[]; empty is null. What is read of a file is made printable; cut to fit */
    RED_FIELD_NAME,          /* the same; must be there */
    RED_FIELD_WHOLE,         /* must be there */
    RED_FIELD_COUNT,         /* a whole number; may lack */
    RED_FIELD_FROM_ONE,      /* a whole number from 1 to max; must be there */
    RED_FIELD_CHOSEN,        /* a whole number from 1 to max; 0 is null: the default */
    RED_FIELD_NUMBER,        /* double; may lack */
    RED_FIELD_AMOUNT,        /* from 0; may lack */
    RED_FIELD_POSITIVE,      /* 0 is null */
    RED_FIELD_ABOVE_ZERO,    /* above 0, up to most; must be there */
    RED_FIELD_FROM_ZERO,     /* from 0, up to most; must be there */
    RED_FIELD_ERROR,         /* from 0; infinite is null */
    RED_FIELD_OPTIONAL_FLAG, /* bool; may lack */
    RED_FIELD_FLAG,          /* bool; must be there */
    RED_FIELD_NAMED,         /* an enum, by its names; must be there */
    RED_FIELD_STATE,         /* the same of enum red_state, so that no table has to list its names */
    RED_FIELD_STRATEGY, /* pointer to one, by its name; must be there. It is of this program or, as of the
                           next two, a stranger, if the reader takes these */
    RED_FIELD_OP,
    RED_FIELD_TYPE,
    RED_FIELD_BITS,       /* any whole number of 32 or 64 bits, or one up to max; must be there */
    RED_FIELD_REAL,       /* any double; what is not finite is a string, "inf" for example; must be there */
    RED_FIELD_OWNED_TEXT, /* char *, which the struct owns; of any length, NULL is null */
    RED_FIELD_OBJECT, /* members with a table of their own; must be there unless it has .known or .may_lack */
    RED_FIELD_WITHIN, /* the same, but they stand among the members of this table; its key is "" */
    RED_FIELD_NUMBERS, /* an array of double, from least to most; must be there, as the next three */
    RED_FIELD_REALS,   /* the same of any double, as RED_FIELD_REAL */
    RED_FIELD_WHOLES,  /* the same of uint64_t from 0 */
    RED_FIELD_LIST,    /* an array of structs with a table of their own */
    RED_FIELD_OWN      /* by .write and .read; without a place (RED_FIELD) they get the whole struct */
};

/* What an array of a table is of. */
struct red_elements {
    size_t bytes;                     /* of an element */
    bool owned;                       /* the member points to them, and the struct owns them */
    size_t count_offset, count_bytes; /* of the member of the struct that says how many; bytes 0: always all
                                         for which there is room */
    int more;                         /* than that member says: 1 where it counts what is between them */
    bool or_count; /* of numbers that it owns: how many there were, where the struct does not have them */
    size_t least;  /* as few as that are an array */
    const char *as_many; /* the member is there before: "as many as the base has"; NULL: it is set */
    bool lines;          /* red_file_kind_print begins a line for each */
    /* Of a list, in place of the table; `record` is the struct that has the list. NULL: by the table. */
    json_t *(*write)(const void *record, size_t i);
    void (*read)(struct red_reader *reader, json_t *from, void *record, size_t i);
};

struct red_field {
    const char *key; /* NULL ends a table */
    enum red_field_kind kind;
    size_t offset, bytes;            /* of the member within the struct */
    const struct red_field *members; /* of an object; their offsets are from the member on */
    struct {
        size_t offset,
            bytes;  /* where these bytes of the struct are 0 null is written, or nothing where it may */
    } if_set;       /* lack (RED_IF_SET); bytes 0: never */
    bool sets_flag; /* these bytes are a flag, which becomes true where the member is read (RED_IF_FLAG) */
    bool (*known)(const void *record); /* the same where this is false; NULL: never */
    uint64_t max;                      /* of a whole number, members of an object, elements; 0: any, and of
                                          elements those for which there is room */
    double least, most;                /* of other numbers; 0: any */
    bool may_lack;                     /* need not be there */
    const char *only; /* of members of an object, or within: "group_size groups"; NULL: all of the table */
    const char *const *names; /* of an enum (RED_NAMES) */
    size_t names_n;
    bool follows;                         /* of members within: the struct has a pointer to theirs */
    struct red_elements of;               /* of an array */
    json_t *(*write)(const void *member); /* NULL: no memory */
    /* NULL: what is written for people, and never read. */
    void (*read)(struct red_reader *reader, const json_t *from, const char *key, void *member);
};

/* The member's place; what else there is to say follows. */
#define RED_FIELD(type, json_key, field_kind, member)                                                        \
    .key = (json_key), .kind = RED_FIELD_##field_kind, .offset = offsetof(type, member),                     \
    .bytes = sizeof((type *)0)->member

#define RED_IF_SET(type, member)  .if_set = {offsetof(type, member), sizeof((type *)0)->member}
#define RED_IF_FLAG(type, member) RED_IF_SET(type, member), .sets_flag = true
#define RED_NAMES(array)          .names = (array), .names_n = sizeof(array) / sizeof((array)[0])

/* The elements of an array in the struct, and of one that it owns; what else there is to say follows. */
#define RED_ELEMENTS(type, member) .of.bytes = sizeof((type *)0)->member[0]
#define RED_OWNED(type, member)    .of.bytes = sizeof((type *)0)->member[0], .of.owned = true
#define RED_COUNT(type, member)                                                                              \
    .of.count_offset = offsetof(type, member), .of.count_bytes = sizeof((type *)0)->member

/* Puts the struct's members into an object, too, and gives it back; NULL, and the object is released, without
 * memory. */
json_t *red_fields_add(json_t *object, const struct red_field *fields, const void *record);

/* The struct as an object; NULL without memory. */
json_t *red_fields_json(const struct red_field *fields, const void *record);

/* Reads the members of an object, whatever the struct held before: what has no value is zero then, an ERROR
 * infinite. What an OWN field, a list or an owned text pointed to is not released. The first member that is
 * not as it must be is the reader's error; those behind it are not read. */
void red_fields_read(struct red_reader *reader, const json_t *from, const struct red_field *fields,
                     void *record);

/* ---- kinds of files --------------------------------------------------------------------------------------
 * What a file says of itself, and the table of what is in it. */

enum { RED_FILE_ARRAYS_MAX = 4, RED_PARSED_ARRAYS_MAX = 16 };

struct red_file_kind {
    const char *what;            /* "file of verify" */
    const char *name_key, *name; /* the member that names the kind, and the name; NULL: none */
    const char *name_words;      /* "a file of clreduce verify --output" */
    const char *marker;      /* a member that others do not have, of a kind without a name: one of `arrays`,
                                or an object */
    const char *version_key; /* the member with its version */
    unsigned version;
    const char
        *program_key; /* the member with the version of the program that wrote it, or an object with it */
    bool has_program; /* the table has that; otherwise it is this program's */
    const struct red_field *fields;
    const char *arrays[RED_FILE_ARRAYS_MAX]; /* those that are read element by element; NULL ends them */
    size_t digits;                           /* of real numbers */
    const char *end;                         /* what ends its lists of lines: "]" or "\n]" */
};

/* A file's text, parsed once. */
struct red_parsed {
    struct red_reader reader;
    json_t *root; /* owned; without the arrays that are read element by element */
    struct red_large_array arrays[RED_PARSED_ARRAYS_MAX];
};

/* Parses a text, which must stay, and which is of one of the kinds, as far as all of them need. `what` is
 * what it is to be, for messages. Release with _close. Errors: RED_E_INPUT for what is no JSON; RED_E_MEMORY.
 */
enum red_status red_parsed_open(const char *path, const char *what, const char *text, size_t text_n,
                                const struct red_file_kind *const *kinds, size_t kinds_n,
                                struct red_parsed *parsed, struct red_error *error);
void red_parsed_close(struct red_parsed *parsed);

/* Its array of that name, which is read element by element; NULL: it has none. */
struct red_large_array *red_parsed_array(struct red_parsed *parsed, const char *name);

/* Whether the text says that it is of the kind; which version it is of does not matter. */
bool red_parsed_is(const struct red_parsed *parsed, const struct red_file_kind *kind);

/* Reads the struct by the kind's table; `reading` is for the functions of that. Errors: RED_E_INPUT naming
 * the path and what is not as it must be; RED_E_MEMORY. The struct may be filled in part then. */
enum red_status red_parsed_read(struct red_parsed *parsed, const struct red_file_kind *kind, void *record,
                                const void *reading);

/* Opens, reads and closes. */
enum red_status red_file_kind_read(const struct red_file_kind *kind, const char *path, const char *text,
                                   size_t text_n, void *record, const void *reading, struct red_error *error);

/* Prints the struct as a file of the kind, by lines. Errors: RED_E_MEMORY; what could not be printed the
 * stream tells. */
enum red_status red_file_kind_print(const struct red_file_kind *kind, const void *record, FILE *out,
                                    struct red_error *error);

/* ---- the tables (tables.c) ----------------------------------------------------------------------------- */

/* The fields of struct red_tuning, red_geometry, red_device_info, red_evidence and red_host. */
extern const struct red_field red_tuning_fields[], red_geometry_fields[], red_device_info_fields[],
    red_evidence_fields[], red_host_fields[];

/* The fields of struct red_run, without its arrays. */
extern const struct red_field red_run_fields[];

/* The fields of struct red_run_device. */
extern const struct red_field red_device_fields[];

/* The fields of struct red_cell that are measured behind its samples, which are among its fields, too: a
 * journal keeps them apart. */
extern const struct red_field red_settled_fields[];

/* The strategy, operation and type of a struct red_at, with which whatever has one begins. */
extern const struct red_field red_at_fields[];

/* The fields of struct red_cell and struct red_accuracy, behind their device. */
extern const struct red_field red_cell_fields[], red_accuracy_fields[];

/* The settings from outside as JSON, keys sorted, for comparing them as text; the caller frees it. NULL
 * without memory. */
char *red_host_environment_text(const struct red_host *host);

#endif
