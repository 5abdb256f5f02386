/* The last chapters of `report`: what did not run, how it was measured, the limits of the figures, how to
 * make it again; and, in the chapter of each section, the errors that `bench --accuracy` stored.
 * red_report_write has them written for the files named to `report`; the user sees them on its page. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/select.h"
#include "core/text.h"
#include "model/primitive.h"
#include "report/report_private.h"
#include "results/again.h"
#include "results/steadiness.h"

enum { NOT_RUN_ROWS_MAX = 200, TEXT_BYTES = 640 };

/* ---- what did not run ---------------------------------------------------------------------------------- */

/* Cells of a strategy on a device that follow each other and did not run for one reason, whatever the
 * operation, type and n: a row of the table. */
struct not_run_range {
    const struct red_cell *first;
    uint64_t low, high;
    size_t cells_n;
    char what[96];
};

/* The range that begins with a cell; *end: the index behind its last one. */
static struct not_run_range not_run_range_from(const struct red_run *run, size_t at, size_t *end) {
    struct not_run_range range = {
        .first = &run->cells[at], .low = run->cells[at].at.n, .high = run->cells[at].at.n};
    bool one_table = true;
    for (*end = at; *end < run->cells_n; (*end)++) {
        const struct red_cell *cell = &run->cells[*end];
        if (!red_at_is_same(&cell->at, &range.first->at, RED_AT(DEVICE) | RED_AT(STRATEGY)) ||
            !red_cells_ended_alike(cell, range.first))
            break;
        range.cells_n++;
        range.low = cell->at.n < range.low ? cell->at.n : range.low;
        range.high = cell->at.n > range.high ? cell->at.n : range.high;
        one_table = one_table && red_at_is_same(&cell->at, &range.first->at, RED_AT_TABLE);
    }
    snprintf(range.what, sizeof range.what, "%.40s of %.40s%s", range.first->at.op->name,
             range.first->at.dtype->name, one_table ? "" : " and others");
    return range;
}

/* Adds a row to the table "Not timed". */
static void add_not_run_row(const struct red_report *report, struct red_table *table, size_t file,
                            const struct not_run_range *range) {
    const struct red_cell *cell = range->first;
    red_table_put(table, "%s", cell->at.strategy->name);
    red_table_put(table, "%s%s", red_report_letter(report, file, " ").text,
                  report->loaded->results[file].run.devices[cell->device].info.id);
    red_table_put(table, "%s", range->what);
    red_table_put(table, range->low < range->high ? "%s ... %s" : "%s", red_size_text(range->low).text,
                  red_size_text(range->high).text);
    RED_PUT(table, red_state_name(cell->state), cell->reason[0] ? cell->reason : "-");
}

void red_method_write_not_run(const struct red_report *report, struct red_page *page) {
    struct red_table *table = red_table_create("strategy|device|of|n|state|reason@60");
    size_t rows_n = 0, more_n = 0, left_out_n = 0;
    char text[TEXT_BYTES];
    red_page_begin_chapter(page, "not-run", "What did not run, and why");
    for (size_t r = 0; r < report->loaded->results_n; r++) {
        const struct red_run *run = &report->loaded->results[r].run;
        left_out_n += report->loaded->results[r].left_out_n;
        for (size_t at = 0, end; at < run->cells_n; at = end) {
            end = at + 1;
            if (run->cells[at].state == RED_STATE_PASS)
                continue;
            const struct not_run_range range = not_run_range_from(run, at, &end);
            if (rows_n++ < NOT_RUN_ROWS_MAX)
                add_not_run_row(report, table, r, &range);
            else
                more_n += range.cells_n;
        }
    }
    page->format->text(
        page, rows_n == 0 ? "Everything that was asked for ran, and every result was right."
                          : "Every cell is verified before it is timed; what is listed here has no time.");
    red_page_put_and_destroy_table(page, "Not timed", table);
    snprintf(text, sizeof text, "%zu more cells were not timed; clreduce compare --drivers lists them all.",
             more_n);
    if (more_n > 0)
        page->format->text(page, text);
    snprintf(text, sizeof text, "%zu cells are of operations or types that this version does not know.",
             left_out_n);
    if (left_out_n > 0)
        page->format->text(page, text);
    red_page_end_chapter(page);
}

/* ---- how it was measured ------------------------------------------------------------------------------- */

