#include "cl/mailbox.h"

#include <sched.h>
#include <stdatomic.h>

#include "cl/host_visible.h"
#include "core/clock.h"

enum { LOOKS = 2048 };
static const double SPIN_MAX_S = 30e-6;

static uint32_t look(uint32_t *word) {
    return atomic_load_explicit((_Atomic uint32_t *)word, memory_order_acquire);
}

static void tell(uint32_t *word, uint32_t value) {
    atomic_store_explicit((_Atomic uint32_t *)word, value, memory_order_release);
}

void red_mailbox_ask(struct red_mailbox_host *host, const void *const arrays[2], uint64_t n,
                     uint32_t pieces_n) {
    for (unsigned i = 0; i < 2; i++)
        host->mailbox->arrays[i] = (uint64_t)(uintptr_t)arrays[i];
    host->mailbox->n = n;
    tell(&host->mailbox->patience, LOOKS * host->patience);
    host->mailbox->pieces_n = pieces_n;
    tell(&host->mailbox->untaken, pieces_n);
    if (++host->question == 0) /* 0 has a meaning of its own */
        host->question++;
    tell(&host->mailbox->asked, host->question);
}

void red_mailbox_prepare(struct red_mailbox_host *host) {
    if (++host->launch == 0) /* what no launch has left */
        host->launch++;
    tell(&host->mailbox->answered, host->question - 1);
    tell(&host->mailbox->left, 0);
    tell(&host->mailbox->launch, host->launch);
}

static bool has_left(const struct red_mailbox_host *host) {
    return look(&host->mailbox->left) == host->launch;
}

void red_mailbox_launched(struct red_mailbox_host *host) {
    host->is_late = has_left(host);
}

bool red_mailbox_waits(const struct red_mailbox_host *host) {
    return host->launched != NULL && !has_left(host);
}

static bool is_answered(const struct red_mailbox_host *host) {
    return look(&host->mailbox->answered) == host->question;
}

/* CL_SUCCESS while the launch may still answer. */
static cl_int look_after(cl_event event) {
    cl_int state = CL_COMPLETE;
    cl_int code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code != CL_SUCCESS)
        return code;
    return state < 0 ? state : state == CL_COMPLETE ? CL_INVALID_OPERATION : CL_SUCCESS;
}

void red_mailbox_await_begin(const struct red_mailbox_host *host) {
    const double start_s = red_clock_s();
    while (look(&host->mailbox->untaken) == host->mailbox->pieces_n && red_clock_s() - start_s < SPIN_MAX_S)
        red_host_visible_spin();
}

cl_int red_mailbox_await(struct red_mailbox_host *host, bool *left) {
    enum { SPINS_PER_LOOK = 64 };
    const double start_s = red_clock_s();
    cl_int code = CL_SUCCESS;
    *left = false;
    for (unsigned spins = 1; code == CL_SUCCESS && !*left && !is_answered(host); spins++) {
        red_host_visible_spin();
        *left = has_left(host);
        if (spins % SPINS_PER_LOOK != 0 || *left || red_clock_s() - start_s < SPIN_MAX_S)
            continue;
        code = look_after(host->launched);
        sched_yield();
    }
    /* It may have answered, or gone, and then ended, between the looks. */
    *left = has_left(host);
    host->answers = is_answered(host);
    if (!host->answers)
        return *left ? CL_SUCCESS : code;
    *left = false;
    return CL_SUCCESS;
}

void red_mailbox_dismiss(struct red_mailbox_host *host) {
    if (host->launched == NULL)
        return;
    tell(&host->mailbox->asked, 0);
    clWaitForEvents(1, &host->launched);
    clReleaseEvent(host->launched);
    host->launched = NULL;
}
