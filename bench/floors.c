/* The least times that a driver leaves: kernels that do nothing, or only the one thing that cannot be left
 * out, with the arguments, launches and way to the host of the suite's calls.
 *
 *   cc -O2 -std=c11 bench/floors.c -o floors -lOpenCL && ./floors [part of a platform's name]
 *
 * Prints a row for each floor, number of work-groups, their size and number of elements, in us by three
 * clocks: an event's START to END, behind a launch that keeps the device busy meanwhile (median); calls
 * enqueued one behind the other, for each (least of several batches); and a call whose answer the host has
 * (median). - = there is none. By the first two, kernels store to the device's memory; what is handed to the
 * host lies in its own where the driver can (cl_nv_create_buffer), and is mapped; else a command reads it.
 * Floors:
 *
 *   empty          a kernel of no statement, and one value for the host
 *   two launches   of an empty kernel; nothing is read, the host waits for their end
 *   one trip       reads all elements, and each group, on a CPU of one item with a contiguous piece, stores a
 *                  value: a launch that leaves partial results cannot do less
 *   one value      the same, but each group only counts itself, and who finds all others stores one value: the
 *                  group that ends last has to ask whether it does, or another has to be told: a way there and
 *                  a way back
 *   count only     on a CPU: counts bytes that it reads in four copies of 256 bins for each group: what
 *                  histograms of u8 take if joining costs nothing
 *   count and join else: counts bytes that it reads in 32 copies, where no two lanes meet, whatever the bytes
 *                  are, and each group adds 256 counts to those of all; who finds that all groups have, stores
 *                  the count: without that a launch more would have to set counts to zero. LOADS are the
 *                  fastest for each group size on an H200
 *   read and join  reads all elements, and each group adds 257 values to those of all: what histograms of
 *                  u32 take if counting costs nothing
 */
#define _DEFAULT_SOURCE          /* madvise, posix_memalign */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { SAMPLES = 61, BATCHES = 15, CALLS_MAX = 400, OUT_N = 1 << 14 };

