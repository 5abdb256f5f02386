/* Advice judged by runs that it was not made of. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "console/table.h"
#include "core/interrupt.h"
#include "core/scratch.h"
#include "core/sizes.h"
#include "core/spawn.h"
#include "recommend/recommend.h"

enum { LIST_BYTES = 1 << 16, RUNS_DEFAULT = 4 };

/* ---- the same run again ----------------------------------------------------------------------------------
 */

/* A list of words, each once. False without room for one more. */
static bool list_add(char *list, const char *word) {
    const size_t length = strlen(word), used = strlen(list);
    for (const char *at = list; *at != '\0'; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    if (used + length + 2 > LIST_BYTES)
        return false;
    snprintf(list + used, LIST_BYTES - used, "%s%s", used ? "," : "", word);
    return true;
}

static bool list_add_number(char *list, uint64_t number) {
    char word[32];
    snprintf(word, sizeof word, "%llu", (unsigned long long)number);
    return number == 0 || list_add(list, word);
}

/* What is measured again of one shape: what there is to choose from, and nothing else. */
enum list { DEVICES, STRATEGIES, OPS, TYPES, SIZES, GROUP_SIZES, GROUPS, LANES, LISTS_N };
static const char *const list_options[LISTS_N] = {"--device", "--strategy", "--op",     "--type",
                                                  "--n",      "--wg",       "--groups", "--lanes"};

struct again {
    const struct red_query *query; /* of which the shape is */
    char *lists[LISTS_N];
    char shape[LIST_BYTES]; /* --shape, with the rows of segments */
};

static bool candidate_take(struct again *again, const struct red_candidate *candidate) {
    char lanes[32];
    red_lanes_print(&candidate->asked, lanes, sizeof lanes);
    return list_add(again->lists[STRATEGIES], candidate->strategy->name) &&
           list_add_number(again->lists[GROUP_SIZES], candidate->asked.group_size) &&
           list_add_number(again->lists[GROUPS], candidate->asked.groups_n) &&
           (candidate->asked.width == 0 || list_add(again->lists[LANES], lanes));
}

/* "segments:64x256,1024x16": as many rows as there are lengths. */
static void row_take(struct again *again, const struct red_advice *advice, size_t size) {
    const struct red_curves *curves = &advice->curves;
    char row[64];
    for (size_t c = 0; c < curves->candidates_n; c++) {
        const struct red_cell *cell = curves->cells[c * curves->sizes_n + size];
        if (cell == NULL)
            continue;
        snprintf(row, sizeof row, "%llux%llu", (unsigned long long)cell->segments_n,
                 (unsigned long long)cell->n);
        if (strstr(again->shape, row) == NULL) {
            size_t used = strlen(again->shape);
            snprintf(again->shape + used, sizeof again->shape - used, "%s%s",
                     again->shape[used - 1] == ':' ? "" : ",", row);
        }
        return;
    }
}

static bool advice_take(struct again *again, const struct red_advice *advice) {
    const struct red_curves *curves = &advice->curves;
    bool fits = list_add(again->lists[DEVICES], red_advice_device(advice)->id) &&
                list_add(again->lists[OPS], curves->query->op->name) &&
                list_add(again->lists[TYPES], curves->query->dtype->name);
    for (size_t c = 0; c < curves->candidates_n; c++)
        fits = fits && candidate_take(again, &curves->candidates[c]);
    for (size_t i = 0; i < curves->sizes_n; i++) {
        if (again->query->shape.kind == RED_SHAPE_SEGMENTS)
            row_take(again, advice, i);
        else
            fits = fits && list_add_number(again->lists[SIZES], curves->sizes[i]);
    }
    return fits;
}

static enum red_status again_make(const struct red_recommendation *all, const struct red_query *query,
                                  struct again *again, struct red_error *error) {
    bool fits = true;
    memset(again, 0, sizeof *again);
    again->query = query;
    for (size_t l = 0; l < LISTS_N; l++)
        if ((again->lists[l] = calloc(1, LIST_BYTES)) == NULL)
            return red_fail(error, RED_E_MEMORY, "no memory for a run");
    snprintf(again->shape, sizeof again->shape, "%s%s", query->shape.text,
             query->shape.kind == RED_SHAPE_SEGMENTS ? ":" : "");
    for (size_t i = 0; i < all->advice_n; i++)
        if (strcmp(all->advice[i].curves.query->shape.text, query->shape.text) == 0)
            fits = fits && advice_take(again, &all->advice[i]);
    return fits ? RED_OK
                : red_fail(error, RED_E_INPUT, "there is too much to measure again; choose with --strategy");
}

static void again_clear(struct again *again) {
    for (size_t l = 0; l < LISTS_N; l++)
        free(again->lists[l]);
    memset(again, 0, sizeof *again);
}

/* ---- the process -----------------------------------------------------------------------------------------
 */

/* This program's own bench, whose words go to a file. Errors: RED_E_DEVICE with the last of them. */
static enum red_status run(const char *const *arguments, const char *log, struct red_error *error) {
    int ended = 0;
    int reason = red_spawn("/proc/self/exe", arguments, log, &ended);
    if (reason != 0)
        return red_fail(error, RED_E_INPUT, "a run cannot be started: %s", strerror(reason));
    if (red_interrupted())
        return red_fail(error, RED_E_INTERRUPTED, "interrupted");
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return RED_OK;
    char last[512] = "", line[512];
    FILE *words = fopen(log, "r");
    while (words != NULL && fgets(line, sizeof line, words) != NULL)
        snprintf(last, sizeof last, "%.*s", (int)strcspn(line, "\n"), line);
    if (words != NULL)
        fclose(words);
    bool wrong = WIFEXITED(ended) && WEXITSTATUS(ended) == red_status_exit(RED_E_WRONG);
    return red_fail(error, wrong ? RED_E_WRONG : RED_E_DEVICE, "measuring again failed: %s", last);
}

static enum red_status measure(const struct red_recommendation *all, const struct again *again,
                               unsigned number, const char *folder, char *path, size_t path_bytes,
                               struct red_error *error) {
    const char *arguments[4 * LISTS_N] = {"clreduce", "bench", "--shape", again->shape};
    char log[RED_SCRATCH_BYTES + 16], seed[32], budget[32], patience[32];
    size_t n = 4;
    for (size_t l = 0; l < LISTS_N; l++) {
        if (again->lists[l][0] == '\0')
            continue;
        arguments[n++] = list_options[l];
        arguments[n++] = again->lists[l];
    }
    snprintf(log, sizeof log, "%s/log", folder);
    snprintf(path, path_bytes, "%s/%u.json", folder, number);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)((all->seed + number) & INT64_MAX));
    snprintf(budget, sizeof budget, "%.9g", all->time_per_cell_s > 0 ? all->time_per_cell_s : 0.08);
    snprintf(patience, sizeof patience, "%.9g", all->patience_s);
    if (all->patience_s > 0) {
        arguments[n++] = "--patience";
        arguments[n++] = patience;
    }
    const char *const last[] = {"--seed", seed, "--time-per-cell", budget, "--data-sets", "3", "--output",
                                path,     NULL};
    for (size_t k = 0; k < sizeof last / sizeof last[0]; k++)
        arguments[n++] = last[k];
    fprintf(stderr, "measuring again: %s, run %u\n", again->shape, number);
    return run(arguments, log, error);
}

