/* Makes and launches kernels_cl12/lib/disturb.cl beside the kernel that `verify --stress` calls. All
 * functions are called by worker/stress.c; how many words were stored to stands in the line "stress: ...". */
#include "cl/disturb.h"

#include <stdlib.h>

#include "cl/private.h"
#include "core/clock.h"
#include "core/random.h"
#include "model/catalogue.h"

enum { LAUNCHES_N = 2, ITEMS_MAX = 256, STEPS_MIN = 16, STEPS_MAX = 1 << 22 };
enum { SCRATCH, SHIFT, STEPS, SEED, ARGUMENTS_N }; /* of the kernel */

/* What a launch is to take. On a CPU its groups and those of the kernel under stress take turns on the same
 * processors: a call waits for about one of them. */
static const double LAUNCH_S = 2e-3, LAUNCH_ON_CPU_S = 2e-4;

struct red_disturber {
    struct red_device *device;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem scratch;
    cl_event launched[LAUNCHES_N]; /* owned; the older one first, or NULL */
    uint64_t words_n, random;
    size_t global, group_size;
};

/* Enqueues a launch with words of its own; `event` may be NULL. */
static cl_int launch(struct red_disturber *disturber, cl_event *event) {
    const cl_uint seed = (cl_uint)red_random(&disturber->random);
    cl_int code = clSetKernelArg(disturber->kernel, SEED, sizeof seed, &seed);
    if (code == CL_SUCCESS)
        code = red_cl_launch(disturber->queue, disturber->kernel, disturber->global, disturber->group_size,
                             event);
    return code == CL_SUCCESS ? clFlush(disturber->queue) : code;
}

/* Launches so many steps, and waits. */
static cl_int time_launch(struct red_disturber *disturber, cl_uint steps, double *took_s) {
    const double start_s = red_clock_s();
    cl_int code = clSetKernelArg(disturber->kernel, STEPS, sizeof steps, &steps);
    if (code == CL_SUCCESS)
        code = red_cl_wait(disturber->queue, launch(disturber, NULL));
    *took_s = red_clock_s() - start_s;
    return code;
}

/* Doubles the steps until a launch takes long enough. The first launch does not count: drivers compile. */
static cl_int choose_steps(struct red_disturber *disturber) {
    const double wanted_s = disturber->device->info.shape.is_cpu ? LAUNCH_ON_CPU_S : LAUNCH_S;
    double took_s = 0;
    cl_int code = time_launch(disturber, STEPS_MIN, &took_s);
    took_s = 0;
    for (cl_uint steps = STEPS_MIN; code == CL_SUCCESS && took_s < wanted_s / 2 && steps < STEPS_MAX;)
        code = time_launch(disturber, steps *= 2, &took_s);
    return code;
}

