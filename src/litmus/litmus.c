/* Judges what litmus tests have shown, and prints it. */
#include "litmus/litmus.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/capability.h"
#include "model/need.h"

const char *const red_litmus_answer_names[RED_LITMUS_ANSWERS_N] = {
    [RED_LITMUS_BROKEN] = "broken",     [RED_LITMUS_FINDING] = "finding",
    [RED_LITMUS_FAILED] = "failed",     [RED_LITMUS_SEEN] = "seen",
    [RED_LITMUS_NOT_SEEN] = "not-seen", [RED_LITMUS_NOT_OBSERVABLE] = "not-observable"};

/* ---- judging ------------------------------------------------------------------------------------------- */

/* Whether the device says that it has all that the test needs. Before OpenCL 2.0 the memory model promises
 * nothing between items but at barriers. */
static bool is_advertised(struct red_client *client, const struct red_litmus_test *test) {
    const red_set needs = red_litmus_needs(test);
    bool all = red_client_info(client)->api_version >= 20;
    for (unsigned need = 0; all && need < RED_NEEDS_N; need++)
        if (needs & RED_SET(need))
            all = red_capability_best_or_ask(red_client_capabilities(client), (enum red_need_index)need)
                      ->advertised == RED_YES;
    return all;
}

static enum red_litmus_answer judge(struct red_client *client, struct red_litmus_row *row) {
    if (row->outcome.of[0].weak == 0)
        return red_litmus_best_mutant(&row->outcome) > 0 ? RED_LITMUS_NOT_SEEN : RED_LITMUS_NOT_OBSERVABLE;
    if (row->verdict != RED_LITMUS_FORBIDDEN)
        return RED_LITMUS_SEEN;
    row->is_advertised = is_advertised(client, row->test);
    return row->is_advertised && row->test->unsettled[0] == '\0' ? RED_LITMUS_BROKEN : RED_LITMUS_FINDING;
}

enum red_status red_litmus_find(struct red_client *client, const struct red_litmus_test *test,
                                const char *beside, uint64_t seed, double budget_s,
                                struct red_litmus_row *row, struct red_error *error) {
    struct red_error found = {.text = ""};
    *row = (struct red_litmus_row){.test = test,
                                   .is_alone = beside != NULL && strcmp(beside, test->name) == 0,
                                   .verdict = red_client_info(client)->api_version >= 31 ? test->verdict_31
                                                                                         : test->verdict};
    enum red_status status =
        red_client_litmus(client, test->name, beside, seed, budget_s, &row->outcome, &found);
    if (status != RED_OK && status != RED_E_UNSUPPORTED && status != RED_E_INTERRUPTED && !row->is_alone) {
        row->is_alone = true;
        status = red_client_litmus(client, test->name, test->name, seed, budget_s, &row->outcome, &found);
    }
    if (status == RED_OK) {
        row->answer = judge(client, row);
        return RED_OK;
    }
    if (status == RED_E_INTERRUPTED || status == RED_E_MEMORY)
        return red_fail(error, status, "%s", found.text);
    row->outcome = (struct red_litmus_outcome){.variants_n = 0};
    const bool cannot =
        status == RED_E_UNSUPPORTED || (status == RED_E_BUILD && !is_advertised(client, test));
    row->answer = cannot ? RED_LITMUS_NOT_OBSERVABLE : RED_LITMUS_FAILED;
    snprintf(row->reason, sizeof row->reason, "%.*s", (int)strcspn(found.text, "\n"), found.text);
    return RED_OK;
}

/* ---- words --------------------------------------------------------------------------------------------- */

void red_litmus_row_format(const struct red_litmus_row *row, char *text, size_t text_bytes) {
    if (row->reason[0] != '\0')
        snprintf(text, text_bytes, "%s", row->reason);
    else
        red_litmus_outcome_format(row->test, &row->outcome, text, text_bytes);
}

/* ---- tables -------------------------------------------------------------------------------------------- */

struct red_table *red_litmus_table_create(void) {
    return red_table_create(
        "device|test|family|verdict|from 3.1|settled|advertised|answer|weak>|instances>|"
        "seconds>|first_ms>|mutant|mutant_weak>|mutant_instances>|section|counterpart|reason");
}

