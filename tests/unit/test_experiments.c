/* The table of bench --experiments against the catalogue: what it names is there, and may run. Then its
 * tables, of a run made up here, and what cells of a file tell of experiments and launches. */
#include "tests/unit/testing.h"

#include "console/experiment_table.h"
#include "core/file.h"
#include "results/result.h"
#include "run/bench.h"

/* ---- the table ----------------------------------------------------------------------------------------- */

enum { KEYS_MAX = 4096, KEY_BYTES = 256 };
struct keys {
    char text[KEYS_MAX][KEY_BYTES];
    size_t n;
};

static int compare_keys(const void *a, const void *b) {
    return strcmp(a, b);
}

/* The parts of all experiments on a machine without devices. */
struct opened {
    struct red_selection selection;
    struct red_session session;
    struct red_part *parts;
    size_t parts_n;
};

static void open_parts(struct opened *opened, bool whole) {
    const struct red_session_defaults defaults = {.types = "f32", .ops = "sum", .by_shape = true};
    struct red_experiment_choice choice;
    struct red_error error;
    opened->selection = (struct red_selection){.seed = 1, .shape = {.calls_n = 1}};
    assert_ok(red_session_resolve_names(&opened->selection, &defaults, &opened->session, &error), &error);
    assert_ok(red_experiment_choice_read(whole ? "whole" : NULL, &choice, &error), &error);
    assert_ok(red_parts_create(&opened->session, &choice, &opened->parts, &opened->parts_n, &error), &error);
}

static void close_parts(struct opened *opened) {
    red_parts_destroy(opened->parts, opened->parts_n);
    red_session_close(&opened->session);
}

/* Checks a part, and adds a key for each of its cells. */
static void check_part(const struct red_part *part, struct keys *keys) {
    const struct red_session *session = &part->session;
    const struct red_selection *selection = &part->selection;
    assert_true(session->strategies_n > 0 && session->ops_n > 0 && session->types_n == 1);
    assert_true(selection->n.n > 0);
    for (size_t g = 0; g < selection->wg.n; g++)
        assert_true(selection->wg.values[g] >= 1 && selection->wg.values[g] <= 1024);
    for (size_t o = 0; o < session->ops_n; o++)
        for (size_t s = 0; s < session->strategies_n; s++)
            for (size_t t = 0; t < red_selection_tunings_n(selection); t++)
                for (size_t i = 0; i < selection->n.n; i++) {
                    const struct red_tuning tuning = red_selection_tuning(selection, t);
                    struct red_error error;
                    assert_ok(red_strategy_check_type_and_op(session->strategies[s], session->types[0],
                                                             session->ops[o], &error),
                              &error);
                    assert_ok(
                        red_op_check_n(session->ops[o], session->types[0], selection->n.values[i], &error),
                        &error);
                    assert_true(keys->n < KEYS_MAX);
                    snprintf(keys->text[keys->n++], KEY_BYTES, "%s %s %s %s wg %zu n %llu",
                             session->strategies[s]->name, session->ops[o]->name, session->types[0]->name,
                             selection->shape.text, tuning.group_size,
                             (unsigned long long)selection->n.values[i]);
                }
}

/* Each name of a list is of a strategy that the part has, or a row of the host. */
static void check_names(const struct red_part *part) {
    char name[RED_SELECT_PATTERN_BYTES];
    for (const char *rest = part->experiment->strategies; red_select_next(&rest, name);) {
        const struct red_strategy *strategy = red_catalogue_find(part->session.catalogue, name);
        bool has = strategy != NULL && strategy->text == NULL;
        for (size_t s = 0; s < part->session.strategies_n; s++)
            has = has || part->session.strategies[s] == strategy;
        if (!has)
            print_error("experiment %s: no strategy %s\n", part->experiment->letter, name);
        assert_true(has);
    }
}

static void every_experiment_can_run_and_no_two_share_a_cell(void **state) {
    static struct keys keys;
    for (int whole = 0; whole < 2; whole++) {
        struct opened opened;
        char letters[32] = "";
        keys.n = 0;
        open_parts(&opened, whole);
        for (size_t p = 0; p < opened.parts_n; p++) {
            red_text_add(letters, sizeof letters, "%s", opened.parts[p].experiment->letter);
            check_names(&opened.parts[p]);
            check_part(&opened.parts[p], &keys);
        }
        /* Those on the sum of one array follow each other, as cells of a file do. */
        assert_string_equal(letters, "abdehcfg");
        qsort(keys.text, keys.n, KEY_BYTES, compare_keys);
        for (size_t i = 1; i < keys.n; i++)
            assert_string_not_equal(keys.text[i - 1], keys.text[i]);
        close_parts(&opened);
    }
}

