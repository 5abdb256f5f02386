/* --export junit: a test report for Jenkins and GitLab, as export/export.c asks for it, with the cells of a
 * bench or a duel, or the checks of verify, and the FILE of --export. */
#include <libxml/xmlwriter.h>
#include <string.h>

#include "export/suite.h"

/* No status is asked for: what can fail is memory, and then libxml2 ends the program (core/memory.h). */

static void begin_element(xmlTextWriter *xml, const char *element) {
    xmlTextWriterStartElement(xml, BAD_CAST element);
}

static void end_element(xmlTextWriter *xml) {
    xmlTextWriterEndElement(xml);
}

static void put_attribute(xmlTextWriter *xml, const char *name, const char *value) {
    xmlTextWriterWriteAttribute(xml, BAD_CAST name, BAD_CAST value);
}

static void put_count_attribute(xmlTextWriter *xml, const char *name, size_t n) {
    xmlTextWriterWriteFormatAttribute(xml, BAD_CAST name, "%zu", n);
}

/* The attribute time in seconds. Decimal: not every schema takes an exponent. */
static void put_time_attribute(xmlTextWriter *xml, double s) {
    xmlTextWriterWriteFormatAttribute(xml, BAD_CAST "time", "%.9f", s);
}

/* Device NULL stands for all devices. */
static bool is_of_device(const struct red_export_cell *cell, const char *device) {
    return device == NULL || strcmp(cell->device, device) == 0;
}

/* Writes the attributes tests, failures, errors, skipped and time of a device's suite, or (NULL) of all. */
static void put_sum_attributes(xmlTextWriter *xml, const struct red_export *export, const char *device) {
    size_t tests_n = 0, outcomes_n[RED_OUTCOMES_N] = {0};
    double time_s = 0;
    for (size_t i = 0; i < export->cells_n; i++) {
        const struct red_export_cell *cell = &export->cells[i];
        if (!is_of_device(cell, device))
            continue;
        tests_n++;
        outcomes_n[red_export_cell_outcome(cell)]++;
        time_s += cell->time_s;
    }
    for (size_t d = 0; d < export->devices_n; d++)
        if (device == NULL || strcmp(export->devices[d].id, device) == 0)
            time_s += export->devices[d].took_s;
    put_count_attribute(xml, "tests", tests_n);
    put_count_attribute(xml, "failures", outcomes_n[RED_OUTCOME_FAILURE]);
    put_count_attribute(xml, "errors", outcomes_n[RED_OUTCOME_ERROR]);
    if (device != NULL) /* older schemas know it of a suite alone */
        put_count_attribute(xml, "skipped", outcomes_n[RED_OUTCOME_SKIPPED]);
    put_time_attribute(xml, time_s);
}

/* Writes the element failure, error or skipped, with its reason; none for a cell that passed. */
static void put_outcome(xmlTextWriter *xml, const struct red_export_cell *cell) {
    static const char *const elements[RED_OUTCOMES_N] = {
        [RED_OUTCOME_FAILURE] = "failure", [RED_OUTCOME_ERROR] = "error", [RED_OUTCOME_SKIPPED] = "skipped"};
    enum red_outcome outcome = red_export_cell_outcome(cell);
    const char *word = red_export_cell_word(cell), *why = red_export_cell_why(cell);
    if (elements[outcome] == NULL)
        return;
    begin_element(xml, elements[outcome]);
    xmlTextWriterWriteFormatAttribute(xml, BAD_CAST "message", "%s%s%s", word, why[0] != '\0' ? ": " : "",
                                      why);
    if (outcome != RED_OUTCOME_SKIPPED) /* which has nothing but a message everywhere */
        put_attribute(xml, "type", cell->code[0] != '\0' ? cell->code : word);
    if (outcome != RED_OUTCOME_SKIPPED && cell->details[0] != '\0')
        xmlTextWriterWriteString(xml, BAD_CAST cell->details);
    end_element(xml);
}

