#include "tests/unit/testing.h"

#include <glob.h>
#include <jansson.h>
#include <math.h>

#include "core/file.h"
#include "results/json.h"
#include "results/result.h"

static const char head[] = "{\"schema\":2,\"suite\":{\"name\":\"clreduce\",\"version\":\"0.1.0\"},\"seed\":3,"
                           "\"host\":{\"name\":\"h\",\"processor\":\"p\",\"environment\":{}},\"devices\":["
                           "{\"id\":\"host\",\"kind\":\"host\",\"name\":\"OpenMP\",\"compute_units\":2},"
                           "{\"id\":\"d\",\"kind\":\"cpu\",\"name\":\"D\",\"compute_units\":4,\"roof_bytes_"
                           "per_s\":2e9,\"capabilities\":{}}],"
                           "\"cells\":[";

static void put_cell(FILE *out, const char *device, const char *strategy, const char *op, const char *shape,
                     int n, int group_size, double time_s) {
    fprintf(
        out,
        "%s{\"device\":\"%s\",\"strategy\":\"%s\",\"op\":\"%s\",\"type\":\"f32\",\"shape\":\"%s\",\"n\":%d,"
        "\"state\":\"pass\",\"geometry\":{\"group_size\":%d,\"groups\":1},\"asked\":{\"group_size\":%d},"
        "\"time_to_answer\":{\"median_s\":%"
        "g,"
        "\"low_s\":%g,\"high_s\":%g,\"samples_s\":[%g,%g]},\"accuracy\":{\"error\":null,\"bound\":2}}",
        ftell(out) > (long)sizeof head ? "," : "", device, strategy, op, shape, n, group_size, group_size,
        time_s, time_s / 2, time_s * 2, time_s, time_s);
}

static const char made_path[] = "made.json", written_path[] = "written.json";
static struct red_catalogue *catalogue;
static struct red_result made;

static char *file_text(const char *path, size_t *n) {
    char *text = NULL;
    struct red_error error = {.text = ""};
    assert_ok(red_file_read(path, "file", 1 << 28, &text, n, &error), &error);
    return text;
}

static enum red_status load_made(struct red_result *result, struct red_error *error) {
    size_t n;
    char *text = file_text(made_path, &n);
    const enum red_status status = red_result_read(made_path, text, n, catalogue, result, error);
    free(text);
    return status;
}

/* Two queries in turns, two geometries, a stranger, and an operation that nobody knows. */
static int set_up(void **state) {
    struct red_error error;
    FILE *out = fopen(made_path, "w");
    assert_non_null(out);
    fputs(head, out);
    put_cell(out, "host", "openmp", "sum", "array", 1024, 1, 1e-6);
    put_cell(out, "host", "sequential", "sum", "array", 1024, 1, 5e-7);
    put_cell(out, "d", "tree", "sum", "array", 1024, 64, 2e-6);
    put_cell(out, "d", "tree", "max", "array", 1024, 64, 3e-6);
    put_cell(out, "d", "tree", "sum", "array", 1024, 128, 4e-6);
    put_cell(out, "d", "tree", "sum", "array", 1024, 256, 4e-6);
    put_cell(out, "d", "mine", "sum", "segments:4x16", 16, 64, 5e-6);
    put_cell(out, "d", "mine", "sum", "segments:8x32", 32, 64, 6e-6);
    put_cell(out, "d", "tree", "median", "array", 1024, 64, 7e-6);
    fputs("],\"accuracy\":[{\"device\":\"d\",\"strategy\":\"tree\",\"op\":\"sum\",\"type\":\"f32\",\"data\":"
          "\"ones\","
          "\"n\":8,\"state\":\"pass\",\"error_in_units\":2.5,\"share_of_bound\":null},{\"device\":\"d\","
          "\"strategy\":"
          "\"chunk\",\"op\":\"sum\",\"type\":\"f32\",\"data\":\"huge\",\"n\":8,\"state\":\"wrong\",\"error\":"
          "6.0,"
          "\"bound\":1.5,\"error_in_units\":4.0,\"share_of_bound\":4.0}]}",
          out);
    fclose(out);
    assert_ok(red_catalogue_create(&catalogue, &error), &error);
    assert_ok(load_made(&made, &error), &error);
    return 0;
}

static int tear_down(void **state) {
    red_result_clear(&made);
    red_catalogue_destroy(catalogue);
    return 0;
}

