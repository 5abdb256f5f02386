/* The verb `litmus`: runs memory-model tests on each device. */
#include <math.h>
#include <stdlib.h>

#include "cli/options.h"
#include "core/select.h"
#include "export/export.h"
#include "litmus/outputs.h"
#include "litmus/progress.h"

static const double DEFAULT_BUDGET_S = 20;

/* The tests that --test chooses stand at the front; how many they are. */
static enum red_status choose_tests(const char *patterns, struct red_litmus_test *tests, size_t *tests_n,
                                    struct red_error *error) {
    const char *names[RED_LITMUS_TESTS_MAX];
    size_t chosen_n = 0;
    for (size_t i = 0; i < *tests_n; i++)
        names[i] = tests[i].name;
    enum red_status status =
        patterns != NULL ? red_select_check("litmus test", patterns, names, *tests_n, error) : RED_OK;
    for (size_t i = 0; i < *tests_n && status == RED_OK; i++)
        if (red_select_matches(patterns, tests[i].name))
            tests[chosen_n++] = tests[i];
    *tests_n = chosen_n;
    return status;
}

/* The tests that may be built with that of rows[i]: those that were chosen, until one of its program had to
 * have one of its own, for then so do those behind it. */
static const char *beside(const char *chosen, const struct red_litmus_row *rows, size_t i) {
    bool is_alone = false;
    for (size_t k = 0; k < i; k++)
        is_alone = is_alone || (rows[k].is_alone && red_litmus_shares_program(rows[k].test, rows[i].test));
    return is_alone ? rows[i].test->name : chosen;
}

/* Prints the rows of a device, and whether the stress does what its parameters say; on a CPU, where groups
 * run one after another, it has no part. */
static void print_device(struct red_client *client, const struct red_options *options,
                         const struct red_litmus_row *rows, size_t rows_n) {
    const struct red_output *output = &options->output;
    FILE *out = red_exports_use_stdout(output->exports, output->exports_n) ? stderr : stdout;
    struct red_litmus_stress stress;
    struct red_error found = {.text = ""};
    red_litmus_print(red_client_info(client), rows, rows_n, out);
    if (red_client_info(client)->shape.is_cpu)
        return;
    if (red_client_litmus_stress(client, options->selection.seed, &stress, &found) != RED_OK)
        fprintf(out, "\nstress: not checked: %.200s\n", found.text);
    else
        fprintf(out, "\nstress: %llu of %llu words written, %llu of %llu groups met\n",
                (unsigned long long)stress.words_written, (unsigned long long)stress.words_asked,
                (unsigned long long)stress.groups_met_n, (unsigned long long)stress.groups_n);
}

/* Runs all tests on a device; each gets its share of the time that is left. Those that the device cannot show
 * are run only where --test names some. */
static enum red_status run_device(struct red_client *client, const struct red_options *options,
                                  const struct red_litmus_test *tests, size_t tests_n,
                                  struct red_litmus_row *rows, struct red_error *error) {
    double left_s = options->ranks.budget_s > 0 ? options->ranks.budget_s : DEFAULT_BUDGET_S;
    enum red_status status = RED_OK;
    size_t left_n = 0;
    for (size_t i = 0; i < tests_n; i++) {
        const char *why =
            options->litmus.test == NULL ? red_litmus_why_not_here(red_client_info(client), &tests[i]) : NULL;
        rows[i] = red_litmus_row_begin(client, &tests[i]);
        snprintf(rows[i].reason, sizeof rows[i].reason, "%s", why != NULL ? why : "");
        left_n += why == NULL;
    }
    for (size_t i = 0; i < tests_n && status == RED_OK; i++) {
        if (rows[i].reason[0] != '\0')
            continue;
        const double share_s = left_s / (double)left_n--;
        status = red_litmus_find(client, beside(options->litmus.test, rows, i), options->selection.seed,
                                 share_s, &rows[i], error);
        left_s = fmax(left_s - rows[i].outcome.took_s, 0);
    }
    if (status == RED_OK && options->output.format == RED_FORMAT_TABLE)
        print_device(client, options, rows, tests_n);
    return status;
}

