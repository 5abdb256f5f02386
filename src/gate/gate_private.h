/* What the files of src/gate share beside gate/duel.h: the policy of a gate (--policy; policy.c), and the
 * A/B loop of a duel (cases.c, loop.c). */
#ifndef CLREDUCE_GATE_PRIVATE_H
#define CLREDUCE_GATE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/status.h"
#include "gate/duel.h"
#include "run/session.h"

/* ---- policy ----------------------------------------------------------------------------------------------
 * The policy of a gate (clreduce.ini): which slowdown counts, how long to measure, which cells need a verdict
 * and which do not count yet, for globs over names of cells.
 *
 *     [*]                             ; globs over DEVICE/STRATEGY/OPERATION/TYPE/n:N, separated by commas
 *     margin = 2 %                    ; 0.1 % to 100 % of the time: what is slower by less is not SLOWER
 *     budget = 10 s                   ; 0.1 ms to 1 h: time to measure one cell
 *     require = no                    ; yes or no: whether UNDECIDED or UNTRUSTED makes the exit status 3
 *     [*n:1048576]
 *     quarantine = a reason           ; its verdict does not make the exit status ...
 *     until = 2026-12-31              ; ... up to this day, at most 366 days ahead
 *
 * For each key the last section decides that matches the cell and has the key; a quarantine that has ended is
 * ignored. Lines that begin with ';' or '#' are comments, and so is what follows a blank and ';'. Leading
 * blanks are ignored. */

/* The rules of one cell. */
struct red_policy_rules {
    double margin; /* share of the time: 0.02 is 2 % */
    double budget_s;
    bool required;
    const char *quarantine; /* the reason, of the policy's memory: UTF-8 on one line; NULL: the cell counts */
    char until[16];         /* the quarantine's last day; empty without one */
    unsigned line;          /* of the quarantine in the file; 0 without one */
};

struct red_policy;

/* Reads a policy.
 *   path    names it in messages
 *   text    its text_n bytes
 *   today   in UTC, "2026-11-22": the first 10 characters of red_clock_utc_now_format
 * Release with _destroy. Errors: RED_E_INPUT with file and line for whatever has no meaning or would have no
 * effect (unknown keys, malformed values, a key said twice in a section, globs that can match no cell,
 * sections without keys, quarantines without an end), and for a malformed `today`; RED_E_MEMORY. */
enum red_status red_policy_read(const char *path, const char *text, size_t text_n, const char *today,
                                struct red_policy **policy, struct red_error *error);

/* Reads a file. Errors: those of _read; RED_E_INPUT for a file that cannot be read. */
enum red_status red_policy_load(const char *path, const char *today, struct red_policy **policy,
                                struct red_error *error);
void red_policy_destroy(struct red_policy *policy);

/* The rules of the cell. A NULL policy gives the defaults. */
void red_policy_find(const struct red_policy *policy, const char *cell_name, struct red_policy_rules *rules);

/* Prints, a line each, beginning with "clreduce.ini:7: ":
 *   what is in force for at least one of the cells and differs from the default, with the number of cells
 *   what has no effect: quarantines that have ended, sections that match none of the cells, keys that other
 *   sections decide for each of theirs.
 * Nothing if all is as by default, or for a NULL policy. Errors: RED_E_MEMORY. */
enum red_status red_policy_print(const struct red_policy *policy, const char *const *cell_names,
                                 size_t cells_n, FILE *out, struct red_error *error);

/* ---- A/B loop --------------------------------------------------------------------------------------------
 * Cells are set up on both sides (cases.c), then measured until each has a verdict (loop.c). */

/* The reference workloads of a device (enum red_reference_workload): spin and sweep are done by this process,
 * the chain by a worker of this program, since a GPU has a clock of its own that only its own work shows. The
 * struct must not move. */
struct red_reference_workloads {
    uint64_t *memory; /* owned; what the sweep reads */
    struct red_client_program program;
    struct red_client *gpu; /* owned; where the chain runs; NULL for CPUs, whose clock the spin shows */
    uint32_t chain_steps;
};

struct red_loop {
    const struct red_policy *policy;        /* borrowed; NULL: none */
    const struct red_session *session;      /* borrowed; operations, types and data sets, without devices */
    const struct red_duel_options *options; /* borrowed */
    struct red_duel *duel;                  /* borrowed; its cells are made by red_loop_set_up */
    struct red_duel_side sides[RED_WHO_N];  /* with matched devices */
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

/* Makes the reference workloads of each device of the sides, which are open. Errors: RED_E_MEMORY; those of
 * red_client_create and red_client_clock_sample. */
enum red_status red_loop_make_workloads(struct red_loop *loop, struct red_error *error);

/* Makes the cells, verifies each on both sides (on the exact data sets of the session and on the data that
 * are timed) and the head at about 100 other n, and finds how many calls a batch has. A failure of a cell
 * becomes its state; errors are of the whole duel: RED_E_MEMORY, RED_E_INPUT where kernel files and
 * --strategy do not match, RED_E_INTERRUPTED. */
enum red_status red_loop_set_up(struct red_loop *loop, struct red_error *error);

/* Measures until every cell has its verdict or has spent its budget, and judges all; duel->interrupted after
 * Ctrl-C. Errors: RED_E_MEMORY. */
enum red_status red_loop_run(struct red_loop *loop, struct red_error *error);

/* Closes both sides, and releases what the loop owns; in any case. */
void red_loop_close(struct red_loop *loop);

/* ---- what cases.c and loop.c share --------------------------------------------------------------------- */

/* With fewer blocks a process pair is not worth starting. */
enum { RED_BLOCKS_LEAST = 8 };

/* Whether both sides of the cell were right and ran so far; other cells are not measured. */
bool red_duel_cell_both_sides_pass(const struct red_duel_cell *cell);

/* What one side of a cell is timed with. */
struct red_case red_loop_timed_case(const struct red_loop *loop, size_t c, enum red_who who);

/* Records why a side of the cell cannot be measured: its state (wrong, crashed, unsupported ...) and the
 * reason. */
void red_duel_cell_fail(struct red_duel_cell *cell, enum red_who who, const struct red_error *error);

#endif