static void cells_stand_by_their_queries(void **state) {
    const struct red_result *result = &made;
    assert_int_equal(result->queries_n, 3);
    assert_string_equal(result->queries[0].at.op->name, "sum");
    assert_int_equal(result->queries[0].run.cells_n, 5);
    assert_string_equal(result->queries[1].at.op->name, "max");
    assert_int_equal(result->queries[1].run.cells_n, 1);
    assert_int_equal(result->queries[2].shape.kind, RED_SHAPE_SEGMENTS);
    assert_int_equal(result->queries[2].run.cells_n, 2);
    const struct red_cell *segments = result->queries[2].run.cells;
    assert_true(red_cell_same_line(&segments[0], &segments[1])); /* a row of its table, with two columns */
    assert_int_equal(result->left_out_n, 1);
}

static void a_cell_is_what_it_was(void **state) {
    const struct red_query *query = &made.queries[0];
    const struct red_cell *cell = &query->run.cells[2];
    assert_ptr_equal(cell->at.strategy, red_catalogue_find(catalogue, "tree"));
    assert_int_equal(cell->device, 1);
    assert_int_equal(cell->at.n, 1024);
    assert_int_equal(cell->samples_n, 2);
    assert_true(cell->samples_s[1] > 1.9e-6 && cell->samples_s[1] < 2.1e-6);
    assert_true(cell->time.low < cell->time.median && cell->time.median < cell->time.high);
    assert_true(cell->bound > 1.9 && cell->bound < 2.1 && cell->error > 1e300);
    assert_int_equal(query->run.seed, 3);
    assert_true(query->run.devices[1].roof_bytes_per_s > 1.9e9);
    assert_true(query->run.devices[0].is_host && !query->run.devices[1].is_host);
    assert_ptr_equal(red_run_fastest(&query->run, 1, NULL, &query->at, 1024), cell);
    /* Devices are compared with OpenMP, though another row of the host is faster. */
    assert_ptr_equal(red_run_openmp(&query->run, &query->at, 1024), &query->run.cells[0]);
    assert_null(red_run_openmp(&query->run, &query->at, 1025));
}

static const char lean_cells[] =
    "{\"device\":\"d\",\"strategy\":\"tree\",\"op\":\"sum\",\"type\":\"f32\",\"n\":1024,\"state\":\"pass\","
    "\"geometry\":{\"group_size\":64,\"groups\":1},\"time_to_answer\":{\"median_s\":2e-6,\"low_s\":1e-6,"
    "\"high_s\":3e-6,\"samples_s\":{\"off\":[0,5000,-2500]}}},"
    "{\"device\":\"host\",\"strategy\":\"openmp\",\"op\":\"sum\",\"type\":\"f32\",\"n\":1024,\"state\":"
    "\"pass\","
    "\"standard\":null,\"geometry\":{\"group_size\":1,\"groups\":1},\"time_to_answer\":{\"median_s\":4e-6,"
    "\"low_s\":4e-6,\"high_s\":4e-6,\"samples_s\":7},\"accuracy\":{\"data_sets\":1,\"error\":1.5,\"bound\":"
    "null,"
    "\"sum_of_absolutes\":2}}],\"usual\":{\"shape\":\"array\",\"asked\":{\"group_size\":64},\"standard\":"
    "\"CL1.2\",\"accuracy\":{\"data_sets\":3,\"two_runs_same_bits\":true}}}";

static enum red_status read_lean(const char *from, const char *to, struct red_result *result,
                                 struct red_error *error) {
    enum { ROOM = 256 };
    char text[sizeof head + sizeof lean_cells + ROOM];
    const char *at = strstr(lean_cells, from);
    assert_non_null(at);
    const int n = snprintf(text, sizeof text, "%s%.*s%s%s", head, (int)(at - lean_cells), lean_cells, to,
                           at + strlen(from));
    return red_result_read("lean.json", text, (size_t)n, catalogue, result, error);
}