void red_litmus_table_add(struct red_table *table, const char *device, const struct red_litmus_row *row) {
    const struct red_litmus_test *test = row->test;
    const struct red_litmus_seen *own = &row->outcome.of[0];
    const unsigned best = red_litmus_best_mutant(&row->outcome);
    RED_PUT(table, device, test->name, red_litmus_family_names[test->family],
            red_litmus_verdict_names[test->verdict], red_litmus_verdict_names[test->verdict_31],
            test->unsettled[0] != '\0' ? "no" : "yes",
            row->answer > RED_LITMUS_FINDING ? ""
            : row->is_advertised             ? "yes"
                                             : "no",
            red_litmus_answer_names[row->answer]);
    red_table_put(table, "%llu", (unsigned long long)own->weak);
    red_table_put(table, "%llu", (unsigned long long)own->instances);
    red_table_put(table, "%.3f", row->outcome.took_s);
    red_table_put(table, "%.3f", 1e3 * own->first_s);
    red_table_put(table, "%s", best > 0 ? test->mutants[best - 1].name : "");
    red_table_put(table, "%llu", (unsigned long long)(best > 0 ? row->outcome.of[best].weak : 0));
    red_table_put(table, "%llu", (unsigned long long)(best > 0 ? row->outcome.of[best].instances : 0));
    RED_PUT(table, test->section, test->counterpart, row->reason);
}

/* Prints the names of the rows for which `is_one` holds, in one paragraph behind its title. */
static void print_names(const char *title, const struct red_litmus_row *rows, size_t rows_n,
                        bool (*is_one)(const struct red_litmus_row *row), FILE *out) {
    char text[8192] = "";
    size_t n = 0;
    for (size_t i = 0; i < rows_n; i++)
        if (is_one(&rows[i]))
            red_text_add(text, sizeof text, "%s%s", n++ > 0 ? ", " : "", rows[i].test->name);
    if (n == 0)
        return;
    fprintf(out, "\n%s (%zu):\n", title, n);
    red_wrapped_print(out, "  ", text);
}

static bool is_kept(const struct red_litmus_row *row) {
    return row->answer == RED_LITMUS_NOT_SEEN && row->verdict == RED_LITMUS_FORBIDDEN;
}

static bool is_not_observable(const struct red_litmus_row *row) {
    return row->answer == RED_LITMUS_NOT_OBSERVABLE && row->reason[0] == '\0';
}

/* The same for those that have a reason, each reason once. */
static void print_reasons(const struct red_litmus_row *rows, size_t rows_n, FILE *out) {
    for (size_t i = 0; i < rows_n; i++) {
        char text[8192] = "";
        size_t n = 0;
        for (size_t k = 0; k < rows_n; k++) {
            if (rows[k].answer != RED_LITMUS_NOT_OBSERVABLE || rows[k].reason[0] == '\0' ||
                strcmp(rows[k].reason, rows[i].reason) != 0)
                continue;
            if (n == 0 && k < i) /* told already */
                break;
            red_text_add(text, sizeof text, "%s%s", n++ > 0 ? ", " : "", rows[k].test->name);
        }
        if (n == 0)
            continue;
        fprintf(out, "\nnot observable here: %s (%zu):\n", rows[i].reason, n);
        red_wrapped_print(out, "  ", text);
    }
}

void red_litmus_print(const struct red_device_info *info, const struct red_litmus_row *rows, size_t rows_n,
                      FILE *out) {
    struct red_table *table = red_table_create("test|verdict|answer|seen@60");
    for (unsigned answer = 0; answer < RED_LITMUS_NOT_OBSERVABLE; answer++)
        for (size_t i = 0; i < rows_n; i++) {
            char seen[512];
            if (rows[i].answer != answer || is_kept(&rows[i]))
                continue;
            red_litmus_row_format(&rows[i], seen, sizeof seen);
            RED_PUT(table, rows[i].test->name, red_litmus_verdict_names[rows[i].verdict],
                    red_litmus_answer_names[answer], seen);
        }
    fprintf(out, "%s, %s, driver %s\n", info->id, info->name, info->driver);
    red_table_print(table, out);
    red_table_destroy(table);
    print_names("forbidden and never seen, where a weakened twin was", rows, rows_n, is_kept, out);
    print_names("not observable here: no weakened twin was seen either", rows, rows_n, is_not_observable,
                out);
    print_reasons(rows, rows_n, out);
}
