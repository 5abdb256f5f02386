#include "device/probe.h"

#include <stdio.h>
#include <string.h>

#include "device/private.h"

enum { PROBE_GROUPS_N = 5, PROBE_ITEMS_MAX = 5 * 128, PROBE_OUT_N = 2 * PROBE_GROUPS_N };

/* ---- what the driver says --------------------------------------------------------------------------------
 */

static enum red_answer answer(bool yes) {
    return yes ? RED_YES : RED_NO;
}

/* The major version in "OpenCL 3.0 ...". */
static int major_version(const struct red_device *device) {
    int major = 1;
    sscanf(device->info.version, "OpenCL %d", &major);
    return major;
}

static enum red_answer says_yes(struct red_device *device) {
    (void)device;
    return RED_YES;
}

static enum red_answer says_local_memory(struct red_device *device) {
    return answer(device->info.local_memory_bytes > 0);
}

static enum red_answer says_fp64(struct red_device *device) {
    cl_device_fp_config config = 0;
    cl_int code =
        clGetDeviceInfo(device->cl_device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL);
    return code == CL_SUCCESS ? answer(config != 0) : RED_UNKNOWN;
}

static enum red_answer says_cas64(struct red_device *device) {
    char extensions[16384] = "";
    if (clGetDeviceInfo(device->cl_device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL) !=
        CL_SUCCESS)
        return RED_UNKNOWN;
    return answer(strstr(extensions, "cl_khr_int64_base_atomics") != NULL);
}

/* Mandatory in 2.x, absent in 1.x, asked from 3.0 on; a failing query means unknown, not no. */
static enum red_answer says_collectives(struct red_device *device) {
    if (major_version(device) < 3)
        return answer(major_version(device) == 2);
    cl_bool supported = CL_FALSE;
    cl_int code = clGetDeviceInfo(device->cl_device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
                                  sizeof supported, &supported, NULL);
    return code == CL_SUCCESS ? answer(supported) : RED_UNKNOWN;
}

static enum red_answer says_c11_device(struct red_device *device) {
    if (major_version(device) < 3)
        return answer(major_version(device) == 2);
    cl_device_atomic_capabilities atomics = 0;
    cl_int code = clGetDeviceInfo(device->cl_device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof atomics,
                                  &atomics, NULL);
    return code == CL_SUCCESS ? answer(atomics & CL_DEVICE_ATOMIC_SCOPE_DEVICE) : RED_UNKNOWN;
}

/* ---- probes ----------------------------------------------------------------------------------------------
 */

/* Every probe adds up `in`: one sum per group in out[group], or the sum of all in out[0]; a wide one in the
 * 64 bits of out[0] and out[1]. These start above 2^32 with a full lower half: the sum carries into the upper
 * one, and the first guess is right in the lower half only. */
enum probe_result { PER_GROUP, TOTAL, TOTAL_WIDE };

struct probe {
    enum red_answer (*says)(struct red_device *device);
    enum probe_result result;
    const char *text;
};

static const cl_ulong wide_start = 0x4ffffffff;

#define PROBE_HEAD "kernel void probe(global const uint *in, global uint *out) {\n"

static const struct probe probes[RED_NEEDS_N] = {
    [RED_NEED_INDEX_LOCAL_MEMORY] = {says_local_memory, PER_GROUP,
                                     PROBE_HEAD "    local uint all[128];\n"
                                                "    all[get_local_id(0)] = in[get_global_id(0)];\n"
                                                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                                "    if (get_local_id(0) == 0) {\n"
                                                "        uint sum = 0;\n"
                                                "        for (uint i = 0; i < get_local_size(0); i++)\n"
                                                "            sum += all[i];\n"
                                                "        out[get_group_id(0)] = sum;\n"
                                                "    }\n}\n"},
    [RED_NEED_INDEX_FP64] = {says_fp64, PER_GROUP,
                             PROBE_HEAD "    if (get_local_id(0) == 0) {\n"
                                        "        double sum = 4503599627370496.0;\n"
                                        "        for (uint i = 0; i < get_local_size(0); i++)\n"
                                        "            sum += (double)in[get_global_id(0) + i];\n"
                                        "        out[get_group_id(0)] = (uint)(sum - 4503599627370496.0);\n"
                                        "    }\n}\n"},
    [RED_NEED_INDEX_CAS32] = {says_yes, TOTAL,
                              PROBE_HEAD
                              "    uint seen = 0, found;\n"
                              "    while ((found = atomic_cmpxchg((volatile global uint *)out, seen,\n"
                              "                                   seen + in[get_global_id(0)])) != seen)\n"
                              "        seen = found;\n}\n"},
    [RED_NEED_INDEX_CAS64] = {says_cas64, TOTAL_WIDE,
                              "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n" PROBE_HEAD
                              "    ulong seen = 0xffffffff, found;\n"
                              "    while ((found = atom_cmpxchg((volatile global ulong *)out, seen,\n"
                              "                                 seen + in[get_global_id(0)])) != seen)\n"
                              "        seen = found;\n}\n"},
    [RED_NEED_INDEX_COLLECTIVES] = {says_collectives, PER_GROUP,
                                    PROBE_HEAD
                                    "    const uint sum = work_group_reduce_add(in[get_global_id(0)]);\n"
                                    "    if (get_local_id(0) == 0)\n"
                                    "        out[get_group_id(0)] = sum;\n}\n"},
    [RED_NEED_INDEX_C11_DEVICE] =
        {says_c11_device, TOTAL,
         PROBE_HEAD
         "    atomic_fetch_add_explicit((volatile global atomic_uint *)out, in[get_global_id(0)],\n"
         "                              memory_order_relaxed, memory_scope_device);\n}\n"},
};