/* ---- fresh runs ------------------------------------------------------------------------------------------
 */

struct fresh {
    struct red_result *runs; /* owned */
    size_t n, room;
};

static enum red_status fresh_load(const struct red_recommendation *all, struct fresh *fresh, const char *path,
                                  struct red_error *error) {
    struct red_result *grown = realloc(fresh->runs, (fresh->n + 1) * sizeof *grown);
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a run");
    fresh->runs = grown;
    enum red_status status = red_result_load(path, all->catalogue, &fresh->runs[fresh->n], error);
    fresh->n += status == RED_OK;
    return status;
}

static bool is_first_of_shape(const struct red_recommendation *all, size_t i) {
    for (size_t before = 0; before < i; before++)
        if (strcmp(all->advice[before].curves.query->shape.text, all->advice[i].curves.query->shape.text) ==
            0)
            return false;
    return true;
}

/* Each run is a process of its own for each shape. */
static enum red_status fresh_measure(const struct red_recommendation *all, struct fresh *fresh,
                                     struct red_error *error) {
    const unsigned runs_n = all->options->runs_n > 0 ? all->options->runs_n : RUNS_DEFAULT;
    struct red_scratch scratch = {.path = ""};
    char path[RED_SCRATCH_BYTES + 32];
    struct again *again = calloc(1, sizeof *again);
    enum red_status status =
        again ? red_scratch_make(&scratch, error) : red_fail(error, RED_E_MEMORY, "no memory for a run");
    unsigned number = 0;
    for (unsigned r = 0; r < runs_n && status == RED_OK; r++) {
        for (size_t i = 0; i < all->advice_n && status == RED_OK; i++) {
            if (!is_first_of_shape(all, i))
                continue;
            status = again_make(all, all->advice[i].curves.query, again, error);
            if (status == RED_OK)
                status = measure(all, again, ++number, scratch.path, path, sizeof path, error);
            if (status == RED_OK)
                status = fresh_load(all, fresh, path, error);
            again_clear(again);
        }
    }
    red_scratch_remove(&scratch);
    free(again);
    return status;
}