/* Sizes as the documents have them. */
static void the_whole_is_larger(void **state) {
    uint64_t most[2] = {0, 0}, pixels[2] = {0, 0};
    for (int whole = 0; whole < 2; whole++) {
        struct opened opened;
        open_parts(&opened, whole);
        for (size_t p = 0; p < opened.parts_n; p++) {
            const struct red_selection *selection = &opened.parts[p].selection;
            const uint64_t n = selection->n.values[selection->n.n - 1];
            if (strcmp(opened.parts[p].experiment->letter, "e") == 0)
                most[whole] = n;
            if (strcmp(opened.parts[p].experiment->letter, "c") == 0) {
                assert_int_equal(n, 160);
                pixels[whole] = red_shape_segments_n(&selection->shape, n);
            }
        }
        close_parts(&opened);
    }
    assert_true(most[0] == 10000000 && most[1] == 100000000);
    assert_true(pixels[0] < pixels[1] && pixels[1] == 1024 * 1024);
}

static void what_no_memory_holds_is_refused(void **state) {
    struct opened opened;
    struct red_error error;
    open_parts(&opened, false);
    assert_ok(red_parts_check_memory(opened.parts, opened.parts_n, &error), &error);
    opened.parts[0].selection.n.values[0] = UINT64_C(1) << 45;
    assert_int_equal(red_parts_check_memory(opened.parts, opened.parts_n, &error), RED_E_MEMORY);
    assert_has(error.text, "; --experiments takes letters");
    close_parts(&opened);
    open_parts(&opened, true);
    opened.parts[0].selection.n.values[0] = UINT64_C(1) << 45;
    assert_int_equal(red_parts_check_memory(opened.parts, opened.parts_n, &error), RED_E_MEMORY);
    assert_has(error.text, "; --experiments without whole");
    close_parts(&opened);
}

static void a_strategy_that_is_gone_is_an_error(void **state) {
    const struct red_session_defaults defaults = {.types = "f32", .ops = "sum", .by_shape = true};
    struct red_selection selection = {.seed = 1, .strategy = "tree,treee", .shape = {.calls_n = 1}};
    struct red_session session, part;
    struct red_error error;
    const struct red_selection none = {.seed = 1, .shape = {.calls_n = 1}};
    assert_ok(red_session_resolve_names(&none, &defaults, &session, &error), &error);
    assert_int_equal(red_session_make_part(&session, &selection, &defaults, &part, &error), RED_E_INPUT);
    assert_has(error.text, "treee");
    red_session_close(&session);
}

static void letters_choose_experiments(void **state) {
    struct red_experiment_choice choice;
    struct red_error error;
    assert_ok(red_experiment_choice_read("h,a", &choice, &error), &error);
    assert_true(choice.letters == (1u | 1u << (red_experiments_n - 1)) && !choice.whole);
    assert_ok(red_experiment_choice_read("a,whole", &choice, &error), &error);
    assert_true(choice.letters == 1 && choice.whole);
    assert_ok(red_experiment_choice_read("whole", &choice, &error), &error);
    assert_true(choice.letters == (1u << red_experiments_n) - 1 && choice.whole);
    assert_int_equal(red_experiment_choice_read("a,i", &choice, &error), RED_E_INPUT);
    assert_has(error.text, "'i' is no experiment");
}

/* ---- tables of a run ----------------------------------------------------------------------------------- */

/* Fills a cell that was timed. */
static void set_cell(struct red_cell *cell, const char *letter, size_t device,
                     const struct red_strategy *strategy, size_t group_size, uint64_t n, double time_s) {
    static double samples[] = {1, 1, 1, 1, 1, 1};
    *cell = (struct red_cell){.device = device,
                              .at.strategy = strategy,
                              .at.op = red_op_find("sum"),
                              .at.dtype = red_dtype_find("f32"),
                              .at.n = n,
                              .segments_n = 1,
                              .at.shape = "array",
                              .state = RED_STATE_PASS,
                              .at.asked = {.group_size = group_size},
                              .samples_s = samples,
                              .samples_n = 6,
                              .time = {.n = 6, .median = time_s, .low = time_s, .high = time_s}};
    snprintf(cell->experiment, sizeof cell->experiment, "%s", letter);
}