/* Adds a device to the table "Devices". */
static void add_device_row(const struct red_report *report, struct red_table *table, size_t file,
                           const struct red_run_device *device) {
    const struct red_device_info *info = &device->info;
    const struct red_event_clock *clock = &device->event_clock;
    const bool is_host = device->is_host;
    red_table_put(table, "%s%s", red_report_letter(report, file, " ").text, info->id);
    RED_PUT(table, info->name, is_host ? "-" : info->platform, is_host ? "-" : info->version,
            is_host ? "-" : info->driver);
    red_table_put(table, "%u", info->shape.compute_units);
    red_table_put(table, "%s", red_rate_text(device->roof_bytes_per_s).text);
    red_table_put(table, "%s%s",
                  !clock->checked  ? "-"
                  : clock->trusted ? "trusted"
                                   : "not trusted: ",
                  clock->checked && !clock->trusted ? clock->reason : "");
}

/* Writes the table "Devices": a row for each device of each result file. */
static void write_devices(const struct red_report *report, struct red_page *page) {
    struct red_table *table =
        red_table_create("device|name@30|platform@20|version@20|driver|units>|roof, GB/s>|event times@30");
    for (size_t r = 0; r < report->loaded->results_n; r++)
        for (size_t d = 0; d < report->loaded->results[r].run.devices_n; d++)
            add_device_row(report, table, r, &report->loaded->results[r].run.devices[d]);
    red_page_put_and_destroy_table(page, "Devices", table);
}

/* Adds a row to the table "Runs". */
static void add_run_row(struct red_table *table, const char *letter, const struct red_result *result) {
    const struct red_run *run = &result->run;
    red_table_put(table, "%s%s", letter, result->path);
    red_table_put(table, "%s", run->started);
    red_table_put(table, "%.0f", run->wall_s);
    red_table_put(table, "%s%s", result->machine, run->host.kept_awake ? ", kept awake" : "");
    red_table_put(table, "%u", run->host.cores_n);
    red_table_put(table, "%.1f", run->host.load);
    RED_PUT(table, run->host.system, red_run_program_text(run).text);
    red_table_put(table, "%llu", (unsigned long long)run->seed);
    red_table_put(table, "%.3g", run->time_per_cell_s);
}

/* Writes the table "Runs": a row for each result file, another program's last. */
static void write_runs(const struct red_report *report, struct red_page *page) {
    struct red_table *table = red_table_create("file@30|started|took, s>|machine@40|cores>|load>|system@30|"
                                               "program|seed>|s per cell>");
    for (size_t r = 0; r < report->loaded->results_n; r++)
        add_run_row(table, red_report_letter(report, r, " ").text, &report->loaded->results[r]);
    for (size_t p = 0; p < report->loaded->peers_n; p++)
        add_run_row(table, "", &report->loaded->peers[p]);
    red_page_put_and_destroy_table(page, "Runs", table);
}

/* Writes what limits the figures: unsteady cells, few samples, and what else a careful reader asks first. */
static void write_limits(const struct red_report *report, struct red_page *page) {
    for (size_t r = 0; r < report->loaded->results_n; r++) {
        const struct red_run *run = &report->loaded->results[r].run;
        char text[TEXT_BYTES];
        size_t unsteady_n = 0, few_n = 0, timed_n = 0;
        for (size_t i = 0; i < run->cells_n; i++) {
            const struct red_cell *cell = &run->cells[i];
            timed_n += cell->samples_n > 0;
            unsteady_n += cell->samples_n > 0 && red_cell_is_unsteady(cell);
            few_n += cell->samples_n > 0 && cell->samples_n < 6;
        }
        const double share = red_run_others_share(run);
        char others[96] = "Nothing tells what other programs took of the processors.";
        if (share >= 0)
            snprintf(others, sizeof others, "Other programs took %.0f %% of the processors' time.",
                     100 * share);
        snprintf(text, sizeof text,
                 "%s%zu cells were timed; %zu of them are unsteady (a 95 %% interval wider than half the "
                 "median), and %zu have fewer than 6 samples, which is too few for an interval. %s",
                 red_report_letter(report, r, ": ").text, timed_n, unsteady_n, few_n, others);
        page->format->text(page, text);
    }
}

