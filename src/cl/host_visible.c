/* Makes host-visible memory (finishes `svm`, `polled`, `persistent`, and probes), waits for flags in it
 * (`polled`, and probes), and is the host's end of the mailbox of `persistent` (cl/finish_shared.c). The
 * waiting is part of a cell's time to answer; an OpenCL error is the reason of the cell, or of the capability
 * in `devices`. */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "cl/cl_private.h"
#include "core/clock.h"

/* Whether the driver has no fine-grained shared virtual memory; so, too, where it has none at all. */
static bool svm_is_coarse(const struct red_device *device) {
    cl_device_svm_capabilities capabilities = 0;
    (void)clGetDeviceInfo(device->cl_device, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities, &capabilities,
                          NULL);
    return !(capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
}

/* Makes shared virtual memory, all zero, and a buffer over it. */
static cl_int svm_create(const struct red_device *device, enum red_host_visible_kind kind, size_t bytes,
                         struct red_host_visible *shared) {
    const struct red_newer_functions *newer = &device->newer;
    cl_svm_mem_flags flags = CL_MEM_READ_WRITE;
    cl_int code = CL_SUCCESS;
    shared->last_call = newer->svm_alloc == NULL            ? "clSVMAlloc"
                        : newer->svm_free == NULL           ? "clSVMFree"
                        : newer->set_kernel_arg_svm == NULL ? "clSetKernelArgSVMPointer"
                        : newer->enqueue_svm_map == NULL    ? "clEnqueueSVMMap"
                        : newer->enqueue_svm_unmap == NULL  ? "clEnqueueSVMUnmap"
                                                            : NULL;
    if (shared->last_call != NULL)
        return RED_CL_NO_FUNCTION;
    shared->is_svm = true;
    shared->is_coarse = kind == RED_HOST_VISIBLE_SVM && svm_is_coarse(device);
    if (kind == RED_HOST_VISIBLE_SVM_ATOMIC)
        flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    else if (kind == RED_HOST_VISIBLE_SVM_FINE || !shared->is_coarse)
        flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER;
    shared->last_call = "clSVMAlloc";
    shared->memory = newer->svm_alloc(device->context, flags, bytes, 0);
    if (shared->memory == NULL)
        return RED_CL_NULL;
    shared->last_call = "clEnqueueSVMMap";
    if (shared->is_coarse)
        code = newer->enqueue_svm_map(device->queue, CL_TRUE, CL_MAP_WRITE, shared->memory, bytes, 0, NULL,
                                      NULL);
    if (code == CL_SUCCESS)
        memset(shared->memory, 0, bytes);
    if (shared->is_coarse && code == CL_SUCCESS) {
        shared->last_call = "clEnqueueSVMUnmap";
        code = newer->enqueue_svm_unmap(device->queue, shared->memory, 0, NULL, NULL);
    }
    if (code != CL_SUCCESS)
        return code;
    shared->last_call = "clCreateBuffer over shared virtual memory";
    shared->buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes,
                                    shared->memory, &code);
    return code;
}

cl_int red_host_buffer_create(const struct red_device *device, size_t bytes, cl_mem *buffer) {
    const cl_bitfield location_host_nv = 1; /* CL_MEM_LOCATION_HOST_NV */
    cl_int code;
    *buffer =
        device->newer.create_buffer_nv != NULL
            ? device->newer.create_buffer_nv(device->context, CL_MEM_READ_WRITE, location_host_nv, bytes,
                                             NULL, &code)
            : clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    return code;
}

/* Makes a buffer in the host's memory, all zero, that stays mapped. */
static cl_int mapped_buffer_create(const struct red_device *device, size_t bytes,
                                   struct red_host_visible *shared) {
    shared->last_call =
        device->newer.create_buffer_nv != NULL ? "clCreateBufferNV" : "clCreateBuffer in the host's memory";
    cl_int code = red_host_buffer_create(device, bytes, &shared->buffer);
    if (code != CL_SUCCESS)
        return code;
    shared->last_call = "clEnqueueMapBuffer";
    shared->memory = clEnqueueMapBuffer(device->queue, shared->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                        bytes, 0, NULL, NULL, &code);
    if (code == CL_SUCCESS)
        memset(shared->memory, 0, bytes);
    return code;
}

cl_int red_host_visible_create(const struct red_device *device, enum red_host_visible_kind kind, size_t bytes,
                               struct red_host_visible *shared) {
    *shared = (struct red_host_visible){.memory = NULL};
    return kind == RED_HOST_VISIBLE_HOST ? mapped_buffer_create(device, bytes, shared)
                                         : svm_create(device, kind, bytes, shared);
}

void red_host_visible_destroy(const struct red_device *device, struct red_host_visible *shared) {
    if (shared->memory == NULL && shared->buffer == NULL)
        return;
    clFinish(device->queue); /* what still uses it must have ended */
    clFinish(device->profiling);
    if (!shared->is_svm && shared->memory != NULL)
        clEnqueueUnmapMemObject(device->queue, shared->buffer, shared->memory, 0, NULL, NULL);
    clFinish(device->queue);
    if (shared->buffer != NULL)
        clReleaseMemObject(shared->buffer);
    if (shared->is_svm && shared->memory != NULL)
        device->newer.svm_free(device->context, shared->memory);
    *shared = (struct red_host_visible){.memory = NULL};
}