static void check_row(const struct red_table *table, size_t row, const char *const *values, size_t n) {
    assert_int_equal(red_table_columns_n(table), n);
    for (size_t c = 0; c < n; c++)
        assert_string_equal(red_table_value(table, row, c), values[c]);
}

/* The sequential program takes 8 s where the tree takes 2 and 4; cells of other experiments are not among
 * them, and no factor is told of a cell without a time. */
static void speed_up_is_by_the_sequential_program(void **state) {
    const struct red_strategy sequential = {.name = "sequential"}, tree = {.name = "tree", .text = ""};
    struct red_run_device devices[2] = {{.is_host = true, .info.id = "host"}, {.info.id = "made"}};
    struct red_cell cells[7];
    struct red_table *table;
    char title[256];
    set_cell(&cells[0], "e", 0, &sequential, 0, 1000, 8e-6);
    set_cell(&cells[1], "e", 0, &sequential, 0, 2000, 16e-6);
    set_cell(&cells[2], "e", 1, &tree, 8, 1000, 2e-6);
    set_cell(&cells[3], "e", 1, &tree, 8, 2000, 2e-6);
    set_cell(&cells[4], "e", 1, &tree, 64, 1000, 4e-6);
    set_cell(&cells[5], "e", 1, &tree, 64, 2000, 4e-6);
    set_cell(&cells[6], "h", 1, &tree, 0, 4000, 1e-6);
    cells[5].samples_n = 0;
    cells[5].state = RED_STATE_OVER_BUDGET;
    const struct red_run run = {.devices = devices, .devices_n = 2, .cells = cells, .cells_n = 7};
    const struct red_experiment_source source = {.run = &run, .device = 1, .label = "made"};
    assert_true(red_run_has_experiments(&run));
    assert_true(
        red_experiment_table_make(&source, 1, red_experiment_find("e"), 0, &table, title, sizeof title));
    assert_int_equal(red_table_rows_n(table), 3);
    check_row(table, 0, (const char *const[]){"sequential", "8.00", "16.0"}, 3);
    check_row(table, 2, (const char *const[]){"tree:64", "4.00", "over-budget"}, 3);
    red_table_destroy(table);
    assert_true(
        red_experiment_table_make(&source, 1, red_experiment_find("e"), 1, &table, title, sizeof title));
    assert_has(title, "times as fast as the sequential program");
    assert_int_equal(red_table_rows_n(table), 2);
    check_row(table, 0, (const char *const[]){"tree:8", "4.00x", "8.00x"}, 3);
    check_row(table, 1, (const char *const[]){"tree:64", "2.00x", ""}, 3);
    red_table_destroy(table);
    assert_false(
        red_experiment_table_make(&source, 1, red_experiment_find("e"), 2, &table, title, sizeof title));
    assert_false(
        red_experiment_table_make(&source, 1, red_experiment_find("a"), 0, &table, title, sizeof title));
}

/* A row for each strategy that has them, and where no cell has, no row. */
static void figures_have_tables_of_their_own(void **state) {
    const struct red_strategy passes = {.name = "tree_passes", .text = ""}, other = {.name = "tree"};
    struct red_run_device devices[2] = {{.is_host = true, .info.id = "host"}, {.info.id = "made"}};
    struct red_cell cells[3];
    struct red_table *table;
    char title[256];
    set_cell(&cells[0], "d", 1, &passes, 0, 1000, 8e-6);
    set_cell(&cells[1], "d", 1, &passes, 0, 2000, 9e-6);
    set_cell(&cells[2], "d", 1, &other, 0, 1000, 9e-6);
    cells[0].launches = (struct red_launch_times){.n = 3, .s = {3e-6, 2e-6, 1e-6}, .gap_s = {7e-6, 8e-6}};
    const struct red_run run = {.devices = devices, .devices_n = 2, .cells = cells, .cells_n = 3};
    const struct red_experiment_source source = {.run = &run, .device = 1, .label = "made"};
    const struct red_experiment *d = red_experiment_find("d");
    assert_true(red_experiment_table_make(&source, 1, d, 1, &table, title, sizeof title));
    assert_string_equal(title, "made, sum of f32: event times of each launch in us, by n");
    assert_int_equal(red_table_rows_n(table), 1);
    check_row(table, 0, (const char *const[]){"tree_passes", "3.00 + 2.00 + 1.00", ""}, 3);
    red_table_destroy(table);
    assert_true(red_experiment_table_make(&source, 1, d, 2, &table, title, sizeof title));
    check_row(table, 0, (const char *const[]){"tree_passes", "7.00, 8.00", ""}, 3);
    red_table_destroy(table);
    assert_false(red_experiment_table_make(&source, 1, d, 3, &table, title, sizeof title));
    cells[0].launches.n = 0;
    assert_true(red_experiment_table_make(&source, 1, d, 1, &table, title, sizeof title));
    assert_int_equal(red_table_rows_n(table), 0);
    red_table_destroy(table);
}

