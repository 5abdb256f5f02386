/* The kernels that one reads and copies are right as they stand in their files: no prelude, no macros of a
 * host, groups of 256, or of as many as RED_GROUP_SIZE says.
 *   kernels_alone STRATEGY...   the text of each one's file, on each device
 * Prints a line for each, and ends with status 0, 1, or 77 where there is no device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/device.h"
#include "cl/private.h"
#include "model/catalogue.h"

enum { GROUP_SIZE = 256, N = 1000, SEGMENTS_N = 10, SCAN_N = 200, GROUPS_N = 4, OUT_N = 1024 };

/* What a launch is given, and what it must leave: out[0] ... out[answers_n - 1], or their sum in all of out.
 */
struct launch {
    const char *kernel;
    cl_ulong n, segments_n;
    size_t groups_n, answers_n;
    bool adds_up, are_counts;
    size_t local_bytes; /* of the local memory that is an argument, or 0 */
};

/* A multiple of a quarter from -3/4 to 1, so that every sum is exact, and some elements are out of the bins.
 */
static float element(size_t i) {
    return (float)(int)(i * 5 % 8) / 4 - 0.75f;
}

static struct launch launch_of(const struct red_strategy *strategy) {
    if (strategy->primitive == RED_PRIMITIVE_SCAN)
        return (struct launch){"scan", SCAN_N, 0, 1, SCAN_N, false, false, 0};
    if (strategy->primitive == RED_PRIMITIVE_HISTOGRAM)
        return (struct launch){"histogram", N, 0, GROUPS_N, 257, false, true, 0};
    if (red_strategy_is_segmented(strategy))
        return (struct launch){"reduce", N / SEGMENTS_N, SEGMENTS_N, SEGMENTS_N, SEGMENTS_N, false, false, 0};
    const bool adds_up = strategy->finish == RED_STRATEGY_HOST && strategy->span != RED_STRATEGY_ONE;
    const bool is_given = (strategy->needs & RED_NEED_LOCAL_ARGUMENT) != 0;
    return (struct launch){"reduce", N,       0,     GROUPS_N,
                           1,        adds_up, false, is_given ? GROUP_SIZE * sizeof(float) : 0};
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
    cl_int code = red_cl_set_arguments(kernel, 0, first, 3);
    if (code == CL_SUCCESS)
        code = red_cl_set_arguments(kernel, 3, is_reduction ? &last[1] : last, is_reduction ? 1 : 2);
    if (code == CL_SUCCESS && launch->segments_n > 0)
        code = red_cl_set_arguments(kernel, 4, segments, 1);
    if (code == CL_SUCCESS && launch->local_bytes > 0)
        code = clSetKernelArg(kernel, 4, launch->local_bytes, NULL);
    return code;
}

/* Launches the kernel and compares what it leaves. */
static enum red_status run(struct red_device *device, cl_kernel kernel, const struct launch *launch,
                           struct red_error *error) {
    static cl_uint zeros[OUT_N], words[OUT_N];
    static float elements[N];
    cl_int codes[4];
    for (size_t i = 0; i < N; i++)
        elements[i] = element(i);
    cl_mem buffers[4] = {
        clCreateBuffer(device->context, CL_MEM_COPY_HOST_PTR, sizeof elements, elements, &codes[0])};
    for (int i = 1; i < 4; i++)
        buffers[i] = clCreateBuffer(device->context, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &codes[i]);
    cl_int code = codes[0] | codes[1] | codes[2] | codes[3];
    if (code == CL_SUCCESS)
        code = set_arguments(kernel, launch, buffers);
    if (code == CL_SUCCESS)
        code = red_cl_launch(device->queue, kernel, launch->groups_n * GROUP_SIZE, GROUP_SIZE, NULL);
    if (code == CL_SUCCESS)
        code = red_cl_read(device->queue, buffers[1], 0, words, sizeof words);
    red_cl_release_buffers(buffers, 4);
    if (code != CL_SUCCESS)
        return red_cl_check(code, "a launch", error);
    float values[OUT_N];
    memcpy(values, words, sizeof values);
    for (size_t g = 1; g < launch->groups_n && launch->adds_up; g++)
        values[0] += values[g];
    for (size_t i = 0; i < launch->answers_n; i++) {
        const double got = launch->are_counts ? (double)words[i] : (double)values[i];
        if (got != expected(launch, i))
            return red_fail(error, RED_E_WRONG, "answer %zu is %g; expected %g", i, got, expected(launch, i));
    }
    return RED_OK;
}

/* Builds the text of the strategy's file as it is, and runs it; false where it is wrong. */
static bool check_strategy(struct red_device *device, const struct red_strategy *strategy) {
    const struct red_op *op = red_op_find(strategy->primitive == RED_PRIMITIVE_SCAN        ? "inclusive_sum"
                                          : strategy->primitive == RED_PRIMITIVE_HISTOGRAM ? "count"
                                                                                           : "sum");
    const struct launch launch = launch_of(strategy);
    struct red_error error = {.text = ""};
    enum red_c_standard standard;
    cl_kernel kernel = NULL;
    enum red_status status =
        red_capability_choose_standard(&device->info, &device->capabilities, strategy, red_dtype_find("f32"),
                                       op, GROUP_SIZE, &standard, &error);
    const bool can_run = status != RED_E_UNSUPPORTED;
    if (status == RED_OK)
        status =
            red_kernel_make(device, strategy->path, strategy->text, standard, launch.kernel, &kernel, &error);
    if (status == RED_OK)
        status = run(device, kernel, &launch, &error);
    red_cl_release_kernel(kernel);
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
