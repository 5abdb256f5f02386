#define _GNU_SOURCE /* RTLD_DEFAULT */
/* Lists and opens OpenCL devices, looks up entry points newer than OpenCL 1.2, and asks what a driver
 * advertises. Runs in workers and in `once`; `devices` prints what is found. */
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/private.h"
#include "cl/probe.h"
#include "model/device_info.h"

enum { DEVICES_MAX = 64 };

struct red_device_list {
    size_t n;
    struct red_device_info infos[DEVICES_MAX];
    cl_device_id cl_devices[DEVICES_MAX];
    char empty[RED_EMPTY_BYTES];
};

/* ---- asking -------------------------------------------------------------------------------------------- */

/* Drivers pad names with blanks and may hand out anything: keep printable ASCII, trimmed. */
static void keep_printable(char *text) {
    size_t kept = 0;
    for (size_t i = 0; text[i] != '\0'; i++)
        if (isprint((unsigned char)text[i]) && (kept > 0 || text[i] != ' '))
            text[kept++] = text[i];
    while (kept > 0 && text[kept - 1] == ' ')
        kept--;
    text[kept] = '\0';
}

static void device_string(cl_device_id device, cl_device_info what, char *text, size_t text_bytes) {
    char whole[4096] = "";
    size_t bytes = 0;
    text[0] = '\0';
    if (clGetDeviceInfo(device, what, sizeof whole - 1, whole, &bytes) == CL_SUCCESS)
        snprintf(text, text_bytes, "%s", whole);
    keep_printable(text);
}

static void platform_string(cl_platform_id platform, cl_platform_info what, char *text, size_t text_bytes) {
    char whole[4096] = "";
    text[0] = '\0';
    if (clGetPlatformInfo(platform, what, sizeof whole - 1, whole, NULL) == CL_SUCCESS)
        snprintf(text, text_bytes, "%s", whole);
    keep_printable(text);
}

#define DEVICE_VALUE(device, what, type, fallback)                                                           \
    (*(type *)device_value(device, what, &(type){fallback}, sizeof(type)))

static void *device_value(cl_device_id device, cl_device_info what, void *value, size_t value_bytes) {
    char fallback[16];
    memcpy(fallback, value, value_bytes);
    if (clGetDeviceInfo(device, what, value_bytes, value, NULL) != CL_SUCCESS)
        memcpy(value, fallback, value_bytes);
    return value;
}

/* Appends "1.2" to "1.0 1.1" unless it is there: drivers list some twice. */
static void version_add(unsigned major, unsigned minor, char *text, size_t text_bytes) {
    char version[16];
    size_t used = strlen(text);
    snprintf(version, sizeof version, "%u.%u", major, minor);
    if (strstr(text, version) == NULL)
        snprintf(text + used, text_bytes - used, "%s%s", used ? " " : "", version);
}

static int version_compare(const void *left, const void *right) {
    cl_version a = ((const cl_name_version *)left)->version, b = ((const cl_name_version *)right)->version;
    return (a > b) - (a < b);
}

/* "1.2 3.0": from the 3.0 query where it is known, otherwise from "OpenCL C 1.2 ..." up to 1.0; empty if the
 * driver says nothing. */
static void print_c_versions(cl_device_id device, char *text, size_t text_bytes) {
    const cl_device_info query = CL_DEVICE_OPENCL_C_ALL_VERSIONS;
    size_t bytes = 0;
    text[0] = '\0';
    cl_name_version *versions = NULL;
    if (clGetDeviceInfo(device, query, 0, NULL, &bytes) == CL_SUCCESS && bytes > 0)
        versions = calloc(1, bytes);
    if (versions != NULL && clGetDeviceInfo(device, query, bytes, versions, NULL) != CL_SUCCESS)
        bytes = 0;
    if (versions != NULL)
        qsort(versions, bytes / sizeof versions[0], sizeof versions[0], version_compare);
    for (size_t i = 0; versions != NULL && i < bytes / sizeof versions[0]; i++)
        version_add(CL_VERSION_MAJOR(versions[i].version), CL_VERSION_MINOR(versions[i].version), text,
                    text_bytes);
    free(versions);
    if (text[0] != '\0')
        return;
    char single[128];
    device_string(device, CL_DEVICE_OPENCL_C_VERSION, single, sizeof single);
    static const unsigned known[][2] = {{1, 0}, {1, 1}, {1, 2}, {2, 0}};
    unsigned major = 0, minor = 0;
    if (sscanf(single, "OpenCL C %3u.%3u", &major, &minor) != 2)
        return;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (10 * known[i][0] + known[i][1] <= 10 * major + minor)
            version_add(known[i][0], known[i][1], text, text_bytes);
}

