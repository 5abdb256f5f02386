/* Fighting a duel: cells made ready on both sides, and measured launch by launch. */
#ifndef CLREDUCE_GATE_LOOP_H
#define CLREDUCE_GATE_LOOP_H

#include "gate/duel.h"
#include "gate/policy.h"
#include "gate/side.h"
#include "run/session.h"
#include "worker/client.h"

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

/* Takes every control once, some 50 us without a chain, into row `time` of the round's. A chain that fails
 * leaves 0, as if there were none. */
void red_controls_take(const struct red_control_kit *kit, struct red_round *round, size_t time);

struct red_bout {
    const struct red_policy *policy;        /* borrowed; NULL: none */
    const struct red_session *session;      /* borrowed: what was chosen; it has no devices */
    const struct red_duel_options *options; /* borrowed */
    struct red_gate_side *sides;            /* borrowed: base and head, paired */
    struct red_duel *duel;                  /* borrowed; cells laid out by red_bout_prepare */
    struct red_control_kit kits[RED_DUEL_DEVICES_MAX];
    struct red_remote *gpus[RED_DUEL_DEVICES_MAX];     /* owned; workers of the chains */
    const struct red_strategy **strategies[RED_WHO_N]; /* owned; of each cell */
    uint64_t random;
    double start_s;
    struct {
        struct red_error error; /* of the head at other n, in the line of that cell */
        size_t cell;
        bool known;
    } beyond;
};

/* Lays out the cells, verifies each on both sides, on all of the session's exact data sets and on what is
 * timed, and the head at about 100 other n for each line of cells, and finds calls per batch. What is wrong
 * with a cell is its state; only what concerns the whole duel is an error: RED_E_MEMORY, RED_E_INPUT where
 * kernels and --strategy do not make a pair, RED_E_INTERRUPTED. Release with _clear. */
enum red_status red_bout_prepare(const struct red_session *session, const struct red_duel_options *options,
                                 const struct red_policy *policy, struct red_gate_side sides[RED_WHO_N],
                                 struct red_duel *duel, struct red_bout *bout, struct red_error *error);
void red_bout_clear(struct red_bout *bout);

/* Fights until every cell has its verdict or has spent its budget; duel->interrupted after Ctrl-C. Errors:
 * RED_E_MEMORY. */
enum red_status red_bout_fight(struct red_bout *bout, struct red_error *error);

/* A launch of fewer rounds is not worth its processes. */
enum { RED_ROUNDS_LEAST = 8 };

struct red_case red_bout_job(const struct red_bout *bout, size_t c, enum red_who who, struct red_probe probe);

/* Verifies the head of a cell that is ready at about 100 other n: few elements, beside whole groups, every
 * remainder modulo 64. Errors: RED_E_WRONG and those of a driver, with the n. */
enum red_status red_bout_beyond(const struct red_bout *bout, size_t c, struct red_error *error);

/* A side of the cell has failed: its state and reason. */
void red_bout_fail(struct red_duel_cell *cell, enum red_who who, const struct red_error *error);

#endif