/* A file of fewer pixels and one of the whole on one page: each row tells which it is, and the title neither.
 */
static void rows_of_several_shapes_name_them(void **state) {
    const struct red_strategy item = {.name = "segment_item", .text = ""};
    struct red_run_device devices[2] = {{.is_host = true, .info.id = "host"}, {.info.id = "made"}};
    struct red_cell cells[2];
    struct red_experiment_source sources[2];
    struct red_table *table;
    char title[256];
    const char *const shapes[] = {"computed:65536x160", "computed:1048576x160"};
    struct red_run runs[2];
    for (size_t i = 0; i < 2; i++) {
        set_cell(&cells[i], "c", 1, &item, 0, 160, (double)(1 + i) * 1e-6);
        snprintf(cells[i].at.shape, sizeof cells[i].at.shape, "%s", shapes[i]);
        runs[i] = (struct red_run){.devices = devices, .devices_n = 2, .cells = &cells[i], .cells_n = 1};
        sources[i] = (struct red_experiment_source){.run = &runs[i], .device = 1, .label = "made"};
    }
    assert_true(
        red_experiment_table_make(sources, 2, red_experiment_find("c"), 0, &table, title, sizeof title));
    check_row(table, 0, (const char *const[]){"made", "segment_item computed:65536x160", "1.00"}, 3);
    check_row(table, 1, (const char *const[]){"made", "segment_item computed:1048576x160", "2.00"}, 3);
    assert_has(title, ", of several shapes");
    assert_null(strstr(title, "65536"));
    red_table_destroy(table);
}

/* Of times that cannot be compared, and of cells without one, the host's once for two devices. */
static void the_screen_tells_what_to_think_of_times(void **state) {
    const struct red_strategy sequential = {.name = "sequential"}, tree = {.name = "tree", .text = ""};
    struct red_run_device devices[] = {
        {.is_host = true, .info.id = "host"},
        {.info.id = "made", .steadiness = {.fails = true, .by_cells = true, .unsteady_n = 1, .timed_n = 1}},
        {.info.id = "other"}};
    struct red_cell cells[3];
    char *text = NULL;
    size_t bytes;
    set_cell(&cells[0], "f", 0, &sequential, 0, 1000, 8e-6);
    set_cell(&cells[1], "f", 1, &tree, 0, 1000, 2e-6);
    set_cell(&cells[2], "f", 2, &tree, 0, 1000, 4e-6);
    cells[0].samples_n = 0;
    cells[0].state = RED_STATE_OVER_BUDGET;
    snprintf(cells[0].reason, sizeof cells[0].reason, "too slow");
    cells[1].time.is_incomparable = true;
    const struct red_run run = {.devices = devices, .devices_n = 3, .cells = cells, .cells_n = 3};
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    red_experiments_print(out, &run);
    fclose(out);
    assert_has(text, "time to answer in us; ? = unsteady or disturbed\n");
    assert_has(text, " 2.00?\n");
    assert_has(text, " 4.00\n");
    const char *reason = strstr(text, "host: sequential, sum at n = 1000: over-budget: too slow\n");
    assert_non_null(reason);
    assert_null(strstr(strchr(reason, '\n'), "too slow"));
    assert_has(text, "\nOn made these times cannot be compared: 1 of 1 times are unsteady.");
    assert_null(strstr(text, "On other"));
    assert_null(strstr(text, "On the host"));
    free(text);
}

/* ---- files --------------------------------------------------------------------------------------------- */

