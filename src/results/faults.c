/* Finds what strategies did wrong on a device. The runs are those that bench measured, or that report,
 * recommend and emit read. */
#include "results/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/select.h"
#include "core/text.h"

/* The states that forbid a strategy, the worst first, and what is said of it. */
static const struct {
    enum red_state state;
    const char *words;
} forbidding[] = {{RED_STATE_WRONG, "gave WRONG results"},
                  {RED_STATE_CRASHED, "crashed"},
                  {RED_STATE_TIMED_OUT, "hung"},
                  {RED_STATE_KNOWN_BUG, "has a known bug"}};

enum { FORBIDDING_N = sizeof forbidding / sizeof forbidding[0], TOLD_MAX = 4, REASON_MAX = 200 };

/* Where the state stands among those that forbid; FORBIDDING_N: nowhere. */
static size_t rank_of(enum red_state state) {
    size_t rank = 0;
    while (rank < FORBIDDING_N && forbidding[rank].state != state)
        rank++;
    return rank;
}

/* For each cell of bench and of the files of report, recommend and emit. */
bool red_state_forbids(enum red_state state) {
    return rank_of(state) < FORBIDDING_N;
}

/* Where the strategy of that name stands, or belongs. */
static size_t place_of(const struct red_faults *faults, const char *strategy) {
    size_t low = 0, high = faults->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(faults->rows[middle].strategy->name, strategy) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* For the candidates of recommend and emit (recommend/curves.c). */
struct red_fault *red_faults_find(const struct red_faults *faults, const char *strategy) {
    const size_t at = place_of(faults, strategy);
    return at < faults->n && strcmp(faults->rows[at].strategy->name, strategy) == 0 ? &faults->rows[at]
                                                                                    : NULL;
}

/* Adds one result that forbids its strategy. */
static enum red_status add_fault(struct red_faults *faults, const struct red_fault *fault,
                                 struct red_error *error) {
    struct red_fault *known = red_faults_find(faults, fault->strategy->name);
    if (known != NULL) {
        const size_t cells_n = known->cells_n + 1;
        if (rank_of(fault->state) < rank_of(known->state))
            *known = *fault;
        known->cells_n = cells_n;
        return RED_OK;
    }
    struct red_fault *grown = realloc(faults->rows, (faults->n + 1) * sizeof *grown);
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for wrong results");
    faults->rows = grown;
    const size_t at = place_of(faults, fault->strategy->name);
    memmove(&grown[at + 1], &grown[at], (faults->n - at) * sizeof *grown);
    grown[at] = *fault;
    faults->n++;
    return RED_OK;
}

/* For `recommend` and `emit` of all files of a device, for `report` of each file, and for `bench`. */
enum red_status red_faults_add(struct red_faults *faults, const struct red_run *run, size_t device,
                               struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < run->cells_n && status == RED_OK; i++) {
        const struct red_cell *cell = &run->cells[i];
        if (cell->device == device && red_state_forbids(cell->state))
            status = add_fault(faults,
                               &(struct red_fault){.strategy = cell->strategy,
                                                   .state = cell->state,
                                                   .op = cell->op,
                                                   .dtype = cell->dtype,
                                                   .shape = cell->shape,
                                                   .n = cell->n,
                                                   .reason = cell->reason,
                                                   .cells_n = 1},
                               error);
    }
    for (size_t i = 0; i < run->accuracies_n && status == RED_OK; i++) {
        const struct red_accuracy *accuracy = &run->accuracies[i];
        if (accuracy->device == device && red_state_forbids(accuracy->state))
            status = add_fault(faults,
                               &(struct red_fault){.strategy = accuracy->strategy,
                                                   .state = accuracy->state,
                                                   .op = accuracy->op,
                                                   .dtype = accuracy->dtype,
                                                   .shape = "array",
                                                   .n = accuracy->n,
                                                   .reason = accuracy->data,
                                                   .cells_n = 1},
                               error);
    }
    return status;
}

void red_faults_clear(struct red_faults *faults) {
    free(faults->rows);
    *faults = (struct red_faults){.n = 0};
}

/* For the sentence below, `emit`, and the C header of recommend. */
void red_fault_format(const struct red_fault *fault, char *text, size_t text_bytes) {
    const bool is_array = strcmp(fault->shape, "array") == 0 || fault->shape[0] == '\0';
    char n[32];
    red_size_format(fault->n, n, sizeof n);
    snprintf(text, text_bytes, "%s %s: %s of %s%s%s at n = %s", fault->strategy->name,
             forbidding[rank_of(fault->state)].words, fault->op->name, fault->dtype->name,
             is_array ? "" : ", shape ", is_array ? "" : fault->shape, n);
    if (fault->cells_n > 1)
        red_text_add(text, text_bytes, " and %zu more", fault->cells_n - 1);
    if (fault->reason[0] != '\0')
        red_text_add(text, text_bytes, ": %.*s%s", REASON_MAX, fault->reason,
                     strlen(fault->reason) > REASON_MAX ? "..." : "");
}

/* The first sentence of recommend, of the answer of bench and of the page's summary. */
void red_faults_sentence(const struct red_faults *faults, const char *device, char *text, size_t text_bytes) {
    size_t told_n = 0;
    text[0] = '\0';
    for (size_t rank = 0; rank < FORBIDDING_N; rank++) {
        for (size_t i = 0; i < faults->n; i++) {
            char one[512];
            if (rank_of(faults->rows[i].state) != rank)
                continue;
            red_fault_format(&faults->rows[i], one, sizeof one);
            if (told_n++ == 0)
                red_text_add(text, text_bytes, "DO NOT USE on %s: ", device);
            else
                red_text_add(text, text_bytes, "%s",
                             told_n == TOLD_MAX + 1 ? "; and "
                             : told_n > TOLD_MAX    ? ", "
                                                    : "; ");
            red_text_add(text, text_bytes, "%s", told_n > TOLD_MAX ? faults->rows[i].strategy->name : one);
        }
    }
    red_text_add(text, text_bytes, "%s", told_n > 0 ? "." : "");
}

/* For the fastest strategies (red_run_fastest): called by bench before it prints, and for each file read. */
enum red_status red_run_mark_faulty(struct red_run *run, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t d = 0; d < run->devices_n && status == RED_OK; d++) {
        struct red_faults faults = {.n = 0};
        status = red_faults_add(&faults, run, d, error);
        for (size_t i = 0; i < run->cells_n && status == RED_OK; i++)
            if (run->cells[i].device == d)
                run->cells[i].faulty = red_faults_find(&faults, run->cells[i].strategy->name) != NULL;
        red_faults_clear(&faults);
    }
    return status;
}