/* Writes what a time to answer is, of each primitive that the files have. */
static void write_times(const struct red_report *report, struct red_page *page) {
    size_t there_n = 0;
    for (int p = 0; p < RED_PRIMITIVES_N; p++)
        there_n += red_loaded_files_have_primitive(report->loaded, (enum red_primitive)p);
    for (int p = 0; p < RED_PRIMITIVES_N; p++) {
        const struct red_primitive_row *row = &red_primitives[p];
        char text[TEXT_BYTES];
        if (there_n > 0 && !red_loaded_files_have_primitive(report->loaded, (enum red_primitive)p))
            continue;
        snprintf(text, sizeof text,
                 "Time to answer%s%s is on the host's clock, with the input resident on the device: from the "
                 "first enqueue until %s. It holds %s. Every cell was verified against %s before it was "
                 "timed. Cells took turns in random order, in batches that span at least 1000 steps of the "
                 "clock, after calls that are not timed.",
                 there_n > 1 ? " of " : "", there_n > 1 ? row->nouns : "", row->answer, row->holds,
                 row->truth);
        page->format->text(page, text);
        if (there_n == 0)
            break;
    }
}

void red_method_write_conditions(const struct red_report *report, struct red_page *page) {
    red_page_begin_chapter(page, "method", "How it was measured");
    write_times(report, page);
    page->format->text(page,
                       "Medians have distribution-free 95 % intervals of this process alone: medians of two "
                       "runs of one program differ by 5 to 16 % on a shared machine. So compare within one "
                       "run, and use clreduce duel to decide whether something became slower.");
    write_limits(report, page);
    write_devices(report, page);
    write_runs(report, page);
    red_page_end_chapter(page);
}

/* ---- again --------------------------------------------------------------------------------------------- */

/* What the files state as the commands that made them. */
struct stated_commands {
    FILE *own, *others; /* calls of clreduce, each a line to paste; and what is told as text alone */
    const char *word;   /* between two texts */
};

/* Adds the command that the file states: one of clreduce's to those to paste. */
static void add_stated(struct stated_commands *stated, const char *path, const char *command) {
    if (red_again_is_own_command(command)) {
        fprintf(stated->own, "%s\n", command);
    } else if (command[0] != '\0') {
        fprintf(stated->others, "%s%s: \"%s\"", stated->word, path, command);
        stated->word = "; ";
    }
}

static void add_all_stated(const struct red_loaded_files *loaded, struct stated_commands *stated) {
    for (size_t r = 0; r < loaded->results_n; r++)
        add_stated(stated, loaded->results[r].path, loaded->results[r].run.command);
    for (size_t p = 0; p < loaded->peers_n; p++)
        add_stated(stated, loaded->peers[p].path, loaded->peers[p].run.command);
    for (size_t c = 0; c < loaded->checks_n; c++)
        add_stated(stated, loaded->checks[c].result.path, loaded->checks[c].result.run.command);
    for (size_t r = 0; r < loaded->ranks_n; r++)
        add_stated(stated, loaded->ranks[r].result.path, loaded->ranks[r].result.run.command);
    for (size_t r = 0; r < loaded->ranks_n; r++)
        for (size_t p = 0; p < loaded->ranks[r].peers_n; p++)
            add_stated(stated, loaded->ranks[r].peers[p].path, loaded->ranks[r].peers[p].run.command);
}

/* Prints the command that makes this page. */
static void print_own_command(const struct red_report *report, FILE *out) {
    fprintf(out, "clreduce report");
    for (size_t i = 0; i < report->files_n; i++)
        red_shell_quoted_print(out, " ", report->files[i]);
    if (report->primitive != NULL)
        fprintf(out, " --primitive %s", red_primitive_names[*report->primitive]);
    if (report->device != NULL)
        red_shell_quoted_print(out, " --device ", report->device);
    if (report->op != NULL)
        red_shell_quoted_print(out, " --op ", report->op);
    if (report->type != NULL)
        red_shell_quoted_print(out, " --type ", report->type);
    fprintf(out, " --output report.html");
}

void red_method_write_commands(const struct red_report *report, struct red_page *page) {
    char *own = NULL, *others = NULL;
    size_t own_n = 0, others_n = 0;
    struct stated_commands stated = {.word = ""};
    stated.own = red_memstream_open(&own, &own_n);
    stated.others = red_memstream_open(&others, &others_n);
    if (stated.own != NULL && stated.others != NULL) {
        fputs("Other programs made, as these files state and nobody has checked: ", stated.others);
        add_all_stated(report->loaded, &stated);
        fputs(".", stated.others);
        print_own_command(report, stated.own);
    }
    bool whole = stated.own != NULL && red_memstream_close(stated.own, &own);
    whole = stated.others != NULL && red_memstream_close(stated.others, &others) && whole;
    if (whole) {
        red_page_begin_chapter(page, "again", "Make it again");
        page->format->code(page, own);
        if (stated.word[0] != '\0')
            page->format->text(page, others);
        red_page_end_chapter(page);
    } else {
        red_memory_note_failure();
    }
    free(own);
    free(others);
}

