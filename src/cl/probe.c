/* Builds and runs a probe kernel for each need (kernels_cl12/lib/probes.cl; cl/group_probe.c of a group's
 * built-ins, cl/progress.c of waits between groups, cl/order_probe.c of order between them). Asked for by
 * worker/server.c (question `probe`; after a crash one as a check of health) and, in a process that was not
 * told, by a plan (probe_here in cl/device.c). `devices` prints the answers and, below its table, the
 * reasons; what lacks a need is `unsupported`. `run` is sum_probe_run's. */
#include "cl/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "cl/progress.h"
#include "core/clock.h"
#include "model/catalogue.h"

/* Every probe but those of a group's built-ins adds up `in`: one sum per group in out[group], or the sum of
 * all in out[0]; a wide one in the 64 bits of out[0] and out[1]. These start above 2^32 with a full lower
 * half: the sum carries into the upper one, and the first guess is right in the lower half only. */
enum probe_result {
    PROBE_PER_GROUP = 0,
    PROBE_TOTAL,
    PROBE_TOTAL_WIDE,
    PROBE_TOTAL_FLOAT, /* of the lowest bytes of `in`, as a float in out[0] */
    PROBE_TOTAL_DOUBLE /* the same as a double in out[0] and out[1] */
};

/* How the kernel is launched, where that is what is probed. */
enum probe_way {
    PROBE_PLAIN = 0,
    PROBE_SVM,            /* `out` is shared virtual memory, read without a read command */
    PROBE_SVM_FINE,       /* and without being mapped */
    PROBE_SVM_POLLED,     /* and before the kernel has ended, as soon as it has set the flag, word 2 */
    PROBE_HOST_POLLED,    /* the same in a buffer that lies in the host's memory */
    PROBE_SVM_SYSTEM,     /* as SVM_POLLED, and `in` is an array that OpenCL was never told of */
    PROBE_DEVICE_QUEUE,   /* there is a default on-device queue */
    PROBE_RAGGED,         /* the last group is smaller than the others */
    PROBE_PIPE,           /* through a pipe to the kernel `drain`, one item */
    PROBE_COMMAND_BUFFER, /* recorded, then replayed twice */
    PROBE_LOCAL_ARGUMENT, /* its third argument is local memory */
};

struct probe_kind {
    enum probe_result result;
    enum probe_way way;
};

/* How the kernel of each need that is no built-in of a group is launched and judged: what is not listed has a
 * plain launch, and a sum per group. The kernels stand in kernels_cl12/lib/probes.cl. */
static const struct probe_kind probe_kinds[RED_NEEDS_N] = {
    [RED_NEED_INDEX_LOCAL_ARGUMENT] = {PROBE_PER_GROUP, PROBE_LOCAL_ARGUMENT},
    [RED_NEED_INDEX_CAS32] = {PROBE_TOTAL, PROBE_PLAIN},
    [RED_NEED_INDEX_CAS64] = {PROBE_TOTAL_WIDE, PROBE_PLAIN},
    [RED_NEED_INDEX_XCHG32] = {PROBE_TOTAL, PROBE_PLAIN},
    [RED_NEED_INDEX_XCHG64] = {PROBE_TOTAL_WIDE, PROBE_PLAIN},
    [RED_NEED_INDEX_ATOMIC32] = {PROBE_TOTAL, PROBE_PLAIN},
    [RED_NEED_INDEX_ATOMIC64] = {PROBE_TOTAL_WIDE, PROBE_PLAIN},
    [RED_NEED_INDEX_C11_DEVICE32] = {PROBE_TOTAL, PROBE_PLAIN},
    [RED_NEED_INDEX_C11_DEVICE64] = {PROBE_TOTAL_WIDE, PROBE_PLAIN},
    [RED_NEED_INDEX_C11_ALL_DEVICES] = {PROBE_TOTAL, PROBE_PLAIN},
    [RED_NEED_INDEX_C11_ACQ_REL] = {PROBE_TOTAL, PROBE_PLAIN},
    [RED_NEED_INDEX_C11_SEQ_CST] = {PROBE_TOTAL, PROBE_PLAIN},
    [RED_NEED_INDEX_FLOAT_ATOMICS32] = {PROBE_TOTAL_FLOAT, PROBE_PLAIN},
    [RED_NEED_INDEX_FLOAT_ATOMICS64] = {PROBE_TOTAL_DOUBLE, PROBE_PLAIN},
    [RED_NEED_INDEX_SVM] = {PROBE_PER_GROUP, PROBE_SVM},
    [RED_NEED_INDEX_SVM_FINE] = {PROBE_PER_GROUP, PROBE_SVM_FINE},
    [RED_NEED_INDEX_HOST_VISIBLE] = {PROBE_TOTAL, PROBE_HOST_POLLED},
    [RED_NEED_INDEX_SVM_POLLED] = {PROBE_TOTAL, PROBE_SVM_POLLED},
    [RED_NEED_INDEX_SVM_SYSTEM] = {PROBE_TOTAL, PROBE_SVM_SYSTEM},
    [RED_NEED_INDEX_DEVICE_ENQUEUE] = {PROBE_PER_GROUP, PROBE_DEVICE_QUEUE},
    [RED_NEED_INDEX_PROGRAM_SCOPE] = {PROBE_TOTAL, PROBE_PLAIN},
    [RED_NEED_INDEX_NON_UNIFORM] = {PROBE_PER_GROUP, PROBE_RAGGED},
    [RED_NEED_INDEX_PIPES] = {PROBE_TOTAL, PROBE_PIPE},
    [RED_NEED_INDEX_COMMAND_BUFFER] = {PROBE_PER_GROUP, PROBE_COMMAND_BUFFER},
};

