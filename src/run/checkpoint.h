/* The checkpoint of `bench`, its --ranks and `verify`: a journal beside --output, which --resume goes on
 * from. Its first line is the run fingerprint: what the command chose, and the devices and drivers that it
 * found. */
#ifndef CLREDUCE_RUN_CHECKPOINT_H
#define CLREDUCE_RUN_CHECKPOINT_H

#include "results/journal.h"
#include "run/session.h"

/* A digest of what decides what is run. Begin with RED_HASH (core/random.h). */
uint64_t red_digest_text(uint64_t digest, const char *text);

/* The same of all that was chosen for a session, sizes, geometries and bins among it, and of the texts that
 * drivers compile. */
uint64_t red_digest_session(uint64_t digest, const struct red_session *session);

/* Beside these the program's version and the devices with their drivers decide; the command does not. */
struct red_fingerprint {
    const char *verb;
    const char *devices; /* with their drivers; NULL: the session's */
    const char *choices; /* of names; NULL: none */
    char work[96];       /* the cells or checks, with their digest */
    char settings[256];  /* what else decides */
};

/* Opens the journal of a run. Its lines come from an earlier run with this fingerprint, if `take` is given
 * (--resume). NULL in *journal, and no error, where the result is no file. Release with red_journal_close.
 * Errors: those of red_journal_open. */
enum red_status red_checkpoint_open(const struct red_session *session,
                                    const struct red_fingerprint *fingerprint, const char *result_path,
                                    red_journal_take *take, void *context, struct red_journal **journal,
                                    struct red_error *error);

/* Tells what --resume has found; NULL: nothing. */
void red_checkpoint_print_found(const char *found, const char *result_path);

/* Adds a line, whose reference is taken over. A run whose journal fails ends: going on would lose what comes.
 * Does nothing without a journal (NULL). */
void red_checkpoint_add(struct red_journal *journal, json_t *line);

#endif