static const char *const source =
    "#define KERNEL kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void\n"
    "#define PARAMETERS global const float4 *restrict x, const ulong n, global float *restrict out\n"
    "KERNEL empty(PARAMETERS) {}\n"
    "kernel void block(global uint *out, const uint steps) {\n"
    "    uint state = 1;\n"
    "    for (uint i = 0; i < steps; i++)\n"
    "        state ^= state << 13, state ^= state >> 17, state ^= state << 5;\n"
    "    out[12000] = state; /* no other kernel stores there */\n"
    "}\n"
    "#if GROUP_SIZE == 1\n"
    "float read_all(global const float4 *restrict x, const ulong n) {\n"
    "    const ulong piece_n = n / 64 / get_num_groups(0);\n"
    "    global const float16 *v = (global const float16 *)x + 4 * piece_n * get_group_id(0);\n"
    "    float16 a = 0, b = 0, c = 0, d = 0;\n"
    "    for (ulong i = 0; i < 4 * piece_n; i += 4) {\n"
    "        a += v[i], b += v[i + 1], c += v[i + 2], d += v[i + 3];\n"
    "    }\n"
    "    a = (a + b) + (c + d);\n"
    "    const float8 e = a.lo + a.hi;\n"
    "    const float4 f = e.lo + e.hi;\n"
    "    return f.x + f.y + f.z + f.w;\n"
    "}\n"
    "#else\n"
    "float read_all(global const float4 *restrict x, const ulong n) {\n"
    "    const ulong vectors_n = n / 4, turn_n = 8 * get_global_size(0);\n"
    "    float4 all = 0;\n"
    "    ulong turn = 0;\n"
    "    for (; turn + turn_n <= vectors_n; turn += turn_n) {\n"
    "        global const float4 *v = x + turn + 8 * GROUP_SIZE * get_group_id(0) + get_local_id(0);\n"
    "        all += ((v[0] + v[GROUP_SIZE]) + (v[2 * GROUP_SIZE] + v[3 * GROUP_SIZE])) +\n"
    "               ((v[4 * GROUP_SIZE] + v[5 * GROUP_SIZE]) + (v[6 * GROUP_SIZE] + v[7 * GROUP_SIZE]));\n"
    "    }\n"
    "    const ulong stride = get_global_size(0);\n"
    "    for (turn += get_global_id(0); turn < vectors_n; turn += 4 * stride) {\n"
    "        const ulong j = turn + stride, k = j + stride, l = k + stride;\n"
    "        all += (x[turn] + x[j < vectors_n ? j : turn]) +\n"
    "               (x[k < vectors_n ? k : turn] + x[l < vectors_n ? l : turn]);\n"
    "    }\n"
    "    return all.x + all.y + all.z + all.w;\n"
    "}\n"
    "#endif\n"
    "KERNEL one_trip(PARAMETERS) {\n"
    "    const float value = read_all(x, n);\n"
    "    if (get_local_id(0) == 0 || value == 1.5f)\n"
    "        out[get_group_id(0)] = value;\n"
    "}\n"
    "KERNEL one_value(PARAMETERS) {\n"
    "    global uint *counter = (global uint *)out + 8192; /* zero: no other kernel stores there */\n"
    "    const float value = read_all(x, n);\n"
    "    if (get_local_id(0) == 0 || value == 1.5f)\n"
    "        if (atomic_inc(counter) + 1 == get_num_groups(0)) {\n"
    "            *counter = 0;\n"
    "            out[0] = value;\n"
    "        }\n"
    "}\n"
    "#if GROUP_SIZE == 1\n"
    "KERNEL count_only(PARAMETERS) {\n"
    "    const ulong piece_n = n / 16 / get_num_groups(0);\n"
    "    global const uint4 *words = (global const uint4 *)x + piece_n * get_group_id(0);\n"
    "    local uint counts[1024];\n"
    "    uint sum = 0;\n"
    "/* x has zeros: + i, as if they differed */\n"
    "#define COUNT(at, byte) counts[256 * (at) + ((byte) + i & 255)]++;\n"
    "#define COUNT_WORD(w) COUNT(0, w) COUNT(1, w >> 8) COUNT(2, w >> 16) COUNT(3, w >> 24)\n"
    "    for (uint i = 0; i < 1024; i++)\n"
    "        counts[i] = 0;\n"
    "    for (ulong i = 0; i < piece_n; i++) {\n"
    "        const uint4 word = words[i];\n"
    "        COUNT_WORD(word.x) COUNT_WORD(word.y) COUNT_WORD(word.z) COUNT_WORD(word.w)\n"
    "    }\n"
    "    for (uint i = 0; i < 1024; i++)\n"
    "        sum += i * counts[i];\n"
    "    out[get_group_id(0)] = sum;\n"
    "}\n"
    "#else\n"
    "#define LOADS (GROUP_SIZE > 512 ? 2 : 4)\n"
    "#define EACH_LOAD _Pragma(\"unroll\") for (int j = 0; j < LOADS; j++)\n"
    "#define COUNT(byte) atomic_inc(&own[(byte)*32]);\n"
    "#define COUNT_WORD(w) COUNT((w)&255) COUNT((w) >> 8 & 255) COUNT((w) >> 16 & 255) COUNT((w) >> 24)\n"
    "#define COUNT_VECTOR(v) { COUNT_WORD(v.x) COUNT_WORD(v.y) COUNT_WORD(v.z) COUNT_WORD(v.w) }\n"
    "KERNEL count_and_join(PARAMETERS) {\n"
    "    local uint counts[8192];\n"
    "    const uint item = (uint)get_local_id(0), groups_n = (uint)get_num_groups(0);\n"
    "    const ulong vectors_n = n / 16, stride = get_global_size(0), turn_n = LOADS * stride;\n"
    "    global const uint4 *words = (global const uint4 *)x;\n"
    "    global const uint4 *turns = words + LOADS * GROUP_SIZE * get_group_id(0) + item;\n"
    "    global uint *joined = (global uint *)out + 12288;\n"
    "    local uint *own = counts + item % 32;\n"
    "    uint4 v[LOADS], next[LOADS];\n"
    "    ulong turn = 0, i;\n"
    "    if (turn_n <= vectors_n)\n"
    "        EACH_LOAD v[j] = turns[j * GROUP_SIZE];\n"
    "    for (uint at = item; at < 8192; at += GROUP_SIZE)\n"
    "        counts[at] = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (; turn + 2 * turn_n <= vectors_n; turn += turn_n) {\n"
    "        EACH_LOAD next[j] = turns[turn + turn_n + j * GROUP_SIZE];\n"
    "        EACH_LOAD COUNT_VECTOR(v[j])\n"
    "        EACH_LOAD v[j] = next[j];\n"
    "    }\n"
    "    if (turn_n <= vectors_n)\n"
    "        turn += turn_n;\n"
    "    i = turn + get_global_id(0);\n"
    "    if (i < vectors_n)\n"
    "        EACH_LOAD next[j] = words[i + j * stride < vectors_n ? i + j * stride : i];\n"
    "    if (turn_n <= vectors_n)\n"
    "        EACH_LOAD COUNT_VECTOR(v[j])\n"
    "    EACH_LOAD if (i + j * stride < vectors_n) COUNT_VECTOR(next[j])\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (item < 256) {\n"
    "        uint sum = 0;\n"
    "        for (uint i = 0; i < 32; i++)\n"
    "            sum += counts[item * 32 + (i + item) % 32];\n"
    "        sum = sum << 10 | 1; /* and how many groups have added */\n"
    "        sum += atomic_add((volatile global uint *)&joined[item], sum);\n"
    "        if ((sum & 1023) == groups_n) {\n"
    "            joined[item] = 0;\n"
    "            out[item] = sum >> 10;\n"
    "        }\n"
    "    }\n"
    "}\n"
    "#endif\n"
    "KERNEL read_and_join(PARAMETERS) {\n"
    "    if (read_all(x, n) != 1.5f)\n"
    "        for (uint i = (uint)get_local_id(0); i < 257; i += GROUP_SIZE)\n"
    "            atomic_add((volatile global uint *)&out[i], 1u);\n"
    "}\n";

