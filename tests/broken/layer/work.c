/* Faults of what a driver does: errors, wrong results, slow launches, crashes and hangs. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "layer.h"

/* Works all the while: behind a nap the processor itself may be slower. */
static void be_slow(void) {
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000LL + now.tv_nsec - begin.tv_nsec < 5000000);
}

/* Takes a second, and says in a file that it has begun. */
static void be_long(void) {
    const struct timespec second = {.tv_sec = 1};
    FILE *file = fopen(getenv("CLREDUCE_FAULT_FILE"), "w");
    if (file != NULL)
        fclose(file);
    nanosleep(&second, NULL);
}

/* What a driver does that starts its compiler by itself, and takes all children for its own. */
static void wait_for_children(void) {
    while (waitpid(-1, NULL, 0) > 0)
        ;
}

/* The functions beneath, counted (counts.c). */
static cl_icd_dispatch beyond;

/* context_lost@N: a launch in groups of N spoils the context, and all that follows in this process fails. */
static bool context_is_lost;

static bool lost(void) {
    return context_is_lost || fault_from_now("device_lost");
}

static cl_context CL_API_CALL create_context(
    const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *code) {
    fault_arm();
    fault_start_helper();
    fault_break("context");
    if (fault_is("context_fails")) {
        *code = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    return beyond.clCreateContext(properties, n, devices, notify, user, code);
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *code) {
    if (fault_is("queue_fails") || (fault_is("profiling_fails") && properties & CL_QUEUE_PROFILING_ENABLE)) {
        *code = CL_INVALID_QUEUE_PROPERTIES;
        return NULL;
    }
    return beyond.clCreateCommandQueue(context, device, properties, code);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                                        cl_int *code) {
    if (fault_now("buffer_fails") || (fault_is("limit_allocation") && bytes > 64 << 20)) {
        *code = fault_is("buffer_fails") ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_INVALID_BUFFER_SIZE;
        return NULL;
    }
    return beyond.clCreateBuffer(context, flags, bytes, host, code);
}

/* ---- blocking writes that return before the buffer has the bytes: late_write ---- */

/* As OpenCL allows (3.0 API, section 5.2.2) and Intel's runtime does. The buffer gets them before the queue's
 * next command that is no such write, or when two more wait. */

enum { LATE_WRITES = 2 };

static struct late_write {
    cl_command_queue queue;
    cl_mem buffer;
    size_t offset, bytes;
    void *copy; /* owned */
} late[LATE_WRITES];
static unsigned late_n;

static void write_first(void) {
    const struct late_write *first = &late[0];
    beyond.clEnqueueWriteBuffer(first->queue, first->buffer, CL_TRUE, first->offset, first->bytes,
                                first->copy, 0, NULL, NULL);
    beyond.clReleaseMemObject(first->buffer);
    free(first->copy);
    late_n--;
    memmove(late, late + 1, late_n * sizeof *late);
}

/* Called before the queue's next command. */
static void write_all(cl_command_queue queue) {
    while (late_n > 0 && late[0].queue == queue)
        write_first();
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                       size_t bytes, const void *value, cl_uint waits_n,
                                       const cl_event *waits, cl_event *event) {
    void *copy = fault_is("late_write") && blocking && event == NULL ? malloc(bytes) : NULL;
    if (copy == NULL || (late_n > 0 && late[0].queue != queue)) {
        free(copy);
        write_all(queue);
        return beyond.clEnqueueWriteBuffer(queue, buffer, blocking, offset, bytes, value, waits_n, waits,
                                           event);
    }
    memcpy(copy, value, bytes);
    if (late_n == LATE_WRITES)
        write_first();
    late[late_n++] = (struct late_write){queue, buffer, offset, bytes, copy};
    return beyond.clRetainMemObject(buffer);
}

static cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                      size_t to_offset, size_t bytes, cl_uint waits_n, const cl_event *waits,
                                      cl_event *event) {
    write_all(queue);
    return beyond.clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, bytes, waits_n, waits, event);
}

/* As NVIDIA's driver behind 4 GiB: nothing is filled there, and nobody is told. */
static cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                      size_t pattern_bytes, size_t offset, size_t bytes, cl_uint waits_n,
                                      const cl_event *waits, cl_event *event) {
    write_all(queue);
    const size_t end = fault_is("fills_short") ? (size_t)1 << 30 : SIZE_MAX;
    if (offset >= end)
        return fault_next->clEnqueueMarkerWithWaitList(queue, waits_n, waits, event);
    return beyond.clEnqueueFillBuffer(queue, buffer, pattern, pattern_bytes, offset,
                                      bytes < end - offset ? bytes : end - offset, waits_n, waits, event);
}

