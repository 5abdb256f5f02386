/* Files for other programs, written from cells as nobody would name or measure them. They stay where it
 * runs, for the readers that tests/cli/readers.sh starts. */
#include "tests/unit/testing.h"

#include <jansson.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "core/file.h"
#include "export/export.h"
#include "hostile.h"
#include "tests/unit/texts.h"

static struct red_export_cell cells[HOSTILES_N];

/* Base, or head: then the second cell is slower and the third has crashed. */
static struct red_export hostile_export(bool head) {
    for (size_t i = 0; i < HOSTILES_N; i++)
        cells[i] = hostiles[i].cell;
    if (head) {
        cells[1].samples_s = cells[1].cpu_s = slower_s;
        cells[1].time_s = cells[1].high_s = 3.11e-5;
        cells[2].state = RED_STATE_CRASHED;
        cells[2].reason = "SIGSEGV";
    }
    return (struct red_export){.title = "clreduce <test> & \"more\"",
                               .command = "clreduce bench --kernel 'a|b%0A.cl' \xff",
                               .started = head ? "2026-11-22T11:30:44Z" : "2026-11-22T11:27:44Z",
                               .machine = "A \"processor\", 2 cores",
                               .version = "0.1.0",
                               .cells = cells,
                               .cells_n = HOSTILES_N};
}

static const char *reader_name(size_t i) {
    return hostiles[i].clean != NULL ? hostiles[i].clean : hostiles[i].cell.name;
}

/* Cells that pass, of the names c0, c1 and so on. */
static void number_cells(struct red_export_cell *many, char (*names)[24], size_t n) {
    for (size_t i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "c%zu", i);
        many[i] = hostiles[0].cell;
        many[i].name = names[i];
    }
}

static bool is_timed(size_t i, bool head) {
    return hostiles[i].timed && !(head && i == 2);
}

static void write_or_fail(const struct red_export *export, const char *kind, const char *path) {
    struct red_error error;
    char kind_and_path[RED_PATH_BYTES];
    snprintf(kind_and_path, sizeof kind_and_path, "%s=%s", kind, path);
    assert_told(kind_and_path, red_export_write(export, kind_and_path, &error), &error, NULL);
}

static size_t count_of(const char *text, const char *word) {
    size_t n = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        n++;
    return n;
}

/* It has no time, and it was not excused from having one. */
static bool is_lost(const struct red_export_cell *cell, bool timed) {
    bool excused = cell->state == RED_STATE_UNSUPPORTED || cell->state == RED_STATE_OVER_BUDGET ||
                   cell->state == RED_STATE_KNOWN_BUG || cell->state == RED_STATE_IMPLAUSIBLE;
    return !timed && (cell->fails || !excused);
}

/* What a reader must find, for tests/cli/check_formats.py. */
static void write_truth(const char *path, bool head) {
    json_t *truth = json_array();
    for (size_t i = 0; i < HOSTILES_N; i++) {
        bool crashed = head && i == 2, timed = is_timed(i, head);
        json_array_append_new(
            truth, json_pack("{s:s, s:s, s:b, s:o, s:i}", "name", reader_name(i), "outcome",
                             crashed ? "error" : hostiles[i].outcome, "lost", (int)is_lost(&cells[i], timed),
                             "time_s", timed ? json_real(cells[i].time_s) : json_null(), "samples",
                             timed && cells[i].samples_n > 0 ? (int)cells[i].samples_n : 1));
    }
    assert_int_equal(json_array_size(truth), HOSTILES_N);
    assert_int_equal(json_dump_file(truth, path, JSON_INDENT(1)), 0);
    json_decref(truth);
}

/* ---- all formats --------------------------------------------------------------------------------------- */

static void every_format_takes_hostile_cells(void **state) {
    for (int head = 0; head <= 1; head++) {
        struct red_export export = hostile_export(head);
        char path[64];
        snprintf(path, sizeof path, "%s.truth", head ? "head" : "base");
        write_truth(path, head);
        for (size_t f = 0; f < red_export_formats_n; f++) {
            snprintf(path, sizeof path, "%s.%s", head ? "head" : "base", red_export_formats[f].name);
            write_or_fail(&export, red_export_formats[f].name, path);
            char *text = file_text(path);
            assert_true(text[0] != '\0');
            free(text);
        }
    }
}

/* The name of each row, of the readers that know nothing but times. */
static const char *row_name(const json_t *rows, size_t i) {
    const char *name = json_string_value(json_object_get(json_array_get(rows, i), "name"));
    assert_non_null(name);
    return name;
}

