/* The policy of a gate (clreduce.ini): which slowdown counts, how long to measure, which cells need a verdict
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
#ifndef CLREDUCE_GATE_POLICY_H
#define CLREDUCE_GATE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

/* The rules of one cell. */
struct red_policy_rules {
    double margin; /* share of the time: 0.02 is 2 % */
    double budget_s;
    bool required;
    const char *quarantine; /* the reason, of the policy's memory: UTF-8 on one line; NULL: the cell counts */
    char until[16];         /* the quarantine's last day; empty without one */
    unsigned line;          /* of the quarantine in the file; 0 without one */
};

extern const struct red_policy_rules red_policy_defaults;

struct red_policy;

/* Reads a policy.
 *   path    names it in messages
 *   text    its text_n bytes
 *   today   in UTC, "2026-11-22": the first 10 characters of red_clock_print_utc
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

#endif