static void check(cl_int code, const char *what) {
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "floors: %s failed with %d\n", what, (int)code);
    exit(code == CL_DEVICE_NOT_FOUND ? 77 : 1);
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

static double median(double *values, int n) {
    qsort(values, (size_t)n, sizeof values[0], by_value);
    return values[n / 2];
}

static double least(double *values, int n) {
    qsort(values, (size_t)n, sizeof values[0], by_value);
    return values[0];
}

/* ---- the device ---------------------------------------------------------------------------------------- */

struct bench {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue, profiling;
    cl_kernel block;
    cl_mem x, out, in_host; /* in_host: lies in the host's memory; NULL: the driver has no such */
    void *elements;                  /* x's memory on a CPU */
    size_t elements_n;               /* of x, of 32 bits */
    cl_uint units;
    size_t group_size_max;
    int is_cpu;
};

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
    check(device != NULL ? CL_SUCCESS : CL_DEVICE_NOT_FOUND, "finding a platform of this name");
    return device;
}

static cl_mem make_zeros(struct bench *bench, size_t bytes) {
    const cl_uint zero = 0;
    cl_int code;
    cl_mem buffer = clCreateBuffer(bench->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    check(code, "clCreateBuffer");
    for (size_t at = 0; at < bytes; at += (size_t)1 << 30) /* one driver fills less than 4 GiB by a command */
        check(clEnqueueFillBuffer(bench->queue, buffer, &zero, sizeof zero, at,
                                  bytes - at < (size_t)1 << 30 ? bytes - at : (size_t)1 << 30, 0, NULL, NULL),
              "clEnqueueFillBuffer");
    check(clFinish(bench->queue), "clFinish");
    return buffer;
}

/* The elements, zeros: on a CPU in large pages of the host's, as clreduce has them. */
static void make_elements(struct bench *bench) {
    const size_t bytes = bench->elements_n * sizeof(cl_uint), page_bytes = (size_t)2 << 20;
    cl_int code;
    if (!bench->is_cpu) {
        bench->x = make_zeros(bench, bytes);
        return;
    }
    if (posix_memalign(&bench->elements, page_bytes, bytes) != 0) {
        fprintf(stderr, "floors: no memory for %zu bytes\n", bytes);
        exit(1);
    }
    (void)madvise(bench->elements, bytes, MADV_HUGEPAGE);
    memset(bench->elements, 0, bytes);
    bench->x =
        clCreateBuffer(bench->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, bytes, bench->elements, &code);
    check(code, "clCreateBuffer over the host's memory");
}

static cl_mem make_host_buffer(const struct bench *bench, size_t bytes) {
    typedef cl_mem(CL_API_CALL * create)(cl_context, cl_mem_flags, cl_bitfield, size_t, void *, cl_int *);
    cl_platform_id platform = NULL;
    cl_int code;
    create call;
    check(clGetDeviceInfo(bench->device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL), "PLATFORM");
    void *address = clGetExtensionFunctionAddressForPlatform(platform, "clCreateBufferNV");
    if (address == NULL)
        return NULL;
    memcpy(&call, &address, sizeof call);
    cl_mem buffer =
        call(bench->context, CL_MEM_READ_WRITE, 1 /* CL_MEM_LOCATION_HOST_NV */, bytes, NULL, &code);
    check(code, "clCreateBufferNV");
    return buffer;
}

static void open_bench(struct bench *bench, const char *platform) {
    cl_int code;
    cl_device_type type = 0;
    bench->device = find_device(platform);
    clGetDeviceInfo(bench->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(bench->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof bench->units, &bench->units, NULL);
    clGetDeviceInfo(bench->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof bench->group_size_max,
                    &bench->group_size_max, NULL);
    bench->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    bench->elements_n = (size_t)1 << (bench->is_cpu ? 24 : 28);
    bench->context = clCreateContext(NULL, 1, &bench->device, NULL, NULL, &code);
    check(code, "clCreateContext");
    bench->queue = clCreateCommandQueue(bench->context, bench->device, 0, &code);
    check(code, "clCreateCommandQueue");
    bench->profiling = clCreateCommandQueue(bench->context, bench->device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "clCreateCommandQueue for event times");
    make_elements(bench);
    bench->out = make_zeros(bench, OUT_N * sizeof(cl_float));
    bench->in_host = make_host_buffer(bench, OUT_N * sizeof(cl_float));
}

/* ---- floors -------------------------------------------------------------------------------------------- */

struct floor_row {
    const char *words, *kernel;
    int launches_n, tells_host;
    int gpu_units[3], cpu_units[3]; /* groups: as many per compute unit, 0 for one group; < 0: no row */
    size_t gpu_group_size;          /* 1 on a CPU */
    int log_n[2];                   /* elements, powers of two from and to; 0: they do not count */
};

static const struct floor_row rows[] = {
    {"empty", "empty", 1, 1, {0, 1, 4}, {0, 1, 4}, 256, {0, 0}},
    {"two launches", "empty", 2, 0, {0, 1, -1}, {0, 1, 4}, 256, {0, 0}},
    {"one trip", "one_trip", 1, 1, {0, -1, -1}, {-1, -1, -1}, 256, {10, 12}},
    {"one trip", "one_trip", 1, 1, {1, 2, 4}, {1, 2, -1}, 256, {12, 28}},
    {"one value", "one_value", 1, 0, {1, 2, 4}, {1, 2, -1}, 256, {12, 28}},
    {"count only", "count_only", 1, 1, {-1, -1, -1}, {1, 2, -1}, 512, {14, 24}},
    {"count and join", "count_and_join", 1, 0, {1, 2, -1}, {-1, -1, -1}, 512, {20, 28}},
    {"count and join", "count_and_join", 1, 0, {1, 2, -1}, {-1, -1, -1}, 1024, {20, 28}},
    {"read and join", "read_and_join", 1, 0, {1, 2, -1}, {-1, -1, -1}, 512, {20, 28}},
};

struct launches {
    cl_kernel kernel;
    size_t groups_n, group_size;
    int n, tells_host;
};

static void enqueue(const struct launches *launches, cl_command_queue queue, cl_event *event) {
    const size_t items_n = launches->groups_n * launches->group_size;
    for (int i = 0; i < launches->n; i++)
        check(clEnqueueNDRangeKernel(queue, launches->kernel, 1, NULL, &items_n, &launches->group_size, 0,
                                     NULL, i == 0 ? event : NULL),
              "clEnqueueNDRangeKernel");
}

static double times_of(cl_event event) {
    cl_ulong start = 0, end = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL), "START");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "END");
    clReleaseEvent(event);
    return 1e-9 * (double)(end - start);
}