static void times_are_of_timed_cells_alone(void **state) {
    for (int head = 0; head <= 1; head++) {
        size_t timed_n = 0;
        json_t *rows = json_load_file(head ? "head.github-action-benchmark" : "base.github-action-benchmark",
                                      JSON_REJECT_DUPLICATES, NULL);
        assert_true(json_is_array(rows));
        for (size_t i = 0; i < HOSTILES_N; i++)
            if (is_timed(i, head))
                assert_string_equal(row_name(rows, timed_n++), reader_name(i));
        assert_int_equal(json_array_size(rows), timed_n);
        json_decref(rows);
    }
}

static double junit_count(const char *path, const char *expression) {
    xmlDocPtr doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
    assert_non_null(doc);
    xmlXPathContextPtr context = xmlXPathNewContext(doc);
    xmlXPathObjectPtr found = xmlXPathEvalExpression((const xmlChar *)expression, context);
    assert_non_null(found);
    double value = xmlXPathCastToNumber(found);
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    xmlFreeDoc(doc);
    return value;
}

static void junit_tells_every_outcome(void **state) {
    static const char *const outcomes[] = {"failure", "error", "skipped"};
    for (size_t o = 0; o < 3; o++) {
        size_t wanted_n = 0;
        char expression[64];
        for (size_t i = 0; i < HOSTILES_N; i++)
            wanted_n += strcmp(hostiles[i].outcome, outcomes[o]) == 0;
        snprintf(expression, sizeof expression, "count(//testcase/%s[@message])", outcomes[o]);
        assert_int_equal((size_t)junit_count("base.junit", expression), wanted_n);
    }
    assert_int_equal((size_t)junit_count("base.junit", "count(//testcase)"), HOSTILES_N);
    assert_int_equal((size_t)junit_count("base.junit", "count(//testcase[@time and error[@type='crashed']])"),
                     0);
}

/* ---- single cells -------------------------------------------------------------------------------------- */

static void two_cells_of_one_name_are_refused(void **state) {
    static const struct {
        const char *a, *b;
        bool fine;
    } rows[] = {
        {"a", "b", true}, {"a", "a", false}, {"a\xff", "a\xfe", false}, {"a", "", false}, {"a", NULL, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_error error = {.text = ""};
        struct red_export export = hostile_export(false);
        export.cells_n = 2;
        cells[0].name = rows[i].a;
        cells[1].name = rows[i].b;
        for (size_t f = 0; f < red_export_formats_n; f++) {
            char kind_and_path[64];
            snprintf(kind_and_path, sizeof kind_and_path, "%s=one_name", red_export_formats[f].name);
            assert_int_equal(red_export_write(&export, kind_and_path, &error),
                             rows[i].fine ? RED_OK : RED_E_INPUT);
            assert_int_equal(access("one_name", F_OK) == 0, rows[i].fine);
            remove("one_name");
        }
    }
}

static void a_missing_cell_is_an_error(void **state) {
    for (size_t i = 0; i < HOSTILES_N; i++) {
        struct red_error error = {.text = ""};
        struct red_export export = hostile_export(false);
        export.cells = &cells[i];
        export.cells_n = 1;
        assert_int_equal(red_export_refuse_lost_cells(&export, &error),
                         is_lost(&cells[i], hostiles[i].timed) ? RED_E_BUILD : RED_OK);
    }
}

/* ---- GitHub -------------------------------------------------------------------------------------------- */

static void annotations_are_escaped(void **state) {
    struct red_export export = hostile_export(false);
    export.cells_n = 2;
    cells[0] = (struct red_export_cell){.name = "a: 1 %, b\r\nc",
                                        .device = "d",
                                        .state = RED_STATE_WRONG,
                                        .reason = "got 100 %, not: 1\r\n::error::x"};
    cells[1] = hostiles[0].cell;
    write_or_fail(&export, "annotations", "escaped");
    assert_file_holds("escaped",
                      "::error title=clreduce%3A a%3A 1 %25%2C b%0D%0Ac::wrong: got 100 %25, not: 1%0D%0A"
                      "::error::x\n");
}

/* The two forms in which compilers tell it, and what is no place. */
static void an_annotation_of_a_build_stands_at_its_line(void **state) {
    static const struct {
        const char *reason, *place;
    } logs[] = {
        {"a/k.cl does not build: CL_BUILD_PROGRAM_FAILURE a/k.cl:9:1: warning: w a/k.cl:16:41: error: e",
         "file=a/k.cl,line=16,col=41,"},
        {"k.cl does not build: error: k,1.cl:7:2: ##[error]::x Device d failed",
         "file=k%2C1.cl,line=7,col=2,"},
        {"k.cl:3:4: fatal error: no", "file=k.cl,line=3,col=4,"},
        {"no place: k.cl:3: error: no column", ""},
        {"nor :1:2: error: there, nor k.cl:-1:2: error: this, nor k.cl:1:-2: error: that", ""},
        {"k.cl:123456789:2: error: no file has so many lines", ""},
        {"it ended at 12:30: error: :1:2", ""},
        {"k.cl:1:2:error: no blank", ""},
        {"", ""}};
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        char wanted[96];
        struct red_export export = hostile_export(false);
        export.cells_n = 1;
        cells[0] = (struct red_export_cell){
            .name = "c", .device = "d", .state = RED_STATE_BUILD_FAILED, .reason = logs[i].reason};
        write_or_fail(&export, "annotations", "places");
        char *text = file_text("places");
        snprintf(wanted, sizeof wanted, "::error %stitle=clreduce%%3A c::build-failed: ", logs[i].place);
        assert_int_equal(strncmp(text, wanted, strlen(wanted)), 0);
        assert_null(strstr(text, "##["));
        free(text);
        cells[0].state = RED_STATE_CRASHED; /* only a build has places */
        write_or_fail(&export, "annotations", "places");
        text = file_text("places");
        assert_null(strstr(text, "file="));
        free(text);
    }
}

