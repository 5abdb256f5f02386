/* What litmus tests have shown, for other programs and as a page. */
#ifndef CLREDUCE_LITMUS_OUTPUTS_H
#define CLREDUCE_LITMUS_OUTPUTS_H

#include "litmus/litmus.h"
#include "report/report.h"
#include "results/run.h"

/* All devices of a run, and their rows: tests_n of each, device by device. */
struct red_litmus_found {
    const struct red_run *run; /* its command, start, seed and host */
    const struct red_device_info *const *infos;
    size_t devices_n, tests_n;
    const struct red_litmus_row *rows;
};

/* Writes the files of --export, of kinds that take checks: a test for each row, "pocl/mp_rel_acq", of the
 * class "pocl.mp". `broken` is a failure and `failed` an error, `not-observable` is skipped, each with its
 * reason; of the others, a finding among them, system-out says what was seen. Errors: those of
 * red_exports_write. */
enum red_status red_litmus_export(const struct red_litmus_found *found, const struct red_output *output,
                                  struct red_error *error);

/* Writes a page with a chapter for each device, to `path` (NULL: the standard output). Errors: those of
 * red_file_write; RED_E_MEMORY. */
enum red_status red_litmus_write_page(const struct red_litmus_found *found,
                                      const struct red_page_format *format, const char *path,
                                      struct red_error *error);

#endif
