/* `compare BASE HEAD`: pairs the cells of two stored runs, and prints which times lie apart, a summary with
 * the number to expect by chance, and that a duel decides; and --fail-above.
 * cli/cmd_compare.c loads the two files that the user named, and hands in `stored`, which holds them. */
#include "compare/two_runs.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/console_table.h"
#include "console/table.h"
#include "core/text.h"
#include "results/steadiness.h"

enum { BASE, HEAD }; /* the sides */
enum { ROWS_MAX = 20 };

/* ---- how keys ended --------------------------------------------------------------------------------------
 * In trouble in head and not in base; otherwise in another state; in base only; in head only. Each key has
 * one of these, or none; each of these is a table, and a word in the column `change` of CSV and JSON. */

/* Whether both sides were asked the key, however it ended;
 * `compare` ends with an error where no key is. */
static bool is_in_both(const struct red_key *key) {
    return key->sides[BASE].n > 0 && key->sides[HEAD].n > 0;
}

/* So, too, where base was not asked the key. */
static bool fails_in_head_only(const struct red_key *key) {
    return red_state_is_fault(key->sides[HEAD].state) && !red_state_is_fault(key->sides[BASE].state);
}

/* A status change but that: also one of failures, or to a right result. */
static bool has_other_status_change(const struct red_key *key) {
    return is_in_both(key) && !fails_in_head_only(key) && key->sides[BASE].state != key->sides[HEAD].state;
}

static bool is_not_in_head(const struct red_key *key) {
    return key->sides[HEAD].n == 0;
}

static bool is_new_without_failure(const struct red_key *key) {
    return key->sides[BASE].n == 0 && !fails_in_head_only(key);
}

/* ---- times --------------------------------------------------------------------------------------------- */

/* With fewer samples the interval is their range, which holds the median less often than 95 %. */
enum { SAMPLES_MIN = 6 };

/* Where the range of the ratio lies, with the word of CSV and JSON and the mark of the table. */
enum apart { LONGER, SHORTER, WITHIN, UNKNOWN, INCOMPARABLE, INCOMPLETE };
static const struct {
    const char *word, *mark;
} aparts[] = {[LONGER] = {"longer", "!"},
              [SHORTER] = {"shorter", "!"},
              [WITHIN] = {"within", "~"},
              [UNKNOWN] = {"too few samples", "?"},
              [INCOMPARABLE] = {"cannot be compared", "?"},
              [INCOMPLETE] = {RED_INCOMPLETE_WORDS, ""}};

struct red_timed_pair {
    const struct red_cell *base, *head;
    struct red_ratio ratio; /* head by base */
    enum apart apart;
};

/* How many pairs have a factor: those that has_no_factor leaves. */
static size_t compared_pairs_n(const struct red_two_runs *stored) {
    return stored->pairs_n - stored->incomparable_n - stored->incomplete_n;
}

/* Whether the ratio of the pair says nothing, and is not told as one. */
static bool has_no_factor(const struct red_timed_pair *pair) {
    return pair->apart == INCOMPARABLE || pair->apart == INCOMPLETE;
}

/* The pair of a base cell and a head cell that have a time, with its ratio and where that lies: the columns
 * `ratio` and `apart` of CSV and JSON, "head : base" of the table. */
static struct red_timed_pair timed_pair_of(const struct red_cell *base, const struct red_cell *head) {
    struct red_timed_pair pair = {.base = base, .head = head, .ratio = red_ratio_of(base, head)};
    pair.apart = red_cell_is_incomplete(base) || red_cell_is_incomplete(head)     ? INCOMPLETE
                 : base->time.is_incomparable || head->time.is_incomparable       ? INCOMPARABLE
                 : base->samples_n < SAMPLES_MIN || head->samples_n < SAMPLES_MIN ? UNKNOWN
                 : pair.ratio.low > 1                                             ? LONGER
                 : pair.ratio.high < 1                                            ? SHORTER
                                                                                  : WITHIN;
    return pair;
}

/* Standard deviations of the ratio's logarithm between processes. */
static const double scatters[RED_SCATTERS_N] = {0, 0.05, 0.16};

/* Half an interval at 95 % of a normal distribution, in standard deviations. */
static const double half_interval = 1.959964;

