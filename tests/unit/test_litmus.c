/* What litmus tests have shown, on the screen and in reports: with the figures of a GPU,
 * results/litmus/h200.csv. */
#include "tests/unit/testing.h"

#include "core/select.h"
#include "litmus/litmus.h"
#include "litmus/outputs.h"

static struct red_litmus_test *files;
static size_t files_n, rows_n;
static struct red_litmus_row rows[RED_LITMUS_TESTS_MAX];
static const struct red_device_info info = {.id = "gpu", .name = "A GPU", .driver = "1", .api_version = 30};

/* The index of the name. */
static unsigned find(const char *const *names, unsigned n, const char *name) {
    unsigned found = 0;
    while (found < n && strcmp(names[found], name) != 0)
        found++;
    assert_true(found < n);
    return found;
}

/* Reads a line of CSV as far as `mutant_instances`; what no test is named after is left out. */
static void read_row(char *line) {
    enum { TEST = 1, ANSWER = 7, WEAK, INSTANCES, SECONDS, FIRST_MS, MUTANT, MUTANT_WEAK, FIELDS_N };
    const char *fields[FIELDS_N];
    char *end;
    for (size_t f = 0; f < FIELDS_N; f++, line = end + 1) {
        fields[f] = line;
        end = strchr(line, ',');
        assert_non_null(end);
        *end = '\0';
    }
    for (size_t t = 0; t < files_n; t++) {
        if (strcmp(files[t].name, fields[TEST]) != 0)
            continue;
        struct red_litmus_row *row = &rows[rows_n++];
        *row = (struct red_litmus_row){
            .test = &files[t],
            .verdict = files[t].verdict,
            .answer = find(red_litmus_answer_names, RED_LITMUS_ANSWERS_N, fields[ANSWER]),
            .outcome = {.variants_n = 1 + files[t].mutants_n}};
        row->outcome.of[0] =
            (struct red_litmus_seen){strtoull(fields[INSTANCES], NULL, 10), strtoull(fields[WEAK], NULL, 10),
                                     1e-3 * strtod(fields[FIRST_MS], NULL)};
        for (unsigned m = 0; m < files[t].mutants_n; m++)
            if (strcmp(files[t].mutants[m].name, fields[MUTANT]) == 0)
                row->outcome.of[1 + m].weak = strtoull(fields[MUTANT_WEAK], NULL, 10);
    }
}

static int read_figures(void **state) {
    struct red_error error;
    char line[1024];
    FILE *file = fopen(RESULTS "/litmus/h200.csv", "r");
    assert_non_null(file);
    assert_ok(red_litmus_list(&files, &files_n, &error), &error);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL)
        read_row(line);
    fclose(file);
    assert_true(rows_n > 80);
    return 0;
}
#define SET_UP read_figures

static int free_files(void **state) {
    free(files);
    return 0;
}
#define TEAR_DOWN free_files

static char text[1 << 14];

/* Prints the first n rows into `text`; how many lines they are. */
static size_t print_rows(size_t n) {
    FILE *out = fmemopen(text, sizeof text, "w");
    size_t lines_n = 0;
    assert_non_null(out);
    red_litmus_print(&info, rows, n, out);
    fclose(out);
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines_n++;
    return lines_n;
}

static void all_tests_of_a_gpu_fit_a_screen(void **state) {
    const size_t lines_n = print_rows(rows_n);
    size_t width = 0;
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1)
        width = strcspn(at, "\n") > width ? strcspn(at, "\n") : width;
    if (lines_n > 45 || width > 100)
        fail_msg("%zu lines, of at most %zu characters:\n%s", lines_n, width, text);
}

static void each_test_is_told_once(void **state) {
    print_rows(rows_n);
    for (size_t i = 0; i < rows_n; i++) {
        const char *name = rows[i].test->name;
        size_t n = 0;
        for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
            n += (at == text || strchr(" \n", at[-1]) != NULL) && strchr(" ,\n", at[strlen(name)]) != NULL;
        if (n != 1)
            fail_msg("%s is told %zu times in:\n%s", name, n, text);
    }
}

