/* Judges what litmus tests have shown, and prints it. */
#include "litmus/litmus.h"

#include <stdio.h>
#include <string.h>

#include "core/select.h"
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

static enum red_litmus_answer judge(const struct red_litmus_row *row) {
    if (row->outcome.of[0].weak == 0)
        return red_litmus_best_mutant(&row->outcome) > 0 ? RED_LITMUS_NOT_SEEN : RED_LITMUS_NOT_OBSERVABLE;
    if (row->verdict != RED_LITMUS_FORBIDDEN)
        return RED_LITMUS_SEEN;
    return row->is_advertised && row->test->unsettled[0] == '\0' ? RED_LITMUS_BROKEN : RED_LITMUS_FINDING;
}

struct red_litmus_row red_litmus_row_begin(struct red_client *client, const struct red_litmus_test *test) {
    struct red_litmus_row row = {.test = test,
                                 .answer = RED_LITMUS_NOT_OBSERVABLE,
                                 .verdict = red_client_info(client)->api_version >= 31 ? test->verdict_31
                                                                                       : test->verdict};
    row.is_advertised = row.verdict == RED_LITMUS_FORBIDDEN && is_advertised(client, test);
    return row;
}

enum red_status red_litmus_find(struct red_client *client, const char *beside, uint64_t seed, double budget_s,
                                struct red_litmus_row *row, struct red_error *error) {
    const char *name = row->test->name;
    struct red_error found = {.text = ""};
    row->is_alone = beside != NULL && strcmp(beside, name) == 0;
    enum red_status status = red_client_litmus(client, name, beside, seed, budget_s, &row->outcome, &found);
    if (status != RED_OK && status != RED_E_UNSUPPORTED && status != RED_E_INTERRUPTED && !row->is_alone) {
        row->is_alone = true;
        status = red_client_litmus(client, name, name, seed, budget_s, &row->outcome, &found);
    }
    if (status == RED_OK && row->outcome.of[0].instances > 0) {
        row->answer = judge(row);
        return RED_OK;
    }
    if (status == RED_OK) { /* no launch of it counted, and mutants alone say nothing of it */
        row->outcome = (struct red_litmus_outcome){.took_s = row->outcome.took_s};
        snprintf(row->reason, sizeof row->reason,
                 "its time ended before a launch of it counted; --budget gives more");
        return RED_OK;
    }
    if (status == RED_E_INTERRUPTED || status == RED_E_MEMORY)
        return red_fail(error, status, "%s", found.text);
    row->outcome = (struct red_litmus_outcome){.variants_n = 0};
    const bool cannot =
        status == RED_E_UNSUPPORTED || (status == RED_E_BUILD && !is_advertised(client, row->test));
    row->answer = cannot ? RED_LITMUS_NOT_OBSERVABLE : RED_LITMUS_FAILED;
    snprintf(row->reason, sizeof row->reason, "%.*s", (int)strcspn(found.text, "\n"), found.text);
    return RED_OK;
}

/* ---- tables -------------------------------------------------------------------------------------------- */

struct red_table *red_litmus_table_create(void) {
    return red_table_create(
        "device|test|family|verdict|from 3.1|settled|advertised|answer|weak>|instances>|"
        "seconds>|first_ms>|mutant|mutant_weak>|mutant_instances>|section|counterpart|reason|"
        "device_name|driver|opencl|seed>");
}

void red_litmus_table_add(struct red_table *table, const struct red_device_info *info, uint64_t seed,
                          const struct red_litmus_row *row) {
    const struct red_litmus_test *test = row->test;
    const struct red_litmus_seen *own = &row->outcome.of[0];
    const unsigned best = red_litmus_best_mutant(&row->outcome);
    RED_PUT(table, info->id, test->name, red_litmus_family_names[test->family],
            red_litmus_verdict_names[test->verdict], red_litmus_verdict_names[test->verdict_31],
            test->unsettled[0] != '\0' ? "no" : "yes",
            row->verdict != RED_LITMUS_FORBIDDEN ? ""
            : row->is_advertised                 ? "yes"
                                                 : "no",
            red_litmus_answer_names[row->answer]);
    red_table_put(table, "%llu", (unsigned long long)own->weak);
    red_table_put(table, "%llu", (unsigned long long)own->instances);
    red_table_put(table, "%.3f", row->outcome.took_s);
    red_table_put(table, "%.3f", 1e3 * own->first_s);
    red_table_put(table, "%s", best > 0 ? test->mutants[best - 1].name : "");
    red_table_put(table, "%llu", (unsigned long long)(best > 0 ? row->outcome.of[best].weak : 0));
    red_table_put(table, "%llu", (unsigned long long)(best > 0 ? row->outcome.of[best].instances : 0));
    RED_PUT(table, test->section, test->counterpart, row->reason, info->name, info->driver);
    red_table_put(table, "%u.%u", info->api_version / 10, info->api_version % 10);
    red_table_put(table, "%llu", (unsigned long long)seed);
}

/* What was seen is "1294 of 3.4e+04", or what failed, or why it cannot be seen; the mutant that was seen most
 * often "no_fence: 1.1e+03". */
