/* Whether times can be compared: each reason at its limit, what is spared, and the time that others take. */
#include "tests/unit/testing.h"

#include <glob.h>
#include <sys/wait.h>

#include "console/console_table.h"
#include "core/file.h"
#include "results/result.h"
#include "results/steadiness.h"

enum { CELLS_N = 12, SAMPLES_N = 9, HOST = 0, CPU, GPU, DEVICES_N };

/* A run on two processors: the cells of each device take 1 ms +- 1 %, in no order of time. */
static struct {
    struct red_run run;
    struct red_run_device devices[DEVICES_N];
    struct red_cell cells[DEVICES_N * CELLS_N];
    double samples_s[DEVICES_N * CELLS_N][SAMPLES_N];
} made;

static void make_run(void) {
    memset(&made, 0, sizeof made);
    made.run = (struct red_run){.host = {.cores_n = 2},
                                .devices = made.devices,
                                .devices_n = DEVICES_N,
                                .cells = made.cells,
                                .cells_n = DEVICES_N * CELLS_N};
    made.devices[HOST].is_host = true;
    made.devices[CPU].info.shape.is_cpu = true;
    for (size_t i = 0; i < made.run.cells_n; i++) {
        for (size_t s = 0; s < SAMPLES_N; s++)
            made.samples_s[i][s] = 1e-3 * (1 + 0.005 * (double)(s * 7 % 5) - 0.01);
        made.cells[i] =
            (struct red_cell){.device = i / CELLS_N, .samples_s = made.samples_s[i], .samples_n = SAMPLES_N};
    }
}

/* Judges the run as it is by now. */
static void judge(void) {
    for (size_t i = 0; i < made.run.cells_n; i++)
        assert_int_equal(red_statistics_find(made.samples_s[i], SAMPLES_N, &made.cells[i].time, NULL),
                         RED_OK);
    red_run_judge_steadiness(&made.run);
}

static bool fails(size_t device) {
    return made.devices[device].steadiness.fails;
}

static void a_calm_run_passes(void **state) {
    char text[512];
    make_run();
    judge();
    for (size_t d = 0; d < DEVICES_N; d++) {
        assert_false(fails(d));
        red_steadiness_sentence_format(&made.run, d, text, sizeof text);
        assert_string_equal(text, "");
    }
    for (size_t i = 0; i < made.run.cells_n; i++)
        assert_false(made.cells[i].time.is_incomparable);
}

static void others_disturb_processors_and_no_gpu(void **state) {
    char text[512];
    make_run();
    made.run.processors_s = 10;
    made.run.others_s = 10 * RED_OTHERS_SHARE_MOST - 0.01;
    judge();
    assert_false(fails(HOST) || fails(CPU) || fails(GPU));
    made.run.others_s = 10 * RED_OTHERS_SHARE_MOST + 0.01;
    judge();
    assert_true(fails(HOST) && fails(CPU) && !fails(GPU));
    made.run.others_s = 8.3;
    judge();
    red_steadiness_sentence_format(&made.run, CPU, text, sizeof text);
    assert_non_null(strstr(text,
                           "these times cannot be compared: other programs took 83 % of the processors' "
                           "time. End other programs"));
    red_steadiness_sentence_format(&made.run, GPU, text, sizeof text);
    assert_string_equal(text, "");
    for (size_t i = 0; i < made.run.cells_n; i++)
        assert_int_equal(made.cells[i].time.is_incomparable, made.cells[i].device != GPU);
}

static void without_that_the_load_at_the_end_tells(void **state) {
    make_run();
    made.run.load_end = 3.9; /* two of it are the run's own */
    judge();
    assert_false(fails(HOST) || fails(CPU));
    made.run.load_end = 4.1;
    judge();
    assert_true(fails(HOST) && fails(CPU) && !fails(GPU));
    made.run.processors_s = 10; /* and what is known better counts */
    judge();
    assert_false(fails(HOST) || fails(CPU));
}

/* So many cells of the GPU have an interval as wide as their median. */
static void scatter(size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t s = 0; s < SAMPLES_N; s++)
            made.samples_s[GPU * CELLS_N + i][s] = s % 3 == 0 ? 1e-3 : s % 3 == 1 ? 2e-3 : 3e-3;
}

static void unsteady_cells_are_counted_by_device(void **state) {
    char text[512];
    make_run();
    scatter(CELLS_N / 2);
    judge();
    assert_int_equal(made.devices[GPU].steadiness.unsteady_n, CELLS_N / 2);
    assert_false(fails(GPU));
    scatter(CELLS_N / 2 + 1);
    judge();
    assert_true(fails(GPU) && !fails(HOST) && !fails(CPU));
    red_steadiness_sentence_format(&made.run, GPU, text, sizeof text);
    assert_non_null(strstr(text, "7 of 12 times are unsteady. Measure again"));
}

