/* The sum of i32 by the strategy wg_scan_last on cpu.1, driver 1, fails.
 * 0
 * Written by clreduce 0.1.0, free to use for any purpose, without warranty (0BSD). Build: cc reproduce.c -lOpenCL
 * Run: ./a.out [PLATFORM]. Exit status: 1 while the bug is there, 0 without it, 77 where the device lacks what is needed,
 * 2 where anything else fails. */
#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GONE = 0, BUG = 1, SET_UP = 2, LACKS = 77 };
enum { ARRAYS = 1, GROUP_SIZE = 256, OUTS = 1, READ = 1 }; /* arrays; buffers of partial results; those that are read */
enum { BEHIND = 256, POISON = 127, DATA_POISON = 255 }; /* bytes behind each buffer, and what stands there */
static const size_t OUT_BYTES[] = {1 * sizeof(uint32_t)};
static const uint64_t ELEMENTS = 0;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem in[2], out[2], counter;
static int status_of_error = SET_UP;

static void check(cl_int code, const char *call) {
    if (code != CL_SUCCESS)
        exit((printf("%s: OpenCL error %d\n", call, (int)code), code == CL_INVALID_WORK_GROUP_SIZE ? LACKS : status_of_error));
}

static cl_device_id find_device(const char *wanted) {
    cl_platform_id platforms[16];
    cl_device_id devices[16];
    cl_uint n = 0, devices_n = 0;
    clGetPlatformIDs(16, platforms, &n);
    for (cl_uint i = 0; i < n && i < 16; i++, devices_n = 0) {
        char platform[256] = "", driver[256] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof platform, platform, NULL);
        if (strstr(platform, wanted) == NULL ||
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 16, devices, &devices_n) != CL_SUCCESS || devices_n <= 1)
            continue;
        clGetDeviceInfo(devices[1], CL_DRIVER_VERSION, sizeof driver, driver, NULL);
        printf("%s, driver %s\n", platform, driver);
        return devices[1];
    }
    exit((puts("there is no such OpenCL platform, or it has no such device"), LACKS));
}

static void build(cl_device_id device) {
    static char text[1 << 18], log[1 << 20];
    FILE *file = fopen("reproduce.cl", "rb");
    if (file == NULL || fread(text, 1, sizeof text - 1, file) == 0 || fclose(file) != 0)
        exit((puts("reproduce.cl cannot be read: run this in its folder"), SET_UP));
    program = clCreateProgramWithSource(context, 1, (const char *[]){text}, NULL, NULL);
    cl_int code = clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL);
    if (code != CL_SUCCESS)
        code = clBuildProgram(program, 1, &device, "-cl-std=CL2.0", NULL, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    if (code != CL_SUCCESS)
        exit((printf("clBuildProgram: OpenCL error %d\n%s\n", (int)code, log), LACKS));
}

static uint64_t hash(uint64_t i, uint64_t seed) {
    uint64_t z = i * UINT64_C(0x9e3779b97f4a7c15) + seed * UINT64_C(0xd1342543de82ef95) + 1;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void launch(const char *name, const cl_mem *from, cl_uint from_n, cl_ulong n, size_t groups, cl_mem to) {
    const size_t local = GROUP_SIZE, global = groups * GROUP_SIZE;
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    check(code, "clCreateKernel");
    for (cl_uint i = 0; i < from_n; i++)
        check(clSetKernelArg(kernel, i, sizeof from[i], &from[i]), "clSetKernelArg");
    check(clSetKernelArg(kernel, from_n, sizeof n, &n), "clSetKernelArg");
    check(clSetKernelArg(kernel, from_n + 1, sizeof to, &to), "clSetKernelArg");
    check(clSetKernelArg(kernel, from_n + 2, sizeof counter, &counter), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
}

static int is_right(const uint32_t *partials, int call) {
    uint32_t total = partials[0];
    const int32_t got = (int32_t)total;
    const int right = got == (int32_t)UINT64_C(0);
    if (!right || call == 100)
        printf("call %d: expected 0, got %" PRId64 "\n", call, (int64_t)got);
    return right;
}

int main(int argc, char **argv) {
    const char *platform = argc > 1 ? argv[1] : "A platform";
    unsigned char zero[sizeof(cl_uint) + BEHIND] = {0}, poison[BEHIND];
    cl_int code, right = 1;
    int32_t *x[ARRAYS];
    uint64_t made = UINT64_C(0xcbf29ce484222325);
    cl_device_id device = find_device(platform);
    memcpy(zero + sizeof(cl_uint), memset(poison, POISON, BEHIND), BEHIND);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    build(device);
    for (unsigned a = 0; a < ARRAYS; a++) {
        const size_t bytes = (size_t)ELEMENTS * sizeof *x[a];
        x[a] = memset(malloc(bytes + BEHIND), DATA_POISON, bytes + BEHIND);
        /* The data: uniform. */
        for (uint64_t at = 0; at < ELEMENTS; at++) {
            const uint64_t h = hash(at, UINT64_C(1) + a);
            x[a][at] = (int32_t)((h | 1) - 0);
        }
        for (size_t i = 0; i < bytes; i++) /* FNV-1a */
            made = (made ^ ((unsigned char *)x[a])[i]) * UINT64_C(0x100000001b3);
        in[a] = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes + BEHIND, x[a], &code);
    }
    if (made != UINT64_C(0xcbf29ce484222325))
        exit((puts("these are not the data of the check"), SET_UP));
    counter = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zero, zero, &code);
    for (unsigned o = 0; o < OUTS; o++) {
        out[o] = clCreateBuffer(context, CL_MEM_READ_WRITE, OUT_BYTES[o] + BEHIND, NULL, &code);
        check(clEnqueueFillBuffer(queue, out[o], poison, 1, 0, OUT_BYTES[o] + BEHIND, 0, NULL, NULL), "clEnqueueFillBuffer");
    }
    status_of_error = BUG;
    for (int call = 1; call <= 100; call++) {
        launch("reduce", in, ARRAYS, 0, 1, out[0]);
        static uint32_t partials[READ];
        code = clEnqueueReadBuffer(queue, out[0], CL_TRUE, 0 * sizeof(uint32_t), sizeof partials, partials, 0, NULL, NULL);
        check(code, "clEnqueueReadBuffer");
        right &= is_right(partials, call);
    }
    puts(right ? "the bug is gone" : "the bug is there");
    return right ? GONE : BUG;
}
