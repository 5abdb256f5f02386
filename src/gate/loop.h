/* The A/B loop of a duel: cells are set up on both sides (cases.c), then measured until each has a verdict
 * (loop.c). */
#ifndef CLREDUCE_GATE_LOOP_H
#define CLREDUCE_GATE_LOOP_H

#include "gate/duel.h"
#include "gate/policy.h"
#include "gate/side.h"
#include "run/session.h"

/* Controls of a duel: work that belongs to neither side, done by this process, or on a GPU by a worker of its
 * own. Where it takes another time than a moment ago, the machine has changed, and not a kernel. */
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

struct red_loop {
    const struct red_policy *policy;        /* borrowed; NULL: none */
    const struct red_session *session;      /* borrowed; operations, types and data sets, without devices */
    const struct red_duel_options *options; /* borrowed */
    struct red_duel_side *sides;            /* borrowed; base and head, with matched devices */
    struct red_duel *duel;                  /* borrowed; its cells are made by red_loop_set_up */
    struct red_control_kit kits[RED_DUEL_DEVICES_MAX];
    struct red_remote *gpus[RED_DUEL_DEVICES_MAX];     /* owned; workers of the chains */
    const struct red_strategy **strategies[RED_WHO_N]; /* owned; of each cell */
    uint64_t random;
    double start_s;
    struct {
        struct red_error error; /* what the head did at other n than those of the cells */
        size_t cell;            /* for cells that differ from this one in n only */
        bool known;
    } other_sizes;
};

/* Makes the cells, verifies each on both sides (on the exact data sets of the session and on the data that
 * are timed) and the head at about 100 other n, and finds how many calls a batch has. A failure of a cell
 * becomes its state; errors are of the whole duel: RED_E_MEMORY, RED_E_INPUT where kernel files and
 * --strategy do not match, RED_E_INTERRUPTED. Release with _clear. */
enum red_status red_loop_set_up(const struct red_session *session, const struct red_duel_options *options,
                                const struct red_policy *policy, struct red_duel_side sides[RED_WHO_N],
                                struct red_duel *duel, struct red_loop *loop, struct red_error *error);
void red_loop_clear(struct red_loop *loop);

/* Measures until every cell has its verdict or has spent its budget; duel->interrupted after Ctrl-C. Errors:
 * RED_E_MEMORY. */
enum red_status red_loop_run(struct red_loop *loop, struct red_error *error);

/* ---- what cases.c and loop.c share ---- */

/* A launch of fewer rounds is not worth its processes. */
enum { RED_BLOCKS_LEAST = 8 };

/* What one side of a cell is timed with. */
struct red_case red_loop_case(const struct red_loop *loop, size_t c, enum red_who who);

/* Records that a side of the cell has failed: its state and the reason. */
void red_duel_cell_fail(struct red_duel_cell *cell, enum red_who who, const struct red_error *error);

#endif
