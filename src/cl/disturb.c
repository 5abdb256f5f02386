/* Makes and launches kernels_cl12/lib/disturb.cl beside the kernel that `verify --stress` calls. All
 * functions are called by worker/stress.c; how many words were stored to stands in the line "stress: ...". */
#include "cl/disturb.h"

#include <stdlib.h>

#include "cl/private.h"
#include "core/clock.h"
#include "core/numbers.h"
#include "core/random.h"
#include "model/catalogue.h"

enum { LAUNCHES_N = 3, ITEMS_MAX = 256, TURNS_MIN = 16, TURNS_MAX = 1 << 22 };

/* Words over which a launch goes: what a small cache holds, what a large one does, and what none does. */
static const cl_uint words_drawn[] = {1 << 16, 1 << 20, 1 << 24};
enum {
    WORDS_DRAWN_N = sizeof words_drawn / sizeof words_drawn[0],
    WORDS_N = 1 << 24,
    WORDS_ON_CPU_N = 1 << 20 /* whose stores stay in order beside any others */
};

/* Of lib/disturb.cl: a store and a load a turn. The seed draws this, the other way round, or two stores. */
enum { STORE_LOAD = 1, PATTERNS_N = 3 };

/* What a launch of a store and a load a turn over all words is to take. On a CPU its groups and those of the
 * kernel under stress take turns on the same processors: a call waits for about one of them. */
static const double LAUNCH_S = 2e-3, LAUNCH_ON_CPU_S = 2e-4;

struct red_disturber {
    struct red_device *device;
    cl_command_queue queue;
    cl_kernel kernel, count;
    cl_mem scratch, stored_n;
    cl_event launched[LAUNCHES_N]; /* owned; the oldest first, or NULL */
    cl_uint words_n, turns;
    size_t units, group_size;
};

/* What a launch does (lib/disturb.cl). */
struct disturbance {
    cl_uint words_n, pattern, seed;
    size_t groups_n;
};

/* Enqueues a launch; `event` may be NULL. */
static cl_int launch(struct red_disturber *disturber, const struct disturbance *done, cl_event *event) {
    const cl_uint mask = done->words_n - 1;
    const struct red_cl_argument arguments[] = {{sizeof disturber->scratch, &disturber->scratch},
                                                {sizeof mask, &mask},
                                                {sizeof disturber->turns, &disturber->turns},
                                                {sizeof done->pattern, &done->pattern},
                                                {sizeof done->seed, &done->seed}};
    cl_int code = red_cl_set_arguments(disturber->kernel, 0, arguments, sizeof arguments / sizeof *arguments);
    if (code == CL_SUCCESS)
        code = red_cl_launch(disturber->queue, disturber->kernel, done->groups_n * disturber->group_size,
                             disturber->group_size, event);
    return code == CL_SUCCESS ? clFlush(disturber->queue) : code;
}

/* Enqueues one that is drawn. */
static cl_int launch_drawn(struct red_disturber *disturber, uint64_t *random, cl_event *event) {
    const uint32_t drawn = (uint32_t)(red_random(random) >> 32);
    const bool two_each = !disturber->device->info.shape.is_cpu && drawn % 2 == 1;
    const struct disturbance done = {
        .words_n = (cl_uint)red_lesser(words_drawn[drawn / 2 % WORDS_DRAWN_N], disturber->words_n),
        .pattern = STORE_LOAD + drawn / (2 * WORDS_DRAWN_N) % PATTERNS_N,
        .seed = (cl_uint)red_random(random),
        .groups_n = disturber->units * (two_each ? 2 : 1)};
    return launch(disturber, &done, event);
}

/* Launches a group per compute unit over all words, and waits. */
static cl_int time_launch(struct red_disturber *disturber, double *took_s) {
    const struct disturbance done = {disturber->words_n, STORE_LOAD, disturber->turns, disturber->units};
    const double start_s = red_clock_s();
    const cl_int code = red_cl_wait(disturber->queue, launch(disturber, &done, NULL));
    *took_s = red_clock_s() - start_s;
    return code;
}

/* Doubles the turns until a launch takes long enough. The first launch does not count: drivers compile. */
static cl_int choose_turns(struct red_disturber *disturber) {
    const double wanted_s = disturber->device->info.shape.is_cpu ? LAUNCH_ON_CPU_S : LAUNCH_S;
    double took_s = 0;
    disturber->turns = TURNS_MIN;
    cl_int code = time_launch(disturber, &took_s);
    took_s = 0;
    while (code == CL_SUCCESS && took_s < wanted_s / 2 && disturber->turns < TURNS_MAX) {
        disturber->turns *= 2;
        code = time_launch(disturber, &took_s);
    }
    return code;
}

/* Makes the queue, the buffers and the kernels. */
static enum red_status prepare(struct red_disturber *disturber, struct red_error *error) {
    struct red_device *device = disturber->device;
    const char *text = red_embedded_find("lib/disturb.cl")->text;
    const size_t bytes = disturber->words_n * sizeof(cl_uint);
    const cl_uint zero = 0;
    cl_int code = CL_SUCCESS;
    enum red_status status =
        red_kernel_make(device, "disturb.cl", text, RED_CL12, "disturb", &disturber->kernel, error);
    if (status == RED_OK)
        status =
            red_kernel_make(device, "disturb.cl", text, RED_CL12, "count_stored", &disturber->count, error);
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
    *made = (struct red_disturber){.device = device,
                                   .words_n = shape->is_cpu ? WORDS_ON_CPU_N : WORDS_N,
                                   .units = shape->compute_units,
                                   .group_size = red_lesser(shape->group_size_max, ITEMS_MAX)};
    enum red_status status = prepare(made, error);
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
    red_cl_release_kernel(disturber->count);
    red_cl_release_buffers(&disturber->scratch, 1);
    red_cl_release_buffers(&disturber->stored_n, 1);
    free(disturber);
}

/* Whether the oldest launch has ended; its error, if it has one. */
static cl_int ask_oldest(const struct red_disturber *disturber, bool *has_ended) {
    cl_int state = CL_QUEUED;
    const cl_int code =
        clGetEventInfo(disturber->launched[0], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    *has_ended = state == CL_COMPLETE;
    return code == CL_SUCCESS && state < 0 ? state : code;
}

enum red_status red_disturber_keep_on(struct red_disturber *disturber, uint64_t *random,
                                      struct red_error *error) {
    cl_event *launched = disturber->launched;
    cl_int code = CL_SUCCESS;
    bool has_ended = true;
    while (code == CL_SUCCESS && has_ended && launched[0] != NULL) {
        code = ask_oldest(disturber, &has_ended);
        if (code != CL_SUCCESS || !has_ended)
            break;
        clReleaseEvent(launched[0]);
        for (int i = 0; i < LAUNCHES_N; i++)
            launched[i] = i + 1 < LAUNCHES_N ? launched[i + 1] : NULL;
    }
    for (int i = 0; i < LAUNCHES_N && code == CL_SUCCESS; i++)
        if (launched[i] == NULL)
            code = launch_drawn(disturber, random, &launched[i]);
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
        code = red_cl_set_arguments(disturber->count, 0, arguments, sizeof arguments / sizeof *arguments);
    if (code == CL_SUCCESS)
        code = red_cl_launch(disturber->queue, disturber->count, disturber->units * disturber->group_size,
                             disturber->group_size, NULL);
    if (code == CL_SUCCESS)
        code = red_cl_read(disturber->queue, disturber->stored_n, 0, &count, sizeof count);
    *stored_n = count;
    *words_n = disturber->words_n;
    return red_cl_check(code, "what disturbs memory", error);
}