/* The finding that decides the exit status: a forbidden outcome, or a test that failed. */
static void judge_rows(const struct red_litmus_found *found, struct red_error *error) {
    static const enum red_status statuses[RED_LITMUS_ANSWERS_N] = {
        [RED_LITMUS_BROKEN] = RED_E_WRONG, [RED_LITMUS_FAILED] = RED_E_DEVICE};
    struct red_worst worst = {.status = RED_OK};
    for (size_t i = 0; i < found->devices_n * found->tests_n; i++)
        red_worst_add(&worst, statuses[found->rows[i].answer], i);
    if (worst.status == RED_OK)
        return;
    const struct red_litmus_row *row = &found->rows[worst.at];
    const char *device = found->infos[worst.at / found->tests_n]->id;
    if (worst.status == RED_E_WRONG)
        red_fail(error, worst.status, "%s shows what OpenCL forbids: %s (%s)", device, row->test->name,
                 row->test->section);
    else
        red_fail(error, worst.status, "%s: %s failed: %.200s", device, row->test->name, row->reason);
}

static const struct red_page_format *const pages[RED_FORMATS_N] = {
    [RED_FORMAT_HTML] = &red_page_html, [RED_FORMAT_MARKDOWN] = &red_page_markdown};

/* Writes --output, or what --format puts on the standard output: beside the table on the screen CSV. */
static enum red_status write_output(const struct red_litmus_found *found, const struct red_output *output,
                                    struct red_error *error) {
    const bool is_screen = output->format == RED_FORMAT_TABLE;
    if (is_screen && output->path == NULL)
        return RED_OK;
    if (pages[output->format] != NULL)
        return red_litmus_write_page(found, pages[output->format], output->path, error);
    struct red_table *table = red_litmus_table_create();
    for (size_t i = 0; i < found->devices_n * found->tests_n; i++)
        red_litmus_table_add(table, found->infos[i / found->tests_n], found->run->seed, &found->rows[i]);
    enum red_status status =
        red_table_write(table, is_screen ? RED_FORMAT_CSV : output->format, output->path, error);
    red_table_destroy(table);
    return status;
}

/* Runs the tests on every device, and writes what was found. After an error the devices before that one are
 * judged all the same. */
static enum red_status run_devices(struct red_session *session, const struct red_options *options,
                                   const struct red_litmus_test *tests, size_t tests_n,
                                   struct red_error *error) {
    const struct red_device_info *infos[RED_CLIENTS_MAX];
    struct red_litmus_row *rows = calloc(session->devices_n * tests_n + 1, sizeof *rows);
    struct red_run run = {.cells_n = 0};
    struct red_litmus_found found = {&run, infos, 0, tests_n, rows};
    struct red_error worst = {.text = ""}, unwritten = {.text = ""};
    enum red_status status = RED_OK, written = RED_OK;
    if (rows == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for litmus tests");
    red_run_begin(&run, &options->selection);
    for (size_t d = 0; d < session->devices_n && status == RED_OK; d++) {
        infos[d] = red_client_info(session->devices[d]);
        status = run_device(session->devices[d], options, tests, tests_n, &rows[d * tests_n], error);
        found.devices_n += status == RED_OK;
    }
    if (status == RED_OK) {
        written = red_litmus_export(&found, &options->output, &unwritten);
        status = write_output(&found, &options->output, error);
    }
    judge_rows(&found, &worst);
    free(rows);
    return red_verb_status_find(status, worst.status, worst.text, written, unwritten.text, error);
}

/* Runs the tests, or those of progress, on the devices that are chosen. */
static enum red_status run_session(const struct red_options *options, const struct red_litmus_test *tests,
                                   size_t tests_n, struct red_error *error) {
    static const struct red_session_defaults defaults = {.types = NULL};
    const struct red_output *output = &options->output;
    struct red_session session;
    enum red_status status = red_exports_check_options(output->exports, output->exports_n, true, error);
    if (status == RED_OK && output->path != NULL)
        status = red_file_check_writable(output->path, error);
    if (status == RED_OK)
        status = red_session_open(&options->selection, &defaults, &session, error);
    if (status != RED_OK)
        return status;
    if (session.devices_n == 0)
        status = red_fail(error, RED_E_NO_DEVICE,
                          "litmus tests OpenCL devices, and 'host' is none: clreduce devices lists them");
    else if (options->litmus.progress)
        status = red_litmus_progress_run(session.devices, session.devices_n, options->litmus.forced, stdout,
                                         error);
    else
        status = run_devices(&session, options, tests, tests_n, error);
    red_session_close(&session);
    return status;
}

/* Prints the program of each test as a GPU compiles it. */
static enum red_status print_sources(const struct red_litmus_test *tests, size_t tests_n,
                                     struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < tests_n && status == RED_OK; i++) {
        const struct red_litmus_test *test = &tests[i];
        char *text = NULL;
        status = red_litmus_text(&test, 1, false, &text, error);
        if (status == RED_OK)
            printf("%s// %s: %s\n%s", i > 0 ? "\n" : "", test->name, test->idea, text);
        free(text);
    }
    return status;
}