cl_int red_host_visible_set_arg(const struct red_device *device, cl_kernel kernel, cl_uint i,
                                const struct red_host_visible *shared) {
    return shared->is_svm ? device->newer.set_kernel_arg_svm(kernel, i, shared->memory)
                          : clSetKernelArg(kernel, i, sizeof shared->buffer, &shared->buffer);
}

/* One turn of a waiting loop: the pause instruction, which leaves more of the core to its other thread. */
static void spin_once(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static uint32_t load_acquire(uint32_t *word) {
    return atomic_load_explicit((_Atomic uint32_t *)word, memory_order_acquire);
}

static void store_release(uint32_t *word, uint32_t value) {
    atomic_store_explicit((_Atomic uint32_t *)word, value, memory_order_release);
}

/* Turns of a waiting loop between two looks at the clock. */
enum { SPINS_PER_LOOK = 64 };

/* For cl/probe.c: the reason in `devices` says how late the value came. */
double red_host_visible_lateness_s(uint32_t *flag, double max_s) {
    const double start_s = red_clock_s();
    double now_s = start_s;
    while (load_acquire(flag) == 0 && now_s - start_s < max_s) {
        sched_yield();
        now_s = red_clock_s();
    }
    return now_s - start_s;
}

cl_int red_host_visible_await_flag(const struct red_device *device, cl_command_queue queue, uint32_t *flag) {
    const double start_s = red_clock_s(), spin_max_s = device->info.shape.is_cpu ? 30e-6 : 10e-3;
    cl_int code = load_acquire(flag) == 0 ? clFlush(queue) : CL_SUCCESS;
    for (unsigned spins = 1; code == CL_SUCCESS && load_acquire(flag) == 0; spins++) {
        spin_once();
        if (spins % SPINS_PER_LOOK != 0 || red_clock_s() - start_s < spin_max_s)
            continue;
        code = clFinish(queue);
        if (code == CL_SUCCESS && load_acquire(flag) == 0)
            code = CL_INVALID_OPERATION;
    }
    return code;
}

/* ---- mailbox: `host` is a plan's (plan->mailbox) ---- */

/* Looks of the kernel at the mailbox per unit of patience. */
enum { LOOKS = 2048 };
static const double SPIN_MAX_S = 30e-6;

void red_mailbox_send_request(struct red_mailbox_host *host, const void *const arrays[2], uint64_t n) {
    for (unsigned i = 0; i < 2; i++)
        host->mailbox->arrays[i] = (uint64_t)(uintptr_t)arrays[i];
    host->mailbox->n = n;
    store_release(&host->mailbox->patience, LOOKS * host->patience);
    if (++host->request == 0) /* 0 has a meaning of its own */
        host->request++;
    store_release(&host->mailbox->asked, host->request);
}

void red_mailbox_prepare_launch(struct red_mailbox_host *host) {
    if (++host->launch == 0) /* what no launch has left */
        host->launch++;
    store_release(&host->mailbox->answered, host->request - 1);
    store_release(&host->mailbox->left, 0);
    store_release(&host->mailbox->launch, host->launch);
}

/* Whether the launch says that it does not look any more. */
static bool launch_has_left(const struct red_mailbox_host *host) {
    return load_acquire(&host->mailbox->left) == host->launch;
}

void red_mailbox_note_whether_late(struct red_mailbox_host *host) {
    host->is_late = launch_has_left(host);
}

bool red_mailbox_launch_waits(const struct red_mailbox_host *host) {
    return host->launched != NULL && !launch_has_left(host);
}

/* Whether the last request that was sent is answered. */
static bool request_is_answered(const struct red_mailbox_host *host) {
    return load_acquire(&host->mailbox->answered) == host->request;
}

/* CL_SUCCESS while the launch may still answer; its own error, or CL_INVALID_OPERATION once it has ended. */
static cl_int check_launch_runs(cl_event event) {
    cl_int state = CL_COMPLETE;
    cl_int code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code != CL_SUCCESS)
        return code;
    if (state != CL_COMPLETE)
        return state < 0 ? state : CL_SUCCESS;
    /* The query alone makes nothing visible (OpenCL 3.0 API, section 5.9). */
    code = clWaitForEvents(1, &event);
    return code != CL_SUCCESS ? code : CL_INVALID_OPERATION;
}

cl_int red_mailbox_await_answer(struct red_mailbox_host *host, bool *left) {
    const double start_s = red_clock_s();
    cl_int code = CL_SUCCESS;
    *left = false;
    for (unsigned spins = 1; code == CL_SUCCESS && !*left && !request_is_answered(host); spins++) {
        spin_once();
        *left = launch_has_left(host);
        if (spins % SPINS_PER_LOOK != 0 || *left || red_clock_s() - start_s < SPIN_MAX_S)
            continue;
        code = check_launch_runs(host->launched);
        sched_yield();
    }
    /* It may have answered, or gone, and then ended, between the looks. */
    *left = launch_has_left(host);
    host->answers = request_is_answered(host);
    if (!host->answers)
        return *left ? CL_SUCCESS : code;
    *left = false;
    return CL_SUCCESS;
}

/* Before a plan's data or outputs change, and at its end: cl/plan.c, finish.c, resident.c,
 * case_check.c. */
void red_mailbox_end_launch(struct red_mailbox_host *host) {
    if (host->launched == NULL)
        return;
    store_release(&host->mailbox->asked, 0);
    clWaitForEvents(1, &host->launched);
    clReleaseEvent(host->launched);
    host->launched = NULL;
}
