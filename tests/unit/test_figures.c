/* The table of figures: each row has what its places need, and the figures of a cell stand under their
 * headings in the table of bench, in CSV and in Markdown. */
#include "tests/unit/testing.h"

#include "console/console_table.h"
#include "core/file.h"
#include "export/export.h"
#include "model/experiments.h"
#include "results/figures.h"
#include "results/result.h"

/* ---- rows ---------------------------------------------------------------------------------------------- */

static void rows_have_what_their_places_need(void **state) {
    const unsigned data = RED_IN_CSV | RED_IN_DRIVERS | RED_IN_RUNS,
                   people = RED_IN_BENCH | RED_IN_MARKDOWN | RED_IN_COMPARE | RED_IN_PAGE;
    for (const struct red_figure *row = red_figures; row < red_figures + red_figures_n; row++) {
        assert_ptr_equal(red_figure_find(row->key), row); /* no key twice */
        assert_true((row->in & (data | people)) == row->in && row->in != 0);
        if (row->in & data)
            assert_true(row->find != NULL || (row->member != NULL && row->in == RED_IN_CSV));
        if (row->in & people)
            assert_true(row->heading != NULL && (row->text != NULL || (row->find != NULL && row->scale > 0)));
    }
    for (size_t i = 0; i < red_experiments_n; i++)
        for (const char *rest = red_experiments[i].figures; rest != NULL && *rest != '\0';) {
            char key[64];
            snprintf(key, sizeof key, "%.*s", (int)strcspn(rest, ","), rest);
            assert_non_null(red_figure_find(key));
            assert_non_null(red_figure_find(key)->title);
            rest += strlen(key) + (rest[strlen(key)] == ',');
        }
}

/* ---- a cell -------------------------------------------------------------------------------------------- */

enum { SIZES_N = 12, LINES_N = 2 };

/* A run on one device: a strategy of one launch, and one of `launches_n`, at the first sizes_n sizes. */
struct made {
    struct red_strategy strategies[LINES_N];
    double samples[6];
    struct red_run_device devices[2];
    struct red_cell cells[LINES_N * SIZES_N];
    struct red_run run;
};

static void make(struct made *made, size_t sizes_n, unsigned launches_n) {
    *made = (struct made){.strategies = {{.name = "one", .text = ""}, {.name = "several", .text = ""}},
                          .samples = {1, 1, 1, 1, 1, 1},
                          .devices = {{.is_host = true, .info.id = "host"}, {.info.id = "made"}}};
    for (size_t i = 0; i < LINES_N * sizes_n; i++) {
        struct red_cell *cell = &made->cells[i];
        const double time_s = 1e-6 * (double)(1 + i);
        *cell = (struct red_cell){.device = 1,
                                  .at = {.device = "made",
                                         .strategy = &made->strategies[i / sizes_n],
                                         .op = red_op_find("sum"),
                                         .dtype = red_dtype_find("f32"),
                                         .n = 1000 * (1 + i % sizes_n),
                                         .shape = "array"},
                                  .segments_n = 1,
                                  .state = RED_STATE_PASS,
                                  .samples_s = made->samples,
                                  .samples_n = 6,
                                  .time = {.n = 6, .median = time_s, .low = time_s, .high = time_s}};
        cell->launches.n = i / sizes_n > 0 ? launches_n : 0;
        for (unsigned k = 0; k < cell->launches.n; k++) {
            cell->launches.s[k] = 1e-6 * (1.25 + k);
            cell->launches.gap_s[k] = -0.5e-6;
        }
    }
    made->run = (struct red_run){
        .devices = made->devices, .devices_n = 2, .cells = made->cells, .cells_n = LINES_N * sizes_n};
}

static void launches_are_told_for_people_and_programs(void **state) {
    struct made made;
    const struct red_figure *times = red_figure_find("launch_times_s"),
                            *gaps = red_figure_find("launch_gaps_s");
    make(&made, 1, 2);
    assert_string_equal(red_figure_text(times, &made.run, &made.cells[0]).text, "");
    assert_string_equal(red_figure_data(times, &made.cells[0]).text, "");
    assert_string_equal(red_figure_data(gaps, &made.cells[0]).text, "");
    assert_string_equal(red_figure_text(times, &made.run, &made.cells[1]).text, "1.25 + 2.25");
    assert_string_equal(red_figure_data(times, &made.cells[1]).text, "1.25e-06 2.25e-06");
    assert_string_equal(red_figure_text(gaps, &made.run, &made.cells[1]).text, "-0.500");
    assert_string_equal(red_figure_data(gaps, &made.cells[1]).text, "-5e-07");
    assert_string_equal(red_figure_data(times, NULL).text, "");
    made.cells[1].samples_n = 0; /* no figure of a cell that was not timed, but how many samples it has */
    assert_string_equal(red_figure_text(times, &made.run, &made.cells[1]).text, "");
    assert_string_equal(red_figure_data(red_figure_find("median_s"), &made.cells[1]).text, "");
    assert_string_equal(red_figure_data(red_figure_find("samples"), &made.cells[1]).text, "0");
}

