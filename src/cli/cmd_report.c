/* The verb `report`: result files as a page (--format html, md) or as one picture (svg); src/report makes
 * it. */
#include <stdio.h>

#include "cli/options.h"
#include "report/report.h"

static const struct red_page_format *const formats[RED_FORMATS_N] = {
    [RED_FORMAT_HTML] = &red_page_html, [RED_FORMAT_MARKDOWN] = &red_page_markdown, [RED_FORMAT_SVG] = NULL};

/* Writes the page or the chart to --output or the standard output. */
static enum red_status run_report(const struct red_options *options, struct red_error *error) {
    const struct red_report wanted = {.primitive = red_selection_given_primitive(&options->selection),
                                      .op = options->selection.op,
                                      .type = options->selection.type,
                                      .device = options->selection.device,
                                      .picture = options->picture};
    if (options->picture != NULL && options->output.format != RED_FORMAT_SVG)
        return red_fail(error, RED_E_INPUT,
                        "--picture chooses what --format svg writes; add it, or leave --picture out");
    if (red_options_check_has_files(options, "report RESULT.json... wants", error) != RED_OK)
        return RED_E_INPUT;
    return red_report_write_from_files(options->files, options->files_n, &wanted,
                                       formats[options->output.format],
                                       options->output.path ? options->output.path : "-", stdout, error);
}

const struct red_verb red_verb_report = {
    .name = "report",
    .summary = "makes a page of result files: pictures, figures, and what they say",
    .options = RED_OUTPUT_OPTIONS | RED_BIT(PRIMITIVE) | RED_BIT(DEVICE) | RED_BIT(OP) | RED_BIT(TYPE) |
               RED_BIT(PICTURE),
    .formats = RED_FORMAT_BIT(HTML) | RED_FORMAT_BIT(MARKDOWN) | RED_FORMAT_BIT(SVG),
    .files = "FILE...",
    .ends_at_once = true,
    .documentation =
        "Shows result files (bench --output) as one page: first what 2.x buys over 1.x, then times, "
        "bandwidth, who is fastest where, speed-up, errors, what did not run and why, how it was measured. "
        "What was wrong in files of verify --output beside them is told first, too. Files of bench --ranks "
        "have chapters of their own, or a page of their own where they are alone: times, efficiency and "
        "parts of the time against the number of ranks. html is one file that needs neither network nor "
        "script; md is for a pull request or a log, svg is one picture alone, --picture's or the "
        "page's first: 2.x against 1.x, a panel for each primitive, or the efficiency of ranks; of several "
        "devices that of the one with most lines, and --device chooses. Each says in itself of which device, "
        "driver, type, date and version it is. Several files stand side by side, each named by a "
        "letter; a folder stands for all *.json in it. Another program's times, as of bench/cuda/cub, stand "
        "beside those of the run that began nearest."
        "Example: clreduce report results/cpu-2-cores.json --output report.html\n"
        "Example: clreduce report pocl.json intel.json --output drivers.html\n"
        "Example: clreduce report result.json --op sum --type f32 --format md\n"
        "Example: clreduce report result.json --device intel --format svg --picture time --output time.svg\n"
        "Example: clreduce report reductions.json scans.json --primitive scan --output scans.html",
    .run = run_report,
};
