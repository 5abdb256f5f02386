/* What a driver keeps of programs that were released, without any of our code: builds programs, runs a kernel
 * of each, releases everything, again and again, and prints the growth of resident memory per program. bare
 * PLATFORM SOURCE.cl STANDARD Each program is SOURCE.cl and one more kernel, so that no two are the same.
 * Exit status 0, or 1 where an OpenCL call fails. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS_N = 9, ALIVE_N = 32, SOURCE_BYTES = 1 << 20 };

static void check(cl_int code, const char *call) {
    if (code == CL_SUCCESS)
        return;
    printf("bare: %s failed with %d\n", call, code);
    exit(1);
}

static double resident_bytes(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1)
        exit(1);
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static cl_device_id find_device(const char *platform) {
    cl_platform_id platforms[16];
    cl_device_id device = NULL;
    cl_uint n = 0;
    char name[256];
    check(clGetPlatformIDs(16, platforms, &n), "clGetPlatformIDs");
    for (cl_uint i = 0; i < n && device == NULL; i++)
        if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
            strstr(name, platform) != NULL)
            check(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    check(device != NULL ? CL_SUCCESS : CL_DEVICE_NOT_FOUND, "finding the platform");
    return device;
}

/* A kernel of a program of its own, run once. Its program lives as long as it does. */
static cl_kernel make_kernel(cl_context context, cl_device_id device, cl_command_queue queue, cl_mem out,
                             char *text, size_t length, const char *options) {
    static int made;
    char name[64];
    const char *source = text;
    const size_t one = 1;
    cl_int code;
    snprintf(name, sizeof name, "bare_%d_%ld", made++, (long)getpid());
    snprintf(text + length, SOURCE_BYTES - length, "\nkernel void %s(global uint *out) { out[0] = %d; }\n",
             name, made);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, name, &code);
    check(code, "clCreateKernel");
    check(clReleaseProgram(program), "clReleaseProgram");
    check(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    return kernel;
}

int main(int argc, char **argv) {
    static char text[SOURCE_BYTES];
    char options[64];
    if (argc != 4)
        return 1;
    FILE *file = fopen(argv[2], "r");
    size_t length = file ? fread(text, 1, SOURCE_BYTES - 1024, file) : 0;
    check(length > 0 ? CL_SUCCESS : CL_INVALID_VALUE, "reading the source");
    fclose(file);
    snprintf(options, sizeof options, "-cl-std=%s", argv[3]);
    cl_device_id device = find_device(argv[1]);
    cl_int code;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &code);
    check(code, "clCreateBuffer");
    double second = 0;
    for (int round = 1; round <= ROUNDS_N; round++) {
        cl_kernel kernels[ALIVE_N];
        for (int i = 0; i < ALIVE_N; i++)
            kernels[i] = make_kernel(context, device, queue, out, text, length, options);
        for (int i = 0; i < ALIVE_N; i++)
            check(clReleaseKernel(kernels[i]), "clReleaseKernel");
        malloc_trim(0);
        if (round == 2)
            second = resident_bytes();
    }
    printf("bare: %s alone keeps %.0f KiB per program, of %d\n", argv[1],
           (resident_bytes() - second) / 1024 / ((ROUNDS_N - 2) * ALIVE_N), (ROUNDS_N - 2) * ALIVE_N);
    clReleaseMemObject(out);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