enum {
    PROBE_FLAG = 2,
    PROBE_GROUPS_N = 5,
    PROBE_GROUP_MAX = 128,
    PROBE_ITEMS_MAX = 5 * 128,
    PROBE_OUT_N = 2 * PROBE_GROUPS_N
};

static const cl_ulong wide_start = 0x4ffffffff;

/* So long after clFinish a polled flag is waited for, to say whether it is late or lost. */
static const double LATE_MAX_S = 0.05;

/* The words of out: what the probe starts with, and what it must leave. */
struct probe_out {
    cl_uint start[PROBE_OUT_N], expected[PROBE_OUT_N], got[PROBE_OUT_N];
};

struct probe_run {
    struct red_device *device;
    const struct probe_kind *probe;
    cl_kernel kernel, drain; /* drain: of a pipe's probe */
    cl_mem in, out, pipe;
    struct red_host_visible shared; /* out as memory that the host sees, too */
    const char *last_call;          /* what an error is of */
    double late_s; /* how long after clFinish the kernel's flag was waited for; 0: it was there */
    cl_uint data[PROBE_ITEMS_MAX];
    struct probe_out words;
};

/* How many items are launched: of a ragged launch the last group has half of them. */
static size_t items_n(const struct probe_kind *probe, size_t group_size) {
    return PROBE_GROUPS_N * group_size - (probe->way == PROBE_RAGGED ? group_size / 2 : 0);
}

/* Sets the words with which `out` starts, and those that the probe must leave there. */
static void set_start_and_expected_words(struct probe_run *run, size_t group_size) {
    cl_ulong wide = wide_start;
    double bytes = 0;
    struct probe_out *out = &run->words;
    *out = (struct probe_out){.start = {0}};
    for (size_t i = 0; i < items_n(run->probe, group_size); i++) {
        wide += run->data[i];
        bytes += run->data[i] & 0xff;
        out->expected[run->probe->result == PROBE_PER_GROUP ? i / group_size : 0] += run->data[i];
    }
    const float narrow_bytes = (float)bytes;
    if (run->probe->result == PROBE_TOTAL_WIDE) {
        memcpy(out->start, &wide_start, sizeof wide_start);
        memcpy(out->expected, &wide, sizeof wide);
    } else if (run->probe->result == PROBE_TOTAL_FLOAT)
        memcpy(out->expected, &narrow_bytes, sizeof narrow_bytes);
    else if (run->probe->result == PROBE_TOTAL_DOUBLE)
        memcpy(out->expected, &bytes, sizeof bytes);
}