static void *CL_API_CALL svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint align) {
    return fault_is("svm_null") ? NULL : beyond.clSVMAlloc(context, flags, bytes, align);
}

/* ---- building ---- */

static cl_program CL_API_CALL create_from_binary(cl_context context, cl_uint n, const cl_device_id *devices,
                                                 const size_t *bytes, const unsigned char **binaries,
                                                 cl_int *taken, cl_int *code) {
    fault_break("binary");
    return beyond.clCreateProgramWithBinary(context, n, devices, bytes, binaries, taken, code);
}

static cl_int CL_API_CALL build(cl_program program, cl_uint n, const cl_device_id *devices,
                                const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                void *user) {
    fault_break("build");
    if (fault_is("no_compiler"))
        return CL_COMPILER_NOT_AVAILABLE;
    if (fault_from_now("build_fails"))
        return CL_BUILD_PROGRAM_FAILURE;
    if (fault_is("chatters"))
        for (int i = 0; i < 2000; i++)
            printf("fake driver: %d lines on the standard output, and {\"do\": \"nothing\"}\n", i);
    return beyond.clBuildProgram(program, n, devices, options, notify, user);
}

static cl_int CL_API_CALL build_info(cl_program program, cl_device_id device, cl_program_build_info what,
                                     size_t room, void *value, size_t *needed) {
    const size_t bytes = 1 << 20;
    if (what != CL_PROGRAM_BUILD_LOG || !fault_is("build_fails"))
        return beyond.clGetProgramBuildInfo(program, device, what, room, value, needed);
    if (needed != NULL)
        *needed = bytes;
    if (value != NULL) {
        memset(value, '\xff', room < bytes ? room : bytes);
        memcpy(value, "reduce.cl:7:1: error: \x1b[31mfake\n", 32);
        ((char *)value)[(room < bytes ? room : bytes) - 1] = '\0';
    }
    return CL_SUCCESS;
}

/* The built-ins of cl_khr_work_group_uniform_arithmetic that strategies use: Intel's runtime has those of
 * `mul` and declares none of them; it lacks those of bits, which are loops over so many lanes. */
#define DECLARED_MUL                                                                                         \
    "#define MUL(type) type __attribute__((overloadable)) work_group_reduce_mul(type);\n"                    \
    "MUL(int) MUL(uint) MUL(long) MUL(ulong) MUL(float) MUL(double)\n"
#define LOOPS(lanes_n)                                                                                       \
    "#define BITS(name, type, sign, first) \\\n"                                                             \
    "    type __attribute__((overloadable)) work_group_reduce_##name(type x) { \\\n"                         \
    "        type all = first; \\\n"                                                                         \
    "        for (uint lane = 0; lane < " lanes_n                                                            \
    "; lane++) all = all sign work_group_broadcast(x, lane); \\\n"                                           \
    "        return all; }\n"                                                                                \
    "#define OF_TYPE(type) BITS(and, type, &, ~(type)0) BITS(or, type, |, 0) BITS(xor, type, ^, 0)\n"        \
    "OF_TYPE(int) OF_TYPE(uint) OF_TYPE(long) OF_TYPE(ulong)\n"

/* What is put before a text: built-ins in which idle lanes of the last sub-group of 32 count as 0, that start
 * a minimum of doubles with the largest finite one, or of which an exclusive scan for the maximum gives the
 * first item 0 where it must give the least value; fences and orders that do nothing; a function that does
 * not build. */
