/* Finds what strategies did wrong on a device. The runs are those that bench measured, or that report,
 * recommend and emit read. */
#include "results/bans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/select.h"
#include "core/text.h"

/* The states that ban a strategy, the worst first, and what is said of it. A known bug is one of the others
 * where it was seen. */
static const struct {
    enum red_state state;
    const char *words;
} banning[] = {{RED_STATE_WRONG, "gave WRONG results"},
               {RED_STATE_CRASHED, "crashed"},
               {RED_STATE_TIMED_OUT, "hung"},
               {RED_STATE_KNOWN_BUG, "has a known bug"}};

enum { BANNING_N = sizeof banning / sizeof banning[0], TOLD_MAX = 4, REASON_MAX = 200 };

/* Where the state stands among these; BANNING_N: nowhere. */
static size_t rank_of(enum red_state state) {
    size_t rank = 0;
    while (rank < BANNING_N && banning[rank].state != state)
        rank++;
    return rank;
}

/* Where the strategy of that name stands, or belongs. */
static size_t place_of(const struct red_bans *bans, const char *strategy) {
    size_t low = 0, high = bans->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(bans->rows[middle].strategy->name, strategy) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* For the candidates of recommend and emit (recommend/curves.c). */
struct red_ban *red_bans_find(const struct red_bans *bans, const char *strategy) {
    const size_t at = place_of(bans, strategy);
    return at < bans->n && strcmp(bans->rows[at].strategy->name, strategy) == 0 ? &bans->rows[at] : NULL;
}

/* Adds one result that bans its strategy. */
static enum red_status add_ban(struct red_bans *bans, const struct red_ban *ban, struct red_error *error) {
    struct red_ban *known = red_bans_find(bans, ban->strategy->name);
    if (known != NULL) {
        const size_t cells_n = known->cells_n + 1;
        if (rank_of(ban->state) < rank_of(known->state))
            *known = *ban;
        known->cells_n = cells_n;
        return RED_OK;
    }
    struct red_ban *grown = realloc(bans->rows, (bans->n + 1) * sizeof *grown);
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for wrong results");
    bans->rows = grown;
    const size_t at = place_of(bans, ban->strategy->name);
    memmove(&grown[at + 1], &grown[at], (bans->n - at) * sizeof *grown);
    grown[at] = *ban;
    bans->n++;
    return RED_OK;
}

/* For `recommend` and `emit` of all files of a device, for `report` of each file, and for `bench`. */
enum red_status red_bans_add(struct red_bans *bans, const struct red_run *run, size_t device,
                             struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < run->cells_n && status == RED_OK; i++) {
        const struct red_cell *cell = &run->cells[i];
        if (cell->device == device && rank_of(cell->state) < BANNING_N)
            status = add_ban(bans,
                             &(struct red_ban){.strategy = cell->strategy,
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
        if (accuracy->device == device && rank_of(accuracy->state) < BANNING_N)
            status = add_ban(bans,
                             &(struct red_ban){.strategy = accuracy->strategy,
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

void red_bans_clear(struct red_bans *bans) {
    free(bans->rows);
    *bans = (struct red_bans){.n = 0};
}

/* For the sentence below, `emit`, and the C header of recommend. */
void red_ban_format(const struct red_ban *ban, char *text, size_t text_bytes) {
    const bool is_array = strcmp(ban->shape, "array") == 0 || ban->shape[0] == '\0';
    char n[32];
    red_size_format(ban->n, n, sizeof n);
    snprintf(text, text_bytes, "%s %s: %s of %s%s%s at n = %s", ban->strategy->name,
             banning[rank_of(ban->state)].words, ban->op->name, ban->dtype->name, is_array ? "" : ", shape ",
             is_array ? "" : ban->shape, n);
    if (ban->cells_n > 1)
        red_text_add(text, text_bytes, " and %zu more", ban->cells_n - 1);
    size_t told_bytes = strlen(ban->reason) < REASON_MAX ? strlen(ban->reason) : REASON_MAX;
    while (told_bytes > 0 && ((unsigned char)ban->reason[told_bytes] & 0xc0) == 0x80) /* within a character */
        told_bytes--;
    if (told_bytes > 0)
        red_text_add(text, text_bytes, ": %.*s%s", (int)told_bytes, ban->reason,
                     ban->reason[told_bytes] != '\0' ? "..." : "");
}

/* The first sentence of recommend, of the answer of bench and of the page's summary. */
void red_bans_sentence(const struct red_bans *bans, const char *device, char *text, size_t text_bytes) {
    size_t told_n = 0;
    text[0] = '\0';
    for (size_t rank = 0; rank < BANNING_N; rank++) {
        for (size_t i = 0; i < bans->n; i++) {
            char one[512];
            if (rank_of(bans->rows[i].state) != rank)
                continue;
            red_ban_format(&bans->rows[i], one, sizeof one);
            if (told_n++ == 0)
                red_text_add(text, text_bytes, "DO NOT USE on %s: ", device);
            else
                red_text_add(text, text_bytes, "%s",
                             told_n == TOLD_MAX + 1 ? "; and "
                             : told_n > TOLD_MAX    ? ", "
                                                    : "; ");
            red_text_add(text, text_bytes, "%s", told_n > TOLD_MAX ? bans->rows[i].strategy->name : one);
        }
    }
    red_text_add(text, text_bytes, "%s", told_n > 0 ? "." : "");
}

/* For the fastest strategies (red_run_fastest): called by bench before it prints, and for each file read. */
enum red_status red_run_mark_banned(struct red_run *run, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t d = 0; d < run->devices_n && status == RED_OK; d++) {
        struct red_bans bans = {.n = 0};
        status = red_bans_add(&bans, run, d, error);
        for (size_t i = 0; i < run->cells_n && status == RED_OK; i++)
            if (run->cells[i].device == d)
                run->cells[i].banned = red_bans_find(&bans, run->cells[i].strategy->name) != NULL;
        red_bans_clear(&bans);
    }
    return status;
}
