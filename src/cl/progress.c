/* The probes of progress between groups (kernels_cl12/lib/progress.cl): how many groups are in flight
 * together, and whose waits are answered. cl/probe.c calls it in a worker; `devices` prints the figures, and
 * where a strategy needs an answer that does not come its cell is `unsupported`. */
#include "cl/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/private.h"
#include "core/clock.h"
#include "core/text.h"
#include "model/catalogue.h"

/* A wait that is not answered in so long counts as not answered: a CPU under load lets another thread run
 * after a few ms. On other devices groups in flight are at work at all times, and polls of thousands take
 * longer than those of one. */
static const double WAIT_ON_CPU_S = 0.04, WAIT_S = 0.01;

enum { COUNTED = 4, REPLIES, GROUPS_MAX = 1 << 16, WAITS_MIN = 16, POLLS_MIN = 1 << 12, POLLS_MAX = 1 << 30 };

/* Group sizes for which groups in flight are counted; groups that wait have the second. */
static const size_t sizes[] = {1, 64, 256};
_Static_assert(sizeof sizes / sizeof sizes[0] == RED_PROGRESS_SIZES_N, "of struct red_progress");
enum { WAITING = 1 };

enum kernel_index { POLLS, COUNT, PAIRS, BARRIER, KERNELS_N };
static const char *const kernel_names[KERNELS_N] = {"progress_polls", "progress_count", "progress_pairs",
                                                    "progress_barrier"};

struct progress_run {
    struct red_device *device;
    struct red_progress *found;
    cl_kernel kernels[KERNELS_N];
    cl_mem state;
    cl_uint words[REPLIES + GROUPS_MAX];
};

/* The needs, in the order of struct red_progress, and which of two groups is waited for. */
static const struct progress_need {
    enum red_need_index need;
    const char *waited_for; /* NULL: all groups in flight, for each other */
    bool by_volatile;       /* by volatile accesses instead of atomics */
} progress_needs[] = {{RED_NEED_INDEX_LOWER_PROGRESS, "lower", false},
                      {RED_NEED_INDEX_HIGHER_PROGRESS, "higher", false},
                      {RED_NEED_INDEX_RESIDENT_PROGRESS, NULL, false},
                      {RED_NEED_INDEX_VOLATILE_GROUPS, "lower", true}};
_Static_assert(sizeof progress_needs / sizeof progress_needs[0] == RED_PROGRESS_NEEDS_N,
               "of struct red_progress");

/* The row of the need; RED_PROGRESS_NEEDS_N of one that is not of progress. */
static size_t find_progress_need(enum red_need_index need) {
    size_t i = 0;
    while (i < RED_PROGRESS_NEEDS_N && progress_needs[i].need != need)
        i++;
    return i;
}

bool red_need_is_of_progress(enum red_need_index need) {
    return find_progress_need(need) < RED_PROGRESS_NEEDS_N;
}

/* ---- launches ------------------------------------------------------------------------------------------ */

/* Launches so many groups on a state of zeros, and reads what they leave of it. */
static enum red_status launch(struct progress_run *run, enum kernel_index kernel, size_t groups_n,
                              size_t group_size, const struct red_cl_argument *more, cl_uint more_n,
                              struct red_error *error) {
    cl_command_queue queue = run->device->queue;
    const size_t bytes = (REPLIES + groups_n) * sizeof run->words[0];
    memset(run->words, 0, bytes);
    cl_int code = red_cl_write(queue, run->state, 0, run->words, bytes);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(run->kernels[kernel], 0, sizeof run->state, &run->state);
    if (code == CL_SUCCESS)
        code = red_cl_set_arguments(run->kernels[kernel], 1, more, more_n);
    if (code == CL_SUCCESS)
        code = red_cl_launch(queue, run->kernels[kernel], groups_n * group_size, group_size, NULL);
    if (code == CL_SUCCESS)
        code = red_cl_read(queue, run->state, 0, run->words, bytes);
    return red_cl_check(code, kernel_names[kernel], error);
}

/* Finds out how many polls a wait has, by the fastest of some launches: another process may have the
 * processor during the others, and the first may compile. */
static enum red_status calibrate(struct progress_run *run, struct red_error *error) {
    enum { FIRST = 1 << 4, LAUNCHES_N = 3 };
    const double long_enough_s = 0.002;
    double took_s = 0;
    cl_uint polls = FIRST;
    while (took_s < long_enough_s && polls < POLLS_MAX) {
        polls *= 4;
        const struct red_cl_argument arguments[] = {{sizeof polls, &polls}};
        for (int i = 0; i < LAUNCHES_N; i++) {
            const double start_s = red_clock_s();
            enum red_status status = launch(run, POLLS, 1, 1, arguments, 1, error);
            if (status != RED_OK)
                return status;
            took_s = i > 0 ? fmin(took_s, red_clock_s() - start_s) : red_clock_s() - start_s;
        }
    }
    const double wait_s = run->device->info.shape.is_cpu ? WAIT_ON_CPU_S : WAIT_S;
    const double limit = fmin(polls * wait_s / took_s, POLLS_MAX);
    run->found->limit = limit > POLLS_MIN ? (cl_uint)limit : POLLS_MIN;
    return RED_OK;
}

