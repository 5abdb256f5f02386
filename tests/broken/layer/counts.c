/* Objects made and released, by kind. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "layer.h"

enum kind { CONTEXT, QUEUE, MEMORY, PROGRAM, KERNEL, EVENT, SVM, KINDS_N };
static const char *const names[KINDS_N] = {"contexts", "queues", "memory objects", "programs",
                                           "kernels",  "events", "SVM allocations"};
static atomic_long made[KINDS_N], released[KINDS_N];
static cl_icd_dispatch beyond; /* what was in the table before */

static void *count(enum kind kind, void *object) {
    if (object != NULL)
        made[kind]++;
    return object;
}

static cl_context CL_API_CALL create_context(
    const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *code) {
    return count(CONTEXT, beyond.clCreateContext(properties, n, devices, notify, user, code));
}
static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *code) {
    return count(QUEUE, beyond.clCreateCommandQueue(context, device, properties, code));
}
static cl_command_queue CL_API_CALL create_queue_2(cl_context context, cl_device_id device,
                                                   const cl_queue_properties *properties, cl_int *code) {
    return count(QUEUE, beyond.clCreateCommandQueueWithProperties(context, device, properties, code));
}
static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                                        cl_int *code) {
    return count(MEMORY, beyond.clCreateBuffer(context, flags, bytes, host, code));
}
static cl_mem CL_API_CALL create_pipe(cl_context context, cl_mem_flags flags, cl_uint packet, cl_uint max,
                                      const cl_pipe_properties *properties, cl_int *code) {
    return count(MEMORY, beyond.clCreatePipe(context, flags, packet, max, properties, code));
}
static cl_program CL_API_CALL create_program(cl_context context, cl_uint n, const char **texts,
                                             const size_t *lengths, cl_int *code) {
    return count(PROGRAM, beyond.clCreateProgramWithSource(context, n, texts, lengths, code));
}
static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code) {
    return count(KERNEL, beyond.clCreateKernel(program, name, code));
}
static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const size_t *offset, const size_t *global, const size_t *local,
                                         cl_uint waits_n, const cl_event *waits, cl_event *event) {
    cl_int code = beyond.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits_n,
                                                waits, event);
    if (code == CL_SUCCESS && event != NULL)
        count(EVENT, *event);
    return code;
}
static void *CL_API_CALL svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint align) {
    return count(SVM, beyond.clSVMAlloc(context, flags, bytes, align));
}
static void CL_API_CALL svm_free(cl_context context, void *memory) {
    released[SVM] += memory != NULL;
    beyond.clSVMFree(context, memory);
}

#define RELEASE(kind, function, type)                                                                        \
    static cl_int CL_API_CALL release_##kind(type object) {                                                  \
        released[kind]++;                                                                                    \
        return beyond.function(object);                                                                      \
    }
RELEASE(CONTEXT, clReleaseContext, cl_context)
RELEASE(QUEUE, clReleaseCommandQueue, cl_command_queue)
RELEASE(MEMORY, clReleaseMemObject, cl_mem)
RELEASE(PROGRAM, clReleaseProgram, cl_program)
RELEASE(KERNEL, clReleaseKernel, cl_kernel)
RELEASE(EVENT, clReleaseEvent, cl_event)

void counts_install(cl_icd_dispatch *table) {
    beyond = *table;
    table->clCreateContext = create_context;
    table->clCreateCommandQueue = create_queue;
    table->clCreateCommandQueueWithProperties = create_queue_2;
    table->clCreateBuffer = create_buffer;
    table->clCreatePipe = create_pipe;
    table->clCreateProgramWithSource = create_program;
    table->clCreateKernel = create_kernel;
    table->clEnqueueNDRangeKernel = enqueue_kernel;
    table->clSVMAlloc = svm_alloc;
    table->clSVMFree = svm_free;
    table->clReleaseContext = release_CONTEXT;
    table->clReleaseCommandQueue = release_QUEUE;
    table->clReleaseMemObject = release_MEMORY;
    table->clReleaseProgram = release_PROGRAM;
    table->clReleaseKernel = release_KERNEL;
    table->clReleaseEvent = release_EVENT;
}

void counts_write(const char *path) {
    char line[512];
    int used = snprintf(line, sizeof line, "%ld", (long)getpid());
    for (int kind = 0; kind < KINDS_N; kind++)
        used += snprintf(line + used, sizeof line - (size_t)used, ", %s %ld %ld", names[kind],
                         (long)made[kind], (long)released[kind]);
    line[used++] = '\n';
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (fd >= 0 && write(fd, line, (size_t)used) != used)
        perror(path);
    if (fd >= 0)
        close(fd);
}
