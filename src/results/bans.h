/* What strategies did wrong on a device, or at which levels they were never checked, in the cells of one run
 * or of several, and in files of `verify`: `recommend`, `emit`, the summary of `bench` and the page of
 * `report` name them first, and none of these names such a strategy as the one to use. */
#ifndef CLREDUCE_RESULTS_BANS_H
#define CLREDUCE_RESULTS_BANS_H

#include "results/loaded.h"

enum { RED_BAN_BYTES = 1536, RED_BANS_BYTES = 4 * RED_BAN_BYTES };

/* The worst of what a strategy did; of several as bad the first. All that is a pointer is borrowed from the
 * run, or from the file of `verify`. */
struct red_ban {
    struct red_at at;     /* of a strategy that was never checked at some levels that alone */
    enum red_state state; /* RED_STATE_PENDING: it was never checked at some levels, which `reason` names */
    const char *reason;   /* evidence; of --accuracy the name of the data */
    const char *again;    /* of a check: the command that makes it again; otherwise NULL */
    size_t cells_n;       /* that ended so badly, this one included */
    bool is_asked_for;    /* its user has named the strategy, and it is not left out */
};

struct red_bans {
    struct red_ban *rows; /* owned, by name of strategy */
    size_t n;
};

/* Adds those of the run on this device. Release with red_bans_clear, in any case. Errors: RED_E_MEMORY. */
enum red_status red_bans_add(struct red_bans *bans, const struct red_run *run, size_t device,
                             struct red_error *error);
void red_bans_clear(struct red_bans *bans);

/* Adds to another list which strategies failed with an OpenCL error in the query, each with the smallest n at
 * which it did. That is no ban: what fails at a large n, for want of memory perhaps, may be used at a small
 * one. Errors: RED_E_MEMORY. */
enum red_status red_bans_add_failed(struct red_bans *failed, const struct red_query *query, size_t device,
                                    struct red_error *error);

/* Adds to both lists what the files of `verify` among those loaded have of that device of `result`
 * (red_result_find_device), to `failed` (NULL: not asked) what is of the query. Errors: RED_E_MEMORY. */
enum red_status red_bans_add_checks(struct red_bans *bans, struct red_bans *failed,
                                    const struct red_loaded_files *loaded, const struct red_result *result,
                                    size_t device, const struct red_query *query, struct red_error *error);

/* The ban of the strategy of that name, or NULL. */
struct red_ban *red_bans_find(const struct red_bans *bans, const char *strategy);

/* "serial gave WRONG results: sum of f32 at n = 2^16 and 4 more: expected 1, got 2; again: clreduce verify
 * ..."; at most RED_BAN_BYTES. */
void red_ban_format(const struct red_ban *ban, char *text, size_t text_bytes);

/* "DO NOT USE on pocl: serial gave WRONG results: ...; tree crashed: ..."; what is wrong comes first, and of
 * many the names alone. "" without bans. At most RED_BANS_BYTES. */
void red_bans_sentence(const struct red_bans *bans, const char *device, char *text, size_t text_bytes);

/* Writes the command of each ban that the sentence tells in words, on a line of its own behind `before`. */
void red_bans_again_format(const struct red_bans *bans, const char *before, char *text, size_t text_bytes);

/* Sets `banned` of each cell whose strategy is banned on its device. Errors: RED_E_MEMORY. */
enum red_status red_run_mark_banned(struct red_run *run, struct red_error *error);

/* The same for what files of `verify` ban, beside what is marked already. Errors: RED_E_MEMORY. */
enum red_status red_result_mark_banned_by_checks(struct red_result *result,
                                                 const struct red_loaded_files *loaded,
                                                 struct red_error *error);

#endif
