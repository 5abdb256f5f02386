/* Fighting a duel: cells made ready on both sides, and measured launch by launch. */
#ifndef CLREDUCE_GATE_LOOP_H
#define CLREDUCE_GATE_LOOP_H

#include "gate/control.h"
#include "gate/policy.h"
#include "gate/side.h"
#include "run/session.h"

struct red_bout {
    const struct red_policy *policy;   /* borrowed; NULL: none */
    const struct red_session *session; /* borrowed: what was chosen; it has no devices */
    struct red_duelist *duelists;      /* borrowed: base and head, paired */
    struct red_duel *duel;             /* borrowed; cells laid out by red_bout_prepare */
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
enum red_status red_bout_prepare(const struct red_session *session, const struct red_policy *policy,
                                 struct red_duelist duelists[RED_WHO_N], struct red_duel *duel,
                                 struct red_bout *bout, struct red_error *error);
void red_bout_clear(struct red_bout *bout);

/* Fights until every cell has its verdict or has spent its budget; duel->interrupted after Ctrl-C. Errors:
 * RED_E_MEMORY. */
enum red_status red_bout_fight(struct red_bout *bout, struct red_error *error);

#endif