static enum red_status fresh_get(const struct red_recommendation *all, struct fresh *fresh,
                                 struct red_error *error) {
    enum red_status status = RED_OK;
    if (all->options->fresh_n == 0)
        return fresh_measure(all, fresh, error);
    for (size_t i = 0; i < all->options->fresh_n && status == RED_OK; i++)
        status = fresh_load(all, fresh, all->options->fresh[i], error);
    return status;
}

/* ---- the verdict -----------------------------------------------------------------------------------------
 */

static void percent_print(double value, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "%.1f %%", 100 * value);
}

static enum red_status add_row(struct red_table *table, const struct red_regrets *regrets,
                               enum red_chooser chooser, struct red_regret_summary *summary,
                               struct red_error *error) {
    char texts[3][32], cells[64], where[256] = "", size[32];
    enum red_status status = red_regrets_summarise(regrets, chooser, summary, error);
    if (status != RED_OK)
        return status;
    percent_print(summary->median, texts[0], sizeof texts[0]);
    percent_print(summary->most, texts[1], sizeof texts[1]);
    percent_print(summary->worst, texts[2], sizeof texts[2]);
    snprintf(cells, sizeof cells, "%zu%s", summary->n, summary->missing_n > 0 ? "!" : "");
    if (summary->n > 0) {
        const struct red_regret *worst = &regrets->all[summary->worst_at];
        red_size_print(worst->n, size, sizeof size);
        snprintf(where, sizeof where, "%s %s of %s at %s: %s for %s",
                 worst->result->run.devices[worst->device].info.id, worst->query->op->name,
                 worst->query->dtype->name, size,
                 worst->chosen[chooser] ? worst->chosen[chooser]->name : "nothing", worst->best->name);
    }
    const char *values[] = {red_chooser_names[chooser], cells, texts[0], texts[1], texts[2], where};
    return red_table_add(table, values, error);
}

static enum red_status judge(const struct red_regrets *regrets, FILE *out, struct red_error *error) {
    static const struct red_column columns[] = {{.name = "choice"},
                                                {.name = "cells", .right = true},
                                                {.name = "median", .right = true},
                                                {.name = "95 %", .right = true},
                                                {.name = "worst", .right = true},
                                                {.name = "where it is worst"}};
    const struct red_regret_summary *limits = &red_regret_limits;
    struct red_regret_summary summaries[RED_CHOOSERS_N];
    struct red_table *table = red_table_create(columns, sizeof columns / sizeof columns[0]);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (int k = 0; k < RED_CHOOSERS_N && status == RED_OK; k++)
        status = add_row(table, regrets, (enum red_chooser)k, &summaries[k], error);
    if (status == RED_OK) {
        fprintf(out, "How much longer the choice takes than the best strategy, in %zu fresh %s:\n",
                regrets->fresh_n,
                regrets->fresh_n == 1 ? "run (of one run the best is the luckiest: too much)" : "runs");
        red_table_print(table, out);
        fputs(summaries[RED_CHOOSER_ADVICE].missing_n > 0
                  ? "! = without cells in which the choice has no fresh time\n"
                  : "",
              out);
    }
    red_table_destroy(table);
    if (status != RED_OK)
        return status;
    if (summaries[RED_CHOOSER_ADVICE].n == 0)
        return red_fail(error, RED_E_INPUT,
                        "the fresh runs have no cell in common with what the advice was made of");
    if (!red_regret_is_kept(&summaries[RED_CHOOSER_ADVICE]))
        return red_fail(
            error, RED_E_UNDECIDED,
            "the recommendation costs more than %.0f %% (median), %.0f %% (of 95 %% of cells) or %.0f %% "
            "(worst): give it more runs to learn from",
            100 * limits->median, 100 * limits->most, 100 * limits->worst);
    fprintf(out, "It keeps to the limits: %.0f %% (median), %.0f %% (95 %%), %.0f %% (worst).\n",
            100 * limits->median, 100 * limits->most, 100 * limits->worst);
    return RED_OK;
}

enum red_status red_recommendation_check(const struct red_recommendation *all, FILE *out,
                                         struct red_error *error) {
    struct fresh fresh = {.n = 0};
    struct red_regrets regrets = {.n = 0};
    enum red_status status = fresh_get(all, &fresh, error);
    for (size_t i = 0; i < all->advice_n && status == RED_OK; i++)
        status = red_regrets_add(&all->advice[i], all->results, fresh.runs, fresh.n, &all->filter, &regrets,
                                 error);
    if (status == RED_OK)
        status = judge(&regrets, out, error);
    for (size_t i = 0; i < fresh.n; i++)
        red_result_clear(&fresh.runs[i]);
    free(fresh.runs);
    red_regrets_clear(&regrets);
    return status;
}
