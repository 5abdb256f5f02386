/* Declarations that only src/cl uses: programs, open device, host-visible memory, mailbox, probes. */
#ifndef CLREDUCE_CL_PRIVATE_H
#define CLREDUCE_CL_PRIVATE_H

#define CL_TARGET_OPENCL_VERSION          300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue is the one that every driver has */

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cl/device.h"
#include "cl/plan.h"
#include "cl/probe.h"
#include "model/capability.h"
#include "model/input.h"

/* ---- programs --------------------------------------------------------------------------------------------
 * Compiled once per device, text and standard, then kept, failures too. */

/* A chain of programs, newest first. */
struct red_programs {
    struct red_program *first;
    uint64_t builds_n;  /* programs ever added: gone ones, too, and such as do not build */
    char binaries[512]; /* folder for what the driver does not keep; empty: none */
};

/* Gives a new kernel object of the program with this text, which is built if it is not there yet, and kept.
 * `shown_name` is what messages call the program. Release the kernel with clReleaseKernel. Errors:
 * RED_E_BUILD with the log, or if the program has no kernel of that name; RED_E_UNSUPPORTED where the driver
 * does not know the standard or has no compiler; RED_E_DEVICE, RED_E_MEMORY. */
enum red_status red_kernel_make(struct red_device *device, const char *shown_name, const char *text,
                                enum red_c_standard standard, const char *kernel_name, cl_kernel *kernel,
                                struct red_error *error);

/* Releases all programs; the count of builds and the folder stay. */
void red_programs_clear(struct red_programs *programs);

/* ---- compiler logs ---------------------------------------------------------------------------------------
 * The excerpt is what a cell that is `build-failed` shows. */

/* Copies the log without blanks at its end. One that does not fit begins with its first line that holds
 * "error" (in any letter case; warnings before it are left out); "..." stands where something was cut. */
void red_log_excerpt(const char *log, char *text, size_t text_bytes);

/* ---- device checksum -------------------------------------------------------------------------------------
 * A checksum of a data set, computed on the device, which shows whether a kernel wrote to its input. */

/* What a device needs for it; made at the first use. All NULL before and after. */
struct red_checksum {
    cl_kernel kernel;
    cl_mem sums; /* one per group */
    size_t group_size, groups_n;
    bool failed; /* cannot be had on this device */
};

void red_checksum_clear(struct red_checksum *checksum);

/* ---- entry points newer than OpenCL 1.2 ------------------------------------------------------------------
 * Looked up while running: a loader or a driver may lack any of them. */

/* cl_khr_command_buffer, provisional until revision 0.9.x: what is used here has kept its form since 0.9.0.
 * The headers of some systems lack it, so its names are our own. */
typedef struct red_cl_command_buffer *red_command_buffer;

struct red_newer_functions {
    void *(CL_API_CALL *svm_alloc)(cl_context, cl_svm_mem_flags, size_t, cl_uint);
    void(CL_API_CALL *svm_free)(cl_context, void *);
    cl_int(CL_API_CALL *set_kernel_arg_svm)(cl_kernel, cl_uint, const void *);
    cl_int(CL_API_CALL *set_kernel_exec_info)(cl_kernel, cl_kernel_exec_info, size_t, const void *);
    cl_int(CL_API_CALL *enqueue_svm_map)(cl_command_queue, cl_bool, cl_map_flags, void *, size_t, cl_uint,
                                         const cl_event *, cl_event *);
    cl_int(CL_API_CALL *enqueue_svm_unmap)(cl_command_queue, void *, cl_uint, const cl_event *, cl_event *);
    cl_mem(CL_API_CALL *create_pipe)(cl_context, cl_mem_flags, cl_uint, cl_uint, const intptr_t *, cl_int *);
    cl_command_queue(CL_API_CALL *create_queue)(cl_context, cl_device_id, const cl_bitfield *, cl_int *);
    cl_mem(CL_API_CALL *create_buffer_nv)(cl_context, cl_mem_flags, cl_bitfield, size_t, void *, cl_int *);
    red_command_buffer(CL_API_CALL *create_command_buffer)(cl_uint, const cl_command_queue *,
                                                           const cl_bitfield *, cl_int *);
    cl_int(CL_API_CALL *finalize_command_buffer)(red_command_buffer);
    cl_int(CL_API_CALL *release_command_buffer)(red_command_buffer);
    cl_int(CL_API_CALL *enqueue_command_buffer)(cl_uint, cl_command_queue *, red_command_buffer, cl_uint,
                                                const cl_event *, cl_event *);
    cl_int(CL_API_CALL *command_ndrange)(red_command_buffer, cl_command_queue, const cl_bitfield *, cl_kernel,
                                         cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
                                         const cl_uint *, cl_uint *, void *);
};

