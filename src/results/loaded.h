/* The files that a command line names, each read once whatever it is: result files, files of `verify`, fleet
 * files of both, and folders of all these. */
#ifndef CLREDUCE_RESULTS_LOADED_H
#define CLREDUCE_RESULTS_LOADED_H

#include <stdint.h>
#include <stdio.h>

#include "results/result.h"
#include "results/scalings.h"
#include "results/verify_file.h"

/* A run over ranks, and beside it the files of another program over the same devices; owned. */
struct red_loaded_ranks {
    struct red_result result;
    struct red_result *peers;
    size_t peers_n;
    struct red_ranks_pivot pivot; /* of all of these */
};

/* A run's text, which two runs must not have in common. */
struct red_loaded_text {
    uint64_t hash;
    char path[256]; /* as in struct red_result */
};

struct red_loaded_files {
    struct red_result *results; /* owned, as all arrays here; each in the order of the command line */
    size_t results_n;
    struct red_verify_file *checks;
    size_t checks_n;
    struct red_result
        *peers; /* another program's, of _load_with_times; for report those over ranks are below */
    size_t peers_n;
    struct red_loaded_ranks *ranks; /* runs over ranks, for report; otherwise they are among the results */
    size_t ranks_n;
    struct red_loaded_text *texts; /* of results and files of `verify` */
    size_t texts_n;
};

/* Reads the files. A path may be a folder: all *.json in it that hold results or checks, by name, each as if
 * it were named; others are counted and named to `out`, in one line, and so are another program's times but
 * for report. A fleet file is read as the runs that it
 * holds. For report, runs over ranks stand apart from the others, another program's beside the first run over
 * the same devices. Release with _clear, in any case. Errors: those of red_file_read, of files of 512 MiB at
 * most, red_result_read and red_verify_file_read; RED_E_INPUT for a folder or a fleet file that holds
 * neither. */
enum red_status red_loaded_files_load(const char *const *paths, size_t n,
                                      const struct red_catalogue *catalogue, bool for_report,
                                      struct red_loaded_files *loaded, FILE *out, struct red_error *error);
void red_loaded_files_clear(struct red_loaded_files *loaded);

/* The same for answers that are made of times, with another program's files apart from the results, which
 * `out` is told of but for report: RED_E_INPUT, too, where no result file is among them, and no run over
 * ranks without another program's times on one device, or two are the same, byte for byte: a run that counts
 * twice makes intervals narrower than it may. Prints to `out` a line for each device of the files of `verify`
 * that is in no result file, so that what was wrong on it bans nothing. */
enum red_status red_loaded_files_load_with_times(const char *const *paths, size_t n,
                                                 const struct red_catalogue *catalogue, bool for_report,
                                                 struct red_loaded_files *loaded, FILE *out,
                                                 struct red_error *error);

/* Whether a result file has cells of the primitive. */
bool red_loaded_files_have_primitive(const struct red_loaded_files *loaded, enum red_primitive primitive);

/* Drops the devices of result files that the patterns of --device do not choose, with all that is of them,
 * and files without a device then; `patterns` NULL: none. Files of `verify` stay: what they found on a
 * device counts for the device alone. So do files of `bench --ranks` of which a rank has a chosen device, and
 * another program's on a device that stays.
 * Errors: RED_E_INPUT for a pattern that chooses nothing, naming the devices that there are; RED_E_MEMORY. */
enum red_status red_loaded_files_keep_devices(struct red_loaded_files *loaded, const char *patterns,
                                              struct red_error *error);

/* Drops what is of another primitive: cells of result files, files without cells then, another program's,
 * too, and files of `verify`. `primitive` NULL: nothing. Errors: RED_E_INPUT where nothing is left, naming
 * what the files have; RED_E_MEMORY. */
enum red_status red_loaded_files_keep_primitive(struct red_loaded_files *loaded,
                                                const enum red_primitive *primitive, struct red_error *error);

/* Writes "sum of f32, min of i32": what the result files have, each once. */
void red_loaded_files_titles_format(const struct red_loaded_files *loaded, char *text, size_t text_bytes);

/* RED_E_INPUT: the files have not what is asked for ("no max of f32 on device *"); says which questions and
 * devices they have. */
enum red_status red_loaded_files_fail_lacking(const struct red_loaded_files *loaded, const char *asked,
                                              struct red_error *error);

#endif