/* The chance that the intervals do not overlap although both programs take as long: the logarithm of the
 * ratio of the medians is taken as normal, spread by the samples of both, as their intervals tell, and by
 * `scatter` between processes. Their sum is the number to expect by chance in the summary. */
static double chance_of_no_overlap(const struct red_timed_pair *pair, double scatter) {
    const struct red_cell *base = pair->base, *head = pair->head;
    double base_s = log(base->time.high / base->time.low) / (2 * half_interval);
    double head_s = log(head->time.high / head->time.low) / (2 * half_interval);
    double spread = sqrt(base_s * base_s + head_s * head_s + scatter * scatter);
    double longer = log(base->time.high / base->time.median) + log(head->time.median / head->time.low);
    double shorter = log(base->time.median / base->time.low) + log(head->time.high / head->time.median);
    return spread > 0 ? gsl_cdf_ugaussian_Q(longer / spread) + gsl_cdf_ugaussian_Q(shorter / spread) : 0;
}

/* Counted in the summary: "Run with another geometry than in base: 3." */
static bool ran_with_other_geometry(const struct red_timed_pair *pair) {
    const struct red_tuning base = red_geometry_tuning(&pair->base->geometry),
                            head = red_geometry_tuning(&pair->head->geometry);
    return red_tuning_compare(&base, &head) != 0;
}

/* Counts the key in the two-run comparison, and adds its pair where both sides have a time; the user sees the
 * counts in the summary, or with --fail-above. */
static void count_key_and_add_pair(struct red_two_runs *stored, const struct red_key *key) {
    const struct red_cell *base = key->sides[BASE].timed, *head = key->sides[HEAD].timed;
    enum red_state head_state = key->sides[HEAD].state;
    bool fell = fails_in_head_only(key);
    stored->common_n += is_in_both(key);
    stored->fallen_n += fell;
    stored->fallen_wrong_n += fell && head_state == RED_STATE_WRONG;
    stored->bad_n += red_state_is_fault(head_state) && !fell;
    stored->lost_n += base != NULL && head == NULL;
    if (base == NULL || head == NULL)
        return;
    struct red_timed_pair *pair = &stored->pairs[stored->pairs_n++];
    *pair = timed_pair_of(base, head);
    stored->longer_n += pair->apart == LONGER;
    stored->shorter_n += pair->apart == SHORTER;
    stored->unknown_n += pair->apart == UNKNOWN;
    stored->incomparable_n += pair->apart == INCOMPARABLE;
    stored->incomplete_n += pair->apart == INCOMPLETE;
    stored->other_geometry_n += ran_with_other_geometry(pair);
    for (size_t s = 0; s < RED_SCATTERS_N && pair->apart < UNKNOWN; s++)
        stored->expected[s] += chance_of_no_overlap(pair, scatters[s]);
}

/* By head : base, for the two orders below. */
static int ratio_compare(const struct red_timed_pair *a, const struct red_timed_pair *b) {
    return (a->ratio.value > b->ratio.value) - (a->ratio.value < b->ratio.value);
}

/* For qsort, of pairs, to find the median ratio of the summary ("Cells compared: ..."): what cannot be
 * compared comes last. */
static int by_ratio(const void *left, const void *right) {
    const struct red_timed_pair *a = left, *b = right;
    const bool a_last = has_no_factor(a), b_last = has_no_factor(b);
    return a_last != b_last ? a_last - b_last : ratio_compare(a, b);
}

/* For qsort, of pairs: the order of rows in "Time to answer", that of red_two_runs.pairs. */
static int by_apart(const void *left, const void *right) {
    const struct red_timed_pair *a = left, *b = right;
    enum apart first = a->apart < WITHIN ? a->apart : WITHIN;
    enum apart second = b->apart < WITHIN ? b->apart : WITHIN;
    int order = first == SHORTER ? ratio_compare(a, b) : ratio_compare(b, a);
    order = first == second ? order : (first > second) - (first < second);
    return order ? order : (a->base > b->base) - (a->base < b->base);
}

