/* Finds what strategies did wrong on a device. The runs are those that bench measured, or that report,
 * recommend and emit read; these three read files of `verify`, too. */
#include "results/bans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/numbers.h"
#include "core/select.h"
#include "core/text.h"

/* What is said of a state. An OpenCL error is no ban, known or not; red_bans_add_failed collects those. That
 * a strategy was not checked at every level bans it, too: it is no state of a cell, and stands here as
 * `pending`. */
static const char *const grounds[RED_STATES_N] = {[RED_STATE_WRONG] = "gave WRONG results",
                                                  [RED_STATE_CRASHED] = "crashed",
                                                  [RED_STATE_TIMED_OUT] = "hung",
                                                  [RED_STATE_KNOWN_BUG] = "has a known bug",
                                                  [RED_STATE_PENDING] = "was never checked at",
                                                  [RED_STATE_FAILED] = "failed"};

enum { TOLD_MAX = 4, REASON_MAX = 200 };

/* Whether a cell or a check in this state bans its strategy. */
static bool is_banning(enum red_state state) {
    return grounds[state] != NULL && state != RED_STATE_PENDING && state != RED_STATE_FAILED;
}

/* The state that counts of a cell or a check: a known bug that would be no ban otherwise is none. */
static enum red_state counted_state(enum red_state state, enum red_state known_bug) {
    const bool is_no_ban = known_bug != RED_STATE_PENDING && !is_banning(known_bug);
    return state == RED_STATE_KNOWN_BUG && is_no_ban ? known_bug : state;
}

/* Where the strategy of that name stands, or belongs. */
static size_t place_of(const struct red_bans *bans, const char *strategy) {
    size_t at;
    RED_LOWER_BOUND(at, bans->n, strcmp(bans->rows[at].at.strategy->name, strategy) < 0);
    return at;
}

/* For the candidates of recommend and emit (recommend/curves.c). */
struct red_ban *red_bans_find(const struct red_bans *bans, const char *strategy) {
    const size_t at = place_of(bans, strategy);
    return at < bans->n && strcmp(bans->rows[at].at.strategy->name, strategy) == 0 ? &bans->rows[at] : NULL;
}

/* Of one strategy, whether a is told rather than b: what is worse, or an error at a smaller n. */
static bool ban_comes_before(const struct red_ban *a, const struct red_ban *b) {
    return red_state_is_worse(a->state, b->state) ||
           (a->state == RED_STATE_FAILED && b->state == RED_STATE_FAILED && a->at.n < b->at.n);
}

/* Adds one result that bans its strategy, or an error. */
static enum red_status add_ban(struct red_bans *bans, const struct red_ban *ban, struct red_error *error) {
    struct red_ban *known = red_bans_find(bans, ban->at.strategy->name);
    if (known != NULL) {
        const size_t cells_n = known->state == RED_STATE_PENDING ? ban->cells_n : known->cells_n + 1;
        if (ban_comes_before(ban, known))
            *known = *ban;
        known->cells_n = cells_n;
        return RED_OK;
    }
    if (!RED_GROW(bans->rows, bans->n, 1))
        return red_fail(error, RED_E_MEMORY, "no memory for wrong results");
    const size_t at = place_of(bans, ban->at.strategy->name);
    memmove(&bans->rows[at + 1], &bans->rows[at], (bans->n - at) * sizeof bans->rows[0]);
    bans->rows[at] = *ban;
    bans->n++;
    return RED_OK;
}

/* Adds what a cell of a run did. */
static enum red_status add_cell(struct red_bans *bans, const struct red_cell *cell, struct red_error *error) {
    const struct red_ban ban = {.at = cell->at,
                                .state = counted_state(cell->state, cell->known_bug),
                                .reason = cell->reason,
                                .cells_n = 1};
    return add_ban(bans, &ban, error);
}

/* Adds what a check of a file of `verify` did. */
static enum red_status add_check(struct red_bans *bans, const struct red_verify_check *check,
                                 struct red_error *error) {
    const struct red_ban ban = {.at = red_verify_check_at(check),
                                .state = counted_state(check->state, check->known_bug),
                                .reason = check->reason != NULL ? check->reason : "",
                                .again = check->again,
                                .cells_n = 1};
    return add_ban(bans, &ban, error);
}

