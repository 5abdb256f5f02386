/* What docs/integrating.md measures, of one driver, with reduce_sum_f32 as emit has written it.
 * bench/emitting/integrate builds and runs it.
 *
 *   integrate PLATFORM arrays N ROUNDS   medians in us of a call whose array the host has changed, by where
 * the array lies integrate PLATFORM pools N ROUNDS    medians in us of a loop of OpenMP and of a reduction
 * that take turns
 *
 * Ways and sides take turns within each round. */
#define _POSIX_C_SOURCE 200112L /* posix_memalign, clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device.h"
#include "reduce_sum_f32.h"

enum { CALLS = 5, PAGE = 4096, LINE = 64 };

static struct {
    struct device device;
    cl_command_queue queue;
    struct reduce_sum_f32 *reduction;
    size_t bytes;
    uint64_t n;
} on;

static void end(cl_int code, const char *what) {
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s failed: %d %s\n", what, (int)code,
            on.reduction ? reduce_sum_f32_message(on.reduction) : "");
    exit(1);
}

static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static int by_value(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static double median(double *values, int n) {
    qsort(values, (size_t)n, sizeof *values, by_value);
    return values[n / 2];
}

/* ---- where the array lies ------------------------------------------------------------------------------ */

/* A way to bring what the host has in `array` to the kernel. */
struct way {
    const char *name;
    enum { STAYS, WRITTEN, MAPPED } kind;
    cl_mem_flags flags;
    size_t aligned; /* of the host's array: to so many bytes, and no more */
    int is_shared;  /* it is shared virtual memory */
    float *array;
    cl_mem x;
};

static struct way ways[] = {
    {.name = "the buffer has it already", .kind = STAYS},
    {.name = "clEnqueueWriteBuffer", .kind = WRITTEN, .aligned = PAGE},
    {.name = "CL_MEM_USE_HOST_PTR, page", .kind = MAPPED, .flags = CL_MEM_USE_HOST_PTR, .aligned = PAGE},
    {.name = "CL_MEM_USE_HOST_PTR, 128 bytes",
     .kind = MAPPED,
     .flags = CL_MEM_USE_HOST_PTR,
     .aligned = 2 * LINE},
    {.name = "CL_MEM_USE_HOST_PTR, 64 bytes", .kind = MAPPED, .flags = CL_MEM_USE_HOST_PTR, .aligned = LINE},
    {.name = "CL_MEM_ALLOC_HOST_PTR", .kind = MAPPED, .flags = CL_MEM_ALLOC_HOST_PTR},
    {.name = "coarse shared memory", .kind = MAPPED, .flags = CL_MEM_USE_HOST_PTR, .is_shared = 1},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void make(struct way *way) {
    cl_int code = CL_SUCCESS;
    void *memory = NULL;
    if (way->is_shared)
        memory = clSVMAlloc(on.device.context, CL_MEM_READ_ONLY, on.bytes, 0);
    else if (way->aligned > 0 && posix_memalign(&memory, PAGE, on.bytes + PAGE) != 0)
        memory = NULL;
    if (memory != NULL && !way->is_shared) /* a multiple of `aligned`, but not of twice that */
        memory = (char *)memory + (way->aligned < PAGE ? way->aligned : 0);
    if (memory == NULL && (way->is_shared || way->aligned > 0))
        end(CL_OUT_OF_HOST_MEMORY, "memory of the host");
    way->array = memory;
    for (uint64_t i = 0; i < on.n && way->array != NULL && !way->is_shared; i++)
        way->array[i] = 1;
    way->x = clCreateBuffer(on.device.context, CL_MEM_READ_ONLY | way->flags, on.bytes,
                            (way->flags & CL_MEM_USE_HOST_PTR) != 0 ? way->array : NULL, &code);
    end(code, "clCreateBuffer");
    const float one = 1;
    end(clEnqueueFillBuffer(on.queue, way->x, &one, sizeof one, 0, on.bytes, 0, NULL, NULL),
        "clEnqueueFillBuffer");
    end(clFinish(on.queue), "clFinish");
}

/* A call whose array the host may have changed before it; what the change itself takes is not measured. */
static double call_us(const struct way *way) {
    cl_int code = CL_SUCCESS;
    float sum = 0;
    const double start = now_us();
    if (way->kind == WRITTEN)
        end(clEnqueueWriteBuffer(on.queue, way->x, CL_FALSE, 0, on.bytes, way->array, 0, NULL, NULL),
            "clEnqueueWriteBuffer");
    if (way->kind == MAPPED) {
        void *mapped =
            clEnqueueMapBuffer(on.queue, way->x, CL_TRUE, CL_MAP_WRITE, 0, on.bytes, 0, NULL, NULL, &code);
        end(code, "clEnqueueMapBuffer");
        ((volatile float *)mapped)[0] = 1;
        end(clEnqueueUnmapMemObject(on.queue, way->x, mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    }
    end(reduce_sum_f32_run(on.reduction, on.queue, way->x, on.n, &sum), "reduce_sum_f32_run");
    const double took = now_us() - start;
    if (sum != (float)on.n) {
        fprintf(stderr, "%s: %g instead of %g\n", way->name, (double)sum, (double)on.n);
        exit(1);
    }
    return took;
}

static void time_arrays(int rounds) {
    double *times = malloc((size_t)rounds * WAYS * CALLS * sizeof *times);
    if (times == NULL)
        end(CL_OUT_OF_HOST_MEMORY, "malloc");
    for (int w = 0; w < WAYS; w++) {
        make(&ways[w]);
        call_us(&ways[w]);
    }
    for (int round = 0; round < rounds; round++)
        for (int w = 0; w < WAYS; w++)
            for (int call = 0; call < CALLS; call++)
                times[(w * rounds + round) * CALLS + call] = call_us(&ways[w]);
    for (int w = 0; w < WAYS; w++)
        printf("%s,%.2f\n", ways[w].name, median(times + w * rounds * CALLS, rounds * CALLS));
    free(times);
}

/* ---- two pools of threads ------------------------------------------------------------------------------ */

/* A loop of a program that uses OpenMP. */
static double loop_us(float *array) {
    const double start = now_us();
#pragma omp parallel for simd schedule(static)
    for (uint64_t i = 0; i < on.n; i++)
        array[i] = array[i] * 0.5f + 0.5f;
    return now_us() - start;
}

/* Stalls are rare and long: a median would hide them. */
static void time_pools(int rounds) {
    double loops = 0, calls = 0;
    make(&ways[0]);
    make(&ways[1]);
    for (int round = -3; round < rounds; round++) {
        const double loop = loop_us(ways[1].array), call = call_us(&ways[0]);
        loops += round >= 0 ? loop / rounds : 0;
        calls += round >= 0 ? call / rounds : 0;
    }
    printf("%.2f,%.2f\n", loops, calls);
}

/* ---- entries ------------------------------------------------------------------------------------------- */

static cl_command_queue make_queue(cl_command_queue_properties properties) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int code = CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueueWithProperties(on.device.context, on.device.id, list, &code);
    end(code, "clCreateCommandQueueWithProperties");
    return queue;
}

static double create_us(void) {
    const double start = now_us();
    reduce_sum_f32_destroy(reduce_sum_f32_create(on.device.context, on.device.id, NULL, NULL));
    return now_us() - start;
}

static double run_us(cl_command_queue queue) {
    float sum = 0;
    const double start = now_us();
    end(reduce_sum_f32_run(on.reduction, queue, ways[0].x, on.n, &sum), "reduce_sum_f32_run");
    return now_us() - start;
}

/* How long one takes of so many objects whose reductions are enqueued before the first is fetched. */
static double enqueue_us(cl_command_queue queue, struct reduce_sum_f32 *const *objects, int objects_n) {
    float sum = 0;
    const double start = now_us();
    for (int i = 0; i < objects_n; i++)
        end(reduce_sum_f32_enqueue(objects[i], queue, ways[0].x, on.n, 0, NULL, NULL),
            "reduce_sum_f32_enqueue");
    for (int i = 0; i < objects_n; i++)
        end(reduce_sum_f32_fetch(objects[i], &sum), "reduce_sum_f32_fetch");
    return (now_us() - start) / objects_n;
}

static void time_entries(int rounds) {
    static const char *const names[] = {"create and destroy",
                                        "run, queue in order",
                                        "run, queue out of order",
                                        "enqueue and fetch, queue in order",
                                        "enqueue and fetch, queue out of order",
                                        "the same by each of 4 objects"};
    enum { ENTRIES = sizeof names / sizeof names[0], OBJECTS = 4, TURN = 20 };
    cl_command_queue in_order = make_queue(0),
                     out_of_order = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    struct reduce_sum_f32 *objects[OBJECTS];
    double *times = malloc((size_t)(ENTRIES * rounds) * sizeof *times);
    make(&ways[0]);
    for (int i = 0; i < OBJECTS; i++)
        objects[i] = reduce_sum_f32_create(on.device.context, on.device.id, NULL, NULL);
    if (times == NULL || objects[OBJECTS - 1] == NULL)
        end(CL_OUT_OF_HOST_MEMORY, "making objects");
    for (int round = 0; round < rounds; round++) {
        double last[ENTRIES] = {0};
        for (int turn = 0; turn < TURN; turn++) /* the last one counts: the first pay for the change */
            last[1] = run_us(in_order);
        for (int turn = 0; turn < TURN; turn++)
            last[2] = run_us(out_of_order);
        for (int turn = 0; turn < TURN; turn++)
            last[3] = enqueue_us(in_order, objects, 1);
        for (int turn = 0; turn < TURN; turn++)
            last[4] = enqueue_us(out_of_order, objects, 1);
        for (int turn = 0; turn < TURN; turn++)
            last[5] = enqueue_us(out_of_order, objects, OBJECTS);
        last[0] = create_us();
        for (int e = 0; e < ENTRIES; e++)
            times[e * rounds + round] = last[e];
    }
    for (int e = 0; e < ENTRIES; e++)
        printf("%s,%.2f\n", names[e], median(times + e * rounds, rounds));
    for (int i = 0; i < OBJECTS; i++)
        reduce_sum_f32_destroy(objects[i]);
    clReleaseCommandQueue(in_order);
    clReleaseCommandQueue(out_of_order);
    free(times);
}

int main(int count, char **arguments) {
    cl_int code = CL_SUCCESS;
    char *message = NULL;
    const int rounds = count == 5 ? atoi(arguments[4]) : 0;
    if (rounds <= 0) {
        fputs("Usage: integrate PLATFORM arrays|pools|entries N ROUNDS\n", stderr);
        return 2;
    }
    if (!device_open(arguments[1], &on.device)) {
        fprintf(stderr, "no platform like %s\n", arguments[1]);
        return 77;
    }
    on.n = strtoull(arguments[3], NULL, 10);
    on.bytes = (size_t)on.n * sizeof(float);
    on.queue = clCreateCommandQueueWithProperties(on.device.context, on.device.id, NULL, &code);
    end(code, "clCreateCommandQueueWithProperties");
    on.reduction = reduce_sum_f32_create(on.device.context, on.device.id, &code, &message);
    if (on.reduction == NULL) {
        fprintf(stderr, "%s\n", message != NULL ? message : "no memory");
        return 1;
    }
    if (strcmp(arguments[2], "pools") == 0)
        time_pools(rounds);
    else if (strcmp(arguments[2], "entries") == 0)
        time_entries(rounds);
    else
        time_arrays(rounds);
    return 0;
}