enum red_status red_two_runs_line_up(struct red_two_runs *stored, struct red_error *error) {
    struct red_comparison *comparison = &stored->comparison;
    const struct red_result *base = &comparison->loaded.results[BASE],
                            *head = &comparison->loaded.results[HEAD];
    struct red_key key = {.cell = NULL};
    enum red_status status = red_comparison_make_run_sides(comparison, error);
    if (status != RED_OK)
        return status;
    stored->pairs = calloc(base->run.cells_n + 1, sizeof *stored->pairs);
    if (stored->pairs == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    while (red_comparison_next_key(comparison, &key))
        count_key_and_add_pair(stored, &key);
    const size_t n = compared_pairs_n(stored);
    qsort(stored->pairs, stored->pairs_n, sizeof *stored->pairs, by_ratio);
    if (n > 0)
        stored->median_ratio =
            (stored->pairs[(n - 1) / 2].ratio.value + stored->pairs[n / 2].ratio.value) / 2;
    qsort(stored->pairs, stored->pairs_n, sizeof *stored->pairs, by_apart);
    return stored->common_n > 0
               ? RED_OK
               : red_fail(error, RED_E_INPUT, "%.200s and %.200s have no cell in common: nothing to compare",
                          base->path, head->path);
}

void red_two_runs_clear(struct red_two_runs *stored) {
    red_comparison_clear(&stored->comparison);
    free(stored->pairs);
    stored->pairs = NULL;
}

/* "64:g8:16x4": group size, groups, lanes, as far as they are known; "" if none is. Seen in the columns
 * `asked`, `base_geometry` and `head_geometry` of CSV and JSON, and "geometry" of the table. */
static struct red_short_text tuning_text(const struct red_tuning *tuning) {
    struct red_short_text made = {.text = ""};
    char all[80];
    red_tuning_format(tuning, RED_TUNING_SHORT, all, sizeof all);
    red_text_add(made.text, sizeof made.text, "%s", all + (all[0] == ':'));
    return made;
}

/* The same of what a cell ran with. */
static struct red_short_text geometry_text(const struct red_cell *cell) {
    const struct red_tuning tuning = red_geometry_tuning(&cell->geometry);
    return tuning_text(&tuning);
}

/* ---- CSV and JSON -------------------------------------------------------------------------------------- */

/* The column "change" of CSV and JSON: how the key ended in head, compared with base. */
static const char *change_word(const struct red_key *key) {
    return is_not_in_head(key)            ? "missing in head"
           : key->sides[BASE].n == 0      ? "new in head"
           : fails_in_head_only(key)      ? "fell into trouble"
           : has_other_status_change(key) ? "other state"
                                          : "same state";
}

/* Adds the row of a key to CSV and JSON. */
static void add_data_row(const struct red_comparison *comparison, const struct red_key *key,
                         struct red_table *table) {
    const struct red_cell *base = key->sides[BASE].timed, *head = key->sides[HEAD].timed;
    const bool paired = base != NULL && head != NULL;
    const struct red_timed_pair pair = paired ? timed_pair_of(base, head) : (struct red_timed_pair){0};
    red_table_put(table, "%s", key->cell->at.device);
    red_comparison_put_axes(comparison, key->cell, table);
    RED_PUT(table, tuning_text(&key->cell->at.asked).text, change_word(key));
    for (size_t s = 0; s < 2; s++)
        red_table_put(table, "%s", key->sides[s].worst ? red_state_name(key->sides[s].worst->state) : "");
    red_figures_data_put(RED_IN_RUNS, base, table);
    red_figures_data_put(RED_IN_RUNS, head, table);
    red_interval_data_put(pair.ratio.value, pair.ratio.low, pair.ratio.high,
                          paired && !has_no_factor(&pair) ? 3 : 0, table);
    RED_PUT(table, paired ? "one process each" : "", paired ? aparts[pair.apart].word : "");
    for (size_t s = 0; s < 2; s++) {
        const struct red_cell *ran = key->sides[s].timed ? key->sides[s].timed : key->sides[s].worst;
        red_table_put(table, "%s", ran ? geometry_text(ran).text : "");
    }
    for (size_t s = 0; s < 2; s++)
        red_table_put(table, "%s", key->sides[s].worst ? key->sides[s].worst->reason : "");
    red_table_put(table, "%s", comparison->across);
}

enum red_status red_two_runs_write(const struct red_two_runs *stored, struct red_error *error) {
    char behind[1024] = "asked|change|base_state|head_state|";
    red_figure_columns_format(RED_IN_RUNS, "base_", behind, sizeof behind);
    red_figure_columns_format(RED_IN_RUNS, "head_", behind, sizeof behind);
    red_text_add(behind, sizeof behind,
                 "ratio>|ratio_low>|ratio_high>|interval_of|apart|base_geometry|head_geometry|base_reason|"
                 "head_reason|across");
    return red_key_table_write(&stored->comparison, "device", behind, add_data_row, error);
}

/* ---- tables and summary -------------------------------------------------------------------------------- */

/* Prints which file is base and which is head, and in what they differ that --across accepted. */
static void print_files(const struct red_two_runs *stored, FILE *out) {
    const struct red_comparison *comparison = &stored->comparison;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_result *result = comparison->sides[s].result;
        char text[1024];
        snprintf(text, sizeof text, "%s = %s: %s, %s, on %s", comparison->sides[s].label, result->path,
                 result->run.started, red_run_program_text(&result->run).text, result->machine);
        red_wrapped_print(out, "", text);
    }
    if (comparison->told[0] != '\0')
        fprintf(out, "Compared all the same (--across %s), although these differ:\n%s\n", comparison->across,
                comparison->told);
}