/* Writes the element system-out, a text: of a timed cell median, interval and verdict, of checks that are
 * right how many they are. */
static void put_system_out(xmlTextWriter *xml, const struct red_export_cell *cell) {
    if (cell->state == RED_STATE_PASS && cell->details[0] != '\0')
        xmlTextWriterWriteElement(xml, BAD_CAST "system-out", BAD_CAST cell->details);
    if (!red_export_cell_has_trusted_time(cell))
        return;
    begin_element(xml, "system-out");
    xmlTextWriterWriteFormatString(xml, "median time to answer %s", red_export_time_text(cell->time_s).text);
    if (cell->low_s > 0)
        xmlTextWriterWriteFormatString(xml, ", 95 %% interval %s to %s",
                                       red_export_time_text(cell->low_s).text,
                                       red_export_time_text(cell->high_s).text);
    if (cell->verdict != NULL)
        xmlTextWriterWriteFormatString(xml, "; %s: %s", cell->verdict, cell->sentence);
    end_element(xml);
}

/* Writes a cell as a test. */
static void put_testcase(xmlTextWriter *xml, const struct red_export_cell *cell) {
    begin_element(xml, "testcase");
    put_attribute(xml, "name", cell->name);
    xmlTextWriterWriteFormatAttribute(xml, BAD_CAST "classname", "%s.%s", cell->device, cell->strategy);
    if (red_export_cell_has_trusted_time(cell))
        put_time_attribute(xml, cell->time_s);
    put_outcome(xml, cell);
    put_system_out(xml, cell);
    end_element(xml);
}

static void put_property(xmlTextWriter *xml, const char *name, const char *value) {
    begin_element(xml, "property");
    put_attribute(xml, "name", name);
    put_attribute(xml, "value", value);
    end_element(xml);
}

/* Writes a device as a suite, with its cells. */
static void put_testsuite(xmlTextWriter *xml, const struct red_export *export, const char *device) {
    char started[20]; /* without its zone, which the oldest schema does not take */
    snprintf(started, sizeof started, "%s", export->started);
    begin_element(xml, "testsuite");
    put_attribute(xml, "name", device);
    put_attribute(xml, "timestamp", started);
    put_attribute(xml, "hostname", export->machine);
    put_sum_attributes(xml, export, device);
    begin_element(xml, "properties");
    put_property(xml, "version", export->version);
    put_property(xml, "command", export->command);
    end_element(xml);
    for (size_t i = 0; i < export->cells_n; i++)
        if (is_of_device(&export->cells[i], device))
            put_testcase(xml, &export->cells[i]);
    end_element(xml);
}

/* Whether cell i is the first of its device, which gets its testsuite then. Looks back from it: cells of a
 * device mostly stand together, and verify may have a million. */
static bool is_first_of_device(const struct red_export *export, size_t i) {
    for (size_t before = i; before-- > 0;)
        if (is_of_device(&export->cells[before], export->cells[i].device))
            return false;
    return true;
}

enum red_status red_export_write_junit(const struct red_export *export, FILE *out, struct red_error *error) {
    xmlBuffer *buffer = xmlBufferCreate();
    xmlTextWriter *xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    if (xml == NULL) {
        xmlBufferFree(buffer);
        return red_fail(error, RED_E_MEMORY, "no memory for the JUnit XML");
    }
    xmlTextWriterSetIndent(xml, 1);
    xmlTextWriterStartDocument(xml, NULL, "UTF-8", NULL);
    begin_element(xml, "testsuites");
    put_attribute(xml, "name", export->title);
    put_sum_attributes(xml, export, NULL);
    for (size_t i = 0; i < export->cells_n; i++)
        if (is_first_of_device(export, i))
            put_testsuite(xml, export, export->cells[i].device);
    end_element(xml);
    xmlTextWriterEndDocument(xml);
    xmlFreeTextWriter(xml);
    fwrite(xmlBufferContent(buffer), 1, (size_t)xmlBufferLength(buffer), out);
    xmlBufferFree(buffer);
    return RED_OK;
}