/* What is usual, what follows from the samples, and errors of what is exact. */
static void what_a_file_leaves_out_is_there_again(void **state) {
    struct red_result result;
    struct red_error error = {.text = ""};
    assert_ok(read_lean("", "", &result, &error), &error);
    const struct red_cell *cell = &result.run.cells[0], *host = &result.run.cells[1];
    assert_string_equal(cell->at.shape, "array");
    assert_string_equal(cell->standard, "CL1.2");
    assert_true(cell->at.asked.group_size == 64 && cell->segments_n == 1);
    assert_true(cell->checks_n == 3 && cell->same_bits && cell->error == 0 && cell->bound == 0);
    assert_true(cell->samples_n == 3 && fabs(cell->samples_s[1] - 3e-6) < 1e-15);
    assert_true(fabs(cell->time.min - 1.5e-6) < 1e-15 && fabs(cell->time.max - 3e-6) < 1e-15);
    assert_true(fabs(cell->time.mean - 6.5e-6 / 3) < 1e-15 && cell->time.median == 2e-6);
    assert_string_equal(host->standard, "");
    assert_true(host->samples_n == 7 && host->samples_s == NULL && host->time.median == 4e-6);
    assert_true(host->checks_n == 1 && host->error == 1.5 && host->bound > 1e300);
    /* How many samples there were is written again. */
    size_t n;
    assert_ok(red_result_write_json(&result.run, written_path, &error), &error);
    char *text = file_text(written_path, &n);
    assert_non_null(strstr(text, "\"samples_s\":7"));
    assert_non_null(strstr(text, "\"samples_s\":{\"off\":[0,5000,-2500]}"));
    free(text);
    red_result_clear(&result);
}

/* Devices that are kept move up, and what is of them goes with them. */
static void kept_accuracies_follow_their_devices(void **state) {
    static const char text[] =
        "{\"schema\":2,\"suite\":{\"name\":\"clreduce\",\"version\":\"0.1.0\"},\"host\":{\"environment\":{}},"
        "\"devices\":[{\"id\":\"a\",\"kind\":\"cpu\",\"capabilities\":{}},"
        "{\"id\":\"b\",\"kind\":\"cpu\",\"capabilities\":{}},"
        "{\"id\":\"c\",\"kind\":\"cpu\",\"capabilities\":{}}],\"cells\":[],\"accuracy\":["
        "{\"device\":\"a\",\"strategy\":\"tree\",\"op\":\"sum\",\"type\":\"f32\",\"data\":\"ones\",\"n\":8,"
        "\"state\":\"failed\"},"
        "{\"device\":\"b\",\"strategy\":\"tree\",\"op\":\"sum\",\"type\":\"f32\",\"data\":\"ones\",\"n\":8,"
        "\"state\":\"failed\"}]}";
    struct red_result result;
    struct red_error error = {.text = ""};
    assert_ok(red_result_read("three.json", text, sizeof text - 1, catalogue, &result, &error), &error);
    struct red_device_info infos[3];
    for (size_t d = 0; d < 3; d++)
        infos[d] = result.run.devices[d].info;
    assert_ok(red_result_keep_devices(&result, infos, 3, "b,c", &error), &error);
    assert_int_equal(result.run.accuracies_n, 1);
    assert_int_equal(result.run.accuracies[0].device, 0);
    assert_string_equal(result.run.accuracies[0].at.device, "b");
    red_result_clear(&result);
}

/* Version 1 did not tell in all its files what was asked for. */
static void a_file_of_another_version_is_refused_by_name(void **state) {
    static const char of_another[] = "{\"schema\":1,\"suite\":{\"name\":\"clreduce\",\"version\":\"0.0.9\"}}";
    struct red_result result;
    struct red_error error;
    assert_told(of_another,
                red_result_read("old.json", of_another, sizeof of_another - 1, catalogue, &result, &error),
                &error,
                "old.json: schema: expected 2; another clreduce, which called itself 0.0.9, wrote this file: "
                "read it with that one, or measure again with this one");
    assert_told("a cell without what was asked for",
                read_lean("\"asked\":{\"group_size\":64},\"standard\"", "\"standard\"", &result, &error),
                &error, "lean.json: cells[0].asked: expected an object");
}

