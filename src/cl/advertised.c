/* What a driver says of itself (OpenCL 3.0 API, section 4.2), asked as its version allows. */
#include <stdio.h>
#include <string.h>

#include "cl/private.h"
#include "cl/probe.h"

/* ---- queries: a failing one means unknown, not no ---- */

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

/* Any of the bits of a query whose value is a bit field; `wide` for one of 64 bits. */
static enum red_answer says_bits(struct red_device *device, cl_device_info what, bool wide, cl_ulong bits) {
    cl_ulong long_value = 0;
    cl_uint value = 0;
    cl_int code = clGetDeviceInfo(device->cl_device, what, wide ? sizeof long_value : sizeof value,
                                  wide ? (void *)&long_value : (void *)&value, NULL);
    return code == CL_SUCCESS ? answer((wide ? long_value : value) & bits) : RED_UNKNOWN;
}

/* Mandatory in 2.x, absent in 1.x, asked from 3.0 on. */
static enum red_answer says_from_2(struct red_device *device, cl_device_info what, bool wide, cl_ulong bits) {
    return major_version(device) < 3 ? answer(major_version(device) == 2)
                                     : says_bits(device, what, wide, bits);
}

static enum red_answer says_extension(struct red_device *device, const char *name) {
    char extensions[16384] = "";
    size_t length = strlen(name);
    if (clGetDeviceInfo(device->cl_device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL) !=
        CL_SUCCESS)
        return RED_UNKNOWN;
    for (const char *at = extensions; (at = strstr(at, name)) != NULL; at += length)
        if ((at == extensions || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return RED_YES;
    return RED_NO;
}

static enum red_answer says_fp64(struct red_device *device) {
    return says_bits(device, CL_DEVICE_DOUBLE_FP_CONFIG, true, ~0ull);
}
static enum red_answer says_fp16(struct red_device *device) {
    return says_extension(device, "cl_khr_fp16");
}
static enum red_answer says_int64_base(struct red_device *device) {
    return says_extension(device, "cl_khr_int64_base_atomics");
}
static enum red_answer says_int64_extended(struct red_device *device) {
    return says_extension(device, "cl_khr_int64_extended_atomics");
}
static enum red_answer says_collectives(struct red_device *device) {
    return says_from_2(device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, false, 1);
}
static enum red_answer says_scope(struct red_device *device, cl_ulong scope) {
    return says_from_2(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, true, scope);
}
static enum red_answer says_c11_work_group(struct red_device *device) {
    return says_scope(device, CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP);
}
static enum red_answer says_c11_all_devices(struct red_device *device) {
    return says_scope(device, CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
}
static enum red_answer says_c11_device(struct red_device *device) {
    return says_scope(device, CL_DEVICE_ATOMIC_SCOPE_DEVICE);
}
static enum red_answer says_c11_device_64(struct red_device *device) {
    enum red_answer scope = says_c11_device(device);
    return scope == RED_YES ? says_int64_extended(device) : scope;
}
static enum red_answer says_c11_acq_rel(struct red_device *device) {
    enum red_answer scope = says_c11_device(device);
    return scope == RED_YES ? says_from_2(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, true,
                                          CL_DEVICE_ATOMIC_ORDER_ACQ_REL)
                            : scope;
}
static enum red_answer says_c11_seq_cst(struct red_device *device) {
    enum red_answer scope = says_c11_device(device);
    return scope == RED_YES ? says_from_2(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, true,
                                          CL_DEVICE_ATOMIC_ORDER_SEQ_CST)
                            : scope;
}
/* Core in 2.1 and 2.2; in 2.0 by extension; from 3.0 on by the number of them. */
static enum red_answer says_sub_groups(struct red_device *device) {
    if (device->info.api_version >= 30)
        return says_bits(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, false, ~0ull);
    if (device->info.api_version > 20)
        return RED_YES;
    return answer(says_extension(device, "cl_khr_subgroups") == RED_YES ||
                  says_extension(device, "cl_intel_subgroups") == RED_YES);
}
static enum red_answer says_shuffle(struct red_device *device) {
    return says_extension(device, "cl_khr_subgroup_shuffle");
}
static enum red_answer says_float_atomics(struct red_device *device) {
    return says_extension(device, "cl_ext_float_atomics");
}
static enum red_answer says_svm_bits(struct red_device *device, unsigned long long bits) {
    return major_version(device) < 2 ? RED_NO : says_bits(device, CL_DEVICE_SVM_CAPABILITIES, true, bits);
}
static enum red_answer says_svm(struct red_device *device) {
    return says_svm_bits(device, ~0ull);
}
static enum red_answer says_svm_fine(struct red_device *device) {
    return says_svm_bits(device, CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
}
static enum red_answer says_svm_atomics(struct red_device *device) {
    return says_svm_bits(device, CL_DEVICE_SVM_ATOMICS);
}
static enum red_answer says_svm_system(struct red_device *device) {
    return says_svm_bits(device, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
}
/* No query tells it. */
static enum red_answer says_nothing(struct red_device *device) {
    (void)device;
    return RED_UNKNOWN;
}
/* The same bit (OpenCL 3.0 API, section 4.2) in a query that 2.x and 3.0 name differently. */
static enum red_answer says_device_enqueue(struct red_device *device) {
    if (major_version(device) < 3)
        return major_version(device) < 2
                   ? RED_NO
                   : says_bits(device, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, true, ~0ull);
    return says_bits(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, true, CL_DEVICE_QUEUE_SUPPORTED);
}
static enum red_answer says_program_scope(struct red_device *device) {
    return major_version(device) < 2 ? RED_NO
                                     : says_bits(device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, true, ~0ull);
}
static enum red_answer says_generic_space(struct red_device *device) {
    return says_from_2(device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, false, 1);
}
static enum red_answer says_non_uniform(struct red_device *device) {
    return says_from_2(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, false, 1);
}
static enum red_answer says_pipes(struct red_device *device) {
    return says_from_2(device, CL_DEVICE_PIPE_SUPPORT, false, 1);
}
static enum red_answer says_command_buffer(struct red_device *device) {
    return says_extension(device, "cl_khr_command_buffer");
}
static enum red_answer says_integer_dot(struct red_device *device) {
    return says_extension(device, "cl_khr_integer_dot_product");
}

/* ---- the table ---- */

enum red_answer red_probe_advertised(struct red_device *device, enum red_need_index need) {
    static enum red_answer (*const says[RED_NEEDS_N])(struct red_device * device) = {
        [RED_NEED_INDEX_LOCAL_MEMORY] = says_local_memory,
        [RED_NEED_INDEX_ASYNC_COPY] = says_yes,
        [RED_NEED_INDEX_HALF_LOADS] = says_yes,
        [RED_NEED_INDEX_FP64] = says_fp64,
        [RED_NEED_INDEX_CAS32] = says_yes,
        [RED_NEED_INDEX_CAS64] = says_int64_base,
        [RED_NEED_INDEX_XCHG32] = says_yes,
        [RED_NEED_INDEX_XCHG64] = says_int64_base,
        [RED_NEED_INDEX_ATOMIC32] = says_yes,
        [RED_NEED_INDEX_ATOMIC64] = says_int64_extended,
        [RED_NEED_INDEX_COLLECTIVES32] = says_collectives,
        [RED_NEED_INDEX_COLLECTIVES64] = says_collectives,
        [RED_NEED_INDEX_COLLECTIVES_F32] = says_collectives,
        [RED_NEED_INDEX_COLLECTIVES_F64] = says_collectives,
        [RED_NEED_INDEX_SCANS32] = says_collectives,
        [RED_NEED_INDEX_SCANS64] = says_collectives,
        [RED_NEED_INDEX_SCANS_F32] = says_collectives,
        [RED_NEED_INDEX_SCANS_F64] = says_collectives,
        [RED_NEED_INDEX_SUB_GROUPS32] = says_sub_groups,
        [RED_NEED_INDEX_SUB_GROUPS64] = says_sub_groups,
        [RED_NEED_INDEX_SUB_GROUPS_F32] = says_sub_groups,
        [RED_NEED_INDEX_SUB_GROUPS_F64] = says_sub_groups,
        [RED_NEED_INDEX_SHUFFLE32] = says_shuffle,
        [RED_NEED_INDEX_SHUFFLE64] = says_shuffle,
        [RED_NEED_INDEX_SHUFFLE_F32] = says_shuffle,
        [RED_NEED_INDEX_SHUFFLE_F64] = says_shuffle,
        [RED_NEED_INDEX_C11_DEVICE32] = says_c11_device,
        [RED_NEED_INDEX_C11_DEVICE64] = says_c11_device_64,
        [RED_NEED_INDEX_C11_ACQ_REL] = says_c11_acq_rel,
        [RED_NEED_INDEX_C11_SEQ_CST] = says_c11_seq_cst,
        [RED_NEED_INDEX_FLOAT_ATOMICS32] = says_float_atomics,
        [RED_NEED_INDEX_FLOAT_ATOMICS64] = says_float_atomics,
        [RED_NEED_INDEX_SVM] = says_svm,
        [RED_NEED_INDEX_HOST_VISIBLE] = says_nothing,
        [RED_NEED_INDEX_SVM_POLLED] = says_svm_atomics,
        [RED_NEED_INDEX_SVM_SYSTEM] = says_svm_system,
        [RED_NEED_INDEX_DEVICE_ENQUEUE] = says_device_enqueue,
        [RED_NEED_INDEX_PROGRAM_SCOPE] = says_program_scope,
        [RED_NEED_INDEX_GENERIC_SPACE] = says_generic_space,
        [RED_NEED_INDEX_NON_UNIFORM] = says_non_uniform,
        [RED_NEED_INDEX_PIPES] = says_pipes,
        [RED_NEED_INDEX_COMMAND_BUFFER] = says_command_buffer,
        [RED_NEED_INDEX_INTEGER_DOT] = says_integer_dot,
        [RED_NEED_INDEX_FP16] = says_fp16,
        [RED_NEED_INDEX_C11_WORK_GROUP] = says_c11_work_group,
        [RED_NEED_INDEX_C11_ALL_DEVICES] = says_c11_all_devices,
        [RED_NEED_INDEX_SVM_FINE] = says_svm_fine,
    };
    return says[need](device);
}
