/* Measures the roof (console table: share of the roof), clock samples (the event-clock check), and the times
 * of an empty kernel, of which run/measure.c makes the result file's event_floor_s; blocks the device while
 * launches are enqueued whose event times are read (cl/plan.c). A worker asks for all: worker/prepared.c for
 * roofs, worker/server_cases.c for the rest. */
#include "cl/roof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "core/clock.h"
#include "host/reference.h"
#include "model/catalogue.h"
#include "model/device_info.h"
#include "model/primitive.h"

enum { VECTOR_BYTES = 64, TELL = 3 /* the kernel's argument */ };

struct red_roof {
    struct red_device *device;
    cl_kernel kernel;
    cl_mem out;
    size_t global, local;
    uint64_t vectors_n;
    bool copies; /* to `out`, which is as large as the array then */
};

/* Chooses how many items read, and the size of their groups. On a CPU a few single items read long pieces;
 * elsewhere many groups stride, or take short pieces. */
static void roof_set_sizes(struct red_roof *roof, unsigned form) {
    const struct red_geometry_limits *shape = &roof->device->info.shape;
    bool single = shape->is_cpu && form == 0;
    roof->local = single ? 1 : shape->group_size_max < 256 ? shape->group_size_max : 256;
    roof->global = roof->local * shape->compute_units * (shape->is_cpu ? 4 : 16);
}

/* Reads everything once, and compares what was seen with what the host sees: a driver that ends loops early
 * would have too high a roof. */
static enum red_status check_reads_everything(struct red_roof *roof, const struct red_input *input,
                                              struct red_error *error) {
    cl_command_queue queue = roof->device->queue;
    cl_uint tell = 1, silent = 0, seen = 0;
    uint64_t words = red_reference_read_all(input->arrays[0], roof->vectors_n * (VECTOR_BYTES / 8));
    red_reference_stop_spinning();
    uint32_t wanted = (uint32_t)words ^ (uint32_t)(words >> 32);
    cl_int code = red_cl_write(queue, roof->out, 0, &seen, sizeof seen);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(roof->kernel, TELL, sizeof tell, &tell);
    enum red_status status = red_cl_check(code, "preparing the roof", error);
    if (status == RED_OK)
        status = red_roof_run(roof, error);
    if (status != RED_OK)
        return status;
    code = red_cl_read(queue, roof->out, 0, &seen, sizeof seen);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(roof->kernel, TELL, sizeof silent, &silent);
    status = red_cl_check(code, "checking the roof", error);
    if (status == RED_OK && seen != wanted)
        status =
            red_fail(error, RED_E_WRONG,
                     "the XOR of all that its kernel read is %#010x, not %#010x: it does not read everything",
                     (unsigned)seen, (unsigned)wanted);
    return status;
}

