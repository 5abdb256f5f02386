/* What strategies did wrong on a device, in the cells of one run or of several: `recommend`, `emit`, the
 * summary of `bench` and the page of `report` name them first, and none of these names such a strategy as the
 * one to use. */
#ifndef CLREDUCE_RESULTS_BANS_H
#define CLREDUCE_RESULTS_BANS_H

#include "results/run.h"

/* The worst of what a strategy did; of several as bad the first. All is borrowed from the run. */
struct red_ban {
    const struct red_strategy *strategy;
    enum red_state state;
    const struct red_op *op;
    const struct red_dtype *dtype;
    const char *shape; /* "array", "segments:7x1024" */
    uint64_t n;
    const char *reason; /* evidence; of --accuracy the name of the data */
    size_t cells_n;     /* that ended so badly, this one included */
    bool is_asked_for;  /* its user has named the strategy, and it is not left out */
};

struct red_bans {
    struct red_ban *rows; /* owned, by name of strategy */
    size_t n;
};

/* Adds those of the run on this device. Release with red_bans_clear, in any case. Errors: RED_E_MEMORY. */
enum red_status red_bans_add(struct red_bans *bans, const struct red_run *run, size_t device,
                             struct red_error *error);
void red_bans_clear(struct red_bans *bans);

/* The ban of the strategy of that name, or NULL. */
struct red_ban *red_bans_find(const struct red_bans *bans, const char *strategy);

/* "serial gave WRONG results: sum of f32 at n = 2^16, and 4 more: expected 1, got 2". */
void red_ban_format(const struct red_ban *ban, char *text, size_t text_bytes);

/* "DO NOT USE on pocl: serial gave WRONG results: ...; tree crashed: ..."; what is wrong comes first, and of
 * many the names alone. "" without bans. */
void red_bans_sentence(const struct red_bans *bans, const char *device, char *text, size_t text_bytes);

/* Sets `banned` of each cell whose strategy is banned on its device. Errors: RED_E_MEMORY. */
enum red_status red_run_mark_banned(struct red_run *run, struct red_error *error);

#endif
