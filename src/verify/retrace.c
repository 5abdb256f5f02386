#define _POSIX_C_SOURCE 200809L /* strdup */
#include "verify/retrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "results/journal.h"
#include "run/identity.h"
#include "worker/protocol.h"

/* Millions of them with --all: as small as can be. */
struct found {
    uint64_t digest; /* of the check */
    uint32_t device, chapter, row, state;
    float call_s, check_s;
    char *text; /* owned; NULL: empty */
};

struct red_retrace {
    struct red_journal *journal;
    struct found *found; /* owned; sorted once all are there */
    size_t found_n, room;
};

/* ---- which run it is -------------------------------------------------------------------------------------
 */

static uint64_t digest_sizes(uint64_t digest, const struct red_sizes *sizes) {
    char text[32];
    for (size_t i = 0; i < sizes->n; i++) {
        snprintf(text, sizeof text, "%" PRIu64, sizes->values[i]);
        digest = red_digest_text(digest, text);
    }
    return red_digest_text(digest, "");
}

/* The checks follow from what was chosen, the seed and the device. */
static json_t *header_make(const struct red_session *session) {
    const struct red_selection *options = session->selection;
    uint64_t digest = RED_HASH;
    char work[96], settings[192], lanes[32];
    digest = digest_sizes(digest, &options->n);
    digest = digest_sizes(digest, &options->wg);
    digest = digest_sizes(digest, &options->groups);
    for (size_t i = 0; i < options->lanes_n; i++) {
        snprintf(lanes, sizeof lanes, "%ux%u", options->lanes[i].width, options->lanes[i].loads);
        digest = red_digest_text(digest, lanes);
    }
    for (size_t s = 0; s < session->strategies_n; s++) {
        digest = red_digest_text(digest, session->strategies[s]->name);
        for (size_t o = 0; o < session->ops_n; o++) {
            digest = red_digest_text(digest, session->ops[o]->name);
            for (size_t t = 0; t < session->types_n; t++) {
                digest = red_digest_text(digest, session->types[t]->name);
                if (red_strategy_admits(session->strategies[s], session->types[t], session->ops[o], NULL) ==
                    RED_OK)
                    digest =
                        red_digest_kernel(digest, session->strategies[s], session->types[t], session->ops[o]);
            }
        }
    }
    snprintf(work, sizeof work, "%s checks of %zu strategies, digest %016" PRIx64,
             options->all ? "all" : "covering", session->strategies_n, digest);
    snprintf(settings, sizeof settings, "seed %" PRIu64 ", %g s per check", options->seed,
             options->time_per_cell_s);
    return red_identity_make(session, "verify", work, settings);
}

/* ---- reading ---------------------------------------------------------------------------------------------
 */