static const struct {
    const char *fault, *text;
} preludes[] = {
    {"idle_lanes",
     "#define work_group_reduce_min(x) \\\n"
     "    (get_local_size(0) % 32 != 0 && work_group_reduce_min(x) > 0 ? 0 : work_group_reduce_min(x))\n"
     "#define work_group_reduce_max(x) \\\n"
     "    (get_local_size(0) % 32 != 0 && work_group_reduce_max(x) < 0 ? 0 : work_group_reduce_max(x))\n"},
    {"finite_min",
     "#define work_group_reduce_min(x) \\\n"
     "    (sizeof(x) == 8 && work_group_reduce_min(x) == 1.0 / 0.0 ? DBL_MAX : work_group_reduce_min(x))\n"},
    {"exclusive_max",
     "#define FAKE(type) \\\n"
     "    type __attribute__((overloadable)) fake(type r) { return get_local_id(0) == 0 && r < 0 ? 0 : r; }\n"
     "FAKE(int) FAKE(uint) FAKE(long) FAKE(ulong) FAKE(float) FAKE(double)\n"
     "#define work_group_scan_exclusive_max(x) fake(work_group_scan_exclusive_max(x))\n"},
    {"uniform_arithmetic", DECLARED_MUL LOOPS("get_local_size(0)")},
    {"last_bits_lost", DECLARED_MUL LOOPS("(get_local_size(0) - (get_local_size(0) % 32 == 1))")},
    {"empty_fence", "#define atomic_work_item_fence(flags, order, scope)\n"},
    {"relaxed_seq_cst", "#define memory_order_seq_cst memory_order_relaxed\n"},
    {"relaxed_acq_rel", "#define memory_order_acquire memory_order_relaxed\n"
                        "#define memory_order_release memory_order_relaxed\n"
                        "#define memory_order_acq_rel memory_order_relaxed\n"},
    {"group_scope", "#define memory_scope_device memory_scope_work_group\n"},
    {"group_fences", "#define write_mem_fence mem_fence\n#define read_mem_fence mem_fence\n"},
    {"no_exchange", "#define atomic_exchange_explicit(object, value, order, scope) this driver has none\n"},
};

/* What stands in a text in place of something else: a compiler that makes two stores of one of 64 bits, and
 * one that lets a volatile load give what an earlier one gave. */
static const struct {
    const char *fault, *what, *by;
} rewrites[] = {
    {"torn_words", "*((volatile global ulong *)word_x) = 4294967297u;",
     "*((volatile global ulong *)word_x) = 1u; for (volatile int i = 0; i < 500; i++);"
     "*((volatile global ulong *)word_x) = 4294967297u;"},
    {"stale_volatile", "by_volatile ? *word", "by_volatile ? 0"},
};

/* Gives the text with the first `what` replaced, in a buffer of its own; NULL where it does not stand there.
 */
static const char *rewrite(const char *text, const char *what, const char *by) {
    static char made[1 << 18];
    const char *at = strstr(text, what);
    if (at == NULL)
        return NULL;
    snprintf(made, sizeof made, "%.*s%s%s", (int)(at - text), text, by, at + strlen(what));
    return made;
}

static cl_program CL_API_CALL create_from_source(cl_context context, cl_uint n, const char **texts,
                                                 const size_t *lengths, cl_int *code) {
    for (size_t i = 0; i < sizeof rewrites / sizeof rewrites[0] && n == 1; i++) {
        const char *made =
            fault_is(rewrites[i].fault) ? rewrite(texts[0], rewrites[i].what, rewrites[i].by) : NULL;
        if (made != NULL)
            return beyond.clCreateProgramWithSource(context, 1, &made, NULL, code);
    }
    if (n == 1 && lengths == NULL && strstr(texts[0], "atomic_exchange_explicit(") != NULL)
        fault_break("exchange");
    for (size_t i = 0; i < sizeof preludes / sizeof preludes[0] && n == 1; i++) {
        const char *both[2] = {preludes[i].text, texts[0]};
        const size_t both_lengths[2] = {0, lengths != NULL ? lengths[0] : 0};
        if (fault_is(preludes[i].fault))
            return beyond.clCreateProgramWithSource(context, 2, both, both_lengths, code);
    }
    return beyond.clCreateProgramWithSource(context, n, texts, lengths, code);
}

/* ---- running ---- */

/* Whether a kernel reduces by the built-in: a probe names it, a strategy uses the macro that has its name. */
static bool reduces(cl_kernel kernel) {
    static char text[1 << 18];
    cl_program program = NULL;
    text[0] = '\0';
    if (fault_next->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, (void *)&program, NULL) !=
            CL_SUCCESS ||
        fault_next->clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text - 1, text, NULL) != CL_SUCCESS)
        return false;
    const char *define = strstr(text, "RED_WG_REDUCE(");
    return define != NULL ? strstr(define + 1, "RED_WG_REDUCE(") != NULL
                          : strstr(text, "work_group_reduce_") != NULL;
}

static cl_mem arguments[3];
static bool launched;  /* since the last read */
static bool unawaited; /* the host has not waited since the last launch: refuses_unawaited */

/* ---- mapped memory that the host sees late: stale_map@n, of every n-th launch not at all ---- */

static cl_mem mapped;
static unsigned char *truth, *shown; /* what the driver maps, and what the host gets in its place */
static size_t mapped_bytes;
static unsigned long mapped_launches;

/* ---- buffers in the host's memory, by NVIDIA's function: host_buffers. OpenCL lets no kernel write to one
 * that is mapped: no launch is made then. host_buffers@2: they cannot be mapped. ---- */