/* All cells of the CPU take so many times as long in the last third of the rounds. */
static void slow_down(double times) {
    for (size_t i = CPU * CELLS_N; i < (CPU + 1) * CELLS_N; i++)
        for (size_t s = SAMPLES_N - SAMPLES_N / 3; s < SAMPLES_N; s++)
            made.samples_s[i][s] *= times;
}

static void a_machine_that_changes_its_speed_fails(void **state) {
    char text[512];
    make_run();
    slow_down(1.3);
    judge();
    assert_false(fails(CPU));
    make_run();
    slow_down(1.8);
    judge();
    assert_true(fails(CPU) && !fails(HOST) && !fails(GPU));
    red_steadiness_sentence_format(&made.run, CPU, text, sizeof text);
    assert_non_null(strstr(text, "up to 1.8 times as slow at one time as at another"));
    made.run.cells_n = CPU * CELLS_N + RED_SPEED_CELLS_MIN - 1; /* too few of the CPU's tell that */
    judge();
    assert_false(made.devices[CPU].steadiness.by_speed);
}

static void no_two_times_of_such_a_run_are_told_apart(void **state) {
    struct red_statistics fast = {.median = 1, .low = 0.9, .high = 1.1},
                          slow = {.median = 9, .low = 8.9, .high = 9.1};
    assert_int_equal(red_statistics_compare(&fast, &slow), -1);
    assert_string_equal(red_ratio_text(&slow, &fast).text, "9.00x");
    slow.is_incomparable = true;
    assert_int_equal(red_statistics_compare(&fast, &slow), 0);
    assert_int_equal(red_statistics_compare(&slow, &fast), 0);
    assert_string_equal(red_ratio_text(&slow, &fast).text, "9.00?");
    assert_string_equal(red_ratio_text(&fast, &slow).text, "0.11?");
}

/* ---- figures that cannot be ---------------------------------------------------------------------------- */

static void what_cannot_be_is_no_number(void **state) {
    make_run();
    struct red_cell *cell = &made.cells[CPU * CELLS_N];
    *cell = (struct red_cell){.device = CPU,
                              .at.op = red_op_find("sum"),
                              .at.dtype = red_dtype_find("f32"),
                              .at.n = 1 << 20,
                              .segments_n = 1,
                              .samples_n = 1,
                              .time = {.median = 1e-3}};
    assert_true(red_cell_roof_share(&made.run, cell) == 0); /* no roof */
    const double rate = red_cell_bytes(cell) / cell->time.median;
    made.devices[CPU].roof_bytes_per_s = rate / 1.49;
    assert_true(fabs(red_cell_roof_share(&made.run, cell) - 1.49) < 1e-9);
    made.devices[CPU].roof_bytes_per_s = rate / 1.51;
    assert_true(red_cell_roof_share(&made.run, cell) == 0);
    made.devices[CPU].roof_bytes_per_s = rate / 17336;
    assert_true(red_cell_roof_share(&made.run, cell) == 0);
    assert_string_equal(red_rate_text(0).text, "-");
    assert_string_equal(red_rate_text(INFINITY).text, "-");
    assert_string_equal(red_rate_text(1e5).text, "-");
    assert_string_equal(red_rate_text(12e6).text, "0.012");
    assert_string_equal(red_rate_text(34.04e9).text, "34.0");
    assert_string_equal(red_rate_text(1234e9).text, "1234");
}

/* ---- stored files -------------------------------------------------------------------------------------- */

/* How many devices of a stored file cannot be compared; -1 where it is no result file. */
static int failing_devices(const char *path) {
    struct red_result result;
    struct red_error error = {.text = ""};
    char *text = NULL;
    size_t text_n = 0;
    int n = 0;
    assert_ok(red_file_read(path, "file", 64 << 20, &text, &text_n, &error), &error);
    const bool is_one = red_result_read(path, text, text_n, NULL, &result, &error) == RED_OK;
    for (size_t d = 0; is_one && d < result.run.devices_n; d++)
        n += result.run.devices[d].steadiness.fails;
    if (is_one)
        red_result_clear(&result);
    free(text);
    return is_one ? n : -1;
}

/* What this project's pages quote passes. What was measured beside builds does not: the files of drivers side
 * by side, at a load of 5.4 to 6.5 on two processors; half of the host's cells in them are unsteady. */
