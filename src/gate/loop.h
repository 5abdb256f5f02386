/* The A/B loop of a duel: cells are set up on both sides (cases.c), then measured until each has a verdict
 * (loop.c). */
#ifndef CLREDUCE_GATE_LOOP_H
#define CLREDUCE_GATE_LOOP_H

#include "gate/duel.h"
#include "gate/policy.h"
#include "gate/side.h"
#include "run/session.h"

/* The reference workloads of a device (enum red_reference_workload): spin and sweep are done by this process,
 * the chain by a worker of this program, since a GPU has a clock of its own that only work on the GPU shows.
 */
struct red_reference_workloads {
    uint64_t *memory; /* owned; what the sweep reads */
    struct red_client_program program;
    struct red_client
        *gpu; /* owned; where the chain runs; NULL for CPU devices, whose clock the spin shows */
    uint32_t chain_steps;
};

/* Makes them for a device; `environment` is the worker's (NULL: inherited). The struct must not move. Release
 * with _clear. Errors: RED_E_MEMORY; those of red_client_create and red_client_clock_sample. */
enum red_status red_reference_workloads_make(const struct red_device_info *info,
                                             const char *const *environment,
                                             struct red_reference_workloads *workloads,
                                             struct red_error *error);
void red_reference_workloads_clear(struct red_reference_workloads *workloads);

struct red_loop {
    const struct red_policy *policy;        /* borrowed; NULL: none */
    const struct red_session *session;      /* borrowed; operations, types and data sets, without devices */
    const struct red_duel_options *options; /* borrowed */
    struct red_duel_side *sides;            /* borrowed; base and head, with matched devices */
    struct red_duel *duel;                  /* borrowed; its cells are made by red_loop_set_up */
    struct red_reference_workloads workloads[RED_DUEL_DEVICES_MAX];
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

/* With fewer blocks a process pair is not worth starting. */
enum { RED_BLOCKS_LEAST = 8 };

/* What one side of a cell is timed with. */
struct red_case red_loop_case(const struct red_loop *loop, size_t c, enum red_who who);

/* Records that a side of the cell has failed: its state and the reason. */
void red_duel_cell_fail(struct red_duel_cell *cell, enum red_who who, const struct red_error *error);

#endif