static enum red_status run_litmus(const struct red_options *options, struct red_error *error) {
    const char *patterns = options->source != NULL ? options->source : options->litmus.test;
    struct red_litmus_test *tests = NULL;
    size_t tests_n = 0;
    enum red_status status = red_litmus_list(&tests, &tests_n, error);
    if (status == RED_OK)
        status = choose_tests(patterns, tests, &tests_n, error);
    if (status == RED_OK)
        status = options->source != NULL ? print_sources(tests, tests_n, error)
                                         : run_session(options, tests, tests_n, error);
    free(tests);
    return status;
}

const struct red_verb red_verb_litmus = {
    .name = "litmus",
    .summary = "which order of memory this driver keeps between work-items",
    .modes =
        (const struct red_mode[]){{RED_OPTION_SOURCE, 0},
                                  {RED_OPTION_PROGRESS, RED_BIT(DEVICE) | RED_BIT(PATIENCE) | RED_BIT(FORCE)},
                                  {RED_MODE_ALWAYS, RED_BIT(DEVICE) | RED_OUTPUT_OPTIONS | RED_BIT(SEED) |
                                                        RED_BIT(PATIENCE) | RED_BIT(TEST) | RED_BIT(BUDGET) |
                                                        RED_BIT(EXPORT)}},
    .formats = RED_FORMAT_BIT(TABLE) | RED_FORMAT_BIT(JSON) | RED_FORMAT_BIT(CSV) | RED_FORMAT_BIT(HTML) |
               RED_FORMAT_BIT(MARKDOWN),
    .documentation =
        "Runs litmus tests, each beside weakened twins (mutants) in the same stress, and counts outcomes "
        "that OpenCL forbids, allows, or about which it promises nothing. A test that shows nothing tells "
        "something only where a twin shows: 'not observable' otherwise. Exit status 2 where a device shows "
        "a forbidden outcome of an order and scope that it advertises. kernels_cl12/litmus and "
        "kernels_cl20/litmus have the tests. --format html and md are a page. --progress asks which groups "
        "may wait for which.\v"
        "Example: clreduce litmus --device pocl\n"
        "Example: clreduce litmus --test 'mp_*,publish_*' --budget 60 --format csv --output litmus.csv\n"
        "Example: clreduce litmus --format json --output litmus.json --export junit=litmus.xml\n"
        "Example: clreduce litmus --format html --output litmus.html\n"
        "Example: clreduce litmus --source mp_rel_acq\n"
        "Example: clreduce litmus --progress",
    .run = run_litmus,
};
