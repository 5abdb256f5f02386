/* Writes what litmus tests have shown as JUnit (--export junit) and as a page (--format html, md). */
#include "litmus/outputs.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "export/export.h"

/* ---- JUnit --------------------------------------------------------------------------------------------- */

/* A finding has passed: the device does not promise what it did not keep, or the text leaves it open. */
static const enum red_state states[RED_LITMUS_ANSWERS_N] = {
    [RED_LITMUS_BROKEN] = RED_STATE_WRONG,  [RED_LITMUS_FINDING] = RED_STATE_PASS,
    [RED_LITMUS_FAILED] = RED_STATE_FAILED, [RED_LITMUS_SEEN] = RED_STATE_PASS,
    [RED_LITMUS_NOT_SEEN] = RED_STATE_PASS, [RED_LITMUS_NOT_OBSERVABLE] = RED_STATE_UNSUPPORTED,
};

/* What stands beside a row in a report. */
struct row_texts {
    char name[128], reason[512], details[1024];
};

static void format_texts(const struct red_litmus_found *found, const struct red_device_info *info,
                         const struct red_litmus_row *row, struct row_texts *texts) {
    const struct red_litmus_test *test = row->test;
    const struct red_short_text outcome = red_litmus_outcome_text(test, &row->outcome);
    const char *seen = row->reason[0] != '\0' ? row->reason : outcome.text;
    snprintf(texts->name, sizeof texts->name, "%s/%s", info->id, test->name);
    snprintf(texts->reason, sizeof texts->reason, "%s", seen);
    if (row->answer == RED_LITMUS_BROKEN)
        red_text_add(texts->reason, sizeof texts->reason, "; forbidden by %s", test->section);
    snprintf(texts->details, sizeof texts->details, "%s: %s\n%s; %s, %s",
             red_litmus_answer_names[row->answer], seen, test->idea, red_litmus_verdict_names[row->verdict],
             test->section);
    if (row->answer == RED_LITMUS_FINDING)
        red_text_add(texts->details, sizeof texts->details, "\n%s%s",
                     test->unsettled[0] != '\0' ? "not settled: " : "the device does not advertise it",
                     test->unsettled);
    red_text_add(texts->details, sizeof texts->details,
                 "\n%s, driver %s\nagain: clreduce litmus --device %s --test %s --seed %llu", info->name,
                 info->driver, info->id, test->name, (unsigned long long)found->run->seed);
}

enum red_status red_litmus_export(const struct red_litmus_found *found, const struct red_output *output,
                                  struct red_error *error) {
    const size_t rows_n = found->devices_n * found->tests_n;
    struct red_export_device devices[RED_CLIENTS_MAX] = {{.id = NULL}};
    struct red_export_cell *cells = calloc(rows_n + 1, sizeof *cells);
    struct row_texts *texts = calloc(rows_n + 1, sizeof *texts);
    const bool has_room = cells != NULL && texts != NULL;
    char machine[160];
    for (size_t i = 0; i < rows_n && has_room; i++) {
        const struct red_litmus_row *row = &found->rows[i];
        const struct red_device_info *info = found->infos[i / found->tests_n];
        format_texts(found, info, row, &texts[i]);
        cells[i] = (struct red_export_cell){.name = texts[i].name,
                                            .device = info->id,
                                            .strategy = red_litmus_family_names[row->test->family],
                                            .op = "",
                                            .type = "",
                                            .state = states[row->answer],
                                            .reason = texts[i].reason,
                                            .untimed = true,
                                            .code = red_litmus_answer_names[row->answer],
                                            .details = texts[i].details};
        devices[i / found->tests_n].id = info->id;
        devices[i / found->tests_n].took_s += row->outcome.took_s;
    }
    red_host_processor_format(&found->run->host, machine, sizeof machine);
    const struct red_export export = {.title = "clreduce litmus",
                                      .command = found->run->command,
                                      .started = found->run->started,
                                      .machine = machine,
                                      .version = found->run->version,
                                      .cells = cells,
                                      .cells_n = rows_n,
                                      .devices = devices,
                                      .devices_n = found->devices_n};
    enum red_status status = has_room
                                 ? red_exports_write(&export, output->exports, output->exports_n, error)
                                 : red_fail(error, RED_E_MEMORY, "no memory to export %zu tests", rows_n);
    free(cells);
    free(texts);
    return status;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

/* What a file is made of. */
struct page_output {
    const struct red_litmus_found *found;
    const struct red_page_format *format;
};

/* A red_file_writer, of a struct page_output. */
static enum red_status write_page(const void *what, FILE *out, struct red_error *error) {
    const struct page_output *output = what;
    const struct red_litmus_found *found = output->found;
    struct red_page_chapter *chapters = calloc(found->devices_n + 1, sizeof *chapters);
    if (chapters == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a page");
    for (size_t d = 0; d < found->devices_n; d++) {
        const struct red_device_info *info = found->infos[d];
        struct red_page_chapter *chapter = &chapters[d];
        snprintf(chapter->title, sizeof chapter->title, "%s: %s", info->id, info->name);
        snprintf(
            chapter->text, sizeof chapter->text,
            "Driver %s, OpenCL %u.%u. How often the weak outcome of each test was seen, after how long, and "
            "beside it how often its mutant was that was seen most. By %s, %s, seed %llu.",
            info->driver, info->api_version / 10, info->api_version % 10, found->run->command,
            found->run->started, (unsigned long long)found->run->seed);
        chapter->table = red_litmus_short_table(&found->rows[d * found->tests_n], found->tests_n, NULL);
    }
    enum red_status status = red_page_write_chapters("Memory model: litmus tests", chapters, found->devices_n,
                                                     output->format, out, error);
    for (size_t d = 0; d < found->devices_n; d++)
        red_table_destroy(chapters[d].table);
    free(chapters);
    return status;
}

enum red_status red_litmus_write_page(const struct red_litmus_found *found,
                                      const struct red_page_format *format, const char *path,
                                      struct red_error *error) {
    return red_file_write(path, write_page, &(const struct page_output){found, format}, error);
}
