/* What `verify` has found out so far, in its checkpoint, so that --resume does not ask again. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "verify/outcomes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "run/checkpoint.h"
#include "worker/protocol.h"

/* Millions of them with --all: as small as can be. */
struct found {
    uint64_t digest; /* of the check */
    uint32_t device, chapter, row, state;
    float call_s, check_s;
    char *text; /* owned; NULL: empty */
};

struct red_outcomes {
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
static struct red_fingerprint fingerprint_of(const struct red_session *session) {
    const struct red_selection *options = session->selection;
    uint64_t digest = RED_HASH;
    struct red_fingerprint fingerprint = {.verb = "verify"};
    char lanes[32];
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
    snprintf(fingerprint.work, sizeof fingerprint.work, "%s checks of %zu strategies, digest %016" PRIx64,
             options->all ? "all" : "covering", session->strategies_n, digest);
    snprintf(fingerprint.settings, sizeof fingerprint.settings, "seed %" PRIu64 ", %g s per check",
             options->seed, options->time_per_cell_s);
    return fingerprint;
}

/* ---- reading ---------------------------------------------------------------------------------------------
 */

static uint32_t number_at(const json_t *at, size_t i) {
    json_int_t value = json_integer_value(json_array_get(at, i));
    return value >= 0 && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static bool make_room(struct red_outcomes *outcomes) {
    if (outcomes->found_n < outcomes->room)
        return true;
    size_t room = outcomes->room ? 2 * outcomes->room : 1024;
    struct found *grown = realloc(outcomes->found, room * sizeof *grown);
    if (grown == NULL)
        return false;
    outcomes->found = grown;
    outcomes->room = room;
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
static void restore(void *context, const json_t *line) {
    struct red_outcomes *outcomes = context;
    const json_t *at = json_object_get(line, "check");
    const char *text = json_string_value(json_object_get(line, "text"));
    const char *digest = json_string_value(json_object_get(line, "digest"));
    enum red_state state = red_state_find(json_string_value(json_object_get(line, "state")));
    double call_s, check_s;
    if (json_array_size(at) != 3 || digest == NULL || state == RED_STATE_PENDING ||
        !red_protocol_read_real(json_object_get(line, "call_s"), &call_s) ||
        !red_protocol_read_real(json_object_get(line, "check_s"), &check_s) || !make_room(outcomes))
        return;
    outcomes->found[outcomes->found_n++] = (struct found){.digest = strtoull(digest, NULL, 16),
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

bool red_outcomes_find(const struct red_outcomes *outcomes, const struct red_check_place *place,
                       struct red_outcome *outcome) {
    if (outcomes == NULL || outcomes->found_n == 0)
        return false;
    const struct found key = {
        .device = (uint32_t)place->device, .chapter = (uint32_t)place->chapter, .row = (uint32_t)place->row};
    const struct found *found = bsearch(&key, outcomes->found, outcomes->found_n, sizeof key, found_compare);
    if (found == NULL || found->digest != check_digest(place->check))
        return false;
    outcome->state = (enum red_state)found->state;
    outcome->call_s = found->call_s;
    outcome->check_s = found->check_s;
    snprintf(outcome->text, sizeof outcome->text, "%s", found->text ? found->text : "");
    return true;
}

size_t red_outcomes_n(const struct red_outcomes *outcomes, size_t device) {
    size_t n = 0;
    for (size_t i = 0; outcomes != NULL && i < outcomes->found_n; i++)
        n += outcomes->found[i].device == device;
    return n;
}

/* ---- opening and writing ---------------------------------------------------------------------------------
 */

enum red_status red_outcomes_open(const struct red_session *session, const struct red_output *output,
                                  struct red_outcomes **outcomes, struct red_error *error) {
    *outcomes = NULL;
    if (output->path == NULL)
        return RED_OK;
    struct red_outcomes *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a journal");
    const struct red_fingerprint fingerprint = fingerprint_of(session);
    enum red_status status = red_checkpoint_open(
        session, &fingerprint, output->path, output->resume ? restore : NULL, made, &made->journal, error);
    if (made->found_n > 0)
        qsort(made->found, made->found_n, sizeof *made->found, found_compare);
    char found[32];
    snprintf(found, sizeof found, "%zu checks", made->found_n);
    if (status == RED_OK && output->resume && made->journal != NULL)
        red_checkpoint_tell(made->found_n > 0 ? found : NULL, output->path);
    if (status == RED_OK && made->journal != NULL)
        *outcomes = made;
    else
        (void)red_outcomes_close(made, true);
    return status;
}

bool red_outcomes_close(struct red_outcomes *outcomes, bool keep) {
    if (outcomes == NULL)
        return false;
    bool kept = red_journal_close(outcomes->journal, keep);
    for (size_t i = 0; i < outcomes->found_n; i++)
        free(outcomes->found[i].text);
    free(outcomes->found);
    free(outcomes);
    return kept;
}

void red_outcomes_add(struct red_outcomes *outcomes, const struct red_check_place *place,
                      const struct red_outcome *outcome) {
    char digest[24];
    if (outcomes == NULL)
        return;
    snprintf(digest, sizeof digest, "%016" PRIx64, check_digest(place->check));
    red_checkpoint_add(
        outcomes->journal,
        json_pack("{s:[I, I, I], s:s, s:s, s:o, s:o, s:o}", "check", (json_int_t)place->device,
                  (json_int_t)place->chapter, (json_int_t)place->row, "digest", digest, "state",
                  red_state_name(outcome->state), "call_s", red_protocol_real(outcome->call_s), "check_s",
                  red_protocol_real(outcome->check_s), "text", red_protocol_text(outcome->text)));
}