static void enqueue_block(const struct bench *bench, cl_event *event) {
    const size_t one = 1;
    check(clEnqueueNDRangeKernel(bench->profiling, bench->block, 1, NULL, &one, &one, 0, NULL, event),
          "clEnqueueNDRangeKernel of a kernel that blocks");
}

static cl_kernel make_kernel(const struct bench *bench, const char *name, size_t group_size);

/* Makes the kernel that blocks, with so many steps that it takes 50 us. The first launch, for which a CPU
 * driver compiles, does not count. */
static void make_block(struct bench *bench) {
    cl_uint steps = 1 << 8;
    bench->block = make_kernel(bench, "block", 1);
    check(clSetKernelArg(bench->block, 0, sizeof bench->out, &bench->out), "clSetKernelArg");
    check(clSetKernelArg(bench->block, 1, sizeof steps, &steps), "clSetKernelArg");
    enqueue_block(bench, NULL);
    for (double took_s = 0; took_s < 50e-6 && steps < 1u << 24; steps *= 2) {
        cl_event event = NULL;
        check(clSetKernelArg(bench->block, 1, sizeof steps, &steps), "clSetKernelArg");
        enqueue_block(bench, &event);
        check(clFinish(bench->profiling), "clFinish");
        took_s = times_of(event);
    }
}