/* ---- progress between groups -----------------------------------------------------------------------------
 * What cl/progress.c has found of the device. */

enum {
    RED_PROGRESS_SIZES_N = 3,
    RED_PROGRESS_FIRST = RED_NEED_INDEX_LOWER_PROGRESS, /* of the needs, which follow each other */
    RED_PROGRESS_NEEDS_N = 4
};

struct red_progress {
    size_t in_flight[RED_PROGRESS_SIZES_N]; /* groups, by their size; 0: the device has none of that size */
    bool is_counted;                        /* in_flight is known */
    uint32_t limit;                         /* polls of a wait; 0: nothing was asked yet */
    struct red_progress_answer {
        bool is_known;
        struct red_repeats repeats;
        char text[160];
    } answers[RED_PROGRESS_NEEDS_N];
};

/* ---- order between groups --------------------------------------------------------------------------------
 * What cl/order_probe.c has found of each idiom. */

enum { RED_ORDER_FIRST = RED_NEED_INDEX_WORD_PUBLICATION, RED_ORDER_NEEDS_N = 4 };

struct red_order_answer {
    bool is_known;
    bool is_built;          /* one of its tests */
    bool is_shown;          /* a weakened twin of each of its tests was seen */
    struct red_error error; /* RED_E_WRONG: an outcome was seen that the idiom is to prevent */
    char text[160];         /* what was seen */
};

/* ---- the open device, data on it, and error codes ------------------------------------------------------ */

/* A kernel of known work, and where it leaves its result (cl/event_times.c). */
struct red_chain {
    cl_kernel kernel;
    cl_mem out;
};

struct red_device {
    struct red_device_info info;
    cl_device_id cl_device;
    cl_context context;
    cl_command_queue queue;     /* time to answer */
    cl_command_queue profiling; /* device time; and what waits while others run */
    struct red_chain blocking;  /* of red_device_block; NULL until asked for */
    cl_uint blocking_steps;     /* for each launch behind it */
    cl_command_queue on_device; /* from which kernels enqueue; NULL until asked for */
    struct red_newer_functions newer;
    struct red_capabilities capabilities; /* what is not known is probed in this process */
    struct red_programs programs;
    struct red_checksum checksum;
    struct red_progress progress;
    struct red_order_answer orders[RED_ORDER_NEEDS_N];
};

struct red_resident {
    struct red_device *device;
    const struct red_input *input;
    cl_mem buffers[2];
    cl_mem changed[2]; /* of --shape changed: what its plans reduce (cl/change.c), otherwise NULL */
    bool on_host;      /* the buffers are the input's own arrays */
    enum red_answer device_checksum_is_trusted; /* of good data; not known until the first check */
};

/* "CL_OUT_OF_RESOURCES", or "an unlisted OpenCL error". */
const char *red_cl_error_name(cl_int code);

/* What no call returns: clSVMAlloc, which has no code, gave NULL; the driver does not have the function. */
enum { RED_CL_NULL = 1, RED_CL_NO_FUNCTION = 2 };

/* RED_OK for CL_SUCCESS; otherwise RED_E_MEMORY or RED_E_DEVICE with the call's name and the code's. Of the
 * two above RED_E_MEMORY and RED_E_UNSUPPORTED. */
enum red_status red_cl_check(cl_int code, const char *call, struct red_error *error);

/* The same for clEnqueueNDRangeKernel: a launch that is refused for its group size, or for the registers and
 * the local memory that a group of this size would take, is RED_E_UNSUPPORTED. */
enum red_status red_cl_check_launch(cl_int code, size_t group_size, struct red_error *error);

/* ---- calls that are made in many places ---- */

/* Enqueues a launch of one dimension; `event` may be NULL. */
cl_int red_cl_launch(cl_command_queue queue, cl_kernel kernel, size_t global, size_t group_size,
                     cl_event *event);

/* Copy bytes between the host's memory and the buffer, from `offset_bytes` behind its beginning on, and
 * wait. */
cl_int red_cl_read(cl_command_queue queue, cl_mem buffer, size_t offset_bytes, void *to, size_t bytes);
/* The same of a buffer that lies in the host's memory: it is mapped, so that no command copies, and unmapped
 * again. */
cl_int red_cl_read_mapped(cl_command_queue queue, cl_mem buffer, size_t offset_bytes, void *to, size_t bytes);
cl_int red_cl_write(cl_command_queue queue, cl_mem buffer, size_t offset_bytes, const void *from,
                    size_t bytes);

/* Sets n arguments of the kernel in their order, the first of them argument `first`. */
struct red_cl_argument {
    size_t bytes;
    const void *value;
};
cl_int red_cl_set_arguments(cl_kernel kernel, cl_uint first, const struct red_cl_argument *arguments,
                            cl_uint n);

