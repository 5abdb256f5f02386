/* Controls of a duel: work that belongs to neither side, done by this process, or on a GPU by a worker of its
 * own. Where it takes another time than a moment ago, the machine has changed, and not a kernel. */
#ifndef CLREDUCE_GATE_CONTROL_H
#define CLREDUCE_GATE_CONTROL_H

#include "gate/duel_result.h"
#include "worker/client.h"

struct red_control_kit {
    uint64_t *memory;       /* owned; what the sweep reads */
    struct red_remote *gpu; /* borrowed; where the chain runs, or NULL */
    uint32_t chain_steps;
};

/* Makes the kit; `gpu` is NULL for CPU devices, whose clock the spin sees. Release with _clear. Errors:
 * RED_E_MEMORY; those of red_remote_tick. */
enum red_status red_control_kit_make(struct red_remote *gpu, struct red_control_kit *kit,
                                     struct red_error *error);
void red_control_kit_clear(struct red_control_kit *kit);

/* Takes every control once, some 50 us without a chain, into row `time` of the round's. A chain that fails
 * leaves 0, as if there were none. */
void red_controls_take(const struct red_control_kit *kit, struct red_round *round, size_t time);

#endif
