/* Apache Otava's history: what is added to it, what is refused, and that a refusal leaves it as it was. A
 * history of many runs stays where it runs, for Otava itself (tests/cli/readers.sh). */
#include "tests/unit/testing.h"

#include "export/export.h"
#include "tests/unit/texts.h"

static const char path[] = "history.csv", option[] = "otava=history.csv";

static struct red_export_cell cell_of(const char *name, double time_s) {
    return (struct red_export_cell){.name = name,
                                    .device = "d",
                                    .state = time_s > 0 ? RED_STATE_PASS : RED_STATE_CRASHED,
                                    .reason = time_s > 0 ? "" : "SIGSEGV",
                                    .time_s = time_s};
}

static enum red_status write_cells(const struct red_export_cell *cells, size_t n, struct red_error *error) {
    const struct red_export export = {
        .started = "T", .version = "1", .machine = "m, 2", .cells = cells, .cells_n = n};
    return red_export_write(&export, option, error);
}

#define HEAD "time,version,machine"
#define ROW  "T,1,\"m, 2\""

static void a_history_grows_by_rows_and_columns(void **state) {
    struct red_export_cell cells[] = {cell_of("a", 1e-6), cell_of("b,\"c\"\n", 2.5e-9), cell_of("d", 0)};
    remove(path);
    assert_int_equal(write_cells(cells, 1, NULL), RED_OK);
    assert_file_holds(path, HEAD ",a\n" ROW ",1000\n");
    cells[0].time_s = 2e-6;
    assert_int_equal(write_cells(cells, 3, NULL), RED_OK); /* a crashed cell that never had a column */
    assert_file_holds(path, HEAD ",a,\"b,\"\"c\"\"\n\"\n" ROW ",1000,\n" ROW ",2000,2.5\n");
    cells[2] = cell_of("d", 1e-9);
    assert_int_equal(write_cells(cells, 3, NULL), RED_OK);
    assert_file_holds(path,
                      HEAD ",a,\"b,\"\"c\"\"\n\",d\n" ROW ",1000,,\n" ROW ",2000,2.5,\n" ROW ",2000,2.5,1\n");
}