/* A file with one cell; `more` are members of it, each behind a comma. Gives the status of reading it. */
static enum red_status read_file_with(const char *more, struct red_result *result, struct red_error *error) {
    char text[2048];
    const int n = snprintf(
        text, sizeof text,
        "{\"schema\":2,\"suite\":{\"version\":\"1\"},\"host\":{\"environment\":{}},\"seed\":1,\"devices\":["
        "{\"id\":\"host\",\"kind\":\"host\"}],\"cells\":[{\"device\":\"host\",\"strategy\":\"sequential\","
        "\"op\":\"sum\",\"type\":\"f32\",\"shape\":\"array\",\"n\":8,\"state\":\"pending\","
        "\"geometry\":{\"group_size\":1,\"groups\":1},\"asked\":{}%s}]}",
        more);
    return red_result_read("made", text, (size_t)n, NULL, result, error);
}

static void a_file_keeps_experiment_and_launches(void **state) {
    struct red_result result;
    struct red_error error;
    assert_ok(read_file_with(",\"experiment\":\"d\",\"launches\":{\"times_s\":[3e-6,0],\"gaps_s\":[-1e-9]}",
                             &result, &error),
              &error);
    const struct red_cell *cell = &result.run.cells[0];
    assert_string_equal(cell->experiment, "d");
    assert_int_equal(cell->launches.n, 2);
    assert_near(1e6 * cell->launches.s[0], 3, 1e-6);
    assert_near(1e9 * cell->launches.gap_s[0], -1, 1e-6);
    red_result_clear(&result);
    assert_ok(read_file_with("", &result, &error), &error); /* no experiment, and no launches */
    assert_true(result.run.cells[0].experiment[0] == '\0' && result.run.cells[0].launches.n == 0);
    red_result_clear(&result);
}

/* Off by a part in 20,000 at most, of the median or of the largest gap. */
static void launches_are_read_as_they_were_written(void **state) {
    const char *const path = "launches.json";
    struct red_result result, again;
    struct red_error error;
    size_t n;
    char *text;
    assert_ok(read_file_with(",\"launches\":{\"times_s\":[3e-6,0,7.125e-6],\"gaps_s\":[-1e-6,-4e-7]}",
                             &result, &error),
              &error);
    assert_ok(red_result_write_json(&result.run, path, &error), &error);
    assert_ok(red_file_read(path, "file", 4096, &text, &n, &error), &error);
    assert_ok(red_result_read(path, text, n, NULL, &again, &error), &error);
    const struct red_launch_times *launches = &again.run.cells[0].launches;
    assert_int_equal(launches->n, 3);
    assert_near(1e6 * launches->s[0], 3, 1e-9);
    assert_true(launches->s[1] == 0);
    assert_near(1e6 * launches->s[2], 7.125, 2e-4);
    assert_near(1e6 * launches->gap_s[0], -1, 1e-9);
    assert_near(1e6 * launches->gap_s[1], -0.4, 1e-4);
    free(text);
    red_result_clear(&again);
    red_result_clear(&result);
}

static void launches_that_make_no_sense_are_refused(void **state) {
    static const char *const wrong[] = {
        ",\"launches\":{\"times_s\":{\"off\":[0,0]},\"gaps_s\":[0]}",
        ",\"launches\":{\"times_s\":{\"about\":1e-6,\"off\":[0,-10001]},\"gaps_s\":[0]}",
        ",\"launches\":{\"times_s\":[1e-6,1e-6],\"gaps_s\":{\"about\":1e-6,\"off\":[0,0]}}",
        ",\"launches\":[]",
        ",\"launches\":{\"times_s\":[1e-6],\"gaps_s\":[]}",
        ",\"launches\":{\"times_s\":[1e-6,1e-6],\"gaps_s\":[]}",
        ",\"launches\":{\"times_s\":[1e-6,-1e-6],\"gaps_s\":[0]}",
        ",\"launches\":{\"times_s\":[1e-6,1e300],\"gaps_s\":[0]}",
        ",\"launches\":{\"times_s\":[1,1,1,1,1,1,1,1,1],\"gaps_s\":[1,1,1,1,1,1,1,1]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct red_result result;
        struct red_error error;
        assert_int_equal(read_file_with(wrong[i], &result, &error), RED_E_INPUT);
        assert_has(error.text, "cells[0]");
        red_result_clear(&result);
    }
}
