/* Reads event times, takes clock samples (the event-clock check) and the times of an empty kernel, of which
 * run/measure.c makes the result file's event_floor_s; blocks the device while launches are enqueued whose
 * event times are read (cl/plan.c). A worker asks: worker/server_cases.c. */
#include "cl/event_times.h"

#include <stddef.h>

#include "cl/cl_private.h"
#include "core/clock.h"

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

/* ---- event floor ---- */

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