/* The index of the size that groups have which wait. */
static size_t waiting(const struct progress_run *run) {
    return sizes[WAITING] <= run->device->info.shape.group_size_max ? WAITING : 0;
}

/* ---- waits --------------------------------------------------------------------------------------------- */

/* How many of n replies are not 2: of groups whose wait was not answered. */
static size_t unanswered_n(const struct progress_run *run, size_t n) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += run->words[REPLIES + i] != 2;
    return found;
}

/* Has each of n groups wait for its partner. */
static enum red_status wait_in_pairs(struct progress_run *run, const struct progress_need *asked, size_t n,
                                     bool by_ticket, size_t *unanswered, struct red_error *error) {
    const cl_uint ticket = by_ticket, lower_waits = strcmp(asked->waited_for, "higher") == 0,
                  by_volatile = asked->by_volatile;
    const struct red_cl_argument arguments[] = {{sizeof run->found->limit, &run->found->limit},
                                                {sizeof ticket, &ticket},
                                                {sizeof lower_waits, &lower_waits},
                                                {sizeof by_volatile, &by_volatile}};
    enum red_status status = launch(run, PAIRS, 2 * n, sizes[waiting(run)], arguments, 4, error);
    *unanswered = unanswered_n(run, n);
    return status;
}

/* Has n groups wait for all of them. */
static enum red_status wait_for_all(struct progress_run *run, size_t n, size_t *unanswered,
                                    struct red_error *error) {
    const struct red_cl_argument arguments[] = {{sizeof run->found->limit, &run->found->limit}};
    enum red_status status = launch(run, BARRIER, n, sizes[waiting(run)], arguments, 1, error);
    *unanswered = unanswered_n(run, n);
    return status;
}

/* Counts the groups of a size in flight together; launches more of them where all were in flight. */
static enum red_status count_of_size(struct progress_run *run, size_t size, size_t *counted,
                                     struct red_error *error) {
    const struct red_geometry_limits *shape = &run->device->info.shape;
    const cl_uint limit = run->found->limit, expected = shape->compute_units;
    const cl_uint brief = limit / (shape->is_cpu ? 8 : 64); /* of a GPU all groups poll one word */
    const struct red_cl_argument arguments[] = {
        {sizeof limit, &limit}, {sizeof expected, &expected}, {sizeof brief, &brief}};
    size_t groups_n = 64 * (size_t)expected < GROUPS_MAX ? 64 * (size_t)expected : GROUPS_MAX;
    enum red_status status;
    do {
        status = launch(run, COUNT, groups_n, size, arguments, 3, error);
        *counted = run->words[COUNTED];
        groups_n *= 4;
    } while (status == RED_OK && *counted >= groups_n / 4 && groups_n <= GROUPS_MAX);
    if (status == RED_OK && *counted == 0)
        return red_fail(error, RED_E_WRONG, "not one group counted itself");
    return status;
}

/* Counts the groups of each size. A count may be too low, as where a CPU's thread comes late: a barrier over
 * twice as many groups that ends shows it. */
static enum red_status count_in_flight(struct progress_run *run, struct red_error *error) {
    size_t *in_flight = run->found->in_flight, *of_waiting = &in_flight[waiting(run)], unanswered = 0;
    enum red_status status = RED_OK;
    for (size_t i = 0; i < RED_PROGRESS_SIZES_N && status == RED_OK; i++)
        if (sizes[i] <= run->device->info.shape.group_size_max)
            status = count_of_size(run, sizes[i], &in_flight[i], error);
    while (status == RED_OK && unanswered == 0 && 2 * *of_waiting <= GROUPS_MAX) {
        status = wait_for_all(run, 2 * *of_waiting, &unanswered, error);
        *of_waiting *= status == RED_OK && unanswered == 0 ? 2 : 1;
    }
    return status;
}

/* Whether an answer was asked for often enough: twice where it was wrong both times, else three times. */
static bool is_asked_enough(const struct red_progress_answer *answer) {
    return answer->repeats.asked_n >= 3 || answer->repeats.wrong_in_a_row_n >= 2;
}

static void waits_format(size_t unanswered, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, unanswered == 0 ? "all answered" : "%zu not answered", unanswered);
}

/* Asks for the waits of pairs, of twice as many groups as are in flight: by tickets, which is the answer, and
 * once by ids. */