/* Adds that the strategy was never checked at these levels, if there are any. */
static enum red_status add_unchecked(struct red_bans *bans, const struct red_strategy *strategy,
                                     const char *unchecked, struct red_error *error) {
    const struct red_ban ban = {
        .at = {.strategy = strategy}, .state = RED_STATE_PENDING, .reason = unchecked, .cells_n = 1};
    return unchecked[0] == '\0' || red_bans_find(bans, strategy->name) != NULL ? RED_OK
                                                                               : add_ban(bans, &ban, error);
}

/* For `recommend` and `emit` of all files of a device, for `report` of each file, and for `bench`. */
enum red_status red_bans_add(struct red_bans *bans, const struct red_run *run, size_t device,
                             struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < run->cells_n && status == RED_OK; i++) {
        const struct red_cell *cell = &run->cells[i];
        if (cell->device == device && is_banning(counted_state(cell->state, cell->known_bug)))
            status = add_cell(bans, cell, error);
        if (cell->device == device && status == RED_OK)
            status = add_unchecked(bans, cell->at.strategy, cell->unchecked, error);
    }
    for (size_t i = 0; i < run->accuracies_n && status == RED_OK; i++) {
        const struct red_accuracy *accuracy = &run->accuracies[i];
        if (accuracy->device == device && is_banning(accuracy->state))
            status = add_ban(
                bans,
                &(struct red_ban){
                    .at = accuracy->at, .state = accuracy->state, .reason = accuracy->at.data, .cells_n = 1},
                error);
    }
    return status;
}

enum red_status red_bans_add_failed(struct red_bans *failed, const struct red_query *query, size_t device,
                                    struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < query->run.cells_n && status == RED_OK; i++) {
        const struct red_cell *cell = &query->run.cells[i];
        if (cell->device == device && counted_state(cell->state, cell->known_bug) == RED_STATE_FAILED)
            status = add_cell(failed, cell, error);
    }
    return status;
}

enum red_status red_bans_add_checks(struct red_bans *bans, struct red_bans *failed,
                                    const struct red_loaded_files *loaded, const struct red_result *result,
                                    size_t device, const struct red_query *query, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t f = 0; f < loaded->checks_n; f++) {
        const struct red_verify_file *file = &loaded->checks[f];
        const long found = red_result_find_device(&file->result, result, device);
        const struct red_verify_device *of = found >= 0 ? &file->devices[found] : NULL;
        for (size_t i = 0; of != NULL && i < of->checks_n && status == RED_OK; i++) {
            const struct red_verify_check *check = &of->checks[i];
            const enum red_state state = counted_state(check->state, check->known_bug);
            if (is_banning(state))
                status = add_check(bans, check, error);
            else if (failed != NULL && state == RED_STATE_FAILED &&
                     red_at_is_same(&check->at, &query->at, RED_AT_QUERY & ~RED_AT(DATA)))
                status = add_check(failed, check, error);
        }
        for (size_t s = 0; of != NULL && s < of->strategies_n && status == RED_OK; s++)
            status = add_unchecked(bans, of->strategies[s].strategy, of->strategies[s].unchecked, error);
    }
    return status;
}

void red_bans_clear(struct red_bans *bans) {
    free(bans->rows);
    *bans = (struct red_bans){.n = 0};
}

/* "serial gave WRONG results: sum of f32 at n = 2^16, and 4 more: expected 1, got 2". */
static void words_format(const struct red_ban *ban, char *text, size_t text_bytes) {
    const char *strategy = ban->at.strategy->name;
    if (ban->state == RED_STATE_PENDING) {
        snprintf(text, text_bytes, "%s %s %s", strategy, grounds[ban->state], ban->reason);
        return;
    }
    snprintf(text, text_bytes, "%s %s: %s at n = %s", strategy, grounds[ban->state],
             red_at_title(&ban->at, RED_AT_QUERY & ~RED_AT(DATA)).text, red_size_text(ban->at.n).text);
    if (ban->cells_n > 1)
        red_text_add(text, text_bytes, " and %zu more", ban->cells_n - 1);
    size_t told_bytes = strlen(ban->reason) < REASON_MAX ? strlen(ban->reason) : REASON_MAX;
    while (told_bytes > 0 && ((unsigned char)ban->reason[told_bytes] & 0xc0) == 0x80) /* within a character */
        told_bytes--;
    if (told_bytes > 0)
        red_text_add(text, text_bytes, ": %.*s%s", (int)told_bytes, ban->reason,
                     ban->reason[told_bytes] != '\0' ? "..." : "");
}