/* Makes the queue, the buffer and the kernel. */
static enum red_status prepare(struct red_disturber *disturber, uint64_t scratch_bytes,
                               struct red_error *error) {
    struct red_device *device = disturber->device;
    const cl_uint zero = 0;
    cl_uint shift = 32;
    cl_int code = CL_SUCCESS;
    enum red_status status = red_kernel_make(device, "disturb.cl", red_embedded_find("lib/disturb.cl")->text,
                                             RED_CL12, "disturb", &disturber->kernel, error);
    if (status != RED_OK)
        return status;
    for (uint64_t words_n = 1; words_n < disturber->words_n; words_n *= 2)
        shift--;
    disturber->queue = clCreateCommandQueue(device->context, device->cl_device, 0, &code);
    if (code == CL_SUCCESS)
        disturber->scratch = clCreateBuffer(device->context, CL_MEM_READ_WRITE, scratch_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueFillBuffer(disturber->queue, disturber->scratch, &zero, sizeof zero, 0, scratch_bytes,
                                   0, NULL, NULL);
    const struct red_cl_argument arguments[ARGUMENTS_N] = {
        [SCRATCH] = {sizeof disturber->scratch, &disturber->scratch},
        [SHIFT] = {sizeof shift, &shift},
        [STEPS] = {sizeof zero, &zero},
        [SEED] = {sizeof zero, &zero}};
    if (code == CL_SUCCESS)
        code = red_cl_set_arguments(disturber->kernel, 0, arguments, ARGUMENTS_N);
    if (code == CL_SUCCESS)
        code = choose_steps(disturber);
    return red_cl_check(code, "what disturbs memory", error);
}

enum red_status red_disturber_create(struct red_device *device, uint64_t scratch_bytes, uint64_t seed,
                                     struct red_disturber **disturber, struct red_error *error) {
    const struct red_geometry_limits *shape = &device->info.shape;
    const size_t group_size = shape->group_size_max < ITEMS_MAX ? shape->group_size_max : ITEMS_MAX;
    struct red_disturber *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for what disturbs memory");
    *made = (struct red_disturber){.device = device,
                                   .words_n = scratch_bytes / sizeof(cl_uint),
                                   .random = seed,
                                   .global = group_size * shape->compute_units,
                                   .group_size = group_size};
    enum red_status status = prepare(made, scratch_bytes, error);
    if (status == RED_OK)
        *disturber = made;
    else
        red_disturber_destroy(made);
    return status;
}

/* Forgets the launches, which may still be at work. */
static void release_events(struct red_disturber *disturber) {
    for (int i = 0; i < LAUNCHES_N; i++) {
        if (disturber->launched[i] != NULL)
            clReleaseEvent(disturber->launched[i]);
        disturber->launched[i] = NULL;
    }
}

void red_disturber_destroy(struct red_disturber *disturber) {
    if (disturber == NULL)
        return;
    if (disturber->queue != NULL) {
        clFinish(disturber->queue);
        clReleaseCommandQueue(disturber->queue);
    }
    release_events(disturber);
    red_cl_release_kernel(disturber->kernel);
    red_cl_release_buffers(&disturber->scratch, 1);
    free(disturber);
}

enum red_status red_disturber_keep_on(struct red_disturber *disturber, struct red_error *error) {
    cl_event *launched = disturber->launched;
    cl_int code = CL_SUCCESS, state = CL_QUEUED;
    if (launched[0] != NULL)
        code = clGetEventInfo(launched[0], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code == CL_SUCCESS && state < 0)
        code = state;
    if (code == CL_SUCCESS && launched[0] != NULL && state == CL_COMPLETE) {
        clReleaseEvent(launched[0]);
        launched[0] = launched[1];
        launched[1] = NULL;
    }
    for (int i = 0; i < LAUNCHES_N && code == CL_SUCCESS; i++)
        if (launched[i] == NULL)
            code = launch(disturber, &launched[i]);
    return red_cl_check(code, "what disturbs memory", error);
}

enum red_status red_disturber_stop(struct red_disturber *disturber, uint64_t *stored_n, uint64_t *words_n,
                                   struct red_error *error) {
    const size_t bytes = (size_t)disturber->words_n * sizeof(cl_uint);
    cl_int code = red_cl_wait(disturber->queue, CL_SUCCESS);
    const cl_uint *words = NULL;
    *stored_n = 0;
    *words_n = disturber->words_n;
    release_events(disturber);
    if (code == CL_SUCCESS)
        words = clEnqueueMapBuffer(disturber->queue, disturber->scratch, CL_TRUE, CL_MAP_READ, 0, bytes, 0,
                                   NULL, NULL, &code);
    for (uint64_t i = 0; code == CL_SUCCESS && i < disturber->words_n; i++)
        *stored_n += words[i] != 0;
    if (code == CL_SUCCESS)
        code =
            red_cl_wait(disturber->queue, clEnqueueUnmapMemObject(disturber->queue, disturber->scratch,
                                                                  (void *)(uintptr_t)words, 0, NULL, NULL));
    return red_cl_check(code, "what disturbs memory", error);
}