static void what_cannot_be_left_out_is_refused(void **state) {
    static const char *const spoilt[][3] = {
        {"\"usual\":{", "\"usual\":7,\"x\":{", "usual: expected an object"},
        {"\"asked\":{\"group_size\":64}", "\"asked\":7", "cells[0].asked: expected an object"},
        {"{\"off\":[0,5000", "{\"off\":[-10000,5000", "cells[0].time_to_answer.samples_s: expected numbers"},
        {"{\"off\":[0,5000", "{\"about\":-1,\"off\":[0,5000", "samples_s: expected about: a number above 0"},
        {"{\"off\":", "{\"on\":", "cells[0].time_to_answer.samples_s: expected an array of one or more"},
        {"\"samples_s\":7", "\"samples_s\":0", "cells[1].time_to_answer.samples_s: expected an array"},
        {"\"samples_s\":7", "\"samples_s\":-7", "cells[1].time_to_answer.samples_s: expected an array"}};
    struct red_result result;
    struct red_error error;
    for (size_t i = 0; i < sizeof spoilt / sizeof spoilt[0]; i++)
        assert_told(spoilt[i][1], read_lean(spoilt[i][0], spoilt[i][1], &result, &error), &error,
                    spoilt[i][2]);
}

static void geometries_that_were_asked_for_are_lines_of_their_own(void **state) {
    const struct red_cell *cells = made.queries[0].run.cells;
    assert_false(red_cell_same_line(&cells[3], &cells[4]));
    assert_int_equal(cells[4].at.asked.group_size, 256);
}

/* Writes a cell of a histogram; `data` NULL: the file does not tell. */
static void put_histogram(FILE *out, const char *strategy, unsigned bins_n, const char *data, double time_s) {
    put_cell(out, "d", strategy, "count", "array", 1024, 64, time_s);
    fseek(out, -1, SEEK_CUR);
    fprintf(out, ",\"bins\":%u", bins_n);
    if (data != NULL)
        fprintf(out, ",\"data\":\"%s\"", data);
    fputc('}', out);
}

static void the_slowest_data_of_histograms_are_a_query(void **state) {
    struct red_error error;
    struct red_result read;
    FILE *out = fopen(made_path, "w");
    assert_non_null(out);
    fputs(head, out);
    put_histogram(out, "global_counts", 256, NULL, 1e-6);
    put_histogram(out, "global_counts", 256, "one bin", 5e-6);
    put_histogram(out, "local_counts", 256, "Zipf", 3e-6);
    put_histogram(out, "local_counts", 256, "uniform", 4e-6);
    put_histogram(out, "global_counts", 256, "Zipf", 2e-6);
    put_histogram(out, "global_counts", 64, NULL, 7e-6);
    fputs("]}", out);
    fclose(out);
    assert_ok(load_made(&read, &error), &error);
    assert_int_equal(read.queries_n, 3);
    const struct red_query *uniform = &read.queries[0], *slowest = &read.queries[1], *few = &read.queries[2];
    assert_int_equal(uniform->run.cells_n, 2);
    assert_int_equal(slowest->run.cells_n, 2);
    assert_int_equal(few->run.cells_n, 1);
    const struct red_cell *cells = slowest->run.cells;
    assert_true(cells[0].time.median == 5e-6 && cells[0].uniform->time.median == 1e-6);
    assert_string_equal(red_axis_text(&cells[0].at, RED_AXIS_DATA).text, "one bin");
    assert_true(cells[1].time.median == 4e-6 && cells[1].uniform->time.median == 4e-6);
    assert_string_equal(red_axis_text(&cells[1].at, RED_AXIS_DATA).text, "uniform");
    assert_true(red_cell_same_line(&cells[0], &cells[0]));
    assert_string_equal(red_query_title(slowest).text, "count of f32 in 256 bins with slowest data");
    assert_true(red_result_has_slowest(&read, uniform));
    assert_false(red_result_has_slowest(&read, slowest) || red_result_has_slowest(&read, few));
    const struct red_cell *a = &uniform->run.cells[0], *other = &few->run.cells[0];
    assert_true(red_at_compare(&a->at, &other->at, RED_AT(BINS) | RED_AT(DATA)) > 0 &&
                !red_cell_same_line(a, other));
    red_result_clear(&read);
}

/* What has no time is the slowest, and the worst of that. */
static void without_a_time_is_slowest(void **state) {
    struct red_cell of[3] = {
        {.at.strategy = red_catalogue_find(catalogue, "global_counts"), .at.op = red_op_find("count")}};
    struct red_run run = {.cells = of, .cells_n = 3};
    size_t n;
    of[0].at.dtype = red_dtype_find("u8");
    of[0].state = RED_STATE_PASS;
    of[0].samples_n = 6;
    of[0].time.median = 1;
    of[1] = of[2] = of[0];
    strcpy(of[1].at.data, "Zipf");
    of[1].samples_n = 0;
    of[1].state = RED_STATE_OVER_BUDGET;
    strcpy(of[2].at.data, "sorted");
    of[2].samples_n = 0;
    of[2].state = RED_STATE_WRONG;
    struct red_cell *slowest = red_cells_slowest(NULL, &run, &n);
    assert_int_equal(n, 1);
    assert_true(slowest[0].state == RED_STATE_WRONG && slowest[0].is_slowest && slowest[0].uniform == &of[0]);
    free(slowest);
    run.cells_n = 2;
    slowest = red_cells_slowest(NULL, &run, &n);
    assert_true(n == 1 && slowest[0].state == RED_STATE_OVER_BUDGET);
    free(slowest);
}