/* The figures of an idiom, and of the mutant that tells that its zero means something. */
static void idioms_keep_their_figures(void **state) {
    print_rows(rows_n);
    for (size_t i = 0; i < rows_n; i++) {
        char seen[64];
        const struct red_litmus_seen *own = &rows[i].outcome.of[0];
        if (!red_select_names("mp_mem_fence,mp_write_read_fence,word64_volatile,sb_sc", rows[i].test->name))
            continue;
        snprintf(seen, sizeof seen, "%llu of %.2g", (unsigned long long)own->weak, (double)own->instances);
        const char *line = strstr(text, rows[i].test->name);
        assert_non_null(line);
        char *copy = strndup(line, strcspn(line, "\n"));
        assert_has(copy, seen);
        assert_has(copy, rows[i].test->mutants[red_litmus_best_mutant(&rows[i].outcome) - 1].name);
        free(copy);
    }
}

static void few_tests_have_a_row_each(void **state) {
    print_rows(20);
    for (size_t i = 0; i < 20; i++)
        if (rows[i].answer != RED_LITMUS_NOT_OBSERVABLE)
            assert_has(strstr(text, rows[i].test->name), red_litmus_answer_names[rows[i].answer]);
    assert_null(strstr(text, "never seen"));
}

/* ---- files --------------------------------------------------------------------------------------------- */

static const struct red_device_info *const infos[] = {&info};
static const struct red_run run = {
    .started = "2026-01-01T00:00:00Z", .command = "clreduce litmus", .seed = 7};

/* A row of each answer. */
static struct red_litmus_row answers[RED_LITMUS_ANSWERS_N];
static const struct red_litmus_found found = {&run, infos, 1, RED_LITMUS_ANSWERS_N, answers};

static void make_answers(void) {
    for (unsigned a = 0; a < RED_LITMUS_ANSWERS_N; a++) {
        answers[a] = rows[a];
        answers[a].answer = a;
        answers[a].verdict = RED_LITMUS_FORBIDDEN;
        answers[a].outcome.variants_n = 1;
        answers[a].outcome.of[0] = (struct red_litmus_seen){.instances = 1000};
        if (a < RED_LITMUS_NOT_SEEN && a != RED_LITMUS_FAILED)
            answers[a].outcome.of[0] = (struct red_litmus_seen){1000, 3, 0.001};
        snprintf(answers[a].reason, sizeof answers[a].reason, "%s", a == RED_LITMUS_FAILED ? "it hung" : "");
    }
}

/* Reads a file into `text`. */
static void read_text(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
}

static void junit_tells_each_answer(void **state) {
    static const struct red_output output = {.exports = {"junit=litmus.xml"}, .exports_n = 1};
    struct red_error error;
    make_answers();
    assert_ok(red_litmus_export(&found, &output, &error), &error);
    read_text("litmus.xml");
    assert_has(text, "tests=\"6\" failures=\"1\" errors=\"1\" skipped=\"1\"");
    assert_has(text, "message=\"wrong: 3 of 1e+03, first after 1 ms; forbidden by API");
    assert_has(text, "type=\"broken\"");
    assert_has(text, "message=\"failed: it hung\"");
    assert_has(text, "finding: 3 of 1e+03, first after 1 ms");
    assert_has(text, "skipped message=\"unsupported: 0 of 1e+03; no mutant was seen either\"");
    assert_has(text, "--seed 7");
}

static void a_page_has_each_test(void **state) {
    static const struct {
        const struct red_page_format *format;
        const char *row; /* what begins one */
    } pages[] = {{&red_page_html, "<tr><th scope=\"row\">mp_"}, {&red_page_markdown, "\n|mp\\_"}};
    struct red_error error;
    make_answers();
    for (size_t p = 0; p < sizeof pages / sizeof pages[0]; p++) {
        size_t n = 0;
        assert_ok(red_litmus_write_page(&found, pages[p].format, "litmus.page", &error), &error);
        read_text("litmus.page");
        for (const char *at = text; (at = strstr(at, pages[p].row)) != NULL; at++)
            n++;
        if (n != RED_LITMUS_ANSWERS_N)
            fail_msg("%zu rows in:\n%s", n, text);
        assert_has(text, "gpu: A GPU");
    }
}