static void annotations_are_ten_and_errors_come_first(void **state) {
    static const size_t failing[] = {0, 1, 9, 10, 11, 40};
    static char names[44][24];
    struct red_export_cell many[44];
    for (size_t r = 0; r < sizeof failing / sizeof failing[0]; r++) {
        struct red_export export = hostile_export(false);
        export.cells = many;
        export.cells_n = failing[r] + 1;
        number_cells(many, names, export.cells_n);
        for (size_t i = 1; i < export.cells_n; i++)
            many[i].state = RED_STATE_CRASHED;
        many[0].verdict = failing[r] > 0 ? "UNDECIDED" : "SAME";
        write_or_fail(&export, "annotations", "ten");
        char *text = file_text("ten");
        size_t all_n = failing[r] + (failing[r] > 0);
        assert_int_equal(count_of(text, "\n"), all_n > 10 ? 10 : all_n);
        assert_int_equal(strstr(text, "::warning") != NULL, all_n > 0 && all_n <= 10);
        assert_int_equal(strstr(text, " more") != NULL, all_n > 10);
        free(text);
    }
}

static void what_the_gate_does_not_fail_for_is_a_warning(void **state) {
    static char names[12][24];
    struct red_export_cell many[12];
    struct red_export export = hostile_export(false);
    export.cells = many;
    export.cells_n = 12;
    number_cells(many, names, export.cells_n);
    for (size_t i = 0; i < export.cells_n; i++) {
        many[i].verdict = i % 2 ? "UNTRUSTED" : "SLOWER";
        many[i].state = i % 4 == 3 ? RED_STATE_CRASHED : RED_STATE_PASS;
    }
    write_or_fail(&export, "annotations", "warnings");
    char *text = file_text("warnings");
    assert_int_equal(count_of(text, "::warning title="), 10);
    assert_has(text, "::warning title=clreduce::3 more;");
    free(text);
    many[0].fails = true;
    write_or_fail(&export, "annotations", "warnings");
    text = file_text("warnings");
    assert_int_equal(count_of(text, "::error title="), 1);
    assert_has(text, "::warning title=clreduce::3 more;");
    free(text);
}

static void a_summary_fits_and_shows_what_failed(void **state) {
    enum { MANY_N = 12000 };
    struct red_export_cell *many = calloc(MANY_N, sizeof *many);
    char(*names)[64] = calloc(MANY_N, sizeof *names);
    assert_true(many != NULL && names != NULL);
    struct red_export export = hostile_export(false);
    export.cells = many;
    export.cells_n = MANY_N;
    for (size_t i = 0; i < MANY_N; i++) {
        many[i] = hostiles[0].cell;
        snprintf(names[i], sizeof names[i], "%s no %zu", "<a name whose every mark takes room>", i);
        many[i].name = names[i];
    }
    many[MANY_N - 1].state = RED_STATE_WRONG;
    many[MANY_N - 1].reason = "the last one";
    write_or_fail(&export, "markdown", "summary");
    char *text = file_text("summary");
    assert_in_range(strlen(text), 900000, 1 << 20);
    assert_has(text, "the last one");
    size_t rows_n = count_of(text, " no "), left_n = 0;
    assert_int_equal(sscanf(strrchr(text, '|') + 2, "\n%zu more cells", &left_n), 1);
    assert_int_equal(rows_n + left_n, MANY_N);
    free(text);
    free(names);
    free(many);
}
