/* Result files are read, compared, reported and made into advice by a program that knows no OpenCL: this one
 * links the rooms of these and nothing else, and tests/cli/loader.sh looks at what it needs. */
#include "tests/unit/testing.h"

#include "compare/two_runs.h"
#include "recommend/advice.h"
#include "report/report.h"
#include "tests/unit/catalogue.h"

static const char *const files[] = {RESULTS "/regret/advice-1.json", RESULTS "/regret/advice-2.json"};

static void two_runs_are_compared(void **state) {
    struct red_two_runs *stored = calloc(1, sizeof *stored);
    struct red_error error = {.text = ""};
    char *text = NULL;
    size_t bytes = 0;
    assert_non_null(stored);
    assert_ok(red_loaded_files_load(files, 2, NULL, false, &stored->comparison.loaded, stderr, &error),
              &error);
    assert_int_equal(stored->comparison.loaded.results_n, 2);
    assert_ok(red_comparison_check_comparable(&stored->comparison, NULL, &error), &error);
    assert_ok(red_two_runs_line_up(stored, &error), &error);
    FILE *out = open_memstream(&text, &bytes);
    assert_ok(red_two_runs_show(stored, out, &error), &error);
    fclose(out);
    assert_has(text, "Cells compared: ");
    assert_true(stored->pairs_n > 100);
    red_two_runs_clear(stored);
    free(stored);
    free(text);
}

static void advice_is_made(void **state) {
    struct red_loaded_files loaded;
    struct red_curves curves;
    struct red_advice advice;
    struct red_error error = {.text = ""};
    const struct red_candidate_filter filter = {.strategy = NULL};
    char text[2048];
    assert_ok(red_loaded_files_load(files, 1, catalogue, false, &loaded, stderr, &error), &error);
    assert_ok(red_curves_make(&loaded, 0, 1, &loaded.results[0].queries[0], &filter, &curves, &error),
              &error);
    assert_ok(red_advice_make(&curves, 1, &advice, &error), &error);
    red_advice_sentence(&advice, text, sizeof text);
    assert_has(text, loaded.results[0].run.devices[1].info.id);
    red_advice_clear(&advice);
    red_loaded_files_clear(&loaded);
}

static void a_page_is_made(void **state) {
    struct red_loaded_files loaded;
    struct red_error error = {.text = ""};
    char *text = NULL;
    size_t bytes = 0;
    assert_ok(red_loaded_files_load(files, 2, catalogue, false, &loaded, stderr, &error), &error);
    const struct red_report report = {.loaded = &loaded, .catalogue = catalogue};
    FILE *out = open_memstream(&text, &bytes);
    assert_ok(red_report_write(&report, &red_page_markdown, out, &error), &error);
    fclose(out);
    assert_has(text, "How it was measured");
    assert_has(text, loaded.results[0].machine);
    free(text);
    red_loaded_files_clear(&loaded);
}
