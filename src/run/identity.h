/* Which run a journal is of: what a command chose, and what it met. */
#ifndef CLREDUCE_RUN_IDENTITY_H
#define CLREDUCE_RUN_IDENTITY_H

#include <jansson.h>

#include "run/session.h"

/* A digest of what decides what is run. Begin with RED_HASH (core/hash.h). */
uint64_t red_digest_text(uint64_t digest, const char *text);

/* The text that a driver compiles; nothing for the host's strategy. */
uint64_t red_digest_kernel(uint64_t digest, const struct red_strategy *strategy,
                           const struct red_dtype *dtype, const struct red_op *op);

/* The first line of a journal: program, devices with their drivers, and
 *   verb      such as "bench"
 *   work      the cells or checks, with their digest
 *   settings  what else decides
 * and, for people, the command.
 * NULL without memory. */
json_t *red_identity_make(const struct red_session *session, const char *verb, const char *work,
                          const char *settings);

#endif