/* Sets the kernel's n arguments, and enqueues a launch of so many groups; `event` may be NULL. */
cl_int red_cl_launch_with(cl_command_queue queue, cl_kernel kernel, const struct red_cl_argument *arguments,
                          cl_uint n, size_t groups_n, size_t group_size, cl_event *event);

/* Waits until the queue is empty. Gives the error of the wait, or `code`, of what was enqueued, if that is
 * one. */
cl_int red_cl_wait(cl_command_queue queue, cl_int code);

/* Release what is not NULL. */
void red_cl_release_buffers(const cl_mem *buffers, size_t n);
void red_cl_release_kernel(cl_kernel kernel);

/* Reads START and END of one event in ns, or what `which_end` names instead of END (cl/event_times.c): what a
 * cell's device time is made of. A driver whose clock is coarser than a short kernel gives END = START.
 * Errors: RED_E_UNSUPPORTED where there are no event times, or none to be trusted. */
struct red_event_times {
    uint64_t start, end;
};
enum red_status red_cl_event_times(cl_event event, cl_profiling_info which_end, struct red_event_times *times,
                                   struct red_error *error);

/* Keeps the device busy, on the profiling queue, by a launch that takes as long as the host may need to
 * enqueue so many launches behind it. From START to END of these the device waits for nothing then: on an
 * idle one NVIDIA's driver stamps START before it has handed over the launch, and an empty kernel takes 4.4
 * to 5.9 us, as the host's processor has it, in place of 2.8 (as nvbench's blocking kernel). Errors:
 * RED_E_BUILD, RED_E_MEMORY, RED_E_DEVICE; RED_E_UNSUPPORTED where there are no event times. */
enum red_status red_device_block(struct red_device *device, unsigned launches_n, struct red_error *error);

/* Releases what is not NULL, and leaves NULL. */
void red_chain_release(struct red_chain *chain);

/* Makes the device's default on-device queue, from which kernels enqueue, unless it is there; the device
 * keeps it. Errors: RED_E_UNSUPPORTED. */
enum red_status red_on_device_queue_make(struct red_device *device, struct red_error *error);

/* ---- host-visible memory ---------------------------------------------------------------------------------
 * The host and a kernel both see it, without a command that copies. Finishes whose result the host sees
 * make it for partial results or for the answer (svm, polled and the waiting ones), and so do the probes
 * of SVM. */

enum red_host_visible_kind {
    RED_HOST_VISIBLE_SVM,        /* shared virtual memory, fine-grained where there is such; see is_coarse */
    RED_HOST_VISIBLE_SVM_FINE,   /* fine-grained: the host uses it as it is, when the kernel has ended */
    RED_HOST_VISIBLE_SVM_ATOMIC, /* fine-grained with atomics: host and kernel may use it at the same time */
    RED_HOST_VISIBLE_HOST, /* a buffer in the host's memory that stays mapped: that either side sees what the
                        other has written is what drivers do, not what OpenCL promises */
};

struct red_host_visible {
    void *memory;  /* NULL: there is none */
    cl_mem buffer; /* over the same memory */
    bool is_svm;
    bool is_coarse;        /* must be mapped before the host reads it (OpenCL 3.0 API, section 5.6.1) */
    const char *last_call; /* of those that make it: what an error is of */
};

/* Makes a buffer in the host's memory: by clCreateBufferNV where the driver has it (cl_nv_create_buffer),
 * otherwise by CL_MEM_ALLOC_HOST_PTR, which need not be more than a copy there. The caller releases it. */
cl_int red_host_buffer_create(const struct red_device *device, size_t bytes, cl_mem *buffer);

/* Makes `bytes` of it, all zero; for RED_HOST_VISIBLE_HOST by red_host_buffer_create. *shared is valid to
 * destroy after an error, too: an OpenCL code, RED_CL_NULL or RED_CL_NO_FUNCTION. */
cl_int red_host_visible_create(const struct red_device *device, enum red_host_visible_kind kind, size_t bytes,
                               struct red_host_visible *shared);

/* Frees it when the device's queues have finished. */
void red_host_visible_destroy(const struct red_device *device, struct red_host_visible *shared);

/* Makes it argument i of the kernel. Shared virtual memory is set by its pointer: once for a kernel object
 * and never mixed with a buffer for the same argument, which one driver does not survive. */
cl_int red_host_visible_set_arg(const struct red_device *device, cl_kernel kernel, cl_uint i,
                                const struct red_host_visible *shared);

/* Waits until a kernel of the queue has stored another value than 0 to the flag. What the kernel wrote
 * before it released the flag, or in the same store, can then be read, while the kernel itself may not have
 * ended yet. Spins for as long as that beats sleeping: 30 us on a CPU, whose cores the kernel wants, 10 ms
 * elsewhere; then it waits for the queue's end. Fails with CL_INVALID_OPERATION where that comes without the
 * flag. */
