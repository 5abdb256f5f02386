/* Chooses the strategies that the charts of a section show, and their colours. */
#include "report/section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recommend/curves.h"
#include "report/chart.h"

/* ---- what is shown ---------------------------------------------------------------------------------------
 */

/* What a strategy is worth to who looks: by how much it is slower than the best, over all n and devices, as a
 * mean of logarithms; where it has no time it counts as thirty times slower. */
struct worth {
    const struct red_strategy *strategy;
    double cost;
    bool timed;
};

static struct worth worth_of(const struct red_section *section, const struct red_strategy *strategy) {
    struct worth worth = {.strategy = strategy};
    size_t n = 0;
    for (size_t s = 0; s < section->sources_n; s++) {
        const struct red_table_view *view = &section->sources[s].view;
        for (size_t i = 0; i < view->sizes_n; i++) {
            const struct red_cell *best = red_table_view_fastest(view, NULL, view->sizes[i]);
            const struct red_cell *own = red_table_view_fastest(view, strategy, view->sizes[i]);
            worth.timed = worth.timed || own != NULL;
            if (best == NULL)
                continue;
            worth.cost += log(own ? own->time.median / best->time.median : 30);
            n++;
        }
    }
    worth.cost /= n > 0 ? (double)n : 1;
    return worth;
}

/* The three that the question of 2.x against 1.x is about are always there. */
static bool is_classic(const struct red_strategy *strategy) {
    static const char *const names[] = {"tree", "wg_reduce", "cmpxchg_group"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(strategy->name, names[i]) == 0)
            return true;
    return false;
}

static int by_worth(const void *left, const void *right) {
    const struct worth *a = left, *b = right;
    bool first = is_classic(a->strategy), second = is_classic(b->strategy);
    if (first != second)
        return first ? -1 : 1;
    return (a->cost > b->cost) - (a->cost < b->cost);
}

/* Those of 1.x first, each before what replaces it. */
static int by_family(const void *left, const void *right) {
    const struct red_chosen *a = left, *b = right;
    if (a->strategy->standard != b->strategy->standard)
        return (a->strategy->standard > b->strategy->standard) -
               (a->strategy->standard < b->strategy->standard);
    return strcmp(a->strategy->name, b->strategy->name);
}

static const char *family_of(const struct red_strategy *strategy) {
    return strategy->counterpart[0] != '\0' ? strategy->counterpart : strategy->name;
}

static void colour_in(struct red_section *section) {
    unsigned colours_n = 0;
    for (size_t i = 0; i < section->chosen_n; i++) {
        struct red_chosen *chosen = &section->chosen[i];
        chosen->dashed = chosen->strategy->standard == RED_STANDARD_CL20;
        for (size_t k = 0; k < i && chosen->colour == 0; k++)
            if (strcmp(family_of(section->chosen[k].strategy), family_of(chosen->strategy)) == 0)
                chosen->colour = section->chosen[k].colour;
        if (chosen->colour == 0) /* the first one is ink, for what is compared with */
            chosen->colour = 1 + colours_n++ % (RED_CATEGORIES_N - 1);
    }
}

static bool is_listed(const struct worth *worths, size_t n, const struct red_strategy *strategy) {
    for (size_t i = 0; i < n; i++)
        if (worths[i].strategy == strategy)
            return true;
    return false;
}

static void choose(struct red_section *section) {
    struct worth worths[RED_STRATEGIES_MAX];
    size_t n = 0;
    for (size_t s = 0; s < section->sources_n; s++) {
        const struct red_run *run = section->sources[s].view.run;
        for (size_t i = 0; i < run->cells_n && n < RED_STRATEGIES_MAX; i++) {
            const struct red_cell *cell = &run->cells[i];
            if (cell->device == 0 || cell->samples_n == 0 || is_listed(worths, n, cell->strategy))
                continue;
            worths[n++] = worth_of(section, cell->strategy);
        }
    }
    qsort(worths, n, sizeof worths[0], by_worth);
    section->strategies_n = n;
    section->chosen_n = n < RED_CHOSEN_MAX ? n : RED_CHOSEN_MAX;
    for (size_t i = 0; i < section->chosen_n; i++)
        section->chosen[i] = (struct red_chosen){.strategy = worths[i].strategy};
    qsort(section->chosen, section->chosen_n, sizeof section->chosen[0], by_family);
    colour_in(section);
}

/* ---- the section -----------------------------------------------------------------------------------------
 */

void red_report_file_letter(const struct red_report *report, size_t file, char *text, size_t text_bytes) {
    text[0] = '\0';
    if (report->results_n > 1)
        snprintf(text, text_bytes, "%c", (char)('A' + file));
}

static void source_fill(struct red_series_source *source, const struct red_report *report, size_t file,
                        const struct red_query *found, size_t device) {
    const struct red_result *result = &report->results[file];
    char letter[8];
    red_report_file_letter(report, file, letter, sizeof letter);
    snprintf(source->label, sizeof source->label, "%s%s%s", letter, letter[0] ? " " : "",
             result->run.devices[device].info.id);
    source->result = result;
    red_table_view_make(&source->view, &found->run, report->catalogue, NULL);
    source->view.device = device;
    source->view.op = found->op;
    source->view.dtype = found->dtype;
}

enum red_status red_section_make(struct red_section *section, const struct red_query *query,
                                 const struct red_report *report, struct red_error *error) {
    *section = (struct red_section){.query = query, .report = report};
    section->sources = calloc(RED_SOURCES_MAX, sizeof *section->sources);
    if (section->sources == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a report");
    for (size_t r = 0; r < report->results_n; r++) {
        const struct red_result *result = &report->results[r];
        const struct red_query *found = red_result_query(result, query);
        for (size_t d = 0; found != NULL && d < result->run.devices_n; d++) {
            if (result->run.devices[d].is_host)
                continue;
            if (section->sources_n == RED_SOURCES_MAX)
                return red_fail(error, RED_E_INPUT, "a report takes at most %d devices at a time",
                                RED_SOURCES_MAX);
            source_fill(&section->sources[section->sources_n++], report, r, found, d);
        }
    }
    choose(section);
    return RED_OK;
}

void red_section_clear(struct red_section *section) {
    free(section->sources);
    *section = (struct red_section){.sources_n = 0};
}
