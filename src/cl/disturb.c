/* Makes and launches kernels_cl12/lib/disturb.cl beside the kernel that `verify --stress` calls. All
 * functions are called by worker/stress.c; how many words were stored to stands in the line "stress: ...". */
#include "cl/disturb.h"

#include <stdlib.h>

#include "cl/cl_private.h"
#include "core/clock.h"
#include "core/numbers.h"
#include "core/random.h"
#include "model/catalogue.h"

enum { LAUNCHES_N = 3, ITEMS_MAX = 256, TURNS_MIN = 16, TURNS_MAX = 1 << 22 };

/* Words over which a launch goes: as many as a small cache holds, and 2^4 and 2^8 times as many. */
enum {
    WORDS_MIN = 1 << 16,
    WORDS_DRAWN_N = 3,
    WORDS_N = WORDS_MIN << 8,
    WORDS_ON_CPU_N = 1 << 20 /* whose stores stay in order beside any others */
};

/* Of lib/disturb.cl: a store and a load a turn. The seed draws this, the other way round, or two stores. */
enum { STORE_LOAD = 1, PATTERNS_N = 3 };

/* What a launch of a store and a load a turn over all words is to take. On a CPU its groups and those of the
 * kernel under stress take turns on the same processors: a call waits for about one of them. */
static const double LAUNCH_S = 2e-3, LAUNCH_ON_CPU_S = 2e-4;

enum { DISTURB, COUNT_STORED, KERNELS_N };
static const char *const kernel_names[KERNELS_N] = {"disturb", "count_stored"};

struct red_disturber {
    const struct red_geometry_limits *shape; /* of the device */
    cl_command_queue queue;
    cl_kernel kernels[KERNELS_N];
    cl_mem scratch, stored_n;
    cl_event launched[LAUNCHES_N]; /* owned; or NULL */
    cl_uint words_n, turns;
    size_t group_size;
};

/* Enqueues a launch over the first words_n words; `event` may be NULL. */
static cl_int launch(struct red_disturber *disturber, cl_uint words_n, cl_uint pattern, cl_uint seed,
                     size_t groups_n, cl_event *event) {
    const cl_uint mask = words_n - 1;
    const struct red_cl_argument arguments[] = {{sizeof disturber->scratch, &disturber->scratch},
                                                {sizeof mask, &mask},
                                                {sizeof disturber->turns, &disturber->turns},
                                                {sizeof pattern, &pattern},
                                                {sizeof seed, &seed}};
    const cl_int code = red_cl_launch_with(disturber->queue, disturber->kernels[DISTURB], arguments, 5,
                                           groups_n, disturber->group_size, event);
    return code == CL_SUCCESS ? clFlush(disturber->queue) : code;
}

/* Enqueues one that is drawn. */
static cl_int launch_drawn(struct red_disturber *disturber, uint64_t *random, cl_event *event) {
    const uint32_t drawn = (uint32_t)(red_random(random) >> 32);
    const bool two_each = !disturber->shape->is_cpu && drawn % 2 == 1;
    const cl_uint words_n = WORDS_MIN << 4 * (drawn / 2 % WORDS_DRAWN_N),
                  pattern = STORE_LOAD + drawn / (2 * WORDS_DRAWN_N) % PATTERNS_N;
    return launch(disturber, (cl_uint)red_lesser(words_n, disturber->words_n), pattern,
                  (cl_uint)red_random(random), disturber->shape->compute_units * (two_each ? 2u : 1u), event);
}

/* Doubles the turns until a launch of a group per compute unit takes long enough. The first launch does not
 * count: drivers compile. */
static cl_int choose_turns(struct red_disturber *disturber) {
    const double wanted_s = disturber->shape->is_cpu ? LAUNCH_ON_CPU_S : LAUNCH_S;
    double took_s = 0;
    cl_int code = CL_SUCCESS;
    for (cl_uint turns = TURNS_MIN; code == CL_SUCCESS && took_s < wanted_s / 2 && turns <= TURNS_MAX;
         turns *= 2) {
        const double start_s = red_clock_s();
        disturber->turns = turns;
        code = red_cl_wait(disturber->queue, launch(disturber, disturber->words_n, STORE_LOAD, turns,
                                                    disturber->shape->compute_units, NULL));
        took_s = turns > TURNS_MIN ? red_clock_s() - start_s : 0;
    }
    return code;
}

