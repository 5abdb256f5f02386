/* The result file: one canonical JSON per run, schema version 2 (results/result.schema.json). bench writes
 * one from struct red_run; report, compare, recommend and emit read it back into one. */
#ifndef CLREDUCE_RESULTS_RESULT_H
#define CLREDUCE_RESULTS_RESULT_H

#include "core/text.h"
#include "model/catalogue.h"
#include "results/run.h"
#include "results/strangers.h"

/* Writes the run as JSON to `path` by way of a temporary file beside it, so that a file of that name is
 * always whole. "-" is the standard output. Errors: RED_E_INPUT if it cannot be written (the reason is
 * named), RED_E_MEMORY. */
enum red_status red_result_write_json(const struct red_run *run, const char *path, struct red_error *error);

/* The same as CSV: one line per cell, times in seconds, empty where there is none. */
enum red_status red_result_write_csv(const struct red_run *run, const char *path, struct red_error *error);

/* All cells of one operation, type, shape (segments of any number and length are one shape) and number of
 * bins, over ranks of one number of them and way of scaling, with uniform data; beside it, where a histogram
 * was timed with other data, the slowest of all. */
struct red_query {
    struct red_at at;         /* axes RED_AT_QUERY; the shape without the numbers of segments */
    struct red_shape shape;   /* the same shape: kind and text only */
    struct red_cell *slowest; /* owned: cells of `run` where it is of slowest data; otherwise NULL */
    struct red_run run;       /* the same run with these cells alone; all else is borrowed but `ordered` */
};

/* Data of a query's axes that stand for the slowest of several. */
#define RED_DATA_SLOWEST "slowest"
bool red_query_is_of_slowest(const struct red_query *query);

/* "sum of f32", and the shape unless it is one array; "sum of f32 over 4 ranks, weak scaling". */
struct red_short_text red_query_title(const struct red_query *query);

/* A loaded result, which another version, machine or person may have written. Nothing in a file is believed:
 * reading it ends in a run whose values are in range, or in one sentence that says what is wrong. */
struct red_result {
    char path[256];            /* as it was given; cut */
    char machine[256];         /* as red_host_machine_format writes it */
    struct red_run run;        /* cells of one query stand together */
    struct red_query *queries; /* owned; in the order in which the file first has their cells */
    size_t queries_n;
    size_t left_out_n; /* cells of operations and types that this program does not know: of no query */
    struct red_strangers strangers; /* of whom its cells are, or its checks */
};

/* Reads a result file from its text_n bytes; `path` is for messages. Strategies are those of the catalogue,
 * which must live longer, or strangers; without a catalogue (NULL) all are. Release with red_result_clear.
 * Errors: RED_E_INPUT naming the file and what in it is not as it must be: "a.json: cells[3].n: expected a
 * whole number from 0"; RED_E_MEMORY. */
enum red_status red_result_read(const char *path, const char *text, size_t text_n,
                                const struct red_catalogue *catalogue, struct red_result *result,
                                struct red_error *error);

/* What a result file says of itself, and the same from what was parsed. */
extern const struct red_file_kind red_result_kind;
struct red_parsed;
enum red_status red_result_take(struct red_parsed *parsed, const struct red_catalogue *catalogue,
                                struct red_result *result);
void red_result_clear(struct red_result *result);

/* A cell of a run over ranks as a file has it, with all digits, and read back, for a journal: by the run's
 * devices and ranks. NULL without memory. False where it is no such cell, of strategies of the catalogue:
 * nothing is kept then. */
struct json_t *red_cell_json(const struct red_run *run, const struct red_cell *cell);
bool red_cell_read(const struct json_t *from, const struct red_run *run,
                   const struct red_catalogue *catalogue, struct red_cell *cell);

/* For the two that read and drop cells: orders the run's cells by query, those of each as they stood, and
 * finds the queries. Cells of operations or types that this program does not have are of none; left_out_n is
 * their number. _clear drops them. Errors: RED_E_MEMORY. */
enum red_status red_queries_make(struct red_result *result, struct red_error *error);
void red_queries_clear(struct red_result *result);

/* Drops all cells and accuracies that are of another primitive; of reductions those of unknown operations
 * stay. Errors: RED_E_MEMORY. */
enum red_status red_result_keep_primitive(struct red_result *result, enum red_primitive primitive,
                                          struct red_error *error);

/* Drops the devices, other than the host, that the patterns of --device do not choose, and their cells and
 * accuracies: ids, globs or part of a name (red_device_info_is_selected, of the devices `infos`, which are
 * those of all files). Errors: RED_E_MEMORY. */
enum red_status red_result_keep_devices(struct red_result *result, const struct red_device_info *infos,
                                        size_t infos_n, const char *patterns, struct red_error *error);

/* The result's cells of the same operation, type and shape, or NULL. */
const struct red_query *red_result_find_query(const struct red_result *result, const struct red_query *query);

/* Whether the query is of uniform data, and the result has the slowest data, uniform among them, beside it:
 * then advice is by those. */
bool red_result_has_slowest(const struct red_result *result, const struct red_query *query);

/* Finds in `result` the device that is number `others_device` of `other`: same id, name, driver and machine;
 * or -1. `report` and `recommend` join several files of one device by it. */
long red_result_find_device(const struct red_result *result, const struct red_result *other,
                            size_t others_device);

#endif