static void a_run_with_a_hole_is_refused(void **state) {
    static const char before[] = HEAD ",a,b\nT,0,x,1,2\n";
    static const struct {
        double a_s, b_s;
        enum red_state b_state;
        const char *told; /* NULL: fine */
    } rows[] = {
        {1e-9, 1e-9, RED_STATE_PASS, NULL},
        {1e-9, 0, RED_STATE_CRASHED, "no row was added: no time for its column 'b' (crashed: SIGSEGV)"},
        {1e-9, 0, RED_STATE_OVER_BUDGET, "no time for its column 'b' (over-budget"},
        {1e-9, 0, RED_STATE_KNOWN_BUG, "no time for its column 'b' (known-bug"},
        {1e-9, -1, RED_STATE_PASS, "column 'b', which is no cell of this run"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_error error = {.text = ""};
        struct red_export_cell cells[] = {cell_of("a", rows[i].a_s), cell_of("b", rows[i].b_s)};
        cells[1].state = rows[i].b_state;
        put_file(path, before);
        assert_told("a run", write_cells(cells, rows[i].b_s < 0 ? 1 : 2, &error), &error, rows[i].told);
        if (rows[i].told != NULL)
            assert_file_holds(path, before);
    }
    remove(path);
    const struct red_export_cell crashed = cell_of("a", 0);
    assert_int_equal(write_cells(&crashed, 1, NULL), RED_E_INPUT);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void what_is_no_history_is_refused(void **state) {
    static const struct {
        const char *before, *told, *after; /* one of them NULL */
    } rows[] = {
        {"", NULL, HEAD ",a\n" ROW ",1\n"},
        {HEAD ",a\n", NULL, HEAD ",a\n" ROW ",1\n"},
        {HEAD ",a", NULL, HEAD ",a\n" ROW ",1\n"},
        {HEAD ",a\r\n1,2,3,4\r\n", NULL, HEAD ",a\r\n1,2,3,4\r\n" ROW ",1\n"},
        {HEAD "\r\n1,2,\"\n,\"\r\n", NULL, HEAD ",a\r\n1,2,\"\n,\",\r\n" ROW ",1\n"},
        {"\"time\",\"version\",\"machine\",\"a\"\n", NULL,
         "\"time\",\"version\",\"machine\",\"a\"\n" ROW ",1\n"},
        {"time,a\n1,2\n", "no history: its first columns are not time, version and machine", NULL},
        {"time\n", "no history", NULL},
        {"\n", "no history", NULL},
        {"\"", "no history", NULL},
        {HEAD ",\"a\n", "a quote in row 1 of the history is not closed", NULL},
        {HEAD ",a\n1,2,3,4\n1,\"2,3,4\n", "a quote in row 3 of the history is not closed", NULL},
        {HEAD ",a\n1,2,3\n", "row 2 of the history has 3 fields instead of 4", NULL},
        {HEAD ",a\n1,2,3,4\n\n", "row 3 of the history has 1 fields instead of 4", NULL},
        {HEAD ",a\n1,2,3,4,5\n", "row 2 of the history has 5 fields instead of 4", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_error error = {.text = ""};
        const struct red_export_cell cell = cell_of("a", 1e-9);
        put_file(path, rows[i].before);
        enum red_status checked = red_exports_check_options((const char *const[]){option}, 1, false, &error);
        assert_int_equal(checked, rows[i].told ? RED_E_INPUT : RED_OK);
        assert_told(rows[i].before, write_cells(&cell, 1, &error), &error, rows[i].told);
        assert_file_holds(path, rows[i].told ? rows[i].before : rows[i].after);
    }
}

static void other_cells_are_refused_before_there_are_times(void **state) {
    const struct red_export_cell cells[] = {cell_of("a", 0), cell_of("c", 0)};
    const struct red_export export = {.cells = cells, .cells_n = 2};
    const char *const options[] = {"junit=other", option};
    put_file(path, HEAD ",a\n");
    assert_int_equal(red_exports_check_cells(&export, options, 2, NULL), RED_OK);
    put_file(path, HEAD ",a,b\n");
    assert_int_equal(red_exports_check_cells(&export, options, 2, NULL), RED_E_INPUT);
}

static void a_cell_is_no_other_column(void **state) {
    static const char *const names[] = {"time", "version", "machine", "branch"};
    for (size_t i = 0; i < 4; i++) {
        const struct red_export_cell cell = cell_of(names[i], 1e-9);
        remove(path);
        assert_int_equal(write_cells(&cell, 1, NULL), RED_E_INPUT);
        assert_int_not_equal(access(path, F_OK), 0);
    }
}

static void what_holds_a_zero_byte_is_no_text(void **state) {
    const struct red_export_cell cell = cell_of("a", 1e-9);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(HEAD "\0,a\n", 1, sizeof HEAD + 3, file);
    fclose(file);
    assert_int_equal(write_cells(&cell, 1, NULL), RED_E_INPUT);
    remove(path);
}

/* Thirty days; from the 16th on the second cell takes a fifth longer. Then a third cell comes in. */
static void thirty_runs_are_thirty_rows(void **state) {
    remove(path);
    for (unsigned day = 1; day <= 30; day++) {
        char started[32];
        double wobble = 1 + 0.01 * (day * 7 % 5);
        struct red_export_cell cells[] = {cell_of("pocl/tree/sum/f32/n:1024", 1e-5 * wobble),
                                          cell_of("100 %, \"b\" <c>", (day < 16 ? 1e-6 : 1.2e-6) * wobble),
                                          cell_of("new", 1e-3)};
        const struct red_export export = {.started = started,
                                          .version = "1",
                                          .machine = "m, 2",
                                          .cells = cells,
                                          .cells_n = day <= 25 ? 2 : 3};
        snprintf(started, sizeof started, "2026-01-%02uT11:27:44Z", day);
        assert_int_equal(red_export_write(&export, option, NULL), RED_OK);
    }
}
