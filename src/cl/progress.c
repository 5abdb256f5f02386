/* The probes of progress between groups (kernels_cl12/lib/progress.cl): how many groups are in flight
 * together, and whose waits are answered. cl/probe.c calls it in a worker; `devices` prints the figures, and
 * where a strategy needs an answer that does not come its cell is `unsupported`. */
#include "cl/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "core/clock.h"
#include "core/numbers.h"
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

/* What a need asks. */
#define PROGRESS(need) [RED_NEED_INDEX_##need - RED_PROGRESS_FIRST]
static const struct progress_need {
    const char *waited_for; /* NULL: all groups in flight, for each other */
    bool lower_waits;       /* the group of the lower number is the one that waits */
    bool by_volatile;       /* by volatile accesses instead of atomics */
} progress_needs[RED_PROGRESS_NEEDS_N] = {
    PROGRESS(LOWER_PROGRESS) = {"lower", false, false}, PROGRESS(HIGHER_PROGRESS) = {"higher", true, false},
    PROGRESS(RESIDENT_PROGRESS) = {NULL, false, false}, PROGRESS(VOLATILE_GROUPS) = {"lower", false, true}};

bool red_need_is_of_progress(enum red_need_index need) {
    return need >= RED_NEED_INDEX_LOWER_PROGRESS && need <= RED_NEED_INDEX_VOLATILE_GROUPS;
}

/* ---- launches ------------------------------------------------------------------------------------------ */

/* Launches so many groups on a state of zeros, with further arguments of one word each, and reads what they
 * leave of the state. */
static enum red_status launch(struct progress_run *run, enum kernel_index k, size_t groups_n,
                              size_t group_size, const cl_uint *more, cl_uint more_n,
                              struct red_error *error) {
    cl_command_queue queue = run->device->queue;
    cl_kernel kernel = run->kernels[k];
    const size_t bytes = (REPLIES + groups_n) * sizeof run->words[0];
    memset(run->words, 0, bytes);
    cl_int code = red_cl_write(queue, run->state, 0, run->words, bytes);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 0, sizeof run->state, &run->state);
    for (cl_uint i = 0; i < more_n && code == CL_SUCCESS; i++)
        code = clSetKernelArg(kernel, 1 + i, sizeof more[i], &more[i]);
    if (code == CL_SUCCESS)
        code = red_cl_launch(queue, kernel, groups_n * group_size, group_size, NULL);
    if (code == CL_SUCCESS)
        code = red_cl_read(queue, run->state, 0, run->words, bytes);
    return red_cl_check(code, kernel_names[k], error);
}

/* Finds out how many polls a wait has, by the fastest of some launches: another process may have the
 * processor during the others, and the first may compile. Four times as many polls have to take twice as long
 * at least: otherwise it was not they that took the time. */
static enum red_status calibrate(struct progress_run *run, struct red_error *error) {
    enum { FIRST = 1 << 4, LAUNCHES_N = 3 };
    const double long_enough_s = 0.002;
    double took_s = INFINITY, before_s;
    cl_uint polls = FIRST;
    do {
        before_s = took_s;
        polls *= 4;
        for (int i = 0; i < LAUNCHES_N; i++) {
            const double start_s = red_clock_s();
            enum red_status status = launch(run, POLLS, 1, 1, &polls, 1, error);
            if (status != RED_OK)
                return status;
            took_s = i > 0 ? fmin(took_s, red_clock_s() - start_s) : red_clock_s() - start_s;
        }
    } while ((took_s < long_enough_s || took_s < 2 * before_s) && polls < POLLS_MAX);
    const double wait_s = run->device->info.shape.is_cpu ? WAIT_ON_CPU_S : WAIT_S;
    run->found->limit = (cl_uint)fmax(POLLS_MIN, fmin(polls * wait_s / took_s, POLLS_MAX));
    return RED_OK;
}

/* The index of the size that groups have which wait. */
static size_t waiting(const struct progress_run *run) {
    return sizes[WAITING] <= run->device->info.shape.group_size_max ? WAITING : 0;
}

/* ---- waits --------------------------------------------------------------------------------------------- */