/* The kinds of memory that the host sees, by the way that asks for them. */
static const struct {
    bool is_shared, is_direct, is_polled; /* direct: not mapped for it; polled: while the kernel runs */
    enum red_host_visible_kind kind;
} memories[] = {
    [PROBE_SVM] = {true, false, false, RED_HOST_VISIBLE_SVM},
    [PROBE_SVM_FINE] = {true, true, false, RED_HOST_VISIBLE_SVM_FINE},
    [PROBE_SVM_POLLED] = {true, true, true, RED_HOST_VISIBLE_SVM_ATOMIC},
    [PROBE_SVM_SYSTEM] = {true, true, true, RED_HOST_VISIBLE_SVM_ATOMIC},
    [PROBE_HOST_POLLED] = {true, true, true, RED_HOST_VISIBLE_HOST},
    [PROBE_COMMAND_BUFFER] = {false, false, false, RED_HOST_VISIBLE_SVM},
    [PROBE_LOCAL_ARGUMENT] = {false, false, false, RED_HOST_VISIBLE_SVM},
};

/* Copies the words to out or, when the probe has answered, from it, where host and kernel use the same memory
 * without mapping. */
static cl_int copy_words_without_mapping(struct probe_run *run, bool to_device, cl_uint *words) {
    cl_uint *memory = run->shared.memory;
    const size_t bytes = sizeof run->words.start;
    if (to_device) {
        memcpy(memory, words, bytes);
        return CL_SUCCESS;
    }
    const bool is_polled = memories[run->probe->way].is_polled;
    run->last_call = "clFinish";
    cl_int code = is_polled
                      ? red_host_visible_await_flag(run->device, run->device->queue, &memory[PROBE_FLAG])
                      : clFinish(run->device->queue);
    if (is_polled && code == CL_INVALID_OPERATION) /* what clFinish never says */
        run->late_s = red_host_visible_lateness_s(&memory[PROBE_FLAG], LATE_MAX_S);
    if (is_polled)
        *(volatile cl_uint *)&memory[PROBE_FLAG] = 0;
    memcpy(words, memory, bytes);
    return code;
}

/* Copies the words to out or from it. Shared virtual memory is mapped for it, which coarse-grained memory
 * needs. */