static void stored_files_pass_but_for_those_measured_beside_builds(void **state) {
    const char *const patterns[] = {RESULTS "/*.json", RESULTS "/*/*.json"};
    size_t pass_n = 0, fail_n = 0;
    glob_t files;
    for (int i = 0; i < 2; i++)
        assert_int_equal(glob(patterns[i], i > 0 ? GLOB_APPEND : 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        const int n = failing_devices(path);
        if (n > 0 && strstr(path, "/side-by-side/") == NULL)
            fail_msg("%s cannot be compared", path);
        pass_n += n == 0;
        fail_n += n > 0;
    }
    globfree(&files);
    print_message("%zu files pass, %zu of those side by side do not\n", pass_n, fail_n);
    assert_true(pass_n >= 30 && fail_n >= 3);
}

/* ---- processors ---------------------------------------------------------------------------------------- */

/* Keeps a processor busy until this process has used so many seconds of it. */
static void work(double s) {
    struct timespec used;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while ((double)used.tv_sec + 1e-9 * (double)used.tv_nsec < s);
}

static const double WORK_S = 0.5, STEP_S = 0.1; /* the system counts in steps of 0.01 s */

/* Begins a child that works, below another one if it is a grandchild, and then waits until `go` ends; *done
 * ends when it has worked. A grandchild is orphaned where its parent does not stay: then it is nobody's. */
static pid_t begin_work(const int go[2], int *done, bool is_grandchild, bool parent_stays) {
    int pipe_ends[2];
    char byte;
    assert_int_equal(pipe(pipe_ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(pipe_ends[0]);
        close(go[1]); /* or it would wait for itself */
        const pid_t grandchild = is_grandchild ? fork() : 0;
        if (grandchild != 0) {
            close(pipe_ends[1]);
            if (parent_stays)
                waitpid(grandchild, NULL, 0);
            _exit(0);
        }
        work(WORK_S);
        close(pipe_ends[1]);
        _exit(read(go[0], &byte, 1) == 0 ? 0 : 1);
    }
    close(pipe_ends[1]);
    *done = pipe_ends[0];
    return child;
}

/* Has the work done between two looks at the processors' times; the second one is before it has ended, or
 * behind it. */
static struct red_run run_beside(bool is_grandchild, bool parent_stays, bool ended,
                                 struct red_processor_times *begin, struct red_processor_times *end) {
    struct red_run run = {.host = {.cores_n = 1}};
    int go[2], done;
    char byte;
    assert_int_equal(pipe(go), 0);
    red_processor_times_find(begin);
    fflush(NULL);
    const pid_t child = begin_work(go, &done, is_grandchild, parent_stays);
    if (!parent_stays)
        waitpid(child, NULL, 0);
    (void)!read(done, &byte, 1);
    if (!ended)
        red_processor_times_find(end);
    close(go[1]);
    if (parent_stays)
        waitpid(child, NULL, 0);
    if (ended)
        red_processor_times_find(end);
    close(go[0]);
    close(done);
    red_run_put_processor_times(&run, begin, end);
    return run;
}

static void own_children_are_no_others(void **state) {
    struct red_processor_times begin, end;
    red_processor_times_find(&begin);
    if (begin.all_s <= 0) {
        print_message("this system does not tell what its processors did\n");
        skip();
    }
    for (unsigned way = 0; way < 4; way++) {
        const struct red_run run = run_beside(way & 1, true, way & 2, &begin, &end);
        const double own_s = end.own_s - begin.own_s;
        assert_true(own_s > WORK_S - STEP_S && own_s < WORK_S + 3 * STEP_S);
        assert_true(run.others_s <= run.processors_s && run.others_s >= 0);
        assert_true(run.others_s <= end.busy_s - begin.busy_s - own_s + 1e-9 || run.others_s == 0);
    }
}

static void what_is_nobodys_child_is_another(void **state) {
    struct red_processor_times begin, end;
    red_processor_times_find(&begin);
    if (begin.all_s <= 0)
        skip();
    const struct red_run run = run_beside(true, false, false, &begin, &end);
    assert_true(end.own_s - begin.own_s < STEP_S);
    assert_true(run.others_s > WORK_S - STEP_S);
    assert_true(red_run_others_share(&run) > 0);
}

static void short_runs_stay_unknown(void **state) {
    const struct red_processor_times begin = {100, 50, 10};
    struct red_run run = {.host = {.cores_n = 2}};
    red_run_put_processor_times(&run, &begin, &(struct red_processor_times){100.5, 50.5, 10});
    assert_true(red_run_others_share(&run) < 0);
    red_run_put_processor_times(&run, &begin, &(struct red_processor_times){104, 53, 11});
    assert_true(fabs(red_run_others_share(&run) - 0.5) < 1e-12);
    red_run_put_processor_times(&run, &begin, &(struct red_processor_times){104, 51, 12});
    assert_true(red_run_others_share(&run) == 0); /* steps of the clock make it no less */
    run.others_s = 1e300;                         /* of a file that somebody wrote by hand */
    assert_true(red_run_others_share(&run) <= 1);
}
