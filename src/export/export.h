/* Files for other programs: every kind of --export of bench and duel, and the way from a run to a file. */
#ifndef CLREDUCE_EXPORT_EXPORT_H
#define CLREDUCE_EXPORT_EXPORT_H

#include "export/suite.h"

struct red_export_format {
    const char *name;
    const char *summary; /* who reads it */
    red_export_writer *write;
    bool takes_checks; /* of verify, which have no times */
    bool says_lost;    /* its reader is told of a cell that should have a time and has none */
};
extern const struct red_export_format red_export_formats[];
extern const size_t red_export_formats_n;

/* Judges `KIND=FILE`s, before long work: the kinds are known, and the files can be written. Errors:
 * RED_E_INPUT. */
enum red_status red_exports_check_options(const char *const *kinds_and_paths, size_t n, bool of_checks,
                                          struct red_error *error);

/* Fails where a cell has no time though it should: a missing cell is an error, not a silence, even where
 * nothing else fails for it (a kernel of ours that a driver does not build). Errors: RED_E_BUILD. */
enum red_status red_export_refuse_lost_cells(const struct red_export *export, struct red_error *error);

/* Whether one of them goes to the standard output, where nothing else must go then. */
bool red_exports_use_stdout(const char *const *kinds_and_paths, size_t n);

/* Makes a clean copy of the export and writes `KIND=FILE`: a whole file or none; "-" is the standard output.
 * Lost cells that the format cannot tell of are told on stderr. Errors: RED_E_INPUT for an unknown kind, with
 * the valid ones and the nearest; those of the writers and of red_file_open, with the option they belong to;
 * RED_E_MEMORY. */
enum red_status red_export_write(const struct red_export *export, const char *kind_and_path,
                                 struct red_error *error);

/* Writes them all, whatever becomes of some; the first error is returned, others are told on stderr. */
enum red_status red_exports_write(const struct red_export *export, const char *const *kinds_and_paths,
                                  size_t n, struct red_error *error);

#endif
