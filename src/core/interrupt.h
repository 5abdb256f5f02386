/* Ctrl-C, or SIGTERM: the run ends early, with what there is. */
#ifndef CLREDUCE_CORE_INTERRUPT_H
#define CLREDUCE_CORE_INTERRUPT_H

#include <stdbool.h>

/* From now on the first such signal is only remembered; a second one ends the program at once. Either way
 * no temporary file stays. */
void red_interrupt_watch(void);

/* For work that leaves nothing worth keeping: true, and the first signal ends the program with status 130,
 * too. */
void red_interrupt_at_once(bool at_once);

bool red_interrupted(void);

/* Ends the run early for another reason than a signal: what was found is kept, but going on would lose what
 * comes. The reason is the program's last word, with its status; the first one counts. */
struct red_error;
void red_interrupt_for(const struct red_error *why);

/* That reason, or NULL. */
const struct red_error *red_interrupt_reason(void);

#endif
