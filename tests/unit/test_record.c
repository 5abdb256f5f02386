#include "tests/unit/testing.h"

#include <jansson.h>
#include <sys/stat.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/text.h"
#include "results/result.h"
#include "stats/statistics.h"
#include "tests/unit/texts.h"

static void statistics_are_those_of_the_samples(void **state) {
    const double samples[] = {5, 1, 4, 2, 3, 9, 7, 8, 6, 10, 12, 11, 14, 13, 15};
    struct red_statistics s;
    assert_int_equal(red_statistics_find(samples, 15, &s, NULL), RED_OK);
    assert_true(s.min == 1 && s.max == 15 && s.median == 8 && s.mean == 8);
    /* n = 15: ranks 4 and 12 enclose the median with 96.5 % (tables of order statistics). */
    assert_true(s.low == 4 && s.high == 12);
    assert_int_equal(red_statistics_find(samples, 1, &s, NULL), RED_OK);
    assert_true(s.min == 5 && s.low == 5 && s.high == 5 && s.median == 5);
    assert_int_equal(red_statistics_find(samples, 4, &s, NULL), RED_OK);
    assert_true(s.low == 1 && s.high == 5 && s.median == 3);
}

static void overlapping_intervals_are_a_tie(void **state) {
    struct red_statistics a = {.low = 1, .high = 2}, b = {.low = 2, .high = 3}, c = {.low = 2.5, .high = 3};
    assert_int_equal(red_statistics_compare(&a, &b), 0);
    assert_int_equal(red_statistics_compare(&a, &c), -1);
    assert_int_equal(red_statistics_compare(&c, &a), 1);
}

static void the_clock_runs(void **state) {
    double step_s = red_clock_measure_step_s();
    assert_true(step_s > 0 && step_s < 1e-3);
    char text[32];
    red_clock_utc_now_format(text, sizeof text);
    assert_int_equal(strlen(text), 20);
}

/* Two devices of the host, of which one has a poor roof, and one of its own; arrays of 256 MiB and more. */
static void what_no_memory_reads_is_implausible(void **state) {
    enum { HOST, CPU, GPU };
    const struct {
        size_t device;
        double mib, gb_per_s, caches_mib; /* of the host */
        bool implausible;
    } cells[] = {
        {CPU, 256, 11, 32, false},    {CPU, 256, 12.9, 32, false}, /* of 10, the host's */
        {CPU, 256, 13.2, 32, true},   {HOST, 256, 13.2, 32, true}, {CPU, 256, 2640, 32, true},
        {CPU, 255, 2640, 32, false},                               /* may be in a cache */
        {CPU, 256, 2640, 65, false},  {CPU, 320, 2640, 80, false}, /* so may the roof's */
        {GPU, 1024, 1290, 32, false}, {GPU, 1024, 1310, 32, true}, {GPU, 1023, 9999, 32, false},
    };
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        struct red_run_device devices[] = {
            [HOST] = {.is_host = true,
                      .roof_bytes_per_s = 9e9,
                      .roof_best_bytes_per_s = 10e9,
                      .roof_bytes = 256 << 20},
            [CPU] = {.roof_bytes_per_s = 4e9, .roof_best_bytes_per_s = 5e9, .roof_bytes = 256 << 20},
            [GPU] = {.roof_bytes_per_s = 1e12, .roof_best_bytes_per_s = 1e12, .roof_bytes = 1 << 30}};
        devices[CPU].info.shape.is_cpu = true;
        struct red_cell cell = {.device = cells[i].device,
                                .at.op = red_op_find("dot"),
                                .at.dtype = red_dtype_find("f64"),
                                .at.n = (uint64_t)(cells[i].mib * 0x1p20 / 16),
                                .segments_n = 1,
                                .state = RED_STATE_PASS,
                                .samples_n = 6};
        cell.time.median = red_cell_bytes(&cell) / (1e9 * cells[i].gb_per_s);
        struct red_run run = {.devices = devices, .devices_n = 3, .cells = &cell, .cells_n = 1};
        assert_int_equal(red_run_mark_implausible(&run, cells[i].caches_mib * 0x1p20), cells[i].implausible);
        assert_int_equal(cell.state, cells[i].implausible ? RED_STATE_IMPLAUSIBLE : RED_STATE_PASS);
        assert_int_equal(cell.samples_n, cells[i].implausible ? 0 : 6);
        assert_true((cell.reason[0] != '\0') == cells[i].implausible);
    }
}