/* For `emit`, the C header of recommend, and errors that recommend tells of. */
void red_ban_format(const struct red_ban *ban, char *text, size_t text_bytes) {
    words_format(ban, text, text_bytes);
    if (ban->again != NULL)
        red_text_add(text, text_bytes, "; again: %s", ban->again);
}

/* The first sentence of recommend, of the answer of bench and of the page's summary. */
void red_bans_sentence(const struct red_bans *bans, const char *device, char *text, size_t text_bytes) {
    size_t told_n = 0;
    text[0] = '\0';
    for (size_t s = 0; s < RED_STATES_N; s++) {
        for (size_t i = 0; i < bans->n; i++) {
            char one[RED_BAN_BYTES];
            if (bans->rows[i].state != red_states_worst_first[s])
                continue;
            words_format(&bans->rows[i], one, sizeof one);
            if (told_n++ == 0)
                red_text_add(text, text_bytes, "DO NOT USE on %s: ", device);
            else
                red_text_add(text, text_bytes, "%s",
                             told_n == TOLD_MAX + 1 ? "; and "
                             : told_n > TOLD_MAX    ? ", "
                                                    : "; ");
            red_text_add(text, text_bytes, "%s", told_n > TOLD_MAX ? bans->rows[i].at.strategy->name : one);
        }
    }
    red_text_add(text, text_bytes, "%s", told_n > 0 ? "." : "");
}

/* Below that sentence, for each strategy that it tells of in words. */
void red_bans_again_format(const struct red_bans *bans, const char *before, char *text, size_t text_bytes) {
    size_t told_n = 0;
    text[0] = '\0';
    for (size_t s = 0; s < RED_STATES_N; s++)
        for (size_t i = 0; i < bans->n; i++)
            if (bans->rows[i].state == red_states_worst_first[s] && told_n++ < TOLD_MAX &&
                bans->rows[i].again != NULL)
                red_text_add(text, text_bytes, "%s%s%s", text[0] != '\0' ? "\n" : "", before,
                             bans->rows[i].again);
}

/* Sets `banned` of the run's cells on the device whose strategies are banned. */
static void mark_banned(struct red_run *run, size_t device, const struct red_bans *bans) {
    for (size_t i = 0; i < run->cells_n; i++)
        if (run->cells[i].device == device && red_bans_find(bans, run->cells[i].at.strategy->name) != NULL)
            run->cells[i].banned = true;
}

/* For the fastest strategies (red_run_fastest). */
enum red_status red_run_mark_banned(struct red_run *run, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < run->cells_n; i++)
        run->cells[i].banned = false;
    for (size_t d = 0; d < run->devices_n && status == RED_OK; d++) {
        struct red_bans bans = {.n = 0};
        status = red_bans_add(&bans, run, d, error);
        mark_banned(run, d, &bans);
        red_bans_clear(&bans);
    }
    return status;
}

/* For the page of report, whose tables of the fastest name no banned strategy. */
enum red_status red_result_mark_banned_by_checks(struct red_result *result,
                                                 const struct red_loaded_files *loaded,
                                                 struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t d = 0; d < result->run.devices_n && status == RED_OK; d++) {
        struct red_bans bans = {.n = 0};
        status = red_bans_add_checks(&bans, NULL, loaded, result, d, NULL, error);
        mark_banned(&result->run, d, &bans);
        red_bans_clear(&bans);
    }
    for (size_t q = 0; q < result->queries_n && loaded->checks_n > 0; q++)
        red_run_make_index(&result->queries[q].run);
    return status;
}