/* Has n groups wait, each for its partner, or all for all of them, and counts the waits that were not
 * answered, whose replies are not 2. */
static enum red_status wait_for(struct progress_run *run, const struct progress_need *asked, size_t n,
                                bool by_ticket, size_t *unanswered, struct red_error *error) {
    const bool in_pairs = asked->waited_for != NULL;
    const cl_uint arguments[] = {run->found->limit, by_ticket, asked->lower_waits, asked->by_volatile};
    enum red_status status = launch(run, in_pairs ? PAIRS : BARRIER, in_pairs ? 2 * n : n,
                                    sizes[waiting(run)], arguments, in_pairs ? 4 : 1, error);
    *unanswered = 0;
    for (size_t i = 0; i < n; i++)
        *unanswered += run->words[REPLIES + i] != 2;
    return status;
}

/* Counts the groups of a size in flight together; launches more of them where all were in flight. */
static enum red_status count_of_size(struct progress_run *run, size_t size, size_t *counted,
                                     struct red_error *error) {
    const struct red_geometry_limits *shape = &run->device->info.shape;
    const cl_uint limit = run->found->limit, expected = shape->compute_units;
    const cl_uint brief = limit / (shape->is_cpu ? 8 : 64); /* of a GPU all groups poll one word */
    size_t groups_n = red_lesser(64 * (size_t)expected, GROUPS_MAX);
    enum red_status status;
    do {
        status = launch(run, COUNT, groups_n, size, (const cl_uint[]){limit, expected, brief}, 3, error);
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
        status = wait_for(run, &progress_needs[RED_NEED_INDEX_RESIDENT_PROGRESS - RED_PROGRESS_FIRST],
                          2 * *of_waiting, true, &unanswered, error);
        *of_waiting *= status == RED_OK && unanswered == 0 ? 2 : 1;
    }
    return status;
}

/* Asks for waits by tickets until that was often enough: twice where the answer was wrong both times, else
 * three times. The most that were not answered is in *unanswered_max. */
static enum red_status ask_often(struct progress_run *run, const struct progress_need *asked, size_t n,
                                 struct red_repeats *repeats, size_t *unanswered_max,
                                 struct red_error *error) {
    size_t unanswered = 0;
    enum red_status status = RED_OK;
    *unanswered_max = 0;
    while (status == RED_OK && repeats->asked_n < 3 && repeats->wrong_in_a_row_n < 2) {
        status = wait_for(run, asked, n, true, &unanswered, error);
        red_repeats_add(repeats, 0, unanswered == 0);
        *unanswered_max = red_greater(*unanswered_max, unanswered);
    }
    return status;
}

static struct red_short_text waits_text(size_t unanswered) {
    struct red_short_text text = {"all answered"};
    if (unanswered > 0)
        snprintf(text.text, sizeof text.text, "%zu not answered", unanswered);
    return text;
}

/* Asks for the waits of pairs, of twice as many groups as are in flight: by tickets, which is the answer, and
 * once by ids. */
static enum red_status ask_pairs(struct progress_run *run, const struct progress_need *asked,
                                 struct red_progress_answer *answer, struct red_error *error) {
    const char *waited_for = asked->waited_for;
    const size_t in_flight = run->found->in_flight[waiting(run)], text_bytes = sizeof answer->text;
    const size_t n = red_lesser(red_greater(2 * in_flight, WAITS_MIN), GROUPS_MAX / 2);
    size_t unanswered;
    enum red_status status = ask_often(run, asked, n, &answer->repeats, &unanswered, error);
    if (!asked->by_volatile)
        red_text_add(answer->text, text_bytes, "groups in flight: %zu; ", in_flight);
    red_text_add(answer->text, text_bytes, "of %zu waits %sfor a %s ticket %s", n,
                 asked->by_volatile ? "by volatile loads " : "", waited_for, waits_text(unanswered).text);
    if (status != RED_OK || asked->by_volatile)
        return status;
    status = wait_for(run, asked, n, false, &unanswered, error);
    red_text_add(answer->text, text_bytes, ", for a %s id %s", waited_for, waits_text(unanswered).text);
    return status;
}

