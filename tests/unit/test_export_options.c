/* The option --export, and what `bench` makes of a run for it. */
#include "tests/unit/testing.h"

#include "export/export.h"
#include "export/suite.h"
#include "model/types.h"
#include "tests/unit/texts.h"

/* ---- options ------------------------------------------------------------------------------------------- */

static void what_is_wrong_is_said_before_there_is_a_run(void **state) {
    static const struct {
        const char *exports[2], *told; /* told NULL: fine */
    } rows[] = {
        {{"junit=r.xml", "markdown=r.md"}, NULL},
        {{"junit", NULL}, "expected KIND=FILE"},
        {{"junit=", NULL}, "expected KIND=FILE"},
        {{"=r.xml", NULL}, "unknown kind of --export ''"},
        {{"junt=r.xml", NULL},
         "did you mean 'junit'? Valid: google-benchmark, github-action-benchmark, junit"},
        {{"j*=r.xml", NULL}, "unknown kind"},
        {{"junit=nowhere/r.xml", NULL}, "cannot write nowhere/r.xml"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_error error = {.text = ""};
        size_t n = rows[i].exports[1] ? 2 : 1;
        assert_told(rows[i].exports[0], red_exports_check_options(rows[i].exports, n, false, &error), &error,
                    rows[i].told);
    }
    assert_true(red_exports_use_stdout((const char *const[]){"markdown=x", "junit=-"}, 2));
    assert_false(red_exports_use_stdout((const char *const[]){"markdown=x"}, 1));
}

static void one_file_that_fails_leaves_the_others(void **state) {
    static const char *const exports[] = {"junit=nowhere/r.xml", "markdown=other.md"};
    struct red_error error = {.text = ""};
    const struct red_export_cell cell = {
        .name = "a", .device = "d", .state = RED_STATE_PASS, .time_s = 1e-6, .reason = ""};
    const struct red_export export = {.cells = &cell, .cells_n = 1};
    assert_told("two files", red_exports_write(&export, exports, 2, &error), &error,
                "--export junit=nowhere/r.xml: cannot write");
    assert_int_equal(remove("other.md"), 0);
}

/* ---- a run of bench ------------------------------------------------------------------------------------ */

static void a_name_holds_what_was_asked_for(void **state) {
    const struct red_strategy tree = {.name = "tree"};
    struct red_run_device device = {.info = {.id = "pocl"}};
    const struct {
        struct red_shape shape;
        struct red_cell cell;
        const char *name;
    } rows[] = {
        {{.calls_n = 1}, {.geometry = {.group_size = 256}}, "pocl/tree/sum/f32/n:7"},
        {{.calls_n = 1}, {.at.asked = {.group_size = 64}}, "pocl/tree/sum/f32/wg:64/n:7"},
        {{.calls_n = 1},
         {.at.asked = {.groups_n = 8, .width = 16, .loads = 4}},
         "pocl/tree/sum/f32/groups:8/lanes:16x4/n:7"},
        {{.kind = RED_SHAPE_ITERATE, .calls_n = 5}, {.at.op = NULL}, "pocl/tree/sum/f32/iterate:5/n:7"},
        {{.kind = RED_SHAPE_SEGMENTS, .calls_n = 1}, {.segments_n = 30}, "pocl/tree/sum/f32/segments:30/n:7"},
        {{.kind = RED_SHAPE_ARRAY, .calls_n = 1},
         {.at.bins_n = 7, .at.data = "one bin"},
         "pocl/tree/sum/f32/bins:7/data:one-bin/n:7"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_cell cell = rows[i].cell;
        struct red_run_export made;
        struct red_run run = {
            .shape = &rows[i].shape, .devices = &device, .devices_n = 1, .cells = &cell, .cells_n = 1};
        cell.at.device = device.info.id;
        cell.at.strategy = &tree;
        cell.at.op = &red_ops[0];
        cell.at.dtype = red_dtype_find("f32");
        cell.at.n = 7;
        red_at_set_shape(&cell.at, &rows[i].shape, cell.segments_n, cell.at.n);
        cell.calls_per_sample = 10;
        assert_int_equal(red_run_export_make(&run, &made, NULL), RED_OK);
        assert_string_equal(made.export.cells[0].name, rows[i].name);
        assert_int_equal(made.export.cells[0].calls_per_sample, 10 * rows[i].shape.calls_n);
        assert_true(made.export.cells[0].samples_s == NULL && made.export.cells[0].time_s == 0);
        red_run_export_clear(&made);
    }
}

/* A kernel that was not checked at every level is none that passed, though its cell has a time. */
static void a_cell_of_an_incomplete_kernel_is_skipped(void **state) {
    static const char *const kinds[] = {"junit", "markdown"};
    const struct red_strategy mine = {.name = "mine"};
    const struct red_shape shape = {.calls_n = 1};
    struct red_run_device device = {.info.id = "pocl"};
    double samples_s[] = {1e-6, 1e-6, 1e-6};
    struct red_cell cell = {.at.strategy = &mine,
                            .at.op = &red_ops[0],
                            .at.dtype = red_dtype_find("f32"),
                            .at.n = 7,
                            .state = RED_STATE_PASS,
                            .samples_s = samples_s,
                            .samples_n = 3,
                            .time = {.median = 1e-6, .low = 1e-6, .high = 1e-6},
                            .unchecked = "n = 17039361, type f64"};
    const struct red_run run = {
        .shape = &shape, .devices = &device, .devices_n = 1, .cells = &cell, .cells_n = 1};
    for (size_t k = 0; k < 2 * sizeof kinds / sizeof kinds[0]; k++) {
        struct red_run_export made;
        char option[64];
        const bool is_whole = k % 2 == 1;
        if (is_whole)
            cell.unchecked[0] = '\0';
        else
            snprintf(cell.unchecked, sizeof cell.unchecked, "n = 17039361, type f64");
        snprintf(option, sizeof option, "%s=incomplete", kinds[k / 2]);
        assert_int_equal(red_run_export_make(&run, &made, NULL), RED_OK);
        assert_int_equal(red_export_cell_outcome(&made.export.cells[0]),
                         is_whole ? RED_OUTCOME_PASSED : RED_OUTCOME_SKIPPED);
        assert_int_equal(red_export_write(&made.export, option, NULL), RED_OK);
        char *text = file_text("incomplete");
        assert_true((strstr(text, "not all levels checked") != NULL) == !is_whole);
        assert_true((strstr(text, "17039361") != NULL) == !is_whole);
        assert_non_null(strstr(text, "1 us"));
        free(text);
        red_run_export_clear(&made);
    }
}