/* Makes the kernels, the queue and the buffers. */
static enum red_status prepare(struct red_disturber *disturber, struct red_device *device,
                               struct red_error *error) {
    const char *text = red_embedded_find("lib/disturb.cl")->text;
    const size_t bytes = disturber->words_n * sizeof(cl_uint);
    const cl_uint zero = 0;
    cl_int code = CL_SUCCESS;
    enum red_status status = RED_OK;
    for (size_t k = 0; k < KERNELS_N && status == RED_OK; k++)
        status = red_kernel_make(device, "disturb.cl", text, RED_CL12, kernel_names[k],
                                 &disturber->kernels[k], error);
    if (status != RED_OK)
        return status;
    disturber->queue = clCreateCommandQueue(device->context, device->cl_device, 0, &code);
    if (code == CL_SUCCESS)
        disturber->scratch = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        disturber->stored_n = clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof zero, NULL, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueFillBuffer(disturber->queue, disturber->scratch, &zero, sizeof zero, 0, bytes, 0,
                                   NULL, NULL);
    if (code == CL_SUCCESS)
        code = choose_turns(disturber);
    return red_cl_check(code, "what disturbs memory", error);
}

enum red_status red_disturber_create(struct red_device *device, struct red_disturber **disturber,
                                     struct red_error *error) {
    const struct red_geometry_limits *shape = &device->info.shape;
    struct red_disturber *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for what disturbs memory");
    made->shape = shape;
    made->words_n = shape->is_cpu ? WORDS_ON_CPU_N : WORDS_N;
    made->group_size = red_lesser(shape->group_size_max, ITEMS_MAX);
    enum red_status status = prepare(made, device, error);
    if (status == RED_OK)
        *disturber = made;
    else
        red_disturber_destroy(made);
    return status;
}

/* Forgets the launches, which may still be at work. */
static void release_events(struct red_disturber *disturber) {
    for (size_t i = 0; i < LAUNCHES_N; i++) {
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
    for (size_t k = 0; k < KERNELS_N; k++)
        red_cl_release_kernel(disturber->kernels[k]);
    red_cl_release_buffers(&disturber->scratch, 1);
    red_cl_release_buffers(&disturber->stored_n, 1);
    free(disturber);
}

/* A launch takes the place of each that has ended. */
enum red_status red_disturber_keep_on(struct red_disturber *disturber, uint64_t *random,
                                      struct red_error *error) {
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < LAUNCHES_N && code == CL_SUCCESS; i++) {
        cl_event *launched = &disturber->launched[i];
        cl_int state = CL_COMPLETE;
        if (*launched != NULL)
            code = clGetEventInfo(*launched, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
        if (code == CL_SUCCESS && state < 0) /* the launch's error */
            code = state;
        if (code != CL_SUCCESS || state != CL_COMPLETE)
            continue;
        if (*launched != NULL)
            clReleaseEvent(*launched);
        *launched = NULL;
        code = launch_drawn(disturber, random, launched);
    }
    return red_cl_check(code, "what disturbs memory", error);
}

enum red_status red_disturber_stop(struct red_disturber *disturber, uint64_t *stored_n, uint64_t *words_n,
                                   struct red_error *error) {
    cl_uint count = 0;
    const struct red_cl_argument arguments[] = {{sizeof disturber->scratch, &disturber->scratch},
                                                {sizeof disturber->words_n, &disturber->words_n},
                                                {sizeof disturber->stored_n, &disturber->stored_n}};
    cl_int code = red_cl_wait(disturber->queue, CL_SUCCESS);
    release_events(disturber);
    if (code == CL_SUCCESS)
        code = red_cl_write(disturber->queue, disturber->stored_n, 0, &count, sizeof count);
    if (code == CL_SUCCESS)
        code = red_cl_launch_with(disturber->queue, disturber->kernels[COUNT_STORED], arguments, 3,
                                  disturber->shape->compute_units, disturber->group_size, NULL);
    if (code == CL_SUCCESS)
        code = red_cl_read(disturber->queue, disturber->stored_n, 0, &count, sizeof count);
    *stored_n = count;
    *words_n = disturber->words_n;
    return red_cl_check(code, "what disturbs memory", error);
}
