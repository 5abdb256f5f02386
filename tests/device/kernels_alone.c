/* The kernels that one reads and copies are right as they stand in their files: no prelude, no macros of a
 * host, groups of 256, or of as many as RED_GROUP_SIZE says; no n is a multiple of a vector.
 *   kernels_alone STRATEGY...   the text of each one's file, on each device
 * Prints a line for each, and ends with status 0, 1, or 77 where there is no device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "cl/device.h"
#include "model/catalogue.h"

enum { N = 997, SEGMENTS_N = 9, SEGMENT_N = 97, SCAN_N = 701, OUT_N = 1024, PASSES_N = 3 };
static const size_t group_sizes[] = {256, 100};

static const struct red_op *op_of(const struct red_strategy *strategy) {
    return red_op_find(strategy->primitive == RED_PRIMITIVE_SCAN        ? "inclusive_sum"
                       : strategy->primitive == RED_PRIMITIVE_HISTOGRAM ? "count"
                                                                        : "sum");
}

/* What a launch is given, and what it must leave: out[0] ... out[answers_n - 1], or their sum in all of out.
 */
struct launch {
    const char *kernel;
    cl_ulong n, segments_n;
    size_t group_size, groups_n, answers_n;
    bool adds_up, are_counts;
    size_t local_bytes; /* of the local memory that is an argument, or 0 */
    unsigned passes_n;  /* of a scan: launches with RED_PASS 0, 1 (one group, over the carries) and 2 */
};

/* A multiple of a quarter from -3/4 to 1, so that every sum is exact, and some elements are out of the bins.
 */
static float element(size_t i) {
    return (float)(int)(i * 5 % 8) / 4 - 0.75f;
}

static struct launch launch_of(const struct red_strategy *strategy, size_t group_size) {
    struct launch launch = {.kernel = "reduce",
                            .n = N,
                            .group_size = group_size,
                            .groups_n = (N + group_size - 1) / group_size,
                            .answers_n = 1,
                            .passes_n = 1};
    if (strategy->primitive == RED_PRIMITIVE_SCAN) {
        const size_t tile_n = group_size * strategy->lanes;
        const bool is_serial = strategy->finish == RED_STRATEGY_SINGLE_PASS;
        launch.kernel = "scan";
        launch.n = launch.answers_n = SCAN_N;
        launch.groups_n = is_serial ? 1 : (SCAN_N + tile_n - 1) / tile_n;
        launch.passes_n = is_serial ? 1 : PASSES_N;
    } else if (strategy->primitive == RED_PRIMITIVE_HISTOGRAM) {
        launch.kernel = "histogram";
        launch.answers_n = 257;
        launch.are_counts = true;
    } else if (red_strategy_is_segmented(strategy)) {
        launch.n = SEGMENT_N;
        launch.segments_n = launch.groups_n = launch.answers_n = SEGMENTS_N;
    } else {
        launch.adds_up = strategy->finish == RED_STRATEGY_HOST && strategy->span != RED_STRATEGY_ONE;
        if (strategy->needs & RED_NEED(LOCAL_ARGUMENT))
            launch.local_bytes = group_size * sizeof(float);
    }
    return launch;
}

/* What answer i must be. */
static double expected(const struct launch *launch, size_t i) {
    const size_t answers_n = launch->answers_n;
    const bool is_scan = strcmp(launch->kernel, "scan") == 0;
    const size_t begin = launch->segments_n > 0 ? i * (size_t)launch->n : 0;
    const size_t end = is_scan ? i + 1 : begin + (size_t)launch->n;
    double sum = 0;
    for (size_t k = begin; k < end; k++) {
        const double x = element(k);
        const size_t bin = x >= -1 && x < 1 ? (size_t)((x + 1) * 128) : answers_n - 1;
        sum += launch->are_counts ? bin == i : x;
    }
    return sum;
}

/* Sets the arguments of the contract of the kernel's primitive; gives the errors of the driver. */
static cl_int set_arguments(cl_kernel kernel, const struct launch *launch, const cl_mem buffers[4]) {
    const struct red_cl_argument first[] = {
        {sizeof(cl_mem), &buffers[0]}, {sizeof launch->n, &launch->n}, {sizeof(cl_mem), &buffers[1]}};
    const struct red_cl_argument last[] = {{sizeof(cl_mem), &buffers[2]}, {sizeof(cl_mem), &buffers[3]}};
    const struct red_cl_argument segments[] = {{sizeof launch->segments_n, &launch->segments_n}};
    const bool is_reduction = strcmp(launch->kernel, "reduce") == 0;
    const cl_uint more_n = (launch->segments_n > 0 ? 1u : 0u) + (launch->local_bytes > 0 ? 1u : 0u);
    cl_uint parameters_n = 0;
    cl_int code = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof parameters_n, &parameters_n, NULL);
    const cl_uint counters_n = parameters_n > 3 + more_n; /* groups of a reduction count themselves, or not */
    if (code == CL_SUCCESS)
        code = red_cl_set_arguments(kernel, 0, first, 3);
    if (code == CL_SUCCESS)
        code = red_cl_set_arguments(kernel, 3, is_reduction ? &last[1] : last, is_reduction ? counters_n : 2);
    if (code == CL_SUCCESS && launch->segments_n > 0)
        code = red_cl_set_arguments(kernel, 3 + counters_n, segments, 1);
    if (code == CL_SUCCESS && launch->local_bytes > 0)
        code = clSetKernelArg(kernel, 3 + counters_n, launch->local_bytes, NULL);
    return code;
}