/* Asks the driver for all that `devices` prints of a device, and makes its id. */
static void info_find(cl_platform_id platform, cl_device_id device, struct red_device_info *info) {
    *info = (struct red_device_info){0};
    platform_string(platform, CL_PLATFORM_NAME, info->platform, sizeof info->platform);
    platform_string(platform, CL_PLATFORM_VERSION, info->platform_version, sizeof info->platform_version);
    device_string(device, CL_DEVICE_NAME, info->name, sizeof info->name);
    device_string(device, CL_DEVICE_VENDOR, info->vendor, sizeof info->vendor);
    device_string(device, CL_DEVICE_VERSION, info->version, sizeof info->version);
    device_string(device, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
    print_c_versions(device, info->c_versions, sizeof info->c_versions);
    info->api_version = red_api_version(info->platform_version, info->version);
    info->shape.compute_units = DEVICE_VALUE(device, CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint, 1);
    info->shape.is_cpu = DEVICE_VALUE(device, CL_DEVICE_TYPE, cl_device_type, 0) & CL_DEVICE_TYPE_CPU;
    info->shape.group_size_max = DEVICE_VALUE(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t, 1);
    size_t dimensions[16] = {0};
    if (clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof dimensions, dimensions, NULL) ==
            CL_SUCCESS &&
        dimensions[0] > 0 && dimensions[0] < info->shape.group_size_max)
        info->shape.group_size_max = dimensions[0];
    /* Some drivers answer 0; a launch of nothing would follow from it. */
    if (info->shape.compute_units == 0)
        info->shape.compute_units = 1;
    if (info->shape.group_size_max == 0)
        info->shape.group_size_max = 1;
    info->local_memory_bytes = DEVICE_VALUE(device, CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, 0);
    info->global_memory_bytes = DEVICE_VALUE(device, CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong, 0);
    info->allocation_bytes_max = DEVICE_VALUE(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong, 0);
    info->denormals_f32 =
        DEVICE_VALUE(device, CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config, 0) & CL_FP_DENORM;
    info->denormals_f64 =
        DEVICE_VALUE(device, CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config, 0) & CL_FP_DENORM;
    info->event_clock_ns = DEVICE_VALUE(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t, 0);
    red_device_id_find(info);
}

/* ---- the list ------------------------------------------------------------------------------------------ */

/* What a driver may want before it offers a device, by the beginning of its platform's name. */
static const struct {
    const char *platform, *wants;
} wants[] = {
    {"Portable Computing Language",
     "it keeps what it compiles in $POCL_CACHE_DIR, $XDG_CACHE_HOME/pocl or $HOME/.cache/pocl, and offers "
     "nothing where it cannot write there"},
    {"rusticl", "the variable RUSTICL_ENABLE names the drivers that it is to use: RUSTICL_ENABLE=llvmpipe"},
};

/* Adds a line "no device: ..." for a platform that offers none. */
static void add_platform_without_device(struct red_device_list *list, cl_platform_id platform, cl_int code) {
    char name[128];
    const char *hint = NULL;
    size_t used = strlen(list->empty);
    platform_string(platform, CL_PLATFORM_NAME, name, sizeof name);
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++)
        if (strncmp(name, wants[i].platform, strlen(wants[i].platform)) == 0)
            hint = wants[i].wants;
    if (code == CL_SUCCESS)
        snprintf(list->empty + used, sizeof list->empty - used,
                 "no device: %s: it says that it has none%s%s\n", name, hint ? "; " : "", hint ? hint : "");
    else
        snprintf(list->empty + used, sizeof list->empty - used,
                 "no device: %s: clGetDeviceIDs says %s (%d)%s%s\n", name, red_cl_error_name(code), code,
                 hint ? "; " : "", hint ? hint : "");
}

const char *red_device_list_platforms_without(const struct red_device_list *list) {
    return list->empty;
}