enum red_answer red_probe_advertised(struct red_device *device, enum red_need_index need) {
    return probes[need].says(device);
}

struct probe_run {
    cl_kernel kernel;
    cl_mem in, out;
    cl_uint data[PROBE_ITEMS_MAX];
};

/* The words of out: what the probe starts with, and what it must leave. */
struct probe_out {
    cl_uint start[PROBE_OUT_N], expected[PROBE_OUT_N], got[PROBE_OUT_N];
};

static void out_find(const struct probe *probe, const cl_uint *data, size_t group_size,
                     struct probe_out *out) {
    cl_ulong sum = wide_start;
    *out = (struct probe_out){.start = {0}};
    for (size_t i = 0; i < PROBE_GROUPS_N * group_size; i++) {
        sum += data[i];
        out->expected[probe->result == PER_GROUP ? i / group_size : 0] += data[i];
    }
    if (probe->result == TOTAL_WIDE) {
        memcpy(out->start, &wide_start, sizeof wide_start);
        memcpy(out->expected, &sum, sizeof sum);
    }
}

/* Runs 5 groups of this size and compares. */
static enum red_status probe_size(struct red_device *device, const struct probe *probe,
                                  const struct probe_run *run, size_t group_size, struct red_error *error) {
    size_t global = PROBE_GROUPS_N * group_size;
    struct probe_out out;
    out_find(probe, run->data, group_size, &out);
    cl_int code =
        clEnqueueWriteBuffer(device->queue, run->out, CL_TRUE, 0, sizeof out.start, out.start, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code =
            clEnqueueNDRangeKernel(device->queue, run->kernel, 1, NULL, &global, &group_size, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code =
            clEnqueueReadBuffer(device->queue, run->out, CL_TRUE, 0, sizeof out.got, out.got, 0, NULL, NULL);
    enum red_status status = red_cl_check(code, "running the probe", error);
    for (size_t i = 0; i < PROBE_OUT_N && status == RED_OK; i++)
        if (out.got[i] != out.expected[i])
            status = red_fail(error, RED_E_WRONG, "wrong: group size %zu, word %zu: expected %u, got %u",
                              group_size, i, out.expected[i], out.got[i]);
    return status;
}

/* The largest group that the driver gives this kernel, which a barrier may make smaller than the device's. */
static size_t group_size_max(const struct red_device *device, cl_kernel kernel) {
    size_t max = device->info.shape.group_size_max, kernel_max = 0;
    if (clGetKernelWorkGroupInfo(kernel, device->cl_device, CL_KERNEL_WORK_GROUP_SIZE, sizeof kernel_max,
                                 &kernel_max, NULL) == CL_SUCCESS &&
        kernel_max > 0 && kernel_max < max)
        max = kernel_max;
    return max;
}

static enum red_status probe_run(struct red_device *device, const struct probe *probe, cl_kernel kernel,
                                 const struct red_probe_watch *watch, struct red_error *error) {
    static const size_t group_sizes[] = {1, 7, 32, 100, 128};
    struct probe_run run = {.kernel = kernel};
    cl_int code;
    for (cl_uint i = 0; i < PROBE_ITEMS_MAX; i++)
        run.data[i] = i * i + 1;
    run.in = clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof run.data,
                            run.data, &code);
    if (code == CL_SUCCESS)
        run.out =
            clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof(cl_uint) * PROBE_OUT_N, NULL, &code);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 0, sizeof run.in, &run.in);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 1, sizeof run.out, &run.out);
    enum red_status status = red_cl_check(code, "preparing the probe", error);
    size_t max = group_size_max(device, kernel);
    for (size_t i = 0; i < sizeof group_sizes / sizeof group_sizes[0] && status == RED_OK; i++) {
        if (group_sizes[i] > max)
            continue;
        watch->enter(watch->context, group_sizes[i]);
        status = probe_size(device, probe, &run, group_sizes[i], error);
    }
    if (run.in != NULL)
        clReleaseMemObject(run.in);
    if (run.out != NULL)
        clReleaseMemObject(run.out);
    return status;
}

/* The most telling line of a build log is the first that names an error; where the driver keeps the probe's
 * text
 * ("file:line:column: ") tells nobody anything. */
static void reason_from(const struct red_error *error, char *reason, size_t reason_bytes) {
    const char *line = strstr(error->text, "error:");
    line = line ? line + 6 + strspn(line + 6, " ") : error->text;
    size_t length = strcspn(line, "\r\n");
    for (size_t at = 0; at + 3 < length; at++) {
        size_t digits = strspn(line + at, "0123456789");
        if (at > 0 && line[at - 1] == ':' && digits > 0 && strncmp(line + at + digits, ": ", 2) == 0 &&
            strchr(line, '/') != NULL) {
            line += at + digits + 2;
            length = strcspn(line, "\r\n");
            break;
        }
    }
    snprintf(reason, reason_bytes, "%.*s", (int)length, line);
}

void red_probe_run(struct red_device *device, enum red_need_index need, enum red_c_standard standard,
                   const struct red_probe_watch *watch, struct red_capability *capability) {
    struct red_error error = {.text = ""};
    cl_kernel kernel = NULL;
    *capability = (struct red_capability){.builds = RED_NO, .behaves = RED_NO};
    watch->enter(watch->context, 0);
    if (red_program_kernel(device, "probe", probes[need].text, standard, "probe", &kernel, &error) ==
        RED_OK) {
        capability->builds = RED_YES;
        capability->behaves = answer(probe_run(device, &probes[need], kernel, watch, &error) == RED_OK);
        clReleaseKernel(kernel);
    }
    if (capability->behaves != RED_YES)
        reason_from(&error, capability->reason, sizeof capability->reason);
}
