/* Prints what the tests of progress without limits have shown: for `clreduce litmus --progress`. */
#include "litmus/progress.h"

#include <string.h>

#include "console/table.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "model/device_info.h"
#include "model/progress.h"

static const double LIMIT_S = 2;

/* What has come of each test, by ids and by tickets. RED_UNKNOWN: neither an end nor a kill. */
enum { BY_ID, BY_TICKET, NUMBERS_N };
typedef enum red_answer answers[RED_PROGRESS_TESTS_N][NUMBERS_N];

static const char *const answer_words[RED_ANSWERS_N] = {
    [RED_YES] = "ends", [RED_NO] = "not in 2 s", [RED_UNKNOWN] = "no verdict"};

/* The weakest scheduler that owes the test an end, and those beside it that are no stronger. */
static void owed_format(const struct red_progress_test *test, char *text, size_t text_bytes) {
    const bool is_strong = test->owed[RED_SCHEDULER_FAIR] != 'P';
    const unsigned first = is_strong ? RED_SCHEDULER_STRONG_OBE : RED_SCHEDULER_OBE,
                   end = is_strong ? RED_SCHEDULERS_N : RED_SCHEDULER_STRONG_OBE;
    text[0] = '\0';
    for (unsigned s = first; s < end; s++)
        if (test->owed[s] == 'P')
            red_text_add(text, text_bytes, "%s%s", text[0] ? ", " : "", red_scheduler_names[s]);
}

/* Names the schedulers to which no test is owed that did not end. */
static void kept_format(answers found, unsigned number, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (unsigned s = 0; s < RED_SCHEDULERS_N; s++) {
        bool is_kept = true;
        for (size_t i = 0; i < RED_PROGRESS_TESTS_N; i++)
            is_kept = is_kept && (red_progress_tests[i].owed[s] != 'P' || found[i][number] == RED_YES);
        if (is_kept)
            red_text_add(text, text_bytes, "%s%s", text[0] ? ", " : "", red_scheduler_names[s]);
    }
}

/* Runs all tests on a device. Tests that end come first: a kill costs a process, and the next one compiles.
 */
static enum red_status run_all(struct red_client *client, answers found, struct red_error *error) {
    enum red_status status = RED_OK;
    for (unsigned i = 0; i < RED_PROGRESS_TESTS_N; i++)
        for (unsigned number = 0; number < NUMBERS_N && status == RED_OK; number++) {
            status = red_client_progress(client, i, number == BY_TICKET, LIMIT_S, &found[i][number], error);
            status = red_interrupted() ? red_fail(error, RED_E_INTERRUPTED, "interrupted") : status;
        }
    return status;
}

static void print_answers(answers found, FILE *out) {
    struct red_table *table = red_table_create("owed by@44|by ids|by tickets|groups of each role!");
    for (size_t i = 0; i < RED_PROGRESS_TESTS_N; i++) {
        char owed[160];
        owed_format(&red_progress_tests[i], owed, sizeof owed);
        RED_PUT(table, owed, answer_words[found[i][BY_ID]], answer_words[found[i][BY_TICKET]],
                red_progress_tests[i].text);
    }
    red_table_print(table, out);
    red_table_destroy(table);
    for (unsigned number = 0; number < NUMBERS_N; number++) {
        char kept[256];
        kept_format(found, number, kept, sizeof kept);
        fprintf(out, "by %s no test contradicts: %s\n", number == BY_TICKET ? "tickets" : "ids",
                kept[0] ? kept : "none");
    }
}

/* Runs all tests on a device and prints what has come of them, unless it drives a display and is not forced.
 */
static enum red_status run_device(struct red_client *client, bool is_forced, FILE *out,
                                  struct red_error *error) {
    answers found = {{RED_UNKNOWN}};
    enum red_answer display = RED_NO;
    enum red_status status = is_forced ? RED_OK : red_client_drives_display(client, &display, error);
    if (status == RED_OK && display != RED_NO) {
        fprintf(out, "not run: it %s a display, which a kernel without end freezes (--force runs it)\n",
                display == RED_YES ? "drives" : "may drive");
        return RED_OK;
    }
    if (status == RED_OK)
        status = run_all(client, found, error);
    red_client_stop_worker(client);
    print_answers(found, out);
    return status;
}

/* The error of the first device that failed is the program's, when all have been tried. */
enum red_status red_litmus_progress_run(struct red_client *const *devices, size_t devices_n, bool is_forced,
                                        FILE *out, struct red_error *error) {
    struct red_error first = {.text = ""};
    for (size_t d = 0; d < devices_n && first.status != RED_E_INTERRUPTED; d++) {
        struct red_error failed = {.text = ""};
        const struct red_device_info *info = red_client_info(devices[d]);
        fprintf(out, "%s%s, %s, driver %s\n", d > 0 ? "\n" : "", info->id, info->name, info->driver);
        if (run_device(devices[d], is_forced, out, &failed) != RED_OK && first.status == RED_OK)
            first = failed;
    }
    return first.status != RED_OK ? red_fail(error, first.status, "%s", first.text) : RED_OK;
}