/* As many launches as there can be, of which each takes the most digits. */
static void no_figure_is_cut(void **state) {
    struct made made;
    make(&made, 1, RED_LAUNCH_TIMES_MAX);
    for (unsigned k = 0; k < RED_LAUNCH_TIMES_MAX; k++) {
        made.cells[1].launches.s[k] = 1.23456789e-6;
        made.cells[1].launches.gap_s[k] = -1.23456789e-6;
    }
    const char *const keys[] = {"launch_times_s", "launch_gaps_s"}, *const last[] = {" 1.23456789e-06",
                                                                                     " -1.23456789e-06"};
    for (size_t i = 0; i < 2; i++) {
        const struct red_short_text text = red_figure_data(red_figure_find(keys[i]), &made.cells[1]);
        assert_string_equal(text.text + strlen(text.text) - strlen(last[i]), last[i]);
    }
}

/* ---- the table of bench -------------------------------------------------------------------------------- */

/* What bench prints of the run; release with free. No line with columns is wider than the screen. */
static char *table_of(const struct made *made) {
    struct red_catalogue *catalogue = NULL;
    struct red_error error;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_ok(red_catalogue_create(&catalogue, &error), &error);
    red_console_table_print(out, &made->run, catalogue);
    red_catalogue_destroy(catalogue);
    fclose(out);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        if (strncmp(line, "n = ", 4) == 0 || strncmp(line, "one", 3) == 0 || strncmp(line, "several", 7) == 0)
            assert_true(strcspn(line, "\n") <= RED_SCREEN_WIDTH);
    return text;
}

static void a_column_is_there_where_it_is_known(void **state) {
    struct made made;
    make(&made, 2, 0);
    char *text = table_of(&made);
    assert_has(text, "n =                1000    2000   GB/s  roof OpenMP\n");
    free(text);
    make(&made, 2, 2);
    text = table_of(&made);
    assert_has(text, "n =                1000    2000   GB/s  roof OpenMP launches us\n");
    assert_has(text, "several            3.00    4.00    2.0              1.25 + 2.25\n");
    assert_has(text, "one                1.00*   2.00*   4.0\n");
    free(text);
}

/* Eight sizes fill the screen; of twelve the last four leave no room for eight launches. */
static void a_column_without_room_stands_below(void **state) {
    struct made made;
    make(&made, 8, 2);
    char *text = table_of(&made);
    assert_has(text, "   GB/s  roof OpenMP\n");
    assert_has(text, "\nn = 8000  launches us\nseveral   1.25 + 2.25\n");
    free(text);
    make(&made, 12, RED_LAUNCH_TIMES_MAX);
    text = table_of(&made);
    assert_has(text, "\n\nn = 12000");
    assert_has(text, "8.25\n");
    free(text);
}

/* ---- files --------------------------------------------------------------------------------------------- */

/* The first line of the text and its last one, without the line feeds. */
static void split(char *text, char **first, char **last) {
    text[strlen(text) - 1] = '\0';
    *first = text;
    *last = strrchr(text, '\n') + 1;
    text[strcspn(text, "\n")] = '\0';
}

static void files_have_the_column(void **state) {
    struct made made;
    struct red_error error;
    struct red_run_export exported;
    char *text = NULL, *first, *last;
    size_t bytes = 0;
    make(&made, 1, 2);
    assert_ok(red_result_write_csv(&made.run, "figures.csv", &error), &error);
    assert_ok(red_file_read("figures.csv", "CSV", 1 << 16, &text, &bytes, &error), &error);
    assert_int_equal(remove("figures.csv"), 0);
    split(text, &first, &last);
    assert_has(first, ",experiment,launch_times_s,launch_gaps_s,asked");
    assert_has(last, ",1.25e-06 2.25e-06,-5e-07,");
    free(text);
    assert_ok(red_run_export_make(&made.run, &exported, &error), &error);
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_ok(red_export_write_markdown(&exported.export, out, &error), &error);
    fclose(out);
    assert_has(text, "| 95 % interval | launches us | why |\n| :-- | :-- | --: | :-- | --: | :-- |\n");
    assert_has(text, " | 1.25 &#43; 2.25 |  |\n");
    red_run_export_clear(&exported);
    free(text);
}
