/* Makes the neutral form of a run of bench (cli/files.c), cleans texts and times for the writers, and decides
 * the outcome of each cell. */
#include "export/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* ---- what became of a cell -------------------------------------------------------------------------------
 * The writers ask for each cell of a bench or a duel. */

/* A cell in one of these states was not to have a time. */
static const bool is_excused[RED_STATES_N] = {[RED_STATE_UNSUPPORTED] = true,
                                              [RED_STATE_OVER_BUDGET] = true,
                                              [RED_STATE_KNOWN_BUG] = true,
                                              [RED_STATE_IMPLAUSIBLE] = true};

static const enum red_outcome outcomes[RED_STATES_N] = {
    [RED_STATE_PENDING] = RED_OUTCOME_ERROR,       [RED_STATE_PASS] = RED_OUTCOME_PASSED,
    [RED_STATE_WRONG] = RED_OUTCOME_FAILURE,       [RED_STATE_BUILD_FAILED] = RED_OUTCOME_ERROR,
    [RED_STATE_UNSUPPORTED] = RED_OUTCOME_SKIPPED, [RED_STATE_OVER_BUDGET] = RED_OUTCOME_SKIPPED,
    [RED_STATE_FAILED] = RED_OUTCOME_ERROR,        [RED_STATE_CRASHED] = RED_OUTCOME_ERROR,
    [RED_STATE_TIMED_OUT] = RED_OUTCOME_ERROR,     [RED_STATE_KNOWN_BUG] = RED_OUTCOME_SKIPPED,
    [RED_STATE_IMPLAUSIBLE] = RED_OUTCOME_SKIPPED,
};

static const struct {
    const char *verdict;
    enum red_outcome outcome;
} verdicts[] = {
    {"SLOWER", RED_OUTCOME_FAILURE},    {"FASTER", RED_OUTCOME_PASSED},   {"SAME", RED_OUTCOME_PASSED},
    {"UNDECIDED", RED_OUTCOME_SKIPPED}, {"UNTRUSTED", RED_OUTCOME_ERROR}, {"WRONG", RED_OUTCOME_FAILURE},
    {"BROKEN", RED_OUTCOME_ERROR},      {"FAILED", RED_OUTCOME_ERROR},
};

/* Whether the verdict counts: a cell that did not pass is told by its state. */
static bool has_passed_with_verdict(const struct red_export_cell *cell) {
    return cell->state == RED_STATE_PASS && cell->verdict != NULL;
}

/* Whether the cell is right as far as its kernel was checked, which is not at every level. */
static bool is_incomplete(const struct red_export_cell *cell) {
    return cell->state == RED_STATE_PASS && cell->verdict == NULL && cell->unchecked != NULL &&
           cell->unchecked[0] != '\0';
}

/* RED_OUTCOMES_N of a verdict that is none. */
static enum red_outcome verdict_outcome(const char *verdict) {
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++)
        if (strcmp(verdicts[i].verdict, verdict) == 0)
            return verdicts[i].outcome;
    return RED_OUTCOMES_N;
}

/* Seen as JUnit's failure, error or skipped, in Markdown as bold, and as an annotation's level. */
enum red_outcome red_export_cell_outcome(const struct red_export_cell *cell) {
    enum red_outcome outcome = is_incomplete(cell)             ? RED_OUTCOME_SKIPPED
                               : has_passed_with_verdict(cell) ? verdict_outcome(cell->verdict)
                                                               : outcomes[cell->state];
    bool is_told = outcome == RED_OUTCOME_FAILURE || outcome == RED_OUTCOME_ERROR;
    if (outcome == RED_OUTCOMES_N)
        return RED_OUTCOME_ERROR;
    if (is_told && cell->verdict != NULL && !cell->fails)
        return RED_OUTCOME_SKIPPED;
    return is_told || (!cell->fails && !red_export_cell_lacks_due_time(cell)) ? outcome : RED_OUTCOME_ERROR;
}

/* Seen in the column `result` of Markdown, and before the reason in JUnit, annotations and errors. */
const char *red_export_cell_word(const struct red_export_cell *cell) {
    return is_incomplete(cell)             ? RED_INCOMPLETE_WORDS
           : has_passed_with_verdict(cell) ? cell->verdict
                                           : red_state_name(cell->state);
}

/* Seen in the column `why` of Markdown, and behind the word in JUnit, annotations and errors. */
const char *red_export_cell_why(const struct red_export_cell *cell) {
    const char *reason = cell->reason ? cell->reason : "", *sentence = cell->sentence ? cell->sentence : "";
    const char *why = is_incomplete(cell) ? cell->unchecked
                      : sentence[0] != '\0' && (has_passed_with_verdict(cell) || reason[0] == '\0') ? sentence
                                                                                                    : reason;
    return why[0] == '\0' && red_export_cell_lacks_due_time(cell) ? "there is no time" : why;
}