static void a_file_is_whole_or_not_there(void **state) {
    struct red_file file;
    struct red_error error;
    const char *path = "whole_or_not_there.txt";
    assert_int_equal(red_file_open(path, &file, &error), RED_OK);
    fputs("half", file.stream);
    assert_int_not_equal(access(path, F_OK), 0);
    red_file_abandon(&file);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(red_file_open(path, &file, &error), RED_OK);
    fputs("whole", file.stream);
    assert_int_equal(red_file_commit(&file, &error), RED_OK);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(red_file_check_writable(path, &error), RED_OK);
    assert_int_equal(access(path, F_OK), 0);
    remove(path);
}

static void write_text(const char *path, const char *text) {
    struct red_file file;
    struct red_error error;
    assert_ok(red_file_open(path, &file, &error), &error);
    fputs(text, file.stream);
    assert_ok(red_file_commit(&file, &error), &error);
}

static void one_file_is_known_by_all_its_names(void **state) {
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        {"there", "there", true},
        {"there", "./there", true},
        {"there", "link", true},
        {"there", "other", false},
        {"there", "not", false},
        {"not", "not", true},
        {"not", "folder/../not", true},
        {"not", "folder/not", false},
        {"not", "neither", false},
        {"there", "hard",
         true}, /* though each would get a file of its own: what one names may be wanted by the other */
        {"nowhere/x", "nowhere/./x", false},
        {"/dev/null", "/dev/../dev/null", false},
        {"-", "-", true},
        {"-", "there", false},
        {"-/not", "not", false},
    };
    char folder[] = "names.XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    write_text("there", "");
    write_text("other", "");
    assert_int_equal(symlink("there", "link") | link("there", "hard"), 0);
    assert_int_equal(mkdir("folder", 0777), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (red_file_is_same(rows[i].a, rows[i].b) != rows[i].same)
            fail_msg("%s and %s", rows[i].a, rows[i].b);
    assert_int_equal(remove("there") | remove("other") | remove("link") | remove("hard") | remove("folder"),
                     0);
    assert_int_equal(chdir("..") | remove(folder), 0);
}