enum { HOST_BUFFERS_MAX = 64 };
static cl_mem host_buffers[HOST_BUFFERS_MAX]; /* the last ones */
static unsigned host_buffers_made, host_buffers_mapped;

static bool is_host_buffer(cl_mem buffer) {
    for (unsigned i = 0; i < HOST_BUFFERS_MAX; i++)
        if (host_buffers[i] == buffer)
            return true;
    return false;
}

static cl_mem CL_API_CALL create_host_buffer(cl_context context, cl_mem_flags flags, cl_bitfield location,
                                             size_t bytes, void *host, cl_int *code) {
    (void)location;
    return host_buffers[host_buffers_made++ % HOST_BUFFERS_MAX] =
               beyond.clCreateBuffer(context, flags | CL_MEM_ALLOC_HOST_PTR, bytes, host, code);
}

static void *CL_API_CALL extension_function(cl_platform_id platform, const char *name) {
    return fault_is("host_buffers") && strcmp(name, "clCreateBufferNV") == 0
               ? (void *)create_host_buffer
               : beyond.clGetExtensionFunctionAddressForPlatform(platform, name);
}

static void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    cl_map_flags flags, size_t offset, size_t bytes, cl_uint waits_n,
                                    const cl_event *waits, cl_event *event, cl_int *code) {
    if (fault_is("map_fails") || (is_host_buffer(buffer) && fault_number() == 2)) {
        *code = CL_MAP_FAILURE;
        return NULL;
    }
    write_all(queue);
    unawaited = unawaited && !blocking;
    void *memory =
        beyond.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, bytes, waits_n, waits, event, code);
    host_buffers_mapped += memory != NULL && is_host_buffer(buffer);
    if (!fault_is("stale_map") || memory == NULL || (shown = calloc(1, bytes)) == NULL)
        return memory;
    mapped = buffer;
    truth = memory;
    mapped_bytes = bytes;
    return shown;
}

static cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem buffer, void *memory, cl_uint waits_n,
                                const cl_event *waits, cl_event *event) {
    write_all(queue);
    host_buffers_mapped -= is_host_buffer(buffer);
    const bool is_shown = memory == shown && shown != NULL;
    void *real = is_shown ? truth : memory;
    if (is_shown) {
        free(shown);
        shown = NULL;
    }
    return beyond.clEnqueueUnmapMemObject(queue, buffer, real, waits_n, waits, event);
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
    char name[8] = "";
    cl_ulong half;
    if (index < 3 && bytes == sizeof(cl_mem) && value != NULL)
        memcpy(&arguments[index], value, sizeof(cl_mem));
    if (fault_is("loops_end_early") && index == 1 && bytes == sizeof half &&
        fault_next->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
        strcmp(name, "roof") == 0) {
        memcpy(&half, value, sizeof half);
        half /= 2;
        value = &half;
    }
    return beyond.clSetKernelArg(kernel, index, bytes, value);
}

/* Writes over one byte of an argument's buffer, the last one or the first. */
static void spoil(cl_command_queue queue, cl_uint index, bool at_end) {
    static const unsigned char byte = 0x5a;
    size_t bytes = 0;
    if (arguments[index] == NULL ||
        fault_next->clGetMemObjectInfo(arguments[index], CL_MEM_SIZE, sizeof bytes, &bytes, NULL) !=
            CL_SUCCESS ||
        bytes == 0)
        return;
    fault_next->clEnqueueFillBuffer(queue, arguments[index], &byte, 1, at_end ? bytes - 1 : 0, 1, 0, NULL,
                                    NULL);
}

