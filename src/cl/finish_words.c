/* The finishes whose groups leave the digits of an exact sum, which the host adds up (words) or the last
 * group (polled_words); cl/plan.c rounds. Their steps are in the time to answer of superaccumulator and its
 * like; a failure is the cell's reason. */
#include "cl/finish.h"

#include <math.h>
#include <stdlib.h>

/* What a group leaves: digits_n words, each 2^32 times as much as the one before, the first of which counts
 * units of a limb of struct red_exact; and one of how many of its items met a NaN (from bit 42 on), +infinity
 * (from 21 on), -infinity. The kernel chooses by the same rule: kernels_cl12/lib/digits.cl. */
struct words_layout {
    unsigned limb, digits_n;
};

enum { DIGITS_MAX = 67 };

/* The layout for terms of the plan's type, which are elements or products. */
static struct words_layout layout_of(const struct red_plan *plan) {
    static const struct words_layout layouts[][2] = {
        [1] = {{32, 3}, {31, 7}}, [2] = {{28, 11}, {24, 19}}, [4] = {{0, 67}, {0, 0}}};
    return layouts[plan->dtype->bits / 16][plan->op->term != RED_TERM_ELEMENT];
}

/* How many words a group leaves. */
static size_t words_n_of(const struct red_plan *plan) {
    return layout_of(plan).digits_n + 1;
}

/* Makes room for the words of all groups, of which the host reads so many bytes. */
static enum red_status prepare(struct red_plan *plan, bool reads, struct red_error *error) {
    const size_t bytes = (size_t)plan->geometry.groups_n * words_n_of(plan) * sizeof(cl_long);
    plan->exact = calloc(1, sizeof *plan->exact);
    if (plan->exact == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for an exact sum");
    enum red_status status = red_plan_make_out_bytes(plan, 0, bytes, error);
    return status == RED_OK
               ? red_finish_prepare_partials(plan, reads ? bytes / plan->accumulator->size_bytes : 1, error)
               : status;
}

static enum red_status words_prepare(struct red_plan *plan, struct red_error *error) {
    return prepare(plan, true, error);
}

/* Adds what items met that has no digits. */
static void add_not_finite(struct red_exact *sum, int64_t met) {
    enum { FIELD_BITS = 21 };
    const uint64_t field = (UINT64_C(1) << FIELD_BITS) - 1, bits = (uint64_t)met;
    sum->not_finite += bits >> 2 * FIELD_BITS ? NAN : 0;
    sum->not_finite += bits >> FIELD_BITS & field ? INFINITY : 0;
    sum->not_finite -= bits & field ? INFINITY : 0;
}

/* Adds the words of so many groups column by column, which is fewer steps than red_exact_add_words for each.
 * A group's digit has 32 bits; where a user's kernel adds up those of up to 2^14 items, and carries nothing,
 * it has 46, and the sum over 2^16 groups 62. Of a wrong kernel it may wrap. */
enum { GROUPS_AT_ONCE = 1 << 16 };
static void add_groups(struct red_exact *sum, struct words_layout layout, const int64_t *words,
                       uint64_t groups_n) {
    int64_t columns[DIGITS_MAX] = {0};
    for (uint64_t group = 0; group < groups_n; group++, words += layout.digits_n + 1) {
        for (unsigned i = 0; i < layout.digits_n; i++)
            columns[i] = (int64_t)((uint64_t)columns[i] + (uint64_t)words[i]);
        if (words[layout.digits_n] != 0)
            add_not_finite(sum, words[layout.digits_n]);
    }
    red_exact_add_words(sum, layout.limb, columns, layout.digits_n);
}

/* Reads the words, and adds up those of all groups. */
static cl_int words_fetch(struct red_plan *plan, cl_command_queue queue) {
    const struct words_layout layout = layout_of(plan);
    const uint64_t groups_n = plan->geometry.groups_n;
    const cl_int code = red_finish_read(plan, queue);
    red_exact_reset(plan->exact);
    for (uint64_t done = 0, n; done < groups_n && code == CL_SUCCESS; done += n) {
        n = groups_n - done < GROUPS_AT_ONCE ? groups_n - done : GROUPS_AT_ONCE;
        add_groups(plan->exact, layout, (const int64_t *)plan->read + done * (layout.digits_n + 1), n);
    }
    return code;
}

/* Rounds the exact sum once. */
static void words_answer(struct red_plan *plan, struct red_value *value) {
    plan->partial.f64 = red_exact_value(plan->exact);
    *value = red_exact_round(plan->exact, plan->op->role == RED_ROLE_MEAN ? plan->n : 1,
                             red_op_result_dtype(plan->op, plan->dtype));
}

const struct red_finish_steps red_finish_words = {
    .prepare = words_prepare, .fetch = words_fetch, .answer = words_answer};

/* ---- polled_words: the last group leaves the sum of all words, each with a flag in the same store ---- */

/* As the kernel stores it (kernels_cl12/lib/digits.cl). */
struct told_word {
    int64_t word;
    uint32_t flag, unused;
};

static enum red_status polled_words_prepare(struct red_plan *plan, struct red_error *error) {
    const size_t bytes = words_n_of(plan) * sizeof(struct told_word);
    enum red_status status = red_finish_make_answer_memory(plan, bytes, error);
    return status == RED_OK ? prepare(plan, false, error) : status;
}

/* Enqueues the launch behind cleared flags. */
static cl_int polled_words_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                                   unsigned *events_n) {
    volatile struct told_word *told = plan->answer.memory;
    for (size_t i = 0; i < words_n_of(plan); i++)
        told[i].flag = 0;
    return red_finish_enqueue(plan, queue, events, events_n);
}

/* Waits for the flag of each word, not for the kernel's end. */
static cl_int polled_words_fetch(struct red_plan *plan, cl_command_queue queue) {
    struct told_word *told = plan->answer.memory;
    int64_t words[DIGITS_MAX + 1];
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < words_n_of(plan) && code == CL_SUCCESS; i++) {
        code = red_host_visible_await_flag(plan->device, queue, &told[i].flag);
        words[i] = told[i].word;
    }
    red_exact_reset(plan->exact);
    if (code == CL_SUCCESS)
        add_groups(plan->exact, layout_of(plan), words, 1);
    return code;
}

const struct red_finish_steps red_finish_polled_words = {
    .prepare = polled_words_prepare,
    .enqueue = polled_words_enqueue,
    .fetch = polled_words_fetch,
    .answer = words_answer,
};
