#include "run/identity.h"

#include <stdio.h>

#include "core/hash.h"
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

json_t *red_identity_make(const struct red_session *session, const char *verb, const char *work,
                          const char *settings) {
    char journal[32], devices[4096] = "";
    size_t used = 0;
    snprintf(journal, sizeof journal, "clreduce %s", verb);
    for (size_t d = 0; d < session->devices_n && used < sizeof devices; d++) {
        const struct red_device_info *info = red_remote_info(session->devices[d]);
        used += (size_t)snprintf(devices + used, sizeof devices - used, "%s%s: %s, driver %s",
                                 d > 0 ? "; " : "", info->id, info->name, info->driver);
    }
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:o}", "journal", journal, "version", CLREDUCE_VERSION,
                     "devices", red_wire_text(devices), "work", work, "settings", settings, "command",
                     red_wire_text(session->selection->command));
}