/* Copies everything once, and compares the copy with the array. */
static enum red_status check_copies_everything(struct red_roof *roof, const struct red_input *input,
                                               struct red_error *error) {
    cl_command_queue queue = roof->device->queue;
    const size_t bytes = (size_t)roof->vectors_n * VECTOR_BYTES;
    cl_int code = CL_SUCCESS;
    enum red_status status = red_roof_run(roof, error);
    if (status != RED_OK)
        return status;
    void *copy = clEnqueueMapBuffer(queue, roof->out, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return red_cl_check(code, "checking the roof", error);
    if (memcmp(copy, input->arrays[0], bytes) != 0)
        status = red_fail(error, RED_E_WRONG, "its kernel does not copy everything");
    code = clEnqueueUnmapMemObject(queue, roof->out, copy, 0, NULL, NULL);
    return status == RED_OK ? red_cl_check(red_cl_wait(queue, code), "checking the roof", error) : status;
}

/* Builds the kernel of the form, makes `out`, and sets the arguments. */
static enum red_status roof_prepare(struct red_roof *roof, const struct red_resident *resident, unsigned form,
                                    struct red_error *error) {
    const char *name = roof->copies ? "copy_roof" : "roof";
    const cl_uint magic = 0x5eed1e55, silent = 0;
    const cl_ulong vectors_n = roof->vectors_n, bytes = vectors_n * VECTOR_BYTES;
    char file[32], text[4096];
    cl_int code;
    snprintf(file, sizeof file, "%s.cl", name);
    snprintf(text, sizeof text, "%s%s", form == 0 ? "#define ROOF_PIECES\n" : "",
             red_embedded_find(file)->text);
    enum red_status status = red_kernel_make(roof->device, file, text, RED_CL12, name, &roof->kernel, error);
    if (status != RED_OK)
        return status;
    roof->out = clCreateBuffer(roof->device->context, CL_MEM_READ_WRITE, roof->copies ? bytes : sizeof magic,
                               NULL, &code);
    const struct red_cl_argument of_roof[] = {{sizeof resident->buffers[0], &resident->buffers[0]},
                                              {sizeof vectors_n, &vectors_n},
                                              {sizeof magic, &magic},
                                              [TELL] = {sizeof silent, &silent},
                                              {sizeof roof->out, &roof->out}};
    const struct red_cl_argument of_copy[] = {of_roof[0], {sizeof bytes, &bytes}, of_roof[TELL + 1]};
    if (code == CL_SUCCESS)
        code = roof->copies ? red_cl_set_arguments(roof->kernel, 0, of_copy, 3)
                            : red_cl_set_arguments(roof->kernel, 0, of_roof, 5);
    return red_cl_check(code, "preparing the roof", error);
}

/* For bench and column "roof GB/s" of `devices`; a failure is "no read roof ..." on standard error. */
enum red_status red_roof_create(struct red_resident *resident, unsigned form, struct red_roof **roof,
                                struct red_error *error) {
    const struct red_input *input = resident->input;
    enum red_status status = red_device_info_check_version(&resident->device->info, error);
    if (status != RED_OK)
        return status;
    struct red_roof *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the roof");
    made->device = resident->device;
    made->vectors_n = input->n * input->dtype->size_bytes / VECTOR_BYTES;
    made->copies = red_primitives[input->op->primitive].roof_copies;
    roof_set_sizes(made, form);
    status = roof_prepare(made, resident, form, error);
    if (status == RED_OK)
        status = (made->copies ? check_copies_everything : check_reads_everything)(made, input, error);
    if (status == RED_OK)
        *roof = made;
    else
        red_roof_destroy(made);
    return status;
}

void red_roof_destroy(struct red_roof *roof) {
    if (roof == NULL)
        return;
    red_cl_release_kernel(roof->kernel);
    red_cl_release_buffers(&roof->out, 1);
    free(roof);
}

enum red_status red_roof_run(struct red_roof *roof, struct red_error *error) {
    cl_command_queue queue = roof->device->queue;
    cl_int code = red_cl_launch(queue, roof->kernel, roof->global, roof->local, NULL);
    return code == CL_SUCCESS ? red_cl_check(clFinish(queue), "the roof", error)
                              : red_cl_check_launch(code, roof->local, error);
}

/* By the time of a call the GB/s of the roof; "roof_bytes" in the JSON. */
uint64_t red_roof_bytes(const struct red_roof *roof) {
    return roof->vectors_n * VECTOR_BYTES * (roof->copies ? 2 : 1);
}

/* ---- clock samples: `device` is the worker's ---- */

static const double LONGEST_S = 0.005;

/* Each step waits for the one before, and no shorter way is known (Marsaglia, Xorshift RNGs, 2003). */
static const char chain_text[] = "kernel void chain(global uint *out, const uint steps) {\n"
                                 "    uint x = 2463534242u;\n"
                                 "    for (uint i = 0; i < steps; i++) {\n"
                                 "        x ^= x << 13;\n"
                                 "        x ^= x >> 17;\n"
                                 "        x ^= x << 5;\n"
                                 "    }\n"
                                 "    *out = x;\n"
                                 "}\n";

/* Reads one of the driver's stamps of an event, in ns. */
static enum red_status stamp_read(cl_event event, cl_profiling_info which, uint64_t *stamp,
                                  struct red_error *error) {
    cl_ulong value = 0;
    cl_int code = clGetEventProfilingInfo(event, which, sizeof value, &value, NULL);
    *stamp = value;
    return code == CL_SUCCESS ? RED_OK
                              : red_fail(error, RED_E_UNSUPPORTED, "the driver has no event times: %s",
                                         red_cl_error_name(code));
}

/* Launches the chain once with so many steps, and reads the host's clock and the driver's stamps. */
static enum red_status clock_sample_measure(struct red_device *device, cl_kernel kernel, cl_uint steps,
                                            struct red_clock_sample *clock_sample, struct red_error *error) {
    const struct {
        cl_profiling_info which;
        uint64_t *value;
    } stamps[] = {{CL_PROFILING_COMMAND_QUEUED, &clock_sample->queued},
                  {CL_PROFILING_COMMAND_SUBMIT, &clock_sample->submit},
                  {CL_PROFILING_COMMAND_START, &clock_sample->start},
                  {CL_PROFILING_COMMAND_END, &clock_sample->end}};
    cl_event event = NULL;
    *clock_sample = (struct red_clock_sample){.steps = steps};
    cl_int code = clSetKernelArg(kernel, 1, sizeof steps, &steps);
    clock_sample->begin_s = red_clock_s();
    if (code == CL_SUCCESS)
        code = red_cl_launch(device->profiling, kernel, 1, 1, &event);
    code = red_cl_wait(device->profiling, code);
    clock_sample->end_s = red_clock_s();
    enum red_status status = red_cl_check(code, "a kernel of known length", error);
    for (size_t i = 0; i < sizeof stamps / sizeof stamps[0] && status == RED_OK; i++)
        status = stamp_read(event, stamps[i].which, stamps[i].value, error);
    if (event != NULL)
        clReleaseEvent(event);
    return status;
}

/* How many steps take about LONGEST_S; the first launch, for which a CPU driver compiles, does not count. */
static enum red_status steps_find(struct red_device *device, cl_kernel kernel, cl_uint *steps,
                                  struct red_error *error) {
    struct red_clock_sample clock_sample;
    enum red_status status = clock_sample_measure(device, kernel, 1, &clock_sample, error);
    for (*steps = 1 << 14; status == RED_OK; *steps *= 2) {
        status = clock_sample_measure(device, kernel, *steps, &clock_sample, error);
        if (clock_sample.end_s - clock_sample.begin_s > LONGEST_S / 2 || *steps >= 1u << 30)
            break;
    }
    return status;
}

void red_chain_release(struct red_chain *chain) {
    red_cl_release_kernel(chain->kernel);
    red_cl_release_buffers(&chain->out, 1);
    *chain = (struct red_chain){NULL, NULL};
}

static enum red_status chain_make(struct red_device *device, struct red_chain *chain,
                                  struct red_error *error) {
    cl_int code = CL_SUCCESS;
    *chain = (struct red_chain){
        .out = clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &code)};
    enum red_status status = red_cl_check(code, "a buffer for clock samples", error);
    if (status == RED_OK)
        status = red_kernel_make(device, "a kernel of known length", chain_text, RED_CL12, "chain",
                                 &chain->kernel, error);
    if (status == RED_OK)
        status = red_cl_check(clSetKernelArg(chain->kernel, 0, sizeof chain->out, &chain->out),
                              "preparing clock samples", error);
    if (status != RED_OK)
        red_chain_release(chain);
    return status;
}