static cl_int copy_words(struct probe_run *run, bool to_device, cl_uint *words) {
    cl_command_queue queue = run->device->queue;
    const size_t bytes = sizeof run->words.start;
    void *const memory = run->shared.memory;
    run->last_call = to_device ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer";
    if (memory == NULL)
        return to_device ? red_cl_write(queue, run->out, 0, words, bytes)
                         : red_cl_read(queue, run->out, 0, words, bytes);
    if (memories[run->probe->way].is_direct)
        return copy_words_without_mapping(run, to_device, words);
    run->last_call = "clEnqueueSVMMap";
    cl_int code = run->device->newer.enqueue_svm_map(queue, CL_TRUE, to_device ? CL_MAP_WRITE : CL_MAP_READ,
                                                     memory, bytes, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return code;
    memcpy(to_device ? memory : words, to_device ? words : memory, bytes);
    run->last_call = "clEnqueueSVMUnmap";
    return red_cl_wait(queue, run->device->newer.enqueue_svm_unmap(queue, memory, 0, NULL, NULL));
}

/* Records the launch, replays it twice and waits: the second time it finds what the first has left. Unless it
 * was made for it, a command buffer must not be enqueued while it is still at work. */
static cl_int record_and_replay_twice(struct probe_run *run, size_t global, size_t group_size) {
    const struct red_newer_functions *newer = &run->device->newer;
    cl_command_queue queue = run->device->queue;
    cl_int code;
    run->last_call = "clCreateCommandBufferKHR";
    red_command_buffer commands = newer->create_command_buffer(1, &queue, NULL, &code);
    if (code == CL_SUCCESS) {
        run->last_call = "clCommandNDRangeKernelKHR";
        code = newer->command_ndrange(commands, NULL, NULL, run->kernel, 1, NULL, &global, &group_size, 0,
                                      NULL, NULL, NULL);
    }
    if (code == CL_SUCCESS) {
        run->last_call = "clFinalizeCommandBufferKHR";
        code = newer->finalize_command_buffer(commands);
    }
    for (int i = 0; i < 2 && code == CL_SUCCESS; i++) {
        run->last_call = "clEnqueueCommandBufferKHR";
        code = newer->enqueue_command_buffer(0, NULL, commands, 0, NULL, NULL);
        code = red_cl_wait(queue, code);
    }
    if (commands != NULL)
        newer->release_command_buffer(commands);
    return code;
}

/* Launches the probe, and of a pipe the kernel that drains it. */
static cl_int launch_probe(struct probe_run *run, size_t global, size_t group_size) {
    cl_command_queue queue = run->device->queue;
    if (run->probe->way == PROBE_COMMAND_BUFFER)
        return record_and_replay_twice(run, global, group_size);
    run->last_call = "clEnqueueNDRangeKernel";
    cl_int code = red_cl_launch(queue, run->kernel, global, group_size, NULL);
    const cl_uint packets_n = (cl_uint)global;
    if (code == CL_SUCCESS && run->drain != NULL)
        code = clSetKernelArg(run->drain, 2, sizeof packets_n, &packets_n);
    if (code == CL_SUCCESS && run->drain != NULL)
        code = red_cl_launch(queue, run->drain, 1, 1, NULL);
    return code;
}

/* Says how long after clFinish the host saw the flag that the kernel stores last, or that it did not. */
static enum red_status fail_late(const struct probe_run *run, struct red_error *error) {
    if (run->late_s < LATE_MAX_S)
        return red_fail(error, RED_E_WRONG,
                        "clFinish returned %.2g ms before the host saw what the kernel stored",
                        1e3 * run->late_s);
    return red_fail(error, RED_E_WRONG,
                    "the host does not see what the kernel stored, %.0f ms after clFinish", 1e3 * LATE_MAX_S);
}

/* Runs 5 groups of this size and compares what they leave in `out`. */
static enum red_status probe_at_size(struct probe_run *run, size_t group_size, struct red_error *error) {
    const struct probe_out *words = &run->words;
    set_start_and_expected_words(run, group_size);
    run->late_s = 0;
    cl_int code = copy_words(run, true, run->words.start);
    if (code == CL_SUCCESS)
        code = launch_probe(run, items_n(run->probe, group_size), group_size);
    if (code == CL_SUCCESS)
        code = copy_words(run, false, run->words.got);
    if (run->late_s > 0)
        return fail_late(run, error);
    enum red_status status = red_cl_check(code, run->last_call, error);
    for (size_t i = 0; i < PROBE_OUT_N && status == RED_OK; i++)
        if (words->got[i] != words->expected[i])
            status = red_fail(error, RED_E_WRONG, "word %zu: expected %u, got %u", i, words->expected[i],
                              words->got[i]);
    return status;
}

/* The largest group that the driver, when asked, gives this kernel: its registers or a barrier may allow less
 * than the device does. */
static size_t kernel_group_size_max(const struct red_device *device, cl_kernel kernel) {
    size_t max = device->info.shape.group_size_max, kernel_max = 0;
    if (clGetKernelWorkGroupInfo(kernel, device->cl_device, CL_KERNEL_WORK_GROUP_SIZE, sizeof kernel_max,
                                 &kernel_max, NULL) == CL_SUCCESS &&
        kernel_max > 0 && kernel_max < max)
        max = kernel_max;
    return max;
}

/* Makes the on-device queue if the probe is of that. RED_E_UNSUPPORTED, and no launch is tried, where the
 * driver lacks what the way of launching needs beside the kernel. */
static enum red_status prepare_way_of_launch(const struct probe_run *run, struct red_error *error) {
    const struct red_newer_functions *newer = &run->device->newer;
    enum probe_way way = run->probe->way;
    if (way == PROBE_PIPE && newer->create_pipe == NULL)
        return red_fail(error, RED_E_UNSUPPORTED, "no clCreatePipe");
    if (way == PROBE_COMMAND_BUFFER &&
        (newer->create_command_buffer == NULL || newer->command_ndrange == NULL ||
         newer->finalize_command_buffer == NULL || newer->enqueue_command_buffer == NULL ||
         newer->release_command_buffer == NULL))
        return red_fail(error, RED_E_UNSUPPORTED, "no clCreateCommandBufferKHR");
    /* A device may crash the process when it gets a host address that it does not know. */
    if (way == PROBE_SVM_SYSTEM && red_device_advertises(run->device, RED_NEED_INDEX_SVM_SYSTEM) != RED_YES)
        return red_fail(error, RED_E_UNSUPPORTED, "the driver does not say CL_DEVICE_SVM_FINE_GRAIN_SYSTEM");
    if (way == PROBE_DEVICE_QUEUE &&
        red_device_advertises(run->device, RED_NEED_INDEX_DEVICE_ENQUEUE) == RED_NO)
        return red_fail(error, RED_E_UNSUPPORTED, "the driver says no; one that does hangs if it is tried");
    return way == PROBE_DEVICE_QUEUE ? red_on_device_queue_make(run->device, error) : RED_OK;
}

/* Makes out and sets it as second argument, as a buffer or as shared memory; or the pipe, and the drain's
 * two. Sets the local memory that is an argument. */
static cl_int make_and_set_out(struct probe_run *run) {
    const struct red_device *device = run->device;
    const size_t bytes = sizeof run->words.start;
    cl_int code = CL_SUCCESS;
    if (memories[run->probe->way].is_shared) {
        code = red_host_visible_create(device, memories[run->probe->way].kind, bytes, &run->shared);
        run->last_call = code != CL_SUCCESS   ? run->shared.last_call
                         : run->shared.is_svm ? "clSetKernelArgSVMPointer"
                                              : "clSetKernelArg";
        return code == CL_SUCCESS ? red_host_visible_set_arg(device, run->kernel, 1, &run->shared) : code;
    }
    run->last_call = "clCreateBuffer";
    run->out = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS && run->probe->way == PROBE_PIPE) {
        run->last_call = "clCreatePipe";
        run->pipe =
            device->newer.create_pipe(device->context, 0, sizeof(cl_uint), PROBE_ITEMS_MAX, NULL, &code);
    }
    if (code != CL_SUCCESS)
        return code;
    run->last_call = "clSetKernelArg";
    if (run->probe->way == PROBE_LOCAL_ARGUMENT)
        code = clSetKernelArg(run->kernel, 2, PROBE_GROUP_MAX * sizeof(cl_uint), NULL);
    if (code != CL_SUCCESS)
        return code;
    if (run->probe->way != PROBE_PIPE)
        return clSetKernelArg(run->kernel, 1, sizeof run->out, &run->out);
    code = clSetKernelArg(run->kernel, 1, sizeof run->pipe, &run->pipe);
    const struct red_cl_argument of_drain[] = {{sizeof run->out, &run->out}, {sizeof run->pipe, &run->pipe}};
    return code == CL_SUCCESS ? red_cl_set_arguments(run->drain, 0, of_drain, 2) : code;
}