static bool is_finite_above_zero(double value) {
    return isfinite(value) && value > 0;
}

/* Only such cells have a time in any file of --export. */
bool red_export_cell_has_trusted_time(const struct red_export_cell *cell) {
    bool timed = cell->state == RED_STATE_PASS && is_finite_above_zero(cell->time_s) &&
                 (cell->verdict == NULL || strcmp(cell->verdict, "UNTRUSTED") != 0);
    for (size_t i = 0; timed && cell->samples_s != NULL && i < cell->samples_n; i++)
        timed = is_finite_above_zero(cell->samples_s[i]);
    return timed;
}

/* Such a cell is told in the file, or on stderr, and fails `bench --export`. */
bool red_export_cell_lacks_due_time(const struct red_export_cell *cell) {
    return !cell->untimed && !red_export_cell_has_trusted_time(cell) &&
           (!is_excused[cell->state] || cell->fails);
}

/* For the counts that Markdown and errors tell, and to check that JSON is whole. */
size_t red_export_count(const struct red_export *export,
                        bool is_counted(const struct red_export_cell *cell)) {
    size_t n = 0;
    for (size_t i = 0; i < export->cells_n; i++)
        n += is_counted(&export->cells[i]);
    return n;
}

/* For Markdown, JUnit's system-out, and `range` of github-action-benchmark. */
struct red_short_text red_export_time_text(double seconds) {
    static const struct {
        double from_s;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    struct red_short_text made;
    size_t unit = 0;
    while (unit + 1 < sizeof units / sizeof units[0] && seconds < units[unit].from_s)
        unit++;
    snprintf(made.text, sizeof made.text, "%.4g %s", seconds / units[unit].from_s, units[unit].name);
    return made;
}

/* ---- the clean copy --------------------------------------------------------------------------------------
 * export.c makes one before it checks or writes a file: writers see no other. */

enum { CELL_TEXTS_N = 11, HEAD_TEXTS_N = 5 };

/* Lets *text be a clean copy that `clean` owns; *text NULL gives "". False without memory. */
static bool clean_text_in_place(struct red_export_clean *clean, const char **text) {
    char *made = red_utf8_for_xml(*text ? *text : "");
    if (made != NULL)
        clean->texts[clean->texts_n++] = made;
    *text = made;
    return made != NULL;
}

static bool clean_cell_texts(struct red_export_clean *clean, struct red_export_cell *cell) {
    const char **const texts[] = {&cell->name,    &cell->device,   &cell->strategy, &cell->op,
                                  &cell->type,    &cell->reason,   &cell->code,     &cell->sentence,
                                  &cell->details, &cell->unchecked};
    bool whole = cell->verdict == NULL || clean_text_in_place(clean, &cell->verdict);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && whole; i++)
        whole = clean_text_in_place(clean, texts[i]);
    return whole;
}