static uint32_t number_at(const json_t *at, size_t i) {
    json_int_t value = json_integer_value(json_array_get(at, i));
    return value >= 0 && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static bool make_room(struct red_retrace *retrace) {
    if (retrace->found_n < retrace->room)
        return true;
    size_t room = retrace->room ? 2 * retrace->room : 1024;
    struct found *grown = realloc(retrace->found, room * sizeof *grown);
    if (grown == NULL)
        return false;
    retrace->found = grown;
    retrace->room = room;
    return true;
}

/* Where a check stands depends on what the device can do, which may have changed. */
static uint64_t check_digest(const struct red_check *check) {
    char text[256];
    snprintf(text, sizeof text, "%s %s %s %" PRIu64 " %" PRIu64 " %zu %" PRIu64 " %ux%u %d %u",
             check->strategy->name, check->op->name, check->dtype->name, check->n, check->segments_n,
             check->tuning.group_size, check->tuning.groups_n, check->tuning.width, check->tuning.loads,
             (int)check->probe.pattern, (unsigned)check->probe.part);
    return red_digest_text(RED_HASH, text);
}

/* A line that makes no sense is as if it were not there: that check is made again. */
static void take(void *context, const json_t *line) {
    struct red_retrace *retrace = context;
    const json_t *at = json_object_get(line, "check");
    const char *text = json_string_value(json_object_get(line, "text"));
    const char *digest = json_string_value(json_object_get(line, "digest"));
    enum red_state state = red_state_find(json_string_value(json_object_get(line, "state")));
    double call_s, check_s;
    if (json_array_size(at) != 3 || digest == NULL || state == RED_STATE_PENDING ||
        !red_wire_read_real(json_object_get(line, "call_s"), &call_s) ||
        !red_wire_read_real(json_object_get(line, "check_s"), &check_s) || !make_room(retrace))
        return;
    retrace->found[retrace->found_n++] = (struct found){.digest = strtoull(digest, NULL, 16),
                                                        .device = number_at(at, 0),
                                                        .chapter = number_at(at, 1),
                                                        .row = number_at(at, 2),
                                                        .state = state,
                                                        .call_s = (float)call_s,
                                                        .check_s = (float)check_s,
                                                        .text = text && text[0] ? strdup(text) : NULL};
}

static int found_compare(const void *left, const void *right) {
    const struct found *a = left, *b = right;
    int order = (a->device > b->device) - (a->device < b->device);
    order = order ? order : (a->chapter > b->chapter) - (a->chapter < b->chapter);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

bool red_retrace_find(const struct red_retrace *retrace, const struct red_step *step,
                      struct red_outcome *outcome) {
    if (retrace == NULL || retrace->found_n == 0)
        return false;
    const struct found key = {
        .device = (uint32_t)step->device, .chapter = (uint32_t)step->chapter, .row = (uint32_t)step->row};
    const struct found *found = bsearch(&key, retrace->found, retrace->found_n, sizeof key, found_compare);
    if (found == NULL || found->digest != check_digest(step->check))
        return false;
    outcome->state = (enum red_state)found->state;
    outcome->call_s = found->call_s;
    outcome->check_s = found->check_s;
    snprintf(outcome->text, sizeof outcome->text, "%s", found->text ? found->text : "");
    return true;
}

size_t red_retrace_n(const struct red_retrace *retrace, size_t device) {
    size_t n = 0;
    for (size_t i = 0; retrace != NULL && i < retrace->found_n; i++)
        n += retrace->found[i].device == device;
    return n;
}

/* ---- opening and writing ---------------------------------------------------------------------------------
 */

/* A run whose journal fails ends: going on would lose what comes. */
static void add(struct red_journal *journal, json_t *line) {
    struct red_error error = {.text = ""};
    if (red_journal_add(journal, line, &error) != RED_OK)
        red_interrupt_for(&error);
}

enum red_status red_retrace_open(const struct red_session *session, const struct red_output *output,
                                 struct red_retrace **retrace, struct red_error *error) {
    *retrace = NULL;
    if (output->path == NULL)
        return RED_OK;
    struct red_retrace *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a journal");
    enum red_status status = red_journal_open(output->path, header_make(session),
                                              output->resume ? take : NULL, made, &made->journal, error);
    if (made->found_n > 0)
        qsort(made->found, made->found_n, sizeof *made->found, found_compare);
    if (status == RED_OK && made->found_n > 0)
        fprintf(stderr, "resuming: %zu checks are there\n", made->found_n);
    else if (status == RED_OK && output->resume && made->journal != NULL)
        red_text_print(stderr, "nothing to resume beside %s: begins anew\n", output->path);
    if (status == RED_OK && made->journal != NULL)
        *retrace = made;
    else
        (void)red_retrace_close(made, true);
    return status;
}

bool red_retrace_close(struct red_retrace *retrace, bool keep) {
    if (retrace == NULL)
        return false;
    bool kept = red_journal_close(retrace->journal, keep);
    for (size_t i = 0; i < retrace->found_n; i++)
        free(retrace->found[i].text);
    free(retrace->found);
    free(retrace);
    return kept;
}

void red_retrace_add(struct red_retrace *retrace, const struct red_step *step,
                     const struct red_outcome *outcome) {
    char digest[24];
    if (retrace == NULL)
        return;
    snprintf(digest, sizeof digest, "%016" PRIx64, check_digest(step->check));
    add(retrace->journal,
        json_pack("{s:[I, I, I], s:s, s:s, s:o, s:o, s:o}", "check", (json_int_t)step->device,
                  (json_int_t)step->chapter, (json_int_t)step->row, "digest", digest, "state",
                  red_state_name(outcome->state), "call_s", red_wire_real(outcome->call_s), "check_s",
                  red_wire_real(outcome->check_s), "text", red_wire_text(outcome->text)));
}
