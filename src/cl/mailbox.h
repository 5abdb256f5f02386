/* The mailbox of a kernel that waits for call after call (finishes `persistent` and `joined`): memory that
 * host and kernel both use at any time. Every word but `untaken` has one writer, so that nothing is needed of
 * the bus but stores that arrive whole and in their order; the host sets the kernel's words while no launch
 * looks. Included by this room only. */
#ifndef CLREDUCE_CL_MAILBOX_H
#define CLREDUCE_CL_MAILBOX_H

#define CL_TARGET_OPENCL_VERSION          300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* as in cl/device.h */
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

/* As kernels_cl12/lib/mailbox.cl has it. The value is seen by whoever acquires `answered`, the question by
 * whoever acquires `asked`: promised in fine-grained shared virtual memory with atomics (OpenCL C 2.0,
 * section 6.13.11). */
struct red_mailbox {
    unsigned char value[8]; /* the kernel's: an accumulator */
    uint32_t answered;      /* the kernel's: number of the question that the value answers */
    uint32_t left;          /* the kernel's: number of the launch that does not look any more */
    uint32_t asked;         /* the host's: number of the question; 0 sends the kernel away */
    uint32_t launch;        /* the host's: number of the launch */
    uint32_t patience;      /* the host's: looks without a question before the kernel goes */
    uint32_t pieces_n;      /* the host's: of the question, below 2^16 */
    uint64_t arrays[2], n;  /* the host's: the question, addresses and how many elements */
    uint64_t unused;
    uint32_t untaken; /* whose pieces these still are: first in the upper 16 bits, end in the lower. Taken by
                         compare-and-swap among kernels; the host's while there are none */
    uint32_t apart[15];
};

/* The host's side of it. */
struct red_mailbox_host {
    struct red_mailbox *mailbox;
    cl_event launched; /* owned; the launch that waits or has left, or NULL: there is none */
    uint32_t question, launch;
    uint32_t patience; /* in units of some 50 us on a CPU */
    bool is_late;      /* the launch had gone before the host could look: there is no asking it twice */
    bool answers;      /* the last question that was waited for has been answered */
};

/* Asks for n elements of the arrays in so many pieces, below 2^16, and for patience with the next question.
 * No piece of an earlier question may be left. */
void red_mailbox_ask(struct red_mailbox_host *host, const void *const arrays[2], uint64_t n,
                     uint32_t pieces_n);

/* Whether a launch waits, as far as the host can see: it may be about to go. */
bool red_mailbox_waits(const struct red_mailbox_host *host);

/* To be called before the kernel is launched for the question, when no other launch looks. */
void red_mailbox_prepare(struct red_mailbox_host *host);

/* To be called behind the launch: sets is_late. A driver may run the kernel before it returns to the host. */
void red_mailbox_launched(struct red_mailbox_host *host);

/* Waits up to 30 us until somebody has taken a piece of the question. */
void red_mailbox_await_begin(const struct red_mailbox_host *host);

/* Waits for the answer. Spins for 30 us, as a caller that slept would answer later; then lets others run
 * between looks. *left: the launch has gone without having seen the question. CL_INVALID_OPERATION, or the
 * launch's own error, where it has ended otherwise. */
cl_int red_mailbox_await(struct red_mailbox_host *host, bool *left);

/* Sends away the launch, if there is one, and sees it end: until then it would take the next question. */
void red_mailbox_dismiss(struct red_mailbox_host *host);

#endif