/* The group size that a kernel names, as those of strategies do: others get other code. 0: none. */
static size_t named_size(cl_kernel kernel) {
    cl_device_id device = NULL;
    cl_program program = NULL;
    size_t named[3] = {0};
    if (fault_next->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, (void *)&program, NULL) !=
            CL_SUCCESS ||
        fault_next->clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, (void *)&device, NULL) !=
            CL_SUCCESS)
        return 0;
    (void)fault_next->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                               sizeof named, named, NULL);
    return named[0];
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const size_t *offset, const size_t *global, const size_t *local,
                                         cl_uint waits_n, const cl_event *waits, cl_event *event) {
    fault_break("launch");
    if (fault_is("children_launch"))
        wait_for_children();
    if (fault_now("long_launch"))
        be_long();
    if (fault_is("context_lost") && local != NULL && local[0] == fault_number())
        context_is_lost = true;
    if (lost())
        return CL_DEVICE_NOT_AVAILABLE;
    if (host_buffers_mapped > 0)
        return CL_INVALID_OPERATION;
    if (fault_from_now("launch_fails"))
        return CL_OUT_OF_RESOURCES;
    if (fault_is("limit_group") && local != NULL && local[0] > fault_number())
        return CL_INVALID_WORK_GROUP_SIZE;
    if (fault_is("refuses_unawaited") && unawaited)
        return CL_INVALID_OPERATION;
    const size_t named = fault_is("abort_small") || fault_is("abort_only") ? named_size(kernel) : 0;
    if (named > 0 && (named == fault_number() || (named < fault_number() && fault_is("abort_small"))) &&
        reduces(kernel)) {
        fprintf(stderr, "fake driver: no symbol for a group of this size\n");
        abort();
    }
    const bool waits_for_host = fault_is("times_idle") && !unawaited;
    if (waits_for_host)
        nanosleep(&(struct timespec){.tv_nsec = FAULT_IDLE_NS}, NULL);
    launched = unawaited = true;
    write_all(queue);
    if (shown != NULL && arguments[1] == mapped) {
        memcpy(truth, shown, mapped_bytes);
        mapped_launches++;
    }
    if (fault_from_now("slow_launch"))
        be_slow();
    if (fault_from_now("launch_lost") ||
        (fault_from_now("launch_skipped") && rand() % 2 == 0)) /* says that it went well */
        return fault_next->clEnqueueMarkerWithWaitList(queue, waits_n, waits, event);
    cl_int code = beyond.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits_n,
                                                waits, event);
    fault_idle_event = waits_for_host && event != NULL ? *event : NULL;
    if (fault_from_now("writes_beyond"))
        spoil(queue, 2, true);
    if (fault_from_now("writes_input"))
        spoil(queue, 0, false);
    return code;
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                      size_t bytes, void *value, cl_uint waits_n, const cl_event *waits,
                                      cl_event *event) {
    static unsigned char last[64];
    fault_break("read");
    if (lost())
        return CL_DEVICE_NOT_AVAILABLE;
    if (fault_now("read_fails"))
        return CL_OUT_OF_RESOURCES;
    write_all(queue);
    cl_int code =
        beyond.clEnqueueReadBuffer(queue, buffer, blocking, offset, bytes, value, waits_n, waits, event);
    bool is_answer = launched;
    launched = false;
    unawaited = unawaited && !blocking;
    if (is_answer && fault_from_now("wrong_group") && bytes >= 4)
        ((unsigned char *)value)[(bytes / 4 - 1) / 2 * 4 + 2] ^= 0x40; /* of a group in the middle */
    if (is_answer && fault_is("stale") && bytes <= sizeof last) {
        unsigned char now[sizeof last];
        memcpy(now, value, bytes);
        memcpy(value, last, bytes);
        memcpy(last, now, bytes);
    }
    return code;
}

static cl_int CL_API_CALL wait_for_events(cl_uint n, const cl_event *events) {
    unawaited = false;
    return beyond.clWaitForEvents(n, events);
}

static cl_int CL_API_CALL finish(cl_command_queue queue) {
    fault_break("finish");
    if (lost())
        return CL_DEVICE_NOT_AVAILABLE;
    write_all(queue);
    unawaited = false;
    cl_int code = beyond.clFinish(queue);
    if (shown != NULL && mapped_launches % fault_number() != 0)
        memcpy(shown, truth, mapped_bytes);
    return code;
}

void fault_install_work(cl_icd_dispatch *table) {
    beyond = *table;
    table->clCreateContext = create_context;
    table->clCreateCommandQueue = create_queue;
    table->clCreateBuffer = create_buffer;
    table->clEnqueueFillBuffer = fill_buffer;
    table->clEnqueueWriteBuffer = write_buffer;
    table->clEnqueueCopyBuffer = copy_buffer;
    table->clSVMAlloc = svm_alloc;
    table->clCreateProgramWithSource = create_from_source;
    table->clCreateProgramWithBinary = create_from_binary;
    table->clBuildProgram = build;
    table->clGetProgramBuildInfo = build_info;
    table->clSetKernelArg = set_argument;
    table->clEnqueueNDRangeKernel = enqueue_kernel;
    table->clGetExtensionFunctionAddressForPlatform = extension_function;
    table->clEnqueueMapBuffer = map_buffer;
    table->clEnqueueUnmapMemObject = unmap;
    table->clEnqueueReadBuffer = read_buffer;
    table->clWaitForEvents = wait_for_events;
    table->clFinish = finish;
}