/* For the question `clock_samples`: column "event times" of `devices`, "event_times" in the JSON of bench. */
enum red_status red_clock_sample_set_take(struct red_device *device,
                                          struct red_clock_sample clock_samples[RED_CLOCK_SAMPLES_N],
                                          struct red_error *error) {
    struct red_chain chain;
    cl_uint longest = 0;
    enum red_status status = chain_make(device, &chain, error);
    if (status != RED_OK)
        return status;
    status = steps_find(device, chain.kernel, &longest, error);
    for (cl_uint i = 0; i < RED_CLOCK_SAMPLES_N && status == RED_OK; i++)
        status = clock_sample_measure(device, chain.kernel,
                                      longest / RED_CLOCK_SAMPLE_SIZES * (i % RED_CLOCK_SAMPLE_SIZES + 1),
                                      &clock_samples[i], error);
    red_chain_release(&chain);
    return status;
}

/* For the question `clock_sample` of a duel: "chain_ns" of each block in its file. */
enum red_status red_clock_sample_take(struct red_device *device, uint32_t steps,
                                      struct red_clock_sample *clock_sample, struct red_error *error) {
    struct red_chain chain;
    enum red_status status = chain_make(device, &chain, error);
    if (status != RED_OK)
        return status;
    status = clock_sample_measure(device, chain.kernel, steps, clock_sample, error);
    red_chain_release(&chain);
    return status;
}