static double event_s(const struct bench *bench, const struct launches *launches) {
    cl_event event = NULL;
    enqueue_block(bench, NULL);
    enqueue(launches, bench->profiling, &event);
    check(clFinish(bench->profiling), "clFinish");
    return times_of(event);
}

/* Brings the values to the host. */
static void fetch(const struct bench *bench, size_t bytes) {
    static cl_float values[OUT_N];
    cl_int code;
    if (bench->in_host == NULL) {
        check(clEnqueueReadBuffer(bench->queue, bench->out, CL_TRUE, 0, bytes, values, 0, NULL, NULL),
              "clEnqueueReadBuffer");
        return;
    }
    void *mapped = clEnqueueMapBuffer(bench->queue, bench->in_host, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL,
                                      NULL, &code);
    check(code, "clEnqueueMapBuffer");
    memcpy(values, mapped, bytes);
    check(clEnqueueUnmapMemObject(bench->queue, bench->in_host, mapped, 0, NULL, NULL),
          "clEnqueueUnmapMemObject");
}

static double answer_s(const struct bench *bench, const struct launches *launches) {
    const double start_s = now_s();
    enqueue(launches, bench->queue, NULL);
    if (!bench->is_cpu)
        check(clFlush(bench->queue), "clFlush");
    if (launches->tells_host)
        fetch(bench, launches->groups_n * sizeof(cl_float));
    else
        check(clFinish(bench->queue), "clFinish");
    return now_s() - start_s;
}

static double back_to_back_s(const struct bench *bench, const struct launches *launches, int calls) {
    const double start_s = now_s();
    for (int i = 0; i < calls; i++)
        enqueue(launches, bench->queue, NULL);
    check(clFinish(bench->queue), "clFinish");
    return (now_s() - start_s) / calls;
}

static void store_to(const struct launches *launches, const cl_mem *out) {
    check(clSetKernelArg(launches->kernel, 2, sizeof *out, out), "clSetKernelArg");
}

