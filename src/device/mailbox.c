#include "device/mailbox.h"

#include <sched.h>
#include <stdatomic.h>

#include "device/shared.h"
#include "model/clock.h"

static _Atomic uint32_t *state_of(struct red_mailbox *mailbox) {
    return (_Atomic uint32_t *)&mailbox->state;
}

static bool move(struct red_mailbox *mailbox, uint32_t from, uint32_t to) {
    return atomic_compare_exchange_strong(state_of(mailbox), &from, to);
}

/* Between GONE and the next launch nobody reads. A state that is none of these (poison) is that of a kernel
 * that has gone: commands wait for its end. */
bool red_mailbox_ask(struct red_mailbox *mailbox, const void *const arrays[2], uint64_t n) {
    for (unsigned i = 0; i < 2; i++)
        mailbox->arrays[i] = (uint64_t)(uintptr_t)arrays[i];
    mailbox->n = n;
    if (move(mailbox, RED_MAILBOX_WAITING, RED_MAILBOX_ASKED))
        return true;
    atomic_store(state_of(mailbox), RED_MAILBOX_ASKED);
    return false;
}

static bool is_answered(struct red_mailbox *mailbox) {
    uint32_t state = atomic_load_explicit(state_of(mailbox), memory_order_acquire);
    return state == RED_MAILBOX_ANSWERED || state == RED_MAILBOX_LEFT;
}

/* CL_SUCCESS while the launch may still answer. */
static cl_int look_after(cl_event event) {
    cl_int state = CL_COMPLETE;
    cl_int code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code != CL_SUCCESS)
        return code;
    return state < 0 ? state : state == CL_COMPLETE ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int red_mailbox_await(struct red_mailbox *mailbox, cl_event event) {
    enum { SPINS_PER_LOOK = 64 };
    const double start_s = red_clock_s(), spin_max_s = 30e-6;
    for (unsigned spins = 1; !is_answered(mailbox); spins++) {
        red_shared_spin();
        if (spins % SPINS_PER_LOOK != 0 || red_clock_s() - start_s < spin_max_s)
            continue;
        cl_int code = look_after(event);
        if (code != CL_SUCCESS)
            return is_answered(mailbox) ? CL_SUCCESS : code;
        sched_yield();
    }
    return CL_SUCCESS;
}

void red_mailbox_leave(struct red_mailbox *mailbox) {
    if (!move(mailbox, RED_MAILBOX_ANSWERED, RED_MAILBOX_WAITING))
        atomic_store(state_of(mailbox), RED_MAILBOX_GONE);
}

void red_mailbox_dismiss(struct red_mailbox *mailbox) {
    (void)move(mailbox, RED_MAILBOX_WAITING, RED_MAILBOX_GONE);
}