static void put_short_row(struct red_table *table, const struct red_litmus_row *row) {
    const struct red_litmus_seen *own = &row->outcome.of[0];
    const unsigned best = red_litmus_best_mutant(&row->outcome);
    RED_PUT(table, row->test->name, red_litmus_verdict_names[row->verdict],
            red_litmus_answer_names[row->answer]);
    red_table_put(table, "%.120s", row->reason[0] != '\0' ? row->reason : red_litmus_seen_text(own).text);
    red_table_put(table, own->first_s > 0 ? "%.2f" : "", 1e3 * own->first_s);
    if (best > 0)
        red_table_put(table, "%s: %.2g", row->test->mutants[best - 1].name,
                      (double)row->outcome.of[best].weak);
    else
        RED_PUT(table, "");
}

struct red_table *red_litmus_short_table(const struct red_litmus_row *rows, size_t rows_n,
                                         bool (*has_row)(const struct red_litmus_row *row)) {
    struct red_table *table = red_table_create("test|verdict|answer|seen@40|first ms>|mutant");
    for (unsigned answer = 0; answer < RED_LITMUS_ANSWERS_N; answer++)
        for (size_t i = 0; i < rows_n; i++)
            if (rows[i].answer == answer && (has_row == NULL || has_row(&rows[i])))
                put_short_row(table, &rows[i]);
    return table;
}

/* ---- the screen ---------------------------------------------------------------------------------------- */

/* So many rows fit a screen, with the names of the other tests below. */
enum { SCREEN_ROWS_MAX = 24 };

static bool is_observed(const struct red_litmus_row *row) {
    return row->answer != RED_LITMUS_NOT_OBSERVABLE;
}

/* Of more tests than fit: what is wrong, and the idioms of docs/memory-model.md that kernels stand on. */
static bool is_bad_or_idiom(const struct red_litmus_row *row) {
    static const char idioms[] =
        "mp_mem_fence,mp_write_read_fence,mp_volatile_mem_fence,word64_volatile,mp_rel_acq,mp_plain_rel_acq,"
        "mp_rel_acq_wg,publish_one_fence,publish_all_mem_fence,publish_acq_rel,publish_fence_before,sb_sc,"
        "sb_mem_fence";
    return row->answer < RED_LITMUS_SEEN || (is_observed(row) && red_select_names(idioms, row->test->name));
}

/* Rows that have none in the table are told by name, below these titles. */
enum { SEEN, NOT_SEEN, FORBIDDEN_NOT_SEEN, NOT_OBSERVABLE, TITLES_N };
static const char *const titles[TITLES_N] = {
    [SEEN] = "seen, and not forbidden",
    [NOT_SEEN] = "never seen, where a mutant was, though it is not forbidden",
    [FORBIDDEN_NOT_SEEN] = "forbidden and never seen, where a mutant was",
    [NOT_OBSERVABLE] = "not observable here: "};

/* The title above a row's name; TITLES_N: it is in the table. */
static unsigned title_of(const struct red_litmus_row *row, bool fits) {
    if (!is_observed(row))
        return NOT_OBSERVABLE;
    if (fits || is_bad_or_idiom(row))
        return TITLES_N;
    return row->answer == RED_LITMUS_SEEN         ? SEEN
           : row->verdict == RED_LITMUS_FORBIDDEN ? FORBIDDEN_NOT_SEEN
                                                  : NOT_SEEN;
}

/* Prints the names below a title: of those that cannot be seen, each reason once; without one a mutant would
 * have been seen. */
static void print_names(const struct red_litmus_row *rows, size_t rows_n, bool fits, unsigned title,
                        FILE *out) {
    for (size_t i = 0; i < rows_n; i++) {
        const bool lacks_reason = title == NOT_OBSERVABLE && rows[i].reason[0] == '\0';
        char names[8192] = "";
        size_t n = 0;
        for (size_t k = 0; k < rows_n && title_of(&rows[i], fits) == title; k++) {
            if (title_of(&rows[k], fits) != title || strcmp(rows[k].reason, rows[i].reason) != 0)
                continue;
            if (n == 0 && k < i) /* told already */
                break;
            red_text_add(names, sizeof names, "%s%s", n++ > 0 ? ", " : "", rows[k].test->name);
        }
        if (n > 0) {
            fprintf(out, "\n%s%s (%zu):\n", titles[title],
                    lacks_reason ? "no mutant was seen either" : rows[i].reason, n);
            red_wrapped_print(out, "  ", names);
        }
    }
}

void red_litmus_print(const struct red_device_info *info, const struct red_litmus_row *rows, size_t rows_n,
                      FILE *out) {
    size_t observed_n = 0;
    for (size_t i = 0; i < rows_n; i++)
        observed_n += is_observed(&rows[i]);
    const bool fits = observed_n <= SCREEN_ROWS_MAX;
    struct red_table *table = red_litmus_short_table(rows, rows_n, fits ? is_observed : is_bad_or_idiom);
    red_text_print(out, "%s, %s, driver %s\n", info->id, info->name, info->driver);
    red_table_print(table, out);
    red_table_destroy(table);
    for (unsigned title = 0; title < TITLES_N; title++)
        print_names(rows, rows_n, fits, title, out);
    if (!fits)
        fputs("\n--format csv has the figures of each.\n", out);
}