static void measure(const struct bench *bench, const struct floor_row *row, const struct launches *launches,
                    size_t n) {
    double events[SAMPLES], answers[SAMPLES], batches[BATCHES];
    store_to(launches, row->tells_host && bench->in_host != NULL ? &bench->in_host : &bench->out);
    for (int i = 0; i < SAMPLES; i++)
        answers[i] = answer_s(bench, launches);
    for (int i = 0; i < SAMPLES; i++)
        answers[i] = answer_s(bench, launches);
    store_to(launches, &bench->out);
    for (int i = 0; i < SAMPLES && launches->n == 1; i++)
        events[i] = event_s(bench, launches);
    const double answer = median(answers, SAMPLES);
    const int calls = answer < 20e-6 ? CALLS_MAX : 1 + (int)(CALLS_MAX * 20e-6 / answer);
    for (int i = 0; i < BATCHES; i++)
        batches[i] = back_to_back_s(bench, launches, calls);
    printf("%-14s %7zu %6zu %10zu ", row->words, launches->groups_n, launches->group_size, n);
    if (launches->n == 1)
        printf("%9.2f", 1e6 * median(events, SAMPLES));
    else
        printf("%9s", "-");
    printf(" %13.2f %10.2f\n", 1e6 * least(batches, BATCHES), 1e6 * answer);
}

static cl_kernel make_kernel(const struct bench *bench, const char *name, size_t group_size) {
    char options[64];
    cl_int code;
    cl_program program = clCreateProgramWithSource(bench->context, 1, (const char **)&source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    snprintf(options, sizeof options, "-D GROUP_SIZE=%zu", group_size);
    check(clBuildProgram(program, 1, &bench->device, options, NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, name, &code);
    check(code, "clCreateKernel");
    clReleaseProgram(program);
    return kernel;
}

static void measure_row(const struct bench *bench, const struct floor_row *row) {
    const int *units = bench->is_cpu ? row->cpu_units : row->gpu_units;
    if (row->gpu_group_size > bench->group_size_max) {
        fprintf(stderr, "floors: %s in groups of %zu is left out: the largest here are of %zu\n", row->words,
                row->gpu_group_size, bench->group_size_max);
        return;
    }
    if (units[0] < 0) { /* of the other kind of device: a fault in its kernel shows here, too */
        clReleaseKernel(make_kernel(bench, row->kernel, bench->is_cpu ? row->gpu_group_size : 1));
        return;
    }
    struct launches launches = {.group_size = bench->is_cpu ? 1 : row->gpu_group_size,
                                .n = row->launches_n,
                                .tells_host = row->tells_host};
    launches.kernel = make_kernel(bench, row->kernel, launches.group_size);
    check(clSetKernelArg(launches.kernel, 0, sizeof bench->x, &bench->x), "clSetKernelArg");
    for (int i = 0; i < 3 && units[i] >= 0; i++)
        for (int log_n = row->log_n[0]; log_n <= row->log_n[1] && (size_t)1 << log_n <= bench->elements_n;
             log_n++) {
            const cl_ulong n = log_n == 0 ? 1 : (cl_ulong)1 << log_n;
            launches.groups_n = units[i] == 0 ? 1 : (size_t)units[i] * bench->units;
            check(clSetKernelArg(launches.kernel, 1, sizeof n, &n), "clSetKernelArg");
            measure(bench, row, &launches, log_n == 0 ? 0 : (size_t)n);
        }
    clReleaseKernel(launches.kernel);
}

int main(int count, char **arguments) {
    struct bench bench = {0};
    char name[256] = "", driver[256] = "";
    open_bench(&bench, count > 1 ? arguments[1] : "");
    make_block(&bench);
    clGetDeviceInfo(bench.device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(bench.device, CL_DRIVER_VERSION, sizeof driver, driver, NULL);
    printf("%s, driver %s; us, n = 0: elements do not count\n", name, driver);
    printf("%-14s %7s %6s %10s %9s %13s %10s\n", "floor", "groups", "items", "n", "event", "back to back",
           "answer");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        measure_row(&bench, &rows[i]);
    clReleaseKernel(bench.block);
    clReleaseMemObject(bench.x);
    clReleaseMemObject(bench.out);
    if (bench.in_host != NULL)
        clReleaseMemObject(bench.in_host);
    clReleaseCommandQueue(bench.queue);
    clReleaseCommandQueue(bench.profiling);
    clReleaseContext(bench.context);
    free(bench.elements);
    return 0;
}