static void a_link_stays_and_its_file_keeps_its_mode(void **state) {
    char folder[] = "links.XXXXXX", target[64], link[64];
    struct stat seen;
    assert_non_null(mkdtemp(folder));
    snprintf(target, sizeof target, "%s/target", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    write_text(target, "first");
    assert_int_equal(chmod(target, 0640), 0);
    assert_int_equal(symlink("target", link), 0);
    assert_int_equal(red_file_check_writable(link, NULL), RED_OK);
    write_text(link, "second");
    assert_file_holds(target, "second");
    assert_true(lstat(link, &seen) == 0 && S_ISLNK(seen.st_mode));
    assert_true(stat(target, &seen) == 0 && (seen.st_mode & 0777) == 0640);
    struct red_error error;
    struct red_file file;
    assert_int_equal(chmod(target, 0444), 0); /* even root is told */
    assert_told(link, red_file_check_writable(link, &error), &error, "Permission denied");
    assert_int_equal(red_file_open(target, &file, &error), RED_E_INPUT);
    remove(target);
    assert_int_equal(red_file_check_writable(link, &error), RED_E_INPUT); /* leads nowhere */
    remove(link);
    assert_int_equal(rmdir(folder), 0);
}

static enum red_status write_word(const void *what, FILE *out, struct red_error *error) {
    if (what == NULL)
        return red_fail(error, RED_E_INPUT, "nothing to write");
    fputs(what, out);
    return RED_OK;
}

/* As `mkdir -p` does; what cannot be written leaves no folder that was not there. */
static void a_folder_is_made_with_those_above(void **state) {
    struct red_error error;
    const struct red_folder_file good[] = {{"some/deep/folder/a", write_word, "a"},
                                           {"some/deep/folder/b", write_word, "b"}},
                                 bad[] = {{"other/deep/a", write_word, "a"},
                                          {"other/deep/b", write_word, NULL}},
                                 beside[] = {{"some/new/a", write_word, NULL}},
                                 in_file[] = {{"file/x/a", write_word, "a"}},
                                 nowhere[] = {{"/a", write_word, "a"}};
    assert_int_equal(red_folder_write("./some//deep/folder/", good, 2, &error), RED_OK);
    assert_file_holds("some/deep/folder/b", "b");
    assert_int_equal(red_folder_write("some/deep/folder", good, 2, &error), RED_OK);
    assert_int_equal(red_folder_write("other/deep", bad, 2, &error), RED_E_INPUT);
    assert_false(red_file_is_folder("other"));
    assert_int_equal(red_folder_write("some/new", beside, 1, &error), RED_E_INPUT);
    assert_false(red_file_is_folder("some/new"));
    assert_true(red_file_is_folder("some/deep"));
    write_text("file", "");
    assert_told("file/x", red_folder_write("file/x", in_file, 1, &error), &error, "Not a directory");
    assert_told("file", red_folder_write("file", in_file, 1, &error), &error, "Not a directory");
    assert_told("", red_folder_write("", nowhere, 1, &error), &error, "No such file or directory");
    assert_told("/proc/nothing", red_folder_write("/proc/nothing", nowhere, 1, &error), &error,
                "No such file");
}

static void what_is_no_file_has_a_name(void **state) {
    assert_int_equal(symlink("nowhere", "away") | mkdir("drawer", 0777) | mkfifo("tube", 0600), 0);
    write_text("plain", "");
    assert_null(red_file_name_of_other("plain"));
    assert_null(red_file_name_of_other("absent"));
    assert_string_equal(red_file_name_of_other("drawer"), "a folder");
    assert_string_equal(red_file_name_of_other("tube"), "no regular file");
    assert_string_equal(red_file_name_of_other("away"), "a symbolic link");
    assert_int_equal(remove("away") | symlink("plain", "away"), 0);
    assert_string_equal(red_file_name_of_other("away"), "a symbolic link");
    assert_int_equal(remove("away") | remove("plain") | remove("drawer") | remove("tube"), 0);
}

static void a_pipe_is_not_opened_by_the_check(void **state) {
    const char *path = "a_pipe";
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(10); /* opening it would wait for a reader */
    assert_int_equal(red_file_check_writable(path, NULL), RED_OK);
    assert_int_equal(red_file_check_writable("/dev/null", NULL), RED_OK);
    assert_int_equal(red_file_check_writable("/dev/stdout", NULL), RED_OK);
    alarm(0);
    remove(path);
}

static void a_pipe_is_known_by_all_its_names(void **state) {
    int ends[2], kept = dup(STDOUT_FILENO);
    assert_true(kept >= 0 && pipe(ends) == 0);
    fflush(stdout);
    assert_true(dup2(ends[1], STDOUT_FILENO) >= 0);
    bool same = red_file_is_same("-", "/dev/stdout"), other = red_file_is_same("-", "/dev/stderr");
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    close(kept);
    close(ends[0]);
    close(ends[1]);
    assert_true(same);
    assert_false(other);
}

static void what_is_no_utf8_is_replaced(void **state) {
    static const char *const rows[][2] = {
        {"", ""},
        {"plain", "plain"},
        {"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"cut \xe2\x82", "cut \xef\xbf\xbd"},                   /* at the end of a buffer */
        {"\xff\xfe and \xe4", "\xef\xbf\xbd and \xef\xbf\xbd"}, /* Latin-1 */
        {"\xc0\xaf", "\xef\xbf\xbd"},                           /* overlong */
        {"\xed\xa0\x80", "\xef\xbf\xbd"},                       /* a surrogate */
        {"\xf4\x90\x80\x80.", "\xef\xbf\xbd."},                 /* beyond U+10FFFF */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = red_utf8_repaired(rows[i][0]);
        assert_string_equal(text, rows[i][1]);
        json_t *json = json_string(text);
        assert_non_null(json);
        json_decref(json);
        free(text);
    }
}

static void what_xml_forbids_is_replaced(void **state) {
    static const char *const rows[][2] = {
        {"a\tb\r\nc\x7f\xc2\x85", "a\tb\r\nc\x7f\xc2\x85"},
        {"\x01\x1b[31m\x1f.", "\xef\xbf\xbd\xef\xbf\xbd[31m\xef\xbf\xbd."},
        {"\xef\xbf\xbe\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xef\xbf\xbd \xf0\x9f\x98\x80", "\xef\xbf\xbd \xf0\x9f\x98\x80"},
        {"\xff\xfe \xed\xa0\x80", "\xef\xbf\xbd \xef\xbf\xbd"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = red_utf8_for_xml(rows[i][0]);
        assert_string_equal(text, rows[i][1]);
        free(text);
    }
}

static void a_result_keeps_reasons_seed_and_load(void **state) {
    const char *path = "result.json";
    struct red_strategy strategy = {.name = "s"};
    struct red_run_device device = {.is_host = true, .info = {.id = "host"}};
    struct red_cell cell = {.at.strategy = &strategy,
                            .at.op = &red_ops[0],
                            .at.dtype = &red_dtypes[0],
                            .reason = "cut \xe2\x82",
                            .checks_n = 1,
                            .bound = INFINITY};
    struct red_run run = {.started = "2026-01-01T00:00:00Z",
                          .seed = INT64_MAX,
                          .host = {.name = "n", .cores_n = 1, .load = 0.25},
                          .devices = &device,
                          .devices_n = 1,
                          .cells = &cell,
                          .cells_n = 1};
    assert_int_equal(red_result_write_json(&run, path, NULL), RED_OK);
    json_t *json = json_load_file(path, 0, NULL), *got = json_array_get(json_object_get(json, "cells"), 0);
    assert_string_equal(json_string_value(json_object_get(got, "reason")), "cut \xef\xbf\xbd");
    const json_t *accuracy = json_object_get(json_object_get(json, "usual"), "accuracy"); /* of all cells */
    assert_true(json_is_null(json_object_get(accuracy, "bound")) && json_object_get(got, "accuracy") == NULL);
    assert_true(json_integer_value(json_object_get(json, "seed")) == INT64_MAX);
    assert_true(json_real_value(json_object_get(json_object_get(json, "host"), "load_1min")) == 0.25);
    json_decref(json);
    assert_int_equal(red_result_write_json(&run, "/dev/full", NULL), RED_E_INPUT);
    remove(path);
}

static void what_cannot_be_written_is_said(void **state) {
    static const char *const paths[] = {"/nowhere/x", "/", "/proc/x", "/dev/null/x"};
    struct red_error error;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        assert_told(paths[i], red_file_check_writable(paths[i], &error), &error, paths[i]);
    assert_told("", red_file_check_writable("", &error), &error, "without a name");
    struct red_file file;
    assert_int_equal(red_file_open("/dev/full", &file, &error), RED_OK);
    fputs("text", file.stream);
    assert_told("/dev/full", red_file_commit(&file, &error), &error, "No space");
}