/* ---- accuracy ------------------------------------------------------------------------------------------ */

enum { DATA_MAX = 16 };

/* Whether an error that bench --accuracy stored is of a right result and of the source's device and table. */
static bool is_right_accuracy_of(const struct red_accuracy *found, const struct red_series_source *source) {
    return found->state == RED_STATE_PASS && found->device == source->view.device &&
           red_at_is_same(&found->at, &source->view.at, RED_AT_TABLE);
}

/* The kinds of data that the source has errors for, in the file's order. */
static size_t list_data_kinds(const struct red_series_source *source, const char *data[DATA_MAX]) {
    const struct red_run *run = &source->result->run;
    size_t n = 0;
    for (size_t i = 0; i < run->accuracies_n && n < DATA_MAX; i++) {
        bool is_new = is_right_accuracy_of(&run->accuracies[i], source);
        for (size_t k = 0; k < n && is_new; k++)
            is_new = strcmp(data[k], run->accuracies[i].at.data) != 0;
        if (is_new)
            data[n++] = run->accuracies[i].at.data;
    }
    return n;
}

/* The error that bench --accuracy stored of a strategy on a kind of data; NULL: none. */
static const struct red_accuracy *find_accuracy(const struct red_series_source *source,
                                                const struct red_strategy *strategy, const char *data) {
    const struct red_run *run = &source->result->run;
    for (size_t i = 0; i < run->accuracies_n; i++)
        if (is_right_accuracy_of(&run->accuracies[i], source) && run->accuracies[i].at.strategy == strategy &&
            strcmp(run->accuracies[i].at.data, data) == 0)
            return &run->accuracies[i];
    return NULL;
}

/* Adds a strategy's row: its error on each kind of data, and the largest share of its bound. */
static void add_accuracy_row(struct red_table *table, const struct red_series_source *source,
                             const struct red_strategy *strategy, const char *const *data, size_t data_n) {
    double share = 0;
    red_table_put(table, "%s", strategy->name);
    for (size_t k = 0; k < data_n; k++) {
        const struct red_accuracy *found = find_accuracy(source, strategy, data[k]);
        red_table_put(table, found ? "%.2g" : "", found ? found->error_in_units : 0);
        share = found && isfinite(found->share_of_bound) ? fmax(share, found->share_of_bound) : share;
    }
    red_table_put(table, "%s %%", red_percent_text(share).text);
}

/* Writes the table of a source's errors: a row for each strategy, a column for each kind of data. */
static void write_accuracy_table(struct red_page *page, const struct red_series_source *source,
                                 const char *const *data, size_t data_n) {
    const struct red_run *run = &source->result->run;
    char caption[160];
    struct red_table *table = red_table_create("strategy");
    for (size_t k = 0; k < data_n; k++)
        red_table_add_column(table, data[k], true, 0);
    red_table_add_columns(table, "of bound, at most>");
    const struct red_strategy *last = NULL;
    for (size_t i = 0; i < run->accuracies_n; i++) {
        const struct red_accuracy *found = &run->accuracies[i];
        if (!is_right_accuracy_of(found, source) || found->at.strategy == last)
            continue;
        last = found->at.strategy;
        add_accuracy_row(table, source, last, data, data_n);
    }
    snprintf(caption, sizeof caption, "%s: error on data that is hard to add", source->label);
    red_page_put_and_destroy_table(page, caption, table);
}

void red_method_write_accuracy(struct red_page *page, const struct red_section *section) {
    bool is_explained = false;
    for (size_t s = 0; s < section->sources_n; s++) {
        const char *data[DATA_MAX];
        const size_t data_n = list_data_kinds(&section->sources[s], data);
        if (data_n == 0)
            continue;
        if (!is_explained)
            page->format->text(
                page,
                "Errors on data that is hard to add: ones that are more than a float can count, sums that "
                "nearly cancel (condition: the sum of all |terms| by the sum), terms of very different size. "
                "In units of what a single rounding may cost, u times the sum of all |terms|, and as the "
                "largest share of the strategy's own bound.");
        is_explained = true;
        write_accuracy_table(page, &section->sources[s], data, data_n);
    }
}