static enum red_status ask_pairs(struct progress_run *run, const struct progress_need *asked,
                                 struct red_progress_answer *answer, struct red_error *error) {
    const size_t in_flight = run->found->in_flight[waiting(run)];
    const size_t n = in_flight < WAITS_MIN / 2        ? WAITS_MIN
                     : 2 * in_flight < GROUPS_MAX / 2 ? 2 * in_flight
                                                      : GROUPS_MAX / 2;
    size_t by_ticket = 0, by_id = 0, unanswered;
    char tickets[48], ids[48];
    enum red_status status = RED_OK;
    while (status == RED_OK && !is_asked_enough(answer)) {
        status = wait_in_pairs(run, asked, n, true, &unanswered, error);
        red_repeats_add(&answer->repeats, 0, unanswered == 0);
        by_ticket = unanswered > by_ticket ? unanswered : by_ticket;
    }
    waits_format(by_ticket, tickets, sizeof tickets);
    if (asked->by_volatile) {
        snprintf(answer->text, sizeof answer->text, "of %zu waits by volatile loads for a %s ticket %s", n,
                 asked->waited_for, tickets);
        return status;
    }
    if (status == RED_OK)
        status = wait_in_pairs(run, asked, n, false, &by_id, error);
    waits_format(by_id, ids, sizeof ids);
    snprintf(answer->text, sizeof answer->text,
             "groups in flight: %zu; of %zu waits for a %s ticket %s, for a %s id %s", in_flight, n,
             asked->waited_for, tickets, asked->waited_for, ids);
    return status;
}

/* Asks for a barrier over the groups in flight, which is the answer. */
static enum red_status ask_all(struct progress_run *run, struct red_progress_answer *answer,
                               struct red_error *error) {
    const size_t n = run->found->in_flight[waiting(run)];
    size_t unanswered, unanswered_max = 0;
    char *text = answer->text;
    enum red_status status = RED_OK;
    while (status == RED_OK && !is_asked_enough(answer)) {
        status = wait_for_all(run, n, &unanswered, error);
        red_repeats_add(&answer->repeats, 0, unanswered == 0);
        unanswered_max = unanswered > unanswered_max ? unanswered : unanswered_max;
    }
    snprintf(text, sizeof answer->text, "groups in flight: ");
    for (size_t i = 0; i < RED_PROGRESS_SIZES_N && run->found->in_flight[i] > 0; i++)
        red_text_add(text, sizeof answer->text, "%s%zu of size %zu", i > 0 ? ", " : "",
                     run->found->in_flight[i], sizes[i]);
    red_text_add(text, sizeof answer->text, "; a barrier over %zu %s, over %zu it does not", n,
                 unanswered_max > 0 ? "does not end" : "ends", 2 * n);
    return status;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

/* Makes the buffer, and what all three answers need, unless the device has been asked before. */
static enum red_status begin(struct progress_run *run, struct red_error *error) {
    cl_int code;
    run->state = clCreateBuffer(run->device->context, CL_MEM_READ_WRITE, sizeof run->words, NULL, &code);
    enum red_status status = red_cl_check(code, "clCreateBuffer", error);
    if (status == RED_OK && run->found->limit == 0) {
        status = calibrate(run, error);
        if (status == RED_OK)
            status = count_in_flight(run, error);
        if (status != RED_OK)
            run->found->limit = 0;
    }
    return status;
}

static enum red_status ask(struct progress_run *run, size_t i, struct red_progress_answer *answer,
                           struct red_error *error) {
    *answer = (struct red_progress_answer){.is_known = false};
    enum red_status status = begin(run, error);
    if (status == RED_OK)
        status = progress_needs[i].waited_for != NULL ? ask_pairs(run, &progress_needs[i], answer, error)
                                                      : ask_all(run, answer, error);
    answer->is_known = status == RED_OK;
    return status;
}

/* The kernels are built for each standard: that is its own answer. */
enum red_status red_progress_probe_run(struct red_device *device, enum red_need_index need,
                                       enum red_c_standard standard, struct red_capability *capability,
                                       struct red_error *error) {
    const size_t i = find_progress_need(need);
    struct red_progress_answer *answer = &device->progress.answers[i];
    struct progress_run *run = calloc(1, sizeof *run);
    if (run == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a probe");
    run->device = device;
    run->found = &device->progress;
    enum red_status status = RED_OK;
    for (size_t k = 0; k < KERNELS_N && status == RED_OK; k++)
        status = red_kernel_make(device, "probe", red_embedded_find("progress.cl")->text, standard,
                                 kernel_names[k], &run->kernels[k], error);
    if (status == RED_OK) {
        capability->builds = RED_YES;
        if (!answer->is_known)
            status = ask(run, i, answer, error);
    }
    clFinish(device->queue);
    red_cl_release_buffers(&run->state, 1);
    for (size_t k = 0; k < KERNELS_N; k++)
        red_cl_release_kernel(run->kernels[k]);
    free(run);
    if (status != RED_OK)
        return status;
    capability->repeats = answer->repeats;
    if (answer->repeats.right_n < answer->repeats.asked_n)
        return red_fail(error, RED_E_WRONG, "%s", answer->text);
    snprintf(capability->reason, sizeof capability->reason, "%s", answer->text);
    return RED_OK;
}