enum red_status red_device_list_create(struct red_device_list **list, struct red_error *error) {
    struct red_device_list *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the list of devices");
    cl_platform_id platforms[DEVICES_MAX];
    cl_uint platforms_n = 0;
    if (clGetPlatformIDs(DEVICES_MAX, platforms, &platforms_n) != CL_SUCCESS)
        platforms_n = 0;
    if (platforms_n > DEVICES_MAX)
        platforms_n = DEVICES_MAX;
    for (cl_uint p = 0; p < platforms_n; p++) {
        cl_device_id devices[DEVICES_MAX];
        cl_uint devices_n = 0;
        cl_int code = clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, DEVICES_MAX, devices, &devices_n);
        if (code != CL_SUCCESS || devices_n == 0) {
            add_platform_without_device(made, platforms[p], code);
            continue;
        }
        for (cl_uint d = 0; d < devices_n && d < DEVICES_MAX && made->n < DEVICES_MAX; d++) {
            made->cl_devices[made->n] = devices[d];
            info_find(platforms[p], devices[d], &made->infos[made->n++]);
        }
    }
    red_device_ids_number(made->infos, made->n);
    *list = made;
    return RED_OK;
}

void red_device_list_destroy(struct red_device_list *list) {
    free(list);
}

size_t red_device_list_n(const struct red_device_list *list) {
    return list->n;
}

const struct red_device_info *red_device_list_info(const struct red_device_list *list, size_t i) {
    return &list->infos[i];
}

bool red_device_list_selected(const struct red_device_list *list, size_t i, const char *patterns) {
    return red_device_info_selected(list->infos, list->n, i, patterns);
}

enum red_status red_device_list_check_patterns(const struct red_device_list *list, const char *patterns,
                                               struct red_error *error) {
    return red_device_info_check_patterns(list->infos, list->n, patterns, false, error);
}

/* ---- an open device ------------------------------------------------------------------------------------ */

/* The red_capability_ask of an open device: probes in this process (`once`, and workers). */
static void probe_here(void *context, enum red_need_index need, enum red_c_standard standard,
                       struct red_capability *capability) {
    red_probe_run(context, need, standard, NULL, capability);
}

enum red_status red_device_open(const struct red_device_list *list, size_t i, struct red_device **device,
                                struct red_error *error) {
    enum red_status status = RED_OK;
    cl_int code;
    struct red_device *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for device %s", list->infos[i].id);
    made->info = list->infos[i];
    made->cl_device = list->cl_devices[i];
    made->capabilities.ask = probe_here;
    made->capabilities.context = made;
    red_newer_find(made, &made->newer);
    made->context = clCreateContext(NULL, 1, &made->cl_device, NULL, NULL, &code);
    status = red_cl_check(code, "clCreateContext", error);
    if (status != RED_OK)
        goto cleanup;
    made->queue = clCreateCommandQueue(made->context, made->cl_device, 0, &code);
    status = red_cl_check(code, "clCreateCommandQueue", error);
    if (status != RED_OK)
        goto cleanup;
    made->profiling = clCreateCommandQueue(made->context, made->cl_device, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS) /* its events have no times then, which the event_clock tells */
        made->profiling = clCreateCommandQueue(made->context, made->cl_device, 0, &code);
    status = red_cl_check(code, "a second clCreateCommandQueue", error);
    if (status != RED_OK)
        goto cleanup;
    *device = made;
    return RED_OK;

cleanup:
    red_device_close(made);
    return status;
}

void red_device_close(struct red_device *device) {
    if (device == NULL)
        return;
    red_checksum_clear(&device->checksum);
    red_programs_clear(&device->programs);
    if (device->on_device != NULL)
        clReleaseCommandQueue(device->on_device);
    if (device->profiling != NULL)
        clReleaseCommandQueue(device->profiling);
    if (device->queue != NULL)
        clReleaseCommandQueue(device->queue);
    if (device->context != NULL)
        clReleaseContext(device->context);
    free(device);
}

uint64_t red_device_programs_n(const struct red_device *device) {
    return device->programs.built_n;
}

void red_device_release_programs(struct red_device *device) {
    red_programs_clear(&device->programs);
}

const struct red_device_info *red_device_info(const struct red_device *device) {
    return &device->info;
}

struct red_capabilities *red_device_capabilities(struct red_device *device) {
    return &device->capabilities;
}