/* Prints first which times of which file cannot be compared, and why. */
static void print_incomparable(const struct red_two_runs *stored, FILE *out) {
    for (size_t s = 0; s < stored->comparison.sides_n; s++) {
        const struct red_side *side = &stored->comparison.sides[s];
        for (size_t d = 0; d < side->result->run.devices_n; d++) {
            char sentence[512], text[640];
            red_steadiness_sentence_format(&side->result->run, d, sentence, sizeof sentence);
            snprintf(text, sizeof text, "%s, on %.64s: %s", side->label, side->result->run.devices[d].info.id,
                     sentence);
            if (sentence[0] != '\0')
                red_wrapped_print(out, "", text);
        }
    }
}

/* Prints the table "Time to answer", of at most ROWS_MAX pairs. */
static void print_times(const struct red_two_runs *stored, FILE *out) {
    const size_t apart_n = stored->longer_n + stored->shorter_n;
    struct red_table *table = red_table_create("device|strategy|op type n|base us>|head us>|head : base");
    if (stored->other_geometry_n > 0)
        red_table_add_columns(table, "geometry");
    red_table_add_columns(table, "figures!");
    for (size_t i = 0; i < stored->pairs_n && i < ROWS_MAX; i++) {
        const struct red_timed_pair *pair = &stored->pairs[i];
        RED_PUT(table, pair->base->at.device, red_key_strategy(&stored->comparison, pair->base).text,
                red_key_op_type_n(pair->base).text, red_number_text(1e6 * pair->base->time.median).text,
                red_number_text(1e6 * pair->head->time.median).text);
        if (pair->apart == INCOMPLETE)
            red_table_put(table, "%s", aparts[pair->apart].word);
        else if (pair->apart == INCOMPARABLE)
            red_table_put(table, "%.2f %s", pair->ratio.value, aparts[pair->apart].mark);
        else
            red_table_put(table, "%.2f (%.2f-%.2f) %s", pair->ratio.value, pair->ratio.low, pair->ratio.high,
                          aparts[pair->apart].mark);
        if (ran_with_other_geometry(pair))
            red_table_put(table, "was %s, is %s", geometry_text(pair->base).text,
                          geometry_text(pair->head).text);
        else if (stored->other_geometry_n > 0)
            red_table_put(table, "%s", "");
        red_figures_below_put(&stored->comparison, (const struct red_cell *const[]){pair->base, pair->head},
                              table);
    }
    if (stored->pairs_n > 0) {
        char legend[512];
        fputc('\n', out);
        snprintf(
            legend, sizeof legend,
            "Time to answer (median), and head : base with its range if each median is anywhere in its 95 %% "
            "interval. An interval is of one process; medians of two processes of the same program differ by "
            "5 to 16 %%, so no line is a verdict on the program. ! = differs by more than its interval, "
            "~ = within it, ? = fewer than 6 samples%s.",
            stored->incomparable_n > 0 ? ", or times that cannot be compared" : "");
        red_wrapped_print(out, "", legend);
        red_table_print(table, out);
    }
    if (stored->pairs_n > ROWS_MAX)
        fprintf(out, "%zu more, %zu of them differ by more than their interval; --format csv has all\n",
                stored->pairs_n - ROWS_MAX, apart_n > ROWS_MAX ? apart_n - ROWS_MAX : 0);
    red_table_destroy(table);
}

