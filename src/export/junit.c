/* --export junit: a test report for Jenkins and GitLab. For export/export.c; libxml2 writes it. */
#include <libxml/xmlwriter.h>
#include <string.h>

#include "export/suite.h"

#define TEXT(text) ((const xmlChar *)(text))

/* What is being written; the first failure, which is one of memory, stays. */
struct writer {
    xmlTextWriterPtr xml;
    bool failed;
};

static void begin_element(struct writer *w, const char *element) {
    w->failed |= xmlTextWriterStartElement(w->xml, TEXT(element)) < 0;
}

static void end_element(struct writer *w) {
    w->failed |= xmlTextWriterEndElement(w->xml) < 0;
}

static void put_attribute(struct writer *w, const char *name, const char *value) {
    w->failed |= xmlTextWriterWriteAttribute(w->xml, TEXT(name), TEXT(value)) < 0;
}

static void put_string(struct writer *w, const char *value) {
    w->failed |= xmlTextWriterWriteString(w->xml, TEXT(value)) < 0;
}

static void put_count(struct writer *w, const char *name, size_t n) {
    char value[24];
    snprintf(value, sizeof value, "%zu", n);
    put_attribute(w, name, value);
}

/* Decimal: not every schema takes an exponent. */
static void put_time(struct writer *w, double s) {
    char value[400];
    snprintf(value, sizeof value, "%.9f", s);
    put_attribute(w, "time", value);
}

/* Cells of a device, or of all where it is NULL. */
struct sums {
    size_t tests_n, outcomes_n[RED_OUTCOMES_N];
    double time_s;
};

static bool is_of_device(const struct red_export_cell *cell, const char *device) {
    return device == NULL || strcmp(cell->device, device) == 0;
}

/* The attributes tests, failures, errors, skipped and time of a device's suite, or of all. */
static void put_sums(struct writer *w, const struct red_export *export, const char *device) {
    struct sums sums = {.tests_n = 0};
    for (size_t i = 0; i < export->cells_n; i++) {
        const struct red_export_cell *cell = &export->cells[i];
        if (!is_of_device(cell, device))
            continue;
        sums.tests_n++;
        sums.outcomes_n[red_export_cell_outcome(cell)]++;
        sums.time_s += cell->time_s;
    }
    put_count(w, "tests", sums.tests_n);
    put_count(w, "failures", sums.outcomes_n[RED_OUTCOME_FAILURE]);
    put_count(w, "errors", sums.outcomes_n[RED_OUTCOME_ERROR]);
    if (device != NULL) /* older schemas know it of a suite alone */
        put_count(w, "skipped", sums.outcomes_n[RED_OUTCOME_SKIPPED]);
    put_time(w, sums.time_s);
}

/* The element failure, error or skipped, with its reason; none for a cell that passed. */
static void put_outcome(struct writer *w, const struct red_export_cell *cell) {
    static const char *const elements[RED_OUTCOMES_N] = {
        [RED_OUTCOME_FAILURE] = "failure", [RED_OUTCOME_ERROR] = "error", [RED_OUTCOME_SKIPPED] = "skipped"};
    enum red_outcome outcome = red_export_cell_outcome(cell);
    const char *word = red_export_cell_word(cell), *why = red_export_cell_why(cell);
    if (elements[outcome] == NULL)
        return;
    begin_element(w, elements[outcome]);
    w->failed |= xmlTextWriterStartAttribute(w->xml, TEXT("message")) < 0;
    put_string(w, word);
    put_string(w, why[0] != '\0' ? ": " : "");
    put_string(w, why);
    w->failed |= xmlTextWriterEndAttribute(w->xml) < 0;
    if (outcome != RED_OUTCOME_SKIPPED) /* which has nothing but a message everywhere */
        put_attribute(w, "type", cell->code[0] != '\0' ? cell->code : word);
    end_element(w);
}

/* The text of a timed cell: median, interval and verdict. */
static void put_times(struct writer *w, const struct red_export_cell *cell) {
    char time[RED_TIME_BYTES], low[RED_TIME_BYTES], high[RED_TIME_BYTES], line[160];
    if (!red_export_cell_is_timed(cell))
        return;
    red_export_time_format(cell->time_s, time);
    red_export_time_format(cell->low_s, low);
    red_export_time_format(cell->high_s, high);
    begin_element(w, "system-out");
    snprintf(line, sizeof line, "median time to answer %s", time);
    put_string(w, line);
    if (cell->low_s > 0) {
        snprintf(line, sizeof line, ", 95 %% interval %s to %s", low, high);
        put_string(w, line);
    }
    if (cell->verdict != NULL) {
        put_string(w, "; ");
        put_string(w, cell->verdict);
        put_string(w, ": ");
        put_string(w, cell->sentence);
    }
    end_element(w);
}

static void put_testcase(struct writer *w, const struct red_export_cell *cell) {
    begin_element(w, "testcase");
    put_attribute(w, "name", cell->name);
    w->failed |= xmlTextWriterWriteFormatAttribute(w->xml, TEXT("classname"), "%s.%s", cell->device,
                                                   cell->strategy) < 0;
    if (red_export_cell_is_timed(cell))
        put_time(w, cell->time_s);
    put_outcome(w, cell);
    put_times(w, cell);
    end_element(w);
}

static void put_property(struct writer *w, const char *name, const char *value) {
    begin_element(w, "property");
    put_attribute(w, "name", name);
    put_attribute(w, "value", value);
    end_element(w);
}

static void put_testsuite(struct writer *w, const struct red_export *export, const char *device) {
    char started[20]; /* without its zone, which the oldest schema does not take */
    snprintf(started, sizeof started, "%s", export->started);
    begin_element(w, "testsuite");
    put_attribute(w, "name", device);
    put_attribute(w, "timestamp", started);
    put_attribute(w, "hostname", export->machine);
    put_sums(w, export, device);
    begin_element(w, "properties");
    put_property(w, "version", export->version);
    put_property(w, "command", export->command);
    end_element(w);
    for (size_t i = 0; i < export->cells_n; i++)
        if (is_of_device(&export->cells[i], device))
            put_testcase(w, &export->cells[i]);
    end_element(w);
}

static bool is_first_of_device(const struct red_export *export, size_t i) {
    for (size_t before = 0; before < i; before++)
        if (is_of_device(&export->cells[before], export->cells[i].device))
            return false;
    return true;
}

enum red_status red_export_write_junit(const struct red_export *export, FILE *out, struct red_error *error) {
    xmlBufferPtr buffer = xmlBufferCreate();
    struct writer w = {.xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL};
    w.failed = w.xml == NULL;
    if (!w.failed) {
        w.failed |= xmlTextWriterSetIndent(w.xml, 1) < 0;
        w.failed |= xmlTextWriterStartDocument(w.xml, NULL, "UTF-8", NULL) < 0;
        begin_element(&w, "testsuites");
        put_attribute(&w, "name", export->title);
        put_sums(&w, export, NULL);
        for (size_t i = 0; i < export->cells_n; i++)
            if (is_first_of_device(export, i))
                put_testsuite(&w, export, export->cells[i].device);
        end_element(&w);
        w.failed |= xmlTextWriterEndDocument(w.xml) < 0;
    }
    if (w.xml != NULL)
        xmlFreeTextWriter(w.xml);
    if (!w.failed)
        fwrite(xmlBufferContent(buffer), 1, (size_t)xmlBufferLength(buffer), out);
    if (buffer != NULL)
        xmlBufferFree(buffer);
    return w.failed ? red_fail(error, RED_E_MEMORY, "no memory for the JUnit XML") : RED_OK;
}