/* For red_plan_run_profiled, and for the event floor. */
enum red_status red_cl_event_times(cl_event event, cl_profiling_info which_end, struct red_event_times *times,
                                   struct red_error *error) {
    cl_int state = CL_COMPLETE;
    cl_int code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code == CL_SUCCESS && state < 0)
        return red_cl_check(state, "a profiled kernel", error);
    enum red_status status = stamp_read(event, CL_PROFILING_COMMAND_START, &times->start, error);
    if (status == RED_OK)
        status = stamp_read(event, which_end, &times->end, error);
    if (status != RED_OK)
        return status;
    if (times->end < times->start)
        return red_fail(error, RED_E_UNSUPPORTED, "event times untrusted: END is %llu ns before START",
                        (unsigned long long)(times->start - times->end));
    return RED_OK;
}

/* ---- blocking ---- */

/* For each launch behind it, and once more, the hundredth part of what steps_find finds: 25 us or more.
 * NVIDIA's driver enqueues a launch in 4 to 6 us. */
enum { BLOCKED_PART = 100 };

static enum red_status make_blocking(struct red_device *device, struct red_error *error) {
    cl_uint longest = 0;
    enum red_status status = chain_make(device, &device->blocking, error);
    if (status != RED_OK)
        return status;
    status = steps_find(device, device->blocking.kernel, &longest, error);
    device->blocking_steps = longest / BLOCKED_PART;
    if (status != RED_OK)
        red_chain_release(&device->blocking);
    return status;
}

/* For red_plan_run_profiled, and for the event floor. */
enum red_status red_device_block(struct red_device *device, unsigned launches_n, struct red_error *error) {
    const enum red_status status = device->blocking.kernel == NULL ? make_blocking(device, error) : RED_OK;
    if (status != RED_OK)
        return status;
    const cl_uint steps = device->blocking_steps * (launches_n + 1);
    cl_int code = clSetKernelArg(device->blocking.kernel, 1, sizeof steps, &steps);
    if (code == CL_SUCCESS)
        code = red_cl_launch(device->profiling, device->blocking.kernel, 1, 1, NULL);
    return red_cl_check(code, "a launch that blocks the device", error);
}

static const char empty_text[] = "kernel void nothing(void) {}\n";

/* Launches the empty kernel once; *time_s is its device time, what its event says. */
static enum red_status time_empty_launch(struct red_device *device, cl_kernel kernel, double *time_s,
                                         struct red_error *error) {
    cl_event event = NULL;
    struct red_event_times times;
    enum red_status status = red_device_block(device, 1, error);
    if (status != RED_OK)
        return status;
    cl_int code = red_cl_launch(device->profiling, kernel, 1, 1, &event);
    status = red_cl_check(red_cl_wait(device->profiling, code), "an empty kernel", error);
    if (status == RED_OK)
        status = red_cl_event_times(event, CL_PROFILING_COMMAND_END, &times, error);
    if (status == RED_OK)
        *time_s = 1e-9 * (double)(times.end - times.start);
    if (event != NULL)
        clReleaseEvent(event);
    return status;
}

/* For the question `floor` of bench. */
enum red_status red_event_floor_measure(struct red_device *device, double *times_s, size_t n,
                                        struct red_error *error) {
    cl_kernel kernel = NULL;
    enum red_status status =
        red_kernel_make(device, "an empty kernel", empty_text, RED_CL12, "nothing", &kernel, error);
    for (size_t i = 0; i < n && status == RED_OK; i++)
        status = time_empty_launch(device, kernel, &times_s[i], error);
    red_cl_release_kernel(kernel);
    return status;
}