static void a_stranger_is_known_by_its_name(void **state) {
    const struct red_run *run = &made.queries[2].run;
    assert_int_equal(made.strangers.n, 2); /* the operation is another */
    assert_string_equal(made.strangers.all[0]->op.name, "median");
    assert_string_equal(run->cells[0].at.strategy->name, "mine");
    assert_ptr_equal(run->cells[0].at.strategy, run->cells[1].at.strategy);
}

static void accuracies_are_read(void **state) {
    const struct red_run *run = &made.run;
    assert_int_equal(run->accuracies_n, 2);
    assert_true(run->accuracies[0].state == RED_STATE_PASS && run->accuracies[0].device == 1);
    assert_true(run->accuracies[0].error_in_units > 2.4 && run->accuracies[0].error_in_units < 2.6);
    /* What is beyond its bound keeps its error. */
    assert_true(run->accuracies[1].state == RED_STATE_WRONG && run->accuracies[1].error == 6 &&
                run->accuracies[1].bound == 1.5);
}

/* Whether all that the one tells stands in the other, too. */
static bool is_within(const json_t *part, const json_t *whole) {
    const char *key;
    json_t *value;
    size_t i;
    bool within = json_typeof(part) == json_typeof(whole);
    if (json_is_object(part))
        json_object_foreach((json_t *)(uintptr_t)part, key, value) {
            const json_t *other = json_object_get(whole, key);
            /* Of samples that have a base of their own the median becomes the base: they move by half a part.
             */
            if (json_object_get(value, "about") != NULL && json_object_get(other, "about") == NULL)
                within = within && red_json_numbers_n(value) == red_json_numbers_n(other);
            else
                within = within && other != NULL && is_within(value, other);
        }
    else if (json_is_array(part) && json_array_size(part) == json_array_size(whole))
        json_array_foreach((json_t *)(uintptr_t)part, i, value) within =
            within && is_within(value, json_array_get(whole, i));
    else
        within = within && json_equal(part, whole);
    return within;
}

/* Reads a result file, writes it, and reads what was written. False where it is another kind of file. */
static bool write_again(const char *path, bool *same) {
    struct red_result result;
    struct red_error error = {.text = ""};
    size_t n, written_n;
    char *text = file_text(path, &n), *written = NULL;
    json_t *before = json_loadb(text, n, 0, NULL), *after = NULL;
    const bool is_one = json_object_get(json_object_get(before, "suite"), "name") != NULL;
    if (is_one) {
        assert_ok(red_result_read(path, text, n, catalogue, &result, &error), &error);
        assert_ok(red_result_write_json(&result.run, written_path, &error), &error);
        written = file_text(written_path, &written_n);
        after = json_loadb(written, written_n, 0, NULL);
#if JANSSON_VERSION_HEX >= 0x020f00
        /* It spells some numbers otherwise than the versions that wrote the files. */
        free(text);
        assert_ok(red_json_write(before, "numbers.json", 9, &error), &error);
        text = file_text("numbers.json", &n);
#endif
        *same = written_n == n && memcmp(text, written, n) == 0;
        if (!is_within(before, after))
            fail_msg("%s is written otherwise", path);
        red_result_clear(&result);
    }
    json_decref(before);
    json_decref(after);
    free(written);
    free(text);
    return is_one;
}

/* All results that are kept with the program: those of today byte for byte, of older ones all that they tell.
 * What is written from those is of today. */