void red_device_keep_binaries(struct red_device *device, const char *folder) {
    if (strlen(folder) < sizeof device->programs.binaries)
        strcpy(device->programs.binaries, folder);
}

/* ISO C has no way from an object's address to a function's, POSIX has. */
static void set_function(void *function, const void *address) {
    memcpy(function, &address, sizeof address);
}

static void find_core_function(const struct red_device *device, unsigned version, const char *name,
                               void *function) {
    set_function(function, device->info.api_version >= version ? dlsym(RTLD_DEFAULT, name) : NULL);
}

static void find_extension_function(cl_platform_id platform, const char *name, void *function) {
    set_function(function, platform ? clGetExtensionFunctionAddressForPlatform(platform, name) : NULL);
}

void red_newer_find(const struct red_device *device, struct red_newer *newer) {
    cl_platform_id platform = NULL;
    find_core_function(device, 20, "clSVMAlloc", &newer->svm_alloc);
    find_core_function(device, 20, "clSVMFree", &newer->svm_free);
    find_core_function(device, 20, "clSetKernelArgSVMPointer", &newer->set_kernel_arg_svm);
    find_core_function(device, 20, "clSetKernelExecInfo", &newer->set_kernel_exec_info);
    find_core_function(device, 20, "clEnqueueSVMMap", &newer->enqueue_svm_map);
    find_core_function(device, 20, "clEnqueueSVMUnmap", &newer->enqueue_svm_unmap);
    find_core_function(device, 20, "clCreatePipe", &newer->create_pipe);
    find_core_function(device, 20, "clCreateCommandQueueWithProperties", &newer->create_queue);
    if (clGetDeviceInfo(device->cl_device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) !=
        CL_SUCCESS)
        platform = NULL;
    find_extension_function(platform, "clCreateBufferNV", &newer->create_buffer_nv);
    find_extension_function(platform, "clCreateCommandBufferKHR", &newer->create_command_buffer);
    find_extension_function(platform, "clFinalizeCommandBufferKHR", &newer->finalize_command_buffer);
    find_extension_function(platform, "clReleaseCommandBufferKHR", &newer->release_command_buffer);
    find_extension_function(platform, "clEnqueueCommandBufferKHR", &newer->enqueue_command_buffer);
    find_extension_function(platform, "clCommandNDRangeKernelKHR", &newer->command_ndrange);
}

enum red_status red_newer_device_queue(struct red_device *device, struct red_error *error) {
    static const cl_bitfield properties[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
    cl_int code;
    if (device->on_device != NULL)
        return RED_OK;
    if (device->newer.create_queue == NULL)
        return red_fail(error, RED_E_UNSUPPORTED, "no clCreateCommandQueueWithProperties");
    device->on_device = device->newer.create_queue(device->context, device->cl_device, properties, &code);
    return code == CL_SUCCESS
               ? RED_OK
               : red_fail(error, RED_E_UNSUPPORTED, "no on-device queue: %s", red_cl_error_name(code));
}

/* ---- what a driver advertises ----------------------------------------------------------------------------
 * The driver's queries (OpenCL 3.0 API, section 4.2), asked as its version allows: the first answer of a
 * capability in `devices`. A query that fails means unknown, not no. */

static enum red_answer answer_of(bool yes) {
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
    return answer_of(device->info.local_memory_bytes > 0);
}

/* Any of the bits of a query whose value is a bit field; `wide` for one of 64 bits. */
static enum red_answer says_bits(struct red_device *device, cl_device_info what, bool wide, cl_ulong bits) {
    cl_ulong long_value = 0;
    cl_uint value = 0;
    cl_int code = clGetDeviceInfo(device->cl_device, what, wide ? sizeof long_value : sizeof value,
                                  wide ? (void *)&long_value : (void *)&value, NULL);
    return code == CL_SUCCESS ? answer_of((wide ? long_value : value) & bits) : RED_UNKNOWN;
}

/* Mandatory in 2.x, absent in 1.x, asked from 3.0 on. */
static enum red_answer says_from_2(struct red_device *device, cl_device_info what, bool wide, cl_ulong bits) {
    return major_version(device) < 3 ? answer_of(major_version(device) == 2)
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
    return answer_of(says_extension(device, "cl_khr_subgroups") == RED_YES ||
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