/* Sets the first argument: in, a buffer that is made here, or the host's own array. */
static cl_int make_and_set_in(struct probe_run *run) {
    cl_int code;
    run->last_call =
        run->probe->way == PROBE_SVM_SYSTEM ? "clSetKernelArgSVMPointer of an array" : "clCreateBuffer";
    if (run->probe->way == PROBE_SVM_SYSTEM)
        return run->device->newer.set_kernel_arg_svm(run->kernel, 0, run->data);
    run->in = clCreateBuffer(run->device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof run->data,
                             run->data, &code);
    if (code != CL_SUCCESS)
        return code;
    run->last_call = "clSetKernelArg";
    return clSetKernelArg(run->kernel, 0, sizeof run->in, &run->in);
}

/* `watch` is worker/server.c's report_probe_step: after a crash the reason in `devices` names the step, and
 * the next worker's probe goes on behind it. */
bool red_probe_begin_unless_asked(const struct red_probe_watch *watch,
                                  const struct red_capability *capability, size_t form, unsigned size_i) {
    const struct red_group_sizes *sizes = &capability->forms[form].sizes;
    if (sizes->asked >> size_i & 1)
        return false;
    if (watch != NULL)
        watch->enter(watch->context, capability, form, size_i, red_probed_group_size(size_i, sizes->largest));
    return true;
}