static void a_run_is_written_as_it_was_read(void **state) {
    const char *const patterns[] = {RESULTS "/*.json", RESULTS "/*/*.json"};
    glob_t files;
    size_t same_n = 0, files_n = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(glob(patterns[i], i > 0 ? GLOB_APPEND : 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        bool same = false;
        if (!write_again(files.gl_pathv[i], &same))
            continue;
        files_n++;
        same_n += same;
        assert_true(write_again(written_path, &same) && same);
    }
    globfree(&files);
    print_message("%zu result files, %zu of them as they were\n", files_n, same_n);
    assert_true(files_n >= 20 && same_n >= 4);
}

static int allocations_left;

static void *allocate(size_t bytes) {
    return allocations_left-- > 0 ? malloc(bytes) : NULL;
}

/* Whichever allocation fails, what others refer to, as this test does, is not released. */
static void packing_without_memory_releases_its_own_alone(void **state) {
    json_t *packed = NULL;
    for (int n = 0; packed == NULL; n++) {
        json_t *inner = json_pack("{s:[f,f]}", "times_s", 2e-6, 3e-6);
        json_t *outer = json_pack("{s:O, s:[f]}", "launches", inner, "gaps_s", 1e-6);
        json_incref(inner);
        allocations_left = n;
        json_set_alloc_funcs(allocate, free);
        packed = red_json_pack_numbers(outer);
        json_set_alloc_funcs(malloc, free);
        assert_int_equal(inner->refcount, packed != NULL ? 3 : 2);
        json_decref(packed);
        json_decref(inner);
        json_decref(inner);
        assert_in_range(n, 0, 1000);
    }
}

/* Of numbers that differ much, as the times of launches may, none is rounded by more than 1 %. */
static void packing_keeps_small_numbers(void **state) {
    const double numbers[] = {5e-3, 5e-3, 3.7e-7};
    json_t *object = json_pack("{s:[f,f,f]}", "times_s", numbers[0], numbers[1], numbers[2]);
    json_t *packed = json_object_get(red_json_pack_numbers(object), "times_s");
    const double base = json_real_value(json_object_get(packed, "about"));
    for (size_t i = 0; i < 3; i++) {
        const json_t *off = json_array_get(json_object_get(packed, "off"), i);
        const double kept = base * (1 + 1e-4 * (double)json_integer_value(off));
        assert_true(fabs(kept - numbers[i]) <= 1e-2 * numbers[i]);
    }
    json_decref(object);
}

/* An order of the cells makes it quick, and changes no answer, ties included. */
static void the_fastest_is_the_same_in_an_order(void **state) {
    enum { CELLS_N = 500 };
    static const struct red_strategy strategies[3] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    struct red_run_device devices[2] = {{.info = {.id = "x"}}, {.info = {.id = "y"}}};
    struct red_run run = {
        .devices = devices, .devices_n = 2, .cells = calloc(CELLS_N, sizeof *run.cells), .cells_n = CELLS_N};
    assert_non_null(run.cells);
    srand(3);
    for (size_t i = 0; i < CELLS_N; i++) {
        const size_t device = (size_t)rand() % 2;
        run.cells[i] = (struct red_cell){.device = device,
                                         .at = {.device = devices[device].info.id,
                                                .strategy = &strategies[(unsigned)rand() % 3],
                                                .op = &red_ops[(unsigned)rand() % 2],
                                                .dtype = &red_dtypes[(unsigned)rand() % 2],
                                                .n = (uint64_t)rand() % 5},
                                         .samples_n = (size_t)rand() % 4,
                                         .time = {.median = 1 + rand() % 3}};
    }
    for (unsigned question = 0; question < 2 * 4 * 2 * 2 * 6; question++) {
        const struct red_strategy *strategy = question % 4 < 3 ? &strategies[question % 4] : NULL;
        const struct red_at of = {.op = &red_ops[question / 4 % 2], .dtype = &red_dtypes[question / 8 % 2]};
        const size_t device = question / 16 % 2;
        const uint64_t n = question / 32;
        const struct red_cell *expected = red_run_fastest(&run, device, strategy, &of, n);
        const struct red_cell *best = red_run_fastest_or_first(&run, device, strategy, &of, n);
        assert_ptr_equal(expected, best != NULL && best->samples_n > 0 ? best : NULL);
        red_run_make_index(&run);
        assert_ptr_equal(red_run_fastest_or_first(&run, device, strategy, &of, n), best);
        assert_ptr_equal(red_run_fastest(&run, device, strategy, &of, n), expected);
        free(run.ordered);
        run.ordered = NULL;
    }
    free(run.cells);
}

#define SET_UP    set_up
#define TEAR_DOWN tear_down
