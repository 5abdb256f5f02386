/* The mailbox of a kernel that waits for call after call (finish `persistent`): memory that host and kernel
 * both use at any time. Included by this room only. */
#ifndef CLREDUCE_DEVICE_MAILBOX_H
#define CLREDUCE_DEVICE_MAILBOX_H

#define CL_TARGET_OPENCL_VERSION          300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* as in device/newer.h */
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

/* As kernels_cl12/persistent_mapped.cl has it. What stands before a change of state is seen by whoever
 * acquires it: promised in fine-grained shared virtual memory with atomics (OpenCL C 2.0, section 6.13.11).
 */
struct red_mailbox {
    unsigned char value[16]; /* the kernel's: an accumulator */
    uint32_t state;          /* red_mailbox_state */
    uint32_t unused[3];
    uint64_t arrays[2], n; /* the host's: addresses of what to reduce, and how many elements */
    uint64_t unused_too;
};

/* The host moves WAITING to ASKED, and ANSWERED to WAITING; the kernel ASKED to ANSWERED. So that every
 * launch ends, a kernel that has waited for a while moves WAITING to GONE, or ANSWERED to LEFT, which the
 * host has yet to read. */
enum red_mailbox_state {
    RED_MAILBOX_GONE,
    RED_MAILBOX_WAITING,
    RED_MAILBOX_ASKED,
    RED_MAILBOX_ANSWERED,
    RED_MAILBOX_LEFT
};

/* Asks for n elements of the arrays. False: nobody waits for the question, and a kernel that is launched now
 * will find it. */
bool red_mailbox_ask(struct red_mailbox *mailbox, const void *const arrays[2], uint64_t n);

/* Waits for the answer of the launch `event`. Spins for 30 us, as a caller that slept would answer later;
 * then lets others run between looks. CL_INVALID_OPERATION, or the launch's own error, where that has ended
 * without an answer. */
cl_int red_mailbox_await(struct red_mailbox *mailbox, cl_event event);

/* The answer has been read: the kernel may wait for the next question. */
void red_mailbox_leave(struct red_mailbox *mailbox);

/* A kernel that waits has to go. Until its launch has ended it would take the next question, too. */
void red_mailbox_dismiss(struct red_mailbox *mailbox);

#endif