/* The group sizes of what is judged as a whole, then more, so that each kind of size is asked. */
static const size_t usual_sizes[] = {32, 1, 7, 100, 128, 2, 96};
enum { WHOLE_N = 5, USUAL_N = sizeof usual_sizes / sizeof usual_sizes[0] };

/* Whether the size is among the first of the usual ones. A group of one item has no smaller last one. */
static bool is_asked(const struct probe_run *run, size_t usual_n, size_t size) {
    size_t at = 0;
    while (at < usual_n && usual_sizes[at] != size)
        at++;
    return at < usual_n && !(run->probe->way == PROBE_RAGGED && size == 1);
}

/* The largest group size that is probed. */
static size_t probed_size_max(const struct probe_run *run) {
    const size_t max = kernel_group_size_max(run->device, run->kernel);
    return max < PROBE_GROUP_MAX ? max : PROBE_GROUP_MAX;
}

/* Runs the probe of what is polled at its sizes in turn until the answers suffice: they may depend on the
 * moment. An error where any was wrong. */
static enum red_status probe_again_and_again(struct probe_run *run, const struct red_probe_watch *watch,
                                             struct red_capability *capability, struct red_error *error) {
    struct red_repeats *repeats = &capability->repeats;
    const size_t largest = probed_size_max(run);
    const double start_s = red_clock_s();
    unsigned sizes_i[RED_GROUP_SIZES_N], sizes_n = 0;
    char reason[sizeof capability->reason] = "";
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++)
        if (is_asked(run, WHOLE_N, red_probed_group_size(i, largest)))
            sizes_i[sizes_n++] = i;
    for (size_t at = 0; !red_repeats_suffice(repeats, sizes_n, red_clock_s() - start_s);) {
        struct red_error found = {.text = ""};
        const size_t size = red_probed_group_size(sizes_i[at], largest);
        if (watch != NULL)
            watch->enter(watch->context, capability, 0, sizes_i[at], size);
        const bool is_right = probe_at_size(run, size, &found) == RED_OK;
        red_repeats_add(repeats, sizes_i[at], is_right);
        if (!is_right && reason[0] == '\0')
            snprintf(reason, sizeof reason, "group size %zu: %.*s", size, 100, found.text);
        at = is_right ? (at + 1) % sizes_n : at;
    }
    if (repeats->right_n == repeats->asked_n)
        return RED_OK;
    if (!red_repeats_differ(repeats))
        return red_fail(error, RED_E_WRONG, "%s", reason);
    return red_fail(error, RED_E_WRONG, "right %u of %u times; %s", repeats->right_n, repeats->asked_n,
                    reason);
}

/* Runs the probe at several sizes and records the answers. What has no form is judged as a whole: by the
 * first size that is wrong. */
static enum red_status probe_at_sizes(struct probe_run *run, const struct red_probe_watch *watch,
                                      struct red_capability *capability, struct red_error *error) {
    const size_t usual_n = capability->forms_n > 0 ? USUAL_N : WHOLE_N;
    struct red_form_findings whole = {.crashed_n = 0},
                             *form = capability->forms_n > 0 ? capability->forms : &whole;
    form->sizes.largest = probed_size_max(run);
    for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++) {
        struct red_error found = {.text = ""};
        size_t size = red_probed_group_size(i, form->sizes.largest);
        if (!is_asked(run, usual_n, size))
            continue;
        if (form == &whole && watch != NULL)
            watch->enter(watch->context, capability, 0, i, size);
        else if (form != &whole && !red_probe_begin_unless_asked(watch, capability, 0, i))
            continue;
        enum red_status status = probe_at_size(run, size, &found);
        red_form_record(form, i, status, found.text);
        if (form == &whole && status != RED_OK)
            return red_fail(error, status, "%s", form->reason);
    }
    return RED_OK;
}

/* Makes the buffers of a kernel that was built, and runs it at all sizes. */
static enum red_status prepare_and_probe(struct probe_run *run, const struct red_probe_watch *watch,
                                         struct red_capability *capability, struct red_error *error) {
    enum red_status status = prepare_way_of_launch(run, error);
    if (status != RED_OK)
        return status;
    for (cl_uint i = 0; i < PROBE_ITEMS_MAX; i++)
        run->data[i] = i * i + 1;
    cl_int code = make_and_set_in(run);
    if (code == CL_SUCCESS)
        code = make_and_set_out(run);
    status = red_cl_check(code, run->last_call, error);
    if (status != RED_OK)
        return status;
    return memories[run->probe->way].is_polled ? probe_again_and_again(run, watch, capability, error)
                                               : probe_at_sizes(run, watch, capability, error);
}

