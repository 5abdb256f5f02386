/* The least time to answer that a driver leaves: kernels that do nothing, with the arguments, launches and
 * way to the host of emitted code.
 *
 *   cc -O2 -std=c11 bench/emitting/floor.c -o floor -lOpenCL && ./floor [part of a platform's name]
 *
 * For some numbers of work-groups of one item it prints the least and the median time in us: of one launch
 * and a blocking read, as reductions of finish host have them, and of two launches that are waited for, as
 * histograms of finish joined_copies have them. */
#define _POSIX_C_SOURCE          200809L
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 301, CALLS = 50, GROUPS_MAX = 32, JOINING_GROUPS = 5 };

static const char *source =
    "kernel __attribute__((reqd_work_group_size(1, 1, 1))) void\n"
    "nothing(global const float *restrict x, const ulong n, global float *restrict out) {\n"
    "    if (n == 0)\n"
    "        out[get_group_id(0)] = x[0];\n"
    "}\n";

static void check(cl_int code, const char *what) {
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", what, (int)code);
    exit(1);
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void launch(cl_command_queue queue, cl_kernel kernel, size_t groups_n) {
    const size_t group_size = 1;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &groups_n, &group_size, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
}

static void call(cl_command_queue queue, cl_kernel kernel, cl_mem out, size_t groups_n, int is_histogram) {
    float values[GROUPS_MAX];
    launch(queue, kernel, groups_n);
    if (is_histogram) {
        launch(queue, kernel, JOINING_GROUPS);
        check(clFinish(queue), "clFinish");
    } else
        check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, groups_n * sizeof(float), values, 0, NULL, NULL),
              "clEnqueueReadBuffer");
}

static void measure(cl_command_queue queue, cl_kernel kernel, cl_mem out, size_t groups_n, int is_histogram) {
    double times[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now_s();
        for (int i = 0; i < CALLS; i++)
            call(queue, kernel, out, groups_n, is_histogram);
        times[round] = (now_s() - start) / CALLS;
    }
    qsort(times, ROUNDS, sizeof times[0], by_value);
    printf("%2zu groups, %s: %.2f (median %.2f)\n", groups_n,
           is_histogram ? "two launches" : "launch and read", 1e6 * times[0], 1e6 * times[ROUNDS / 2]);
}

static cl_device_id find_device(const char *wanted) {
    cl_platform_id platforms[16];
    cl_uint platforms_n = 0;
    cl_device_id device = NULL;
    check(clGetPlatformIDs(16, platforms, &platforms_n), "clGetPlatformIDs");
    for (cl_uint p = 0; p < platforms_n && p < 16 && device == NULL; p++) {
        char name[256] = "";
        clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strstr(name, wanted) != NULL)
            clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    }
    check(device != NULL ? CL_SUCCESS : CL_DEVICE_NOT_FOUND, wanted);
    return device;
}

int main(int count, char **arguments) {
    cl_int code;
    cl_device_id device = find_device(count > 1 ? arguments[1] : "");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "nothing", &code);
    check(code, "clCreateKernel");
    cl_mem x = clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof(float), NULL, &code);
    check(code, "clCreateBuffer");
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, GROUPS_MAX * sizeof(float), NULL, &code);
    check(code, "clCreateBuffer");
    const cl_ulong n = 1;
    check(clSetKernelArg(kernel, 0, sizeof x, &x), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof n, &n), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof out, &out), "clSetKernelArg");
    for (size_t groups_n = 1; groups_n <= GROUPS_MAX; groups_n *= 2)
        for (int is_histogram = 0; is_histogram < 2; is_histogram++)
            measure(queue, kernel, out, groups_n, is_histogram);
    clReleaseMemObject(out);
    clReleaseMemObject(x);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
