/* The fingerprint of a run and its journal, for --resume of `bench` and `verify`. What a line of the journal
 * holds is theirs: run/bench_checkpoint.c, verify/outcomes.c. */
#include "run/checkpoint.h"

#include <stdio.h>

#include "core/hash.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "model/source.h"
#include "worker/protocol.h"

uint64_t red_digest_text(uint64_t digest, const char *text) {
    return red_hash_add(red_hash_text(digest, text), '\n');
}

uint64_t red_digest_kernel(uint64_t digest, const struct red_strategy *strategy,
                           const struct red_dtype *dtype, const struct red_op *op) {
    char hash[RED_SOURCE_HASH_BYTES];
    if (strategy->text == NULL || red_source_hash(strategy, dtype, op, hash, NULL) != RED_OK)
        return digest;
    return red_digest_text(digest, hash);
}

/* NULL without memory. */
static json_t *header_make(const struct red_session *session, const struct red_fingerprint *fingerprint) {
    char journal[32], devices[4096] = "";
    size_t used = 0;
    snprintf(journal, sizeof journal, "clreduce %s", fingerprint->verb);
    for (size_t d = 0; d < session->devices_n && used < sizeof devices; d++) {
        const struct red_device_info *info = red_client_info(session->devices[d]);
        used += (size_t)snprintf(devices + used, sizeof devices - used, "%s%s: %s, driver %s",
                                 d > 0 ? "; " : "", info->id, info->name, info->driver);
    }
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:o}", "journal", journal, "version", CLREDUCE_VERSION,
                     "devices", red_protocol_text(devices), "work", fingerprint->work, "settings",
                     fingerprint->settings, "command", red_protocol_text(session->selection->command));
}

enum red_status red_checkpoint_open(const struct red_session *session,
                                    const struct red_fingerprint *fingerprint, const char *result_path,
                                    red_journal_take *take, void *context, struct red_journal **journal,
                                    struct red_error *error) {
    return red_journal_open(result_path, header_make(session, fingerprint), take, context, journal, error);
}

void red_checkpoint_tell(const char *found, const char *result_path) {
    if (found != NULL)
        fprintf(stderr, "resuming: %s are there\n", found);
    else
        red_text_print(stderr, "nothing to resume beside %s: begins anew\n", result_path);
}

void red_checkpoint_add(struct red_journal *journal, json_t *line) {
    struct red_error error = {.text = ""};
    if (red_journal_add(journal, line, &error) != RED_OK)
        red_interrupt_for(&error);
}