/* Waits for the device, then releases the probe's kernels and buffers. */
static void probe_clear(struct probe_run *run) {
    const cl_mem buffers[] = {run->in, run->out, run->pipe};
    clFinish(run->device->queue);
    red_cl_release_buffers(buffers, sizeof buffers / sizeof buffers[0]);
    red_host_visible_destroy(run->device, &run->shared);
    red_cl_release_kernel(run->drain);
    red_cl_release_kernel(run->kernel);
}

/* Behind the name of the error, or of the place in a header that Clang adds to it. */
static const char *behind_error_name(const char *text) {
    const char *place = strstr(text, "<Spelling="), *begin = place ? strstr(place, ">: ") : NULL;
    if (begin != NULL)
        return begin + 3;
    begin = strstr(text, "error:");
    return begin ? begin + 6 + strspn(begin + 6, " ") : text;
}

/* Writes the reason of a capability that `devices` shows. The most telling line of a build log is the first
 * that names an error; where in the probe's text that is ("file:line:column: ") tells nobody anything. */
static void reason_format(const struct red_error *error, char *reason, size_t reason_bytes) {
    const char *line = behind_error_name(error->text);
    size_t length = strcspn(line, "\r\n");
    for (size_t at = 0; at + 3 < length; at++) {
        size_t digits = strspn(line + at, "0123456789");
        if (at > 0 && line[at - 1] == ':' && digits > 0 && strncmp(line + at + digits, ": ", 2) == 0 &&
            strchr(line, '/') != NULL) {
            line += at + digits + 2;
            length = strcspn(line, "\r\n");
            break;
        }
    }
    snprintf(reason, reason_bytes, "%.*s", (int)length, line);
}

/* Builds and runs the probe of a need that is no built-in of a group: each adds up its input. */
static enum red_status sum_probe_run(struct red_device *device, enum red_need_index need,
                                     enum red_c_standard standard, const struct red_probe_watch *watch,
                                     struct red_capability *capability, struct red_error *error) {
    struct probe_run run = {.device = device, .probe = &probe_kinds[need]};
    const char *kernels = red_embedded_find("probes.cl")->text;
    const size_t text_bytes = strlen(kernels) + 64;
    char *text = malloc(text_bytes);
    if (text == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a probe");
    snprintf(text, text_bytes, "#define PROBE_%s\n%s", red_need_names[need], kernels);
    enum red_status status = red_kernel_make(device, "probe", text, standard, "probe", &run.kernel, error);
    if (status == RED_OK && run.probe->way == PROBE_PIPE)
        status = red_kernel_make(device, "probe", text, standard, "drain", &run.drain, error);
    free(text);
    if (status == RED_OK) {
        capability->builds = RED_YES;
        status = prepare_and_probe(&run, watch, capability, error);
    }
    probe_clear(&run);
    return status;
}

void red_probe_run(struct red_device *device, enum red_need_index need, enum red_c_standard standard,
                   const struct red_probe_watch *watch, struct red_capability *capability) {
    struct red_error error = {.text = ""};
    capability->advertised = red_device_advertises(device, need);
    capability->builds = RED_NO;
    capability->forms_n = red_forms_n(need);
    if (watch != NULL)
        watch->enter(watch->context, capability, 0, 0, 0);
    enum red_status status =
        red_need_is_of_progress(need) ? red_progress_probe_run(device, need, standard, capability, &error)
        : red_need_is_of_order(need)  ? red_order_probe_run(device, need, standard, capability, &error)
        : red_need_built_in_prefix(need)
            ? red_group_probe_run(device, need, standard, watch, capability, &error)
            : sum_probe_run(device, need, standard, watch, capability, &error);
    if (status != RED_OK)
        reason_format(&error, capability->reason, sizeof capability->reason);
    red_capability_judge(need, capability, status == RED_OK);
}