/* Prints the paragraph "Cells compared: ..." below the tables. */
static void print_summary(const struct red_two_runs *stored, FILE *out) {
    const double *expected = stored->expected;
    const size_t compared_n = compared_pairs_n(stored);
    char text[1024] = "";
    snprintf(text, sizeof text, "%s",
             stored->pairs_n == 0 ? "No cell has a time in both."
                                  : "No cell has times that can be compared.");
    if (compared_n > 0)
        snprintf(
            text, sizeof text,
            "Cells compared: %zu. More than their interval apart: %zu (%zu take longer in head, %zu less); "
            "the median of all ratios is %.3f. By chance alone, from one program, one would expect %.0f if "
            "only the samples scattered, %.0f to %.0f since medians of two processes differ by 5 to 16 %%, "
            "and more if the machine changed its speed.",
            compared_n, stored->longer_n + stored->shorter_n, stored->longer_n, stored->shorter_n,
            stored->median_ratio, round(expected[0]), round(expected[1]), round(expected[2]));
    const struct {
        size_t n;
        const char *what;
    } counts[] = {{stored->other_geometry_n, "Run with another geometry than in base"},
                  {stored->unknown_n, "With fewer than 6 samples, and no interval"},
                  {stored->incomparable_n, "Of a run whose times cannot be compared"},
                  {stored->incomplete_n, "Of a kernel that was never checked at some levels, with no factor"},
                  {stored->bad_n, "In trouble in both"}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].n > 0)
            red_text_add(text, sizeof text, " %s: %zu.", counts[i].what, counts[i].n);
    fputc('\n', out);
    red_wrapped_print(out, "", text);
}

/* All that --format table prints; `out` is the screen or the file of --output. */
enum red_status red_two_runs_show(const void *two_runs, FILE *out, struct red_error *error) {
    const struct red_two_runs *stored = two_runs;
    const struct red_comparison *comparison = &stored->comparison;
    (void)error;
    print_incomparable(stored, out);
    print_files(stored, out);
    red_key_states_print(
        comparison, fails_in_head_only,
        "In trouble in head and not in base, which no doubt about times touches (- = not asked):", NULL,
        SIZE_MAX, out);
    red_key_states_print(comparison, has_other_status_change, "Ended differently:", NULL, SIZE_MAX, out);
    print_times(stored, out);
    red_key_states_print(comparison, is_not_in_head, "Missing in head:", NULL, ROWS_MAX, out);
    red_key_states_print(comparison, is_new_without_failure, "New in head:", NULL, ROWS_MAX, out);
    print_summary(stored, out);
    if (comparison->loaded.results[0].run.over_ranks.ranks_n == 0) /* no duel is over ranks */
        fputs("\nWhether a program is slower, a duel decides: clreduce duel --base PROGRAM --head PROGRAM\n",
              out);
    return RED_OK;
}

/* ---- a verdict, if one is wanted ----------------------------------------------------------------------- */

/* For --fail-above; seen as message and exit status. */
enum red_status red_two_runs_check_head(const struct red_two_runs *stored, double ratio_max,
                                        struct red_error *error) {
    size_t above_n = 0,
           open_n = stored->lost_n + stored->unknown_n + stored->incomparable_n + stored->incomplete_n;
    for (size_t i = 0; i < stored->pairs_n; i++)
        above_n += stored->pairs[i].apart == LONGER && stored->pairs[i].ratio.low > ratio_max;
    if (stored->fallen_n > 0)
        return red_fail(error, stored->fallen_wrong_n > 0 ? RED_E_WRONG : RED_E_DEVICE,
                        "cells in trouble in head and not in base: %zu, of which %zu gave a wrong result",
                        stored->fallen_n, stored->fallen_wrong_n);
    if (above_n > 0)
        return red_fail(error, RED_E_SLOWER,
                        "cells that take more than %.6g %% longer in head, over the whole range of their "
                        "intervals, each of one process: %zu",
                        100 * (ratio_max - 1), above_n);
    if (open_n > 0)
        return red_fail(
            error, RED_E_UNDECIDED,
            "cells with a time in base that cannot be judged: %zu without a time in head, %zu "
            "with fewer than %d samples, %zu of a run whose times cannot be compared, %zu of a kernel that "
            "was never checked at some levels",
            stored->lost_n, stored->unknown_n, SAMPLES_MIN, stored->incomparable_n, stored->incomplete_n);
    return RED_OK;
}