/* What is left of the cell's times and ratios is either good or 0: nothing of a cell that is not timed. */
static void drop_bad_times(struct red_export_cell *cell) {
    bool timed = red_export_cell_has_trusted_time(cell), paced = timed && cell->cpu_s != NULL;
    cell->time_s = timed ? cell->time_s : 0;
    cell->samples_n = timed && cell->samples_s != NULL ? cell->samples_n : 0;
    cell->samples_s = cell->samples_n > 0 ? cell->samples_s : NULL;
    for (size_t i = 0; i < cell->samples_n && paced; i++)
        paced = isfinite(cell->cpu_s[i]) && cell->cpu_s[i] >= 0;
    cell->cpu_s = paced ? cell->cpu_s : NULL;
    if (!timed || !is_finite_above_zero(cell->low_s) || !is_finite_above_zero(cell->high_s) ||
        cell->low_s > cell->time_s || cell->high_s < cell->time_s)
        cell->low_s = cell->high_s = 0;
    bool compared = timed && is_finite_above_zero(cell->ratio);
    cell->ratio = compared ? cell->ratio : 0;
    if (!compared || !is_finite_above_zero(cell->ratio_low) || !is_finite_above_zero(cell->ratio_high))
        cell->ratio_low = cell->ratio_high = 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Fails for two cells of one name, of which most readers keep the last, and for a cell without one. */
static enum red_status refuse_equal_or_empty_names(const struct red_export *export, struct red_error *error) {
    const char **names = malloc((export->cells_n + 1) * sizeof *names);
    enum red_status status =
        names ? RED_OK
              : red_fail(error, RED_E_MEMORY, "no memory for the names of %zu cells", export->cells_n);
    for (size_t i = 0; i < export->cells_n && status == RED_OK; i++)
        names[i] = export->cells[i].name;
    if (status == RED_OK)
        qsort(names, export->cells_n, sizeof *names, by_name);
    for (size_t i = 0; i < export->cells_n && status == RED_OK; i++) {
        if (names[i][0] == '\0')
            status = red_fail(error, RED_E_INPUT, "a cell has no name");
        else if (i > 0 && strcmp(names[i - 1], names[i]) == 0)
            status =
                red_fail(error, RED_E_INPUT, "two cells are named '%s', and one would be lost", names[i]);
    }
    free(names);
    return status;
}

enum red_status red_export_clean(const struct red_export *export, struct red_export_clean *clean,
                                 struct red_error *error) {
    size_t cells_n = export->cells_n;
    *clean = (struct red_export_clean){.export = *export};
    clean->cells = malloc((cells_n + 1) * sizeof *clean->cells);
    clean->texts = malloc((CELL_TEXTS_N * cells_n + HEAD_TEXTS_N) * sizeof *clean->texts);
    struct red_export *made = &clean->export;
    bool whole = clean->cells != NULL && clean->texts != NULL && clean_text_in_place(clean, &made->title) &&
                 clean_text_in_place(clean, &made->command) && clean_text_in_place(clean, &made->started) &&
                 clean_text_in_place(clean, &made->machine) && clean_text_in_place(clean, &made->version);
    for (size_t i = 0; i < cells_n && whole; i++) {
        clean->cells[i] = export->cells[i];
        whole = clean_cell_texts(clean, &clean->cells[i]);
        if (whole)
            drop_bad_times(&clean->cells[i]);
    }
    made->cells = clean->cells;
    return whole ? refuse_equal_or_empty_names(made, error)
                 : red_fail(error, RED_E_MEMORY, "no memory to export %zu cells", cells_n);
}

void red_export_clean_clear(struct red_export_clean *clean) {
    for (size_t i = 0; i < clean->texts_n; i++)
        free(clean->texts[i]);
    free(clean->texts);
    free(clean->cells);
    *clean = (struct red_export_clean){.texts_n = 0};
}

/* ---- a run of bench ------------------------------------------------------------------------------------ */

/* A cell of `bench` in the neutral form. */
static struct red_export_cell cell_for_export(const struct red_run *run, const struct red_cell *cell,
                                              const char *name) {
    unsigned reductions = run->shape ? run->shape->calls_n : 1;
    struct red_export_cell made = {.name = name,
                                   .device = cell->at.device,
                                   .strategy = cell->at.strategy->name,
                                   .op = cell->at.op->name,
                                   .type = cell->at.dtype->name,
                                   .n = cell->at.n,
                                   .run = run,
                                   .measured = cell,
                                   .state = cell->state,
                                   .reason = cell->reason,
                                   .unchecked = cell->unchecked,
                                   .calls_per_sample = cell->calls_per_sample * reductions};
    if (cell->samples_n > 0) {
        made.samples_s = cell->samples_s;
        made.cpu_s = cell->cpu_s;
        made.samples_n = cell->samples_n;
        made.time_s = cell->time.median;
        made.low_s = cell->time.low;
        made.high_s = cell->time.high;
    }
    return made;
}

enum red_status red_run_export_make(const struct red_run *run, struct red_run_export *made,
                                    struct red_error *error) {
    *made = (struct red_run_export){.cells = calloc(run->cells_n + 1, sizeof *made->cells),
                                    .names = calloc(run->cells_n + 1, sizeof *made->names)};
    if (made->cells == NULL || made->names == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to export %zu cells", run->cells_n);
    red_host_processor_format(&run->host, made->machine, sizeof made->machine);
    for (size_t i = 0; i < run->cells_n; i++) {
        red_at_name(&run->cells[i].at, RED_AT_ALL, made->names[i], sizeof made->names[i]);
        made->cells[i] = cell_for_export(run, &run->cells[i], made->names[i]);
    }
    made->export = (struct red_export){.title = "clreduce bench",
                                       .command = run->command,
                                       .started = run->started,
                                       .machine = made->machine,
                                       .version = CLREDUCE_VERSION,
                                       .cells = made->cells,
                                       .cells_n = run->cells_n};
    return RED_OK;
}

void red_run_export_clear(struct red_run_export *made) {
    free(made->cells);
    free(made->names);
    *made = (struct red_run_export){.cells = NULL};
}
