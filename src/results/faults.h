/* What strategies did wrong on a device, in the cells of one run or of several: `recommend`, `emit`, the
 * summary of `bench` and the page of `report` name them first, and none of these names such a strategy as the
 * one to use. */
#ifndef CLREDUCE_RESULTS_FAULTS_H
#define CLREDUCE_RESULTS_FAULTS_H

#include "results/run.h"

/* The worst of what a strategy did; of several as bad the first. All is borrowed from the run. */
struct red_fault {
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

struct red_faults {
    struct red_fault *rows; /* owned, by name of strategy */
    size_t n;
};

/* Whether a strategy with a result in that state is not to be used: wrong, crashed, hung, or a known bug,
 * which is one of these where it was seen. */
bool red_state_forbids(enum red_state state);

/* Adds those of the run on this device. Release with red_faults_clear, in any case. Errors: RED_E_MEMORY. */
enum red_status red_faults_add(struct red_faults *faults, const struct red_run *run, size_t device,
                               struct red_error *error);
void red_faults_clear(struct red_faults *faults);

/* The fault of the strategy of that name, or NULL. */
struct red_fault *red_faults_find(const struct red_faults *faults, const char *strategy);

/* "serial gave WRONG results: sum of f32 at n = 2^16, and 4 more: expected 1, got 2". */
void red_fault_format(const struct red_fault *fault, char *text, size_t text_bytes);

/* "DO NOT USE on pocl: serial gave WRONG results: ...; tree crashed: ..."; what is wrong comes first, and of
 * many the names alone. "" without faults. */
void red_faults_sentence(const struct red_faults *faults, const char *device, char *text, size_t text_bytes);

/* Sets `faulty` of each cell whose strategy has a fault on its device. Errors: RED_E_MEMORY. */
enum red_status red_run_mark_faulty(struct red_run *run, struct red_error *error);

#endif