/* Builds the text of the strategy's file as it is, behind the macros that a compiler may be given. */
static enum red_status make_kernel(struct red_device *device, const struct red_strategy *strategy,
                                   const struct launch *launch, unsigned pass, cl_kernel *kernel,
                                   struct red_error *error) {
    const size_t text_bytes = strlen(strategy->text) + 128;
    enum red_c_standard standard;
    enum red_status status =
        red_capability_choose_standard(&device->info, &device->capabilities, strategy, red_dtype_find("f32"),
                                       op_of(strategy), launch->group_size, &standard, error);
    char *text = status == RED_OK ? malloc(text_bytes) : NULL;
    if (status != RED_OK)
        return status;
    if (text == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel's text");
    snprintf(text, text_bytes, "#define RED_GROUP_SIZE %zu\n#define RED_PASS %u\n%s", launch->group_size,
             pass, strategy->text);
    status = red_kernel_make(device, strategy->path, text, standard, launch->kernel, kernel, error);
    free(text);
    return status;
}

/* Makes the launches one behind the other; in the second of a scan n is the number of carries. */
static enum red_status make_launches(struct red_device *device, const struct red_strategy *strategy,
                                     const struct launch *launch, const cl_mem buffers[4],
                                     struct red_error *error) {
    enum red_status status = RED_OK;
    for (unsigned pass = 0; pass < launch->passes_n && status == RED_OK; pass++) {
        struct launch one = *launch;
        cl_kernel kernel = NULL;
        if (pass == 1) {
            one.n = launch->groups_n;
            one.groups_n = 1;
        }
        status = make_kernel(device, strategy, &one, pass, &kernel, error);
        if (status == RED_OK)
            status = red_cl_check(set_arguments(kernel, &one, buffers), "clSetKernelArg", error);
        if (status == RED_OK)
            status = red_cl_check(
                red_cl_launch(device->queue, kernel, one.groups_n * one.group_size, one.group_size, NULL),
                "a launch", error);
        red_cl_release_kernel(kernel);
    }
    return status;
}

/* Compares what the launches left. */
static enum red_status compare(const struct launch *launch, const cl_uint words[OUT_N],
                               struct red_error *error) {
    float values[OUT_N];
    memcpy(values, words, sizeof values);
    for (size_t g = 1; g < launch->groups_n && launch->adds_up; g++)
        values[0] += values[g];
    for (size_t i = 0; i < launch->answers_n; i++) {
        const double got = launch->are_counts ? (double)words[i] : (double)values[i];
        if (got != expected(launch, i))
            return red_fail(error, RED_E_WRONG, "group size %zu: answer %zu is %g; expected %g",
                            launch->group_size, i, got, expected(launch, i));
    }
    return RED_OK;
}

static enum red_status run(struct red_device *device, const struct red_strategy *strategy, size_t group_size,
                           struct red_error *error) {
    const struct launch launch = launch_of(strategy, group_size);
    cl_uint zeros[OUT_N] = {0}, words[OUT_N];
    float elements[N];
    cl_int codes[4];
    for (size_t i = 0; i < N; i++)
        elements[i] = element(i);
    cl_mem buffers[4] = {
        clCreateBuffer(device->context, CL_MEM_COPY_HOST_PTR, sizeof elements, elements, &codes[0])};
    for (int i = 1; i < 4; i++)
        buffers[i] = clCreateBuffer(device->context, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &codes[i]);
    enum red_status status = red_cl_check(codes[0] | codes[1] | codes[2] | codes[3], "clCreateBuffer", error);
    if (status == RED_OK)
        status = make_launches(device, strategy, &launch, buffers, error);
    if (status == RED_OK)
        status =
            red_cl_check(red_cl_read(device->queue, buffers[1], 0, words, sizeof words), "a read", error);
    red_cl_release_buffers(buffers, 4);
    return status == RED_OK ? compare(&launch, words, error) : status;
}

/* False where the strategy is wrong. */
static bool check_strategy(struct red_device *device, const struct red_strategy *strategy) {
    struct red_error error = {.text = ""};
    enum red_status status = RED_OK;
    for (size_t i = 0; i < sizeof group_sizes / sizeof group_sizes[0] && status == RED_OK; i++)
        status = run(device, strategy, group_sizes[i], &error);
    const bool can_run = status != RED_E_UNSUPPORTED;
    printf("%-6s%s alone on %s%s%s\n",
           !can_run           ? "none"
           : status == RED_OK ? "ok"
                              : "FAIL",
           strategy->path, device->info.id, status == RED_OK ? "" : ": ", error.text);
    return status == RED_OK || !can_run;
}

int main(int argc, char **argv) {
    struct red_error error = {.text = ""};
    struct red_catalogue *catalogue = NULL;
    struct red_device_list *list = NULL;
    struct red_device *device = NULL;
    bool failed = false;
    enum red_status status = red_catalogue_create(&catalogue, &error);
    if (status == RED_OK)
        status = red_device_list_create(&list, &error);
    const size_t devices_n = status == RED_OK ? red_device_list_n(list) : 0;
    for (size_t i = 0; i < devices_n && status == RED_OK; i++) {
        status = red_device_open(list, i, &device, &error);
        for (int k = 1; k < argc && status == RED_OK; k++) {
            const struct red_strategy *strategy = red_catalogue_find(catalogue, argv[k]);
            if (strategy == NULL)
                status = red_fail(&error, RED_E_INPUT, "no strategy is named %s", argv[k]);
            else if (!check_strategy(device, strategy))
                failed = true;
        }
        red_device_close(device);
        device = NULL;
    }
    if (status != RED_OK)
        printf("FAIL  %s\n", error.text);
    if (devices_n == 0)
        printf("skipped: there is no OpenCL device\n");
    red_device_list_destroy(list);
    red_catalogue_destroy(catalogue);
    return failed || status != RED_OK ? 1 : devices_n == 0 ? 77 : 0;
}
