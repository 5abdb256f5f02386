#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compare/two_runs.h"
#include "console/table.h"
#include "console/table_view.h"
#include "core/words.h"

enum { ROWS_MAX = 20, TEXT_BYTES = 192 };

static void print_head(const struct red_two_runs *stored, FILE *out) {
    const struct red_comparison *comparison = &stored->comparison;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_result *result = comparison->sides[s].result;
        char text[1024];
        snprintf(text, sizeof text, "%s = %s: %s, clreduce %s, on %s", comparison->sides[s].label,
                 result->path, result->run.started, result->run.version, result->machine);
        red_wrapped_print(out, "", text);
    }
    if (stored->told[0] != '\0')
        fprintf(out, "Compared all the same (--across %s), although these differ:\n%s\n", stored->across,
                stored->told);
}

/* ---- times -----------------------------------------------------------------------------------------------
 */

static enum red_status add_pair(const struct red_two_runs *stored, const struct red_timed *pair,
                                struct red_table *table, struct red_error *error) {
    static const char *const marks[] = {[RED_APART_LONGER] = "!",
                                        [RED_APART_SHORTER] = "!",
                                        [RED_APART_WITHIN] = "~",
                                        [RED_APART_UNKNOWN] = "?"};
    char strategy[TEXT_BYTES], what[TEXT_BYTES], times[2][32], ratio[64], geometry[TEXT_BYTES] = "";
    red_question_strategy(&stored->comparison, pair->base, strategy, sizeof strategy);
    red_question_print(pair->base, what, sizeof what);
    red_number_print(1e6 * pair->base->time.median, times[0], sizeof times[0]);
    red_number_print(1e6 * pair->head->time.median, times[1], sizeof times[1]);
    snprintf(ratio, sizeof ratio, "%.2f (%.2f-%.2f) %s", pair->ratio.value, pair->ratio.low, pair->ratio.high,
             marks[pair->apart]);
    if (red_tuning_compare(&pair->base->tuning, &pair->head->tuning) != 0) {
        char before[80], after[80];
        red_cell_tuning_print(&pair->base->tuning, before, sizeof before);
        red_cell_tuning_print(&pair->head->tuning, after, sizeof after);
        snprintf(geometry, sizeof geometry, "was %s, is %s", before, after);
    }
    return red_table_add(
        table,
        (const char *const[]){pair->base->device_id, strategy, what, times[0], times[1], ratio, geometry},
        error);
}

static enum red_status print_times(const struct red_two_runs *stored, FILE *out, struct red_error *error) {
    static const struct red_column columns[] = {{.name = "device"},
                                                {.name = "strategy"},
                                                {.name = "op type n"},
                                                {.name = "base us", .right = true},
                                                {.name = "head us", .right = true},
                                                {.name = "head : base"},
                                                {.name = "geometry"}};
    size_t columns_n = sizeof columns / sizeof columns[0] - (stored->moved_n == 0);
    size_t apart_n = stored->longer_n + stored->shorter_n;
    struct red_table *table = red_table_create(columns, columns_n);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t i = 0; i < stored->pairs_n && i < ROWS_MAX && status == RED_OK; i++)
        status = add_pair(stored, &stored->pairs[i], table, error);
    if (status == RED_OK && stored->pairs_n > 0) {
        fputc('\n', out);
        red_wrapped_print(
            out, "",
            "Time to answer (median), and head : base with its range if each median is anywhere in its 95 % "
            "interval. An interval is of one process; medians of two processes of the same program differ by "
            "5 to 16 %, so no line is a verdict on the program. ! = differs by more than its interval, "
            "~ = within it, ? = fewer than 6 samples.");
        red_table_print(table, out);
    }
    if (status == RED_OK && stored->pairs_n > ROWS_MAX)
        fprintf(out, "%zu more, %zu of them differ by more than their interval; --format csv has all\n",
                stored->pairs_n - ROWS_MAX, apart_n > ROWS_MAX ? apart_n - ROWS_MAX : 0);
    red_table_destroy(table);
    return status;
}

/* ---- the end ---------------------------------------------------------------------------------------------
 */

static void print_summary(const struct red_two_runs *stored, FILE *out) {
    const double *expected = stored->expected;
    char text[1024];
    size_t used = 0;
    if (stored->pairs_n > 0)
        used = (size_t)snprintf(
            text, sizeof text,
            "Cells compared: %zu. More than their interval apart: %zu (%zu take longer in head, %zu less); "
            "the median of all ratios is %.3f. By chance alone, from one program, one would expect %.0f if "
            "only the samples scattered, %.0f to %.0f since medians of two processes differ by 5 to 16 %%, "
            "and more if the machine changed its speed.",
            stored->pairs_n, stored->longer_n + stored->shorter_n, stored->longer_n, stored->shorter_n,
            stored->median_ratio, round(expected[0]), round(expected[1]), round(expected[2]));
    else
        used = (size_t)snprintf(text, sizeof text, "No cell has a time in both.");
    const struct {
        size_t n;
        const char *what;
    } counts[] = {{stored->moved_n, "Run with another geometry than in base"},
                  {stored->unknown_n, "With fewer than 6 samples, and no interval"},
                  {stored->bad_n, "In trouble in both"}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].n > 0)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, " %s: %zu.", counts[i].what, counts[i].n);
    fputc('\n', out);
    red_wrapped_print(out, "", text);
}

enum red_status red_two_runs_show(const struct red_two_runs *stored, FILE *out, struct red_error *error) {
    const struct red_comparison *comparison = &stored->comparison;
    print_head(stored, out);
    enum red_status status = red_states_show(
        comparison, red_question_fell,
        "In trouble in head and not in base, which no doubt about times touches (- = not asked):", NULL,
        SIZE_MAX, out, error);
    if (status == RED_OK)
        status =
            red_states_show(comparison, red_question_changed, "Ended otherwise:", NULL, SIZE_MAX, out, error);
    if (status == RED_OK)
        status = print_times(stored, out, error);
    if (status == RED_OK)
        status = red_states_show(comparison, red_question_is_missing, "Missing in head:", NULL, ROWS_MAX, out,
                                 error);
    if (status == RED_OK)
        status = red_states_show(comparison, red_question_is_new, "New in head:", NULL, ROWS_MAX, out, error);
    if (status == RED_OK)
        print_summary(stored, out);
    return status == RED_OK ? red_two_runs_duel_print(stored, out, error) : status;
}