/* Asks for a barrier over the groups in flight, which is the answer. */
static enum red_status ask_all(struct progress_run *run, const struct progress_need *asked,
                               struct red_progress_answer *answer, struct red_error *error) {
    const size_t n = run->found->in_flight[waiting(run)];
    size_t unanswered;
    char *text = answer->text;
    enum red_status status = ask_often(run, asked, n, &answer->repeats, &unanswered, error);
    red_text_add(text, sizeof answer->text, "groups in flight: ");
    for (size_t i = 0; i < RED_PROGRESS_SIZES_N && run->found->in_flight[i] > 0; i++)
        red_text_add(text, sizeof answer->text, "%s%zu of size %zu", i > 0 ? ", " : "",
                     run->found->in_flight[i], sizes[i]);
    red_text_add(text, sizeof answer->text, "; a barrier over %zu %s, over %zu it does not", n,
                 unanswered > 0 ? "does not end" : "ends", 2 * n);
    return status;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

/* Releases what open_run has made, after an error, too. */
static void close_run(struct progress_run *run) {
    clFinish(run->device->queue);
    red_cl_release_buffers(&run->state, 1);
    for (size_t k = 0; k < KERNELS_N; k++)
        red_cl_release_kernel(run->kernels[k]);
    free(run);
}

/* Makes kernels and buffer. */
static enum red_status open_run(struct red_device *device, enum red_c_standard standard,
                                struct progress_run **opened, struct red_error *error) {
    struct progress_run *run = calloc(1, sizeof *run);
    cl_int code = CL_SUCCESS;
    if (run == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a probe");
    run->device = device;
    run->found = &device->progress;
    enum red_status status = RED_OK;
    for (size_t k = 0; k < KERNELS_N && status == RED_OK; k++)
        status = red_kernel_make(device, "probe", red_embedded_find("progress.cl")->text, standard,
                                 kernel_names[k], &run->kernels[k], error);
    if (status == RED_OK) {
        run->state = clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof run->words, NULL, &code);
        status = red_cl_check(code, "clCreateBuffer", error);
    }
    if (status == RED_OK)
        *opened = run;
    else
        close_run(run);
    return status;
}

/* Asks, once it has found out what all answers need. */
static enum red_status ask(struct progress_run *run, const struct progress_need *asked,
                           struct red_progress_answer *answer, struct red_error *error) {
    *answer = (struct red_progress_answer){.is_known = false};
    enum red_status status = run->found->limit == 0 ? calibrate(run, error) : RED_OK;
    if (status == RED_OK && !run->found->is_counted)
        status = count_in_flight(run, error);
    run->found->is_counted = status == RED_OK;
    if (status == RED_OK)
        status = (asked->waited_for != NULL ? ask_pairs : ask_all)(run, asked, answer, error);
    answer->is_known = status == RED_OK;
    return status;
}

enum red_status red_progress_calibrate(struct red_device *device, uint32_t *polls, struct red_error *error) {
    struct progress_run *run;
    enum red_status status = RED_OK;
    if (device->progress.limit == 0) {
        status = open_run(device, RED_CL12, &run, error);
        if (status != RED_OK)
            return status;
        status = calibrate(run, error);
        close_run(run);
    }
    *polls = device->progress.limit;
    return status;
}

/* The kernels are built for each standard: that is its own answer. */
enum red_status red_progress_probe_run(struct red_device *device, enum red_need_index need,
                                       enum red_c_standard standard, struct red_capability *capability,
                                       struct red_error *error) {
    const size_t i = need - RED_PROGRESS_FIRST;
    struct red_progress_answer *answer = &device->progress.answers[i];
    struct progress_run *run;
    enum red_status status = open_run(device, standard, &run, error);
    if (status != RED_OK)
        return status;
    capability->builds = RED_YES;
    if (!answer->is_known)
        status = ask(run, &progress_needs[i], answer, error);
    close_run(run);
    if (status != RED_OK)
        return status;
    capability->repeats = answer->repeats;
    if (answer->repeats.right_n < answer->repeats.asked_n)
        return red_fail(error, RED_E_WRONG, "%s", answer->text);
    snprintf(capability->reason, sizeof capability->reason, "%s", answer->text);
    return RED_OK;
}