cl_int red_host_visible_await_flag(const struct red_device *device, cl_command_queue queue, uint32_t *flag);

/* Waits for the flag of a kernel that should have ended, max_s at most, and gives how long that took. */
double red_host_visible_lateness_s(uint32_t *flag, double max_s);

/* ---- mailbox ---------------------------------------------------------------------------------------------
 * Memory of a kernel that waits for call after call (finish `persistent`); host and kernel both use it at any
 * time. Every word has one writer, so that nothing is needed of the bus but stores that arrive whole and in
 * their order; the host sets the kernel's words while no launch looks. */

/* As kernels_cl12/lib/mailbox.cl has it, which calls a request a question. The value is seen by whoever
 * acquires `answered`, the request by whoever acquires `asked`: promised in fine-grained shared virtual
 * memory with atomics (OpenCL C 2.0, section 6.13.11). */
struct red_mailbox {
    unsigned char value[8]; /* the kernel's: an accumulator */
    uint32_t answered;      /* the kernel's: number of the request that the value answers */
    uint32_t left;          /* the kernel's: number of the launch that does not look any more */
    uint32_t asked;         /* the host's: number of the request; 0 ends the launch */
    uint32_t launch;        /* the host's: number of the launch */
    uint32_t patience;      /* the host's: looks without a request before the kernel goes */
    uint32_t unused;
    uint64_t arrays[2], n; /* the host's: the request, addresses and how many elements */
};

/* The host's side of it. */
struct red_mailbox_host {
    struct red_mailbox *mailbox;
    cl_event launched; /* owned; the launch that waits or has left, or NULL: there is none */
    uint32_t request, launch;
    uint32_t patience; /* in units of some 50 us on a CPU */
    bool is_late;      /* the launch had gone before the host could look: there is no asking it twice */
    bool answers;      /* the last request that was waited for has been answered */
};

/* Asks for n elements of the arrays, and for patience with the next request. */
void red_mailbox_send_request(struct red_mailbox_host *host, const void *const arrays[2], uint64_t n);

/* Whether a launch waits, as far as the host can see: it may be about to go. */
bool red_mailbox_launch_waits(const struct red_mailbox_host *host);

/* To be called before the kernel is launched for the request, when no other launch looks. */
void red_mailbox_prepare_launch(struct red_mailbox_host *host);

/* To be called behind the launch: notes in is_late whether that has left already. A driver may run the kernel
 * before it returns to the host. */
void red_mailbox_note_whether_late(struct red_mailbox_host *host);

/* Waits for the answer. Spins for 30 us, as a caller that slept would answer later; then lets others run
 * between looks. *left is true only if the launch ended without having seen the request.
 * CL_INVALID_OPERATION, or the launch's own error, where it has ended otherwise. */
cl_int red_mailbox_await_answer(struct red_mailbox_host *host, bool *left);

/* Sends away the launch, if there is one, and sees it end: until then it would take the next request. */
void red_mailbox_end_launch(struct red_mailbox_host *host);

/* ---- probes ----------------------------------------------------------------------------------------------
 * What cl/probe.c, cl/group_probe.c and cl/order_probe.c have for each other. */

/* False where this size of the form has been asked already; otherwise tells the watch that it is asked
 * now. */
bool red_probe_begin_unless_asked(const struct red_probe_watch *watch,
                                  const struct red_capability *capability, size_t form, unsigned size_i);

/* Builds and runs the kernels of all forms of a need that is a group's built-in; adds to the capability what
 * is not known yet: the answers of each form at each group size, and the first reason of each. Errors: those
 * of building. */
enum red_status red_group_probe_run(struct red_device *device, enum red_need_index need,
                                    enum red_c_standard standard, const struct red_probe_watch *watch,
                                    struct red_capability *capability, struct red_error *error);

/* Whether the need is an idiom of order between groups: one by which a group publishes what others read.
 * OpenCL 1.x promises none of them (API 3.3.4, C 6.15.12.5); litmus tests show what a driver keeps. */
bool red_need_is_of_order(enum red_need_index need);

/* Runs the idiom's litmus tests in this process, each for 0.1 s at most (1 s on a busy CPU), and compiles
 * them first. What was seen stands in the capability's reason. It behaves where weakened twins of its tests
 * are seen, and it is not; where nothing is seen it is not known to behave, and trusted. Tests have their own
 * standards, so that a device is asked once for all. Errors: RED_E_WRONG where a weak outcome was seen;
 * RED_E_UNSUPPORTED of an idiom of 2.x under OpenCL C 1.2; those of building. */
enum red_status red_order_probe_run(struct red_device *device, enum red_need_index need,
                                    enum red_c_standard standard, struct red_capability *capability,
                                    struct red_error *error);

#endif
